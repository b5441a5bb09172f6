#!/usr/bin/env bats
# Providers at work: what is not about breaking rules (provider-lifecycle.bats)
# nor about failing (provider-faults.bats).

load provider

setup() {
	provider_setup
}

# --- everything there is, from creation to destruction ---

lives() {
	everything "ci = var.ci"
	echo 'variable "ci" { default = null }' >>main.tf
	works run_all ''
	[ "$(attribute r .name)" = '"n"' ]
	[ "$(attribute r '[.blockset[].name]')" = '["x0","x1"]' ]
	[ "$(attribute r .dynblock.value)" = '[{"name":null,"value":"v"}]' ]
	[ "$(attribute r .wo)" = null ]
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
	works run_all '' -var ci=x
	[ "$(attribute r .ci)" = '"x"' ]
	works destroy ''
	[ "$(jq '.resources|length' terraform.tfstate)" = 0 ]
	run -0 ls objects
	[ -z "$output" ]
}

# bats test_tags=once
@test "every kind of attribute and block, from creation to destruction" {
	both lives
}

# bats test_tags=once
@test "elements of sets keep what the provider computed for them" {
	everything
	works run_all ''
	jq -c '(.blockset[] | select(.name == "x0")).comp = "one" |
		(.nested_set[] | select(.name == "t1")).comp = "two"' \
		objects/test_all.1.json >o
	mv o objects/test_all.1.json
	works run_all '' -refresh-only
	everything 'ci = "x"'
	works plan ''
	$cli show -json p | jq -c '.resource_changes[0].change.after |
		[(.blockset + .nested_set)[].comp] | sort' >got
	[ "$(cat got)" = '["comp of t0","comp of x1","one","two"]' ]
}

# bats test_tags=once
@test "what is removed from the configuration goes, what is computed stays" {
	config <<-EOF
	resource "test_thing" "r" {
	  name  = "r"
	  value = "v"
	  oc    = "mine"
	}
	EOF
	works run_all ''
	sed -i '/value\|oc/d' main.tf
	works run_all ''
	[ "$(attribute r '[.value,.oc]')" = '[null,"mine"]' ]
}

# --- messages ---

@test "a provider's message points at the attribute" {
	config <<-EOF
	resource "test_all" "r" {
	  name = "r"
	  block {
	    name = "b"
	    inner {
	      name = "deep"
	    }
	  }
	}
	EOF
	TEST_PROVIDER_DO='validate:error:block[0].inner[0].name=odd' \
		run $cli validate -json
	[ "$(jq -c '.diagnostics[] | select(.summary=="odd") |
		[.severity, .range.start.line, .snippet.code]' <<<"$output")" = \
		'["error",11,"      name = \"deep\""]' ]
	TEST_PROVIDER_DO='plan:warning:name=beware' run $cli plan -no-color
	[[ $output == *'Warning: beware'*'on main.tf line 7'*'test_all" "r"'* ]]
}

@test "the use of a deprecated attribute warns" {
	config <<-EOF
	resource "test_all" "r" {
	  old = "x"
	}
	output "o" {
	  value = test_all.r.old
	}
	EOF
	run $cli validate -json
	[ "$(jq -r '.diagnostics[] | select(.severity=="warning") | .detail' \
		<<<"$output" | grep -c 'test_all.r.old.*')" = 1 ]
	[[ $output == *'use name'* ]]
}

@test "the use of a deprecated attribute in a provisioner warns" {
	config <<-'EOF'
	resource "test_all" "r" {
	}
	resource "test_thing" "u" {
	  provisioner "local-exec" {
	    command = "echo ${test_all.r.old}"
	  }
	}
	EOF
	run -0 "$cli" validate -json
	jq -e '[.diagnostics[] | select(.detail | contains("test_all.r.old"))] |
		length == 1 and .[0].range.filename == "main.tf"' <<<"$output"
}

# Only of types with an attribute that is sensitive or deprecated.
# bats test_tags=once
@test "the use of a type that is deprecated as a whole" {
	local block use warnings
	while IFS='|' read -r block use warnings; do
		config <<-EOF
		$block "test_retired" "r" { name = "r" }
		output "o" { value = $use.r.name }
		EOF
		run -0 "$cli" validate -json
		[ "$(jq -c '[.diagnostics[].summary |
			select(startswith("Value derived"))] | length' \
			<<<"$output")" = "$warnings" ] || { echo "$block"; false; }
		run -0 "$cli" plan -json
		[ "$(jq -s '[.[].diagnostic.summary // "" |
			select(startswith("Value derived"))] | unique |
			length' <<<"$output")" = "$warnings" ] ||
			{ echo "$block: plan"; false; }
	done <<-'EOF'
	resource|test_retired|0
	data|data.test_retired|1
	EOF
}

# A root output that was known when planning needs no evaluation; what it is made
# of has some, for what there is to tell of it; what nobody needs has none.
# bats test_tags=once
@test "an apply warns of what is deprecated in values that were known" {
	local user what at
	mkdir m
	while IFS='|' read -r at user what; do
		config <<-EOF
		resource "test_all" "r" {
		  name = "n"
		  old  = "x"
		}
		$(printf '%b' "$what")
		EOF
		mv main.tf m/main.tf
		config <<-EOF
		module "m" { source = "./m" }
		$user
		EOF
		"$cli" init >/dev/null 2>&1 || :
		run -0 "$cli" plan -out=p
		run -0 "$cli" apply -json p
		[ "$(jq -s -c '[.[] | select(.type == "diagnostic").diagnostic |
			select(.summary | startswith("Value derived")) |
			.range.start.line] | sort' <<<"$output")" = "$at" ] ||
			{ echo "$user $what: $output"; false; }
		run -0 "$cli" destroy -auto-approve
	done <<-'EOF'
	[10]|output "o" { value = module.m.r.name }|output "r" { value = test_all.r }
	[10]|output "o" { value = module.m.n }|locals { r = test_all.r }\noutput "n" { value = local.r.name }
	[]|output "o" { value = 1 }|locals { r = test_all.r }\noutput "n" { value = test_all.r }
	[11]|resource "test_thing" "a" { depends_on = [module.m] }|locals { r = test_all.r }\noutput "n" { value = test_all.r }
	[]|resource "test_thing" "a" { depends_on = [module.m] }|locals { r = test_all.r }\nresource "test_thing" "no" {\ncount = 0\nname = local.r.name\n}
	EOF
}

@test "the block of which there may be two" {
	config <<-EOF
	resource "test_all" "r" {
	  limited {}
	  limited {}
	  limited {}
	}
	EOF
	fails plan '' -- 'Too many limited blocks'
}

# bats test_tags=once
@test "sensitive attributes are hidden, and mark what uses them" {
	config <<-EOF
	resource "test_all" "r" {
	  secret = "s3cr3t"
	  block {
	    secret = "s3cr3t"
	  }
	}
	resource "test_thing" "s" {
	  name = "s"
	  value = test_all.r.secret
	}
	output "o" {
	  value = test_all.r.secret
	}
	EOF
	fails plan '' -- 'Output refers to sensitive values'
	run $cli validate -json
	[ "$(jq -r '.diagnostics[] | select(.severity=="error") | .summary' \
		<<<"$output")" = 'Output refers to sensitive values' ]
	sed -i '/output/,$s/  value = .*/&\n  sensitive = true/' main.tf
	run $cli apply -auto-approve -no-color
	[ "$status" = 0 ]
	[[ $output != *s3cr3t* ]]
	[ "$(jq -c '.resources[] | select(.name=="s") |
		.instances[0].sensitive_attributes' terraform.tfstate)" = \
		'[[{"type":"get_attr","value":"value"}]]' ]
}

# --- ephemeral resources ---

tokens() {
	config <<-EOF
	ephemeral "test_token" "t" {
	  name = "t"
	}
	resource "test_all" "r" {
	  name = "r"
	  wo   = ephemeral.test_token.t.token
	}
	EOF
	works run_all ''
	run -1 grep -q 'token of t' terraform.tfstate
	# opened and closed in each of the two phases
	[ "$(grep -c '^open test_token t' calls)" = 2 ]
	[ "$(grep -c '^close test_token t' calls)" = 2 ]
	works plan ''
	run -1 grep -q 'token of t' p
	fails plan 'open:error=no token' -- 'no token'
	$cli plan -no-color | grep '^ephemeral' | sed 's/ after [0-9]*s/ after/' >told
	diff told - <<-EOF
	ephemeral.test_token.t: Opening...
	ephemeral.test_token.t: Open complete after
	ephemeral.test_token.t: Closing...
	ephemeral.test_token.t: Close complete after
	EOF
}

# bats test_tags=once
@test "ephemeral resources are opened, closed, and nowhere kept" {
	both tokens
}

deferred() {
	config <<-EOF
	resource "terraform_data" "a" { input = "n" }
	ephemeral "test_token" "t" {
	  name = terraform_data.a.output
	}
	ephemeral "test_token" "u" {
	  name       = "u"
	  depends_on = [terraform_data.a]
	}
	EOF
	works plan ''
	$cli plan -no-color | grep '^ephemeral' | sort >told
	diff told - <<-EOF
	ephemeral.test_token.t: Deferred due to unknown configuration
	ephemeral.test_token.u: Deferred due to pending dependencies
	EOF
	$cli plan -json >out
	run -1 grep Deferred out
}

# bats test_tags=once
@test "an ephemeral resource that has to wait is told of, to people" {
	both deferred
}

@test "an ephemeral resource is renewed while it is needed" {
	config <<-EOF
	ephemeral "test_token" "t" {
	  name = "t"
	}
	provider "test" {
	  name   = "p"
	  prefix = ephemeral.test_token.t.token
	  alias  = "p"
	}
	resource "test_thing" "r" {
	  provider = test.p
	  name     = "r"
	}
	EOF
	works run_all 'open:renew=1;renew:renew=60;r@apply:sleep=2500'
	grep -q '^renew test_token t' calls
	[ "$(attribute r .comp)" = '"token of tcomp of r"' ]
}

# --- configurations, data, meta ---

# bats test_tags=once
@test "configurations of one provider are processes of their own" {
	config <<-EOF
	provider "test" {
	  prefix = "a "
	  auth {
	    user = "u"
	  }
	}
	provider "test" {
	  alias  = "b"
	  prefix = "b "
	}
	resource "test_thing" "a" {
	  name = "a"
	}
	resource "test_thing" "b" {
	  name     = "b"
	  provider = test.b
	}
	EOF
	works run_all ''
	[ "$(attribute a .comp)" = '"a comp of a"' ]
	[ "$(attribute b .comp)" = '"b comp of b"' ]
}

# bats test_tags=once
@test "a configuration that depends on a resource" {
	config <<-EOF
	resource "terraform_data" "p" {
	  input = "late "
	}
	provider "test" {
	  prefix = terraform_data.p.output
	}
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	[ "$(attribute r .comp)" = '"late comp of r"' ]
	grep -q '^configure unknown' calls
}

# bats test_tags=once
@test "a configuration that the provider refuses" {
	config <<-EOF
	provider "test" {
	  prefix = "x"
	}
	resource "test_thing" "r" {
	}
	EOF
	fails plan 'configure:error:prefix=bad prefix' -- 'bad prefix'
	fails plan 'validate-provider:error:prefix=never' -- 'never'
	run -1 grep -q ^plan calls
}

@test "a provider without a configuration is the file of what it says" {
	config <<-'EOF2'
	resource "test_thing" "r" { name = "n" }
	EOF2
	TEST_PROVIDER_DO=validate-provider:error=Refused \
		run -1 "$cli" plan -json
	[[ $(jq -rR 'fromjson? | .diagnostic | select(.summary == "Refused") |
		.range.filename' <<<"$output") == \
		"provider[\"registry.opentofu.org/hashicorp/test\"]"' with no configuration' ]]
}

@test "provider_meta goes with the calls" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	data "test_all" "early" {
	  name = "early"
	}
	data "test_all" "late" {
	  name = test_thing.r.id
	}
	terraform {
	  provider_meta "test" {
	    module_name = "root"
	  }
	}
	EOF
	works run_all ''
	[ "$(grep -c '^read-data test_all early meta=root' calls)" = 1 ]
	[ "$(grep -c '^read-data test_all [0-9]* meta=root' calls)" = 1 ]
	grep -q '^plan-create test_thing r meta=root' calls
	grep -q '^apply-create test_thing r meta=root' calls
	works plan ''
	grep -q '^read test_thing r meta=root' calls
}

# bats test_tags=once
@test "the state of a data source notes what was sensitive, not the schema" {
	config <<-EOF
	variable "s" {
	  default   = "s"
	  sensitive = true
	}
	data "test_all" "d" {
	  name   = var.s
	  secret = "x"
	}
	EOF
	works run_all ''
	[ "$(jq -c '.resources[0].instances[0].sensitive_attributes' \
		terraform.tfstate)" = '[[{"type":"get_attr","value":"name"}]]' ]
	run -0 $cli state show data.test_all.d
	[[ $output == *'secret '*'= (sensitive value)'* ]]
	[[ $output != *'"x"'* ]]
	works plan ''
	[ "$($cli show -json p | jq '.resource_changes|length')" = 0 ]
}

# Whether it is read or not yet.
# bats test_tags=once
@test "what the schema says is sensitive of a data source" {
	local name
	for name in '"d"' terraform_data.u.id; do
		config <<-EOF
		resource "terraform_data" "u" {}
		data "test_all" "d" {
		  name   = $name
		  secret = "x"
		}
		resource "test_thing" "r" {
		  name  = "r"
		  value = data.test_all.d.secret
		}
		EOF
		works plan ''
		[ "$("$cli" show -json p | jq -c '.resource_changes[] |
			select(.name == "r").change.after_sensitive.value')" = \
			true ] || { echo "$name"; false; }
		# the plan itself shows the marks of the configuration
		run -0 "$cli" show -json p
		jq -e '[.planned_values.root_module.resources[] |
			select(.mode == "data").sensitive_values.secret] |
			index(true) | not' <<<"$output"
		echo 'output "o" { value = data.test_all.d.comp }' >>main.tf
		works plan ''
		sed -i 's/d.comp/d.secret/' main.tf
		fails plan '' -- 'Output refers to sensitive values'
	done
}

# bats test_tags=once
@test "a data source that waits for a resource is read while applying" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	data "test_thing" "d" {
	  name = test_thing.r.comp
	}
	output "o" {
	  value = data.test_thing.d.comp
	}
	EOF
	works plan ''
	run -1 grep -q ^read-data calls
	works apply ''
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = 'comp of comp of r' ]
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
}

# --- private data ---

# bats test_tags=once
@test "private data comes back with every call" {
	config <<-EOF
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	EOF
	works run_all 'apply:private=mine'
	[ "$(jq -r '.resources[0].instances[0].private | @base64d' \
		terraform.tfstate)" = mine ]
	works run_all '' -var v=2
	[ "$(jq -r '.resources[0].instances[0].private | @base64d' \
		terraform.tfstate)" = mine ]
}

# --- schemas ---

@test "providers schema -json has every kind of attribute and block" {
	config </dev/null
	works $cli providers schema -json >schema
	jq -e --arg p "$test_provider" '.provider_schemas[$p] |
		.resource_schemas.test_all.block as $b |
		$b.attributes.nested_map.nested_type.nesting_mode == "map" and
		$b.attributes.wo.write_only and
		$b.attributes.dyn.type == "dynamic" and
		$b.block_types.blockset.nesting_mode == "set" and
		$b.block_types.limited.max_items == 2 and
		.resource_schemas.test_versioned.version == 2 and
		.ephemeral_resource_schemas.test_token and
		.functions.join.variadic_parameter.name == "words" and
		.provider.block.block_types.auth' schema >/dev/null
}

# bats test_tags=once
@test "an output of what is gone is null after -refresh-only" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	output "o" {
	  value = test_thing.r.comp
	}
	EOF
	works run_all ''
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = 'comp of r' ]
	rm objects/*
	works run_all '' -refresh-only
	[ "$(jq -c '.outputs.o | [.value, .type]' terraform.tfstate)" = '[null,"dynamic"]' ]
	[ "$(jq '.resources|length' terraform.tfstate)" = 0 ]
}

# bats test_tags=once
@test "tf import: an object of the type, read, and not managed yet" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	rm terraform.tfstate* calls
	bring() { # ORDERS ID
		TEST_PROVIDER_DO=$1 run $cli import -no-color test_thing.r "$2"
	}
	bring 'import:set:id="none"' 1
	[ "$status" = 1 ]
	[[ $output == *'Cannot import non-existent remote object'* ]]
	[ ! -e terraform.tfstate ] ||
		[ "$(jq '.resources|length' terraform.tfstate)" = 0 ]
	bring '' 1
	[ "$status" = 0 ]
	[[ $output == *'Import successful!'* ]]
	[ "$(attribute r '[.id,.name,.comp]')" = '["1","r","comp of r"]' ]
	[ "$(grep -E '^(import|read) ' calls | tail -n 2 | cut -d " " -f 1 |
		paste -sd ' ')" = 'import read' ]
	bring '' 1
	[ "$status" = 1 ]
	[[ $output == *'Resource already managed by OpenTofu'* ]]
}

# --- around the process ---

@test "a provider that runs already: TF_REATTACH_PROVIDERS" {
	env TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2 \
		PLUGIN_PROTOCOL_VERSIONS=6 \
		"$provider_dir"/terraform-provider-test* >line 3>&- &
	server=$!
	for i in $(seq 100); do
		[ -s line ] && break
		sleep 0.05
	done
	IFS='|' read -r _ version _ path _ <line
	unset TF_CLI_CONFIG_FILE # it is to be had nowhere else
	config <<<'resource "test_thing" "r" { name = "r" }'
	TF_REATTACH_PROVIDERS=$(jq -n --arg path "$path" \
		--argjson version "$version" --argjson pid $server '{
		"registry.opentofu.org/hashicorp/test": {Protocol: "grpc",
			ProtocolVersion: $version, Pid: $pid, Test: true,
			Addr: {Network: "unix", String: $path}}}')
	export TF_REATTACH_PROVIDERS
	works run_all ''
	[ "$(attribute r .name)" = '"r"' ]
	kill -0 $server # it is not for us to end it
	kill $server
	TF_REATTACH_PROVIDERS=nonsense
	run_all "" && return 1
	says 'Invalid format for TF_REATTACH_PROVIDERS'
}

@test "a provider that runs already and is of no use" {
	local how
	unset TF_CLI_CONFIG_FILE
	config <<<'resource "test_thing" "r" { name = "r" }'
	export XDG_CACHE_HOME=$PWD/cache
	for how in closes talks; do
		python3 - $how "$PWD/$how" 3>&- <<-'PY' &
		import socket, sys
		s = socket.socket(socket.AF_UNIX)
		s.bind(sys.argv[2])
		s.listen()
		while True:
		    c, _ = s.accept()
		    if sys.argv[1] == "talks":
		        c.recv(10000)
		        c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20)
		    c.close()
		PY
		server=$!
		for _ in $(seq 1200); do
			[ -S $how ] && break
			sleep 0.05
		done
		TF_REATTACH_PROVIDERS=$(jq -n --arg path "$PWD/$how" --argjson pid $server '{
			"registry.opentofu.org/hashicorp/test": {Protocol: "grpc",
				ProtocolVersion: 6, Pid: $pid, Test: true,
				Addr: {Network: "unix", String: $path}}}')
		export TF_REATTACH_PROVIDERS
		run -1 --separate-stderr tf plan
		[[ $output$stderr = *Error* ]]
		run -1 --separate-stderr tf-providers schema -json
		run -1 --separate-stderr tf validate
		kill $server
	done
}

# bats test_tags=once
@test "logs: TF_LOG_PROVIDER, else TF_LOG, and TF_LOG_PATH" {
	config <<<'resource "test_thing" "r" { name = "r" }'
	local order='r@plan:log={"@level":"info","@message":"heard of it"}'
	TF_LOG_PATH=$PWD/log TF_LOG_PROVIDER=info works plan "$order"
	grep -q '\[INFO\].*heard of it' log
	rm log
	TF_LOG_PATH=$PWD/log TF_LOG_PROVIDER=warn TF_LOG=trace \
		works plan "$order"
	run -1 grep -q 'heard of it' log
	rm -f log
	TF_LOG=info works plan "$order"
	grep -q '\[INFO\].*heard of it' err
	works plan "$order"
	run -1 grep -q 'heard of it' err
}

# The test provider as a package of that version, for init to find.
packaged() { # VERSION
	local platform to
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	to=mirror/registry.opentofu.org/hashicorp/test/$1/$platform
	mkdir -p "$to"
	cp "$provider_dir"/terraform-provider-test "$to/terraform-provider-test_v$1"
	echo "$1" >>"$to/terraform-provider-test_v$1"
	cat >rc <<-EOF
	provider_installation {
	  filesystem_mirror {
	    path = "$PWD/mirror"
	  }
	}
	EOF
}

# bats test_tags=once
@test "schemas are kept by the hash of the provider's package" {
	export TFPIPE_CACHE_DIR=$PWD/cache
	config <<<'resource "test_thing" "r" { name = "r" }'
	packaged 1.0.0
	tf init >/dev/null
	works run_all ''
	# who starts no process asks nobody
	rm calls
	[[ $(tf show) == *test_thing.r* ]]
	[ ! -e calls ]
	# a process is asked once, beside the first call
	works plan ''
	[ "$(grep -c '^schema' calls)" = 1 ]
	[ "$(grep -c '^validate ' calls)" = 2 ]
	# another package is another provider
	packaged 1.0.1
	tf init -upgrade >/dev/null
	rm calls
	tf show >/dev/null
	grep -q '^schema' calls
	rm calls
	tf show >/dev/null
	[ ! -e calls ]
	# what is broken there is done without
	run -0 find cache -type f
	[ ${#lines[@]} -ge 4 ] # two packages, two schemas
	for file in "${lines[@]}"; do echo broken >"$file"; done
	tf show >/dev/null
	grep -q '^schema' calls
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
}

# bats test_tags=once
@test "a provider without identities has the schema that it had" {
	export TFPIPE_CACHE_DIR=$PWD/cache
	config <<<'resource "test_thing" "r" { name = "r" }'
	packaged 1.0.0
	tf init >/dev/null
	works run_all 'identity-schemas:status=12'
	rm calls
	works plan 'identity-schemas:status=12'
	[ "$(grep -c '^validate ' calls)" = 2 ]
}

@test "the schema that counts is the one of the process that runs" {
	export TFPIPE_CACHE_DIR=$PWD/cache
	config <<<'resource "test_thing" "r" { name = "r" }'
	packaged 1.0.0
	tf init >/dev/null
	works run_all ''
	# a type that the schema has from now on
	cat >>main.tf <<<'resource "test_huge_0" "h" { attribute_1 = { k = "x" } }'
	run -1 tf validate
	export TEST_PROVIDER_HUGE=1
	tf validate
	tf-plan -C . >plan
	[ "$(jq -c 'select(.record == "resource_change" and
		.address == "test_huge_0.h").change.actions' plan)" = \
		'["create"]' ]
	tf apply -auto-approve >/dev/null
	[[ $(tf state show test_huge_0.h) == *attribute_1* ]]
	[[ $(tf providers schema -json) == *test_huge_0* ]]
	# and no longer has
	unset TEST_PROVIDER_HUGE
	run -1 tf validate
	[[ $output == *'Invalid resource type'* ]]
	run -1 tf-plan -C .
	[[ $output == *'Invalid resource type'* ]]
	# what the plan was made with is not there any more
	export TEST_PROVIDER_HUGE=1
	tf-plan -C . -replace=test_huge_0.h >plan
	unset TEST_PROVIDER_HUGE
	rm calls
	# no call goes by the old one, however late the answer comes
	TEST_PROVIDER_DO='schema:sleep=200' run -1 --separate-stderr \
		bash -c 'tf-apply <plan >out'
	[[ $stderr == *'Provider schema changed'* ]]
	run -1 grep -q '^apply' calls
	# another schema that changes nothing of what is planned: planned again
	export TEST_PROVIDER_HUGE=1
	works plan ''
	export TEST_PROVIDER_HUGE=2
	rm calls
	works plan 'schema:sleep=1500'
	[ "$(grep -c '^plan-' calls)" -gt 0 ]
	[ "$(grep -c '^validate-provider' calls)" = 2 ]
	works plan ''
	# who cannot be asked any more
	export TEST_PROVIDER_HUGE=1
	fails plan 'schema:crash' -- 'Plugin did not respond'
	fails plan 'schema:nonsense' -- 'Failed to load plugin schemas'
}

# bats test_tags=once
@test "the schema of a provider under development is asked for every time" {
	export TFPIPE_CACHE_DIR=$PWD/cache
	config <<<'resource "test_thing" "r" { name = "r" }'
	works plan ''
	rm calls
	works plan ''
	grep -q '^schema' calls
}

@test "a plan is applied with the providers it was made with" {
	config <<<'resource "test_thing" "r" { name = "r" }'
	packaged 1.0.0
	tf init >/dev/null
	works plan ''
	packaged 1.0.1
	tf init -upgrade >/dev/null
	fails apply '' -- 'Inconsistent dependency lock file' 1.0.0 1.0.1
	run -0 ls objects
	[ -z "$output" ]
}

private() {
	jq -r '.resources[0].instances[0].private | @base64d' terraform.tfstate
}

# bats test_tags=once
@test "private data of reading goes to the plan, those of a plan to the destruction" {
	config <<-EOF
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	EOF
	works run_all 'apply:private=made'
	works run_all 'read:private=seen' -var v=2
	[ "$(private)" = seen ]
	fails destroy 'plan-destroy:private=planned;destroy:error=not now' -- \
		'not now' ''
	[ "$(private)" = planned ]
}

# bats test_tags=once
@test "what the configuration marked stays sensitive when it is read" {
	config <<-EOF
	variable "s" {
	  default   = "hush"
	  sensitive = true
	}
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.s
	}
	EOF
	works run_all ''
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
	# a change made outside is hidden as well
	jq -c '.value = "other"' objects/test_thing.1.json >changed
	mv changed objects/test_thing.1.json
	run -0 $cli plan -no-color -refresh-only
	[[ $output == *'(sensitive value)'* ]]
	[[ $output != *other* && $output != *hush* ]]
}

@test "a terminal has a line of what is read, of how much where that is known" {
	need script
	config <<'EOF'
resource "test_all" "r" {
  count = 3
  name  = "r${count.index}"
}
data "test_all" "d" { name = "d" }
EOF
	tf apply -auto-approve >/dev/null
	export TEST_PROVIDER_DO='r1@read:sleep=2500' TERM=xterm
	script -qec 'tf plan' /dev/null </dev/null >seen
	grep -q '2/3  test_all.r\[1\] refreshing 1s' seen
	script -qec 'tf plan -target=test_all.r[1]' /dev/null </dev/null >seen
	grep -q '0 done  test_all.r\[1\] refreshing 1s' seen
}

@test "what is planned twice is the same bytes but for what tf-stream(5) names" {
	config <<'EOF'
resource "test_all" "r" {
  count = 12
  name  = "r${count.index}"
}
resource "test_all" "s" {
  for_each = toset(["a", "b", "c"])
  name     = "s${each.key}-${test_all.r[0].name}"
}
data "test_all" "d" {
  count = 3
  name  = "d${count.index}"
}
check "c" {
  data "test_all" "x" { name = "x" }
  assert {
    condition     = data.test_all.x.id == test_all.r[0].id
    error_message = "never so"
  }
}
output "o" { value = [for r in test_all.r : r.id] }
EOF
	tf apply -auto-approve >/dev/null
	orders='read:warning=careful;plan:warning=careful'
	# what is slow the first time is not the second
	TEST_PROVIDER_DO="r0@read:sleep=90;sb-r0@read:sleep=70;$orders" \
		tf-plan -C . -detailed-exitcode >one 2>err || [ $? = 2 ]
	sleep 1
	TEST_PROVIDER_DO="r5@read:sleep=90;sa-r0@read:sleep=70;$orders" \
		tf-plan -C . -detailed-exitcode >two 2>other || [ $? = 2 ]
	diff err other
	[ "$(jq -s '[.[] | select(.record == "diagnostic")] | length' one)" -gt 30 ]
	run -1 cmp -s one two
	for plan in one two; do
		grep -v '^{"record":"\(event\|seal\)",' $plan |
			sed '/^{"record":"plan",/s/"timestamp":"[^"]*",//
				s/^{"record":"diagnostic","told":"[^"]*",/{"record":"diagnostic",/' >$plan.rest
		grep -c '"type":"refresh_complete"' $plan
	done
	cmp one.rest two.rest
	# and the same events, but for the seconds that they took
	for plan in one two; do
		jq -c 'select(.record == "event") | del(."@timestamp")' $plan |
			sed 's/ after [0-9]*s/ after/; s/"elapsed_seconds":[0-9]*//' |
			sort >$plan.events
	done
	cmp one.events two.events
}

# bats test_tags=once
@test "what is said of data in a check block is the check's, to be found by each apply" {
	config <<-'EOF'
	check "c" {
	  data "test_thing" "x" { name = "x" }
	  assert {
	    condition     = data.test_thing.x.id == "data-x"
	    error_message = "never so"
	  }
	}
	EOF
	sed -n '/^check/,/^}/p' main.tf | sed 's/"c"/"d"/; s/"x"/"y"/; s/\.x\./.y./' >>main.tf
	for order in read-data:error=no read-data:warning=no; do
		export TEST_PROVIDER_DO=$order
		run -0 tell "$cli" apply -json -auto-approve
		[ "$(grep -c ': no: ' messages)" = 2 ]
		run -0 jq -r 'select(.type == "apply_errored")' out
		[ -z "$output" ]
		# not shown as similar to each other
		run -0 "$cli" plan -no-color
		[ "$(grep -c 'Warning: no' <<<"$output")" = 2 ]
	done
}

@test "reading that ends with an object that will not do has ended with an error" {
	config <<-'EOF'
	data "test_thing" "now" { name = "n" }
	resource "terraform_data" "r" {}
	data "test_thing" "later" { name = terraform_data.r.id }
	EOF
	ends() { # ORDER
		rm -f terraform.tfstate*
		$cli plan -out=p >/dev/null
		for what in 'plan -json' 'apply -json p'; do
			# shellcheck disable=SC2086 # words
			TEST_PROVIDER_DO=$1 "$cli" $what |
				jq -r 'select(.hook.action == "read") |
					.type + " " + .hook.resource.resource_name' ||
				true
		done
	}
	run -0 ends read-data:error=no
	[ "$output" = $'apply_start now\napply_start later' ]
	run -0 ends read-data:null
	[ "$output" = "apply_start now
apply_errored now
apply_start later
apply_errored later" ]
	run -0 ends read-data:unknown:comp
	[ "$(grep -c apply_errored <<<"$output")" = 2 ]
}

# bats test_tags=once
@test "data that could not be read are in the state of a failed apply, without an object" {
	config <<-'EOF'
	variable "do" { default = "read-data:error=no" }
	resource "terraform_data" "r" {}
	data "test_thing" "later" {
	  name = terraform_data.r.id
	  do   = var.do
	}
	resource "terraform_data" "fails" {
	  lifecycle {
	    postcondition {
	      condition     = var.do == "" || self.id == ""
	      error_message = "no"
	    }
	  }
	}
	check "c" {
	  data "test_thing" "nested" { name = terraform_data.r.id }
	  assert {
	    condition     = data.test_thing.nested.id != ""
	    error_message = "no"
	  }
	}
	EOF
	husks() {
		jq -r '.resources[] | select(.instances == []) | .name' \
			terraform.tfstate | sort | tr '\n' ' '
	}
	run -1 "$cli" apply -auto-approve
	[ "$(husks)" = 'later nested ' ]
	run -0 "$cli" apply -auto-approve -var do=
	run -0 husks
	[ -z "$output" ]
}

@test "in a check block all that reading says is one problem" {
	config <<-EOF
	check "c" {
	  data "test_all" "x" { name = "x" }
	  assert {
	    condition     = data.test_all.x.id == "1"
	    error_message = "never so"
	  }
	}
	EOF
	works plan 'read-data:error=no;read-data:warning=careful'
	[ "$(cut -d: -f1-2 messages | tail -n 2)" = $'warning: no\nwarning: careful' ]
	[ "$($cli show -json p | jq -r '.checks[].instances[].problems[].message')" = \
		"2 problems:

- no: Ordered by the test.
- careful: Ordered by the test." ]
}

@test "a provider's socket is closed to others, whatever the umask" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	export TEST_PROVIDER_SOCKET=$PWD/modes TMPDIR=$PWD/tmp
	mkdir tmp
	for mask in 000 002 020; do
		(umask $mask && works plan '')
	done
	run sort -u modes
	[ "$output" = '700 700' ]
	run -0 ls tmp
	[ -z "$output" ]
	: >modes
	(umask 022 && works plan '')
	run sort -u modes
	[ "$output" = '700 1777' ]
}

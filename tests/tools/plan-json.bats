#!/usr/bin/env bats
# The published plan and state (show -json) as other programs read them: the
# configuration in it, versions, relevant attributes, paths of modules.

load provider

jq_itself

setup() {
	provider_setup
}

shown() { # JQ-FILTER
	"$cli" plan -out=p >/dev/null
	"$cli" show -json p | jq -Sc "$1"
}

# bats test_tags=once
@test "the source of a call is as it was written" {
	mkdir -p m/n
	echo 'output "o" { value = path.module }' >m/main.tf
	cp m/main.tf m/n
	printf 'module "%s" {\n  source = "%s"\n}\n' \
		a ./m/ b ././m c ./m/../m d ./m/n//../n e ./m >main.tf
	printf 'output "%s" {\n  value = module.%s.o\n}\n' \
		a a d d >>main.tf
	"$cli" init >/dev/null
	run -0 shown '[.configuration.root_module.module_calls[].source]'
	echo "$output"
	[ "$output" = '["./m/","././m","./m/../m","./m/n//../n","./m"]' ]
	run -0 jq -c '[.Modules[] | select(.Key != "") | .Source, .Dir] | sort' \
		.terraform/modules/modules.json
	[ "$output" = '["./m","./m","./m","./m","./m/n","m","m","m","m","m/n"]' ]
	run -0 shown '[.planned_values.outputs[].value]'
	echo "$output"
	[ "$output" = '["m","m/n"]' ]
}

# Before, a path above the working directory became an absolute one.
# bats test_tags=once
@test "a module behind a link is where the link says, in as few words" {
	mkdir -p root/sub mods/a/b
	cat >mods/a/main.tf <<-'EOF'
	output "path" { value = path.module }
	module "b" { source = "./b" }
	output "b" { value = module.b.path }
	EOF
	echo 'output "path" { value = path.module }' >mods/a/b/main.tf
	ln -s ../mods root/mods
	ln -s a mods/again
	ln -s ../../mods/a root/sub/up
	ln -s "$PWD/mods/a/b" root/whole
	cd root
	for name in mods/a mods/again sub/up whole; do
		cat >>main.tf <<-EOF
		module "${name/\//_}" { source = "./$name" }
		output "${name/\//_}" { value = module.${name/\//_} }
		EOF
	done
	"$cli" init >/dev/null
	run -0 jq -r '.Modules[] | select(.Key != "") | .Key + " " + .Dir' \
		.terraform/modules/modules.json
	[ "$output" = "mods_a ../mods/a
mods_a.b ../mods/a/b
mods_again ../mods/a
mods_again.b ../mods/a/b
sub_up ../mods/a
sub_up.b ../mods/a/b
whole ${PWD%/root}/mods/a/b" ]
	run -0 shown '.planned_values.outputs.sub_up.value'
	echo "$output"
	[ "$output" = '{"b":"../mods/a/b","path":"../mods/a"}' ]
}

# bats test_tags=once
@test "data have no version, whatever their schema says" {
	config <<-'EOF'
	resource "test_versioned" "r" { name = "r" }
	data "test_versioned" "d" { name = "d" }
	output "d" { value = data.test_versioned.d.name }
	EOF
	run -0 shown '[.. | objects | select(.schema_version)
		| .address + " " + (.schema_version | tostring)] | unique'
	echo "$output"
	[ "$output" = '["data.test_versioned.d 0","test_versioned.r 2"]' ]
	"$cli" apply -auto-approve >/dev/null
	run -0 jq -c '[.resources[] | [.mode, .instances[].schema_version]]' \
		terraform.tfstate
	[ "$output" = '[["data",0],["managed",2]]' ]
	run -0 bash -o pipefail -c "'$cli' show -json |
		jq -c '[.values.root_module.resources[].schema_version]'"
	[ "$output" = '[0,2]' ]
	# What a provider publishes is what it says.
	run -0 bash -o pipefail -c "'$cli' providers schema -json |
		jq '.provider_schemas[].data_source_schemas.test_versioned.version'"
	[ "$output" = 2 ]
}

@test "a list that is given as blocks is one expression" {
	config <<-'EOF'
	variable "v" { default = "v" }
	resource "test_ruled" "blocks" {
	  rules {
	    name  = var.v
	    value = "x"
	  }
	  rules {
	    value = terraform_data.t.output
	    parts { name = var.v }
	  }
	}
	resource "test_ruled" "constant" {
	  rules { name = "a" }
	}
	resource "test_ruled" "list" {
	  rules = [{ name = "a", value = null, parts = null }]
	}
	resource "test_ruled" "none" {
	  dynamic "rules" {
	    for_each = var.v
	    content { name = rules.value }
	  }
	}
	resource "terraform_data" "t" {}
	EOF
	sed -i 's/for_each = var.v/for_each = [var.v]/' main.tf
	run -0 shown '.configuration.root_module.resources
		| map(select(.type == "test_ruled") | {(.name): .expressions})
		| add | del(.none)'
	echo "$output"
	[ "$output" = "$(jq -nc '{
		blocks: {rules: {references: ["var.v",
			"terraform_data.t.output", "terraform_data.t"]}},
		constant: {rules: {constant_value: [
			{name: "a", parts: null, value: null}]}},
		list: {rules: {constant_value: [
			{name: "a", parts: null, value: null}]}}}')" ]
	run -0 shown '.configuration.root_module.resources[]
		| select(.name == "none") | .expressions'
	echo "$output"
	[ "$output" = null ]
}

@test "blocks of a provider are in its configuration" {
	config <<-'EOF'
	variable "u" { default = "u" }
	provider "test" {
	  name = "n"
	  auth {
	    user = var.u
	  }
	}
	resource "test_thing" "t" {}
	EOF
	run -0 shown .configuration.provider_config.test.expressions
	echo "$output"
	[ "$output" = "$(jq -nc '{auth: [{user: {references: ["var.u"]}}],
		name: {constant_value: "n"}}')" ]
}

# OpenTofu goes into blocks of which there is one, and no further.
@test "relevant attributes: what a reference into a block leads to" {
	config <<-'EOF'
	resource "terraform_data" "in" { input = "in" }
	resource "terraform_data" "other" { input = "o" }
	resource "test_all" "from" {
	  name = terraform_data.other.output
	  single { name = terraform_data.in.output }
	  dynamic "block" {
	    for_each = [terraform_data.in.id]
	    iterator = each_block
	    content { name = each_block.value }
	  }
	}
	resource "terraform_data" "to" {
	  input = REFERENCE
	}
	EOF
	cp main.tf with
	sed -i s/REFERENCE/1/ main.tf
	"$cli" apply -auto-approve >/dev/null
	while read -r reference attributes; do
		sed "s/REFERENCE/$reference/" with >main.tf
		run -0 shown '[.relevant_attributes[] |
			[.resource, .attribute[]] | join(".")] | unique'
		[ "$output" = "$attributes" ] || { echo "$reference"; false; }
	echo "$output"
	done <<-'EOF'
	test_all.from.name ["terraform_data.other.output","test_all.from.name"]
	test_all.from.single.name ["terraform_data.in.output","test_all.from.single.name"]
	test_all.from.block ["terraform_data.in.id","terraform_data.in.output","terraform_data.other.output","test_all.from.block"]
	test_all.from.block[0].name ["test_all.from.block.0.name"]
	test_all.from.block[*].name ["terraform_data.in.id","terraform_data.in.output","terraform_data.other.output","test_all.from.block"]
	EOF
}

@test "relevant attributes: once, however the reference is written" {
	cat >main.tf <<-'EOF'
	resource "terraform_data" "a" { input = 1 }
	resource "terraform_data" "b" { input = terraform_data.a.id }
	output "o" { value = resource.terraform_data.a.id }
	EOF
	run -0 shown '[.relevant_attributes[] |
		[.resource, .attribute[]] | join(".")]'
	[ "$output" = '["terraform_data.a.id"]' ]
}

@test "relevant attributes: what is referred to twice, again and again, is followed once" {
	{
		echo 'resource "terraform_data" "a" { input = 1 }'
		echo 'locals {'
		echo '  l0 = terraform_data.a.id'
		for i in $(seq 60); do
			echo "  l$i = \"\${local.l$((i - 1))}\${local.l$((i - 1))}\" == \"\" ? local.l$((i - 1)) : \"\""
		done
		echo '}'
		echo 'output "o" { value = local.l60 }'
	} >main.tf
	run -0 shown '[.relevant_attributes[] |
		[.resource, .attribute[]] | join(".")]'
	[ "$output" = '["terraform_data.a.id"]' ]
}

@test "relevant attributes: modules as references name them" {
	mkdir m
	cat >m/main.tf <<-'EOF'
	variable "in" {}
	resource "terraform_data" "a" { input = var.in }
	output "id" { value = terraform_data.a.id }
	EOF
	cat >main.tf <<-'EOF'
	resource "terraform_data" "up" { input = "x" }
	module "each" {
	  source   = "./m"
	  for_each = toset(["a", "b"])
	  in       = terraform_data.up.output
	}
	module "none" {
	  source   = "./m"
	  for_each = toset([])
	  in       = "y"
	}
	output "all" { value = [for m in module.each : m.id] }
	output "one" { value = module.each["b"].id }
	output "none" { value = values(module.none)[*].id }
	EOF
	"$cli" init >/dev/null
	run -0 shown '[.relevant_attributes[] |
		[.resource, .attribute[]] | join(".")] | unique[]'
	echo "$output"
	[ "$output" = '"module.each.terraform_data.a.id"
"module.each[\"a\"].terraform_data.a.id"
"module.each[\"b\"].terraform_data.a.id"
"module.none.terraform_data.a.id"
"terraform_data.up.output"' ]
}

# An apply that fails leaves them.
# bats test_tags=once
@test "the prior state has the modules of resources without instances" {
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	run -0 "$cli" apply -auto-approve
	jq '.resources += [{
		module: "module.m", mode: "data", type: "terraform_remote_state",
		name: "x", instances: [],
		provider: "provider[\"terraform.io/builtin/terraform\"]"
	}]' terraform.tfstate >new
	mv new terraform.tfstate
	run -0 "$cli" plan -out=p
	[ "$("$cli" show -json p | jq -c \
		'.prior_state.values.root_module.child_modules')" = \
		'[{"address":"module.m"}]' ]
	run -0 "$cli" apply -auto-approve p
	[ "$(jq '.resources | length' terraform.tfstate)" = 1 ]
}

@test "no plan has a -0" {
	cat >main.tf <<-'EOF'
	locals { z = -1 * 0 }
	resource "terraform_data" "a" {
	  input = [local.z, jsonencode(local.z), { b = local.z }]
	}
	output "z" { value = local.z }
	EOF
	run -0 shown '.planned_values.outputs.z.value, .output_changes.z.after,
		.resource_changes[0].change.after.input | tojson'
	echo "$output"
	[ "$output" = "$(printf '%s\n' '"0"' '"0"' \
		'"[0,\"-0\",{\"b\":0}]"')" ]
	run -0 --separate-stderr "$cli" plan -no-color
	run -1 grep -F -- '= -0' <<<"$output"
}

@test "of a variable nothing is known where its rule cannot be evaluated" {
	for v in a b c; do
		cat <<-END
		variable "$v" {
		  type = any
		  validation {
		    condition     = COND
		    error_message = "no"
		  }
		}
		END
	done | sed '/"a"/,/COND/s/COND/var.a.x == 1/
		/"b"/,/COND/s/COND/var.b == 1 ? null : true/
		/"c"/,/COND/s/COND/var.c == 2/' >main.tf
	run -1 ${TF_TEST_CLI:-tf} plan -out=p -var a=1 -var b=1 -var c=1
	[ "$(${TF_TEST_CLI:-tf} show -json p | jq -c '[.checks |
		sort_by(.address.name)[] | .address.name, .status]')" = \
		'["a","unknown","b","error","c","fail"]' ]
}

@test "a set of objects with secrets is sensitive in part until it has been made" {
	marks() { # JQ-FILTER
		jq -Sc "[$1 | .nested_set, .blockset, .nested_list]" plan.json
	}
	config <<-'EOF2'
	resource "test_hidden" "r" {
	  name        = "n"
	  nested_set  = [{ name = "a", secret = "s" }]
	  nested_list = [{ name = "a", secret = "s" }]
	  blockset {
	    secret = "s"
	  }
	}
	data "test_hidden" "d" {
	  name       = test_hidden.r.comp
	  nested_set = [{ name = "a", secret = "s" }]
	}
	EOF2
	whole='[true,true,[{"secret":true}]]'
	apart='[[{"secret":true}],[{"secret":true}],[{"secret":true}]]'
	planned() { # OPTION...
		"$cli" plan -out=p "$@" >/dev/null
		"$cli" show -json p >plan.json
	}
	r='.resource_changes[] | select(.address == "test_hidden.r") | .change'
	d='.resource_changes[] | select(.address == "data.test_hidden.d") | .change'
	planned
	[ "$(marks "$r | .after_sensitive")" = "$whole" ]
	[ "$(marks "$d | .after_sensitive")" = '[[{"secret":true}],[],null]' ]
	"$cli" apply p >/dev/null
	"$cli" show -json >plan.json
	[ "$(marks '.values.root_module.resources[] |
		select(.mode == "data") | .sensitive_values')" = \
		'[[{"secret":true}],[],null]' ]
	planned -replace=test_hidden.r
	[ "$(marks "$r | .before_sensitive")" = "$whole" ]
	[ "$(marks "$r | .after_sensitive")" = "$apart" ]
	[ "$(marks '.prior_state.values.root_module.resources[] |
		select(.mode == "managed") | .sensitive_values')" = "$whole" ]
	# so people see what is no secret
	run -0 "$cli" show -no-color p
	[[ $output == *'+ name   = "a"'*'secret = (sensitive value)'* ]]
}

# bats test_tags=once
@test "a planned output is sensitive if it is or was" {
	cat >main.tf <<-'EOF'
	output "from" {
	  value     = 1
	  sensitive = true
	}
	output "to" { value = 1 }
	output "null" {
	  value     = null
	  sensitive = true
	}
	EOF
	"$cli" apply -auto-approve >/dev/null
	cat >main.tf <<-'EOF'
	output "from" { value = 1 }
	output "to" {
	  value     = 1
	  sensitive = true
	}
	output "null" {
	  value     = null
	  sensitive = true
	}
	EOF
	run -0 shown '.planned_values.outputs | map_values(.sensitive)'
	[ "$output" = '{"from":true,"null":true,"to":true}' ]
}

@test "before destroying outputs are as the configuration would have them" {
	old() {
		cat <<-'EOF'
		output "from" {
		  value     = 1
		  sensitive = true
		}
		output "null" { value = 1 }
		output "old" { value = 1 }
		resource "terraform_data" "a" {}
		EOF
	}
	old >main.tf
	"$cli" apply -auto-approve >/dev/null
	cat >main.tf <<-'EOF'
	output "from" { value = 2 }
	output "null" { value = terraform_data.a.id == "" ? 1 : null }
	output "new" { value = 1 }
	resource "terraform_data" "a" {}
	EOF
	"$cli" plan -destroy -out=p >/dev/null
	run -0 jq -Sc '.output_changes | map_values([.before, .before_sensitive])' \
		<("$cli" show -json p)
	echo "$output"
	[ "$output" = '{"from":[2,false],"new":[1,false],"old":[1,false]}' ]
	run -0 jq -Sc '.prior_state.values.outputs | map_values(.sensitive)' \
		<("$cli" show -json p)
	[ "$output" = '{"from":false,"new":false,"old":false}' ]
	# also where -target lets the others stay
	"$cli" destroy -auto-approve -target=terraform_data.a >/dev/null
	run -0 jq -c '.outputs | keys' terraform.tfstate
	[ "$output" = '["from","old"]' ]
}

@test "an object that the state has as null is none" {
	echo 'resource "terraform_data" "r" {}' >main.tf
	"$cli" apply -auto-approve >/dev/null
	jq '.resources[0].instances[0].attributes = null' terraform.tfstate >s
	cp s terraform.tfstate
	run -0 jq -Sc '.values.root_module.resources[0] |
		[has("values"), .sensitive_values]' <("$cli" show -json)
	[ "$output" = '[false,false]' ]
	run -0 shown '[.resource_changes[0].change.actions, .prior_state]'
	[ "$output" = '[["create"],null]' ]
	"$cli" apply p >/dev/null
	run -0 jq '.resources[0].instances[0].attributes.id' terraform.tfstate
	[[ $output == '"'*'"' ]]
	# nothing is destroyed, and nothing noted, where there is nothing
	cp s terraform.tfstate
	run -0 "$cli" plan -refresh-only -detailed-exitcode -out=none
	[[ $output != *'Saved the plan'* ]]
	run -0 "$cli" destroy -auto-approve -json
	[[ $output != *apply_start* && $output == *'"refresh_complete"'* ]]
}

# bats test_tags=once
@test "the prior state is of the version that planned, whoever stored it" {
	echo 'resource "terraform_data" "r" {}' >main.tf
	"$cli" apply -auto-approve >/dev/null
	sed -i 's/"terraform_version": *"[^"]*"/"terraform_version": "0.13.1"/' \
		terraform.tfstate
	run -0 jq -r .terraform_version <("$cli" show -json)
	[ "$output" = 0.13.1 ]
	run -0 shown '.prior_state.terraform_version == .terraform_version'
	[ "$output" = true ]
}

# bats test_tags=once
@test "data in a check are read when applying as well, which the plan has, unless it only refreshes" {
	config <<-'EOF'
	check "c" {
	  data "test_thing" "d" {
	    name = "n"
	  }
	  assert {
	    condition     = data.test_thing.d.id != ""
	    error_message = "no"
	  }
	}
	EOF
	filter='[.resource_changes[]? | [.address, .change.actions[0], .action_reason]]'
	run -0 shown "$filter"
	echo "$output"
	[ "$output" = '[["data.test_thing.d","read","read_because_check_nested"]]' ]
	"$cli" plan -refresh-only -out=p >/dev/null
	run -0 bash -o pipefail -c "$cli show -json p | jq -c '$filter'"
	[ "$output" = '[]' ]
}

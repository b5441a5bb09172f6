#!/usr/bin/env bats
# planning.bats - what a plan and its apply make of what a module waits for, of
# failures, and of deposed objects; TF_TEST_CLI names another command to compare

load provider

jq_itself

setup() {
	need jq
	provider_setup
	unset TEST_PROVIDER_DIR
	mkdir m
}

quietly() { # COMMAND [OPTION...]
	$cli "$@" -no-color >said 2>&1
}

applied() { # OPTION...
	quietly get && quietly apply -auto-approve "$@"
}

# What the state records of a resource's dependencies.
recorded() { # NAME
	jq -c --arg n "$1" '.resources[] | select(.name == $n) |
		.instances[0].dependencies' terraform.tfstate
}

changes() { # OPTION...
	quietly plan -out=p "$@"
	$cli show -json p | jq -r '.resource_changes[]? |
		select(.change.actions != ["no-op"]) |
		.address + " " + (.change.actions | join("-"))'
}

# main.tf calls module c, from which resource r has gone since.
gone_from_module() { # MODULE-ARGUMENT
	echo 'resource "terraform_data" "r" {}' >m/main.tf
	cat >main.tf <<-TF
	module "c" {
	  source = "./m"
	  $1
	}
	resource "terraform_data" "w" {
	  depends_on = [module.c]
	}
	TF
	applied
	[ "$(recorded w)" = '["module.c.terraform_data.r"]' ]
	echo >m/main.tf
}

# bats test_tags=once
@test "what waits for a module depends on what goes from it, until the next change" {
	gone_from_module 'for_each = toset(["a", "b"])'
	applied
	[ "$(recorded w)" = '["module.c.terraform_data.r"]' ]
	applied
	[ "$(recorded w)" = null ]
	gone_from_module
	sed 's/\[module.c\]/&\n  input = 1/' main.tf >changed
	mv changed main.tf
	applied
	[ "$(recorded w)" = null ]
}

# bats test_tags=once
@test "a data source that waits for a module is read after what goes from it" {
	gone_from_module
	cat >>main.tf <<-'TF'
	data "test_thing" "d" {
	  depends_on = [module.c]
	}
	TF
	run -0 changes
	[ "$output" = 'data.test_thing.d read
module.c.terraform_data.r delete' ]
	# in the same module, after what goes from the same instance of it
	mkdir m/n
	echo 'resource "terraform_data" "r" {}' >m/n/main.tf
	echo 'module "n" { source = "./n" }' >m/main.tf
	sed -i '/^data/,$d' main.tf
	applied
	echo >m/n/main.tf
	cat >>m/main.tf <<-'TF'
	data "test_thing" "d" {
	  depends_on = [module.n]
	}
	TF
	run -0 changes
	[ "$output" = 'module.c.data.test_thing.d read
module.c.module.n.terraform_data.r delete' ]
}

@test "what is deposed delays no data source" {
	cat >m/main.tf <<-'TF'
	resource "test_thing" "r" {
	  force = "a"
	  lifecycle {
	    create_before_destroy = true
	  }
	}
	TF
	cat >main.tf <<-'TF'
	module "c" {
	  source = "./m"
	}
	data "test_thing" "d" {
	  depends_on = [module.c]
	}
	TF
	applied
	sed -i 's/"a"/"b"/' m/main.tf
	TEST_PROVIDER_DO=destroy:error=stuck run -1 applied
	run -0 changes
	[ "$output" = 'module.c.test_thing.r delete' ]
}

@test "what is secret of an object that may not be enabled, planning finds" {
	cat >main.tf <<-'TF'
	variable "on" { default = true }
	resource "test_all" "r" {
	  lifecycle {
	    enabled = var.on
	  }
	}
	output "o" { value = one(test_all.r[*].secret) }
	TF
	run -0 quietly validate
	run -1 quietly plan
	grep 'Error: Output refers to sensitive values' said
}

# bats test_tags=once
@test "an error of destroying names what was to be destroyed" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
	echo 'resource "test_thing" "r" {}' >main.tf
	applied
	TEST_PROVIDER_DO=destroy:error=stuck run -1 quietly destroy -auto-approve
	grep -A 3 'Error: stuck' said
	grep 'with test_thing.r,' said
	grep 'on main.tf line 1' said
}

# bats test_tags=once
@test "a check of a module whose instances depend on what failed has none" {
	cat >m/main.tf <<-'TF'
	check "k" {
	  assert {
	    condition     = path.module != ""
	    error_message = "No time."
	  }
	}
	TF
	cat >main.tf <<-'TF'
	variable "v" {
	  default = "x"
	  validation {
	    condition     = var.v == "y"
	    error_message = "Not y."
	  }
	}
	module "c" {
	  source   = "./m"
	  for_each = { a = var.v }
	}
	TF
	quietly get
	run -1 quietly plan -out=p
	$cli show -json p | jq -e '.checks[0] | .status == "unknown" and
		.address.to_display == "module.c.check.k" and
		.instances == null'
	sed -i 's/= var.v }/= 1 }/' main.tf
	run -1 quietly plan -out=p
	$cli show -json p | jq -e '.checks[0].instances | length == 1'
}

@test "import: what is repeated no time has no instance to refer to" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "none" {
	  count = 0
	}
	resource "terraform_data" "some" {
	  count = 2
	}
	resource "terraform_data" "r" {
	}
	locals {
	  l = terraform_data.none[0].id
	}
	TF
	run -1 quietly import terraform_data.r x
	grep 'Error: Invalid index' said
	# those to come are not known yet
	sed -i 's/none\[0\]/some[0]/' main.tf
	quietly import terraform_data.r x
}

@test "what a target leaves out before an instance has the type of that" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "r" {
	  count = 2
	}
	output "o" { value = terraform_data.r[0].id }
	TF
	quietly apply -auto-approve '-target=terraform_data.r[1]'
	jq -e '.outputs.o == { value: null, type: "string" }' terraform.tfstate
}

# bats test_tags=once
@test "attributes of the state that the schema does not have are left out" {
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	tf apply -auto-approve >/dev/null
	jq '.resources[0].instances[0].attributes.novel = { a: ["x"] }' \
		terraform.tfstate >novel
	cp novel terraform.tfstate
	run -0 tf plan -detailed-exitcode
	run -0 tf apply -auto-approve
	jq -e '.resources[0].instances[0].attributes | has("novel") | not' \
		terraform.tfstate
	# what is in a value of its own type is no attribute of the schema
	jq '.resources[0].instances[0].attributes |= (.novel = 1 |
		.output = { type: ["object", { a: "string" }],
			value: { a: "x", novel: 1 } })' terraform.tfstate >bad
	cp bad terraform.tfstate
	run -1 tf plan
	cp novel terraform.tfstate
	run -0 tf destroy -auto-approve
	[[ $output == *'1 destroyed.'* ]]
}

@test "refreshing alone leaves what the configuration no longer has to be seen" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "c" { count = 2 }
	resource "terraform_data" "f" { for_each = toset(["a", "b"]) }
	resource "terraform_data" "e" {
	  lifecycle { enabled = true }
	}
	output "seen" {
	  value = [length(terraform_data.c), keys(terraform_data.f),
	    terraform_data.e != null, timestamp() != ""]
	}
	TF
	quietly apply -auto-approve
	sed -i 's/= 2/= 1/; s/"a", //; s/true/false/' main.tf
	quietly plan -refresh-only -out=p
	quietly apply p
	[ "$($cli output -json seen)" = '[2,["a","b"],true,true]' ]
	quietly apply -auto-approve
	[ "$($cli output -json seen)" = '[1,["b"],false,true]' ]
}

# The results of checks that have one.
settled() {
	jq -c '[.check_results[] | select(.status == "pass").config_addr] |
		sort' terraform.tfstate
}

# bats test_tags=once
@test "destroying looks at the variables of providers and of what is forgotten" {
	validated() { # NAME
		echo "variable \"$1\" {
		  default = \"x\"
		  validation {
		    condition     = var.$1 != \"y\"
		    error_message = \"no\"
		  }
		}"
	}
	validated m >m/main.tf
	echo 'output "o" { value = var.m }' >>m/main.tf
	{
		for name in away direct far kept served; do
			validated $name
		done
		cat <<-'TF'
		module "m" {
		  source = "./m"
		  m      = var.far
		}
		provider "test" { name = var.served }
		resource "test_thing" "a" { value = var.away }
		resource "terraform_data" "b" { input = var.kept }
		resource "terraform_data" "c" {
		  input = [module.m.o, terraform_data.b.id]
		  count = var.direct == "x" ? 1 : 0
		  lifecycle { destroy = false }
		}
		TF
	} >main.tf
	applied
	run -1 quietly destroy -auto-approve # something was left
	[ "$(settled)" = '["module.m.var.m","var.direct","var.far","var.kept",'`
		`'"var.served"]' ]
}

# bats test_tags=once
@test "variables are looked at for what check blocks name, though these are left out" {
	cat >main.tf <<-'TF'
	variable "n" { default = 1 }
	variable "v" {
	  default = "x"
	  validation {
	    condition     = var.v != "y"
	    error_message = "no"
	  }
	}
	resource "terraform_data" "named" { input = var.v }
	resource "terraform_data" "less" {
	  count = var.n
	  input = terraform_data.named.id
	}
	resource "terraform_data" "last" { depends_on = [terraform_data.less] }
	check "c" {
	  assert {
	    condition     = terraform_data.named.input != "y"
	    error_message = "no"
	  }
	}
	TF
	quietly apply -auto-approve
	for option in exclude=last target=named target=less; do
		quietly apply -auto-approve -var n=0 \
			"-${option/=/=terraform_data.}"
		echo "$option $(settled)"
		quietly apply -auto-approve
	done >results
	[ "$(<results)" = 'exclude=last ["var.v"]
target=named ["var.v"]
target=less []' ]
}

# bats test_tags=once
@test "instances of a module are known by its outputs" {
	echo 'resource "terraform_data" "r" {}' >m/main.tf
	cat >main.tf <<-'END'
	module "each" {
	  source   = "./m"
	  for_each = toset(["a"])
	}
	module "count" {
	  source = "./m"
	  count  = 2
	}
	module "one" { source = "./m" }
	output "o" {
	  value = [module.each, length(module.count), module.one]
	}
	END
	"${TF_TEST_CLI:-tf}" init
	"${TF_TEST_CLI:-tf}" apply -auto-approve
	jq -e '.outputs.o.value == [{}, 0, {}]' terraform.tfstate
	echo 'output "x" { value = 1 }' >>m/main.tf
	"${TF_TEST_CLI:-tf}" apply -auto-approve
	jq -e '.outputs.o.value == [{"a": {"x": 1}}, 2, {"x": 1}]' \
		terraform.tfstate
}

# bats test_tags=once
@test "a deposed object of a data source, as no program writes it, is forgotten" {
	cat >main.tf <<-'TF'
	data "test_thing" "d" {}
	TF
	applied
	jq '.resources[0].instances += [.resources[0].instances[0] |
		.deposed = "0123abcd"]' terraform.tfstate >edited
	for command in plan 'plan -destroy' 'plan -refresh=false'; do
		cp edited terraform.tfstate
		run -0 "$cli" $command -no-color
		[[ $output = *'No changes.'* || $output = *'No objects need'* ]]
	done
	run -0 "$cli" apply -no-color -auto-approve
	run -0 jq -c '[.resources[].instances[].deposed]' terraform.tfstate
	[ "$output" = '[null]' ]
}

@test "an output of a called module keeps the value that was planned, but not that of a saved plan" {
	mkdir -p m/n
	cat >main.tf <<-'TF'
	module "m" { source = "./m" }
	output "seen" {
	  value = [module.m.there, module.m.tried, module.m.null, module.m.id != ""]
	}
	TF
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "a" {
	  provisioner "local-exec" { command = "touch made" }
	}
	output "there" {
	  value      = fileexists("made")
	  depends_on = [terraform_data.a]
	}
	output "tried" { value = try(terraform_data.a.output.x, "none") }
	output "id" { value = terraform_data.a.id }
	output "null" { value = module.n.is_null }
	module "n" {
	  source = "./n"
	  v      = terraform_data.a.output
	}
	TF
	cat >m/n/main.tf <<-'TF'
	variable "v" {
	  type     = any
	  default  = "given"
	  nullable = false
	}
	output "is_null" { value = var.v == null }
	TF
	"$cli" init >/dev/null
	"$cli" apply -auto-approve >/dev/null
	[ "$("$cli" output -json seen | jq -c .)" = '[false,"none",false,true]' ]
	rm made terraform.tfstate
	"$cli" plan -out=p >/dev/null
	"$cli" apply p >/dev/null
	[ "$("$cli" output -json seen | jq -c .)" = '[true,"none",false,true]' ]
	[ "$cli" = tf ] || return 0
	# what is secret of them is in no terminal's stream, nor is it lost
	cat >m/main.tf <<-'TF'
	variable "v" {
	  sensitive = true
	  default   = "hunter2"
	}
	resource "terraform_data" "b" {}
	output "id" { value = terraform_data.b.id }
	output "o" {
	  value     = try(terraform_data.b.output.x, var.v)
	  sensitive = true
	}
	TF
	cat >main.tf <<-'TF'
	module "m" { source = "./m" }
	output "o" {
	  value     = [module.m.o, module.m.id != ""]
	  sensitive = true
	}
	TF
	rm terraform.tfstate
	tf-parse | tf-eval | tf-graph | tf-plan -seal=false >stream
	[ "$(jq -r 'select(.record == "module_output").value.value' stream)" = hunter2 ]
	tf-apply <stream >/dev/null
	[ "$(tf output -json o | jq -c .)" = '["hunter2",true]' ]
	# somebody's file says nothing of it
	rm terraform.tfstate
	jq -c 'if .record == "module_output" then .value.value = "forged" else . end' \
		stream >p
	tf apply p >/dev/null
	[ "$(tf output -json o | jq -c .)" = '["hunter2",true]' ]
}

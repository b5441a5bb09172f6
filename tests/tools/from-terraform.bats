#!/usr/bin/env bats
# from-terraform.bats - directories that Terraform was used in before; with
# TF_TEST_CLI=tofu the same on OpenTofu.

load provider

jq_itself

setup() {
	local platform from
	provider_setup
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	# one mirror has both registries, the other OpenTofu's alone
	for from in both own; do
		for v in 1.0.0 1.2.0; do
			d=$from/registry.opentofu.org/hashicorp/test/$v/$platform
			mkdir -p "$d"
			ln -s "$provider_dir/terraform-provider-test" \
				"$d/terraform-provider-test_v$v"
		done
		printf 'provider_installation {
			filesystem_mirror {
				path = "%s"
			}
		}\n' "$PWD/$from" >"$from.rc"
	done
	cp -r both/registry.opentofu.org both/registry.terraform.io
	export TF_CLI_CONFIG_FILE=$PWD/own.rc
	mkdir work
	cd work
}

# A resource, an orphan of its own and one of a module that is called no more, as
# Terraform has left them.
used_before() {
	mkdir old
	echo 'resource "test_thing" "in" {
		name = "in"
	}' >old/main.tf
	cat >main.tf <<-'EOF2'
	resource "test_thing" "kept" {
	  name = "kept"
	}
	resource "test_thing" "orphan" {
	  name = "orphan"
	}
	module "old" {
	  source = "./old"
	}
	EOF2
	run -0 "$cli" init
	run -0 "$cli" apply -auto-approve
	rm -rf .terraform .terraform.lock.hcl old
	sed -i -e 's/registry.opentofu.org/registry.terraform.io/' \
		-e 's/"terraform_version": "[^"]*"/"terraform_version": "1.15.2"/' \
		terraform.tfstate
	cat >main.tf <<-'EOF2'
	resource "test_thing" "kept" {
	  name = "kept"
	}
	EOF2
}

registry_of_state() {
	jq -r '.resources[].provider' "${1-terraform.tfstate}" | sort -u |
		sed 's/^provider\["\([^/]*\).*/\1/' | paste -sd' '
}

# bats test_tags=once
@test "a state of Terraform's is of the default registry's providers" {
	used_before
	run -0 "$cli" init -no-color
	[[ $output != *registry.terraform.io* ]]
	run -0 "$cli" plan -no-color -out=planned
	[[ $output = *'Plan: 0 to add, 0 to change, 2 to destroy.'* ]]
	run -0 "$cli" state show -no-color test_thing.orphan
	[[ $output = *'name = "orphan"'* ]]
	# nothing was written yet, and what edits a state leaves it as it is
	[ "$(registry_of_state)" = registry.terraform.io ]
	cp terraform.tfstate before
	run -0 "$cli" taint test_thing.kept
	[ "$(registry_of_state)" = registry.terraform.io ]
	run -0 "$cli" state pull
	[ "$(registry_of_state /dev/stdin <<<"$output")" = registry.terraform.io ]
	cp before terraform.tfstate
	# the plan knows: that it is turned off now makes no difference
	OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION=0 \
		run -0 "$cli" apply planned
	[ "$(registry_of_state)" = registry.opentofu.org ]
	[ "$(registry_of_state terraform.tfstate.backup)" = registry.terraform.io ]
	run -0 "$cli" state list
	[ "$output" = test_thing.kept ]
}

# bats test_tags=once
@test "what an apply did not touch is stored under the new address, too" {
	used_before
	echo 'resource "test_thing" "new" {
		name = "new"
	}' >>main.tf
	run -0 "$cli" init
	run -0 "$cli" apply -auto-approve -target=test_thing.new
	[ "$(registry_of_state)" = registry.opentofu.org ]
	run -0 "$cli" state list
	[ "$output" = 'test_thing.kept
test_thing.new
test_thing.orphan
module.old.test_thing.in' ]
}

# bats test_tags=once
@test "refreshing stores the new addresses" {
	used_before
	run -0 "$cli" init
	run -0 "$cli" refresh
	[ "$(registry_of_state)" = registry.opentofu.org ]
}

# bats test_tags=once
@test "a state that is shown, or asked for providers, is taken in the same way" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'OpenTofu has no translation there'
	used_before
	run -0 "$cli" init
	run -0 "$cli" show -no-color
	[[ $output = *'# module.old.test_thing.in:'* ]]
	run -0 "$cli" show -json terraform.tfstate
	[ "$(jq -r '[.. | .provider_name? // empty] | unique[]' <<<"$output")" = \
		registry.opentofu.org/hashicorp/test ]
	"$cli" state pull >pulled
	run -0 tf-show -json pulled
	[[ $output = *registry.opentofu.org/hashicorp/test* ]]
	run -0 "$cli" providers
	[[ $output != *registry.terraform.io* ]]
}

@test "a host that the configuration names is meant, in any module" {
	used_before
	export TF_CLI_CONFIG_FILE=$PWD/../both.rc
	mkdir m
	cat >m/main.tf <<-'EOF2'
	terraform {
	  required_providers {
	    test = {
	      source = "registry.terraform.io/hashicorp/test"
	    }
	  }
	}
	EOF2
	echo 'module "m" {
		source = "./m"
	}' >>main.tf
	run -0 "$cli" init -no-color
	[[ $output = *'Warning: Potential provider misconfiguration'*hashicorp/test* ]]
	run -0 "$cli" providers
	[[ ${output##*state:} = *registry.terraform.io/hashicorp/test* ]]
	run -0 "$cli" state show -no-color test_thing.orphan
	run -0 "$cli" apply -auto-approve
	[ "$(registry_of_state)" = registry.opentofu.org ] # of what is left
	run -0 "$cli" state list
	[ "$output" = test_thing.kept ]
}

# bats test_tags=once
@test "the translation is turned off by a variable" {
	used_before
	export OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION=0
	run -1 "$cli" init -no-color
	[[ $output = *'Error: Failed to query available provider packages'*registry.terraform.io/hashicorp/test* ]]
	[[ $output = *'Warning: Potential provider misconfiguration'*hashicorp/test* ]]
	export TF_CLI_CONFIG_FILE=$PWD/../both.rc
	run -0 "$cli" init
	run -0 "$cli" apply -auto-approve -target=test_thing.orphan
	[ "$(registry_of_state)" = registry.terraform.io ]
	# other values leave it on
	export OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION=false
	run -0 "$cli" apply -auto-approve
	[ "$(registry_of_state)" = registry.opentofu.org ]
}

@test "a provider without a namespace, of before Terraform 0.13, is named by hand" {
	used_before
	sed -i 's/provider\[\\"registry.terraform.io.*\\"\]/provider.test/' \
		terraform.tfstate
	run -1 "$cli" init -no-color
	[[ $output = *'Error: Invalid legacy provider address'*'"test"'* ]]
	[[ $output != *'Initializing provider plugins'* ]]
	run -0 "$cli" state replace-provider -auto-approve -- \
		-/test hashicorp/test
	run -0 "$cli" init
	run -0 "$cli" plan -no-color
	[[ $output = *'0 to add, 0 to change, 2 to destroy.'* ]]
}

# What the configuration in main.tf is refused with, a line a diagnostic.
refusals() {
	run -1 "$cli" validate -json
	jq -r '.diagnostics[] | "\(.range.start.line) \(.summary): \(.detail)"' \
		<<<"$output"
}

# bats test_tags=once
@test "what only Terraform's language has is named so" {
	cat >main.tf <<-'EOF2'
	action "test_act" "a" {
	}
	list "test_thing" "l" {
	}
	nonsense {
	}
	terraform {
	  state_store "s" {
	  }
	}
	output "o" {
	  type  = string
	  value = ""
	}
	resource "terraform_data" "r" {
	  lifecycle {
	    action_trigger {
	    }
	  }
	}
	EOF2
	its=
	[ -n "${TF_TEST_CLI-}" ] ||
		its=' Terraform has it, this language does not.'
	refusals >said
	diff said - <<-EOF2
	1 Unsupported block type: Blocks of type "action" are not expected here.$its
	3 Unsupported block type: Blocks of type "list" are not expected here.$its
	5 Unsupported block type: Blocks of type "nonsense" are not expected here.
	8 Unsupported block type: Blocks of type "state_store" are not expected here.$its
	12 Unsupported argument: An argument named "type" is not expected here.$its
	17 Unsupported block type: Blocks of type "action_trigger" are not expected here.$its
	EOF2
	echo 'locals {
	  a = convert("1", "")
	}' >main.tf
	refusals >said
	grep -qF "2 Call to unknown function: There is no function" said
	[ -n "${TF_TEST_CLI-}" ] || grep -qF "$its" said
}

@test "an override file may not have it either" {
	echo 'output "o" {
	  value = ""
	}' >main.tf
	echo 'output "o" {
	  type = string
	}' >override.tf
	refusals >said
	grep -qF 'Unsupported argument: An argument named "type" is not expected here.' said
}

@test "a plan that another program saved is named so" {
	echo 'output "o" {
	  value = 1
	}' >main.tf
	printf 'PK\003\004 and more' >planned
	run -1 "$cli" apply -no-color planned
	run -1 "$cli" show -no-color planned
	[ -z "${TF_TEST_CLI-}" ] || return 0 # it has other words
	[[ $output = *'Failed to read the given file as a state or plan file'*"OpenTofu's or Terraform's"* ]]
	run -1 "$cli" apply -no-color planned
	[[ $output = *'Failed to load "planned" as a plan file'*"OpenTofu's or Terraform's"* ]]
}

# The state that is read in the place of terraform.tfstate, in one form.
taken() {
	run -0 "$cli" state pull
	jq -S '.resources[] | {"module": .module, mode, type, name, provider,
		i: [.instances[] | {index_key, status, deposed, schema_version,
			attributes_flat, private} | del(..|nulls)]} |
		del(..|nulls)' <<<"$output" >taken
}

@test "states of before Terraform 0.12 are read: version 3" {
	cat >terraform.tfstate <<-'EOF2'
	{"version": 3, "terraform_version": "0.11.1", "serial": 8, "lineage": "l",
	 "modules": [
	  {"path": ["root"], "outputs": {
	    "o": {"sensitive": true, "type": "list", "value": ["a", "b"]},
	    "m": {"type": "map", "value": {"a": ["x"], "b": ["y"]}},
	    "n": {"type": "list", "value": ["a", 1]}},
	   "resources": {
	    "test_thing.r.1": {"provider": "provider.test.west", "primary": {
	      "id": "1", "attributes": {"tags.%": "0"},
	      "meta": {"schema_version": "2", "x": "<y>"}, "tainted": true}},
	    "test_thing.r.0": {"provider": "provider.test.west",
	      "primary": {"id": "0", "attributes": {"id": "zero"}, "meta": {}},
	      "deposed": [{"id": "d"}]},
	    "data.test_thing.d": {"primary": {"id": "1"}}}},
	  {"path": ["root", "a", "b"], "outputs": {"gone": {"value": 1}},
	   "resources": {"aws_x.y": {"provider": "aws", "primary": {"id": "y"}}}}]}
	EOF2
	taken
	jq -S . >want <<-'EOF2'
	{"mode": "data", "type": "test_thing", "name": "d",
	 "provider": "provider[\"registry.opentofu.org/-/test\"]",
	 "i": [{"schema_version": 0, "attributes_flat": {"id": "1"}}]}
	{"mode": "managed", "type": "test_thing", "name": "r",
	 "provider": "provider[\"registry.opentofu.org/-/test\"].west",
	 "i": [{"index_key": 0, "schema_version": 0,
		"attributes_flat": {"id": "zero"}},
	       {"index_key": 0, "schema_version": 0, "deposed": "00000001",
		"attributes_flat": {"id": "d"}},
	       {"index_key": 1, "schema_version": 2, "status": "tainted",
		"private": "eyJ4IjoiXHUwMDNjeVx1MDAzZSJ9",
		"attributes_flat": {"id": "1", "tags.%": "0"}}]}
	{"mode": "managed", "type": "aws_x", "name": "y",
	 "module": "module.a.module.b",
	 "provider": "module.a.module.b.provider[\"registry.opentofu.org/-/aws\"]",
	 "i": [{"schema_version": 0, "attributes_flat": {"id": "y"}}]}
	EOF2
	diff want taken
	[ "$(jq -Sc '[.version, .serial, .lineage, .outputs]' <<<"$output")" = \
		'[4,8,"l",{"m":{"type":["map",["list","string"]],"value":{"a":["x"],"b":["y"]}},"n":{"type":["tuple",["string","number"]],"value":["a",1]},"o":{"sensitive":true,"type":["list","string"],"value":["a","b"]}}]' ]
}

@test "states of before Terraform 0.7 are read: versions 1 and 2" {
	cat >terraform.tfstate <<-'EOF2'
	{"version": 1, "serial": 1, "modules": [
	  {"outputs": {"n": "0,1"}, "resources": {
	    "test_thing.a": {"primary": {"id": "1", "attributes": {
	      "map.#": "1", "map.k.x": "v", "list.#": "1", "list.0": "v",
	      "none.#": "0"}}}}}]}
	EOF2
	taken
	jq -S . >want <<-'EOF2'
	{"mode": "managed", "type": "test_thing", "name": "a",
	 "provider": "provider[\"registry.opentofu.org/-/test\"]",
	 "i": [{"schema_version": 0, "attributes_flat": {"id": "1",
		"map.%": "1", "map.k.x": "v", "list.#": "1", "list.0": "v"}}]}
	EOF2
	diff want taken
	[ "$(jq -c .outputs <<<"$output")" = '{"n":{"value":"0,1","type":"string"}}' ]
	jq '.version = 2 | .modules[0] |= (.path = ["root"] | .outputs = {})' \
		terraform.tfstate >two
	mv two terraform.tfstate
	taken
	diff want taken
}

@test "a state of before Terraform 0.12 that is wrong is refused" {
	for state in '{"version": 3, "modules": [{"path": ["a"]}]}' \
		'{"version": 3, "serial": -1}' \
		'{"version": 3, "modules": [{"path": ["root"], "resources": {"a": {}}}]}' \
		'{"version": 2, "modules": [{"path": ["root", "1x"]}]}' \
		'{"version": 2, "modules": [{"path": ["root"], "resources": {"a.b.x": {}}}]}'; do
		echo "$state" >terraform.tfstate
		run -1 "$cli" state pull
		[[ $output = *'State format upgrade failed'* ]]
	done
}

@test "fields that later versions may write are passed over" {
	used_before
	run -0 "$cli" init
	jq '.later = {a: 1} | .terraform_version = "99.0.0" |
		.resources[0].later = [1] |
		.resources[0].instances[0].later = {x: null} |
		.outputs.o = {value: "x", type: "string", later: 1} |
		.check_results = [{object_kind: "action", config_addr: "action.a.b",
			status: "pass", objects: null}]' terraform.tfstate >later
	mv later terraform.tfstate
	run -0 "$cli" plan -no-color
	[[ $output = *'0 to add, 0 to change, 2 to destroy.'* ]]
	run -0 "$cli" apply -auto-approve
	[ "$(jq 'has("later")' terraform.tfstate)" = false ]
}

@test "commands and options of Terraform alone are named as such" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our words'
	for word in query stacks rpcapi; do
		run -1 tf $word
		[[ $output = "There is no command \"$word\". It is Terraform's alone."* ]]
	done
	for words in 'plan -allow-deferral' 'apply -invoke=action.a.b' \
		'init -create-default-workspace=false' 'validate -query'; do
		run -1 tf $words
		[[ $output = *"flag provided but not defined"*"It is Terraform's alone."* ]]
	done
}

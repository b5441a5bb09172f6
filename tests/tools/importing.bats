#!/usr/bin/env bats
# importing.bats - import blocks: what they lead to, with and without
# configuration
#
# TF_TEST_CLI=tofu runs them with OpenTofu, where that does the same.

load common
load modules

setup() {
	modules_setup
	mkdir m n
	cat >m/main.tf <<-'END'
	resource "terraform_data" "y" {}
	resource "terraform_data" "n" { count = 2 }
	resource "terraform_data" "k" { for_each = toset(["k", "l"]) }
	END
	echo 'module "c" { source = "../m" }' >n/main.tf
	cat >modules.tf <<-'END'
	locals { k = "k" }
	module "a" { source = "./m" }
	module "n" {
	  source = "./m"
	  count  = 2
	}
	module "b" {
	  source   = "./n"
	  for_each = toset(["k", "l"])
	}
	END
	run -0 $cli init
}

imports() { # TO ID [FOR_EACH]
	printf 'import {\n  to = %s\n  id = %s\n%s}\n' "$1" "$2" \
		"${3:+  for_each = $3
}" >imports.tf
}

# bats test_tags=once
@test "what an import leads to in a module is there, and is planned once" {
	run -0 $cli plan -no-color
	all=$(grep -c 'will be created' <<<"$output")
	while IFS='|' read -r to each count; do
		imports "$to" '"abcd"' "$each"
		for generate in '' -generate-config-out=g.tf; do
			run -0 $cli plan -no-color $generate
			[[ $output = *"Plan: $count to import, $((all - count)) to add, 0 to change"* ]] ||
				{ echo "$to $generate: $output"; return 1; }
			[[ $output != *'will be generated'* ]]
			[ ! -e g.tf ]
		done
	done <<-'END'
	module.a.terraform_data.y||1
	module.a.terraform_data.n[1]||1
	module.n[1].terraform_data.k["l"]||1
	module.b["k"].module.c.terraform_data.y||1
	module.b[local.k].module.c.terraform_data.k[local.k]||1
	module.b[each.key].module.c.terraform_data.k[each.value]|{ k = "k", l = "l" }|2
	END
	run -0 $cli apply -no-color -auto-approve
	[ "$(jq '[.resources[].instances[].attributes.id | select(. == "abcd")] | length' \
		terraform.tfstate)" = 2 ]
}

# bats test_tags=once
@test "what is no managed resource is imported into nothing, and not generated" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'OpenTofu crashes'
	for to in data.terraform_remote_state.x module.a.data.terraform_remote_state.x; do
		imports "$to" '"abcd"'
		for generate in '' -generate-config-out=g.tf; do
			run -1 $cli plan -no-color $generate
			[[ $output = *'Error: Configuration for import target does not exist'*'imports.tf line 1'* ]]
			[ ! -e g.tf ]
		done
	done
}

@test "for_each of an import with a wrong reference is one error" {
	for each in var.nope 'toset([local.nope])' '{ a = terraform_data.nope.id }'; do
		imports terraform_data.new '"abcd"' "$each"
		run -1 $cli plan -no-color -generate-config-out=g.tf
		[ "$(grep -c '^Error: Reference to undeclared' <<<"$output")" = 1 ]
		[[ $output != *'Invalid for_each argument'* ]]
	done
}

@test "what lacks its configuration is told, and what cannot be generated" {
	while IFS='|' read -r to summary; do
		imports "$to" '"abcd"'
		run -1 $cli plan -no-color
		[[ $output = *'Error: Configuration for import target does not exist'* ]] ||
			{ echo "$to: $output"; return 1; }
		run -1 $cli plan -no-color -generate-config-out=g.tf
		[[ $output = *"Error: $summary"*'imports.tf line 1'* ]] ||
			{ echo "$to: $output"; return 1; }
		[ ! -e g.tf ]
	done <<-'END'
	terraform_data.x[0]|Configuration generation for count and for_each resources not supported
	terraform_data.x["k"]|Configuration generation for count and for_each resources not supported
	terraform_data.x[local.k]|Configuration generation for count and for_each resources not supported
	module.a.terraform_data.x|Cannot generate configuration for resource inside sub-module
	module.n[0].terraform_data.x[0]|Cannot generate configuration for resource inside sub-module
	module.z.terraform_data.x|Cannot generate configuration for resource inside sub-module
	module.z[local.k].terraform_data.x|Cannot generate configuration for resource inside sub-module
	module.b[local.k].terraform_data.x|Configuration generation for count and for_each resources not supported
	module.a.terraform_data.x[local.k]|Configuration generation for count and for_each resources not supported
	END
	imports terraform_data.x '"abcd"'
	run -0 $cli plan -no-color -generate-config-out=g.tf
	[[ $output = *'(config will be generated)'*'Plan: 1 to import'* ]]
}

@test "an id that is empty imports nothing: what is configured is created" {
	for id in '""' 'trimprefix(local.k, "k")'; do
		imports module.a.terraform_data.y "$id"
		run -0 $cli plan -no-color -out=p
		[[ $output = *'# module.a.terraform_data.y will be created'* ]]
		[[ $output != *import* ]]
		[ "$($cli show -json p | jq -c '.resource_changes[] |
			select(.address == "module.a.terraform_data.y").change |
			[.actions, .importing]')" = '[["create"],null]' ]
	done
	run -0 $cli apply -no-color p
	[[ $output != *' imported'* ]]
	# the address must be one all the same
	imports 'module.a.terraform_data.n[7]' '""'
	run -1 $cli plan -no-color
	[[ $output = *'Error: Configuration for import target does not exist'* ]]
	imports module.a.terraform_data.y null
	run -1 $cli plan -no-color
	[[ $output = *'Error: Invalid import id argument'* ]]
	only_ours # OpenTofu crashes
	imports terraform_data.x '""'
	run -1 $cli plan -no-color -generate-config-out=g.tf
	[[ $output = *'Error: Invalid import id argument'*'imports.tf line 3'* ]]
	[ ! -e g.tf ]
}

# bats test_tags=once
@test "what is managed without a configuration gets one from the state" {
	only_ours # "This is a bug in OpenTofu"
	echo 'resource "terraform_data" "x" { input = "in" }' >x.tf
	run -0 tf apply -no-color -auto-approve
	rm x.tf
	imports terraform_data.x '"abcd"'
	run -1 tf plan -no-color
	for refresh in true false; do
		rm -f g.tf
		run -0 tf plan -no-color -refresh=$refresh -generate-config-out=g.tf
		[[ $output = *'No changes.'* ]]
		grep -q 'input *= "in"' g.tf
	done
	run -0 tf plan -no-color
	[[ $output = *'No changes.'* ]]
}

# bats test_tags=once
@test "addresses stand in quotes where summaries have them" {
	imports 'module.n[0].terraform_data.k["k"]' '"a"'
	cat imports.tf >>twice.tf
	run -1 $cli validate -no-color
	[[ $output = *'Error: Duplicate import configuration for "module.n[0].terraform_data.k[\"k\"]"'* ]]
	rm twice.tf imports.tf
	run -1 $cli import -no-color 'module.b["k"].terraform_data.x' a
	[[ $output = *'Error: resource address "module.b[\"k\"].terraform_data.x" does not exist in the configuration.'* ]]
}

@test "an empty address is none to import to" {
	run -1 $cli import '' x
	[[ $output = *'Variable name required'* ]]
	[ ! -e terraform.tfstate ]
}

@test "a type that the provider does not have is one error, where the address is" {
	only_ours # OpenTofu asks the provider, whose words these are, or crashes
	while IFS='|' read -r id each; do
		imports terraform_nope.x "$id" "$each"
		run -1 tf plan -no-color -generate-config-out=g.tf
		[[ $output = *'Error: Invalid resource type'*'imports.tf line 2'*terraform_nope.x* ]]
		[ "$(grep -c '^Error' <<<"$output")" = 1 ]
		[ ! -e g.tf ]
	done <<-'END'
	"abcd"|
	""|
	each.key|{}
	each.key|{ a = "b", c = "d" }
	END
}

@test "the command gives an empty id to the provider; it needs a configuration" {
	echo 'resource "terraform_data" "x" {}' >x.tf
	run -0 $cli import -no-color terraform_data.x ''
	[[ $output = *'Importing from ID ""'* ]]
	run -0 jq -c '.resources[].instances[].attributes.id' terraform.tfstate
	[ "$output" = '""' ]
	rm terraform.tfstate
	mkdir none
	for dir in none nowhere ''; do
		for to in terraform_data.x module.z.terraform_data.x; do
			run -1 $cli import -no-color -config=$dir "$to" a
			[[ $output = *'Error: No OpenTofu configuration files'* ]]
		done
	done
	cd none
	run -1 $cli import -no-color terraform_data.x a
	[[ $output = *'Error: No OpenTofu configuration files'* ]]
}

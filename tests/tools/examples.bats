#!/usr/bin/env bats
# examples.bats - each of examples/ is planned, applied, planned again without
# changes, destroyed

load common

jq_itself

setup() {
	cp -r "$TF_TEST_SRC/examples/${BATS_TEST_DESCRIPTION%%:*}" \
		"$BATS_TEST_TMPDIR/copy"
	cd "$BATS_TEST_TMPDIR/copy"
	chmod -R u+w .
}

life() { # ADDED
	run -0 tf-fmt -check -recursive .
	tf init >init
	tf validate >valid
	run -2 tf plan -detailed-exitcode -no-color -out=p
	[[ $output = *"Plan: $1 to add, 0 to change, 0 to destroy."* ]]
	[[ $output != *Warning* ]]
	run -0 tf apply -no-color p
	[[ $output = *"Resources: $1 added, 0 changed, 0 destroyed."* ]]
	run -0 tf plan -detailed-exitcode -no-color
	[[ $output = *'No changes. Your infrastructure matches'* ]]
}

death() { # DESTROYED
	run -0 tf destroy -auto-approve -no-color
	[[ $output = *"Resources: $1 destroyed."* ]]
	run -0 tf state list
	[ -z "$output" ]
}

@test "first: greetings, by name" {
	life 2
	[ "$(tf output -json greetings | jq -c .)" = '["hello, one","hello, two"]' ]
	run -2 tf plan -detailed-exitcode -no-color -var 'names=["one", "three"]'
	[[ $output = *'Plan: 1 to add, 0 to change, 1 to destroy.'* ]]
	death 2
}

@test "modules: services; what must not be is refused, the password is not shown" {
	life 6
	[ "$(tf output -json endpoints | jq -c .web)" = '["staging-web-0:8081"]' ]
	tf output -json databases | jq -e '.api | startswith("postgres://app:")'
	for command in 'show' 'plan -var db_password=another-one' 'output' \
		'state show module.service["api"].terraform_data.config'; do
		read -ra words <<<"$command"
		run -0 tf "${words[@]}"
		[[ $output != *only-for-trying* && $output != *another-one* ]]
	done
	run -0 tf show
	[[ $output = *'triggers_replace = (sensitive value)'* ]]
	run -1 tf plan -var environment=moon
	[[ $output = *'There are two environments'* ]]
	run -1 tf plan -var environment=production -var db_password=short
	[[ $output = *'In production the password has 16 characters or more.'* ]]
	run -0 tf plan -var 'services={a={port=1},b={port=1}}'
	[[ $output = *Warning*'Two services have the same port.'* ]]
	death 6
}

@test "providers: a name by chance, and a file that has it" {
	hashicorp=${TFPIPE_PLUGIN_MIRROR:-/nonexistent}/registry.opentofu.org/hashicorp
	[ -d "$hashicorp/random" ] && [ -d "$hashicorp/local" ] ||
		skip "no providers random and local: they need go (see scripts/providers)"
	cat >../rc <<-END
	provider_installation {
	  filesystem_mirror {
	    path = "$TFPIPE_PLUGIN_MIRROR"
	  }
	}
	END
	export TF_CLI_CONFIG_FILE=$PWD/../rc
	life 2
	[ "$(cat card.txt)" = "My name is $(tf output -raw name)." ]
	death 2
	[ ! -e card.txt ]
}

@test "first: all examples are tested" {
	for dir in "$TF_TEST_SRC"/examples/*/; do
		grep -q "^@test \"$(basename "$dir"): " \
			"$TF_TEST_SRC/tests/tools/examples.bats"
		grep -q "^- \`$(basename "$dir")\`: " "$TF_TEST_SRC/examples/README.md"
	done
}

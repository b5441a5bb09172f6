#!/usr/bin/env bats
# refusals.bats - what is not there yet is refused before anything is done,
# never passed over

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir w
	cd w
	export HOME=$BATS_TEST_TMPDIR TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	: >"$TF_CLI_CONFIG_FILE"
	unset TF_ENCRYPTION
}

# --- arguments that were accepted without effect ---

@test "destroy of a lifecycle block is a constant, evaluated" {
	plan() { # EXPRESSION
		cat >main.tf <<EOF
variable "keep" { default = false }
resource "terraform_data" "a" {
  triggers_replace = "x"
  lifecycle { destroy = $1 }
}
EOF
		run tf plan -json
	}
	for e in 'var.keep' 'local.x' '"false"' 'null' '1' 'tobool("false")' \
		'[]'; do
		plan "$e"
		[ "$status" = 1 ]
		[[ $output == *'"summary":"Invalid lifecycle destroy expression"'* ]]
	done
	plan '!true'
	[ "$status" = 0 ]
	tf apply -auto-approve >/dev/null
	tf state pull | jq -e '.resources[0].instances[0].skip_destroy'
	run -0 tf plan -destroy -json
	[[ $output == *'"forget":1'* ]]
	plan '1 == 1'
	[ "$status" = 0 ]
	run -0 tf plan -destroy -json
	[[ $output == *'"action":"delete"'* ]]
}

@test "a built-in provider has no version to choose, and exists" {
	needs() { # SOURCE VERSION
		cat >main.tf <<EOF
terraform {
  required_providers {
    p = {
      source = "terraform.io/builtin/$1"
      $2
    }
  }
}
EOF
		run tf init
	}
	needs terraform 'version = ">= 1.0"'
	[ "$status" = 1 ]
	[[ $output == *'Invalid dependency on built-in provider'*'>= 1.0'* ]]
	needs nothing ''
	[ "$status" = 1 ]
	[[ $output == *'Invalid dependency on built-in provider'*'nothing'* ]]
	[ ! -e .terraform.lock.hcl ]
	needs terraform ''
	[ "$status" = 0 ]
}

#!/usr/bin/env bats
# What the driver shows while commands run: progress, diagnostics, messages.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# Two warnings of one summary, two of check blocks.
warnings() {
	cat >main.tf <<'EOF2'
resource "terraform_data" "a" {
  input = "x"
}
removed {
  from = terraform_data.b
}
removed {
  from = terraform_data.c
}
check "one" {
  assert {
    condition     = terraform_data.a.input == "y"
    error_message = "not y"
  }
}
check "two" {
  assert {
    condition     = terraform_data.a.input == "z"
    error_message = "not z"
  }
}
EOF2
}

count() { # how often $1 is in $output
	grep -c -- "$1" <<<"$output" || :
}

@test "similar warnings are shown once, results of checks each" {
	warnings
	run tf plan
	[ "$(count 'Warning: Missing lifecycle')" = 1 ]
	[[ $output == *"(and one more similar warning elsewhere)"* ]]
	[ "$(count 'Warning: Check block assertion failed')" = 2 ]
	run tf plan -consolidate-warnings=false
	[ "$(count 'Warning: Missing lifecycle')" = 2 ]
	[[ $output != *"more similar"* ]]
	run tf plan -compact-warnings
	[[ $output == *"- Missing lifecycle from the removed block
  on main.tf line 4 (and 1 more)"* ]]
}

@test "similar errors are shown once when asked" {
	cat >main.tf <<'EOF2'
output "a" { value = nope.a.b }
output "b" { value = nope.a.b }
EOF2
	run -1 tf plan
	[ "$(count 'Error: Reference to undeclared')" = 2 ]
	run -1 tf plan -consolidate-errors
	[ "$(count 'Error: Reference to undeclared')" = 1 ]
	[[ $output == *"(and one more similar error elsewhere)"* ]]
}

@test "warnings of a plan that is applied at once come with those of the apply" {
	warnings
	run tf apply -auto-approve
	# below the progress, the checks once
	[[ ${output#*Creating...} == *"Missing lifecycle"* ]]
	[[ ${output%%Creating...*} != *"Warning"* ]]
	[ "$(count 'Warning: Check block assertion failed')" = 2 ]
}

@test "deprecations of modules can be left out" {
	mkdir m
	echo 'variable "v" {
  default    = 1
  deprecated = "use w"
}' >m/main.tf
	echo 'module "m" {
  source = "./m"
  v      = 2
}' >main.tf
	tf init >/dev/null
	run tf plan
	[[ $output == *"Variable marked as deprecated by the module author"* ]]
	run tf plan -deprecation=module:none
	[[ $output != *"deprecated"* ]]
}

@test "an import is told step by step, to people only" {
	cat >main.tf <<'EOF2'
resource "terraform_data" "a" {
  input = 1
}
import {
  to = terraform_data.a
  id = "x1"
}
EOF2
	run tf plan
	[[ $output == "terraform_data.a: Preparing import... [id=x1]
terraform_data.a: Refreshing state... [id=x1]"* ]]
	run tf apply -auto-approve
	[[ $output == *"terraform_data.a: Importing... [id=x1]
terraform_data.a: Import complete [id=x1]
terraform_data.a: Modifying... [id=x1]"* ]]
	tf state rm terraform_data.a >/dev/null
	run tf plan -json
	[[ $output == *'"type":"refresh_complete"'* ]]
	[[ $output != *"Preparing"* ]]
	rm main.tf
	echo 'resource "terraform_data" "a" {}' >main.tf
	run tf import terraform_data.a x2
	[[ $output == 'terraform_data.a: Importing from ID "x2"...
terraform_data.a: Import prepared!
  Prepared terraform_data for import
terraform_data.a: Refreshing state... [id=x2]'* ]]
}

@test "the object that a replacement leaves behind is told by its key" {
	echo 'variable "v" { default = 1 }
resource "terraform_data" "a" {
  triggers_replace = var.v
  lifecycle { create_before_destroy = true }
}' >main.tf
	tf apply -auto-approve >/dev/null
	run tf apply -auto-approve -var v=2
	[[ $output =~ "terraform_data.a (deposed object "[0-9a-f]{8}"): Destroying... [id=" ]]
	[[ $output == *"terraform_data.a: Destruction complete after "* ]]
	run tf apply -auto-approve -json -var v=3
	[[ $output != *'"deposed'* ]]
}

@test "a saved plan: programs are told what is going to be done" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf plan -out=p >/dev/null
	run tf apply -json p
	[ "$(jq -r 'select(.type=="planned_change").change.action' <<<"$output")" = create ]
	# and of the outputs, even when there are none
	[ "$(jq -c 'select(.type=="outputs").outputs' <<<"$output")" = '{}' ]
}

@test "a plan with errors is saved and shown, and not applied" {
	cat >main.tf <<'EOF2'
variable "v" { default = 1 }
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.v == 2
      error_message = "no"
    }
  }
}
EOF2
	run -1 tf plan -out=p
	run tf show p
	[[ $output != *"Resource precondition failed"* ]]
	run -1 tf apply p
	[[ $output == *"Error: Cannot apply incomplete plan"* ]]
	run -1 tf apply -json p
	[[ $output == *'"summary":"Cannot apply incomplete plan"'* ]]
}

@test "refresh: objects are brought up to date, outputs stay" {
	echo 'variable "v" { default = 1 }
resource "terraform_data" "a" { input = 1 }
output "o" { value = var.v }
check "c" {
  assert {
    condition     = var.v == 1
    error_message = "no"
  }
}' >main.tf
	tf apply -auto-approve >/dev/null
	run tf refresh -var v=2
	[ "$status" = 0 ]
	[[ $output != *"Apply complete"* && $output != *"Plan:"* ]]
	[[ $output == *"Check block assertion failed"*"Outputs:"*"o = 1" ]]
	[ "$(tf output -raw o)" = 1 ]
	[ "$(jq .check_results terraform.tfstate)" = null ]
	run tf refresh -json
	[ "$(jq -r .type <<<"$output" | sort -u | xargs)" = \
		"outputs refresh_complete refresh_start version" ]
	tf destroy -auto-approve >/dev/null
	run tf refresh
	[[ $output == *"Warning: Empty or non-existent state"* ]]
}

@test "-json-into: messages to a file beside the display" {
	echo 'resource "terraform_data" "a" {}
output "o" { value = 1 }' >main.tf
	run tf apply -auto-approve -json-into=log
	[[ $output == *"Apply complete!"* ]]
	[ "$(stat -c %a log)" = 600 ]
	[ "$(jq -r .type log | xargs)" = "version planned_change change_summary \
outputs apply_start apply_complete change_summary outputs" ]
	run tf validate -json-into=log
	[[ $output == *"Success!"* ]]
	[ "$(jq .valid log)" = true ]
	run -1 tf plan -json -json-into=log
	[[ $output == *"Invalid output format"* ]]
	run -1 tf plan -json-into=no/log
	[[ $output == *"Error: Invalid argument"* ]]
}

@test "a place at the very start of a file is within no block" {
	echo 'import {
  to = terraform_data.a
  id = "x"
}' >main.tf
	run tf plan
	[[ $output == *"on main.tf line 1:"* ]]
}

@test "tf-show at the end of tf-apply: what was done stands below the plan" {
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	echo 'output "o" { value = terraform_data.a.output }' >>main.tf
	tf-plan -C . | tf-apply | tf-show >shown
	grep -n '^Plan: 1 to add' shown
	sed '1,/^Plan: 1 to add/d' shown >below
	grep -q '^terraform_data.a: Creation complete after' below
	[ "$(tail -n 5 below)" = "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.

Outputs:

o = 1" ]
	tf-plan -C . -destroy | tf-apply >done.jsonl
	tf-show done.jsonl | grep -q 'Destruction complete after'
	# as JSON it is the plan that is published
	tf-show -json done.jsonl | jq -e .resource_changes
}

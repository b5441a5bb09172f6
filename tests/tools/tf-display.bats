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

@test "what a failed == compares is shown, confidential values are not" {
	cat >main.tf <<'EOF2'
variable "o" { default = { a = 1, l = ["x", "y"] } }
variable "s" {
  default   = "hush"
  sensitive = true
}
check "c" {
  assert {
    condition     = var.o == { a = 2, l = ["x"] }
    error_message = "no"
  }
}
check "d" {
  assert {
    condition     = var.s == "other"
    error_message = "no"
  }
}
EOF2
	run tf plan
	[[ $output == *'    │ var.o is object with 2 attributes
    ├────────────────
    │ Diff: 
    │     {
    │       ~ a = 1 -> 2
    │       ~ l = [
    │             "x",
    │           - "y",
    │         ]
    │     }'* ]]
	[ "$(count 'Diff:')" = 1 ]
	run tf plan -json
	[ "$(jq -c 'select(.diagnostic.difference).diagnostic.difference' <<<"$output")" = \
		'{"before":{"a":1,"l":["x","y"]},"after":{"a":2,"l":["x"]},"after_unknown":false,"before_sensitive":{"l":[false,false]},"after_sensitive":{"l":[false]}}' ]
	[[ $output != *hush* ]]
}

# Modules within a module whose sibling sorts between them.
nested() {
	mkdir a b c
	echo 'resource "terraform_data" "i" {}' | tee b/main.tf c/main.tf >a/main.tf
	echo 'module "c" { source = "../c" }' >>a/main.tf
	echo 'module "a" {
  source   = "./a"
  for_each = toset(["k"])
}
module "b" { source = "./b" }' >main.tf
	tf init >/dev/null
}

@test "show -json: modules within modules are in their module" {
	nested
	tf plan -out=p >/dev/null
	[ "$(tf show -json p | jq -c '[.planned_values.root_module.child_modules[]
		| [.address, .child_modules[]?.address]]')" = \
		'[["module.a[\"k\"]","module.a[\"k\"].module.c"],["module.b"]]' ]
	# what a module implies is its own, unless its parent has it
	[ "$(tf show -json p | jq -c '.configuration.provider_config | keys')" = \
		'["module.a:terraform","module.b:terraform"]' ]
	[ "$(tf show -json p | jq -c '.configuration.root_module.module_calls.a
		| has("for_each_expression"), .module.module_calls.c.module.resources[0].provider_config_key' | xargs)" = \
		'false module.a:terraform' ]
	tf apply p >/dev/null
	[ "$(tf show -json | jq -c '[.values.root_module.child_modules[]
		| [.address, .child_modules[]?.address]]')" = \
		'[["module.a[\"k\"]","module.a[\"k\"].module.c"],["module.b"]]' ]
	# no blank line where nothing stands in a module above
	run tf show
	[[ ${lines[0]} == '# module.a["k"].terraform_data.i:' ]]
	[[ $output == *'}


# module.a["k"].module.c.terraform_data.i:'* ]]
	[[ $output == *'}
# module.b.terraform_data.i:'* ]]
}

@test "show -json: a variable's default has the defaults of its type" {
	echo 'variable "v" {
  type    = object({ a = string, b = optional(number, 3) })
  default = { a = "x" }
}' >main.tf
	tf plan -out=p >/dev/null
	[ "$(tf show -json p | jq -c .configuration.root_module.variables.v.default)" = \
		'{"a":"x","b":3}' ]
}

@test "show -json: the checks of a state" {
	cat >main.tf <<'EOF2'
variable "v" {
  default = 1
  validation {
    condition     = var.v > 0
    error_message = "no"
  }
}
resource "terraform_data" "a" {
  count = 1
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "no"
    }
  }
}
check "c" {
  assert {
    condition     = var.v == 2
    error_message = "not two"
  }
}
EOF2
	tf apply -auto-approve >/dev/null
	run tf show -json
	[ "$(jq -c '.checks[] | .address.to_display, .status' <<<"$output" | xargs)" = \
		"check.c fail terraform_data.a pass var.v pass" ]
	[ "$(jq -c '.checks[0].instances[0].problems' <<<"$output")" = \
		'[{"message":"not two"}]' ]
	[ "$(jq -c '.checks[1] | .address, .instances[0].address' <<<"$output" | xargs -0)" = \
		'{"kind":"resource","mode":"managed","name":"a","to_display":"terraform_data.a","type":"terraform_data"}
{"instance_key":0,"to_display":"terraform_data.a[0]"}' ]
}

@test "a forgotten object is not sensitive at all, and stands at the margin" {
	echo 'variable "v" { default = 1 }
resource "terraform_data" "a" {
  triggers_replace = var.v
  lifecycle { destroy = false }
}' >main.tf
	tf apply -auto-approve >/dev/null
	run tf plan -var v=2
	[[ $output == *"
./+ forget and then create replacement"* ]]
	echo 'removed {
  from = terraform_data.a
  lifecycle { destroy = false }
}' >main.tf
	tf plan -out=p >/dev/null
	[ "$(tf show -json p | jq '.planned_values.root_module.resources[0].sensitive_values')" = false ]
}

@test "wrong command lines: one summary, and where to find help" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	for o in -nope -out -var -parallelism=x -input=maybe -refresh=perhaps; do
		run -1 tf plan $o
		[[ $output == *"Error: Failed to parse command-line flags"* ]]
		[[ $output == *"For more help on using this command, run:
  tf plan -help"* ]]
	done
	run -1 tf plan -json -nope
	[ "$(jq -r .type <<<"$output" | xargs)" = "version diagnostic" ]
	[[ $output != *"more help"* ]]
	run tf plan -lock=f -input=0 -refresh=F
	[ "$status" = 0 ]
	run -1 tf apply main.tf
	[[ $output == *'Failed to load "main.tf" as a plan file'* ]]
	run -1 tf destroy main.tf
	run -1 tf show main.tf
	[[ $output == *'Failed to read the given file as a state or plan file'* ]]
	tf destroy -auto-approve -suppress-forget-errors >/dev/null
}

@test "a plan that is stale is refused before anyone is told of it" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf plan -out=p >/dev/null
	tf apply -auto-approve >/dev/null
	run -1 tf apply -json p
	[ "$(jq -r .type <<<"$output" | xargs)" = "version diagnostic" ]
}

@test "operands that nobody takes, options that nobody has" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	for c in get "workspace list" "workspace show" "state pull" providers; do
		run -1 tf $c x
		[[ $output == *"Error: Unexpected argument"* ]]
	done
	run -1 tf console x </dev/null
	[[ $output == *"Error: Too many command line arguments"* ]]
	run -1 tf show a b
	[[ $output == *"Error: Too many command line arguments"* ]]
	run -1 tf output a b
	[[ $output == *"Error: Unexpected argument"* ]]
	run -1 tf graph -type=nope
	[[ $output == *"Error: Unsupported graph type"* ]]
	run -1 tf validate nowhere
	[[ $output == *"Error: Failed to read module directory"* ]]
	run -1 tf metadata functions
	run -1 tf version -nope
	for c in "state list" taint untaint get init fmt; do
		run -1 tf $c -nope
		[[ $output == *"Error: Failed to parse command-line flags"* ]]
	done
	run -127 tf -nope
	[[ $output == "Usage: tf"* ]]
}

@test "a state without outputs: said where they would be" {
	run --separate-stderr tf output
	[ "$status" = 0 ]
	[[ $output == *"Warning: No outputs found"* ]]
	[ -z "$stderr" ]
}

@test "-state, -state-out and -backup go to the stages they belong to" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve -state=1.tfstate >/dev/null
	tf apply -auto-approve -state=1.tfstate -state-out=2.tfstate \
		-replace=terraform_data.a >/dev/null
	[ "$(jq .resources[0].instances[0].attributes.id 1.tfstate)" != \
		"$(jq .resources[0].instances[0].attributes.id 2.tfstate)" ]
	tf apply -auto-approve -state=2.tfstate -backup=b \
		-replace=terraform_data.a >/dev/null
	jq -e .lineage b >/dev/null
	run tf destroy -auto-approve -state=2.tfstate -backup=-
	[ "$status" = 0 ]
	[ ! -e terraform.tfstate ]
}

@test "a deprecated object is warned of once" {
	mkdir m
	echo 'output "old" {
  value      = 1
  deprecated = "use new"
}' >m/main.tf
	echo 'module "m" { source = "./m" }
output "a" { value = module.m.old }
output "b" { value = module.m.old }' >main.tf
	tf init >/dev/null
	run tf plan -consolidate-warnings=false
	[ "$(count 'Warning: Value derived')" = 1 ]
	run -1 tf plan -deprecation=none
	[[ $output == *"Failed to parse command-line flags"* ]]
}

@test "validate: warnings, then what it came to" {
	warnings
	run tf validate
	[[ $output == *"Warning: Missing lifecycle"*"
Success! The configuration is valid, but there were some
validation warnings as shown above." ]]
}

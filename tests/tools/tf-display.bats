#!/usr/bin/env bats
# What the driver shows while commands run: progress, diagnostics, messages.

load common

jq_itself

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
	awk -v text="$1" 'index($0, text) { n++ } END { print n + 0 }' \
		<<<"$output"
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

@test "conditions that fail are similar errors, but those of checks are not" {
	cat >main.tf <<'TF'
variable "v" { default = "x" }
resource "terraform_data" "r" {
  count = 3
  lifecycle {
    precondition {
      condition     = var.v != "x"
      error_message = "no"
    }
  }
}
TF
	for name in a b; do
		cat >>main.tf <<TF
output "$name" {
  value = 1
  precondition {
    condition     = var.v != "x"
    error_message = "no"
  }
}
check "$name" {
  assert {
    condition     = var.v != "x"
    error_message = "no"
  }
}
TF
	done
	run -1 "${TF_TEST_CLI:-tf}" plan -no-color -consolidate-errors
	[ "$(count 'Error: Resource precondition')" = 1 ]
	[[ $output == *"(and 2 more similar errors elsewhere)"* ]]
	[ "$(count 'Error: Module output value')" = 1 ]
	[[ $output == *"(and one more similar error elsewhere)"* ]]
	[ "$(count 'Warning: Check block assertion failed')" = 2 ]
}

@test "warnings of a plan that is applied at once come with those of the apply" {
	warnings
	run tf apply -auto-approve
	# below the progress, the checks once
	[[ ${output#*Creating...} == *"Missing lifecycle"* ]]
	[[ ${output%%Creating...*} != *"Warning"* ]]
	[ "$(count 'Warning: Check block assertion failed')" = 2 ]
}

# bats test_tags=once
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
	run -0 tf plan -deprecation=module:none
	[[ $output != *"deprecated"* ]]
	run -0 tf plan -deprecation=module:local
	[[ $output == *"deprecated"* ]]
	# with a source that is no path
	sed -i 's|"./m"|"git::https://example.invalid/m.git"|' main.tf
	cat >.terraform/modules/modules.json <<-'END'
	{"Modules":[{"Key":"","Source":"","Dir":"."},
	{"Key":"m","Source":"git::https://example.invalid/m.git","Dir":"m"}]}
	END
	run -0 tf plan -deprecation=module:local
	[[ $output != *"deprecated"* ]]
	run -0 tf plan -deprecation=module:all
	[[ $output == *"deprecated"* ]]
}

# bats test_tags=once
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

@test "that an import is done is told to people and to programs" {
	cd "$BATS_TEST_TMPDIR"
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -0 tf import -no-color -json-into=into terraform_data.a one
	[[ $output == *$'Import successful!\n\nThe resources'* ]]
	last='.["@message"] | startswith("Import successful! The resources")'
	jq -es "last | $last" into
	rm terraform.tfstate
	run -0 tf import -json terraform_data.a one
	jq -es "last | $last" <<<"$output"
	# not where it failed
	run -1 tf import -json terraform_data.a one
	[[ $output != *successful* ]]
}

# bats test_tags=once
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
	run -0 tf apply -auto-approve -json -var v=3
	[[ $output != *'"deposed'* ]]
}

@test "a deposed object that is read is told by its key" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve >/dev/null
	jq -c '.resources[0].instances += [.resources[0].instances[0] +
		{ deposed: "0123abcd" }]' terraform.tfstate >s
	mv s terraform.tfstate
	tf plan >said
	grep '^terraform_data.a (deposed object 0123abcd): Refreshing state... \[id=' said
	grep '^terraform_data.a: Refreshing state... \[id=' said
}

@test "what is still being done is told by its id, a long one cut in the middle" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf-plan -C . | tf-apply >done
	still() { # ID
		jq -c --arg id "$1" 'if .type == "apply_start" then
			{ record, id_key: "name", id_value: $id } + del(.record) +
			{ type: "apply_progress" } | .hook.elapsed_seconds = 10
			else . end' done >s
	}
	still short
	run tf-ui -op=apply <s
	[[ $output == *'.a: Still creating... [name=short, 10s elapsed]'* ]]
	run tf-ui -json -op=apply <s
	[[ $output != *short* && $output == *apply_progress* ]]
	left=$(printf 'é%.0s' {1..39}) right=$(printf 'à%.0s' {1..38})
	still "$left....$right"
	run tf-ui -op=apply <s
	[[ $output == *"[name=$left...$right, 10s elapsed]"* ]]
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
	run -0 tf show p
	[[ $output != *"Resource precondition failed"* ]]
	run -1 tf apply p
	[[ $output == *"Error: Cannot apply incomplete plan"* ]]
	run -1 tf apply -json p
	[[ $output == *'"summary":"Cannot apply incomplete plan"'* ]]
}

# bats test_tags=once
@test "refresh: objects are brought up to date, and outputs that are known" {
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
	[[ $output == *"Check block assertion failed"*"Outputs:"*'o = "2"' ]]
	[ "$(tf output -raw o)" = 2 ]
	[ "$(jq .check_results terraform.tfstate)" = null ]
	run tf refresh -json
	[ "$(jq -r .type <<<"$output" | sort -u | xargs)" = \
		"outputs refresh_complete refresh_start version" ]
	tf destroy -auto-approve >/dev/null
	run tf refresh
	[[ $output == *"Warning: Empty or non-existent state"* ]]
}

# bats test_tags=once
@test "refresh: needs no configuration, and forgets nothing without one" {
	run -0 tf refresh
	[[ $output == *"Warning: Empty or non-existent state"* ]]
	[[ $output != *"Error:"* ]]
	echo 'resource "terraform_data" "a" {}
output "o" { value = 1 }' >main.tf
	tf apply -auto-approve >/dev/null
	rm main.tf
	run -0 tf refresh
	[[ $output == *"Refreshing state..."*"o = 1"* ]]
	jq -e '.resources | length == 1' terraform.tfstate
	run -1 tf apply -refresh-only -auto-approve
	[[ $output == *"Error: No configuration files"* ]]
}

@test "refresh: that there is nothing to refresh is told where it fails, too" {
	local told='"Empty or non-existent state"'
	echo 'variable "k" { default = "none" }
resource "terraform_data" "a" { for_each = toset(["x"]) }
output "o" { value = terraform_data.a[var.k].id }' >main.tf
	run -1 tf refresh -json
	[[ $output == *"$told"*'"Invalid index"'* ]]
	run -1 tf apply -refresh-only -auto-approve -json
	[[ $output != *"$told"* && $output == *'"Invalid index"'* ]]
	echo 'output "o" { value = local.none }' >main.tf
	run -1 tf refresh -json
	[[ $output != *"$told"* ]]
}

# bats test_tags=once
@test "refresh: a state with nothing in it is warned of" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve >/dev/null
	run -0 tf refresh -json
	[[ $output != *"Empty or non-existent state"* ]]
	tf state rm terraform_data.a >/dev/null
	run -0 tf refresh -json
	[[ $output == *"Empty or non-existent state"* ]]
}

# bats test_tags=once
@test "refresh: outputs that are not known, or not there any more, stay" {
	echo 'variable "v" { default = 1 }
resource "terraform_data" "a" { triggers_replace = var.v }
output "known" { value = var.v }
output "late" { value = terraform_data.a.id }
output "gone" { value = 3 }' >main.tf
	tf apply -auto-approve >/dev/null
	id=$(tf output -raw late)
	sed -i '$d' main.tf
	tf refresh -var v=2 >/dev/null
	[ "$(tf output -json | jq -c 'map_values(.value)')" = \
		"{\"gone\":3,\"known\":\"2\",\"late\":\"$id\"}" ]
}

# bats test_tags=once
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
	tf-show done.jsonl | grep 'Destruction complete after'
	# as JSON it is the plan that is published
	tf-show -json done.jsonl | jq -e .resource_changes
}

@test "tf-ui shows a pipe in its order: the plan, what is done, what it came to" {
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	tf-plan -C . | tf-apply | tf-ui >shown
	[ "$(grep -oE '^(tfpipe will perform|Plan:|.*Creating|Apply complete)' shown |
		tr '\n' ',')" = "tfpipe will perform,Plan:,terraform_data.a: Creating,Apply complete," ]
	tf-plan -C . -destroy | tf-apply | tf-ui -op=apply >shown
	head -n 1 shown | grep '^terraform_data.a: Destroying...'
	run -1 grep '^Plan:' shown
	tf-plan -C . | tf-apply | tf-ui -json | jq -r .type | uniq >types
	[ "$(tr '\n' ',' <types)" = version,planned_change,change_summary,apply_start,apply_complete,change_summary,outputs, ]
}

@test "tf-ui says of a check only what the apply found" {
	cat >main.tf <<'EOF'
resource "terraform_data" "a" { input = "x" }
check "c" {
  assert {
    condition     = terraform_data.a.id == "y"
    error_message = "never so"
  }
}
EOF
	tf-plan -C . -json | tf-apply -json | tf-ui >shown
	grep 'never so' shown
	run -1 grep 'assertion known after apply' shown
}

@test "tf-ui of a stream without a plan, and of no such operation" {
	echo 'output "x" { value = 1 }' >main.tf
	run -1 bash -o pipefail -c 'tf-parse -C . | tf-ui'
	[[ $output == *'has been through tf-parse, and not through tf-plan'* ]]
	tf-plan -C . >p
	run -1 tf-ui -op=nothing <p
	[[ $output == *'There is no operation "nothing"'* ]]
	for op in stream plan confirm approved apply refresh refreshed import \
		validate; do
		run -0 tf-ui -op=$op <p
	done
}

# bats test_tags=once
@test "what a diagnostic says in the stream is for people: programs go by its code" {
	mkdir m
	cat >m/main.tf <<'EOF'
variable "old" {
  default    = 1
  deprecated = "use new"
}
output "old" {
  value      = 1
  deprecated = "use new"
}
EOF
	cat >main.tf <<'EOF'
module "m" {
  source = "./m"
  old    = 2
}
module "n" {
  source = "./m"
  old    = 2
}
resource "terraform_data" "a" { input = module.m.old }
resource "terraform_data" "b" { input = module.m.old }
check "c" {
  assert {
    condition     = terraform_data.a.id == "y"
    error_message = "never so"
  }
  assert {
    condition     = terraform_data.b.id == "y"
    error_message = "never so"
  }
}
EOF
	tf init >/dev/null
	tf-plan -C . -json >p
	[ "$(jq -r 'select(.code).code' p | sort -u | tr '\n' ' ')" = \
		'check_unknown value_deprecated variable_deprecated ' ]
	jq -c 'if .record == "diagnostic" then .summary = "?" | .detail = "?" else . end' p >foreign
	for option in '' -deprecation=module:none -op=apply; do
		tf-ui $option <p | awk '/^Warning: /{ n++ } END { print n + 0 }' >was
		tf-ui $option <foreign | awk '/^Warning: /{ n++ } END { print n + 0 }' >is
		diff was is
	done
	[ "$(tf-ui <foreign | grep -c '^Warning: ')" = 4 ] # 2 checks, 2 causes
	[ "$(tf-apply -json <p | tf-ui | grep -c 'known after apply$')" = 0 ]
}

# bats test_tags=once
@test "codes of diagnostics are not published" {
	cat >main.tf <<'EOF'
variable "x" {
  default = 1
  validation {
    condition     = var.x == 2
    error_message = "never so"
  }
}
EOF
	run -1 tf-plan -C . -json
	jq -es 'any(.[]; .code == "variable_invalid")' <<<"$output"
	run -1 tf plan -json
	jq -es 'any(.[]; .diagnostic.summary == "Invalid value for variable") and
		all(.[]; .diagnostic.code == null)' <<<"$output"
	cat >main.tf <<'EOF'
language {
  compatible_with { opentofu = "< 1.0" }
}
EOF
	tf-parse -C . >parsed 2>err || true
	jq -es 'any(.[]; .code == "module_incompatible" and .told)' parsed
	tf validate -json >valid || true
	jq -e '.diagnostics[0] | keys ==
		["detail", "range", "severity", "snippet", "summary"]' valid
	tf-ui -op=validate -json <parsed >valid || true
	jq -e '.diagnostics[0] | has("told") or has("code") | not' valid
}

# bats test_tags=once
@test "-color: always also in a pipe, never, or on a terminal" {
	need script
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	tf plan -out=p >/dev/null
	esc=$(printf '\033')
	for command in 'tf plan' 'tf apply -auto-approve' 'tf validate' \
		'tf show p' 'tf-show p' 'tf-ui <p'; do
		set -- ${command%<*}
		input=/dev/null
		[[ $command != *'<'* ]] || input=${command#*<}
		"$@" -color=always <$input | grep -c "$esc"
		NO_COLOR=1 "$@" -color=always <$input | grep -c "$esc"
		TFPIPE_COLOR=always "$@" <$input | grep -c "$esc"
		for never in -color=never -color=auto -no-color; do
			"$@" "$never" <$input >seen
			run -1 grep "$esc" seen
		done
		TFPIPE_COLOR=always "$@" -no-color <$input >seen
		run -1 grep "$esc" seen
	done
	# diagnostics, too, and on a terminal
	echo 'output "x" { value = nothing.at.all }' >>main.tf
	run -1 tf plan -color=always
	[[ $output == *"$esc[31m"* ]]
	run -1 tf plan
	[[ $output != *"$esc"* ]]
	run -1 script -qec 'tf plan -color=auto' /dev/null </dev/null
	[[ $output == *"$esc[31m"* ]]
	run -1 script -qec 'tf plan -color=never' /dev/null </dev/null
	[[ $output != *"$esc"* ]]
	run -1 tf plan -color=sometimes
	[[ $output == *'-color is always, never or auto, not "sometimes"'* ]]
	run -1 tf plan -color=always -no-color
	[[ $output == *'-no-color is -color=never'* ]]
	run -1 tf-ui -color=sometimes <p
	run -1 tf-show -color=sometimes p
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
variable "e" {
  default   = "hush"
  ephemeral = true
}
check "e" {
  assert {
    condition     = var.e == "other"
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

@test "show -json: a provider block counts where the call passes that configuration, too" {
	mkdir -p m/n
	cat >main.tf <<-'EOF'
	provider "terraform" {}
	module "m" {
	  source    = "./m"
	  providers = { terraform = terraform }
	}
	EOF
	cat >m/main.tf <<-'EOF'
	provider "terraform" {}
	resource "terraform_data" "r" {}
	module "n" {
	  source = "./n"
	}
	EOF
	echo 'resource "terraform_data" "s" {}' >m/n/main.tf
	tf init >/dev/null
	tf plan -out=p >/dev/null
	[ "$(tf show -json p | jq -c '.configuration | .provider_config, (.root_module.module_calls.m.module
		| .resources[0].provider_config_key, .module_calls.n.module.resources[0].provider_config_key)')" = \
		'{"module.m:terraform":{"name":"terraform","full_name":"terraform.io/builtin/terraform","module_address":"module.m"},"terraform":{"name":"terraform","full_name":"terraform.io/builtin/terraform"}}
"module.m:terraform"
"module.m:terraform"' ]
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

# bats test_tags=once
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

# bats test_tags=once
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

# bats test_tags=once
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

@test "a state without outputs: said where they would be, but not to programs" {
	for c in output 'output x'; do
		run --separate-stderr ${TF_TEST_CLI:-tf} $c
		[ "$status" = 0 ]
		[[ $output == *"No outputs found"* ]]
		[ -z "$stderr" ]
	done
	run -0 ${TF_TEST_CLI:-tf} output -json
	[ "$output" = '{}' ]
	for form in -json -raw; do # tofu's -raw warns on the standard output
		[ $form = -json ] || [ "${TF_TEST_CLI:-tf}" = tf ] || continue
		run -1 --separate-stderr ${TF_TEST_CLI:-tf} output $form x
		[ -z "$output" ]
		[[ $stderr == *'Output "x" not found'* ]]
	done
}

# bats test_tags=once
@test "-state, -state-out and -backup go to the stages they belong to" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve -state=1.tfstate >/dev/null
	tf apply -auto-approve -state=1.tfstate -state-out=2.tfstate \
		-replace=terraform_data.a >/dev/null
	one=$(jq -e -r .resources[0].instances[0].attributes.id 1.tfstate)
	two=$(jq -e -r .resources[0].instances[0].attributes.id 2.tfstate)
	[ "$one" != "$two" ]
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

# bats test_tags=once
@test "sentences have the program's own name, what programs look for has OpenTofu's" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -no-color <<<yes >out
	grep -q '^tfpipe used the selected providers to generate' out
	grep -q '^tfpipe will perform the following actions:$' out
	grep -q '^  tfpipe will perform the actions described above\.$' out
	grep -q '^  # terraform_data\.a will be created$' out
	grep -q '^Plan: 1 to add, 0 to change, 0 to destroy\.$' out
	run -1 grep OpenTofu out
	tf plan -no-color >out
	grep -q '^No changes\. Your infrastructure matches' out
	grep -q '^tfpipe has compared your real infrastructure' out
	tf plan -json >out
	jq -e -s '.[0]."@message" == "OpenTofu 1.12.6"' out
	cat >main.tf <<-'TF'
	removed {
	  from = terraform_data.a
	  lifecycle { destroy = false }
	}
	TF
	tf plan -no-color >out
	grep -qF '# terraform_data.a will be removed from the OpenTofu state' out
	tf destroy -no-color <<<no >out || true
	grep -q 'tfpipe will destroy all your managed' out
}

@test "validate: what is valid is said in one line" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf validate -no-color >out
	printf 'Success! The configuration is valid.\n' | cmp - out
}

@test "validate: warnings, then what it came to" {
	warnings
	run -0 tf validate -no-color
	[[ $output == *"Warning: Missing lifecycle"*"
Success! The configuration is valid, but there were some validation warnings
as shown above." ]]
}

@test "show -json: no values where nothing is known, relevant attributes sorted" {
	mkdir m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "s" { count = 2 }
	output "o" { value = terraform_data.s[*].id }
	TF
	cat >main.tf <<-'TF'
	resource "terraform_data" "z" { input = "k" }
	resource "terraform_data" "y" {
	  input            = terraform_data.z.id
	  triggers_replace = terraform_data.z.output
	}
	module "m" { source = "./m" }
	output "x" { value = [terraform_data.y.id, terraform_data.a.id, module.m.o] }
	resource "terraform_data" "a" {}
	TF
	tf init >/dev/null
	tf plan -out=p >/dev/null
	tf show -json p >json
	[ "$(jq -c '[.planned_values.root_module.resources[] |
		[.address, has("values")]]' json)" = \
		'[["terraform_data.a",true],["terraform_data.y",false],["terraform_data.z",true]]' ]
	[ "$(jq -r '.relevant_attributes[] | .resource + " " +
		(.attribute | join("."))' json)" = 'module.m.terraform_data.s 
terraform_data.a id
terraform_data.y id
terraform_data.z id
terraform_data.z output' ]
}

@test "apply -json: what is moved, forgotten and made anew is told as moved" {
	cat >main.tf <<-'TF'
	variable "v" { default = 1 }
	resource "terraform_data" "a" {
	  triggers_replace = var.v
	  lifecycle { destroy = false }
	}
	TF
	tf apply -auto-approve >/dev/null
	sed -i 's/"a"/"b"/' main.tf
	printf '%s\n' 'moved {' 'from = terraform_data.a' \
		'to = terraform_data.b' '}' >>main.tf
	tf plan -json -var v=2 >events
	[ "$(jq -r 'select(.type == "planned_change") | .change |
		.action + " " + .reason' events)" = 'move cannot_update' ]
}

# bats test_tags=once
@test "apply -json: of a saved plan, what is only moved or imported is not told" {
	cat >main.tf <<-'TF'
	variable "v" { default = 1 }
	resource "terraform_data" "a" { input = var.v }
	resource "terraform_data" "b" {}
	TF
	tf apply -auto-approve >/dev/null
	cat >>main.tf <<-'TF'
	moved {
	  from = terraform_data.b
	  to   = terraform_data.c
	}
	import {
	  to = terraform_data.d
	  id = "x"
	}
	resource "terraform_data" "d" {}
	TF
	sed -i 's/"b"/"c"/' main.tf
	planned() {
		jq -r 'select(.type == "planned_change") | .change.action' \
			"$1" | xargs
	}
	tf plan -json -var v=2 -out=p >events
	[ "$(planned events)" = 'update move import' ]
	tf apply -json p >events
	[ "$(planned events)" = update ]
}

# bats test_tags=once
@test "apply -json: what a saved plan will do is told though it cannot be done" {
	cat >main.tf <<-'TF'
	variable "v" { type = string }
	resource "terraform_data" "a" { input = var.v }
	TF
	tf plan -var v=1 -out=p >/dev/null
	run -1 tf apply -json -var v=2 p
	[ "$(jq -r '.change.action // .diagnostic.severity // empty' \
		<<<"$output" | xargs)" = 'create error' ]
	# one that is not of this state says nothing of that
	tf apply -auto-approve -var v=1 >/dev/null
	run -1 tf apply -json p
	[ "$(jq -r '.change.action // .diagnostic.severity // empty' \
		<<<"$output" | xargs)" = error ]
}

@test "names are as wide as the longest has bytes, each padded by characters" {
	cat >main.tf <<-'TF'
	output "ü" { value = { "ü" = 1, c = 2 } }
	output "x" { value = 3 }
	TF
	run -0 tf plan -no-color
	[[ $output = *'
  + x  = 3
  + ü  = {
      + c  = 2
      + ü  = 1
    }
'* ]]
}

@test "show -json: a value is constant if no reference is needed to know it" {
	cat >main.tf <<-'TF'
	variable "v" { default = "x" }
	resource "terraform_data" "a" { input = true ? 1 : upper(var.v) }
	resource "terraform_data" "b" { input = false ? 1 : var.v }
	resource "terraform_data" "c" { input = [1][0] }
	resource "terraform_data" "d" { input = { k = "y${true ? 1 : var.v}" } }
	resource "terraform_data" "e" { input = try(1, var.v) }
	TF
	tf plan -out=p >/dev/null
	[ "$(tf show -json p | jq -c '.configuration.root_module.resources[] |
		.expressions.input')" = \
		'{"constant_value":1,"references":["var.v"]}
{"references":["var.v"]}
{"constant_value":1}
{"constant_value":{"k":"y1"},"references":["var.v"]}
{"references":["var.v"]}' ]
}

# bats test_tags=once
@test "a sensitive output is told where it is asked for by name or as JSON" {
	cat >main.tf <<'EOF2'
resource "terraform_data" "a" { input = "x" }
output "s" {
  value     = "hush-${terraform_data.a.output}"
  sensitive = true
}
EOF2
	run -0 tf apply -auto-approve -no-color
	[[ $output == *'s = <sensitive>'* && $output != *hush* ]]
	for command in output show \
		'apply -auto-approve -json -replace=terraform_data.a'; do
		run -0 tf $command
		[[ $output == *s* && $output != *hush* ]]
	done
	[ "$(tf output)" = 's = <sensitive>' ]
	[ "$(tf output s)" = '"hush-x"' ]
	tf output -json | jq -e '.s.sensitive and .s.value == "hush-x"'
	tf show -json | jq -e '.values.outputs.s.sensitive'
	tf plan -out=p >out
	tf show -json p | jq -e '.planned_values.outputs.s.sensitive'
}

@test "the copy of a plan that tf-ui keeps is for its owner alone" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	umask 022
	tf-plan -C . >stream
	tf-ui -op=plan -out=kept <stream >out
	[ "$(stat -c %a kept)" = 600 ]
}

# bats test_tags=once
@test "a null in a collection that becomes unknown is shown" {
	cat >main.tf <<-'END'
	resource "terraform_data" "u" { input = "x" }
	resource "terraform_data" "a" { input = [null, { k = null, l = "x" }] }
	END
	tf apply -auto-approve >/dev/null
	cat >main.tf <<-'END'
	resource "terraform_data" "u" { input = "y" }
	resource "terraform_data" "a" {
	  input = [terraform_data.u.output,
	           { k = terraform_data.u.output, l = "x" }]
	}
	END
	run -0 tf plan -no-color
	[[ $output == *'      ~ input  = [
          + (known after apply),
          ~ {
              + k = (known after apply)
                # (1 unchanged attribute hidden)
            },
        ]'* ]]
}

# A module of two resources that calls another one, its source in a variable.
configuration() {
	mkdir m
	echo 'variable "in" {}' >m/main.tf
	cat >main.tf <<-'TF'
	variable "dir" {
	  default = "./m"
	}
	module "m" {
	  source = var.dir
	  count  = 1
	  in     = terraform_data.b.id
	}
	resource "terraform_data" "b" {
	  input = "x"
	  provisioner "local-exec" {
	    command = "true"
	  }
	}
	output "o" {
	  value = 1
	}
	TF
}

@test "show -config: what the JSON of a plan has, without a plan" {
	configuration
	run -1 tf show -config -json
	[[ $output == *"Module not installed"* ]]
	tf init >/dev/null
	tf show -config -json >config
	[ "$(jq -c '.root_module.module_calls.m |
		[.source, .expressions, .module]' config)" = \
		'["./m",{"in":{"references":["terraform_data.b.id","terraform_data.b"]}},{"variables":{"in":{"required":true}}}]' ]
	tf plan -out=p >/dev/null
	tf show -json p | jq -S .configuration >planned
	jq -S . config | cmp - planned
	tf-show -config -json | cmp - config
	printf 'resource "terraform_date" "c" {}\n' >c.tf
	run -1 tf show -config -json
	[[ $output == *'Error: Invalid resource type'*'on c.tf line 1'* ]]
	rm ./*.tf
	run -1 tf show -config -json
	[[ $output == *"Error: No configuration files"* ]]
}

@test "show -module: one module for itself, whatever it calls" {
	configuration
	tf show -module=. -json >module
	[ "$(jq -cS .root_module module)" = '{"module_calls":{"m":{"source":"./m"}},"outputs":{"o":{}},"resources":[{"address":"terraform_data.b","mode":"managed","name":"b","provider_config_key":"terraform","provisioners":[{"type":"local-exec"}],"type":"terraform_data"}],"variables":{"dir":{"default":"./m"}}}' ]
	tf show -json -module="$PWD" | cmp - module
	[ "$(tf show -module=m -json)" = \
		'{"root_module":{"variables":{"in":{"required":true}}}}' ]
	run -1 tf show -module=n -json
	[[ $output == *"Error: Failed to read module directory"* ]]
}

@test "show shows one thing, in a form that there is" {
	local args
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve >/dev/null
	tf plan -out=p >/dev/null
	while IFS='|' read -r args summary; do
		# shellcheck disable=SC2086
		run -1 tf show $args
		[[ $output == *"Error: $summary"* ]] || { echo "$args"; false; }
	done <<-'END'
	-config|JSON output required for configuration
	-module=.|JSON output required for module
	-config -state x|JSON output required for configuration
	p p|Too many command line arguments
	-state terraform.tfstate|Unexpected command line arguments
	-plan=p p|Unexpected command line arguments
	-config -json p|Unexpected command line arguments
	-plan=p -state|Conflicting object types to show
	-config -module=. -json|Conflicting object types to show
	-json -json-into=x|Invalid output format
	-plan=terraform.tfstate|Failed to load "terraform.tfstate" as a plan
	END
	tf show >text
	for args in -state=false -config=false -module= -plan= -concise; do
		tf show "$args" | cmp - text
	done
}

# bats test_tags=once
@test "show: an object that does not fit its schema is not shown, in any form" {
	local cli=${TF_TEST_CLI:-tf} args
	echo 'resource "terraform_data" "a" { input = sensitive("secret") }' >main.tf
	"$cli" apply -auto-approve >/dev/null
	jq '.resources[0].instances[0].attributes.id = ["x"]' \
		terraform.tfstate >edited
	mv edited terraform.tfstate
	for args in show 'show -json'; do
		# shellcheck disable=SC2086
		run -1 "$cli" $args
		[ "$output" = 'Failed to marshal state to json: string is required' ]
	done
	run -1 "$cli" state show terraform_data.a
	[[ $output = *'Failed to marshal state to json'* ]]
	run -1 "$cli" plan -out=p
	run -1 "$cli" show -json p
	[ "$output" = 'Failed to marshal plan to json: error marshaling prior state: string is required' ]
	sed -i 's/"terraform_data"/"terraform_cat"/' terraform.tfstate
	for args in show 'show -json'; do
		# shellcheck disable=SC2086
		run -1 "$cli" $args
		[ "$output" = 'Failed to marshal state to json: no schema found for terraform_cat.a (in provider terraform.io/builtin/terraform)' ]
	done
}

@test "show -json-into: text, and JSON into a file" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve >/dev/null
	tf plan -out=p >/dev/null
	tf show -json-into=state | cmp - <(tf show)
	tf show -json | cmp - state
	tf show -json-into=plan -plan=p | cmp - <(tf show p)
	tf show -json p | cmp - plan
	cat p | tf show -json-into=piped - >/dev/null
	cmp plan piped
}

@test "show -json: functions of providers are references, behind all others" {
	cat >main.tf <<-'TF'
	terraform {
	  required_providers {
	    t = { source = "terraform.io/builtin/terraform" }
	  }
	}
	variable "v" { default = 1 }
	output "a" { value = [provider::t::encode_expr(upper(provider::t::encode_expr(1))), var.v] }
	output "b" { value = core::upper("x") }
	output "c" { value = provider::t::encode_expr(2) }
	TF
	tf init >/dev/null
	tf show -config -json >json
	[ "$(jq -c '.root_module.outputs[].expression' json)" = \
		'{"references":["var.v","provider::t::encode_expr","provider::t::encode_expr"]}
{}
{"references":["provider::t::encode_expr"]}' ]
}

# bats test_tags=once
@test "a rule leaves one column of the terminal free, a text as well" {
	command -v script >/dev/null || skip "script is not installed"
	echo 'output "o" { value = 1 }' >main.tf
	run -0 script -qec 'stty cols 60; tf plan -no-color' /dev/null </dev/null
	local rule
	rule=$(printf '─%.0s' {1..59})
	[[ $output == *$'\n'"$rule"$'\r\n'* ]]
	# as wide as where there is no terminal: wrapped the same
	run -0 script -qec 'stty cols 78; tf plan -no-color' /dev/null </dev/null
	local seen=${output//$'\r'/}
	run -0 tf plan -no-color
	[ "$output" = "$seen" ]
}

# bats test_tags=once
@test "a removed output whose name is no identifier is quoted" {
	echo 'output "o" { value = 1 }' >main.tf
	tf apply -auto-approve >/dev/null
	jq '.outputs["a b"] = { value: "q", type: "string" }' \
		terraform.tfstate >s
	cp s terraform.tfstate
	echo 'output "o" { value = 2 }' >main.tf
	run -0 tf plan
	[[ $output == *$'\n  - "a b" = "q" -> null\n  ~ o     = 1 -> 2\n'* ]]
}

@test "an event that cannot be read is an error, and leaves nothing in memory" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf-plan -C . 2>/dev/null | tf-apply -lock=false >done
	sed '/"record":"event"/s/"@message":"/&\\u0041/
		/"record":"event"/s/"hook"/"hook/' done >in
	for op in plan apply; do
		run -1 tf-ui -op=$op <in
		[[ $output == *"Error: Invalid input stream"* ]]
	done
}

#!/usr/bin/env bats
# The streams of all stages against the JSON Schema of records, and the rules
# of tf-stream(5) that no schema can say.

load common

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	schema=$TF_TEST_SRC/schema/tf-stream.schema.json
}

need_jsonschema() {
	local found=yes
	python3 -c 'import jsonschema; jsonschema.Draft202012Validator' \
		2>/dev/null || found=
	[ -n "$found" ] ||
		cannot 'python3 has no jsonschema with draft 2020-12'
}

# Checks each line of the files; says what is wrong with which, at most ten.
check() {
	python3 - "$schema" "$@" <<'PY'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
bad = 0
for name in sys.argv[2:]:
    for n, line in enumerate(open(name), 1):
        record = json.loads(line)
        for e in validator.iter_errors(record):
            bad += 1
            if bad <= 10:
                print(name, n, record.get("record"),
                      list(e.absolute_path), e.message[:300])
sys.exit(bad != 0)
PY
}

# The numbers of the lines that the schema has nothing against.
accepted() { # FILE
	python3 - "$schema" "$1" <<'PY'
import json, sys
import jsonschema
validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
for n, line in enumerate(open(sys.argv[2]), 1):
    if validator.is_valid(json.loads(line)):
        print(n)
PY
}

builtin='provider[\"terraform.io/builtin/terraform\"]'

# A configuration and a state with something of everything.
everything() {
	cat >main.tf <<'TF'
terraform {
  required_version = ">= 1.0"
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
  backend "local" {}
}
variable "list" {
  type        = list(object({ a = string, b = optional(number, 3) }))
  default     = [{ a = "x" }]
  description = "A list."
  validation {
    condition     = length(var.list) > 0
    error_message = "Empty."
  }
}
variable "fleeting" {
  ephemeral = true
  default   = "gone-with-the-wind"
}
variable "secret" {
  sensitive = true
  nullable  = false
  default   = "hush"
}
locals {
  big   = 123456789012345678901234567890
  set   = toset(["b", "a"])
  short = "${var.fleeting}!"
  inner = { p = var.secret }
}
resource "terraform_data" "each" {
  for_each = local.set
  input    = { k = each.key, s = var.secret }
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [triggers_replace]
    replace_triggered_by  = [terraform_data.now.input]
    precondition {
      condition     = var.secret != ""
      error_message = "Empty."
    }
  }
  connection {
    host = "localhost"
  }
  provisioner "local-exec" {
    when       = destroy
    on_failure = continue
    command    = "true"
  }
}
resource "terraform_data" "now" {
  input = 5
  provisioner "local-exec" { command = "echo hello" }
}
resource "terraform_data" "imported" {}
data "terraform_remote_state" "other" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [terraform_data.now]
}
module "m" {
  source = "./m"
  count  = 2
  v      = terraform_data.now.output
}
check "now" {
  assert {
    condition     = terraform_data.now.output == 7
    error_message = "It is ${terraform_data.now.output}."
  }
}
moved {
  from = terraform_data.then
  to   = terraform_data.now
}
removed {
  from = terraform_data.left
  lifecycle { destroy = false }
}
import {
  to = terraform_data.imported
  id = "some-id"
}
output "now" {
  value       = terraform_data.now.output
  description = "Now."
  precondition {
    condition     = var.secret != "x"
    error_message = "Is x."
  }
}
output "secret" {
  value     = var.secret
  sensitive = true
}
TF
	cat >now_override.tf <<'TF'
resource "terraform_data" "now" {
  input   =   6
}
TF
	echo '{"resource":{"terraform_data":{"j":{"input":"${local.set}"}}}}' \
		>j.tf.json
	mkdir -p m .terraform/modules
	cat >m/main.tf <<'TF'
variable "v" {}
resource "terraform_data" "x" { triggers_replace = var.v }
output "id" { value = terraform_data.x.id }
TF
	cat >.terraform/modules/modules.json <<'JSON'
{"Modules":[{"Key":"","Source":"","Dir":"."},
{"Key":"m","Source":"./m","Dir":"m"}]}
JSON
	cat >other.tfstate <<'JSON'
{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"o",
"outputs":{"q":{"value":"w","type":"string"}},"resources":[]}
JSON
	cat >terraform.tfstate <<JSON
{"version":4,"terraform_version":"1.5.0","serial":7,"lineage":"lin-1",
"outputs":{"was":{"value":1,"type":"number"}},"resources":[
{"mode":"managed","type":"terraform_data","name":"then",
 "provider":"$builtin","instances":[
 {"schema_version":0,"attributes":{"id":"i1","input":{"value":5,
  "type":"number"},"output":{"value":5,"type":"number"},
  "triggers_replace":null},"sensitive_attributes":[],"private":"AA=="},
 {"deposed":"abcd1234","schema_version":0,"attributes":{"id":"i2",
  "input":null,"output":null,"triggers_replace":null},
  "sensitive_attributes":[[{"type":"get_attr","value":"input"}]],
  "status":"tainted"}]},
{"mode":"managed","type":"terraform_data","name":"left",
 "provider":"$builtin","instances":[
 {"schema_version":0,"attributes":{"id":"i3"},"sensitive_attributes":[]}]}],
"check_results":[{"object_kind":"check","config_addr":"check.now",
 "status":"pass","objects":[{"object_addr":"check.now","status":"pass"}]}]}
JSON
	tf-init >/dev/null
}

stages() {
	tf-parse -json >1
	tf-eval -json <1 >2
	tf-graph -json <2 >3
	tf-plan -json <3 >4
	tf-apply -json <4 >5
}

# bats test_tags=once
@test "what all stages write is as the schema says" {
	need_jsonschema
	everything
	stages
	[ "$(tail -n 1 5)" = '{"record":"end","failed":false}' ]
	check 1 2 3 4 5
	tf-parse | tf-graph -destroy | tf-plan -json | tf-apply -json >6
	[ "$(tail -n 1 6)" = '{"record":"end","failed":false}' ]
	check 6
}

# bats test_tags=once
@test "the streams of failures are, too" {
	need_jsonschema
	echo 'resource "terraform_data" "a" { input = nope.x }' >main.tf
	run -1 tf-parse -json
	echo "$output" >1
	cat >main.tf <<'TF'
variable "v" { default = "x" }
resource "terraform_data" "a" { input = var.v + 1 }
resource "terraform_data" "b" {
  provisioner "local-exec" { command = "exit 3" }
}
TF
	tf-parse | tf-plan -json >2 || true
	echo 'resource "terraform_data" "b" {
  provisioner "local-exec" { command = "exit 3" }
}' >main.tf
	tf-parse | tf-plan | tf-apply -json >3 || true
	for i in 1 2 3; do
		[ "$(tail -n 1 $i)" = '{"record":"end","failed":true}' ]
		grep -q '^{"record":"diagnostic","severity":"error"' $i
	done
	grep -q '"type":"provision_errored"' 3
	check 1 2 3
}

# bats test_tags=once
@test "the schema describes what is written, and the manual too" {
	everything
	stages
	# every kind that was written is in both
	kinds=$(jq -r .record 5 | sort -u)
	[ "$(wc -w <<<"$kinds")" -gt 30 ]
	for kind in $kinds; do
		jq -e --arg k "record_$kind" '."$defs"[$k]' "$schema" >defined ||
			{ echo "schema: no $kind"; false; }
	done
	# and the manual has all kinds of the schema
	kinds=$(jq -r '."$defs" | keys[] | select(startswith("record_"))
			| ltrimstr("record_")' "$schema")
	[ "$(wc -w <<<"$kinds")" -gt 30 ]
	for kind in $kinds; do
		grep -q "^\.It Li $kind\$" "$TF_TEST_SRC/man/tf-stream.5" ||
			{ echo "manual: no $kind"; false; }
	done
}

# bats test_tags=once
@test "the schema refuses broken records" {
	need_jsonschema
	everything
	stages
	while read -r kind change; do
		grep -m 1 "^{\"record\":\"$kind\"" 5 >one
		[ -s one ] || { echo "no $kind"; false; }
		cat one >>good
		jq -c "$change" one >>bad
		echo "$kind: $change" >>changes
	done <<'X'
header .version = 2
stage del(.tool)
end .failed = "no"
source del(.text)
module .dir = 1
variable .nullable = "yes"
variable .extra = 1
local del(.value)
local .at = "main.tf:1"
output .value.references = "x"
resource .mode = "other"
resource .body.blocks = {}
resource .provisioners = [{}]
module_call .providers = {}
check .asserts[0].condition = "x"
moved del(.from)
variable_value .ephemeral = true
variable_value del(.value)
local_value .value = 5
expansion .enabled = true
state .serial = "7"
previous_run_state del(.provider)
previous_output .value.unknown = [{}]
options .mode = "all"
node .kind = "thing"
edge del(.to)
plan .errored = 0
plan .variables.x = 1
schema del(.block)
prior_state .gone = true
resource_change .change.actions = []
resource_change .change.actions = ["explode"]
planned .action = "delete,create"
planned .provider = "terraform"
output_change del(.planned)
check_result .status = "maybe"
event del(."@message")
state_written .serial = -1
X
	[ "$(wc -l <bad)" = 38 ]
	check good
	accepted bad >those
	[ ! -s those ] || { sed -n "$(sed 's/$/p/' those)" changes; false; }
}

# bats test_tags=once
@test "kinds that nobody knows are allowed, and passed on" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	note='{"record":"x-note","text":"  as it was\u0021", "n":1.0}'
	tf-parse >1
	{ head -n 1 1; echo "$note"; tail -n +2 1; } >in
	tf-eval <in | tf-graph | tf-plan | tf-apply >out
	[ "$(grep -cxF "$note" out)" = 1 ]
	need_jsonschema
	check in out
	echo '{"record":""}' >bad
	run -1 check bad
	echo '{"address":"a"}' >bad
	run -1 check bad
}

@test "each stage passes on what it read byte for byte, before its own" {
	everything
	stages
	for i in 1 2 3 4; do
		sed '$d' $i >before
		n=$(wc -l <before)
		head -n $n $((i + 1)) | cmp - before
		sed -n "$((n + 1))p" $((i + 1)) >own
		grep '^{"record":"stage"' own
	done
}

@test "ephemeral values never enter a stream" {
	everything
	sed -i '/default   = "gone-with-the-wind"/d' main.tf
	v='fleeting=gone-with-the-wind'
	tf-parse | tf-eval -var "$v" | tf-graph | tf-plan -var "$v" |
		tf-apply -var "$v" >out
	[ "$(tail -n 1 out)" = '{"record":"end","failed":false}' ]
	run -1 grep -c gone-with-the-wind out terraform.tfstate
	grep -q '"address":"var.fleeting","source":"cli","ephemeral":true' out
}

# What stages write to a terminal: script(1) makes one.
on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

# bats test_tags=once
@test "on a terminal what is sensitive is not shown, passed on or made" {
	need script
	cat >main.tf <<'TF'
variable "s" {
  type      = string
  sensitive = true
}
locals { l = "local-${var.s}" }
resource "terraform_data" "a" { triggers_replace = { x = [var.s, 1] } }
output "o" {
  value     = local.l
  sensitive = true
}
TF
	export TF_VAR_s=hush-1
	tf apply -auto-approve >/dev/null
	export TF_VAR_s=hush-2
	tf-parse >1
	tf-eval <1 >2
	tf-graph <2 >3
	tf-plan <3 >4
	grep -q hush-2 2
	grep -q hush-1 3
	for stage in 'tf-eval <1' 'tf-graph <2' 'tf-plan -records -refresh=false <3' \
		'tf-apply -records <4'; do
		on_terminal "$stage" >seen
		grep -q '"record":"end","failed":false' seen
		run -1 grep hush seen
		grep -q '(sensitive value)' seen
	done
	# asked for, or not to a terminal: as it is
	on_terminal 'tf-graph -show-sensitive <2' | grep hush-2
	on_terminal 'tf-graph <2 | cat' | grep hush-2
}

# bats test_tags=once
@test "at a terminal tf-plan and tf-apply show text, into pipes and files records" {
	need script
	cat >main.tf <<'TF'
variable "s" {
  default   = "hush"
  sensitive = true
}
resource "terraform_data" "a" { input = var.s }
check "c" {
  assert {
    condition     = terraform_data.a.id == "y"
    error_message = "never so"
  }
}
TF
	on_terminal 'NO_COLOR=1 tf-plan -C .' >seen
	NO_COLOR=1 tf plan | sed '/^───/,$d' >shown # but for what to do next
	diff -B shown seen
	run -1 grep hush seen
	on_terminal 'tf-plan -C . -records 2>/dev/null' | jq -es '.[-1].record == "end"'
	on_terminal 'tf-plan -C . -json' | jq -es 'any(.[]; .record == "diagnostic")'
	tf-plan -C . | jq -es '.[-1].record == "end"'
	tf-plan -C . -display >shown 2>err
	[ ! -s err ]
	[ "$(grep -c 'assertion known after' shown)" = 1 ]
	grep '^Plan: 1 to add' shown
	# the end of a pipe shows the plan, who applies a file has seen it
	on_terminal 'NO_COLOR=1; export NO_COLOR; tf-plan -C . | tf-apply; echo "status $?"' >seen
	[ "$(grep -oE '^(Plan: 1|.*Creating|.*Creation complete|Apply complete|status 0)' seen |
		tr '\n' ',')" = 'Plan: 1,terraform_data.a: Creating,terraform_data.a: Creation complete,Apply complete,status 0,' ]
	[ "$(grep -c 'assertion failed' seen)" = 1 ]
	run -1 grep hush seen
	tf-plan -C . -destroy >saved
	on_terminal 'NO_COLOR=1 tf-apply <saved' >seen
	grep -q 'Destruction complete' seen
	run -1 grep 'Plan:' seen
}

# bats test_tags=once
@test "at a terminal the exit status is the stage's, and errors are told once" {
	need script
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	run -2 on_terminal 'tf-plan -C . -detailed-exitcode'
	run -0 on_terminal 'tf-plan -C . -validate'
	[[ $output == *'The configuration is valid'* ]]
	echo 'output "x" { value = nothing.at.all }' >>main.tf
	run -1 on_terminal 'tf-plan -C .'
	[ "$(grep -c 'Reference to undeclared resource' <<<"$output")" = 1 ]
	run -1 on_terminal 'tf-parse | tf-eval | tf-graph | tf-plan | tf-apply'
	[ "$(grep -c 'Reference to undeclared resource' <<<"$output")" = 1 ]
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "exit 3" }
}
TF
	run -1 on_terminal 'tf-plan -C . | tf-apply'
	[ "$(grep -c 'local-exec provisioner error' <<<"$output")" = 1 ]
	run -1 tf-plan -C . -records -display
	[[ $output == *'use only one of them'* ]]
}

# The status line, which is written dim and leaves the cursor at its beginning.
status_lines() {
	awk -v esc="$(printf '\033')" 'index($0, esc "[2m") { n++ } END { print n + 0 }'
}

# bats test_tags=once
@test "a terminal has a line of what is at work, nothing else has" {
	need script
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  count = 2
  provisioner "local-exec" { command = "sleep ${1 + count.index * 0.3}" }
}
resource "terraform_data" "b" { input = terraform_data.a[0].id }
TF
	tf-plan -C . >p
	export TERM=xterm
	on_terminal 'tf-apply <p' >seen
	grep -q 'applying 0/3  terraform_data.a\[.\] creating [0-9]s' seen
	# it goes before anything else
	esc=$(printf '\033')
	run -1 grep -E "$esc\[2m[^$esc]*$esc\[0m([^$esc]|$esc\[[^J]|\$)" seen
	# without it there is what there is elsewhere
	sed "s/$esc\[J//g; s/$esc\[2m[^$esc]*$esc\[0m//g; s/$esc\[[0-9;]*m//g" seen |
		sed 's/id=[^]]*//; s/after [0-9]*s//' | sort >cleaned
	tf destroy -auto-approve >/dev/null
	tf-plan -C . | tf-apply | tf-ui -op=apply >piped
	[ "$(status_lines <piped)" = 0 ]
	sed 's/id=[^]]*//; s/after [0-9]*s//' piped | sort | diff - cleaned
	for command in 'TERM=dumb tf-apply' 'tf-apply -records' \
		'tf-apply -display | cat' 'tf-apply | tf-ui -json'; do
		tf destroy -auto-approve >/dev/null
		tf-plan -C . >p
		on_terminal "cat p | { $command; }" >seen
		grep -q 'terraform_data.b' seen
		[ "$(status_lines <seen)" = 0 ] || { echo "$command"; false; }
	done
}

@test "at a terminal an apply that took long names what was slowest" {
	need script
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  for_each = toset(["1", "3.2"])
  provisioner "local-exec" { command = "sleep ${each.key}" }
}
TF
	export TERM=xterm
	on_terminal 'tf apply -auto-approve' >seen
	sed '1,/^Slowest:/d' seen >slowest
	# a busy machine adds to both
	[ "$(sed 's/^ *[0-9]*s  //' slowest | tr '\n' ',')" = \
		'terraform_data.a["3.2"] (creating),terraform_data.a["1"] (creating),' ]
	read -r first _ <slowest
	[ "${first%s}" -ge 3 ]
}

@test "a stream that failed says so wherever it is rendered" {
	echo 'output "x" { value = ' >main.tf
	run -1 bash -o pipefail -c 'tf-parse | tf-eval | tf-graph | tf-plan | tf-show'
	[ "$(grep -c 'Invalid expression' <<<"$output")" = 1 ] # told once
	[[ $output == *'No plan in the stream'* && $output != *'No changes'* ]]
	# saved, it still says why
	run tf-parse -C .
	[ "$status" = 1 ]
	tf-parse -C . >saved 2>/dev/null || true
	run -1 tf-show saved
	[[ $output == *'Invalid expression'*'No plan in the stream'* ]]
	run -1 tf-show -json saved
	[[ $output == *'No plan in the stream'* && $output != *format_version* ]]
	run -1 tf-show -detailed-exitcode saved
	# what fails behind a plan
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "exit 3" }
}
TF
	tf-plan -C . 2>err | tf-apply >applied 2>>err || true
	run -1 tf-show applied
	[[ $output == *'local-exec provisioner error'* ]]
	# or before it
	cat >main.tf <<'TF'
variable "x" { default = 1 }
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.x == 2
      error_message = "never so"
    }
  }
}
TF
	tf-plan -C . >planned 2>/dev/null || true
	run -1 tf-show planned
	[[ $output == *'never so'* && $output != *'No changes'* ]]
	run -1 tf-show -json planned
}

@test "a stage without input says which stage writes it" {
	for stage in tf-eval tf-graph tf-plan 'tf-apply -C .'; do
		run -1 --separate-stderr $stage </dev/null
		[[ $stderr = *'Error: No input'*'"tf-plan -C . | tf-apply"'* ]]
	done
}

# bats test_tags=once
@test "a record that cannot be read: the stream ends after it, with the reason" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf-parse | tf-eval >stream
	jq -c 'if .record == "resource" then .body = 1 else . end' stream >bad
	for stage in 'tf-plan -validate' tf-graph tf-plan; do
		run -1 --separate-stderr $stage <bad
		[ "$(jq -c 'select(.record == "header" or .failed)' \
			<<<"$output" | wc -l)" = 2 ]
		jq -en 'any(inputs; .severity? == "error")' <<<"$output"
	done
	run -1 --separate-stderr tf-graph <<<garbage
	[[ ${lines[0]} = '{"record":"header"'* ]]
}

@test "each member of a planned record is of its kind" {
	local edit

	echo 'resource "terraform_data" "a" {}' >main.tf
	tf-plan -C . -seal=false >plan
	for edit in required_replace={} 'required_replace=[1]' dependencies={} \
		'dependencies=[1]' 'planned_private="*"' 'planned_identity=[]' \
		'action="go"' 'provider="x"' 'address="x"' 'previous_address="x"'; do
		jq -c "if .record == \"planned\" then .$edit else . end" plan >edited
		run -1 tf-apply <edited
		[[ $output == *"has an invalid \"${edit%%=*}\""* ]] || {
			echo "$edit: $output"
			return 1
		}
	done
}

@test "a stream without a plan is no plan without changes" {
	echo 'output "x" { value = 1 }' >main.tf
	tf-parse -C . >parsed
	for option in -no-color -json -detailed-exitcode; do
		run -1 tf-show $option parsed
		[[ $output == *'has been through tf-parse, and not through tf-plan'* ]]
	done
	tf-plan -C . >planned
	run -0 tf-show planned
	run -2 tf-show -detailed-exitcode planned
}

@test "what a stage has told a person is not told again, to others it is" {
	cat >main.tf <<'TF'
variable "x" { default = 1 }
check "c" {
  assert {
    condition     = var.x == 2
    error_message = "a warning"
  }
}
TF
	tf-plan -C . >planned 2>err
	[ "$(grep -c 'a warning' err)" = 1 ]
	jq -es 'any(.[]; .record == "diagnostic" and .told)' planned
	tf-plan -C . -json >quiet 2>err
	[ ! -s err ]
	run -0 bash -o pipefail -c 'tf-plan -C . | tf-ui -op=plan'
	[ "$(grep -c 'a warning' <<<"$output")" = 1 ]
	run -0 bash -o pipefail -c 'tf-plan -C . 2>/dev/null | tf-ui -op=plan'
	[ "$(grep -c 'a warning' <<<"$output")" = 1 ]
	run -0 bash -o pipefail -c 'tf-plan -C . | tf-ui -op=plan -json'
	run -1 grep told <<<"$output"
}

@test "jq without -c is recognised" {
	echo 'output "x" { value = 1 }' >main.tf
	tf-plan -C . | jq . >spread
	run -1 tf-apply <spread
	[[ $output == *'jq writes with -c'* ]]
	run -1 tf-show spread
	[[ $output == *'jq writes with -c'* ]]
}

@test "a full disk under the output is a failure" {
	[ -c /dev/full ] || cannot "there is no /dev/full"
	echo 'output "o" { value = 1 }' >main.tf
	for stage in tf-parse 'tf-plan -C .' 'tf-eval -C .' 'tf-graph -C .'; do
		run -1 sh -c "$stage >/dev/full"
		[[ $output == *'Failed to write the output'* ]]
	done
}

#!/usr/bin/env bats
# One language for what is asked of records: tf-select, -deny, -select.

load common

jq_itself

setup_file() {
	without_leak_checks
	cd "$BATS_FILE_TMPDIR"
	mkdir db
	cat >main.tf <<'TF'
variable "secret" {
  default   = "hunter2"
  sensitive = true
}
variable "s" { default = 1 }
resource "terraform_data" "a" {
  for_each = toset(var.s == 1 ? ["x", "y"] : ["x"])
  input    = { k = each.key, s = var.secret }
}
resource "terraform_data" "b" {
  input = "v${var.s}"
}
resource "terraform_data" "r" {
  input            = "z"
  triggers_replace = var.s
}
resource "terraform_data" "c" {
  count = var.s - 1
  input = "z"
}
resource "terraform_data" "d" {
  count = var.s - 1
  input = terraform_data.c[0].id
}
module "db" {
  source = "./db"
  s      = var.s
}
output "o" { value = terraform_data.b.output }
TF
	cat >db/main.tf <<'TF'
variable "s" {}
resource "terraform_data" "m" {
  count = 3 - var.s
  input = "q"
}
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf-plan -C . -var s=2 >plan
}

# Destroys a["y"] and m[1], updates b, replaces r, creates c[0] and d[0].
setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$BATS_FILE_TMPDIR"/. .
}

selects() { # EXPR [ADDRESS...]
	local expr=$1
	shift
	printf '%s\n' "$@" >want
	run -0 --separate-stderr tf-select -l "$expr" plan
	diff want - <<<"$output"
}

# bats test_tags=once
@test "the examples select what they say" {
	selects 'action == "delete"' 'terraform_data.a["y"]' \
		'module.db.terraform_data.m[1]'
	selects 'action == "delete" && startswith(address, "module.db")' \
		'module.db.terraform_data.m[1]'
	selects 'change.before.input != change.after.input && action == "update"' \
		terraform_data.b
	selects 'before.input == "v1" && after.input == "v2"' terraform_data.b
	selects 'action == "replace"' terraform_data.r
	selects 'contains(actions, "delete")' 'terraform_data.a["y"]' \
		terraform_data.r 'module.db.terraform_data.m[1]'
	selects 'reason == "delete_because_each_key"' 'terraform_data.a["y"]'
	selects 'sensitive' 'terraform_data.a["x"]' 'terraform_data.a["y"]'
	selects 'module == "module.db" && index == 0' \
		'module.db.terraform_data.m[0]'
	selects 'index == "x"' 'terraform_data.a["x"]'
	selects '!known && action == "create"' 'terraform_data.c[0]' \
		'terraform_data.d[0]'
	selects 'try(anytrue([for k, v in before : v == "v1"]), false)' \
		terraform_data.b
}

@test "-p prints a line for each that is selected, a list as fields" {
	prints() { # OF EXPR SELECT LINE...
		printf '%s\n' "${@:4}" >want
		run -0 --separate-stderr tf-select -of="$1" -p "$2" "$3" plan
		diff want - <<<"$output"
	}
	prints resource_change '[action, address, reason]' \
		'contains(actions, "delete")' \
		$'delete\tterraform_data.a["y"]\tdelete_because_each_key' \
		$'replace\tterraform_data.r\treplace_because_cannot_update' \
		$'delete\tmodule.db.terraform_data.m[1]\tdelete_because_count_index'
	prints resource_change '[before.input, after.input, deposed]' \
		'name == "b"' $'v1\tv2\t'
	prints resource_change '"a\tb\r\nc\\"' 'name == "b"' 'a\tb\r\nc\'
	prints resource_change '[1, true, [1, "x"], {a = "\t"}, toset(["y", "x"])]' \
		'name == "b"' $'1\ttrue\t[1,"x"]\t{"a":"\\t"}\t["x","y"]'
	prints resource_change 'change.replace_paths' 'name == "r"' \
		'["triggers_replace"]'
	prints resource_change '[name, after.id, [after.id], before]' 'name == "c"' \
		$'c\tunknown\tunknown\t'
	prints resource_change 'after.id' 'name == "c"' unknown
	prints resource_change 'null' 'name == "c"' ''
	prints output_change 'before' true v1
	# nothing of what ends badly
	head -n -1 plan >cut
	run -2 --separate-stderr tf-select -p address true cut
	[ -z "$output" ]
	run -1 --separate-stderr tf-select -p address false plan
	[ -z "$output" ]
	run -2 tf-select -p 'lower(deposed)' true plan
	[[ "$output" == *'on -p line 1'*'must not be null'* ]]
	[[ "$output" == *'with terraform_data.a["x"]'* ]]
	run -2 tf-select -p adress true plan
	[[ "$output" == *'Did you mean "address"?'* ]]
	# an empty column is seen: nothing is said of what no object has
	prints resource_change '[name, after.tgas]' 'name == "b"' $'b\t'
	[ -z "$stderr" ]
	run -2 tf-select -p address -l true plan
	[[ "$output" == *'Incompatible options'* ]]
}

@test "-p hides what is sensitive, unless it is told to show it" {
	run -0 --separate-stderr tf-select -p \
		'[index, before.input.s, before.input, "x${before.input.s}"]' \
		'action == "delete" && name == "a"' plan
	[ "$output" = $'y\tsensitive\tsensitive\tsensitive' ]
	run -0 tf-select -p '[for x in [before.input.s] : x]' 'index == "y"' plan
	[ "$output" = sensitive ]
	for of in previous_run_state event output_change; do
		run -0 tf-select -of=$of -p '[self]' true plan
		[[ "$output" != *[{:]* ]]
	done
	run -0 tf-select -of=previous_run_state -p '[values.input, attributes]' \
		true plan
	[[ "$output" != *hunter2* ]]
	run -0 tf-select -show-sensitive -p before.input.s 'index == "y"' plan
	[ "$output" = hunter2 ]
	run -0 tf-select -show-sensitive -of=previous_run_state \
		-p '[address, values.input]' 'name == "b"' plan
	[ "$output" = $'terraform_data.b\tv1' ]
}

@test "the configuration and its graph are asked, by the members of their records" {
	asks() { # OF EXPR SELECT LINE...
		printf '%s\n' "${@:4}" >want
		tf-select -of="$1" -p "$2" "$3" plan >got
		diff want got
	}
	asks variable '[address, name, module, self.default.constant_value]' \
		'self.sensitive == true' $'var.secret\tsecret\t\thunter2'
	asks module_call,output '[record, split(":", at)[0], address]' true \
		$'output\tmain.tf\toutput.o' $'module_call\tmain.tf\tmodule.db'
	tf-graph -C . -json >plan
	asks edge '[self.from, self.to]' 'self.to == "terraform_data.b"' \
		$'output.o\tterraform_data.b'
	asks node self.kind 'address == "output.o"' output
	asks resource 'self.count.expr' 'name == "m"' '3 - var.s'
	cat >check.tf <<-'TF'
	check "c" {
	  assert {
	    condition     = var.s == 1
	    error_message = "It is not."
	  }
	}
	terraform {
	  required_providers {
	    random = { source = "hashicorp/random", version = "~> 3.0" }
	  }
	}
	TF
	tf-plan -C . -var s=2 >plan 2>/dev/null || true
	tf-parse >plan
	asks required_provider '[name, provider, self.version]' true \
		$'random\tregistry.opentofu.org/hashicorp/random\t~> 3.0'
	sed -i '/^terraform/,$d' check.tf
	tf-plan -C . -var s=2 >plan 2>/dev/null
	asks check_result '[address, status]' 'status != "pass"' $'check.c\tfail'
	asks diagnostic 'self.summary' 'self.severity == "warning"' \
		'Check block assertion failed'
	run -2 tf-select -of=varable -q true plan
	[[ "$output" == *'Did you mean "variable"?'* ]]
}

@test "addresses are matched as -target does it" {
	selects 'matches(address, "module.db")' 'module.db.terraform_data.m[0]' \
		'module.db.terraform_data.m[1]'
	selects 'matches(address, "module.*.terraform_*.m[*]")' \
		'module.db.terraform_data.m[0]' 'module.db.terraform_data.m[1]'
	selects 'matches(address, "terraform_data.a[\"x\"]")' \
		'terraform_data.a["x"]'
	selects 'matches(address, "terraform_data.c")' 'terraform_data.c[0]'
	run -2 tf-select -l 'matches(address, "module.*[")' plan
	[[ "$output" == *"this is no pattern of addresses"* ]]
}

@test "the exit status is that of grep" {
	run -0 tf-select -c 'action == "delete"' plan
	[ "$output" = 2 ]
	run -1 tf-select -c 'action == "read"' plan
	[ "$output" = 0 ]
	run -0 tf-select -q true plan
	[ -z "$output" ]
	run -1 tf-select -v -q true plan
	[ -z "$output" ]
	run -0 tf-select -v -c 'action == "no-op"' plan
	[ "$output" = 6 ]
	run -1 tf-select -l false plan
	[ -z "$output" ]
	run -2 tf-select -c -q true plan
	run -2 tf-select
	run -2 tf-select true plan more
	run -2 tf-select true nothing
	run -0 tf select -q true plan
	run -2 tf select -q nme plan
}

@test "what is wrong with an expression is said before anything is asked" {
	run -2 tf-select -q 'acton == "delete"' plan
	[[ "$output" == *'"acton". Did you mean "action"?'* ]]
	[[ "$output" == *'on EXPR line 1'* ]]
	run -2 tf-select -q 'false && acton == "delete"' plan
	run -2 tf-select -q 'change.befor == null' plan
	[[ "$output" == *'"befor". Did you mean "before"?'* ]]
	run -2 tf-select -q 'action == "destroy"' plan
	[[ "$output" == *'none of the words of action'* ]]
	run -2 tf-select -q '!("manged" != mode)' plan
	[[ "$output" == *'none of the words of mode'*'Did you mean'* ]]
	run -2 tf-select -q 'contains(actions, "replace")' plan
	run -2 tf-select -q 'record == "event"' plan
	[[ "$output" == *'-of=KIND'* ]]
	run -2 tf-select -q 'action ==' plan
	run -2 tf-select -q '' plan
	run -2 tf-select -of=evnt -q true plan
	[[ "$output" == *'Did you mean "event"?'* ]]
}

@test "no function reads files, the clock or chance" {
	for call in 'file("plan")' 'fileexists("plan")' 'timestamp()' 'uuid()' \
		'templatefile("plan", {})' 'plantimestamp()' 'abspath("x")' \
		'core::file("plan")' 'filesha256("plan")' 'pathexpand("~")' \
		'bcrypt("x")' 'fileset(".", "*")'; do
		run -2 tf-select -q "$call == null" plan
		[[ "$output" == *'Function not available'* ]]
	done
	run -2 tf-select -q 'templatestring(address, {}) == file("plan")' plan
	run -2 tf-select -q 'fil("x") == null' plan
	[[ "$output" == *'unknown function'* ]]
}

@test "a condition is true or false" {
	run -2 tf-select -q address plan
	[[ "$output" == *'neither true nor false'* ]]
	run -2 tf-select -q null plan
	[[ "$output" == *'neither true nor false'* ]]
	run -2 tf-select -q 'lower(deposed) == "x"' plan
	[[ "$output" == *'must not be null'* ]]
	[[ "$output" == *'with terraform_data.a["x"]'* ]]
}

@test "an attribute that no object has is told" {
	run -1 tf-select -q 'after.tgas != null' plan
	[[ "$output" == *'has an attribute "tgas"'* ]]
	run -1 tf-select -q 'change.before.tgas.x[0]["y"] != null' plan
	[[ "$output" == *'has an attribute "tgas"'* ]]
	run -0 --separate-stderr tf-select -q 'after.triggers_replace == "2"' plan
	[ -z "$stderr" ]
}

@test "what is not known counts as true, whichever way it is asked" {
	run -0 tf-select -q 'action == "create" && after.id == "x"' plan
	[[ "$output" == *'Not known before the apply'* ]]
	[[ "$output" == *'terraform_data.c[0], terraform_data.d[0]'* ]]
	run -0 tf-select -v -q 'action != "create" || after.id == "x"' plan
	[[ "$output" == *'Not known before the apply'* ]]
	run -1 --separate-stderr tf-select -q 'after.id == "x" && false' plan
	[ -z "$stderr" ]
}

@test "secrets are compared and not shown" {
	run -0 tf-select -c 'before.input.s == "hunter2"' plan
	[ "$output" = 2 ]
	for expr in 'before.input.s' 'lower(before.input.s)' \
		'[before.input.s]' 'before.input.s + 1 == 2' \
		'tonumber(before.input.s) == 1' 'before.input == 1 ? 1 : null'; do
		run -2 tf-select -q 'before.input.s != null && '"($expr)" plan
		[[ "$output" != *hunter2* ]]
	done
	run -2 tf-select -of=previous_run_state -q 'values.input.s + 1 == 2' plan
	[[ "$output" != *hunter2* ]]
	run -2 tf-select -of=previous_run_state -q 'values' plan
	[[ "$output" != *hunter2* ]]
}

@test "other records are asked with -of" {
	run -0 tf-select -c -of=event 'type == "refresh_complete" && name == "m"' plan
	[ "$output" = 2 ]
	run -0 tf-select -l -of=output_change 'action == "update"' plan
	[ "$output" = output.o ]
	run -0 tf-select -l -of=resource_change,output_change \
		'record == "output_change" || action == "replace"' plan
	[ "$output" = terraform_data.r$'\n'output.o ]
	run -0 tf-select -l -of=previous_run_state \
		'values.input == "q" && index == 1 && type == "terraform_data"' plan
	[ "$output" = 'module.db.terraform_data.m[1]' ]
	run -0 bash -o pipefail -c "tf-parse | tf-select -c -of=resource \
		'module == \"module.db\" && mode == \"managed\"'"
	[ "$output" = 1 ]
	run -1 tf-select -c -of=resource_drift true plan
}

@test "nothing is left out but changes of resources and events" {
	for kind in resource previous_run_state prior_state output_change \
		resource_drift resource_change,resource; do
		run -2 tf-select -of=$kind true plan
		[[ "$output" == *'Only changes of resources and events'* ]]
	done
	tf-select -of=event false plan >part || [ $? = 1 ]
	run -1 grep '"record":"event"' part
	run -0 tf-show part
}

@test "a stream without a plan has no changes that could be asked" {
	run -2 bash -o pipefail -c 'tf-parse | tf-select -c true'
	[[ "$output" == *'No plan in the stream'* ]]
	run -2 bash -o pipefail -c 'tf-graph -C . | tf-select -q false'
	[[ "$output" == *'No plan in the stream'* ]]
	run -2 bash -o pipefail -c 'tf-plan -C . -validate | tf-select -q false'
}

@test "nothing found is never said of input that failed or was cut" {
	for form in -q -c -l -v ''; do
		run -2 bash -o pipefail -c "tf-plan -C nothing -json | tf-select $form false"
		head -n -1 plan >cut
		run -2 tf-select $form false cut
		[[ "$output" == *'Incomplete input stream'* ]]
		head -c -30 plan >cut
		run -2 tf-select $form false cut
		run -2 tf-select $form false /dev/null
		[[ "$output" == *'No input'* ]]
		sed 's/"failed":false/"failed":true/' plan >failed
		run -2 tf-select $form false failed
		echo '{"format_version":"1.2"}' >json
		run -2 tf-select $form false json
	done
	echo 'resource "terraform_data" "bad" { input = nothing }' >bad.tf
	run -2 bash -o pipefail -c 'tf-plan -C . -json | tf-select -q false'
}

@test "a failed stage is passed on as such" {
	sed 's/"failed":false/"failed":true/' plan >failed
	tf-select true failed >out || [ $? = 2 ]
	[ "$(tail -n1 out)" = '{"record":"end","failed":true}' ]
	tf-select 'lower(deposed) == "x"' plan >out 2>/dev/null || [ $? = 2 ]
	[ "$(tail -n1 out)" = '{"record":"end","failed":true}' ]
	run -1 tf-apply <out
	head -n -1 plan >cut
	tf-select true cut >out 2>/dev/null || [ $? = 2 ]
	run -1 tf-apply <out
}

@test "what is left is a plan: changes go with their planned records" {
	need jq
	tf-select 'action == "delete"' plan >part
	[ "$(jq -r 'select(.record == "resource_change" or .record == "planned")
		.address' part | sort | uniq -c | awk '{ print $1 }' | tr -d '\n')" = 22 ]
	grep -vE '"record":"(resource_change|planned|selection)"' part >rest
	grep -vE '"record":"(resource_change|planned)"' plan | diff - rest
	[ "$(grep '"record":"selection"' part)" = '{"record":"selection","expression":"action == \"delete\"","selected":2,"of":8}' ]
	run -0 tf-show part
	[[ "$output" == *'0 to add, 0 to change, 2 to destroy'* ]]
	run -0 tf-show -json part
	jq -c '[.resource_changes[].address]' <<<"$output" >addresses
	run -0 cat addresses
	[ "$output" = '["terraform_data.a[\"y\"]","module.db.terraform_data.m[1]"]' ]
	run -0 bash -c 'tf-ui <part'
	run -0 tf-select -c 'action == "delete"' part
	[ "$output" = 2 ]
}

# bats test_tags=once
@test "a planned record goes with its change wherever it stands" {
	need jq
	jq -c 'select(.record == "planned")' plan >planned
	awk -v planned=planned '/"record":"resource_change"/ && !n++ {
			while ((getline line < planned) > 0) print line
		} !/"record":"planned"/' plan >moved
	run -1 cmp -s moved plan
	sort plan >c
	sort moved | diff c -
	tf-select 'action == "delete"' moved | jq -S . >a
	tf-select 'action == "delete"' plan | jq -S . >b
	jq -s 'sort_by(tostring)' a >a2
	jq -s 'sort_by(tostring)' b >b2
	diff a2 b2
	grep '"record":"resource_change"' plan >changes
	{
		grep -vE '"record":"(resource_change|seal|end)"' plan
		cat changes
		grep -E '"record":"(seal|end)"' plan
	} >moved
	tf-select 'action == "delete"' moved | jq -S . >a
	jq -s 'sort_by(tostring)' a >a2
	diff a2 b2
	{
		grep -vE '"record":"(planned|seal|end)"' plan
		cat planned
		grep -E '"record":"(seal|end)"' plan
	} >moved
	tf-select 'action == "delete"' moved | jq -S . >a
	jq -s 'sort_by(tostring)' a >a2
	diff a2 b2
}

@test "applied is what is left, and what was taken out is told" {
	need jq
	tf-select 'action == "delete"' plan >part
	run -0 bash -c 'tf-apply <part'
	[[ "$output" == *'The plan was edited'* ]]
	[[ "$output" == *'2 destroyed'* ]]
	run -0 tf state list
	[ "$output" = 'terraform_data.a["x"]
terraform_data.b
terraform_data.r
module.db.terraform_data.m[0]' ]
	run -0 tf output -raw o
	[ "$output" = v1 ]
}

@test "a change that needs one that was left out is not applied" {
	cp terraform.tfstate before
	tf-select 'matches(address, "terraform_data.d")' plan >part
	run -1 bash -c 'tf-apply <part'
	[[ "$output" == *'terraform_data.d[0] needs terraform_data.c[0]'* ]]
	cmp before terraform.tfstate
}

@test "a part without an import is refused, and shown by -select" {
	printf '%s\n' 'import {' '  to = terraform_data.i' '  id = "x"' '}' \
		'resource "terraform_data" "i" { input = "x" }' >import.tf
	tf-plan -C . -var s=2 >imports
	cp terraform.tfstate before
	tf-select 'action == "delete"' imports >part
	run -1 tf-show part
	[[ "$output" == *'Inconsistent plan'* ]]
	run -1 bash -c 'tf-apply <part'
	cmp before terraform.tfstate
	run -0 tf-show -select='action == "delete"' imports
	[[ "$output" == *'2 to destroy'* ]]
	tf-select 'change.importing != null' imports >part
	run -0 bash -c 'tf-apply <part'
	run -0 tf state list -select='name == "i"'
	[ "$output" = terraform_data.i ]
}

@test "a deposed object and the current one are two changes" {
	need jq
	jq -c 'if (.record == "resource_change" or .record == "planned") and
		.address == "terraform_data.a[\"y\"]" then ., (.deposed = "0badf00d" |
			if .change then .change.actions = ["forget"] else . end)
		else . end' plan >two
	run -0 tf-select -c 'action == "forget"' two
	[ "$output" = 1 ]
	tf-select 'action == "forget"' two >part
	run -0 grep '"record":"planned"' part
	[ "${#lines[@]}" = 1 ]
	[[ "$output" == *0badf00d* ]]
}

@test "on a terminal what passes is redacted, and asked as it is" {
	need script
	run -0 script -qec "tf-select 'before.input.s == \"hunter2\"' plan" /dev/null
	[[ "$output" == *'(sensitive value)'* ]]
	[[ "$output" == *'"selected":2'* ]]
}

# --- the same language in tf plan -deny ---

# bats test_tags=once
@test "a plan with a change that is denied fails, and names it" {
	run -1 --separate-stderr tf plan -var s=2 -deny='contains(actions, "delete")'
	[[ "$output" == *'3 to destroy'* ]]
	[[ "$stderr" == *'Error: Plan denied'* ]]
	[[ "$stderr" == *"-deny='contains(actions, \"delete\")' denies 3 changes:"* ]]
	[[ "$stderr" == *'- terraform_data.a["y"]'* ]]
	[[ "$stderr" == *'- terraform_data.r'* ]]
	[[ "$stderr" == *'- module.db.terraform_data.m[1]'* ]]
	[[ "$stderr" != *'terraform_data.b'* ]]
	run -0 --separate-stderr tf plan -var s=2 -deny='action == "read"'
	[ -z "$stderr" ]
	run -2 tf plan -var s=2 -deny='action == "read"' -detailed-exitcode
	run -1 tf plan -var s=2 -deny='action == "update"' -detailed-exitcode
}

@test "each -deny denies" {
	run -1 --separate-stderr tf plan -var s=2 -deny='action == "read"' \
		-deny='action == "update"' -deny='index == 1'
	[[ "$stderr" == *'denies 1 change:'*'- terraform_data.b'* ]]
	[[ "$stderr" == *'denies 1 change:'*'m[1]'* ]]
	[[ "$stderr" != *'"read"'* ]]
}

@test "what cannot be known before the apply is denied" {
	run -1 tf plan -var s=2 -deny='after.id == "x"'
	[[ "$output" == *'- terraform_data.c[0] (not known before the apply)'* ]]
	run -0 tf plan -var s=2 -deny='after.id == "x" && mode == "data"'
}

@test "a policy about an attribute that no object has is warned of" {
	run -0 --separate-stderr tf plan -var s=2 -deny='after.tgs == "x"'
	[[ "$output$stderr" == *'No object has this attribute'*'"tgs"'* ]]
}

@test "a plan that cannot be asked fails" {
	run -1 tf plan -var s=2 -deny='acton == "delete"'
	[[ "$output" == *'Did you mean "action"?'* ]]
	[[ "$output" != *'to destroy'* ]]
	run -1 tf plan -var s=2 -deny='lower(deposed) == "x"'
	[[ "$output" == *'must not be null'* ]]
	run -1 tf plan -var s=2 -deny=''
	run -1 tf-plan -C . -validate -deny=false
	[[ "$output" == *'has no effect'* ]]
}

@test "what -deny says is in the stream and in the messages" {
	need jq
	run -1 --separate-stderr tf plan -var s=2 -json -deny='action == "replace"'
	jq -es 'any(.[]; .diagnostic.summary == "Plan denied" and
		(.diagnostic.detail | contains("terraform_data.r")))' <<<"$output"
	run -1 --separate-stderr tf-plan -C . -var s=2 -json \
		-deny='action == "replace"'
	jq -es 'any(.[]; .record == "plan" and .errored)' <<<"$output"
	[ "${lines[-1]}" = '{"record":"end","failed":true}' ]
}

# bats test_tags=once
@test "a plan that was denied is not applied" {
	cp terraform.tfstate before
	run -1 tf apply -auto-approve -var s=2 -deny='action == "replace"'
	[[ "$output" == *'Plan denied'* ]]
	cmp before terraform.tfstate
	tf plan -var s=2 -deny='action == "replace"' -out=saved || [ $? = 1 ]
	run -1 tf apply saved
	cmp before terraform.tfstate
	run -1 tf apply -deny=true plan
	[[ "$output" == *'not planned again'* ]]
	cmp before terraform.tfstate
	run -0 tf apply -auto-approve -var s=2 -deny='action == "read"'
	run -1 tf destroy -auto-approve -deny='name == "r"'
	[[ "$output" == *'terraform_data.r'* ]]
}

# bats test_tags=once
@test "a change is denied however long its record is" {
	printf 'resource "terraform_data" "long" { input = "%s" }\n' \
		"$(head -c 3000000 /dev/zero | tr '\0' x)" >long.tf
	run -1 --separate-stderr tf-plan -C . -json -deny='name == "long"'
	run -0 grep -o 'denies 1 change' <<<"$output"
}

@test "secrets are denied by, and not shown" {
	run -1 tf plan -var s=1 -var secret=new -deny='before.input.s == "hunter2"'
	[[ "$output" == *'denies 2 changes'* ]]
	run -1 tf plan -deny='before.input.s + 1 == 2'
	[[ "$output" != *hunter2* ]]
}

# --- and in what is shown ---

@test "a part of a plan is shown as such" {
	need jq
	run -0 tf show -select='action == "update"' plan
	[[ "$output" == *'This is a part: 1 of 8 changes'* ]]
	[[ "$output" == *'0 to add, 1 to change, 0 to destroy'* ]]
	[[ "$output" == *'# terraform_data.b will'* ]]
	[[ "$output" != *'terraform_data.r'* ]]
	run -0 tf show -select='action == "read"' plan
	[[ "$output" == *'This is a part: 0 of 8'* ]]
	[[ "$output" != *'No changes'* ]]
	tf-plan -C . -var s=2 -target=terraform_data.c >targeted
	run -0 tf show -select='action == "update"' targeted
	[[ "$output" == *'None of the changes that are selected'* ]]
	[[ "$output" != *'No changes'* ]]
	run -0 tf show -json -select='action == "update"' plan
	jq -c '[.selection, [.resource_changes[].address],
		[.planned_values.root_module.resources[].address]]' \
		<<<"$output" >got
	run -0 cat got
	[ "$output" = '[[{"expression":"action == \"update\"","selected":1,"of":8}],["terraform_data.b"],["terraform_data.b"]]' ]
	run -1 tf show -select='acton == "update"' plan
	[[ "$output" == *'Did you mean "action"?'* ]]
	run -1 tf-show -outputs -select=true terraform.tfstate
	[[ "$output" == *'has no effect'* ]]
}

@test "what tf-select left is shown as a part" {
	need jq
	tf-select -v 'action == "delete"' plan | tf-select 'action == "update"' >part
	run -0 tf-show part
	[[ "$output" == *'6 of 8 changes, those for which this is false'* ]]
	[[ "$output" == *'1 of 6 changes, those for which this is true'* ]]
	run -0 bash -c 'tf-ui <part'
	[[ "$output" == *'1 of 6 changes'* ]]
	run -0 tf-show -json part
	jq -e '.selection | length == 2' <<<"$output"
	tf-select false plan >part || [ $? = 1 ]
	run -0 tf-show part
	[[ "$output" != *'No changes'* ]]
}

@test "a part of a state is shown as such" {
	need jq
	run -0 tf show -select='values.input == "q"'
	[[ "$output" == *'2 of 6 objects'* ]]
	[[ "$output" == *'module.db.terraform_data.m[1]'* ]]
	[[ "$output" != *'terraform_data.r'* ]]
	run -0 tf show -json -select='name == "b"'
	jq -c '[.selection[0].selected, [.values.root_module.resources[].address]]' \
		<<<"$output" >got
	run -0 cat got
	[ "$output" = '[1,["terraform_data.b"]]' ]
}

@test "objects of the state are listed by their values" {
	run -0 tf state list -select='values.input == "q" && index == 1'
	[ "$output" = 'module.db.terraform_data.m[1]' ]
	run -0 tf-state list -select='values.input.s == "hunter2"' \
		'terraform_data.a["x"]'
	[ "$output" = 'terraform_data.a["x"]' ]
	run -0 tf state list -select='module == "module.db" && provider == "terraform.io/builtin/terraform" && mode == "managed"'
	[ "${#lines[@]}" = 2 ]
	run -0 tf taint terraform_data.b
	run -0 tf state list -select='status == "tainted"'
	[ "$output" = terraform_data.b ]
	run -0 tf state list -select='values.inpt == "q"'
	[[ "$output" == *'has an attribute "inpt"'* ]]
	run -1 tf state list -select='valus.input == "q"'
	[[ "$output" == *'Did you mean "values"?'* ]]
	run -1 tf state list -select='lower(values.input) == "q"'
	[[ "$output" != *hunter2* ]]
	run -0 tf state list -select=false
	[ -z "$output" ]
}

#!/usr/bin/env bats
# tf-canon: plans, streams and states as lines for git.

load common

jq_itself

setup_file() {
	without_leak_checks
	cd "$BATS_FILE_TMPDIR"
	cat >main.tf <<'TF'
variable "secret" {
  type      = map(string)
  default   = { "k3y" = "hunter2" }
  sensitive = true
}
variable "s" { default = "1" }
locals { l = sensitive("hunter3-${var.s}") }
resource "terraform_data" "a" {
  for_each = toset(var.s == "1" ? ["x", "y"] : ["x", "z"])
  input    = { s = var.secret, list = ["p", { "odd key" = var.s }], none = null, text = "a\nb\n" }
}
resource "terraform_data" "b" {
  triggers_replace = var.s
  input            = local.l
}
resource "terraform_data" "copy" { input = terraform_data.b.output }
check "c" {
  assert {
    condition     = var.s == "1"
    error_message = "not one"
  }
}
output "o" { value = var.s }
output "secret" {
  value     = var.secret
  sensitive = true
}
TF
	tf init >/dev/null
	cp -r . "$BATS_FILE_TMPDIR-there"
	mv "$BATS_FILE_TMPDIR-there" there
	tf-plan -C . >new
	tf apply -auto-approve >/dev/null
	tf-plan -C . >same
	tf-plan -C . -var s=2 >other
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$BATS_FILE_TMPDIR"/. .
}

has() { # KIND ADDRESS PATH VALUE, in the file lines
	local line
	printf -v line '%s\t%s\t%s\t%s' "$@"
	grep -xF -- "$line" lines || { echo "no line: $line"; cat lines; false; }
}

@test "canon: two runs of the same give the same bytes, a change a line or two" {
	tf-canon new >lines
	sleep 1.1
	(cd there && tf-plan -C . -parallelism=1 >../again)
	cmp lines <(tf-canon again)
	tf-canon <again | cmp lines -
	(cd there && tf-parse | tf-eval | tf-graph | tf-plan -parallelism=20) |
		tf-canon >long
	cmp lines long
	cp main.tf old.tf.txt
	sed -i 's/"p"/"new", "p"/' main.tf
	(cd there && cp ../main.tf . && tf-plan -C . >../edited)
	tf-canon edited >other
	run -1 diff lines other
	[ "$(grep -c '^[<>]' <<<"$output")" = 2 ] # of each of two instances one
}

@test "canon: no order of records and members matters" {
	need jq
	tf-canon other >lines
	jq -cs '[.[0]] + (.[1:-1] | reverse) + [.[-1]] | .[] | {record} + walk(
		if type == "object" then to_entries | reverse | from_entries else . end)' \
		other >turned
	cmp lines <(tf-canon turned)
}

@test "canon: what will be, what will not be any more, and what is not known" {
	tf-canon other >lines
	has plan '' variables.s '"2"'
	has resource_change 'terraform_data.a["x"]' 'change.actions[]' '"update"'
	has resource_change 'terraform_data.a["x"]' 'change.after.input.list[]' '"p"'
	has resource_change 'terraform_data.a["x"]' 'change.after.input.list[]' '{'
	has resource_change 'terraform_data.a["x"]' \
		'change.after.input.list[]["odd key"]' '"2"'
	has resource_change 'terraform_data.a["x"]' \
		'change.before.input.list[]["odd key"]' '"1"'
	has resource_change 'terraform_data.a["x"]' change.after.output '(known after apply)'
	has resource_change 'terraform_data.a["x"]' change.after.input.text '"a\n"'
	has resource_change 'terraform_data.a["x"]' change.after.input.text '"b\n"'
	run -1 grep 'a\["x"\].*change.before.input.text' lines
	run -1 grep 'input.none' lines
	has resource_change 'terraform_data.a["y"]' change.before.input.text '"a\n"'
	has resource_change terraform_data.b change.before.triggers_replace '"1"'
	has resource_change terraform_data.b action_reason '"replace_because_cannot_update"'
	has output_change output.o change.after '"2"'
	has output_change output.o change.before '"1"'
	has check_result check.c status '"fail"'
	has diagnostic '' summary '"Check block assertion failed"'
	run -1 grep -E 'timestamp|told|@|lineage|seal|terraform_version|main\.tf' lines
	cmp <(cut -f 1 lines | uniq) <(printf '%s\n' plan resource_change \
		output_change check_result diagnostic)
}

@test "canon: secrets are in none of it, nor what copies them" {
	for file in new same other; do
		tf-canon "$file" >lines
		run -1 grep hunter lines
	done
	has resource_change 'terraform_data.a["x"]' change.after.input.s '(sensitive value)'
	# the copy has no mark in the plan
	grep '"record":"resource_change","address":"terraform_data.copy"' same |
		grep -F '"after_sensitive":{' | grep -vF '"input":true'
	tf-canon same >lines
	has resource_change terraform_data.copy change.after.input '(sensitive value)'
	tf-parse >1
	tf-eval <1 >2
	tf-graph <2 >3
	for file in 1 2 3; do
		tf-canon $file >lines
		run -1 grep hunter lines
	done
	tf-canon terraform.tfstate >lines
	run -1 grep -E 'hunter|odd' lines
	has previous_run_state terraform_data.b attributes.input '(value of a state)'
	has previous_output output.secret value '(sensitive value)'
	has previous_output output.o value '"1"'
	tf-canon -show-sensitive same >lines
	has resource_change terraform_data.copy change.after.input '"hunter3-1"'
	tf-canon -show-sensitive terraform.tfstate >lines
	has previous_run_state terraform_data.b attributes.input '"hunter3-1"'
}

@test "canon: a secret that changes is a change, and not shown" {
	tf-plan -C . -var 'secret={k3y="hunter9"}' | tf-canon >lines
	has resource_change 'terraform_data.a["x"]' change.after.input.s '(sensitive value)'
	has resource_change 'terraform_data.a["x"]' change.before.input.s '(sensitive value)'
	run -1 grep hunter lines
}

@test "canon: what is secret on one side is hidden on both" {
	need jq
	tf-plan -C . -var 'secret={k3y="hunter9"}' |
		jq -c 'if .record == "resource_change" then .change.after_sensitive = {}
			else . end' | tf-canon >lines
	has resource_change 'terraform_data.a["x"]' change.after.input.s '(sensitive value)'
	run -1 grep hunter lines
}

@test "canon: a stream of tests has no secret" {
	printf '%s\n' '{"record":"header","format":"tfpipe-stream","version":1}' \
		'{"record":"test_value","address":"run.a","value":{"value":{"s":"hunter2"},"sensitive":[["s"]]}}' \
		'{"record":"end","failed":false}' | tf-canon >lines
	has test_value run.a value.s '(sensitive value)'
	run -1 grep hunter lines
}

@test "canon: a configuration, without places and spelling of the layout" {
	tf-parse >before
	tf-canon before >lines
	has variable var.secret default '(sensitive value)'
	has variable var.s default.constant_value '"1"'
	has local local.l value.expr '(sensitive value)'
	has resource terraform_data.b body.attributes.triggers_replace.expr '"var.s"'
	sed -i '1i # a comment\n\n' main.tf
	tf-parse | tf-canon | cmp lines -
	echo 'moved {
  from = terraform_data.old
  to   = terraform_data.b
}' >>main.tf
	tf-parse | tf-canon >other
	run -1 diff lines other
	[ "$(sed -n 's/^> //p' <<<"$output")" = $'moved\tterraform_data.old\tfrom.expr\t"terraform_data.old"\nmoved\tterraform_data.old\tto.expr\t"terraform_data.b"' ]
}

@test "canon: a state has no serial, lineage or order" {
	need jq
	tf-canon terraform.tfstate >lines
	jq '.serial = 99 | .lineage = "x" | .terraform_version = "1.9.9" |
		.resources |= reverse' terraform.tfstate >changed
	tf-canon <changed | cmp lines -
	tf-graph -C . | tf-canon >graph
	grep -E '^previous_' graph | cmp <(grep -E '^previous_' lines) -
}

@test "canon: an apply, by what was done" {
	apply() {
		tf-plan -C . 2>/dev/null | tf-apply 2>/dev/null
	}
	sed -i '/condition /s/"1"/"0"/' main.tf # a check that warns, twice
	rm terraform.tfstate*
	apply | tf-canon >lines
	[ "$(grep -c '^diagnostic.*summary' lines)" = 1 ]
	has event terraform_data.b hook.action '"create"'
	has event terraform_data.b type '"apply_complete"'
	has event '' changes.add 4
	has event '' outputs.o.value '"1"'
	rm terraform.tfstate*
	apply | tf-canon | cmp lines -
}

@test "canon: an input that failed, was cut or is empty gives nothing" {
	head -n -1 same >cut
	head -c 2000 same >torn
	sed 's/"failed":false/"failed":true/' same >failed
	echo '{' >broken
	tf-plan -C . -validate >checked
	for file in cut torn failed broken checked /dev/null . nothing; do
		run -2 --separate-stderr tf-canon "$file"
		[ -z "$output" ]
		[[ $stderr = *Error:* ]]
	done
	run -2 tf-canon same same
	run -2 --separate-stderr tf canon - <cut
	[ -z "$output" ]
	run -0 tf canon same
}

# bats test_tags=once
@test "canon: a plan that is encrypted" {
	tf-canon same >plain
	cat >enc.tf <<'TF'
terraform {
  encryption {
    key_provider "pbkdf2" "p" { passphrase = "a long enough passphrase" }
    method "aes_gcm" "m" { keys = key_provider.pbkdf2.p }
    plan { method = method.aes_gcm.m }
  }
}
TF
	tf plan -out=p >/dev/null
	run -1 grep terraform_data p
	tf-canon p | cmp plain -
	tf-parse | tf-canon >lines
	has encryption '' body '(sensitive value)'
	run -1 grep passphrase lines
}

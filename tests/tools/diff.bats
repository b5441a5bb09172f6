#!/usr/bin/env bats
# tf-diff: plans and states compared by address and attribute.

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
resource "terraform_data" "a" {
  for_each = toset(var.s == "1" ? ["x", "y"] : ["x", "z"])
  input    = { s = var.secret, list = ["p", { "odd key" = var.s }], none = null }
}
resource "terraform_data" "b" { triggers_replace = var.s }
output "o" { value = var.s }
output "secret" {
  value     = var.secret
  sensitive = true
}
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf-plan -C . >same
	tf-plan -C . -var s=2 >other
	tf-plan -C . -var 'secret={k3y="new"}' >secret
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	cp -r "$BATS_FILE_TMPDIR"/. .
}

has() { # ADDRESS ATTRIBUTE OLD NEW
	local line
	printf -v line '%s\t%s\t%s\t%s' "$@"
	printf '%s\n' "${lines[@]}" | grep -xF -- "$line" ||
		{ echo "no line: $line"; echo "$output"; false; }
}

@test "two plans differ by action, attribute and output" {
	run -1 tf-diff same other
	has 'terraform_data.a["x"]' '' no-op update
	has 'terraform_data.a["x"]' 'input.list[1]["odd key"]' '"1"' '"2"'
	has 'terraform_data.a["y"]' '' no-op delete
	has 'terraform_data.a["z"]' '' '' create
	has terraform_data.b '' no-op delete/create
	has terraform_data.b id "$(jq '.resources[] | select(.name == "b")
		.instances[0].attributes.id' terraform.tfstate)" \
		'(known after apply)'
	has terraform_data.b triggers_replace '"1"' '"2"'
	has output.o '' '"1"' '"2"'
	run -1 tf-diff other same
	has 'terraform_data.a["z"]' '' create ''
}

@test "the exit status is that of diff" {
	run -0 tf-diff same same
	[ -z "$output" ]
	run -1 tf-diff -q same other
	[ -z "$output" ]
	run -0 tf-diff -q terraform.tfstate same
	run -2 tf-diff same
	run -2 tf-diff - -
	run -2 tf-diff same nothing
	run -0 tf diff same same
}

@test "a state and the plan that changes nothing of it are the same" {
	run -0 tf-diff terraform.tfstate same
	run -0 bash -o pipefail -c 'tf-state pull | tf-diff same -'
	run -0 bash -o pipefail -c 'tf-graph -C . | tf-diff - terraform.tfstate'
	tf apply -auto-approve other >/dev/null
	run -1 tf-diff terraform.tfstate other
	[[ "$output" == *'(known after apply)'* ]]
	[[ "$output" != *'"2"'* ]]
	run -1 tf-diff terraform.tfstate same
	has terraform_data.b triggers_replace '(value of a state)' '"1"'
	has 'terraform_data.a["z"]' '' there ''
}

@test "what differs and is secret is told and not shown, nor are its keys" {
	run -1 tf-diff same secret
	has 'terraform_data.a["x"]' input.s '(sensitive value)' \
		'(sensitive value)'
	has output.secret '' '(sensitive value)' '(sensitive value)'
	printf '%s\n' "${lines[@]}" | grep -v 'output\.' >rest
	run -1 grep -E 'input.*(hunter2|"new"|k3y)' rest
	tf-plan -C . -var 'secret={other="new",more="x"}' >keys
	run -1 tf-diff same keys
	has 'terraform_data.a["x"]' input.s '(sensitive value)' \
		'(sensitive value)'
	[ "$(printf '%s\n' "${lines[@]}" | grep -c '"x"..input')" = 1 ]
	run -1 tf-diff same secret
	run -1 tf-diff -show-sensitive same secret
	has 'terraform_data.a["x"]' input.s.k3y '"hunter2"' '"new"'
	has output.secret k3y '"hunter2"' '"new"'
}

@test "what is secret on one side is hidden on both" {
	need jq
	jq -c 'if .record == "resource_change" then .change.after_sensitive = {}
		else . end' secret >unmarked
	run -1 cmp -s secret unmarked
	run -1 tf-diff same unmarked
	has 'terraform_data.a["x"]' input.s '(sensitive value)' \
		'(sensitive value)'
	run -1 tf-diff unmarked same
	has 'terraform_data.a["x"]' input.s '(sensitive value)' \
		'(sensitive value)'
}

@test "of a state no value is shown but outputs" {
	sed 's/hunter2/hunter3/; s/"p"/"q"/' terraform.tfstate >edited
	run -1 tf-diff terraform.tfstate edited
	[[ "$output" == *'(value of a state)'* ]]
	[[ "$output" != *hunter* ]]
	[[ "$output" != *'"q"'* ]]
	run -1 tf-diff -show-sensitive terraform.tfstate edited
	[[ "$output" == *'"q"'* ]]
}

@test "input that failed, was cut or is empty is no difference" {
	head -n -1 same >cut
	sed 's/"failed":false/"failed":true/' same >failed
	echo '{' >broken
	tf-plan -C . -validate >checked
	for file in cut failed broken checked /dev/null .; do
		run -2 tf-diff same "$file"
		run -2 tf-diff "$file" same
	done
}

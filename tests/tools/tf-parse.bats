#!/usr/bin/env bats
# tf-parse: which files count, what is reported, what is written

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
}

record() { # KIND [JQ FILTER], of standard input
	jq -c --arg k "$1" "select(.record == \$k)${2:+ | $2}"
}

@test "a record for each declaration, with its address and place" {
	cat >main.tf <<'TF'
variable "v" { default = 1 }
locals { l = var.v }
resource "terraform_data" "a" { input = local.l }
data "terraform_remote_state" "d" { backend = "local" }
output "o" { value = terraform_data.a }
TF
	tf-parse | jq -r 'select(.address != null and .at) |
		.record + " " + .address + " " + .at' >got
	diff got - <<'X'
variable var.v main.tf:1,1,0-1,13,12
local local.l main.tf:2,10,38-2,19,47
output output.o main.tf:5,1,156-5,11,166
resource terraform_data.a main.tf:3,1,50-3,30,79
resource data.terraform_remote_state.d main.tf:4,1,100-4,34,133
X
}

@test "constants travel as values, all else as text with references" {
	cat >main.tf <<'TF'
locals {
  n = [1, "a", { k = true }]
  e = "${var.v}-${terraform_data.a.id}"
  b = 9007199254740993
}
variable "v" {}
resource "terraform_data" "a" {}
TF
	tf-parse | record local '[.name, .value.constant_value, .value.expr,
		.value.references]' >got
	diff got - <<'X'
["n",[1,"a",{"k":true}],null,null]
["e",null,"\"${var.v}-${terraform_data.a.id}\"",["var.v","terraform_data.a.id","terraform_data.a"]]
["b",null,"9007199254740993",[]]
X
}

@test ".tofu hides .tf, overrides are merged, JSON syntax is read" {
	echo 'locals { a = "tf" }' >x.tf
	echo 'locals { a = "tofu" }' >x.tofu
	echo 'output "o" { value = 1 }' >o.tf
	echo 'output "o" { value = 2 }' >z_override.tf
	echo '{"locals":{"j":"${1+1}"}}' >j.tf.json
	tf-parse >out
	[ "$(record local 'select(.name=="a").value.constant_value' <out)" = \
		'"tofu"' ]
	[ "$(record output .value.constant_value <out)" = 2 ]
	[ "$(record local 'select(.name=="j").value.syntax' <out)" = '"json"' ]
	run -1 grep -q '"filename":"x.tf"' out
}

@test "all errors of all files, each once; the stream holds them and the sources" {
	echo 'resource "a" {}' >a.tf
	echo 'locals { x = }' >b.tf
	echo 'output "o" {}' >c.tf
	run -1 --separate-stderr tf-parse
	[ "$(grep -c '^Error: ' <<<"$stderr")" -ge 2 ]
	[[ $stderr == *'on a.tf line 1'* ]]
	[[ $stderr == *'on b.tf line 1'* ]]
	[ "$(jq -r .record <<<"$output" | sort -u | tr '\n' ' ')" = \
		'diagnostic end header seal source stage ' ]
	[ "$(tail -n 1 <<<"$output")" = '{"record":"end","failed":true}' ]
}

@test "references are checked, unless -references=false" {
	echo 'output "o" { value = local.nope }' >main.tf
	run -1 --separate-stderr tf-parse
	[[ $stderr == *'Error: Reference to undeclared local value'* ]]
	run -0 tf-parse -references=false
	[ "$(record output .value.expr <<<"$output")" = '"local.nope"' ]
}

@test "-json: diagnostics are records, nothing is on the standard error" {
	echo 'output "o" { value = local.nope }' >main.tf
	run -1 --separate-stderr tf-parse -json
	[ -z "$stderr" ]
	record diagnostic '[.severity, .range.filename, .range.start.line,
		.snippet.code]' <<<"$output" >got
	diff got - <<'X'
["error","main.tf",1,"output \"o\" { value = local.nope }"]
X
}

@test "-for: plan or apply" {
	echo 'locals { a = 1 }' >main.tf
	for command in plan apply; do
		run -0 --separate-stderr tf-parse -for=$command
		[ "$(record local .name <<<"$output")" = '"a"' ]
	done
	for command in '' validate 'plan '; do
		run -1 --separate-stderr tf-parse -for="$command"
		[[ $stderr == *'Error: Invalid option'*"\"$command\""* ]]
		[ -z "$output" ]
	done
}

@test "-C; the standard input is not read; operands are refused" {
	mkdir d
	echo 'locals { a = 1 }' >d/main.tf
	tf-parse -C d >1
	(cd d && tf-parse <<<"no stream") >2
	jq -c 'del(.options)' 2 >want
	jq -c 'del(.options)' 1 | diff - want
	[ "$(record source .filename <1)" = '"main.tf"' ]
	run -1 tf-parse d
	[[ $output == *'Too many command line arguments'* ]]
	run -1 tf-parse -C nowhere
	[[ $output == *'Cannot change to the directory'* ]]
}

@test "modules: installed ones are read, others are an error" {
	mkdir m
	echo 'variable "x" {}' >m/main.tf
	cat >main.tf <<'TF'
module "m" {
  source = "./m"
  x      = 1
}
TF
	run -1 tf-parse
	[[ $output == *'Error: Module not installed'* ]]
	mkdir -p .terraform/modules
	echo '{"Modules":[{"Key":"","Source":"","Dir":"."},
		{"Key":"m","Source":"./m","Dir":"m"}]}' \
		>.terraform/modules/modules.json
	tf-parse | record module '[.address, .source, .dir]' >got
	diff got - <<'X'
["",null,"."]
["module.m","./m","m"]
X
	[ "$(tf-parse | record variable .address)" = '"module.m.var.x"' ]
	# what is missing and what is too much in a call
	sed -i 's/x      = 1/y = 2/' main.tf
	run -1 tf-parse
	[[ $output == *'Error: Missing required argument'* ]]
	[[ $output == *'Error: Unsupported argument'* ]]
}

@test "sources of modules may need variables" {
	cat >main.tf <<'TF'
variable "which" { default = "./a" }
locals { source = var.which }
module "m" { source = local.source }
output "o" { value = module.m.o }
TF
	mkdir a b
	echo 'output "o" { value = "in a" }' >a/main.tf
	echo 'output "o" { value = "in b" }' >b/main.tf
	tf init -var which=./b >/dev/null
	tf-parse -var which=./b | jq -se 'any(.record == "module" and
		.address == "module.m" and .dir == "b")'
	TF_VAR_which=./b tf-parse >/dev/null
	echo 'which = "./b"' >x.auto.tfvars
	tf-parse >/dev/null
	tf plan | grep '"in b"'
	rm x.auto.tfvars
	run tf-parse
	[ "$status" = 1 ]
	[[ $output == *"Error: Module source has changed"* ]]
	tf plan -var which=./b | grep '"in b"'
}

@test "a type may imply a provider that no source string may name" {
	echo 'resource "terraform-x_y" "a" {}' >main.tf
	tf-parse >parsed
	run -0 tf-eval <parsed
	[ "$(jq -r 'select(.record == "resource").provider.source' parsed)" = \
		registry.opentofu.org/hashicorp/terraform-x ]
}

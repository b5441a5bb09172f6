#!/usr/bin/env bats
# One secret in every place that can hold one: no terminal shows it, whatever stage
# or command is last, and no argument list, temporary file or log has it.

load provider

# In the secret: what is looked for is a part that stays when text is added.
secret=Xy7PlantedZq9

setup() {
	need script jq
	provider_setup
	export TF_VAR_s=$secret TF_VAR_e=$secret TMPDIR=$PWD/tmp
	mkdir tmp m .terraform .terraform/modules
	cat >.terraform/modules/modules.json <<'JSON'
{"Modules":[{"Key":"","Source":"","Dir":"."},
{"Key":"m","Source":"./m","Dir":"m"}]}
JSON
	cat >m/main.tf <<'TF'
variable "in" {}
resource "terraform_data" "x" { triggers_replace = { deep = [{ k = var.in }] } }
output "out" { value = "${var.in}/${terraform_data.x.id}" }
TF
	cat >in.auto.tfvars.json <<JSON
{"filed":{"k":"$secret","list":[{"p":"$secret"}]}}
JSON
	everywhere
}

everywhere() {
	config <<'TF'
variable "s" {
  sensitive = true
  validation {
    condition     = length(var.s) > 3
    error_message = "It is ${nonsensitive("short")}."
  }
}
variable "e" {
  ephemeral = true
  sensitive = true
}
variable "filed" {
  type      = object({ k = string, list = list(object({ p = string })) })
  sensitive = true
}
locals {
  from    = "local-${var.s}"
  keyed   = { (var.s) = "value", b = var.filed.list[0].p }
  marked  = sensitive(substr("x${var.filed.k}", 1, -1))
}
provider "test" { name = "token-${var.e}" }
provider "test" {
  alias = "other"
  name  = var.s
}
resource "test_all" "schema" {
  name   = "schema"
  secret = "by-${var.s}"
  wo     = var.e
  nested_secret = { secret = var.s }
  block {
    name   = "b"
    secret = var.s
  }
}
resource "test_all" "config" {
  provider = test.other
  name = "config"
  oc   = local.from
  list = ["a", var.s]
  map  = { k = local.marked }
  obj  = { a = var.s, b = 1 }
  dyn  = { (var.s) = 1 }
  nested_list = [{ name = "n", oc = var.s }]
  single { oc = var.s }
  blockmap "k" { oc = var.s }
}
resource "test_thing" "private" {
  name = "private"
  do   = "plan:private=${nonsensitive("p")}"
}
resource "test_thing" "drifts" { name = "drifts" }
resource "test_thing" "now" { value = var.s }
moved {
  from = test_thing.then
  to   = test_thing.now
}
resource "terraform_data" "prefix" {
  triggers_replace = [
    "postgres://app:${var.s}@${test_all.schema.id}/db",
    local.keyed, module.m.out,
  ]
}
resource "terraform_data" "provisioned" {
  triggers_replace = var.s
  connection {
    host     = "localhost"
    password = var.s
  }
  provisioner "local-exec" {
    command = "echo it is $IT; echo $IT >&2; sh look"
    environment = { IT = local.from }
  }
}
ephemeral "test_token" "t" { name = var.s }
data "test_all" "d" { secret = var.s }
data "test_thing" "later" {
  name  = test_all.schema.id
  value = var.s
}
module "m" {
  source = "./m"
  in     = var.s
}
check "c" {
  data "test_thing" "of_check" { value = var.s }
  assert {
    condition     = var.s == "other"
    error_message = "Not ${var.s}."
  }
}
output "s" {
  value     = local.from
  sensitive = true
}
output "deep" {
  value     = { list = [module.m.out, var.filed] }
  sensitive = true
}
output "prefix" {
  value     = terraform_data.prefix.triggers_replace[0]
  sensitive = true
}
TF
	cat >look <<'SH'
# While tf-apply runs: what can others see?
{
	for p in /proc/[0-9]*; do
		case $(cat "$p/comm" 2>/dev/null) in
		tf | tf-*) tr '\0' ' ' <"$p/cmdline" 2>/dev/null && echo ;;
		esac
	done
	grep -rs . "$TMPDIR"
} >seen.while 2>/dev/null
true
SH
	# An object that was there before, and moved.
	TEST_PROVIDER_DO= tf-init >/dev/null
}

# A terminal that COMMAND writes to: its standard output and error.
on_terminal() { # COMMAND
	script -qc "$1" /dev/null </dev/null | tr -d '\r' >terminal
}

# Something was seen, and not the secret.
hidden() { # COMMAND
	[ -s terminal ] || {
		echo "nothing on the terminal: $1"
		return 1
	}
	# neither as it is nor as base64 of private data
	if grep -n -e "$secret" -e "$(base64 <<<"$secret" | cut -c 1-12)" \
		terminal; then
		echo "seen on the terminal of: $1"
		return 1
	fi
}

# Each of them ends as it does into a file.
stage_hides() { # COMMAND
	on_terminal "$1"
	hidden "$1"
	grep -q '"record":"end","failed":false' terminal || {
		cat terminal
		return 1
	}
}

# So does what people read instead of records.
display_hides() { # COMMAND, TEXT
	on_terminal "$1"
	hidden "$1"
	grep "$2" terminal
}

# The stages up to tf-plan, in files.
planned() {
	tf-parse >1
	tf-eval <1 >2
	tf-graph <2 >3
	TEST_PROVIDER_DO="private@plan:private=$secret" tf-plan <3 >4 2>err
	# what follows would hide nothing if there were nothing
	for i in 2 4; do
		grep -q "$secret" $i
	done
}

@test "no stage shows a secret on a terminal" {
	export TEST_PROVIDER_DO="private@plan:private=$secret"
	cat >>main.tf <<'TF'
output "keyed" {
  value     = [local.keyed, test_all.config]
  sensitive = true
}
TF
	planned
	stage_hides 'tf-parse'
	stage_hides 'tf-parse | tf-eval'
	stage_hides 'tf-eval <1'
	stage_hides 'tf-graph <2'
	stage_hides 'tf-plan -records <3'
	stage_hides 'tf-plan -records -C .'
	stage_hides 'tf-graph -apply <4'
	display_hides 'tf-plan <3' 'Plan:'
	display_hides 'tf-plan <3 | tf-ui' 'Plan:'
	display_hides 'tf-apply <4' 'Apply complete'
	# again, with a state that has it all: drift, a move, changes
	sed -i 's/"then"/"now"/; s/test_thing.now$/test_thing.moved/
		s/"test_thing" "now"/"test_thing" "moved"/
		s/test_thing.then$/test_thing.now/' main.tf
	for f in objects/test_all*.json; do
		jq -c --arg s "$secret-outside" 'if .name == "config"
			then .oc = $s else .secret = $s end' "$f" >new
		mv new "$f"
	done
	export TF_VAR_s=$secret-next
	planned
	[ "$(jq -r .record 4 | grep -c resource_drift)" -ge 1 ]
	stage_hides 'tf-graph <2'
	stage_hides 'tf-plan -records <3'
	stage_hides 'tf-graph -apply <4'
	display_hides 'tf-plan <3' 'Plan:'
	stage_hides 'tf-apply -records <4'
	tf-parse | tf-graph -destroy | tf-plan >5
	stage_hides 'tf-plan -records -C . -destroy'
	display_hides 'tf-plan -C . -destroy' 'Plan:'
	stage_hides 'tf-apply -records <5'
}

# -json is for programs: as with OpenTofu it has the types of outputs, and so the
# names of attributes.  No output has secret ones here.
# bats test_tags=once
@test "no command of tf shows a secret on a terminal" {
	for command in 'tf validate' 'tf plan' 'tf plan -out=p' 'tf show p' \
		'tf plan -json' 'tf apply -auto-approve' 'tf show' 'tf output' \
		'tf state list' 'tf state show test_all.config' \
		'tf state show test_all.schema' \
		'tf state show terraform_data.prefix' 'tf graph' \
		'tf refresh' 'tf plan -refresh-only' \
		'echo var.s | tf console' 'echo local.keyed | tf console' \
		'echo test_all.schema | tf console' \
		'echo module.m.out | tf console' 'tf providers' \
		'tf apply -auto-approve -replace=terraform_data.provisioned' \
		'tf apply -auto-approve -json -replace=terraform_data.prefix' \
		'tf plan -destroy' 'tf destroy -auto-approve'; do
		on_terminal "$command"
		hidden "$command"
	done
	jq -e '.resources == []' terraform.tfstate
}

# bats test_tags=once
@test "no error shows a secret" {
	cp main.tf right.tf.txt
	n=0
	while read -r line; do
		{ cat right.tf.txt; echo "$line"; } >main.tf
		for command in 'tf plan' 'tf-parse | tf-eval' 'tf-plan -C .'; do
			on_terminal "$command"
			hidden "$command: $line"
		done
		n=$((n + 1))
	done <<'TF'
output "x1" { value = tonumber(var.s) }
output "x2" { value = local.keyed["no-${var.s}"] }
output "x3" { value = var.s }
output "x4" { value = jsondecode("{${var.s}") }
output "x5" { value = file("/${var.s}") }
output "x6" { value = [1, 2][var.s] }
output "x7" { value = var.s + 1 }
output "x8" { value = regex(var.s, "x") }
output "x9" { value = var.filed.list[5] }
resource "terraform_data" "y1" { count = var.s }
resource "terraform_data" "y2" { for_each = { (var.s) = 1 } }
resource "test_all" "y3" { num = var.s }
resource "test_all" "y4" { flag = local.from }
data "test_thing" "y5" { name = tonumber(var.s) }
module "y6" { source = var.s }
terraform { required_version = "${var.s}" }
TF
	[ $n = 16 ]
	cp right.tf.txt main.tf
	# and what the provider, or a condition, says of what it was given
	export TEST_PROVIDER_DO='schema@plan:error:secret=no'
	on_terminal 'tf plan -no-color'
	hidden 'an error of the provider'
	grep -q 'Error: no' terminal
	export TEST_PROVIDER_DO='schema@apply:set:oc="other"'
	on_terminal 'tf apply -auto-approve'
	hidden 'an inconsistent result'
	unset TEST_PROVIDER_DO
	export TF_VAR_s=${secret:0:3}
	on_terminal 'tf plan -no-color'
	grep -q 'Invalid value for variable' terminal
}

# bats test_tags=once
@test "neither backend, import by identity nor another state tells a secret" {
	cp main.tf right.tf.txt
	cat >>main.tf <<'TF'
terraform {
  backend "local" { path = "${var.s}.tfstate" }
}
TF
	for command in 'tf init' 'tf plan' 'tf-parse | tf-graph' 'tf-plan -C .'; do
		on_terminal "$command"
		hidden "$command"
		grep -q 'Backend config contains sensitive values' terminal
	done
	sed -i 's/backend "local".*/backend "local" {}/' main.tf
	on_terminal "tf init -backend-config=password=$secret"
	hidden 'an argument that the backend does not have'
	grep -q 'Error' terminal
	# what is imported
	cp right.tf.txt main.tf
	cat >>main.tf <<'TF'
resource "test_identified" "i" { name = "i" }
import {
  to       = test_identified.i
  identity = {
    id     = var.s
    region = "north"
  }
}
TF
	for command in 'tf plan' 'tf-plan -C .'; do
		on_terminal "$command"
		hidden "$command"
		grep -q 'Invalid import identity argument' terminal
	done
	# a remote state, found by a secret and holding one: its outputs are data
	# like others, as with OpenTofu, but what is made of them here may be marked
	mkdir other
	cat >other/main.tf <<'TF'
variable "s" { sensitive = true }
output "s" {
  value     = var.s
  sensitive = true
}
TF
	(cd other && tf init && tf apply -auto-approve) >/dev/null
	mv other/terraform.tfstate "$secret.tfstate"
	cp right.tf.txt main.tf
	cat >>main.tf <<'TF'
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "${var.s}.tfstate" }
}
resource "terraform_data" "of_other" {
  triggers_replace = sensitive(data.terraform_remote_state.r.outputs.s)
}
TF
	tf init >/dev/null
	for command in 'tf plan' 'tf apply -auto-approve' \
		'tf state show terraform_data.of_other'; do
		on_terminal "$command"
		hidden "$command"
	done
	rm "$secret.tfstate"
	on_terminal 'tf plan'
	hidden 'a state that is not there'
	grep -q 'Error: ' terminal
}

@test "no argument list, temporary file or log has a secret while an apply runs" {
	sed 's/.*/s = "&"/' <<<"$secret" >v.tfvars
	unset TF_VAR_s
	export TF_LOG=trace
	tf apply -auto-approve -var-file=v.tfvars >out 2>err
	grep -q 'tf-apply' seen.while
	run -1 grep -n -e "$secret" seen.while out err
	run -0 ls -A tmp
	[ -z "$output" ]
	# what a person types is theirs; what tf starts has it no more
	rm seen.while
	tf apply -auto-approve -var "s=$secret" \
		-replace=terraform_data.provisioned >out 2>err
	grep -v -e '/tf apply' -e ' apply -auto-approve' seen.while >others
	grep -q 'tf-apply' others
	run -1 grep -n -e "$secret" others out err
	run -1 grep -r "$secret" tmp
}

@test "what is left on disk with a secret is for the owner alone" {
	umask 022
	tf plan -out=p >/dev/null
	[ "$(stat -c %a p)" = 600 ]
	tf-plan -C . 2>/dev/null | tf-ui -op=plan -out=q >/dev/null
	[ "$(stat -c %a q)" = 600 ]
	grep -q "$secret" p
	grep -q "$secret" q
}

# bats test_tags=once
@test "the recipes write streams into files that are for the owner alone" {
	# In the manuals and the README: a block that redirects a stream sets the
	# mask first.
	n=0
	for page in "$TF_TEST_SRC"/README.md "$TF_TEST_SRC"/man/*; do
		awk '
			/^\.Bd|^```|^$/ { masked = 0 }
			/umask 077/ { masked = 1 }
			/^\$ umask 077$/ { session = 1 } # to the end of the page
			/(tf-(parse|eval|graph|plan|apply)|\.plan).*[^2&]>+ *[a-z.\/]*(plan|jsonl?|stream|done)/ \
				&& !/>\/dev\/null/ {
				found++
				if (!masked && !session) { print FILENAME ": " $0; bad = 1 }
			}
			END { print "found", found + 0 >"/dev/stderr"; exit bad }
		' "$page" 2>found
		n=$((n + $(sed 's/found //' found)))
	done
	[ "$n" -ge 3 ]
}

# bats test_tags=once
@test "on purpose: the text of source files, and what a person asks to see" {
	sed -i "/^variable \"s\"/a\\  default = \"$secret-in-the-file\"" main.tf
	on_terminal 'tf-parse'
	run -0 grep '"record":"source"' terminal
	[[ $output == *"$secret-in-the-file"* ]]
	tf apply -auto-approve >/dev/null
	on_terminal 'tf output -raw s'
	grep -q "$secret" terminal
	on_terminal 'tf output -json s'
	grep -q "$secret" terminal
	on_terminal 'tf-plan -C . -show-sensitive'
	grep -q "$secret" terminal
	on_terminal 'tf show -show-sensitive'
	grep -q "$secret" terminal
}

# bats test_tags=once
@test "an output of a module that is deprecated stays sensitive" {
	rm -rf -- *.tf *.tfvars.json
	cat >m/main.tf <<-'TF'
	output "o" {
	  value      = "kept to itself"
	  sensitive  = true
	  deprecated = "use another"
	}
	TF
	printf 'module "m" {\n  source = "./m"\n}\n%s\n' \
		'resource "terraform_data" "a" { input = module.m.o }' >main.tf
	run -0 tf plan -no-color
	[[ $output == *'input  = (sensitive value)'* ]]
	[[ $output != *'kept to itself'* ]]
	echo 'output "o" { value = module.m.o }' >>main.tf
	run -1 tf plan -no-color
	[[ $output == *'Output refers to sensitive values'* ]]
}

@test "what fails tells no part of a secret, however it was taken out" {
	cd "$BATS_TEST_TMPDIR"
	rm -f ./*.tf ./*.tfvars.json
	unset TF_VAR_s TF_VAR_e
	without_leak_checks
	"$TF_TEST_SRC/tests/secrets" --count 4000 --every $((40 * FEWER)) \
		--provider "$provider_dir/terraform-provider-test" >found || {
		cat found
		false
	}
	grep -q ' 0 told a secret' found
}

# bats test_tags=once
@test "parts of a secret in loops, templates and dynamic blocks" {
	rm -f in.auto.tfvars.json
	unset TF_VAR_e
	export TF_VAR_s=$secret,$secret
	config <<'TF'
variable "s" {
  sensitive = true
}
locals {
  parts = split(",", var.s)
}
output "numbers" {
  value     = [for p in local.parts : tonumber(p)]
  sensitive = true
}
output "keys" {
  value     = { for p in local.parts : p => 1 }
  sensitive = true
}
output "text" {
  value     = "%{for p in local.parts}${file(p)}%{endfor}"
  sensitive = true
}
output "typed" {
  value     = tomap({ for p in local.parts : "${p}${length(local.parts)}" => [1]... })["x"]
  sensitive = true
}
resource "test_all" "dynamic" {
  name = "d"
  dynamic "block" {
    for_each = local.parts
    content {
      name = parseint(block.value, 10)
    }
  }
}
TF
	run -1 "$cli" plan -no-color
	[[ $output != *"$secret"* ]]
	[[ $output = *'"numbers"'*'"keys"'* || $output = *'"keys"'*'"numbers"'* ]]
	[[ $output = *'Two elements have the key (sensitive value).'* ]]
	[[ $output = *parseint* ]]
	run -1 "$cli" plan -json
	[[ $output != *"$secret"* ]]
}

@test "what is made of parts of a secret is marked as before" {
	run -0 tf-eval -C . -e 'nonsensitive([for p in split(",", "${var.s},x") : issensitive(p)])'
	[[ $output = *false*false* ]]
	run -0 tf-eval -C . -e 'issensitive([for p in split(",", var.s) : p])'
	[[ $output = true ]]
	run -1 tf-eval -C . -e 'tonumber(nonsensitive([for p in split(",", var.s) : p])[0])'
	[[ $output = *"$secret"* ]] # for it is none any more
	run -0 tf-eval -C . -e 'issensitive(nonsensitive([for p in split(",", var.s) : [for q in [p] : q]])[0])'
	[[ $output = false ]]
}

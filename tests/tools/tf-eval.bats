#!/usr/bin/env bats
# tf-eval: the stage, single expressions, batches, the console.

load common

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >main.tf <<'EOT'
variable "name" { default = "x" }
variable "need" { type = number }
variable "pw" {
  default   = "s3cret"
  sensitive = true
}
variable "tok" {
  default   = "fleeting"
  ephemeral = true
}
locals {
  up   = upper(var.name)
  dep  = terraform_data.a[0].id
  pws  = "${var.pw}!"
  toks = [var.tok]
}
resource "terraform_data" "a" { count = var.need }
resource "terraform_data" "b" { for_each = toset([local.up, "z"]) }
resource "terraform_data" "c" {
  count = terraform_data.a[0].id == "x" ? 1 : 0
}
EOT
}

kinds() { # of the records that tf-eval added
	jq -r 'select(.record | IN("variable_value", "local_value",
		"expansion")) | "\(.record) \(.address)"'
}

@test "the stage adds what is known and passes on the rest unchanged" {
	tf-parse >in
	tf-eval -var need=2 <in >out
	sed '$d' in | cmp - <(head -n "$(($(wc -l <in) - 1))" out)
	[ "$(tail -n 1 out | jq -c .)" = '{"record":"end","failed":false}' ]
	kinds <out >got
	diff got - <<'EOT'
variable_value var.name
variable_value var.need
variable_value var.pw
variable_value var.tok
local_value local.up
local_value local.pws
local_value local.toks
expansion terraform_data.a
expansion terraform_data.b
EOT
	[ "$(jq -c 'select(.address=="var.need") | select(.value) |
		[.source, .value.value]' out)" = '["cli",2]' ]
	[ "$(jq -c 'select(.record=="expansion") | .count // .for_each' out |
		tr '\n' ' ')" = '2 ["X","z"] ' ]
}

@test "instances of provider configurations are shown, as those of resources" {
	mkdir two two/m
	cat >two/main.tf <<'EOT'
terraform {
  required_providers {
    x = { source = "example.com/y/x" }
  }
}
variable "keys" { default = ["us", "eu"] }
provider "x" {
  alias    = "by"
  for_each = toset(var.keys)
}
provider "x" {
  count = 2
}
provider "x" {
  alias = "one"
}
module "m" {
  source = "./m"
  keys   = [for k in var.keys : "${k}-1"]
}
EOT
	cat >two/m/main.tf <<'EOT'
terraform {
  required_providers {
    x = { source = "example.com/y/x" }
  }
}
variable "keys" {}
provider "x" {
  for_each = toset(var.keys)
}
EOT
	cd two
	tf get >got
	tf-parse | tf-eval >out
	jq -r 'select(.record == "provider_config") | .address' out |
		sort >configured
	jq -c 'select(.record == "expansion") | [.address, .for_each, .count]' \
		out >got
	diff got - <<'EOT'
["provider[\"example.com/y/x\"].by",["eu","us"],null]
["provider[\"example.com/y/x\"]",null,2]
["module.m.provider[\"example.com/y/x\"]",["eu-1","us-1"],null]
EOT
	jq -r 'select(.record == "expansion") | .address' out | sort |
		comm -13 configured - >left
	[ ! -s left ] # they are the addresses of the configurations
}

@test "sensitive values are marked, ephemeral ones stay out" {
	tf-parse | tf-eval -var need=1 >out
	[ "$(jq -c 'select(.address=="local.pws") | select(.value.value) |
		.value' out)" = '{"value":"s3cret!","sensitive":[[]]}' ]
	[ "$(jq -c 'select(.record=="local_value" and
		.address=="local.toks") | .ephemeral' out)" = true ]
	kinds <out | grep 'local.toks'
	grep '"record":"\(local\|variable\)_value"' out >values
	run -1 grep fleeting values
}

@test "-C does without a stream, modules are followed" {
	mkdir m sub
	mv main.tf sub
	cat >main.tf <<'EOT'
module "m" {
  source = "./m"
  count  = 2
  i      = count.index
}
EOT
	printf 'variable "i" {}\nlocals { sq = var.i * var.i + 1 }\n' >m/main.tf
	mkdir -p .terraform/modules
	cat >.terraform/modules/modules.json <<'EOT'
{"Modules":[{"Key":"","Source":"","Dir":"."},
{"Key":"m","Source":"./m","Dir":"m"}]}
EOT
	tf-eval -C . >out
	[ "$(head -n 1 out | jq -r .record)" = header ]
	[ "$(jq -c 'select(.record=="local_value") | [.address, .value.value]' \
		out | tr '\n' ' ')" = \
		'["module.m[0].local.sq",1] ["module.m[1].local.sq",2] ' ]
}

@test "a missing variable fails the stream, and is told once" {
	run bash -c 'set -o pipefail; tf-parse | tf-eval 2>err | tail -n 1'
	[ "$status" = 1 ]
	[ "$output" = '{"record":"end","failed":true}' ]
	grep -q 'No value for required variable' err
	tf-parse | tf-eval -missing >names
	[ "$(cat names)" = need ]
	# the next stage says nothing
	tf-parse | tf-eval -json 2>err >failed || :
	[ ! -s err ]
	[ "$(grep -c '"record":"diagnostic"' failed)" = 1 ]
	sed 's/"tool":"tf-eval"/"tool":"tf-other"/' failed >in
	run bash -c 'tf-eval <in 2>err >out'
	[ "$status" = 1 ]
	[ ! -s err ]
}

@test "a second pass, a cut stream, no stream" {
	tf-parse | tf-eval -var need=1 >out
	run bash -c 'tf-eval <out 2>&1 >/dev/null'
	[ "$status" = 1 ]
	[[ $output == *"Stage already done"* ]]
	tf-parse | sed '$d' >cut
	run -1 --separate-stderr tf-eval -var need=1 <cut
	[[ $stderr == *'Error: Incomplete input stream'* ]]
	run bash -c 'tf-eval </dev/null 2>&1 >/dev/null'
	[ "$status" = 1 ]
	[[ $output == *-C* ]]
}

@test "values from files, the environment and options; the last wins" {
	echo 'name = "auto"' >terraform.tfvars
	[ "$(tf-eval -e var.name)" = '"auto"' ]
	[ "$(TF_VAR_need=7 tf-eval -e 'var.need + 1')" = 8 ]
	echo 'need = 3' >v.tfvars
	[ "$(tf-eval -var-file=v.tfvars -var need=4 -e var.need)" = 4 ]
	[ "$(tf-eval -var need=4 -var-file=v.tfvars -e var.need)" = 3 ]
}

@test "-e prints a value, or says what is wrong" {
	run tf-eval -e '{ a = [1, "x"], b = local.pws }'
	[ "$status" = 0 ]
	diff - <(echo "$output") <<'EOT'
{
  "a" = [
    1,
    "x",
  ]
  "b" = (sensitive value)
}
EOT
	[ "$(tf-eval -e var.need)" = '(known after apply)' ]
	[ "$(tf-eval -e 'type(var.need)')" = number ]
	[ "$(tf-eval -e "$(printf '<<E\na\nE')")" = "$(printf '<<EOT\na\n\nEOT')" ]
	[ "$(cd / && tf-eval -C "$BATS_TEST_TMPDIR" -e local.up)" = '"X"' ]
	run tf-eval -e 'upper([])'
	[ "$status" = 1 ]
	[[ $output == *"Invalid function argument"* ]]
	run tf-eval -e 'try(var.nope, 1)'
	[ "$status" = 1 ]
	[[ $output == *"Reference to undeclared input variable"* ]]
}

@test "-batch names the error that stands first" {
	echo '{"id":"1","expr":"upper([1 + \"a\"])"}' | tf-eval -batch >out
	[ "$(jq -r '.error.summary' out)" = 'Invalid function argument' ]
	echo '{"id": "1", "expr": "upper([1]) + (1 + \"a\")"}' |
		tf-eval -batch >out
	[ "$(jq -r '.error.range.start.byte' out)" = 6 ]
}

@test "-batch answers every line in order" {
	tf-eval -batch >out <<'EOT'
{"id":"1","expr":"upper(var.name)"}
{"id":"2","expr":"1 +"}
{"id":"3","expr":"var.pw"}
{"id":"4","expr":"var.need"}
{"id":"5","expr":"[for x in [\"<\"] : x]"}
{"id":"6","expr":"type(1) == 1"}
EOT
	[ "$(jq -c '[.id, .type, .json, .rendered]' out | sed -n 1p)" = \
		'["1","string","\"X\"","\"X\""]' ]
	[ "$(jq -r .id out | tr '\n' ' ')" = '1 2 3 4 5 6 ' ]
	jq -s -e '.[1].error.summary == "Missing expression" and
		.[1].error.range.start.column == 4 and
		.[2].json == null and .[2].rendered == "(sensitive value)" and
		.[3].type == "number" and .[3].json == null and
		.[4].json == "[\"\\u003c\"]" and
		.[5].error.summary == "Invalid use of type function"' out
	# as in the console, the string goes on in the next line
	echo '{"id":"1","expr":"\"a\\"}' | tf-eval -batch |
		jq -e '.error.summary == "Invalid multi-line string"'
	run bash -c 'echo "[]" | tf-eval -batch 2>&1'
	[ "$status" = 1 ]
	[[ $output == *"Line 1"* ]]
	run bash -c 'echo "{\"id\":\"1\",\"expr\":\"1\"} {}" | tf-eval -batch 2>&1'
	[ "$status" = 1 ]
	[[ $output == *"Line 1"* ]]
}

@test "-console goes on over open brackets and ends at an error" {
	run tf-eval -console <<'EOT'
1 + 1
[
  local.up,
  2 \
  * 3
]

exit
3
EOT
	[ "$status" = 0 ]
	[ "$output" = "$(printf '2\n[\n  "X",\n  6,\n]')" ]
	run bash -c 'printf "nope\n1\n" | tf-eval -console 2>/dev/null'
	[ "$status" = 1 ]
	[ -z "$output" ]
}

@test "the console shows the line that is at fault" {
	run -1 tf console -no-color <<<'[for x in [1, 2] : nope]'
	[[ $output = *"on <console-input> line 1:
   1: [for x in [1, 2] : nope]
                         ^^^^"* ]]
	run -1 tf console -no-color <<<$'[\n  1,\n  nope,\n]'
	[[ $output = *"on <console-input> line 3:
   3: nope,
      ^^^^"* ]]
	run -1 tf-eval -e 'upper(nope)'
	[[ $output = *"
   1: upper(nope)"* ]]
}

# bats test_tags=once
@test "-console sees what the state holds" {
	cat >main.tf <<'TF'
resource "terraform_data" "one" { input = "x" }
resource "terraform_data" "many" {
  count = 2
  input = count.index
}
resource "terraform_data" "each" {
  for_each = toset(["a", "b"])
  input    = each.key
}
resource "terraform_data" "later" {}
module "m" { source = "./m" }
TF
	mkdir m
	echo 'resource "terraform_data" "x" { input = "in m" }
output "o" { value = terraform_data.x.output }' >m/main.tf
	tf init >/dev/null
	tf apply -auto-approve -exclude=terraform_data.later >/dev/null
	# what the configuration says now is not what is seen
	sed -i 's/count = 2/count = 5/' main.tf
	run tf console <<'EOT'
terraform_data.one.output
length(terraform_data.many)
terraform_data.many[1].output
terraform_data.each["b"].output
module.m.o
terraform_data.later
EOT
	echo "$output"
	[ "$status" = 0 ]
	[ "${lines[0]}" = '"x"' ]
	[ "${lines[1]}" = 2 ]
	[ "${lines[2]}" = 1 ]
	[ "${lines[3]}" = '"b"' ]
	[ "${lines[4]}" = '"in m"' ]
	[ "${lines[5]}" = '(known after apply)' ]
}

@test "the console says at the start what is wrong with values" {
	cat >main.tf <<'EOT'
variable "x" {
  default = "ab"
  validation {
    condition     = length(var.x) > 3
    error_message = "Too short."
  }
}
EOT
	run bash -c 'echo var.x | tf-eval -console 2>err'
	[ "$status" = 0 ]
	[ "$output" = '"ab"' ]
	grep -q 'Invalid value for variable' err
	grep -q 'may produce unexpected results' err
}

@test "-functions describes the functions" {
	tf-eval -functions | jq -e '.format_version == "1.0" and
		.function_signatures.abs.return_type == "number"'
}

@test "hostile expressions end in diagnostics" {
	deep=$(head -c 100000 /dev/zero | tr '\0' '(')
	run tf-eval -e "$deep"
	[ "$status" = 1 ]
	long=$(seq 20000 | sed 's/$/ +/' | tr -d '\n')
	[ "$(tf-eval -e "$long 0")" = 200010000 ]
	run tf-eval -e '[for x in range(1000) : x.y]'
	[ "$status" = 1 ]
	printf '{"id":"1","expr":"\\ud800"}\n' | tf-eval -batch || :
}

@test "a long chain of locals, last one first; a circle" {
	{
		echo 'locals {'
		seq 5000 -1 1 | sed 's/.*/  l& = local.p& + 1\n  p& = local.q&/'
		seq 5000 -1 1 | while read -r i; do
			echo "  q$i = local.l$((i - 1))"
		done
		printf '  l0 = 0\n  a = local.b\n  b = local.a\n}\n'
	} >main.tf
	[ "$(tf-eval -e local.l5000 2>/dev/null)" = 5000 ]
	run tf-eval -e local.a
	[[ $output == *"depends on itself"* ]]
}

@test "a function whose library cannot be loaded, or is of another version, says so" {
	built=$(dirname "$(command -v tf-eval)")
	mkdir here
	cp "$built/tf-eval" "$built/crypto.so" here
	[ "$(here/tf-eval -e 'md5("a")')" = '"0cc175b9c0f1b6a831c399e269772661"' ]
	version=$(tf-eval -version | sed -n '1s/.* //p')
	LC_ALL=C sed "s/${version//./[.]}/${version//[0-9]/x}/g" \
		"$built/crypto.so" >here/crypto.so
	run -1 here/tf-eval -e 'md5("a")'
	[[ $output = *'md5 is not available on this machine'* ]]
	run -1 here/tf-eval -e 'bcrypt("a")'
	[[ $output = *'bcrypt is not available'* ]]
	run -1 here/tf-eval -e 'rsadecrypt("YQ==", "a")'
	[[ $output = *'RSA is not'* ]]
	run -1 here/tf-eval -e 'uuidv5("dns", "a")'
	[[ $output = *'sha1 is not available'* ]]
	run -1 here/tf-eval -e 'yamldecode("a")'
	[[ $output = *'YAML is not available on this machine'* ]]
	run -1 here/tf-eval -e 'base64gzip("a")'
	[[ $output = *'gzip is not'* ]]
	cp "$built/codec.so" here
	[ "$(here/tf-eval -e 'yamldecode("a")')" = '"a"' ]
	: >here/crypto.so
	run -1 here/tf-eval -e 'md5("a")'
	[[ $output = *'md5 is not available on this machine'* ]]
	[ "$(here/tf-eval -e 'length(uuid())')" = 36 ]
}

@test "tf-eval is asked for one thing at a time" {
	refused() { # MODE-OPTION ARGUMENT...
		local mode=$1
		shift
		run tf-eval "$@"
		[ "$status" = 1 ]
		[[ $output = *"has no effect with -$mode."* ]] || {
			echo "tf-eval $*: $output"
			return 1
		}
	}
	refused batch -batch -e 1
	refused batch -batch -missing
	refused batch -batch -missing-file=x
	refused functions -functions -batch
	refused functions -functions -e 1
	refused functions -functions -missing
	refused e -e 1 -missing
	refused e -e 1 -missing-file=x
	refused missing -missing -missing-file=x
	refused console -console -missing
	run tf-eval -missing -state=x
	[ "$status" = 1 ]
	[[ $output = *'-state has no effect without -console.'* ]]
	# what is off excludes nothing
	tf-eval -missing=false -functions=false -C . -var need=1 >out
}

@test "-missing says why there is no list" {
	echo 'x {' >bad.tf
	run tf-eval -missing -C .
	[ "$status" = 1 ]
	[[ $output = *'bad.tf line 1'* ]]
	run tf-eval -missing -json -C .
	[ "$status" = 1 ]
	[[ $output = *'bad.tf line 1'* ]]
	# of a stage that failed that one has said it
	tf-parse -C . 2>/dev/null >failed || :
	run -1 tf-eval -missing <failed
	[ -z "$output" ]
}

@test "the workspace is the one that was selected" {
	echo 'locals { w = terraform.workspace }' >main.tf
	mkdir .terraform
	echo dev >.terraform/environment
	[ "$(tf-parse | tf-eval | jq -r 'select(.record == "local_value").value.value')" = dev ]
	[ "$(tf-eval -e terraform.workspace)" = '"dev"' ]
}

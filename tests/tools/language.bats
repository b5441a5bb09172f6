#!/usr/bin/env bats
# What the language allows, in whole runs: ephemeral and deprecated things,
# early values, JSON syntax, modules, and which errors belong to a plan.

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# The diagnostics of a command with -json: summary, line, address, context.
told() {
	run -1 --separate-stderr tf "$@" || return 1
	{ jq -r '(if .diagnostics then .diagnostics[] else
			select(.type == "diagnostic").diagnostic end) |
		"\(.summary)|\(.range.start.line)|\(.address)|" +
		"\(.snippet.context)"' <<<"$output" || echo "$output"; } | sort
}

# bats test_tags=once
@test "root variables that do not fit, or break a rule, make a failed plan" {
	cat >main.tf <<'TF'
variable "n" {
  type = number
  validation {
    condition     = var.n > 1
    error_message = "n is too small"
  }
}
resource "terraform_data" "a" { input = var.n }
resource "terraform_data" "b" { input = 1 }
TF
	run -1 --separate-stderr tf plan -no-color -out=p -var n=1
	[[ $stderr == *"Invalid value for variable"* ]]
	[[ $output == *"terraform_data.b will be created"* ]]
	[[ $output != *"terraform_data.a"* ]]
	tf show -json p | jq -e '.errored and .variables.n.value == "1" and
		(.checks[0].instances[0].problems[0].message ==
			"n is too small")'
	run -1 --separate-stderr tf plan -no-color -out=p -var n=x
	[[ $stderr == *"Invalid value for input variable"* ]]
	tf show -json p | jq -e '.errored and .variables.n.value == "x"'
	run -1 --separate-stderr tf plan -no-color -out=q -input=false
	[[ $stderr == *"No value for required variable"* ]]
	[ ! -e q ]
	# a plan to destroy looks at no rules
	tf plan -no-color -destroy -var n=1
}

@test "plans hold variables as they were given" {
	cat >main.tf <<'TF'
variable "n" { type = number }
variable "s" { type = set(string) }
variable "d" { default = 3 }
variable "e" {
  default   = "x"
  ephemeral = true
}
output "n" { value = var.n + length(var.s) }
TF
	tf plan -var n=1 -var 's=["b","a"]' -out=p >/dev/null
	[ "$(tf show -json p | jq -c '.variables | to_entries | sort |
		map(.value.value)')" = '[3,"x","1",["b","a"]]' ]
	tf apply p >/dev/null
	[ "$(tf output n)" = 3 ]
}

@test "an output's precondition that cannot hold is found by validate" {
	cat >main.tf <<'TF'
locals { no = false }
variable "v" { default = false }
output "a" {
  value = 1
  precondition {
    condition     = local.no
    error_message = "never"
  }
}
output "b" {
  value = 1
  precondition {
    condition     = var.v
    error_message = "not now"
  }
}
TF
	[ "$(told validate -json)" = \
		'Module output value precondition failed|6|null|output "a"' ]
}

# bats test_tags=once
@test "ephemeral values stay out of what is kept" {
	cat >main.tf <<'TF'
variable "e" {
  default   = "x"
  ephemeral = true
}
module "m" {
  source = "./m"
  given  = var.e
}
resource "terraform_data" "a" { input = [{ x = var.e }] }
resource "terraform_data" "b" { count = length(var.e) }
resource "terraform_data" "c" { for_each = toset([var.e]) }
output "o" { value = var.e }
TF
	mkdir m
	cat >m/main.tf <<'TF'
variable "given" {}
variable "free" {
  default   = 1
  ephemeral = true
}
resource "terraform_data" "d" { triggers_replace = var.free }
TF
	tf init >/dev/null
	diff - <(told validate -json) <<'EOT'
Ephemeral value used in non-ephemeral context|6|module.m.terraform_data.d|resource "terraform_data" "d"
Ephemeral value used in non-ephemeral context|9|terraform_data.a|resource "terraform_data" "a"
Invalid count argument|10|null|resource "terraform_data" "b"
Invalid for_each argument|11|null|resource "terraform_data" "c"
Output does not allow ephemeral value|12|null|output "o"
Variable does not allow ephemeral value|7|null|module "m"
EOT
	cat >main.tf <<'TF'
variable "e" {
  default   = "x"
  ephemeral = true
}
resource "terraform_data" "a" {
  input = ephemeralasnull(var.e)
  provisioner "local-exec" {
    command = "test ${var.e} = x"
  }
}
TF
	tf apply -auto-approve >/dev/null
	run -1 grep -q '"x"' terraform.tfstate
}

@test "the question for an ephemeral variable, and for a deprecated one" {
	cat >main.tf <<'TF'
variable "e" {
  description = "The e"
  deprecated  = "use f"
  ephemeral   = true
}
TF
	echo 1 | tf plan -no-color >out
	[ "$(head -n 1 out)" = "var.e (ephemeral)" ]
	grep -q '^  The e\.$' out
	grep -q 'marked as deprecated with the following message: use f' out
}

# bats test_tags=once
@test "deprecated: each source once, whatever uses it; in JSON, all" {
	cat >main.tf <<'TF'
module "m" {
  source = "./m"
}
output "a" { value = module.m.old }
output "b" { value = [module.m.old] }
resource "terraform_data" "c" { input = module.m.old }
TF
	mkdir m
	echo 'output "old" {
		value      = 1
		deprecated = "use new"
	}' >m/main.tf
	tf init >/dev/null
	tf plan -no-color >out
	[ "$(grep -c 'Warning: Value derived from a deprecated source' out)" = 1 ]
	tf plan -no-color -deprecation=module:none >out
	run -1 grep -q Warning out
	[ "$(tf plan -json -deprecation=module:none | jq -r 'select(.diagnostic) |
		"\(.diagnostic.range.start.line) \(.diagnostic.address)"' |
		sort)" = "4 null
5 null
6 terraform_data.c" ]
}

# bats test_tags=once
@test "diagnostics of JSON files say where they are" {
	cat >main.tf.json <<'JSON'
{
  "resource": {"terraform_data": {"a": [{"input": 1,
    "lifecycle": {"precondition": [{"condition": "${local.n == 2}",
      "error_message": "no"}]}}]}},
  "locals": {"n": 1},
  "output": {"o": {"value": "${nope.x.y}"}}
}
JSON
	[ "$(told validate -json)" = \
		'Reference to undeclared resource|6|null|output.o' ]
	sed -i 's/nope.x.y/1/' main.tf.json
	[ "$(told plan -json)" = "Resource precondition failed|3|null|\
resource.terraform_data.a[0].lifecycle.precondition[0]" ]
}

@test "the block around an error of syntax" {
	printf 'module "m" { source = "./m"\n  p = 1\n}\n' >main.tf
	[ "$(told validate -json)" = \
		'Invalid single-argument block definition|1|null|module "m"' ]
}

@test "instances of a module by attribute, outputs that it does not have" {
	cat >main.tf <<'TF'
module "m" {
  source   = "./m"
  for_each = { a = 1 }
}
module "n" {
  source = "./m"
  count  = 1
}
output "o" { value = module.m.a.x }
TF
	mkdir m
	cat >m/main.tf <<'TF'
resource "terraform_data" "r" { input = "in" }
output "x" { value = terraform_data.r.output }
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	[ "$(tf output -raw o)" = in ]
	cat >>main.tf <<'TF'
output "p" { value = module.m.b.x }
output "q" { value = module.m["a"].y }
output "r" { value = module.n.x }
output "s" { value = module.n["a"].x }
TF
	diff - <(told validate -json) <<'EOT'
Invalid index|13|null|output "s"
Unsupported attribute|11|null|output "q"
Unsupported attribute|12|null|output "r"
EOT
	sed -i '/output "[qrs]"/d' main.tf
	# the key of an instance, not the output of any
	echo 'output "t" { value = module.m.x }' >>main.tf
	diff - <(told plan -json) <<'EOT'
Unsupported attribute|10|null|output "p"
Unsupported attribute|11|null|output "t"
EOT
}

@test "const: the root module's must be given wherever it is read" {
	echo 'variable "c" { const = true }' >main.tf
	want='Failed to request input from user for variable var.c|1|null|null
Unable to compute static value|null|null|null'
	[ "$(told validate -json)" = "$want" ]
	[ "$(told plan -json)" = "$want" ]
	run -1 tf init
	[[ $output == *"Failed to request input from user"* ]]
	tf init -var c=1
	tf validate -var c=1
	TF_VAR_c=1 tf plan
}

@test "init needs no values that nothing is made of" {
	echo 'variable "n" { default = 1 }' >main.tf
	echo 'n = nothing' >terraform.tfvars
	tf init
	run -1 tf plan
	[[ $output == *"Variables not allowed"* ]]
}

@test "an infinite number is not stored" {
	cat >main.tf <<'TF'
variable "n" { default = 1 }
resource "terraform_data" "a" { input = [1 / var.n] }
resource "terraform_data" "b" { input = 1 / var.n > 5 }
TF
	tf plan -var n=0.5
	run -1 tf plan -var n=0
	[[ $output == *"Infinite number"* ]]
	cat >main.tf <<'TF'
resource "terraform_data" "a" { input = 0 }
output "o" { value = 1 / terraform_data.a.output }
TF
	run -1 tf apply -auto-approve
	[[ $output == *"Infinite number"* ]]
	[ "$(tf state list)" = terraform_data.a ]
	[ "$(jq -c .outputs terraform.tfstate)" = '{}' ]
}

@test "import blocks are for managed resources" {
	cat >main.tf <<'TF'
ephemeral "terraform_data" "a" {}
import {
  to = ephemeral.terraform_data.a
  id = "x"
}
TF
	run -1 tf plan
	[[ $output == *"Invalid ephemeral resource"* ]]
	cat >main.tf <<'TF'
data "terraform_remote_state" "a" { backend = "local" }
import {
  to = data.terraform_remote_state.a
  id = "x"
}
TF
	run -1 tf plan
	[[ $output == *"Error: "* ]]
}

@test "a nested data source that fails is in the state as far as it is known" {
	cat >main.tf <<'TF'
check "c" {
  data "terraform_remote_state" "s" {
    backend = "local"
    config  = { path = "missing" }
  }
  assert {
    condition     = data.terraform_remote_state.s.outputs != null
    error_message = "no"
  }
}
TF
	tf apply -auto-approve
	[ "$(jq -c '.resources[0].instances[0].attributes |
		[.backend, .outputs]' terraform.tfstate)" = '["local",null]' ]
	tf plan -out=p >/dev/null
	tf show -json p | jq -e '.prior_state | has("checks") | not'
}

# bats test_tags=once
@test "JSON of plans and states has modules in the order of their addresses" {
	cat >main.tf <<'TF'
module "m" {
  source = "./m"
  count  = 11
}
module "m2" {
  source = "./m"
}
resource "terraform_data" "r" { count = 11 }
TF
	mkdir m
	echo 'resource "terraform_data" "a" {}' >m/main.tf
	tf init >/dev/null
	tf plan -out=p >/dev/null
	tf apply p >/dev/null
	modules='[.root_module.child_modules[].address] | .[0:3] + .[-1:]'
	want='["module.m2","module.m[0]","module.m[10]","module.m[9]"]'
	tf show -json p | jq -c ".planned_values | $modules" |
		diff - <(echo "$want")
	tf show -json | jq -c ".values | $modules" | diff - <(echo "$want")
	tf show -json p | jq -e '[.planned_values.root_module.resources[].index]
		== [0, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9]'
}

# bats test_tags=once
@test "a plan to destroy has the outputs as they are now" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" { input = 1 }
TF
	tf apply -auto-approve >/dev/null
	echo 'output "o" { value = terraform_data.a.output }' >>main.tf
	tf plan -destroy -out=p >/dev/null
	tf show -json p | jq -e '.prior_state.values.outputs.o.value == 1'
}

@test "outputs of what only refreshing leaves out are null inside" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {}
output "o" { value = { x = terraform_data.a.id, y = 1 } }
TF
	tf apply -auto-approve -refresh-only >/dev/null
	[ "$(tf output -json o)" = '{"x":null,"y":1}' ]
}

@test "a failed plan names the check blocks that it did not come to" {
	cat >main.tf <<'TF'
variable "n" { default = 0 }
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.n > 0
      error_message = "no"
    }
  }
}
check "c" {
  assert {
    condition     = terraform_data.a.id != ""
    error_message = "no"
  }
}
TF
	run -1 tf plan -out=p
	[ "$(tf show -json p | jq -c '.checks[] |
		select(.address.kind == "check") |
		[.status, .instances[0].status]')" = '["unknown","unknown"]' ]
}

@test "an output that is null from the beginning has no type" {
	echo 'output "o" { value = tostring(null) }' >main.tf
	tf plan -out=p >/dev/null
	tf show -json p | jq -e '.planned_values.outputs.o.type == "dynamic"'
	echo 'output "o" { value = "x" }' >main.tf
	tf apply -auto-approve >/dev/null
	echo 'output "o" { value = tostring(null) }' >main.tf
	tf plan -out=p >/dev/null
	tf show -json p | jq -e '.planned_values.outputs.o.type == "string"'
}

@test "replace_triggered_by: what cannot be a key" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [terraform_data.a[0 + 1]]
  }
}
resource "terraform_data" "c" {
  lifecycle {
    replace_triggered_by = [terraform_data.a[count.index]]
  }
}
TF
	diff - <(told validate -json | cut -d'|' -f1,2) <<'EOT'
Invalid expression|4
Reference to "count" in non-counted context|9
EOT
}

@test "a backend that is wrong is so before it is not initialised" {
	cat >main.tf <<'TF'
variable "p" {
  default   = "x.tfstate"
  sensitive = true
}
terraform {
  backend "local" { path = var.p }
}
resource "terraform_data" "a" {}
TF
	[ "$(told plan -json)" = \
		'Backend config contains sensitive values|6|null|terraform' ]
	sed -i /sensitive/d main.tf
	[[ $(told plan -json) == "Backend initialization required"* ]]
	sed -i 's/var.p/terraform_data.a.id/' main.tf
	[[ $(told plan -json) == "Dynamic value in static context"* ]]
}

@test "lifecycle: destroy = false by any constant, in either syntax" {
	lines=() n=0
	for e in false '!true' '1 == 2' '"x${1}" == "y"'; do
		lines+=("resource \"terraform_data\" \"r$n\" {"
			"  triggers_replace = var.v" "  lifecycle {"
			"    destroy = $e" "    create_before_destroy = !false"
			"  }" "}")
		n=$((n + 1))
	done
	printf '%s\n' 'variable "v" { default = 1 }' "${lines[@]}" >main.tf
	cat >b.tf.json <<-'TF'
	{"resource": {"terraform_data": {"j": {
	  "triggers_replace": "${var.v}",
	  "lifecycle": {"destroy": false, "create_before_destroy": true}}}}}
	TF
	tf apply -auto-approve >/dev/null
	tf-plan -C . -var v=2 >p
	[ "$(jq -r 'select(.record=="resource_change").change.actions |
		join("-")' p | sort | uniq -c | xargs)" = "5 forget-create" ]
	tf-apply <p >/dev/null
	[ "$(jq '[.resources[].instances[].skip_destroy] == [true,true,true,
		true,true]' terraform.tfstate)" = true ]
	run -0 tf destroy -auto-approve -no-color -suppress-forget-errors
	[[ $output = *'0 to destroy, 5 to forget'* ]]
}

@test "sensitive within sensitive: both are in the state, and nothing changes" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "a" {
	  input = sensitive({ on = sensitive("x"), off = "y" })
	}
	TF
	tf apply -auto-approve >/dev/null
	[ "$(jq -c '[.resources[].instances[].sensitive_attributes[] |
		map(.value)]' terraform.tfstate)" = '[["input"],["input","on"]]' ]
	run -0 tf plan -detailed-exitcode
	sed -i 's/= sensitive({\(.*\))/= {\1/' main.tf
	run -2 tf plan -detailed-exitcode -no-color
	[[ $output = *'0 to add, 1 to change, 0 to destroy'* ]]
	tf apply -auto-approve >/dev/null
	[ "$(jq -c '[.resources[].instances[].sensitive_attributes[] |
		map(.value)]' terraform.tfstate)" = '[["input","on"]]' ]
}

@test "replace_triggered_by: an attribute is that of the instance named" {
	for t in c.input 'c[1].input' 'c[1]' f.input; do
		cat >main.tf <<-TF
		variable "n" { default = 1 }
		resource "terraform_data" "c" {
		  count = var.n
		  input = var.n
		}
		resource "terraform_data" "f" { for_each = toset(["a"]) }
		resource "terraform_data" "x" {
		  lifecycle {
		    replace_triggered_by = [terraform_data.$t]
		  }
		}
		TF
		run -1 tf plan -no-color
		[[ $output = *"Error: no change found for terraform_data.${t%.input} "* ]]
	done
	sed -i 's/f.input/c[0].input/' main.tf
	tf apply -auto-approve >/dev/null
	run -0 tf plan -no-color -var n=2
	[[ $output = *'terraform_data.x will be replaced due to changes'* ]]
	run -0 tf plan -no-color -var n=0
	[[ $output = *'0 to add, 0 to change, 1 to destroy'* ]]
}

# A message that holds what must not be told, for every kind of condition.
secretive() { # NAME of the variable in it
	cat <<TF
variable "s" {
  default   = "hush"
  sensitive = true
}
variable "e" {
  default   = "hush"
  ephemeral = true
}
variable "v" {
  default = 1
  validation {
    condition     = var.v == 2
    error_message = "no: \${var.$1}"
  }
}
TF
}

condition() { # NAME
	printf '{
    condition     = var.v == 2
    error_message = "no: ${var.%s}"
  }\n' "$1"
}

# bats test_tags=once
@test "an error message that holds what is secret is not told" {
	for name in s e; do
		secretive $name >main.tf
		run -1 tf plan -no-color
		[[ $output == *'Invalid value for variable'* ]]
		[[ $output != *hush* ]]
		for place in resource:precondition resource:postcondition \
			output check; do
			secretive $name | sed 's/var.v == 2/var.v == 1/' >main.tf
			case $place in
			resource:*) echo "resource \"terraform_data\" \"a\" {
  lifecycle {
  ${place#*:} $(condition $name)
  }
}" ;;
			output) echo "output \"o\" {
  value = 1
  precondition $(condition $name)
}" ;;
			check) echo "check \"c\" {
  assert $(condition $name)
}" ;;
			esac >>main.tf
			run tf plan -no-color
			[[ $output == *' failed'* ]]
			[[ $output == *'refers to '*' values'* ]]
			[[ $output != *hush* ]]
		done
	done
}

@test "a hash that the machine's library does not work out is an error, no value" {
	cat >ssl.cnf <<'END'
openssl_conf = init
[init]
alg_section = algorithms
[algorithms]
default_properties = provider=none
END
	echo x >x
	for call in 'md5("x")' 'base64sha512("x")' 'filesha256("x")' \
		'uuidv5("dns", "x")'; do
		run -0 tf console <<<"$call"
		OPENSSL_CONF=$PWD/ssl.cnf run -1 tf console <<<"$call"
		[[ $output == *' is not available on this machine.'* ]]
	done
}

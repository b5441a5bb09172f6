#!/usr/bin/env bats
# Ephemeral values stay out of everything that is kept, and of what is shown,
# also where it shows only when applying that they get there.

load provider

# What the test provider's tokens begin with.
token='token of tee'

setup() {
	need jq
	provider_setup
	mkdir -p plain fleeting .terraform/modules
	cat >.terraform/modules/modules.json <<'JSON'
{"Modules":[{"Key":"","Source":"","Dir":"."},
{"Key":"plain","Source":"./plain","Dir":"plain"},
{"Key":"fleeting","Source":"./fleeting","Dir":"fleeting"}]}
JSON
}

# Every place that keeps a value is given local.late: try() takes the token when
# the output turns out to have no such attribute.
everywhere() {
	cat >plain/main.tf <<'TF'
variable "v" {}
resource "terraform_data" "x" { input = var.v }
TF
	cat >fleeting/main.tf <<'TF'
variable "v" { ephemeral = true }
variable "u" {}
output "o" { value = try(var.u.none, var.v) }
TF
	config <<'TF'
resource "terraform_data" "u" { input = "{}" }
ephemeral "test_token" "t" { name = "tee" }
locals {
  late = try(jsondecode(terraform_data.u.output).none, ephemeral.test_token.t.token)
}
resource "test_all" "attribute" { name = local.late }
resource "test_all" "element" {
  name = "n"
  list = ["x", local.late]
}
resource "test_all" "nested" {
  name        = "n"
  nested_list = [{ name = "x" }, { name = local.late }]
}
resource "test_all" "block" {
  name = "n"
  block { name = local.late }
}
resource "test_all" "set" {
  name = "n"
  blockset { name = local.late }
}
resource "test_all" "dynamic" {
  name = "n"
  dynamic "block" {
    for_each = [local.late]
    content { name = block.value }
  }
}
resource "terraform_data" "input" { input = { deep = [local.late] } }
resource "terraform_data" "triggers" { triggers_replace = [local.late] }
data "test_thing" "read" { name = local.late }
module "plain" {
  source = "./plain"
  v      = local.late
}
module "fleeting" {
  source = "./fleeting"
  u      = jsondecode(terraform_data.u.output)
  v      = ephemeral.test_token.t.token
}
resource "terraform_data" "fleeting" { input = module.fleeting.o }
output "o" { value = { deep = local.late } }
resource "terraform_data" "allowed" {
  provisioner "local-exec" {
    command     = "echo $it"
    environment = { it = local.late }
  }
}
TF
}

nowhere() { # FILE...
	run -1 grep -r "$token" "$@"
}

@test "what turns out to be ephemeral when applying is kept nowhere" {
	everywhere
	works plan ''
	fails apply '' -- 'Ephemeral value used in non-ephemeral context'
	says 'Variable does not allow ephemeral value'
	says 'Output does not allow ephemeral value'
	jq -r 'select(.diagnostic.severity == "error").diagnostic |
		.address // .range.filename // "data.test_thing.read"' \
		out err | sort -u >where
	diff where - <<-EOF
	data.test_thing.read
	fleeting/main.tf
	main.tf
	terraform_data.input
	terraform_data.triggers
	test_all.attribute
	test_all.block
	test_all.dynamic
	test_all.element
	test_all.nested
	test_all.set
	EOF
	nowhere terraform.tfstate* p out err objects
	grep -q 'output suppressed' out
	jq -e '[.resources[].instances[]] | length == 2' terraform.tfstate
}

# The result of each may come to be the token, which is not known yet.
unknown() {
	cat <<'EOF'
try(ephemeral.test_token.t.token, "x")
try([{ k = ephemeral.test_token.t.token }][0], "x")
format(ephemeral.test_token.t.token, local.list...)
lookup({ k = ephemeral.test_token.t.token }, terraform_data.u.output)
element([ephemeral.test_token.t.token], local.number)
["x", ephemeral.test_token.t.token][local.number]
{ k = ephemeral.test_token.t.token }[terraform_data.u.output]
local.number > 1 ? { k = ephemeral.test_token.t.token } : { k = "x" }
[for x in local.list : ephemeral.test_token.t.token]
[for x in [ephemeral.test_token.t.token] : x if local.number > 1]
{ for x in ["x"] : terraform_data.u.output => ephemeral.test_token.t.token }
{ (terraform_data.u.output) = ephemeral.test_token.t.token }
local.list[*][ephemeral.test_token.t.token]
"%{ for x in local.list }${ephemeral.test_token.t.token}%{ endfor }"
-tonumber(ephemeral.test_token.t.token)
EOF
}

@test "an unknown value that comes of an ephemeral one is refused when planning" {
	[ -z "${TF_TEST_CLI-}" ] || cannot 'OpenTofu refuses it when applying'
	config <<'TF'
resource "terraform_data" "u" { input = "n" }
ephemeral "test_token" "t" { name = terraform_data.u.output }
locals {
  list   = jsondecode(terraform_data.u.output)
  number = tonumber(terraform_data.u.output)
}
TF
	unknown | awk '{ print "resource \"terraform_data\" \"r" NR "\" {" \
		" input = " $0 " }" }' >>main.tf
	run -1 plan ''
	jq -r 'select(.diagnostic.summary == "Ephemeral value used in" +
		" non-ephemeral context").diagnostic.address' out | sort -u >where
	unknown | awk '{ print "terraform_data.r" NR }' | sort | diff where -
}

# bats test_tags=once
@test "what may not come to be ephemeral is no error of validation" {
	config <<'TF'
variable "login" {
  ephemeral = true
  default   = null
}
resource "terraform_data" "a" {
  input = try(var.login.name, "nobody")
}
TF
	works tell $cli validate -json
	works run_all ''
	[ "$(attribute a .input.value)" = '"nobody"' ]
}

@test "what is ephemeral or sensitive comes out of no place that keeps or shows values" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	unset TF_CLI_CONFIG_FILE TEST_PROVIDER_DIR TEST_PROVIDER_LOG
	run -0 "$TF_TEST_SRC/tests/compare/secrets" --count 100 --work "$PWD/work" \
		--test-provider "$provider_dir/terraform-provider-test"
	[[ ${lines[-1]} = '100 passed, 0 failed, 0 skipped' ]]
}

#!/usr/bin/env bats
# The driver: whole commands, as people and programs run them.

load common

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >main.tf <<'EOF'
variable "v" { default = "1" }
resource "terraform_data" "a" {
  input = var.v
}
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.output
}
output "o" { value = terraform_data.a.output }
EOF
}

# bats test_tags=once
@test "plan, apply, plan again, destroy" {
	run tf init -no-color
	[ "$status" = 0 ]
	[[ $output == *"has been successfully initialized!"* ]]
	run tf plan -no-color
	[ "$status" = 0 ]
	[[ $output == *"# terraform_data.a will be created"* ]]
	[[ $output == *"Plan: 2 to add, 0 to change, 0 to destroy."* ]]
	run tf apply -no-color -auto-approve
	[ "$status" = 0 ]
	[[ $output == *"Apply complete! Resources: 2 added, 0 changed, 0 destroyed."* ]]
	[[ $output == *'o = "1"'* ]]
	run tf plan -no-color
	[ "$status" = 0 ]
	[[ $output == *"No changes. Your infrastructure matches the configuration."* ]]
	run tf destroy -no-color -auto-approve
	[ "$status" = 0 ]
	[[ $output == *"Destroy complete! Resources: 2 destroyed."* ]]
	[ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
}

@test "a saved plan is private and applied as it is" {
	tf plan -out=p -var=v=7 >/dev/null
	[ "$(stat -c %a p)" = 600 ]
	run tf apply p
	[ "$status" = 0 ]
	[ "$(tf output -raw o)" = 7 ]
	# it is stale now
	run tf apply p
	[ "$status" = 1 ]
	[[ $output == *"Saved plan is stale"* ]]
}

# bats test_tags=once
@test "-detailed-exitcode" {
	run tf plan -detailed-exitcode
	[ "$status" = 2 ]
	tf apply -auto-approve >/dev/null
	run tf plan -detailed-exitcode
	[ "$status" = 0 ]
	echo 'output "x" { value = nope.x.y }' >bad.tf
	run tf plan -detailed-exitcode
	[ "$status" = 1 ]
}

@test "approval is asked for; only yes will do" {
	run bash -c 'echo no | tf apply -no-color'
	[ "$status" = 1 ]
	[[ $output == *"Only 'yes' will be accepted to approve."* ]]
	[[ $output == *"Apply cancelled."* ]]
	[ ! -e terraform.tfstate ] || [ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
	run bash -c 'echo yes | tf apply -no-color'
	[ "$status" = 0 ]
	[[ $output == *"Apply complete!"* ]]
}

@test "-json: the UI stream" {
	run tf apply -json -auto-approve
	[ "$status" = 0 ]
	echo "$output" | jq -es '.[0].type == "version" and
		([.[] | select(.type == "planned_change")] | length) == 2 and
		([.[] | select(.type == "apply_complete")] | length) == 2 and
		(.[-1].type == "outputs")'
	run tf apply -json
	[ "$status" = 1 ]
	[[ $output == *"Plan file or auto-approve required"* ]]
}

# bats test_tags=once
@test "show -json of a plan and of the state" {
	tf plan -out=p >/dev/null
	tf show -json p | jq -e '.format_version == "1.2" and
		.resource_changes[0].change.actions == ["create"] and
		.planned_values.root_module.resources[0].values.input == "1" and
		.configuration.root_module.resources[1].expressions.triggers_replace.references[0]
			== "terraform_data.a.output"'
	tf apply p >/dev/null
	tf show -json | jq -e '.format_version == "1.0" and
		.values.outputs.o.value == "1" and
		.values.root_module.resources[0].values.output == "1"'
	run tf show -no-color
	[[ $output == *'# terraform_data.a:'* ]]
	[[ $output == *'input  = "1"'* ]]
}

@test "an error is shown once, with its place, and stops the rest" {
	echo 'output "x" { value = nope.x.y }' >bad.tf
	run tf plan -no-color
	[ "$status" = 1 ]
	[ "$(grep -c '^Error: ' <<<"$output")" = 1 ]
	[[ $output == *"on bad.tf line 1, in output \"x\":"* ]]
	[[ $output == *'   1: output "x" { value = nope.x.y }'* ]]
	[[ $output == *'^'* ]]
}

@test "validate -json" {
	run tf validate -json
	[ "$status" = 0 ]
	echo "$output" | jq -e '.valid and .error_count == 0'
	echo 'resource "terraform_data" "c" { nope = 1 }' >bad.tf
	run tf validate -json
	[ "$status" = 1 ]
	echo "$output" | jq -e '(.valid | not) and
		.diagnostics[0].summary == "Unsupported argument" and
		.diagnostics[0].range.filename == "bad.tf"'
}

# bats test_tags=once
@test "validate needs every provider that is named, used or not" {
	cat >main.tf <<'TF'
terraform {
  required_providers {
    x = "1"
  }
}
provider "y" {}
resource "z_thing" "a" { count = "no" }
TF
	run tf validate -json
	[ "$status" = 1 ]
	echo "$output" | jq -e '[.diagnostics[].summary] ==
		["Missing required provider", "Missing required provider",
		"Missing required provider"] and
		all(.diagnostics[]; .range == null)'
	# a version is selected, and its package is not there
	x=registry.opentofu.org/hashicorp/x
	printf 'provider "%s" {\n  version = "1.0.0"\n}\n' $x >.terraform.lock.hcl
	echo 'terraform {
		required_providers {
			x = "2"
		}
	}' >main.tf
	run tf validate -json
	[ "$status" = 1 ]
	package="$x: there is no package for $x 1.0.0 cached in .terraform/providers"
	jq -e --arg package "$package" '[.diagnostics[].summary] == [$package]' \
		<<<"$output"
	# tests look no further, either
	echo 'run "r" { command = plan }' >a.tftest.hcl
	run -1 tf test -json
	jq -se --arg package "$package" '[.[].diagnostic.summary // empty] == [$package]' \
		<<<"$output"
	rm main.tf a.tftest.hcl .terraform.lock.hcl
	echo 'resource "terraform_data" "c" { id = 1 }' >main.tf
	run tf validate -json
	echo "$output" | jq -e '.diagnostics[0].summary ==
		"\"id\" attribute is read-only" and
		.diagnostics[0].range == null'
}

@test "-chdir, TF_CLI_ARGS_plan, unknown words" {
	mkdir sub
	mv main.tf sub
	run tf -chdir=sub plan -no-color
	[[ $output == *"Plan: 2 to add"* ]]
	TF_CLI_ARGS_plan=-detailed-exitcode run tf -chdir=sub plan
	[ "$status" = 2 ]
	run tf nope
	[ "$status" = 1 ]
	run tf plan -nope
	[ "$status" = 1 ]
	[[ $output == *"flag provided but not defined: -nope"* ]]
}

@test "any tf-NAME on PATH is tf NAME" {
	mkdir bin
	printf '#!/bin/sh\necho "hello $1"\n' >bin/tf-hello
	chmod +x bin/tf-hello
	PATH=$PATH:$PWD/bin run tf hello you
	[ "$output" = "hello you" ]
}

# bats test_tags=once
@test "two commands at once: the second is told who holds the lock" {
	cat >main.tf <<'EOF'
resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "touch started; until [ -e go ]; do sleep 0.05; done"
  }
}
EOF
	tf apply -auto-approve >first.log 2>&1 3>&- &
	first=$!
	until [ -e started ]; do sleep 0.1; done
	run tf plan -no-color
	[ "$status" = 1 ]
	[[ $output == *"Error acquiring the state lock"* ]]
	[[ $output == *"Operation:"* ]]
	run tf plan -no-color -lock=false
	[ "$status" = 0 ]
	touch go
	wait $first
	grep 'Apply complete!' first.log
}

# bats test_tags=once
@test "each stage can be replaced by its saved output" {
	tf-parse >1
	tf-eval <1 >2
	tf-graph <2 >3
	tf-plan <3 >4
	tf-parse | tf-plan | tf-show -json | jq -S 'del(.timestamp)' >one
	tf-show -json 4 | jq -S 'del(.timestamp)' >two
	diff one two
	rm main.tf
	tf-plan <3 | tf-show -json | jq -S 'del(.timestamp)' >three
	diff one three
	tf-apply <4 >5
	[ "$(jq '.resources | length' terraform.tfstate)" = 2 ]
}

@test "Ctrl-C: the run is finished in order, and told" {
	need python3
	cat >main.tf <<'TF'
resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "trap '' INT; echo rea''dy; until [ -e go ]; do sleep 0.05; done"
  }
}
resource "terraform_data" "next" { input = terraform_data.slow.id }
TF
	# a terminal whose Ctrl-C reaches every process of the run
	cat >ctrl-c.py <<'PY'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp("tf", ["tf", "apply", "-auto-approve", "-no-color"])
seen, sent = b"", False
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        break
    if not got:
        break
    seen += got
    if not sent and b"ready" in seen:
        os.write(fd, b"\x03")
        sent = True
    if b"Interrupt received." in seen:
        open("go", "w").close()
sys.stdout.write(seen.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
	run python3 ctrl-c.py
	echo "$output"
	[ "$status" = 1 ]
	[[ "$output" == *"Interrupt received."* ]]
	[[ "$output" == *"terraform_data.slow: Creation complete"* ]]
	[[ "$output" == *"Error: execution halted"* ]]
	[[ "$output" != *"terraform_data.next: Creating"* ]]
	[ "$(tf state list)" = terraform_data.slow ]
	[ ! -e .terraform.tfstate.lock.info ]
}

@test "a SIGTERM to tf alone is handed on to the apply" {
	cat >main.tf <<'TF'
resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "trap '' INT; touch ready; until [ -e go ]; do sleep 0.05; done"
  }
}
resource "terraform_data" "next" { input = terraform_data.slow.id }
TF
	tf apply -auto-approve >out 2>&1 3>&- &
	pid=$!
	until [ -e ready ]; do sleep 0.05; done
	kill -TERM $pid
	until grep -q 'Interrupt received' out; do sleep 0.05; done
	touch go
	status=0
	wait $pid || status=$?
	cat out
	[ "$status" = 1 ]
	grep -q 'slow: Creation complete' out
	[ "$(tf state list)" = terraform_data.slow ]
	[ ! -e .terraform.tfstate.lock.info ]
}

# The block is written first, and filled in by what was imported.
# bats test_tags=once
@test "import: what resources are given need not be right yet" {
	cat >main.tf <<'EOF'
resource "terraform_data" "a" { bogus = 1 }
resource "terraform_data" "b" {
  input      = local.none
  depends_on = [terraform_data.none]
  lifecycle { ignore_changes = [none] }
}
EOF
	tf import terraform_data.a one >/dev/null
	[ "$(tf state list)" = terraform_data.a ]
	# what else the configuration has must be
	for line in 'locals { l = local.none }' \
		'resource "terraform_data" "c" { count = "x" }' \
		'output "o" { value = terraform_data.none.id }'; do
		echo "$line" >more.tf
		run -1 tf import terraform_data.b two
	done
	[ "$(tf state list)" = terraform_data.a ]
}

# bats test_tags=once
@test "import: what is not there yet is unknown, with all its instances" {
	cat >main.tf <<'EOF'
variable "v" {
  default = 2
  validation {
    condition     = var.v > 1
    error_message = "no"
  }
}
resource "terraform_data" "counted" { count = 1 }
resource "terraform_data" "keyed" { for_each = toset(["a"]) }
resource "terraform_data" "single" {}
output "o" {
  value = [terraform_data.counted[0].id, terraform_data.keyed["a"].id,
    terraform_data.single.id]
}
module "m" {
  source = "./m"
  v      = [[for k, r in terraform_data.keyed : k], terraform_data.counted[1].id]
}
EOF
	mkdir m
	cat >m/main.tf <<'EOF'
variable "v" {}
resource "terraform_data" "r" {
  input = var.v
}
EOF
	tf init >/dev/null
	tf import module.m.terraform_data.r one >/dev/null
	[ "$(tf state list)" = module.m.terraform_data.r ]
	# the checks of the configuration were not made
	jq -e '.check_results == null' terraform.tfstate
	# nor is null stored for an output that is not known
	jq -e '.outputs == {}' terraform.tfstate
	tf import terraform_data.single two >/dev/null
	# of what is there all instances are known
	run -1 tf import 'terraform_data.counted[0]' three
	[[ $output = *'Invalid index'*'counted[1]'* ]]
	sed -i 's/counted.1/counted[0/' main.tf
	tf import 'terraform_data.counted[0]' three >/dev/null
}

@test "import: of what is enabled, but not there yet, nothing is known" {
	cat >main.tf <<'EOF'
resource "terraform_data" "enabled" {
  lifecycle { enabled = true }
}
resource "terraform_data" "r" {
  lifecycle {
    precondition {
      condition     = format("%s", one(terraform_data.enabled[*].id)) == "x"
      error_message = "no"
    }
  }
}
resource "terraform_data" "it" {}
EOF
	"${TF_TEST_CLI:-tf}" init
	"${TF_TEST_CLI:-tf}" import terraform_data.it one
	sed -i 's/enabled = true/enabled = false/' main.tf
	rm terraform.tfstate
	run -1 "${TF_TEST_CLI:-tf}" import terraform_data.it one
	[[ $output = *'Error in function call'* ]]
}

@test "import: an object into the state, nothing else" {
	cat >main.tf <<'EOF'
resource "terraform_data" "a" {}
resource "terraform_data" "c" { count = 2 }
output "o" { value = terraform_data.a.id }
EOF
	run tf import -no-color terraform_data.a one
	[ "$status" = 0 ]
	[[ $output = *'terraform_data.a: Importing from ID "one"...'* ]]
	[[ $output = *'Import successful!'* ]]
	[[ $output != *'Apply complete'* ]]
	tf import 'terraform_data.c[1]' two >/dev/null
	[ "$(tf state list)" = $'terraform_data.a\nterraform_data.c[1]' ]
	[ "$(tf output -raw o)" = one ]
	cp terraform.tfstate before
	for case in 'terraform_data.a two|Resource already managed by OpenTofu' \
		'terraform_data.zz x|resource address "terraform_data.zz" does not exist in the configuration.' \
		'terraform_data.c[7] x|Configuration for import target does not exist' \
		'terraform_data.c x|Configuration for import target does not exist' \
		'module.m.terraform_data.a x|Import to non-existent module' \
		'data.terraform_remote_state.d x|Invalid target resource address' \
		'terraform_data.a|Invalid number of arguments' \
		'a..b x|Attribute name required'; do
		run tf import -no-color ${case%%|*}
		[ "$status" = 1 ]
		[[ $output = *"Error: ${case#*|}"* ]]
		[[ $output != *successful* ]]
	done
	cmp before terraform.tfstate
	mkdir sub
	cp main.tf sub
	tf import -config=sub terraform_data.a three >/dev/null
	[ -s sub/terraform.tfstate ]
	# what was imported is managed: a plan leaves it as it is
	run tf plan -no-color
	[[ $output = *'Plan: 1 to add, 0 to change, 0 to destroy.'* ]]
}

# bats test_tags=once
@test "variables without a value are asked for, also on a pipe" {
	cat >main.tf <<'EOF'
variable "b" { description = "What b is.\nIn two lines." }
variable "a-list" { type = list(string) }
variable "s" { sensitive = true }
output "o" { value = [var.a-list[0], var.b, nonsensitive(var.s)] }
EOF
	printf '["x"]\nbee\nhush\n' >answers
	run tf plan -no-color -out=p <answers
	[ "$status" = 0 ]
	[[ $output = $'var.a-list\n  Enter a value: \nvar.b\n  What b is.\nIn two lines.\n\n  Enter a value: \nvar.s\n'* ]]
	[[ $output != *'No value'* ]]
	tf apply p >/dev/null
	[ "$(tf output -json o)" = '["x","bee","hush"]' ]
	# the approval comes after them, from the same input
	(cat answers; echo yes) >both
	run tf apply -no-color -var b=buzz <both
	[ "$status" = 1 ] # bee answers var.s, hush the approval
	[[ $output = *'Apply cancelled.' ]]
	printf '["x"]\nhush\nyes\n' >both
	run tf apply -no-color -var b=buzz <both
	[ "$status" = 0 ]
	[ "$(tf output -json o)" = '["x","buzz","hush"]' ]
	# no answer, no questions, no input
	run tf plan -no-color </dev/null
	[ "$status" = 1 ]
	[ "$(grep -c 'Error: No value for required variable' <<<"$output")" = 3 ]
	for opt in -input=false -json; do
		run tf plan -no-color $opt <answers
		[ "$status" = 1 ]
		[[ $output != *Enter* ]]
		[[ $output = *'No value for required variable'* ]]
	done
	run -1 compgen -G "${TMPDIR:-/tmp}/tf-missing.*"
}

@test "no answer to the approval is an error" {
	for answer in '' yes; do # without a newline nothing was confirmed
		printf %s "$answer" >answer
		run -1 tf apply -no-color <answer
		[[ $output = *'Error: error asking for approval: EOF'* ]]
		[ ! -s terraform.tfstate ]
	done
}

@test "help: of everything, of each command; what is not here" {
	run tf -help
	[ "$status" = 0 ]
	words=$(sed -n 's/^  \([a-z-]*\)  .*/\1/p' <<<"$output")
	[ "$(wc -w <<<"$words")" -gt 15 ]
	for word in $words; do
		case $word in metadata | -*) continue ;; esac
		run tf "$word" -help
		[ "$status" = 0 ]
		[[ $output = [Uu]sage:* ]] || [[ $word = version ]]
	done
	run tf plan -help
	[[ $output = 'Usage: tf plan [options]'*-generate-config-out* ]]
	run tf -help apply
	[[ $output = 'Usage: tf apply '*-auto-approve* ]]
}

@test "version tells the providers that are selected" {
	run tf version
	# programs look for this line
	[ "${lines[0]}" = 'OpenTofu v1.12.6' ]
	[[ ${lines[1]} = tfpipe\ v*', compatible with OpenTofu v1.12.6' ]]
	[[ ${lines[2]} = on\ linux_* ]]
	[[ ${lines[3]} = 'stages '* ]]
	[ ${#lines[@]} = 4 ]
	tf version -json | jq -e '.provider_selections == {}'
	cat >.terraform.lock.hcl <<'EOF'
# a comment
provider "registry.opentofu.org/hashicorp/null" {
  version     = "3.2.1"
  constraints = "~> 3.0"
  hashes = [
    "h1:x",
  ]
}

provider "registry.opentofu.org/hashicorp/random" {
  version = "3.6.0"
}
EOF
	run tf version
	[ "${lines[4]}" = '+ provider registry.opentofu.org/hashicorp/null v3.2.1' ]
	[ "${lines[5]}" = '+ provider registry.opentofu.org/hashicorp/random v3.6.0' ]
	tf version -json | jq -e '.provider_selections == {
		"registry.opentofu.org/hashicorp/null": "3.2.1",
		"registry.opentofu.org/hashicorp/random": "3.6.0"}'
}

@test "an argument named like a block that every resource may have" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  lifecycle = 5
}
TF
	run tf validate -json
	[ "$status" = 1 ]
	echo "$output" | jq -e '.diagnostics[0].summary ==
		"Unsupported argument" and .diagnostics[0].range.start.line == 2'
}

# bats test_tags=once
@test "what would move the cursor or break lines is shown escaped" {
	printf 'output "x" {\n  value = "a\\u2028b\\u0085c\\u001b[31md"\n}\n' >main.tf
	run tf plan -no-color
	[[ $output = *'+ x = "a\u2028b\u0085c\x1b[31md"'* ]]
	tf apply -auto-approve >/dev/null
	run tf output
	[ "$output" = 'x = "a\u2028b\u0085c\x1b[31md"' ]
}

@test "-compact-warnings: their summaries alone" {
	run tf plan -no-color -compact-warnings -target=terraform_data.a
	[ "$status" = 0 ]
	[[ $output = *$'Warnings:\n\n- Resource targeting is in effect\n\nTo see the full'* ]]
	[[ $output != *'exceptional'* ]]
}

@test "an apply's warnings come before what it came to" {
	cat >>main.tf <<'EOF'
check "c" {
  assert {
    condition     = terraform_data.a.id == ""
    error_message = "never"
  }
}
EOF
	run tf apply -no-color -auto-approve
	[ "$status" = 0 ]
	[[ $output = *'Warning: Check block assertion failed'*'Apply complete!'*'Outputs:'* ]]
	[[ ${output##*Outputs:} != *Warning* ]]
}

@test "show -json of a plan: values alone, nothing empty" {
	cat >main.tf <<'EOF'
variable "s" {
  sensitive = true
  default   = 2
}
resource "terraform_data" "a" { count = var.s }
EOF
	tf plan -out=p >/dev/null
	tf show -json p >j
	[ "$(jq -c .variables j)" = '{"s":{"value":2}}' ]
	[ "$(jq -c '.configuration.root_module.resources[0] |
		has("expressions")' j)" = false ]
}

@test "a plan is saved whole or not at all" {
	echo 'resource "terraform_data" "a" { input = "x" }' >main.tf
	tf plan -out=kept >/dev/null
	[ "$(stat -c %a kept)" = 600 ]
	jq -e 'select(.record == "end")' kept
	cp kept before
	# What failed before there was a plan leaves what was there.
	echo 'broken {' >main.tf
	run -1 tf plan -out=kept
	cmp kept before
	run -1 tf-ui -op=plan -out=kept < <(head -n 3 before)
	cmp kept before
	[ "$(ls)" = $'before\nkept\nmain.tf' ]
	run -1 tf-ui -op=plan -out=/dev/full <before
	[[ $output == *"Cannot copy the stream"* ]]
	run -1 tf-ui -op=plan -out=no/such/dir <before
	[[ $output == *"Failed to write plan file"* ]]
	run -1 tf-ui -op=plan -out=. <before
	[[ $output == *"Failed to write plan file"*directory* ]]
}

# bats test_tags=once
@test "a plan is written through what is no regular file" {
	echo 'resource "terraform_data" "a" { input = "x" }' >main.tf
	mkfifo fifo
	cat fifo >fed 3>&- &
	tf plan -out=fifo >/dev/null
	wait $!
	[ -p fifo ]
	tf show fed | grep -c 'terraform_data.a will be created'
	tf plan -out=/dev/null >/dev/null
	[ -c /dev/null ]
	mkdir sub
	ln -s sub/real link
	tf plan "-out=$PWD/link" >/dev/null
	[ -L link ]
	tf show sub/real | grep -c 'terraform_data.a will be created'
	tf plan "-out=$PWD/link" -destroy >/dev/null
	[ -L link ]
	[ "$(tf show sub/real | grep -c 'will be created')" = 0 ]
	[ "$(ls sub)" = real ]
	tf plan -out=link >/dev/null # a link that is not the user's, perhaps
	[ ! -L link ]
	[ "$(tf show sub/real | grep -c 'will be created')" = 0 ]
	tf plan -out=- 2>shown >piped
	grep -q 'Plan: 1 to add' shown
	tf show - <piped | grep -c 'terraform_data.a will be created'
	tf apply - <piped | grep -c 'Apply complete! Resources: 1 added'
	tf plan -out=-dash -destroy >/dev/null
	tf apply ./-dash | grep -c '1 destroyed'
}

@test "a plan is handed to tf-apply while it is made, its end when approved" {
	echo 'resource "terraform_data" "a" { input = "x" }' >main.tf
	tf-parse | tf-plan >stream
	mkfifo fifo
	tf-ui -op=approved -feed=fifo <stream >shown 3>&- &
	cat fifo >fed
	wait $!
	cmp fed <(sed '$d' stream)
	grep -q '^Plan: 1 to add' shown
	# Whoever reads it may go away.
	head -n 1 fifo >first 3>&- &
	tf-ui -op=approved -feed=fifo <stream >shown
	grep -q '^Plan: 1 to add' shown
	wait $!
	# What nobody approves of is not applied, and nothing is left behind.
	mkdir tmp
	TMPDIR=$PWD/tmp run tf apply <<<no
	[ "$status" -eq 1 ]
	[[ $output == *'Apply cancelled.'* ]]
	[ ! -e terraform.tfstate ]
	TMPDIR=$PWD/tmp run tf apply -auto-approve -input=false
	[ "$status" -eq 0 ]
	TMPDIR=$PWD/tmp run tf apply -input=false -replace=wrong
	[ "$status" -eq 1 ]
	[[ $output != *Incomplete* && $output != *Terminated* ]]
	run -0 ls -A tmp
	[ -z "$output" ]
}

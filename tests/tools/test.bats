#!/usr/bin/env bats
# tf test: files, runs, variables, assertions, what is expected to fail, mocks,
# overrides, cleanup.  TF_TEST_CLI=tofu runs what both have on the peer.

load common

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	cli=${TF_TEST_CLI:-tf}
	cat >main.tf <<'TF'
variable "n" {
  type    = number
  default = 2
  validation {
    condition     = var.n < 9
    error_message = "too many"
  }
}
resource "terraform_data" "a" {
  count = var.n
  input = "x${count.index}"
  lifecycle {
    precondition {
      condition     = var.n != 7
      error_message = "not seven"
    }
  }
}
output "names" { value = terraform_data.a[*].input }
check "c" {
  assert {
    condition     = var.n != 5
    error_message = "five"
  }
}
TF
}

ours() {
	[ "$cli" = tf ] || skip 'ours alone'
}

# Runs the tests: what was told without diagnostics is in got.
tests() { # STATUS [OPTION...]
	local status=0 want=$1
	shift
	"$cli" init >/dev/null
	"$cli" test -no-color "$@" >out 2>err || status=$?
	[ "$status" = "$want" ] || { cat out err; false; }
	grep -E '\.\.\. |passed' out >got
}

@test "of a configuration that is not valid nothing is expected" {
	mkdir bad
	cat >bad/main.tf <<'TF'
variable "n" {
  default = 1
  validation {
    condition     = var.n < 9
    error_message = "too many"
  }
}
resource "terraform_data" "a" { inptu = 1 }
TF
	cat >a.tftest.hcl <<'T'
run "bad" {
  command = plan
  module { source = "./bad" }
  expect_failures = [var.n]
}
T
	tests 1
	grep -c 'Unsupported argument' err
	run -1 grep 'Missing expected failure' err
}

@test "files are read once, also where variables are needed to read the configuration" {
	mkdir m
	echo 'output "x" { value = 1 }' >m/main.tf
	cat >>main.tf <<'TF'
variable "where" { default = "m" }
module "m" { source = "./${var.where}" }
TF
	cat >a.tftest.hcl <<'T'
run "one" {
  assert {
    condition     = length(output.names) == 2
    error_message = "not two"
  }
}
T
	tests 0
	[ "$(<got)" = 'a.tftest.hcl... pass
  run "one"... pass
Success! 1 passed, 0 failed.' ]
}

@test "runs pass or fail by their assertions, and go on after a failure" {
	cat >a.tftest.hcl <<'T'
run "holds" {
  assert {
    condition     = length(output.names) == 2 && terraform_data.a[0].input == "x0"
    error_message = "not two"
  }
}
run "fails" {
  assert {
    condition     = var.n == 3
    error_message = "it is ${var.n}"
  }
}
run "planned" { command = plan }
T
	tests 1
	diff got - <<'X'
a.tftest.hcl... fail
  run "holds"... pass
  run "fails"... fail
  run "planned"... pass
Failure! 2 passed, 1 failed.
X
	grep -q '^Error: Test assertion failed' err
	grep -q '^it is 2$' err
}

@test "an error skips the rest of its file only" {
	echo 'run "u" {
  command = plan
  assert {
    condition     = terraform_data.a[0].id != ""
    error_message = "m"
  }
}
run "v" {}' >a.tftest.hcl
	echo 'run "w" { command = plan }' >b.tftest.hcl
	tests 1
	diff got - <<'X'
a.tftest.hcl... fail
  run "u"... fail
  run "v"... skip
b.tftest.hcl... pass
  run "w"... pass
Failure! 1 passed, 1 failed, 1 skipped.
X
	grep -q '^Error: Unknown condition run' err
}

@test "without files of tests none fails" {
	tests 0
	[ "$(cat got)" = 'Success! 0 passed, 0 failed.' ]
}

@test "files are in the root and in the directory of tests, JSON among them" {
	mkdir -p tests other
	echo 'run "r" { command = plan }' |
		tee a.tftest.hcl tests/b.tftest.hcl other/c.tofutest.hcl \
			other/c.tftest.hcl >/dev/null
	echo '{"run":{"j":{"command":"plan","assert":[{"condition":
		"${var.n == 3}","error_message":"no"}]}}}' >tests/d.tftest.json
	tests 1
	[ "$(grep -c '^[^ ]*\.\.\.' got)" = 3 ]
	grep -q '^tests/d.tftest.json... fail' got
	tests 0 -test-directory=other
	[ "$(sed -n 's/\.\.\. pass$//p' got | grep -v run)" = 'a.tftest.hcl
other/c.tofutest.hcl' ]
	tests 0 -filter=tests/b.tftest.hcl
	[ "$(head -n 1 got)" = 'tests/b.tftest.hcl... pass' ]
}

@test "variables come from the run, its file, the command line, files" {
	mkdir tests
	echo 'n = 8' >terraform.tfvars
	echo 'n = 6' >tests/x.auto.tfvars
	for n in 3 4 6; do
		echo "run \"r$n\" {
  command = plan
  assert {
    condition     = var.n == $n
    error_message = \"\${var.n}, not $n\"
  }"
		if [ $n = 3 ]; then
			echo '  variables { n = 3 }'
		fi
		echo '}'
	done >a.tftest.hcl
	sed '/r3/,$d' a.tftest.hcl >none
	tests 1
	grep -q 'run "r6"... pass' got
	grep -q 'run "r3"... pass' got
	grep -q 'run "r4"... fail' got
	echo 'variables { n = 4 }' >>a.tftest.hcl
	tests 1
	grep -q 'run "r4"... pass' got
}

@test "a run sees the outputs of earlier ones, and what its file alone has" {
	cat >a.tftest.hcl <<'T'
variables { extra = 3 }
run "one" {}
run "two" {
  variables { n = length(run.one.names) + 1 }
  assert {
    condition     = var.n == var.extra
    error_message = "not ${var.extra}"
  }
}
T
	tests 0
}

@test "a run has another module, with a state of its own" {
	mkdir setup
	echo 'resource "terraform_data" "s" { input = 4 }
output "count" { value = terraform_data.s.output }' >setup/main.tf
	cat >a.tftest.hcl <<'T'
run "setup" {
  module { source = "./setup" }
}
run "use" {
  variables { n = run.setup.count }
  assert {
    condition     = length(terraform_data.a) == 4
    error_message = "not four"
  }
}
T
	tests 0
	[ ! -e terraform.tfstate ]
}

@test "what is expected to fail must, and nothing else may" {
	cat >a.tftest.hcl <<'T'
run "variable" {
  command = plan
  variables { n = 9 }
  expect_failures = [var.n]
}
run "resource" {
  command = plan
  variables { n = 7 }
  expect_failures = [terraform_data.a]
}
run "check" {
  variables { n = 5 }
  expect_failures = [check.c]
}
run "none" {
  expect_failures = [output.names]
}
T
	tests 1
	grep -q 'run "variable"... pass' got
	grep -q 'run "resource"... pass' got
	grep -q 'run "check"... pass' got
	grep -q 'run "none"... fail' got
	grep -q '^Error: Missing expected failure' err
	sed '1,/^run "resource/d; s/expect_failures.*//' a.tftest.hcl |
		sed '1i run "r" {' >b.tftest.hcl
	tests 1 -filter=b.tftest.hcl
	grep -q '^Error: Resource precondition failed' err
}

@test "a check that fails, and is not expected to, is an error" {
	echo 'run "r" {
  variables { n = 5 }
}' >a.tftest.hcl
	tests 1
	grep -q '^Error: Check block assertion failed' err
}

@test "options of the plan: replace, target, refresh-only" {
	cat >a.tftest.hcl <<'T'
run "one" {
  plan_options {
    target = [terraform_data.a[0]]
  }
  assert {
    condition     = length(terraform_data.a) == 2
    error_message = "m"
  }
}
run "two" {
  plan_options { mode = refresh-only }
}
run "bad" {
  plan_options { replace = [data.x.y] }
}
T
	tests 1
	grep -q '^Error: Can only target managed resources' err
}

@test "a module and resources are overridden, one instance of them too" {
	mkdir m
	echo 'resource "terraform_data" "z" { input = "real" }
output "x" { value = terraform_data.z.output }
output "y" { value = "y" }' >m/main.tf
	echo 'module "m" { source = "./m" }
output "x" { value = module.m.x }
output "y" { value = module.m.y }' >more.tf
	cat >a.tftest.hcl <<'T'
run "module" {
  override_module {
    target  = module.m
    outputs = { x = "mine" }
  }
  assert {
    condition     = output.x == "mine" && output.y == null
    error_message = "m"
  }
}
run "resource" {
  override_resource {
    target = module.m.terraform_data.z
    values = { output = "over" }
  }
  assert {
    condition     = output.x == "over" && terraform_data.a[0].output == "x0"
    error_message = "m"
  }
}
run "missing" {
  command = plan
  override_resource { target = terraform_data.none }
}
T
	tests 1
	grep -q 'run "module"... pass' got
	grep -q 'run "resource"... pass' got
	grep -q '^Error: Resource not found: terraform_data.none' err
}

@test "an override may name one instance, and call functions" {
	ours
	cat >a.tftest.hcl <<'T'
run "r" {
  override_resource {
    target = terraform_data.a[1]
    values = { output = upper("over") }
  }
  assert {
    condition     = join(",", terraform_data.a[*].output) == "x0,OVER"
    error_message = join(",", terraform_data.a[*].output)
  }
}
T
	tests 0
}

@test "what is configured cannot be overridden" {
	cat >a.tftest.hcl <<'T'
run "r" {
  command = plan
  override_resource {
    target = terraform_data.a
    values = { input = "z" }
  }
}
T
	tests 1
	grep -q '^Error: Invalid mock/override field `input`' err
}

@test "a mistake in a file stops all tests" {
	echo 'run "r" { nothing = 1 }' >a.tftest.hcl
	echo 'run "s" {}' >b.tftest.hcl
	run -1 --separate-stderr "$cli" test -no-color
	[[ $output != *passed* ]]
	echo "$stderr" >err
	grep -q '^Error: Unsupported argument' err
}

@test "the directory's backend and state are left alone" {
	echo 'terraform {
  backend "local" { path = "mine.tfstate" }
}' >backend.tf
	echo 'run "r" {}' >a.tftest.hcl
	tests 0
	[ ! -e mine.tfstate ]
	[ ! -e terraform.tfstate ]
}

@test "what cannot be destroyed is listed and kept" {
	echo 'resource "terraform_data" "stays" {
  provisioner "local-exec" {
    when    = destroy
    command = "exit 1"
  }
}' >stays.tf
	echo 'run "r" {}' >a.tftest.hcl
	tests 0
	grep -q '^  - terraform_data.stays$' err
	jq -e '.resources[0].name == "stays"' errored_test.tfstate >/dev/null
}

@test "cleanup goes by what its run saw, also of runs that are gone" {
	ours
	cat >a.tftest.hcl <<'T'
run "one" {}
run "two" {
  variables { n = length(run.one.names) }
}
T
	tests 0
	[ ! -e errored_test.tfstate ]
}

@test "-json says what is run, and how each ended" {
	echo 'run "r" {}' >a.tftest.hcl
	echo 'run "s" {
  assert {
    condition     = var.n == 3
    error_message = "m"
  }
}' >b.tftest.hcl
	"$cli" init >/dev/null
	run -1 "$cli" test -json
	echo "$output" >out
	jq -c 'select(.type | startswith("test_")) | [.test_abstract, .test_file,
		.test_run, .test_summary] | map(select(.))' out >got
	diff got - <<'X'
[{"a.tftest.hcl":["r"],"b.tftest.hcl":["s"]}]
[{"path":"a.tftest.hcl","status":"pass"}]
[{"path":"a.tftest.hcl","run":"r","status":"pass"}]
[{"path":"b.tftest.hcl","status":"fail"}]
[{"path":"b.tftest.hcl","run":"s","status":"fail"}]
[{"status":"fail","passed":1,"failed":1,"errored":0,"skipped":0}]
X
	[ "$(jq -r 'select(.type == "diagnostic") |
		."@testfile" + " " + ."@testrun"' out)" = 'b.tftest.hcl s' ]
}

@test "-verbose shows plans and states" {
	echo 'run "p" { command = plan }
run "a" {}' >a.tftest.hcl
	tests 0 -verbose
	grep -q 'will be created' out
	grep -q '^# terraform_data.a\[1\]:' out
}

@test "-junit-xml writes a report" {
	ours
	echo 'run "good" { command = plan }
run "bad" {
  command = plan
  assert {
    condition     = var.n == 3
    error_message = "<no>"
  }
}' >a.tftest.hcl
	tests 1 -junit-xml=report.xml
	grep -q '<testsuites tests="2" failures="1" errors="0" skipped="0">' \
		report.xml
	grep -q '&lt;no&gt;</failure>' report.xml
}

@test "-save keeps the streams, from which a run is repeated" {
	ours
	echo 'run "r" {
  assert {
    condition     = output.names[0] == "x0"
    error_message = "m"
  }
}' >a.tftest.hcl
	tests 0 -save=streams
	rm main.tf
	tf-plan <streams/a.tftest.hcl/r/parsed >plan
	jq -es 'any(.[]; .record == "test" and (.asserts | length) == 1)' plan
	tf-apply <plan >applied
	[ ! -e terraform.tfstate ]
	[ "$(stat -c %a streams/a.tftest.hcl/r/parsed)" = 600 ]
}

# bats test_tags=once
@test "runs beside one another are told in their order" {
	ours
	for f in a b c; do
		for i in 1 2 3 4; do
			echo "run \"r$i\" {
  command = plan
  variables { n = $i }
  assert {
    condition     = length(terraform_data.a) == $i
    error_message = \"m\"
  }
}"
		done >$f.tftest.hcl
	done
	tests 0 -parallelism=1
	cp got one
	tests 0 -parallelism=8
	diff one got
}

@test "init installs the modules of runs, and the providers of files" {
	ours
	mkdir -p tests setup
	echo 'output "x" { value = 1 }' >setup/main.tf
	echo 'run "setup" {
  module { source = "./setup" }
}' >tests/a.tftest.hcl
	tf init >/dev/null
	jq -e 'any(.Modules[]; .Key == "test.tests.a.setup" and
		.Dir == "setup")' .terraform/modules/modules.json >/dev/null
	rm -r .terraform
	run -1 tf test
	[[ $output == *'Module not installed'* ]]
	tf init -test-directory=none >/dev/null
	run -1 tf test
}

@test "nothing is run where what the lock file selects is not installed" {
	echo 'terraform {
  required_providers {
    a = { source = "acme/a" }
  }
}' >main.tf
	for p in a b; do
		echo "provider \"registry.opentofu.org/acme/$p\" {
  version = \"1.0.0\"
}"
	done >.terraform.lock.hcl
	echo 'run "r" {}' >a.tftest.hcl
	run -1 --separate-stderr "$cli" test -no-color
	[ -z "$output" ]
	for p in a b; do
		[[ ${stderr//$'\n'/ } == *"there is no package for registry.opentofu.org/acme/$p 1.0.0 cached in "* ]]
	done
}

@test "validate checks files of tests, unless it is told not to" {
	echo 'run "r" { nothing = 1 }' >a.tftest.hcl
	"$cli" init >/dev/null 2>&1 || true
	run -1 "$cli" validate -no-color
	[[ $output == *'Unsupported argument'* ]]
	run -0 "$cli" validate -no-tests
}

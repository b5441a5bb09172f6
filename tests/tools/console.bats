#!/usr/bin/env bats
# console.bats - what the console makes of a configuration and a state
#
# TF_TEST_CLI names another OpenTofu command to run the tests with, for
# comparison.

load provider

setup() {
	provider_setup
}

# The summaries that the console prints before the first line.
wrong() { # SUMMARY...
	run -0 $cli console -no-color </dev/null
	diff <(sed -n 's/^Error: //p' <<<"$output" | LC_ALL=C sort) \
		<(printf "${1+%s\n}" "$@")
}

# What the lines come to.
answers() { # LINE ANSWER [LINE ANSWER]...
	local line= answers=
	while [ $# -gt 0 ]; do
		line+=$1$'\n' answers+=$2$'\n'
		shift 2
	done
	diff <($cli console -no-color <<<"${line%$'\n'}" 2>err |
		sed '/^Warning: /d; /^$/d') <(printf %s "$answers")
}

@test "outputs whose preconditions fail have no value" {
	mkdir m
	cat >m/main.tf <<-'END'
	variable "v" {
	  default = 1
	}
	output "fails" {
	  value = "x"
	  precondition {
	    condition     = var.v == 2
	    error_message = "no"
	  }
	}
	END
	cat >main.tf <<-'END'
	variable "v" {
	  default = 1
	}
	module "m" {
	  source = "./m"
	}
	output "a" {
	  value = [][0]
	  precondition {
	    condition     = var.v == 2
	    error_message = "no"
	  }
	}
	output "b" {
	  value = 1
	  precondition {
	    condition     = upper([var.v]) == "1"
	    error_message = "no"
	  }
	}
	END
	$cli init >/dev/null
	wrong 'Invalid function argument' \
		'Module output value precondition failed' \
		'Module output value precondition failed'
	answers module.m.fails '(known after apply)' 1 1
}

@test "what needs a variable that breaks its rule is not known" {
	cat >main.tf <<-'END'
	variable "v" {
	  default = 1
	  validation {
	    condition     = var.v == 2
	    error_message = "no"
	  }
	}
	locals {
	  a = var.v
	  b = local.a
	}
	END
	wrong 'Invalid value for variable'
	answers var.v 1 local.a '(known after apply)' \
		local.b '(known after apply)' 1 1
}

@test "of resources that the state does not hold nothing is known" {
	cat >main.tf <<-'END'
	resource "terraform_data" "off" {
	  input = "x"
	  lifecycle {
	    enabled = false
	  }
	}
	resource "terraform_data" "none" {
	  count = 0
	}
	resource "terraform_data" "no_keys" {
	  for_each = toset([])
	}
	output "o" {
	  value = [for x in one(terraform_data.off[*].output) : x]
	}
	END
	wrong
	answers terraform_data.off '(known after apply)' \
		'one(terraform_data.off[*].output)' '(known after apply)' \
		terraform_data.none '(known after apply)' \
		terraform_data.no_keys '(known after apply)'
	$cli apply -auto-approve -target=terraform_data.none >/dev/null
	answers terraform_data.off.output '(known after apply)' \
		'length(terraform_data.none)' '(known after apply)'
}

@test "instances are seen as the configuration asks for them, from the state" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  count = 3
	  input = count.index
	}
	resource "terraform_data" "b" {
	  for_each = toset(["x", "y"])
	  input    = each.key
	}
	resource "terraform_data" "c" {
	  input = "c"
	}
	END
	$cli apply -auto-approve >/dev/null
	$cli state rm 'terraform_data.a[1]' >/dev/null
	sed -i 's/count = 3/count = 5/' main.tf
	answers 'length(terraform_data.a)' 3 \
		'terraform_data.a[1].output' '(known after apply)' \
		'terraform_data.a[2].output' 2 \
		'join(" ", keys(terraform_data.b))' '"x y"' \
		terraform_data.c.output '"c"'
	# other kinds of keys than those in the state
	sed -i '/count/d; s/for_each.*/count = 2/
		s/input = "c"/for_each = toset(["c"])/' main.tf
	sed -i '/input/d' main.tf
	answers 'length(terraform_data.b)' 0 \
		'length(terraform_data.c)' 0 \
		terraform_data.a.output '(known after apply)'
}

@test "a module has no instances while it is not known which" {
	mkdir m
	echo 'output "x" { value = 1 }' >m/main.tf
	cat >main.tf <<-'END'
	resource "terraform_data" "r" {
	  count = 2
	}
	module "m" {
	  source = "./m"
	  count  = length(terraform_data.r)
	}
	module "n" {
	  source   = "./m"
	  for_each = toset([terraform_data.r[0].id])
	}
	locals {
	  l = module.m[0].x
	}
	END
	$cli init >/dev/null
	wrong 'Invalid count argument' 'Invalid for_each argument'
	answers module.m '[]' module.n '{}' local.l '(known after apply)'
}

@test "what may be unknown hides no wrong name, and no secret in an output" {
	mkdir m
	cat >m/main.tf <<-'END'
	variable "e" {
	  default   = "x"
	  ephemeral = true
	}
	output "secret" { value = sensitive("x") }
	output "e" { value = var.e }
	END
	cat >main.tf <<-'END'
	locals {
	  b = terraform_data.a[5].nope
	}
	resource "terraform_data" "a" {
	  count = 0
	}
	module "m" {
	  source = "./m"
	}
	output "b" { value = terraform_data.a[5].nope }
	output "s" { value = module.m.secret }
	output "t" {
	  value     = module.m.secret
	  sensitive = true
	}
	END
	$cli init >/dev/null
	wrong 'Output does not allow ephemeral value' \
		'Output refers to sensitive values' \
		'Unsupported attribute' 'Unsupported attribute'
}

@test "a module call with wrong arguments ends it" {
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	  nope   = 1
	}
	END
	$cli init >/dev/null
	run -1 $cli console -no-color <<<1
	diff <(sed -n 's/^Error: //p' <<<"$output" | sort) \
		<(printf '%s\n' 'Missing required argument' 'Unsupported argument')
}

@test "a value that cannot be read ends it; one of a wrong type does not" {
	cat >main.tf <<-'END'
	variable "l" {
	  type    = list(string)
	  default = []
	}
	END
	run -1 $cli console -no-color -var='l=two words' <<<1
	[[ $output == *'Extra characters after expression'* ]]
	TF_VAR_l=a run -1 $cli console -no-color <<<1
	[[ $output == *'Variables not allowed'* ]]
	run -0 $cli console -no-color -var='l=5' <<<1
	[[ $output == *'Invalid value for input variable'* ]]
	echo 'l = 5' >terraform.tfvars
	run -0 $cli console -no-color <<<1
	[ "${lines[-1]}" = 1 ]
}

@test "what is not known yet is an object where something of it is marked" {
	config <<-'END'
	ephemeral "test_token" "one" {}
	ephemeral "test_token" "many" { count = 1 }
	resource "test_hidden" "deep" {}
	resource "test_thing" "plain" {}
	END
	answers ephemeral.test_token.one '(ephemeral value)' \
		'[ephemeral.test_token.one][0]' '(ephemeral value)' \
		ephemeral.test_token.one.token '(known after apply)' \
		ephemeral.test_token.many '(known after apply)' \
		'{ for k, v in test_hidden.deep : k => 1 if k == "id" }' \
		$'{\n  "id" = 1\n}' \
		test_thing.plain '(known after apply)'
}

@test "help is no expression" {
	: >main.tf
	run -0 --separate-stderr $cli console <<<$'1 + 1\nhelp\n2 + 2'
	[[ $output == $'2\n'*exit*$'\n4' ]]
	[ -z "$stderr" ]
	run -1 $cli console <<<'help()'
}

# Types at the console; its argument says how it ends.
terminal_keys() {
	cat >keys.py <<'PY'
import os, pty, sys, termios, time
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp("tf", ["tf", "console", "-no-color"])
def until(text):
    seen = b""
    while text not in seen:
        seen += os.read(fd, 4096)
    return seen
def type(keys):                   # once the terminal is the editor's
    while termios.tcgetattr(fd)[3] & termios.ICANON:
        time.sleep(0.01)
    os.write(fd, keys)
until(b"> ")
type(b"[1,\r")
until(b"\n: ")                    # it goes on
type(b"3][1]\r")
until(b"\n3\r\n> ")
type(b"2\x01" + b"4\r")   # Ctrl-A: to the beginning
until(b"\n42\r\n> ")
type(b"5\r")
until(b"\n5\r\n> ")
type(b"\x1b[A\x1b[A\r")   # the line before the last
until(b"\n42\r\n> ")
type('length("é→ü")\r'.encode())
until(b"\n3\r\n> ")
type(b"9 + ")
until(b"9 + ")
type(b"\x03")             # Ctrl-C: the line is given up
until(b"^C\r\n> ")
type(b"[7,\r")
until(b"\n: ")
type(b"\x03")             # the lines before it, too
until(b"^C\r\n> ")
type(b" 8\r")             # not remembered
until(b"\n8\r\n> ")
type(b"6\r")
until(b"\n6\r\n> ")
if sys.argv[1] == "leave":
    type(b"\x03")         # on an empty line: the end
    until(b"^C\r\n")
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
type(b"\x1b[A\x1b[A\x1b[A\r")  # length(...)
until(b"\n3\r\n> ")
type(b"\x04")
until(b"\n")             # what the shell writes has a line of its own
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
}

@test "at a terminal lines are edited, and remembered" {
	need python3
	[ -z "${TF_TEST_CLI-}" ] || skip "OpenTofu has other keys"
	terminal_keys
	export LC_ALL=C XDG_STATE_HOME=$PWD/state
	timeout 120 python3 keys.py end
	file=state/tfpipe/console_history
	[ "$(stat -c %a $file)" = 600 ]
	grep -c '^42' $file
	run -1 grep -n '^9\|^ ' $file
	# another time the lines are there
	sed -i 's/^type(b"\[1,.*/type(b"\\x1b[A\\x1b[A\\r"); until(b"\\n6\\r\\n> "); sys.exit()/' keys.py
	timeout 120 python3 keys.py again
}

@test "at a terminal Ctrl-C on an empty line leaves the console" {
	need python3
	[ -z "${TF_TEST_CLI-}" ] || skip "OpenTofu has other keys"
	terminal_keys
	TFPIPE_CONSOLE_HISTORY='' XDG_STATE_HOME=$PWD/state \
		timeout 120 python3 keys.py leave
	[ ! -e state ]
}

@test "a backend that is not ready, and modules that are not installed" {
	cat >main.tf <<-'END'
	terraform {
	  backend "local" {
	    path = "x.tfstate"
	  }
	}
	module "m" {
	  source = "./m"
	}
	END
	wrong() { # SUMMARY
		run -1 $cli console -no-color </dev/null
		[ "$(grep -o '^Error: [^,]*' <<<"$output")" = "Error: $1" ]
	}
	mkdir m
	wrong 'Backend initialization required'
	sed -i '1,5d' main.tf
	wrong 'Module not installed'
}

@test "a key that is missing, or too many, is told as validation tells it" {
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	cat >main.tf <<-'TF'
	resource "terraform_data" "many" {
	}
	resource "terraform_data" "one" {
	}
	locals {
	  l = terraform_data.many.output
	}
	output "o" { value = local.l }
	module "c" {
	  source   = "./m"
	  for_each = { a = "x" }
	  v        = [each.value, terraform_data.one[0].id]
	}
	TF
	$cli get >/dev/null
	sed -i 's/\[0\]//' main.tf
	$cli apply -auto-approve >/dev/null
	sed -i 's/one.id/one[0].id/; s/"many" {/&\n  for_each = toset([])/' main.tf
	wrong 'Missing resource instance key' 'Unexpected resource instance key'
}

@test "-scope: in an instance of a module, with its objects" {
	[ "$cli" = tf ] || skip 'only of this program'
	mkdir -p a/b
	cat >main.tf <<-'END'
	module "z" {
	  source   = "./a"
	  for_each = toset(["x", "y z"])
	  v        = each.key
	}
	module "none" {
	  source = "./a"
	  count  = 0
	  v      = ""
	}
	END
	cat >a/main.tf <<-'END'
	variable "v" {}
	locals {
	  l = upper(var.v)
	}
	resource "terraform_data" "d" {
	  input = local.l
	}
	module "b" {
	  source = "./b"
	}
	END
	echo 'output "o" {
	  value = 7
	}' >a/b/main.tf
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	run -0 tf console -scope='module.z["y z"]' <<-'END'
	[local.l, terraform_data.d.output, module.b.o, path.module, path.root]
	END
	[ "$(jq -c . <<<"${output%,*}]")" = '["Y Z","Y Z",7,"a","."]' ]
	run -0 tf-eval -scope=module.z[\"x\"].module.b -e path.module
	[ "$output" = '"a/b"' ]
	run -0 tf-eval -scope='module.z["x"]' -batch <<<'{"id":"1","expr":"var.v"}'
	jq -e '.json == "\"x\""' <<<"$output"
	# names are those of the module
	run -1 tf console -no-color -scope='module.z["x"]' <<<'module.z'
	[[ $output = *'Error: Reference to undeclared module'* ]]
	for wrong in module.z module.none[0] 'module.z["w"]' module.q; do
		run -1 tf console -no-color -scope="$wrong" <<<1
		[[ $output = *'Error: Invalid scope'*"no instance of a module at $wrong."* ]]
	done
	run -1 tf console -no-color -scope='module.z["x"].terraform_data.d' <<<1
	[[ $output = *'takes the address of an instance of a module'* ]]
	run -1 tf console -no-color -scope='module.z[' <<<1
	[[ $output = *'Error: Invalid scope "module.z["'* ]]
}

# bats test_tags=once
@test "the workspace is the one that was selected" {
	touch main.tf
	run -0 $cli init -no-color
	answers terraform.workspace '"default"'
	run -0 $cli workspace new -no-color dev
	answers terraform.workspace '"dev"'
	TF_WORKSPACE=other answers terraform.workspace '"other"'
}

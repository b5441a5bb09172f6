#!/usr/bin/env bats
# prompts.bats - values that the driver asks for stay between it and the stages

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# Stages before those of the build, which note their arguments.
watched() {
	local tool
	mkdir bin
	for tool in tf-parse tf-eval tf-graph tf-plan tf-apply tf-show tf-state; do
		cat >"bin/$tool" <<-END
		#!/bin/sh
		printf '%s\n' "\$@" >>"$PWD/arguments"
		exec "$(command -v $tool)" "\$@"
		END
		chmod +x "bin/$tool"
	done
	cp "$(command -v tf)" bin
	ln -s "$(dirname "$(command -v tf)")"/{words,runner} bin
	PATH=$PWD/bin:$PATH
}

# bats test_tags=once
@test "a prompted value is in no argument, whatever the variable's name" {
	cat >main.tf <<-'END'
	variable "plain" {}
	variable "with-a-dash" { sensitive = true }
	output "o" {
	  value     = "${var.plain} ${var.with-a-dash}"
	  sensitive = true
	}
	END
	watched
	printf 'hunter1\nhunter2\n' >answers
	TF_INPUT=1 tf apply -auto-approve <answers >out 2>err
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = 'hunter1 hunter2' ]
	[ -s arguments ]
	run -1 grep hunter arguments out err
}

# Runs a command of the shell at a terminal of its own, at which the answer is
# typed once a question is there; what the terminal shows is kept in seen.
at_terminal() { # ANSWER COMMAND
	cat >at.py <<-'END'
	import os, pty, sys
	pid, fd = pty.fork()
	if pid == 0:
	    os.execvp("sh", ["sh", "-c", sys.argv[2]])
	seen, answered = b"", False
	while True:
	    try:
	        piece = os.read(fd, 4096)
	    except OSError:
	        break
	    if not piece:
	        break
	    seen += piece
	    if not answered and b"Enter a value:" in seen:
	        os.write(fd, sys.argv[1].encode() + b"\n")
	        answered = True
	open("seen", "wb").write(seen)
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	END
	python3 at.py "$@"
}

@test "-ask shows a plan that comes through a pipe, and asks at the terminal" {
	need python3
	echo 'resource "terraform_data" "a" { input = "x" }' >main.tf
	tf plan -out=p >/dev/null
	run -1 at_terminal no 'tf apply -ask - <p >out 2>&1'
	grep -q 'terraform_data.a will be created' out
	grep -q 'Apply cancelled' seen
	grep -q 'Do you want to perform these actions' seen
	run -1 grep 'Enter a value' out
	[ ! -e terraform.tfstate ]
	run -0 at_terminal yes 'cat p | tf apply -ask - >out 2>&1'
	grep -q 'terraform_data.a will be created' out
	grep -q 'Apply complete! Resources: 1 added, 0 changed, 0 destroyed.' out
	[ "$(tf-state list)" = terraform_data.a ]
	# from a file, at a terminal alone; a stale plan is refused behind it
	run -1 at_terminal yes 'tf apply -ask p'
	grep -q 'will be created' seen
	grep -q 'Saved plan is stale' seen
	# a cut one is no plan that anybody could approve of
	tf plan -destroy -out=q >/dev/null
	run -1 at_terminal yes 'head -c 2000 q | tf apply -ask - >out 2>&1'
	grep -q 'Incomplete input stream' out
	run -1 grep -a 'Enter a value' seen
	[ "$(tf-state list)" = terraform_data.a ]
	# nothing to do is nothing to ask
	tf plan -out=same >/dev/null
	run -0 at_terminal no 'tf apply -ask same'
	run -1 grep -a 'Enter a value' seen
	# without a saved plan, and with the input for something else
	run -0 at_terminal yes 'echo terraform_data.a | tf destroy -ask -target-file=- >out 2>&1'
	grep -q 'Destroy complete! Resources: 1 destroyed' out
}

# bats test_tags=once
@test "-ask shows and asks about what is encrypted" {
	need python3
	cat >main.tf <<-'END'
	terraform {
	  encryption {
	    key_provider "pbkdf2" "k" { passphrase = "0123456789abcdef-k" }
	    method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
	    plan { method = method.aes_gcm.m }
	  }
	}
	resource "terraform_data" "a" {}
	END
	tf plan -out=p >/dev/null
	run -1 grep -a terraform_data p
	run -0 at_terminal yes 'tf apply -ask p'
	grep -q 'will be created' seen
	[ "$(tf-state list)" = terraform_data.a ]
}

@test "-ask asks nobody where there is no terminal, and goes with no other way" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf plan -out=p >/dev/null
	run -1 setsid -w tf apply -ask p <<<yes
	[[ $output == *'Nobody can be asked'* ]]
	run -1 setsid -w tf apply -ask <<<yes
	[[ $output == *'Nobody can be asked'* ]]
	run -1 tf apply -ask -auto-approve p
	[[ $output == *'Incompatible options'* ]]
	run -1 tf apply -ask -json p
	[[ $output == *'Incompatible options'* ]]
	[ ! -e terraform.tfstate ]
}

@test "nothing is believed that lies in the temporary directory" {
	echo 'output "o" { value = 1 }' >main.tf
	mkdir tmp
	export TMPDIR=$PWD/tmp
	# the process that is to be the driver plants the file, for itself and
	# those that it is going to start, and becomes it
	run -0 bash -c 'for i in {0..99}; do
			printf "a\tplain\tx\n" >"$TMPDIR/tf-missing.$(($$ + i))"
		done
		exec tf plan' <<<'given'
	[[ $output != *var.a* ]]
	[[ $output == *'+ o = 1'* ]]
}

@test "variables in a module's source are asked for before the others" {
	mkdir -p m/one
	echo 'output "x" { value = 1 }' >m/one/main.tf
	cat >main.tf <<-'END'
	variable "which" { description = "Which module" }
	variable "a" {}
	module "m" { source = "./m/${var.which}" }
	output "o" { value = "${module.m.x} ${var.a}" }
	END
	TF_VAR_which=one tf get
	printf 'one\ntwo\n' >answers
	tf apply -auto-approve -no-color <answers >out
	[ "$(grep '^var\.' out)" = $'var.which\nvar.a' ]
	[[ $(<out) == *$'var.which\n  Which module\n'* ]]
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = '1 two' ]
	# nobody answers, or may be asked
	run tf plan -no-color </dev/null
	[ "$status" = 1 ]
	[ "$(grep -c 'Enter a value' <<<"$output")" = 1 ]
	[[ $output == *'Failed to request input from user for variable var.which'* ]]
	TF_INPUT=0 run tf plan -no-color -input=true <answers
	[ "$status" = 1 ]
	[[ $output != *'Enter a value'* ]]
}

@test "init asks for what modules and the backend need, and for nothing else" {
	mkdir m
	echo 'output "x" { value = 1 }' >m/main.tf
	cat >main.tf <<-'END'
	variable "at" { description = "Where" }
	variable "which" {}
	variable "later" {}
	variable "early" { const = true }
	terraform {
	  backend "local" { path = "${local.at}.tfstate" }
	}
	locals { at = var.at }
	module "m" { source = "./${var.which}" }
	END
	printf 'here\nsoon\nm\n' >answers
	tf init -no-color <answers >out
	[ "$(grep '^var\.' out)" = $'var.at\nvar.early\nvar.which' ]
	[ "$(grep -c '^Initializing the backend' out)" = 1 ]
	[ "$(jq -r .backend.config.path .terraform/terraform.tfstate)" = here.tfstate ]
	[ "$(jq -r '.Modules[].Dir' .terraform/modules/modules.json)" = $'.\nm' ]
	rm -r .terraform
	tf init -no-color -var which=m -var at=a -var early=b </dev/null >out
	run -1 grep 'Enter a value' out
	run -1 tf init -no-color -input=false <answers
	[[ $output == *"Failed to request input"* && $output != *"Enter a"* ]]
	TF_INPUT=0 run -1 tf init -no-color <answers
	[[ $output != *"Enter a"* ]]
	run -1 tf init -json <answers
	[[ $output != *"Enter a"* ]]
}

# bats test_tags=once
@test "import looks whether there is such a resource before it asks" {
	cat >main.tf <<-'END'
	variable "v" {}
	resource "terraform_data" "a" { input = var.v }
	END
	while IFS='|' read -r address summary; do
		run -1 tf import -no-color "$address" id <<<'x'
		[[ $output == *"Error: $summary"* ]]
		[[ $output != *'Enter a value'* && $output != *'No value'* ]]
	done <<-'END'
	terraform_data.b|resource address "terraform_data.b" does not exist
	data.terraform_data.a|Invalid target resource address
	module.m.terraform_data.a|Import to non-existent module
	terraform_data|Invalid address
	END
	run -0 tf import -no-color terraform_data.a id <<<'x'
	[[ $output == *'Enter a value'* ]]
	# the address before what else is wrong with the values
	run -1 tf import -var w=1 -var-file=none terraform_data.b id
	[[ $output == *'"terraform_data.b" does not exist'* ]]
}

@test "of a value that does not fit, it is said where it was given" {
	cat >main.tf <<-'END'
	variable "n" { type = number }
	variable "o" {
	  type     = object({ a = number })
	  nullable = false
	  default  = { a = 1 }
	}
	END
	says() { # TEXT [OPTION...]
		local text=$1
		run -1 tf plan -no-color "${@:2}" </dev/null
		output=$(tr '\n' ' ' <<<"$output")
		[[ $output == *'Invalid value for input variable'*"$text"* ]]
	}
	says 'var.n, set with -var="n=...", is' -var n=x
	TF_VAR_n=x says 'var.n, set by the environment variable TF_VAR_n, is'
	printf '\nn = 1\no = {\n  a = "x"\n}\n' >a.auto.tfvars
	says 'var.o, set in a.auto.tfvars line 3, is'
	rm a.auto.tfvars
	echo '{ "n": "x" }' >b.tfvars.json
	says 'var.n, set in b.tfvars.json line 1, is' -var-file=b.tfvars.json
	echo 'n = "x"' >terraform.tfvars
	says 'var.n, set in terraform.tfvars line 1, is'
	rm terraform.tfvars
	TF_INPUT=1 run -1 tf plan -no-color <<<x
	[[ $(tr '\n' ' ' <<<"$output") == *'var.n, typed at the prompt, is'* ]]
	# the stages say the same, one by one or in a pipe
	run -1 tf-plan -C . -var n=x
	[[ $output == *'set with -var'* ]]
	run -1 bash -o pipefail -c \
		'tf-parse | TF_VAR_n=x tf-eval | tf-graph | tf-plan 2>&1 >/dev/null'
	[[ $(tr '\n' ' ' <<<"$output") == *'environment variable TF_VAR_n,'* ]]
	# what may not be null is shown where it is null
	sed -i '/default/d' main.tf
	printf '\n\nn = 1\no = null\n' >terraform.tfvars
	run -1 --separate-stderr tf plan -json
	run -0 jq -c 'select(.diagnostic.severity == "error") | .diagnostic |
		[.summary, .range.filename, .range.start.line]' <<<"$output"
	[ "$output" = '["Required variable not set","terraform.tfvars",4]' ]
}

# bats test_tags=once
@test "where a question gets no answer, what follows has a line of its own" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -1 script -qec 'tf apply' /dev/null </dev/null
	[[ $output = *'Enter a value: '$'\r\n'* ]]
	tf apply -auto-approve >/dev/null
	run -1 script -qec 'tf state replace-provider terraform.io/builtin/terraform hashicorp/x' \
		/dev/null </dev/null
	[[ $output = *'Enter a value: '$'\r\n'* ]]
}

#!/usr/bin/env bats
# What a terminal would obey is shown to people, wherever the output goes.

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	without_leak_checks
	export TF_IN_AUTOMATION=1 CHECKPOINT_DISABLE=1
	esc=$'\e' del=$'\x7f' c1=$'\u009b' bidi=$'\u202e'
}

# Runs a command, and looks at all that it prints: nothing in it is obeyed.
# With "unshown" before it, it need not show any of it either.
shows() {
	local must=yes
	if [ "$1" = unshown ]; then
		must=
		shift
	fi
	"$@" >said 2>&1 </dev/null || true
	python3 - "$must" "$*" <<-'END'
	import re, sys
	text = open("said", "rb").read().decode("utf-8", "surrogateescape")
	raw = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udcff]", text)
	shown = re.search("[\u2400-\u2421]|\\\\x[0-9a-f]{2}|\\\\u(001b|009b|202e)", text)
	if raw or (sys.argv[1] and not shown):
	    print(sys.argv[2], "obeyed" if raw else "not shown", ascii(text))
	    sys.exit(1)
	END
}

hostile_configuration() {
	cat >main.tf <<-TF
	terraform {
	  backend "local" {}
	}
	variable "asked" {
	  description = "x\\u001b[2J${bidi}"
	}
	variable "v" {
	  default = "a\\u001b[2J\\rb\\u009b1A\\u202e\\u007f"
	}
	resource "terraform_data" "a" {
	  for_each = toset([var.v, "\\u001b"])
	  input    = { (var.v) = "\${var.v}\\n\${var.v}\\n", one = var.v }
	  provisioner "local-exec" {
	    command = "printf 'x\\\\033[31mred\\\\r\\\\n'"
	  }
	}
	check "c" {
	  assert {
	    condition     = var.v == ""
	    error_message = "It is \${var.v}."
	  }
	}
	output "one" {
	  value = var.v
	}
	output "lines" {
	  value = "\${var.v}\\nb"
	}
	output "map" {
	  value = { (var.v) = var.v }
	}
	TF
}

@test "no text of a stream or a state is obeyed, or begins a line that is not its own" {
	"$TF_TEST_SRC/tests/terminal" --every $((9 * FEWER)) >found || {
		cat found
		false
	}
	"$TF_TEST_SRC/tests/terminal" --every 29 --colour >found || {
		cat found
		false
	}
	grep -q 'tried' found
}

# bats test_tags=once
@test "neither an edited record nor what is compared begins a line that is not its own" {
	echo 'output "o" { value = 1 }' >main.tf
	tf-parse -C . | sed '/^{"record":"source"/s/main.tf/a\\nFORGED/' >edited
	run -1 tf-eval <edited
	[[ $output == *$'a\u240aFORGED'* ]]
	tf-parse -C . | tf-eval | tf-graph | sed 's/^\({"record":"node","address":"\)/\1a\\nFORGED/' >edited
	run -1 tf-plan <edited
	[[ $output == *$'a\u240aFORGED'* ]]
	tf-parse -C . | tf-plan | sed '/^{"record":"seal"/d; s/"tool":"tf-plan"/"tool":"a\\nFORGED"/' >edited
	run -0 tf-show <edited
	[[ $output == *$'a\u240aFORGED'* ]]
	tf apply -auto-approve >/dev/null
	sed 's/"o"/"a\\nFORGED"/' terraform.tfstate >other
	run -1 tf-diff terraform.tfstate other
	[[ $output == *$'a\u240aFORGED'* ]]
}

@test "values, keys and ids: every command that prints for people" {
	hostile_configuration
	run -0 tf init
	shows tf plan -var=asked=1
	shows tf plan -no-color -var=asked=1 -out=plan
	shows tf show plan
	shows tf apply -auto-approve -var=asked=1
	shows tf show
	shows tf output
	shows tf output one
	shows tf output lines
	shows tf state list
	shows tf state show "$(tf state list | grep 2J)"
	shows tf state show 'terraform_data.a["\u001b"]'
	shows unshown tf graph
	shows unshown tf validate
	shows tf plan -destroy -var=asked=1
	shows tf plan -replace='terraform_data.a["\u001b"]' -var=asked=1
	shows tf plan -target="module.a[\"$esc\"]" -var=asked=1
	shows tf plan -var=asked=1 -var="none$esc=1"
	shows tf taint 'terraform_data.a["\u001b"]'
	shows tf state mv 'terraform_data.a["\u001b"]' 'terraform_data.a["\u009b"]'
	shows unshown tf state rm "terraform_data.a[\"$esc\"]"
	shows tf import "terraform_data.a[\"$bidi\"]" "$esc"
	shows tf "$esc[2J"
	shows tf "-$esc[2J" plan
	shows tf -chdir="$esc" plan
	shows tf state "$esc"
	shows tf workspace "$esc"
	shows tf workspace select "$esc$c1"
	TF_WORKSPACE=$'\e[2J' shows tf workspace show
	TF_LOG=$esc shows tf version
	shows unshown tf-graph -C . -format=dot
	for word in "\"$esc\"" 'var.v' '"${var.v}\n${var.v}"' '{ (var.v) = 1 }' 'tonumber(var.v)' \
		"x$esc" 'regex(var.v, "a")' '[var.v][9]' 'file(var.v)'; do
		echo "$word" >typed
		shows unshown bash -c 'tf console -var=asked=1 <typed'
	done
	shows tf destroy -auto-approve -var=asked=1
}

@test "names of files, of blocks, of modules and sources" {
	printf 'locals { a = }\n' >$'a\xff\e[31m\u009b.tf'
	shows tf validate
	shows bash -c "tf-parse >/dev/null"
	shows tf-fmt -check
	rm -- *.tf
	printf 'resource "a%s" "b%s" {}\nx%s {}\nlocals { a%s = 1 }\n' "$esc" "$bidi" "$c1" "$del" >main.tf
	shows tf validate
	printf 'resource "a\\u001b" "b" {}\nmodule "m" { source = "./\\u001b\\u202e" }\n' >main.tf
	shows tf validate
	shows tf init
	printf 'module "m" { source = "git::file:///none\\u001b\\u009b" }\n' >main.tf
	shows tf init
	printf 'terraform { required_providers { a = { source = "x\\u001b/y" } } }\n' >main.tf
	shows tf init
	printf 'locals { a = "%s%s" \n b= 1 }\n' "$esc" "$c1" >main.tf
	shows tf fmt -diff -write=false
	shows tf-fmt "$esc"
}

# bats test_tags=once
@test "a question shows what a variable's description has" {
	hostile_configuration
	run -0 tf init
	echo 1 | tf plan >said 2>&1 || true
	grep -q $'\u241b\\[2J\\\\u202e' said
	run -1 grep -q "$esc" said
}

# bats test_tags=once
@test "what is for programs has it as it is" {
	hostile_configuration
	run -0 tf init
	tf apply -auto-approve -var=asked=1 >/dev/null
	tf output -raw one >raw
	printf 'a\e[2J\rb\u009b1A\u202e\x7f' | cmp - raw
	tf output -json | jq -j .one.value | cmp - raw
	tf state pull | jq -j .outputs.one.value | cmp - raw
	tf show -json | jq -j .values.outputs.one.value | cmp - raw
	printf 'a = "%s%s"\n' "$esc" "$c1" >in
	tf-fmt - <in | cmp - in
}

@test "lines, tabs and letters of other alphabets stay as they are" {
	printf 'output "x" { value = "a\\tb\\nc ä 中 👍🏽 \\u200d\\n" }\n' >main.tf
	tf apply -auto-approve -no-color >said
	printf '    a\tb\n' >want
	grep -qFf want said
	grep -qF 'c ä 中 👍🏽' said
	run -1 env LC_ALL=C grep -q $'\xe2\x90' said
}

@test "colours are ours alone" {
	printf 'output "x" { value = "a\\u001b[31mb\\nc" }\n' >main.tf
	tf plan -color=always >said
	grep -q $'\e\\[32m+\e\\[0m' said
	run -1 grep -q $'\e\\[31mb' said
	printf 'locals { a = }\n' >$'a\xff1.tf'
	TFPIPE_COLOR=always tf-parse >/dev/null 2>said || true
	grep -q $'on a\\\\xff1.tf line' said
}

@test "provisioners' output is obeyed where that is asked for" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "a" {
	  provisioner "local-exec" {
	    command = "printf 'x\\033[31mred\\033[0m\\n'"
	  }
	}
	TF
	tf apply -auto-approve -no-color >said
	grep -q $'^terraform_data.a (local-exec): x\u241b\\[31mred' said
	tf apply -auto-approve -no-color -replace=terraform_data.a -raw-provisioners >said
	grep -q $'^terraform_data.a (local-exec): x\e\\[31mred' said
}

#!/usr/bin/env bats
# diagnostics.bats - which errors are told beside which others, and how often
#
# TF_TEST_CLI names another OpenTofu command to run the tests with, for
# comparison.

load provider

setup() {
	provider_setup
}

# What is told: severity, summary and place, sorted, one a line; FILE is left
# out of main.tf's places.
told() { # COMMAND...
	"$@" | jq -r '(.diagnostics // [.diagnostic])[] | values |
		select(.summary | startswith("Provider development") | not) |
		"\(.severity) \(.summary | sub(": .*"; "")) \(.range |
		if . then "\(.filename):\(.start.line),\(.start.column)"
		else "-" end)"' | sed 's/ main\.tf:/ /' | LC_ALL=C sort
}

valid() { # LINE...: what validate tells
	diff <(told $cli validate -json) <(printf "${1+%s\n}" "$@")
}

plans() { # LINE...: what plan tells
	diff <(told $cli plan -json -input=false) <(printf "${1+%s\n}" "$@")
}

@test "references that lead nowhere hide no other errors" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  count = var.nope
	  nope  = 1
	}
	resource "terraform_data" "b" {
	  depends_on = [terraform_data.nope]
	  nope       = 1
	  lifecycle {
	    replace_triggered_by = [terraform_data.nope]
	  }
	}
	resource "terraform_data" "c" {
	  input = [local.nope, terraform_data.d.nope]
	}
	resource "terraform_data" "d" {
	  lifecycle {
	    replace_triggered_by = [terraform_data.nope]
	  }
	}
	resource "terraform_data" "e" {
	  input = [local.nope, terraform_data.f.nope]
	}
	resource "terraform_data" "f" {}
	output "o" {
	  value      = local.nope
	  depends_on = [terraform_data.nope]
	}
	END
	valid 'error Reference to undeclared input variable 2,11' \
		'error Reference to undeclared local value 25,16' \
		'error Reference to undeclared resource 26,17' \
		'error Reference to undeclared resource 6,17' \
		'error Undeclared resource in replace_triggered_by 17,29' \
		'error Unsupported argument 3,3' \
		'error Unsupported argument 7,3' \
		'error Unsupported attribute 21,40'
}

@test "what is in an argument or block that there is not is not looked at" {
	cat >main.tf <<-'END'
	resource "test_all" "a" {
	  name = "x"
	  nope = local.nope
	  nope_block {
	    x = var.nope
	  }
	  list {
	    x = var.nope
	  }
	  block {
	    nope = var.nope
	  }
	}
	resource "test_all" "b" {
	  name = local.nope
	  nope = 1
	}
	END
	valid 'error Reference to undeclared local value 15,10' \
		'error Unsupported argument 11,5' \
		'error Unsupported argument 3,3' \
		'error Unsupported block type 4,3' \
		'error Unsupported block type 7,3'
}

@test "the content of dynamic blocks is looked at as often as it is made" {
	cat >main.tf <<-'END'
	resource "test_all" "twice" {
	  name = "x"
	  dynamic "block" {
	    for_each = ["a", "b"]
	    content {
	      name = var.nope
	      nope = local.nope
	    }
	  }
	}
	resource "test_all" "never" {
	  name = "y"
	  dynamic "block" {
	    for_each = []
	    content {
	      name = var.nope
	    }
	  }
	}
	variable "v" {
	  default = []
	}
	resource "test_all" "unknown" {
	  name = "z"
	  dynamic "block" {
	    for_each = var.v
	    content {
	      name = var.nope
	    }
	  }
	}
	resource "test_all" "wrong" {
	  name = "w"
	  dynamic "block" {
	    for_each = local.nope
	    content {
	      name = var.nope
	      nope = 1
	    }
	  }
	}
	resource "test_all" "nowhere" {
	  name = "v"
	  dynamic "block" {
	    for_each = [var.v]
	    content {
	      name = "x"
	      dynamic "inner" {
	        for_each = terraform_data.nope
	        content {
	          name = var.nope
	        }
	      }
	    }
	  }
	}
	END
	valid 'error Reference to undeclared input variable 6,14' \
		'error Reference to undeclared input variable 6,14' \
		'error Reference to undeclared local value 35,16' \
		'error Reference to undeclared resource 49,20' \
		'error Unknown variable 45,17' \
		'error Unsupported argument 38,7'
}

@test "conditions are evaluated whatever they refer to" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  lifecycle {
	    precondition {
	      condition     = local.nope == 1 && terraform_data.nope.id == 1
	      error_message = "x ${self.id}"
	    }
	    precondition {
	      condition     = var.nope == 1
	      error_message = "x ${nope}"
	    }
	  }
	}
	output "o" {
	  value = local.nope
	  precondition {
	    condition     = terraform_data.nope == 1
	    error_message = local.nope
	  }
	}
	check "c" {
	  assert {
	    condition     = local.nope
	    error_message = "x ${var.nope}"
	  }
	}
	END
	valid 'error Invalid "self" reference 5,28' \
		'error Invalid reference 9,28' \
		'error Reference to undeclared input variable 23,26' \
		'error Reference to undeclared input variable 8,23' \
		'error Reference to undeclared local value 22,21' \
		'error Reference to undeclared resource 16,21' \
		'error Reference to undeclared resource 4,42' \
		'error Unknown variable 16,21' \
		'error Unknown variable 17,21' \
		'error Unknown variable 4,23' \
		'error Unknown variable 4,42' \
		'error Unknown variable 5,28' \
		'error Unknown variable 9,28'
}

@test "self is a name of the resource, whose attributes are known" {
	cat >main.tf <<-'END'
	locals { ok = "x" }
	resource "terraform_data" "a" {
	  lifecycle {
	    postcondition {
	      condition     = local.ok == self.nope && local.nope
	      error_message = self.output.what
	    }
	    postcondition {
	      condition     = local.nope == self.id
	      error_message = "${self.nope}"
	    }
	  }
	}
	END
	valid 'error Reference to undeclared local value 9,23' \
		'error Unknown variable 10,26' 'error Unknown variable 5,23' \
		'error Unknown variable 5,35' 'error Unknown variable 5,48' \
		'error Unsupported attribute 10,30' \
		'error Unsupported attribute 5,39'
}

@test "of a variable's rules the first that fails is told" {
	cat >main.tf <<-'END'
	variable "a" {
	  default = "x"
	  validation {
	    condition     = var.a == "x"
	    error_message = "Right."
	  }
	  validation {
	    condition     = var.a == "y"
	    error_message = "One."
	  }
	  validation {
	    condition     = var.a == "z"
	    error_message = "Two."
	  }
	}
	variable "b" {
	  default = "x"
	  validation {
	    condition     = var.b == local.nope
	    error_message = "x ${var.nope}"
	  }
	  validation {
	    condition     = path.nope == var.b
	    error_message = "x"
	  }
	}
	END
	valid 'error Reference to undeclared input variable 20,26' \
		'error Reference to undeclared local value 19,30'
	sed -i '16,$d' main.tf
	plans 'error Invalid value for variable 1,1'
}

@test "a cycle of each set of objects that depend on each other" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  input = [terraform_data.b, var.nope]
	}
	resource "terraform_data" "b" {
	  input = terraform_data.a
	  nope  = 1
	}
	resource "terraform_data" "c" {
	  input = [terraform_data.d, terraform_data.a]
	}
	resource "terraform_data" "d" {
	  input = terraform_data.c
	}
	locals {
	  a = local.b
	  b = local.a
	  c = terraform_data.c
	}
	END
	valid 'error Cycle -' 'error Cycle -' 'error Cycle -'
}

# bats test_tags=once
@test "a circle that is there only by mistake is not told beside the mistake" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  nope = terraform_data.b.id
	}
	resource "terraform_data" "b" {
	  input = terraform_data.a.id
	}
	END
	valid 'error Unsupported argument 2,3'
	plans 'error Unsupported argument 2,3'
	# nor where the graph is a part of what is kept
	run -1 tf plan -no-color -out=p
	[[ $output == *'Unsupported argument'* && $output != *Cycle* ]]
	cat >main.tf <<-'END'
	locals {
	  a = local.b
	  b = local.a
	}
	output "o" {
	  value = provider::nope::f(1)
	}
	END
	valid 'error Unknown function provider 6,11'
	plans 'error Unknown function provider 6,11'
	sed -i 's/provider.*/1/' main.tf
	plans 'error Cycle -'
}

@test "a graph is drawn of what names nothing, but not of all" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  input      = [local.nope, var.nope, nope, path.nope]
	  depends_on = [terraform_data.nope]
	}
	resource "terraform_data" "b" {
	  input = [self, each.key, terraform_data.a, module.nope.x]
	  lifecycle {
	    replace_triggered_by = [terraform_data.nope]
	  }
	}
	END
	run -0 --separate-stderr $cli graph
	[[ $output == *'terraform_data.b'*' -> '*'terraform_data.a'* ]]
	echo 'output "o" { value = provider::nope::f(1) }' >>main.tf
	run -1 --separate-stderr $cli graph -no-color
	[ -z "$output" ]
	[[ $stderr == *'Error: Unknown function provider'* ]]
	sed -i '$d; s/local.nope/terraform_data.b/' main.tf
	run -1 --separate-stderr $cli graph -no-color
	[[ $stderr == *'Error: Cycle: '* ]]
}

@test "for_each: all that is wrong with the value, also on the way to it" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  for_each = true + 1
	}
	resource "terraform_data" "b" {
	  for_each = sensitive(["a"])
	}
	resource "terraform_data" "c" {
	  for_each = sensitive(toset([1]))
	}
	END
	valid 'error Invalid for_each argument 2,14' \
		'error Invalid for_each argument 5,14' \
		'error Invalid for_each argument 5,14' \
		'error Invalid for_each argument 8,14' \
		'error Invalid for_each argument 8,14' \
		'error Invalid operand 2,14'
	cat >main.tf <<-'END'
	resource "terraform_data" "d" {
	  for_each = length(5)
	}
	resource "terraform_data" "e" {
	  lifecycle {
	    enabled = length(5)
	  }
	}
	resource "terraform_data" "f" {
	  lifecycle {
	    enabled = var.nope
	  }
	}
	END
	valid # the plan says it
	plans 'error Error in function call 2,14' \
		'error Error in function call 6,15' \
		'error Invalid enabled argument 6,15' \
		'error Invalid for_each argument 2,14' \
		'error Reference to undeclared input variable 11,15'
}

@test "imports are checked beside the resource, unless a provisioner is there" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  nope = 1
	}
	import {
	  to = terraform_data.a
	  id = var.nope
	}
	resource "terraform_data" "b" {
	  nope = 1
	  provisioner "local-exec" {
	    command = local.nope
	  }
	  provisioner "local-exec" {
	    command = local.nope
	  }
	}
	import {
	  to = terraform_data.b
	  id = var.nope
	}
	END
	valid 'error Reference to undeclared input variable 6,8' \
		'error Reference to undeclared local value 11,15' \
		'error Unsupported argument 2,3' \
		'error Unsupported argument 9,3'
}

@test "a key that is missing, and an attribute that there is not" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  count = 1
	}
	output "o" {
	  value = terraform_data.a.nope
	}
	END
	valid 'error Missing resource instance key 5,11' \
		'error Unsupported attribute 5,27'
}

# bats test_tags=once
@test "a provider that nothing uses is not checked" {
	echo 'provider "test" { nope = local.nope }' >main.tf
	valid
	echo 'resource "test_thing" "a" { name = "x" }' >>main.tf
	valid 'error Unsupported argument 1,19'
	echo 'provider "test" { prefix = local.nope }' >main.tf
	echo 'resource "test_thing" "a" { name = "x" }' >>main.tf
	valid 'error Reference to undeclared local value 1,28'
}

# bats test_tags=once
@test "get writes nothing down where a module cannot be loaded" {
	mkdir m
	cat >main.tf <<-'END'
	module "a" {
	  source = "./m"
	}
	module "b" {
	  source = "./nope"
	}
	END
	echo 'output "x" { value = 1 }' >m/main.tf
	run -1 $cli get -no-color
	[[ $output == *'- a in m'* && $output == *'- b in'* ]]
	[ "$(grep -c '^Error: Unreadable module directory' <<<"$output")" = 2 ]
	[ ! -e .terraform/modules/modules.json ]
	valid 'error Module not installed 1,1' 'error Module not installed 4,1'
	# other errors are for who uses the modules
	sed -i '4,$d' main.tf
	printf '%s\n' 'import {' 'to = terraform_data.x' 'id = "x"' '}' \
		>>m/main.tf
	run -0 $cli get -no-color
	[[ $output == *'Warning: Invalid import configuration'* ]]
	[ -e .terraform/modules/modules.json ]
	valid 'error Invalid import configuration m/main.tf:2,1'
	# the root module's own errors leave what it calls
	rm -r .terraform
	echo 'nope {}' >>main.tf
	run -1 $cli get -no-color
	[[ $output == *'- a in m'* ]]
	[ -e .terraform/modules/modules.json ]
}

@test "what is typed into the console uses nothing that is deprecated" {
	mkdir m
	cat >m/main.tf <<-'END'
	output "o" {
	  value      = true
	  deprecated = "use another"
	}
	END
	cat >main.tf <<-'END'
	module "m" { source = "./m" }
	locals { l = module.m.o }
	END
	$cli get >/dev/null
	for line in module.m.o module.m '[module.m.o]'; do
		run -0 $cli console <<<"$line"
		[[ $output != *'<console-input>'* ]]
	done
	run -0 $cli console <<<local.l # but what is in the files
	[[ $output == *'deprecated source'*'main.tf line 2'* ]]
}

@test "the value of a count that is ephemeral is not told of" {
	cat >main.tf <<-'END'
	variable "e" {
	  ephemeral = true
	  default   = "x"
	}
	resource "terraform_data" "c" { count = length(var.e) }
	resource "terraform_data" "e" { for_each = toset([var.e]) }
	END
	run -1 $cli validate -json
	jq -e '.diagnostics | map(select(.severity == "error") |
		{ (.summary): [.snippet.values[].traversal] }) | add ==
		{ "Invalid count argument": [],
		  "Invalid for_each argument": ["var.e"] }' <<<"$output"
}

# bats test_tags=once
@test "providers under development are named by who depends on them" {
	config <<<'resource "test_thing" "a" { name = "x" }'
	warning='Provider development overrides are in effect'
	for c in 'validate -no-color' 'plan -no-color -out=p' \
		'apply -no-color p' 'destroy -no-color -auto-approve'; do
		run -0 $cli $c
		[ "$(grep -c "$warning" <<<"$output")" = 1 ]
	done
	for c in 'refresh -no-color' 'output -no-color' 'show -no-color'; do
		run -0 $cli $c
		[[ $output != *"$warning"* ]]
	done
}

# bats test_tags=once
@test "that providers are under development is told before all else" {
	config <<<'resource "test_thing" "a" { name = "x" }'
	warning='Provider development overrides are in effect'
	run -0 $cli plan -no-color -out=p
	[[ $output == *"$warning"*'will be created'* ]]
	for c in 'plan -json -out=p' 'apply -json p' \
		'destroy -json -auto-approve'; do
		run -0 $cli $c
		[ "$(grep -n "$warning" <<<"$output" | cut -d: -f1)" = 2 ]
	done
	run -0 $cli apply -no-color -auto-approve
	[ "$(grep -c "$warning" <<<"$output")" = 1 ]
	[[ $output == *"$warning"*'will be created'*'Creating...'* ]]
	run -0 $cli plan -no-color -out=p -replace=test_thing.a
	run -0 $cli apply -no-color p
	[[ $output == *"$warning"*'Destroying...'* ]]
	# and with what else validation finds
	run -0 $cli validate -json
	jq -e --arg w "$warning" '.diagnostics | map(.summary) == [$w]' \
		<<<"$output"
}

# bats test_tags=once
@test "a plan looks at each file of the root module before it looks on" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {}
	resource "terraform_data" "a" {}
	module "m" { source = "./m" }
	removed { from = terraform_data.b }
	END
	echo 'output "o" { nope = 1 }' >more.tf
	local files=('error Missing required argument more.tf:1,14'
		'error Unsupported argument more.tf:1,14'
		'warning Missing lifecycle from the removed block 4,1')
	valid 'error Duplicate resource "terraform_data" configuration 2,1' \
		"${files[@]}"
	plans "${files[@]}"
	# how they fit together, and the modules, but for validate
	rm more.tf
	valid 'error Duplicate resource "terraform_data" configuration 2,1' \
		"${files[2]}"
	plans 'error Duplicate resource "terraform_data" configuration 2,1' \
		'error Module not installed 3,1' "${files[2]}" "${files[2]}"
	diff <(told $cli apply -json -auto-approve) <(printf '%s\n' \
		'error Duplicate resource "terraform_data" configuration 2,1' \
		'error Module not installed 3,1' "${files[2]}")
}

# The summary of the first error, whatever it is drawn with.
first() { # WORD...
	"$@" </dev/null >words 2>&1 || :
	sed 's/\x1b\[[0-9;]*m//g' words >plain
	sed -n '/Error: /{s/.*Error: //p;q}' plain
}

# bats test_tags=once
@test "what encryption and the backend may be made of is put together first" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {}
	resource "terraform_data" "a" {}
	terraform {
	  backend "local" {}
	}
	module "m" { source = "./m" }
	locals { l = 1 }
	END
	echo 'locals { l = 1 }' >more.tf
	echo 'variable "v" {}' >x_override.tf
	cat >y_override.tf <<-'END'
	terraform {
	  backend "local" {}
	  backend "local" {}
	}
	END
	local resource='error Duplicate resource "terraform_data" configuration 2,1'
	local values=('error Duplicate local value definition more.tf:1,10'
		'error Missing base variable declaration to override x_override.tf:1,1')
	local backend='error Duplicate backend configuration y_override.tf:3,3'
	valid "$backend" "${values[0]}" "$resource" "${values[1]}"
	plans "${values[@]}"
	for command in graph console 'state list' plan; do
		run -1 --separate-stderr $cli $command </dev/null
		[[ $output$stderr == *'Missing base variable'* ]]
		[[ $output$stderr != *'Duplicate backend'* ]]
		[[ $output$stderr != *'Duplicate resource'* ]]
	done
	# the backend comes next
	rm more.tf x_override.tf
	plans "$backend"
}

@test "a workspace that cannot be is told by every command, before what it reads" {
	export TF_WORKSPACE='a b'
	printf 'resource "terraform_data" "a" {\n' >main.tf
	for words in validate plan apply 'apply nofile' refresh init get graph \
		console show 'show nofile' 'output o' providers \
		'providers schema -json' 'import terraform_data.a x' \
		'taint terraform_data.a' 'untaint terraform_data.a' \
		'force-unlock x' 'state list' 'state show terraform_data.a' \
		'state pull' 'state push nofile' 'state rm terraform_data.a' \
		'state mv terraform_data.a terraform_data.b' \
		'state replace-provider x y' 'workspace list' \
		'workspace select x' 'workspace delete x'; do
		echo "$words"
		[ "$(first $cli $words)" = \
			'Invalid workspace name set using TF_WORKSPACE' ]
	done
	run -0 $cli version
	# but for these, of which one is about that alone
	[ "$(first $cli workspace show)" = \
		'Error getting the current workspace' ]
	[[ $(first $cli workspace new x) == 'The workspace is overridden'* ]]
	[ "$(first $cli workspace new a/b)" = 'Invalid workspace name' ]
}

# bats test_tags=once
@test "the words of a command come before what it would read" {
	printf 'terraform {\n  backend "nope" {}\n' >main.tf
	[ "$(first $cli state show)" = 'Invalid number of arguments' ]
	[ "$(first $cli state rm)" = 'Invalid number of arguments' ]
	[ "$(first $cli state mv a)" = 'Invalid number of arguments' ]
	[ "$(first $cli state push)" = 'Invalid number of arguments' ]
	[ "$(first $cli taint)" = 'Invalid arguments' ]
	[ "$(first $cli untaint)" = 'Invalid arguments' ]
	[ "$(first $cli force-unlock)" = 'Wrong number of arguments' ]
	[ "$(first $cli workspace delete)" = 'Invalid arguments list' ]
	[ "$(first $cli workspace new)" = 'Invalid arguments list' ]
}

@test "a file that several calls share is said to be wrong once" {
	mkdir m
	printf 'locals {\n  a = 1 +\n  b = 2\n}\nvariable "1" {}\n' >m/main.tf
	echo '{"locals": {' >m/more.tf.json
	printf 'module "a" {\n  source = "./m"\n}\n' >main.tf
	sed 's/"a"/"b"/' main.tf >more.tf
	$cli init >/dev/null 2>&1 || true
	# what is no matter of syntax is said of each call
	valid 'error Invalid expression m/main.tf:2,10' \
		'error Invalid object property name m/more.tf.json:2,1' \
		'error Invalid variable name m/main.tf:5,10' \
		'error Invalid variable name m/main.tf:5,10' \
		'error Missing value m/more.tf.json:2,1' \
		'error Root value must be object m/more.tf.json:1,1' \
		'error Unclosed object m/more.tf.json:1,1'
}

@test "what names an output that is not there needs nothing of the module" {
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	cat >main.tf <<-'END'
	locals {
	  a = upper([module.m.nope])
	}
	module "m" {
	  source = "./m"
	  v      = 10 * true
	}
	END
	$cli init >/dev/null
	valid 'error Invalid function argument 2,13' \
		'error Invalid operand 6,17' \
		'error Unsupported attribute 2,22'
	# nor of the instance that is named before it
	cat >main.tf <<-'END'
	locals {
	  a = module.m["x"].nope
	}
	module "m" {
	  source   = "./m"
	  for_each = toset(["x"])
	  v        = local.a
	}
	END
	valid 'error Unsupported attribute 2,20'
}

@test "elements beside a collection of anything have one type" {
	cat >main.tf <<-'END'
	locals {
	  yes = true
	  a   = local.yes ? { a = [], b = [1] } : tomap({})
	  b   = local.yes ? [[1], ["a"]] : tolist([])
	  c   = local.yes ? [{ a = 1 }, { b = 1 }] : tolist([])
	}
	END
	run -1 $cli validate -no-color
	[ "$(grep -c 'Error: Inconsistent conditional' <<<"$output")" = 3 ]
	cat >main.tf <<-'END'
	locals {
	  yes = true
	  a   = local.yes ? tomap({}) : { a = [], b = [1] }
	  b   = local.yes ? { a = [1], b = [2] } : tomap({})
	  c   = local.yes ? { a = 1, b = true } : tomap({})
	  d   = local.yes ? [[], [1]] : tolist([["a"]])
	  e   = local.yes ? [[1], ["a"]] : toset([])
	}
	END
	run -0 $cli validate -no-color
}

# bats test_tags=once
@test "instances that refer to one another are a cycle" {
	local body
	for body in 'count = 2; input = terraform_data.a' \
		'count = 3; input = [for x in terraform_data.a : x.id]' \
		'for_each = toset(["x", "y"]); depends_on = [terraform_data.a]' \
		'count = 3; input = [terraform_data.a[0], terraform_data.a[1]]' \
		'count = 2; input = terraform_data.a[7].id'; do
		printf 'resource "terraform_data" "a" {\n%s\n}\n' \
			"${body/; /$'\n'}" >main.tf
		plans 'error Cycle -'
	done
	# one that the others refer to is none, nor is a single one
	for body in 'count = 3; input = terraform_data.a[0].id' \
		'for_each = toset(["x", "y"]); input = terraform_data.a["x"].id' \
		'count = 1; input = terraform_data.a[0].id'; do
		printf 'resource "terraform_data" "a" {\n%s\n}\n' \
			"${body/; /$'\n'}" >main.tf
		plans 'error Self-referential block 3,9'
	done
}

@test "how many instances there are may depend on those that the state has" {
	local count='length(terraform_data.a) + 1'
	printf 'resource "terraform_data" "a" {\n  %s\n}\n' \
		"count = $count" >main.tf
	run -0 $cli apply -no-color -auto-approve
	[[ $output == *'Resources: 1 added'* ]]
	plans 'error Cycle -' # now there are two, and each refers to both
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  for_each = merge({ y = 1 }, { for k, v in terraform_data.a : k => v })
	}
	resource "terraform_data" "b" {
	  lifecycle {
	    enabled = terraform_data.b == null
	  }
	}
	data "terraform_remote_state" "none" {
	  count   = length(data.terraform_remote_state.none)
	  backend = "local"
	}
	END
	rm terraform.tfstate
	run -0 $cli apply -no-color -auto-approve
	[[ $output == *'Resources: 2 added'* ]]
	run -0 $cli apply -no-color -auto-approve
	[[ $output == *'Resources: 0 added, 0 changed, 1 destroyed'* ]]
}

# bats test_tags=once
@test "provisioners that refer to all instances are a circle of these, too" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  count = 2
	  provisioner "local-exec" {
	    command = "echo ${length(terraform_data.a)}"
	  }
	}
	END
	plans 'error Cycle -'
	sed -i 's/length(terraform_data.a)/terraform_data.a[0].id/' main.tf
	run -0 $cli plan -no-color
}

@test "applying a plan tells again what is deprecated, by what needs it" {
	mkdir m n
	cat >m/main.tf <<-'END'
	output "old" {
	  value      = { name = "x" }
	  deprecated = "use another"
	}
	END
	cat >n/main.tf <<-'END'
	module "k" {
	  source = "../m"
	}
	output "o" {
	  value = module.k.old.name
	}
	END
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	}
	module "n" {
	  source   = "./n"
	  for_each = toset(["a", "b"])
	}
	resource "terraform_data" "a" {
	  input = module.m.old.name
	  provisioner "local-exec" {
	    command = "echo ${module.m.old.name}"
	  }
	}
	resource "terraform_data" "b" {
	  input = module.n["a"].o
	}
	locals {
	  l = module.m.old.name
	}
	output "l" {
	  value = local.l
	}
	END
	$cli init >/dev/null
	$cli plan -no-color -input=false -out=p >plan
	# once for what two instances of a module use
	[ "$(grep -c 'Warning: Value' plan)" = 2 ]
	grep -q 'module.m.old, which is deprecated' plan
	grep -q ' module.k.old, which is deprecated' plan
	# once more planned, once applied; the provisioner, the local, two outputs
	diff <($cli apply -json p | jq -r 'select(.diagnostic).diagnostic |
			select(.summary | startswith("Value derived")) |
			"\(.range.filename) \(.address)"' | LC_ALL=C sort) - <<-'END'
	main.tf null
	main.tf null
	main.tf null
	main.tf terraform_data.a
	n/main.tf null
	n/main.tf null
	END
}

@test "deprecated variables are told of again where they are used" {
	mkdir m
	cat >m/main.tf <<-'END'
	variable "a" { deprecated = "x" }
	variable "b" { deprecated = "x" }
	variable "c" { deprecated = "x" }
	variable "d" {
	  deprecated = "x"
	  default    = 1
	}
	resource "terraform_data" "x" {
	  input = var.a
	}
	output "x" {
	  value = var.b
	}
	locals {
	  c = var.c
	  d = var.d
	}
	output "d" {
	  value = local.d
	}
	END
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	  a = 1
	  b = 2
	  c = 3
	}
	output "x" {
	  value = module.m.x
	}
	END
	$cli init >/dev/null
	local what='warning Variable marked as deprecated by the module author'
	$cli plan -out=p >/dev/null
	diff <(told $cli apply -json p) <(printf '%s\n' "$what 3,7" "$what 4,7")
	# the console evaluates all
	run -0 $cli console -no-color <<<1
	[ "$(grep -c "^Warning: ${what#* }" <<<"$output")" = 3 ]
}

# bats test_tags=once
@test "nothing is planned beside an import into what is not asked for" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {}
	resource "terraform_data" "b" {}
	import {
	  for_each = toset(["x"])
	  to       = terraform_data.a[each.key]
	  id       = each.key
	}
	END
	plans 'error Configuration for import target does not exist -'
	run -1 $cli plan -json
	[[ $output != *'Plan to create'* ]]
	[[ $output != *'Plan: '* ]]
	# nor are moves looked at
	cat >>main.tf <<-'END'
	moved {
	  from = terraform_data.b
	  to   = terraform_data.b
	}
	END
	plans 'error Configuration for import target does not exist -'
}

# bats test_tags=once
@test "refreshing looks at postconditions unless a precondition is wrong" {
	cat >main.tf <<-'END'
	resource "terraform_data" "none" {
	  for_each = toset([])
	}
	resource "terraform_data" "a" {
	  lifecycle {
	    precondition {
	      condition     = terraform_data.none["x"].id == ""
	      error_message = "no"
	    }
	    postcondition {
	      condition     = terraform_data.none["y"].id != self.id
	      error_message = "no"
	    }
	  }
	}
	END
	only() {
		diff <(told $cli plan -json -refresh-only) \
			<(printf '%s\n' "$@")
	}
	only 'error Invalid index 7,42'
	sed -i 's/none."x"..id == ""/none == 1/' main.tf
	only 'error Invalid index 11,42' \
		'warning Resource precondition failed 7,23'
}

# bats test_tags=once
@test "what only asks for the backend minds nothing else" {
	cat >main.tf <<-'END'
	terraform {
	  backend "local" { path = "x" }
	}
	END
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	cat >more.tf <<-'END'
	resource "terraform_data" "a" {}
	resource "terraform_data" "a" {}
	END
	$cli state list
	run -0 $cli output
	[[ $output != *Error* ]]
	$cli workspace list
	# where what the backend may be made of is wrong, that alone is said
	echo 'variable "v" { nope = 1 }' >vars.tf
	for words in 'state list' 'workspace list' output \
		'providers schema -json'; do
		run -1 $cli $words
		[[ $output = *'Unsupported argument'* ]]
		[[ $output != *Duplicate* ]]
	done
}

# bats test_tags=once
@test "what each instance of a module is given wrongly is told of each" {
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	cat >main.tf <<-'END'
	module "m" {
	  count  = 3
	  source = "./m"
	  v      = each.key
	}
	END
	$cli init >/dev/null
	local what='error Reference to "each" in context without for_each'
	plans "$what 4,12" "$what 4,12" "$what 4,12"
	# but once of what an expression says again and again
	sed -i '/count/d; s/= each.key/= [for i in range(3) : each.key]/' \
		main.tf
	plans "$what 3,33"
}

# bats test_tags=once
@test "a backend that there is not: init says so in its own words" {
	printf 'terraform {\n  backend "nope" {}\n}\n' >main.tf
	plans 'error Invalid backend type 2,11'
	diff <(told $cli init -json) \
		<(echo 'error Unsupported backend type 2,11')
}

@test "a backend that is not ready is told before what is wrong in modules" {
	mkdir m
	printf 'module "m" {\n  source = "./m"\n}\n' >main.tf
	cat >m/main.tf <<-'END'
	resource "terraform_data" "a" {
	  depends_on = ["terraform_data.b"]
	}
	resource "terraform_data" "b" {}
	END
	sed 's/"a"/"c"/; s/"b"/"d"/' m/main.tf >more.tf
	local backend='error Invalid backend type backend.tf:2,11'
	local warning='warning Quoted references are deprecated more.tf:2,17'
	printf 'terraform {\n  backend "nope" {}\n}\n' >backend.tf
	plans "$backend" "$warning" # not installed
	diff <(told $cli apply -auto-approve -json) <(echo "$backend")
	$cli get >/dev/null
	plans "$backend" "$warning" # what the module warns of is not told
	echo 'resource "terraform_data" "a" {}' >m/more.tf
	plans "$backend" "$warning" # nor what is wrong in it
	diff <(told $cli validate -json | grep -v ^warn) \
		<(echo 'error Duplicate resource "terraform_data" configuration m/more.tf:1,1')
}

# bats test_tags=once
@test "programs are told twice what plans and refreshes warn of in the files" {
	local what='warning Missing lifecycle from the removed block 1,1'
	printf 'removed {\n  from = terraform_data.x\n}\n' >main.tf
	plans "$what" "$what"
	diff <(told $cli refresh -json | grep -v Empty) \
		<(printf '%s\n' "$what" "$what")
	diff <(told $cli apply -auto-approve -json) <(echo "$what")
}

@test "rules of a variable that has no value are not known to hold" {
	mkdir m
	cat >m/main.tf <<-'END'
	variable "v" {
	  validation {
	    condition     = var.v != "never"
	    error_message = "No."
	  }
	}
	END
	cat >main.tf <<-'END'
	resource "terraform_data" "none" { for_each = toset([]) }
	module "a" {
	  source   = "./m"
	  for_each = { x = 0, y = 1 }
	  v        = each.value == 0 ? values(terraform_data.none)[0].id : "y"
	}
	module "b" {
	  source   = "./m"
	  for_each = { x = values(terraform_data.none)[*].id, y = "never" }
	  v        = each.value
	}
	END
	$cli get >/dev/null
	run -1 $cli plan -no-color -input=false -out=p
	run -0 $cli show -json p
	[ "$(jq -rc '.checks[] | "\(.address.to_display) \(.status) \(
		[.instances[]?.status])"' <<<"$output")" = \
		"module.a.var.v unknown []
module.b.var.v fail [\"pass\",\"fail\"]" ]
}

@test "-replace in another mode is refused when all is validated" {
	mkdir m
	cat >m/main.tf <<-'END'
	variable "v" { deprecated = "use another" }
	END
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	  v      = 1
	}
	resource "terraform_data" "a" {}
	END
	$cli get >/dev/null
	for mode in -destroy -refresh-only; do
		diff <(told $cli plan -json $mode -replace=terraform_data.a) \
			- <<-'END'
		error Unsupported plan mode -
		warning Variable marked as deprecated by the module author 3,12
		END
	done
}

# bats test_tags=once
@test "what the configuration makes sensitive is so when it is imported" {
	cat >main.tf <<-'END'
	variable "s" {
	  sensitive = true
	  default   = "x"
	}
	resource "terraform_data" "a" {
	  input            = var.s
	  triggers_replace = { x = var.s }
	}
	resource "terraform_data" "b" {
	  count            = 1
	  input            = var.s
	  triggers_replace = count.index
	}
	resource "terraform_data" "c" { input = "x" }
	END
	for r in a 'b[0]' c; do
		run -0 $cli import -no-color "terraform_data.$r" there
	done
	[ "$(jq -c '.resources[] | [.name, [.instances[].sensitive_attributes |
		.[]?[].value]]' terraform.tfstate)" = \
		'["a",["input"]]
["b",[]]
["c",[]]' ]
}

@test "import moves and removes nothing, and asks no such block what it means" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	$cli apply -auto-approve >/dev/null
	cat >main.tf <<-'END'
	resource "terraform_data" "b" {}
	resource "terraform_data" "c" {}
	resource "terraform_data" "d" {}
	moved {
	  from = terraform_data.a
	  to   = terraform_data.b
	}
	moved {
	  from = terraform_data.c
	  to   = terraform_data.x
	}
	removed {
	  from = terraform_data.d
	}
	END
	run -0 $cli import terraform_data.c here
	[ "$(jq -c '[.resources[].name]' terraform.tfstate)" = '["a","c"]' ]
	run -1 $cli plan -no-color # which does
	[[ $output = *'Error: Removed resource block still exists'* ]]
}

@test "import does not know how many data sources there will be" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {}
	resource "terraform_data" "b" {}
	data "terraform_remote_state" "one" {
	  backend  = "local"
	  config   = { path = terraform_data.b.id }
	}
	data "terraform_remote_state" "each" {
	  for_each = { x = terraform_data.b.id }
	  backend  = "local"
	  config   = { path = each.value }
	}
	data "terraform_remote_state" "count" {
	  count    = 1
	  backend  = "local"
	  config   = { path = terraform_data.b.id }
	}
	output "one" { value = data.terraform_remote_state.one.outputs }
	output "each" { value = data.terraform_remote_state.each["x"].outputs }
	output "count" { value = data.terraform_remote_state.count[0].outputs }
	END
	run -0 $cli import terraform_data.a here
	[ "$(jq -r '.resources[].name' terraform.tfstate)" = a ]
}

@test "what planning does not come to has not failed to move" {
	mkdir m
	echo 'resource "terraform_data" "a" {}' >m/main.tf
	cat >main.tf <<-'END'
	variable "many" { default = "x" }
	resource "terraform_data" "a" {
	  count = var.many
	}
	resource "terraform_data" "b" {
	  count = length(terraform_data.a)
	}
	resource "terraform_data" "c" {
	  depends_on = [terraform_data.b]
	}
	module "m" {
	  for_each = { for k, x in terraform_data.a : k => k }
	  source   = "./m"
	}
	moved {
	  from = terraform_data.b[0]
	  to   = terraform_data.b[9]
	}
	moved {
	  from = terraform_data.c
	  to   = terraform_data.d
	}
	moved {
	  from = module.m
	  to   = module.n
	}
	END
	$cli get >/dev/null
	plans 'error Incorrect value type 3,11'
	local what='error Moved object still exists'
	diff <(told $cli plan -json -var many=1) \
		<(printf '%s\n' "$what 15,1" "$what 19,1" "$what 23,1")
}

# bats test_tags=once
@test "applying a saved plan warns again of what its files have" {
	mkdir m
	cat >main.tf <<-'END'
	resource "terraform_data" "a" { depends_on = ["terraform_data.b"] }
	resource "terraform_data" "b" {}
	module "m" { source = "./m" }
	END
	head -n 2 main.tf >m/main.tf
	$cli get >/dev/null 2>&1
	run -0 $cli plan -no-color -out=p
	run -0 told $cli apply -json p
	[ "$(cut -d' ' -f1-5 <<<"$output")" = \
		'warning Quoted references are deprecated
warning Quoted references are deprecated' ]
	run -0 $cli plan -no-color -out=p -replace=terraform_data.b
	run -0 $cli apply -no-color p
	[ "$(grep -c '^Warning: Quoted references' <<<"$output")" = 1 ]
	[[ $output == *'Creation complete'*'Warning: '*'Apply complete'* ]]
}

@test "what modules are passed is looked at beside a wrong root module" {
	mkdir m
	cat >main.tf <<-'END'
	module "m" {
	  source    = "./m"
	  providers = { test.other = test.other }
	}
	END
	echo 'resource "terraform_data" "a" {}' >m/main.tf
	echo 'variable "x" { nope = 1 }' >wrong.tf
	run -1 $cli get -no-color
	[[ $output == *'Reference to undefined provider'* ]]
	[[ $output == *'Unsupported argument'* ]]
	mv wrong.tf m # what the module asks for is not known
	run -1 $cli get -no-color
	[[ $output != *'Reference to undefined provider'* ]]
	[[ $output == *'Unsupported argument'* ]]
}

@test "-deprecation=module:local tells of local modules alone" {
	mkdir -p m r/in .terraform/modules
	cat >m/main.tf <<-'END'
	variable "v" { deprecated = "use another" }
	output "o" {
	  value      = 1
	  deprecated = "use another"
	}
	END
	sed 's/another/r/' m/main.tf >r/main.tf
	sed 's/another/in/' m/main.tf >r/in/main.tf
	cat >>r/main.tf <<-'END'
	module "in" {
	  source = "./in"
	  v      = 1
	}
	output "in" { value = module.in.o }
	END
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	  v      = 1
	}
	module "r" {
	  source = "git::https://example.invalid/r.git"
	  v      = 1
	}
	output "m" { value = module.m.o }
	output "r" { value = module.r.o }
	END
	cat >.terraform/modules/modules.json <<-'END'
	{"Modules":[{"Key":"","Source":"","Dir":"."},
	{"Key":"m","Source":"./m","Dir":"m"},
	{"Key":"r","Source":"git::https://example.invalid/r.git","Dir":"r"},
	{"Key":"r.in","Source":"./in","Dir":"r/in"}]}
	END
	while read -r level places; do
		run -0 $cli plan -no-color -consolidate-warnings=false \
			-deprecation=module:$level -out=p
		[ "$(sed -n 's/^  on \(.*\) line \(.*\), in out.*/\1:\2/p' \
			<<<"$output" | LC_ALL=C sort | xargs)" = "$places" ]
	done <<-'END'
	all main.tf:10 main.tf:9 r/main.tf:10
	local main.tf:9
	none
	END
}

@test "what an import block brings is as sensitive as the configuration says" {
	cat >main.tf <<-'END'
	import {
	  to = terraform_data.a
	  id = "there"
	}
	import {
	  to = terraform_data.b["x"]
	  id = "there"
	}
	resource "terraform_data" "a" {
	  input            = sensitive({})
	  triggers_replace = [sensitive(1)]
	}
	resource "terraform_data" "b" {
	  for_each         = toset(["x"])
	  triggers_replace = sensitive(each.key)
	}
	END
	run -0 $cli plan -out=p
	diff <($cli show -json p | jq -c '.resource_changes[].change |
		[.before_sensitive, .after_sensitive]') - <<-'END'
	[{"input":true},{"input":true,"output":{},"triggers_replace":[true]}]
	[{"triggers_replace":true},{"triggers_replace":true}]
	END
	diff <($cli show -json p | jq -c '.prior_state.values.root_module |
		.resources[].sensitive_values') - <<-'END'
	{"input":true}
	{"triggers_replace":true}
	END
}

@test "a resource and its instance without a key are two ends of moves" {
	cat >main.tf <<-'END'
	moved {
	  from = terraform_data.a
	  to   = terraform_data.a[0]
	}
	moved {
	  from = terraform_data.a
	  to   = terraform_data.b
	}
	END
	plans
	cat >>main.tf <<-'END'
	moved {
	  from = terraform_data.a
	  to   = terraform_data.a[1]
	}
	moved {
	  from = terraform_data.a
	  to   = terraform_data.c
	}
	END
	plans 'error Ambiguous move statements 13,1' \
		'error Ambiguous move statements 9,1'
}

@test "an apply shows the plan that failed if anything was reached" {
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	  v      = each.key
	}
	END
	$cli init >/dev/null
	run -1 $cli apply -no-color -auto-approve
	run -1 grep 'Planning failed' <<<"$output"
	run -1 $cli apply -json -auto-approve
	run -1 grep change_summary <<<"$output"
	# an output of any module will do
	echo 'output "o" { value = null }' >>m/main.tf
	run -1 $cli apply -no-color -auto-approve
	grep 'Planning failed' <<<"$output"
	run -1 $cli apply -json -auto-approve
	grep change_summary <<<"$output"
}

@test "-concise: not a line of what is done, only what comes of it" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  provisioner "local-exec" { command = "echo hello" }
	}
	output "o" { value = 1 }
	END
	$cli apply -no-color -auto-approve -concise >out
	grep 'Apply complete' out
	grep '^o = 1' out
	run -1 grep -E 'terraform_data.a( \(|:)' out
	$cli apply -json -auto-approve -concise >out
	grep refresh_start out
}

@test "what refuses a sensitive value tells why not, and not the value" {
	cat >main.tf <<-'EOF'
	variable "v" {
	  sensitive = true
	  default   = "hidden"
	  validation {
	    condition     = length(var.v) < 2
	    error_message = "no ${var.v}"
	  }
	}
	EOF
	run -1 tf plan -no-color
	[[ $output == *'Error: Invalid value for variable'*'The error message holds sensitive values, so it is not shown.'* ]]
	[[ $output == *'Error: Error message refers to sensitive values'* ]]
	[[ $output != *hidden* ]]
}

@test "-show-sensitive shows what was applied of sensitive outputs, to people" {
	cat >main.tf <<-'END'
	output "s" {
	  value     = { k = "v" }
	  sensitive = true
	}
	END
	run -0 $cli apply -no-color -auto-approve -show-sensitive
	grep -A1 '^s = {' <<<"$output" | grep '"k" = "v"'
	run -0 $cli apply -no-color -auto-approve
	grep '^s = <sensitive>' <<<"$output"
	$cli apply -json -auto-approve -show-sensitive >out
	[ "$(jq -c 'select(.type == "outputs") | keys, .outputs.s' out | tail -2)" = \
		'["@level","@message","@module","@timestamp","outputs","type"]
{"sensitive":true,"type":["object",{"k":"string"}]}' ]
	$cli plan -out=p >/dev/null
	run -0 $cli apply -no-color -show-sensitive p
	grep '"k" = "v"' <<<"$output"
}

@test "elements of sets have no place of their own" {
	cat >main.tf <<-'END'
	ephemeral "test_token" "t" {}
	resource "test_all" "a" {
	  name = "a"
	  block {
	    name = ephemeral.test_token.t.token
	  }
	  blockset {
	    name = ephemeral.test_token.t.token
	  }
	}
	END
	plans 'error Ephemeral value used in non-ephemeral context 2,25' \
		'error Ephemeral value used in non-ephemeral context 5,12'
}

@test "which of equal elements a list keeps goes by their values" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" { input = [null, false] }
	resource "terraform_data" "b" { input = [{ a = 1 }] }
	END
	$cli apply -auto-approve >/dev/null
	cat >main.tf <<-'END'
	resource "terraform_data" "a" { input = [false, false] }
	resource "terraform_data" "b" { input = [{ a = 2 }, { a = 1 }] }
	END
	diff <($cli plan -no-color | sed -n '/~ input/,/^        ]/p') - <<-'END'
	      ~ input  = [
	          - null,
	            false,
	          + false,
	        ]
	      ~ input  = [
	          ~ {
	              ~ a = 1 -> 2
	            },
	          + {
	              + a = 1
	            },
	        ]
	END
}

# bats test_tags=once
@test "destroying minds imports into nothing only where it refreshes something" {
	cat >main.tf <<-'END'
	import {
	  to = terraform_data.a
	  id = "there"
	}
	END
	destroys() { # OPTION... -- LINE...
		local -a o=()
		while [ "$1" != -- ]; do
			o+=("$1")
			shift
		done
		shift
		diff <(told $cli plan -json -destroy "${o[@]}") \
			<(printf "${1+%s\n}" "$@")
	}
	destroys --
	mv main.tf kept
	echo 'resource "terraform_data" "b" {}' >main.tf
	$cli apply -auto-approve >/dev/null
	cat kept >>main.tf
	destroys -- 'error Configuration for import target does not exist 2,1'
	destroys -refresh=false --
}

@test "each cycle of moves is an error of its own" {
	mkdir m
	cat >m/main.tf <<-'END'
	moved {
	  from = terraform_data.a
	  to   = terraform_data.b
	}
	moved {
	  from = terraform_data.b
	  to   = terraform_data.a
	}
	END
	printf 'module "%s" {\n  source = "./m"\n}\n' a b >main.tf
	$cli get >/dev/null
	plans 'error Cyclic dependency in move statements -' \
		'error Cyclic dependency in move statements -'
}

# bats test_tags=once
@test "wrong arguments of a call are told once, however often its module is called" {
	mkdir m n
	printf 'module "n" {\n  source = "../n"\n  nope   = 1\n}\n' >m/main.tf
	echo 'variable "v" {}' >n/main.tf
	printf 'module "%s" {\n  source = "./m"\n}\n' a b c >main.tf
	$cli init >/dev/null
	valid 'error Missing required argument m/main.tf:1,12' \
		'error Unsupported argument m/main.tf:3,3'
	plans 'error Missing required argument m/main.tf:1,12' \
		'error Unsupported argument m/main.tf:3,3'
}

# bats test_tags=once
@test "a wrong count of a call is told of one instance of its module" {
	mkdir m n
	touch n/main.tf
	cat >m/main.tf <<-'END'
	variable "v" {}
	module "c" {
	  source = "../n"
	  count  = var.v[0].id
	}
	module "f" {
	  source   = "../n"
	  for_each = toset(var.v[0].id)
	}
	resource "terraform_data" "r" {
	  count = var.v[0].id
	}
	END
	cat >main.tf <<-'END'
	resource "terraform_data" "none" {
	  count = 0
	}
	module "m" {
	  source = "./m"
	  count  = 2
	  v      = terraform_data.none
	}
	END
	$cli init >/dev/null
	plans 'error Invalid for_each argument m/main.tf:8,14' \
		'error Invalid index m/main.tf:11,16' \
		'error Invalid index m/main.tf:11,16' \
		'error Invalid index m/main.tf:4,17' \
		'error Invalid index m/main.tf:8,25'
	run -0 $cli console -no-color <<<1
	[ "$(grep -c '^Error: Invalid count' <<<"$output")" = 1 ]
}

# bats test_tags=once
@test "values that cannot be read are told alone, by every command" {
	printf 'variable "a" {\n  default = {}\n  type = strin\n}\n' >main.tf
	printf 'a = 1_0\n' >x.auto.tfvars
	for words in plan validate init get console apply destroy refresh \
		graph 'import terraform_data.a x'; do
		echo "$words"
		[ "$(first $cli $words)" = 'Missing newline after argument' ]
	done
	plans 'error Missing newline after argument x.auto.tfvars:1,6'
	rm x.auto.tfvars
	[ "$(first $cli console -var-file=nope)" = \
		'Failed to read variables file' ]
	plans 'error Invalid type specification 3,10'
}

@test "in JSON a block may be null, which is one without arguments" {
	rm -f main.tf
	echo '{"resource": {"terraform_data": {"a": {
		"provisioner": {"local-exec": [null]}, "connection": [null]}}}}' \
		>main.tf.json
	valid 'error Invalid local-exec provisioner command -' \
		'error Missing required argument main.tf.json:2,36' \
		'error Missing required argument main.tf.json:2,59'
	echo '{"resource": {"terraform_data": {"a": [null]}},
		"output": {"o": [null]}}' >main.tf.json
	valid 'error Missing required argument main.tf.json:2,22'
}

@test "what is wrong with the message of a rule is told also where the rule holds" {
	cat >main.tf <<-'END'
	variable "v" {
	  default = [1]
	  validation {
	    condition     = length(var.v) > 0
	    error_message = "No: ${var.v}"
	  }
	}
	END
	plans 'error Invalid template interpolation value 5,28'
	sed -i 's/> 0/> 1/' main.tf
	plans 'error Invalid template interpolation value 5,28' \
		'error Invalid value for variable 1,1'
	rm main.tf
	# in JSON it was no template once
	cat >main.tf.json <<-'END'
	{"variable": {"v": {"default": [1], "validation": {
		"condition": "${length(var.v) > 1}",
		"error_message": "No: ${var.v}"}}}}
	END
	plans 'error Invalid value for variable main.tf.json:1,20' \
		'warning Validation error message expression is invalid main.tf.json:3,18'
	run -1 $cli plan -no-color -input=false
	[[ $output = *'No: ${var.v}'* ]]
	sed -i 's/> 1/> 0/' main.tf.json
	plans 'warning Validation error message expression is invalid main.tf.json:3,18'
}

@test "a default that does not fit its own type is told once, whatever overrides" {
	printf 'variable "v" {\n  type = list\n  default = {}\n}\n' >main.tf
	printf 'variable "v" {\n  type = string\n}\n' >x_override.tf
	valid 'error Invalid default value for variable 3,13'
	printf 'variable "v" {\n  default = 1\n}\n' >main.tf
	printf 'variable "v" {\n  type = list\n  default = {}\n}\n' \
		>x_override.tf
	valid 'error Invalid default value for variable x_override.tf:3,13'
	# what is wrong only now is
	printf 'variable "v" {\n  default = []\n}\n' >main.tf
	printf 'variable "v" {\n  type = string\n}\n' >x_override.tf
	valid 'error Invalid default value for variable x_override.tf:1,1'
}

@test "values are not told of a function that a provider lacks" {
	cat >main.tf <<-'END'
	terraform {
	  required_providers {
	    terraform = { source = "terraform.io/builtin/terraform" }
	  }
	}
	locals {
	  x = [1]
	  a = provider::terraform::nope(local.x)
	}
	END
	[ "$($cli plan -json | jq -c '.diagnostic | select(.severity? == "error") |
		[.summary, .snippet.values]')" = \
		'["Function not found in provider",[]]' ]
}

@test "the message of a rule may be known only when it is planned" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {}
	locals { id = terraform_data.a.id }
	variable "v" {
	  type    = list(map(string))
	  default = []
	  validation {
	    condition     = can(var.v.a)
	    error_message = "Not this: ${local.id}"
	  }
	}
	END
	valid
	plans 'error Invalid error message 8,21'
	TF_VAR_v=1 plans 'error Invalid value for input variable 3,1'
	sed -i 's/can(var.v.a)/var.v != 1/' main.tf
	$cli apply -auto-approve >/dev/null
	sed -i 's/var.v != 1/can(var.v.a)/' main.tf
	plans 'error Invalid value for variable 3,1'
}

@test "where conditions refer to nothing, only what is evaluated is unknown" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  lifecycle {
	    precondition {
	      condition     = (module.nope && false) || path.module == ""
	      error_message = "No."
	    }
	    postcondition {
	      condition     = alltrue([for x in [1, 2] : x == module.nope])
	      error_message = "No."
	    }
	  }
	}
	END
	valid 'error Reference to undeclared module 4,24' \
		'error Reference to undeclared module 8,55' \
		'error Unknown variable 4,49' \
		'error Unknown variable 8,55' 'error Unknown variable 8,55'
}

@test "beside a wrong reference in a condition the others have their types" {
	cat >main.tf <<-'END'
	variable "v" {
	  type = object({ b = bool, o = object({}) })
	}
	resource "terraform_data" "a" {
	  lifecycle {
	    precondition {
	      condition     = anytrue([var.v.b, count.index == 1])
	      error_message = "No."
	    }
	    precondition {
	      condition     = anytrue([var.v.o, count.index == 1])
	      error_message = "No."
	    }
	    precondition {
	      condition     = anytrue([var.v.b, count.index])
	      error_message = "No."
	    }
	  }
	}
	END
	counted='error Reference to "count" in non-counted context'
	valid 'error Invalid function argument 11,31' \
		'error Invalid function argument 15,31' \
		"$counted 11,41" "$counted 15,41" "$counted 7,41"
}

@test "lines that are empty are not in a snippet, nor is what ends them" {
	printf '%s\n' 'output "o" {' '  value = [' '' '  ' '  1,' '' '  2' '  ] + 1' \
		'}' >main.tf
	shown() {
		$cli validate -json | jq -c '.diagnostics[].snippet | values |
			[.code, .start_line, .highlight_start_offset,
			.highlight_end_offset]'
	}
	want='["  value = [\n  \n  1,\n  2\n  ] + 1",2,10,29]'
	[ "$(shown)" = "$want" ]
	sed -i 's/$/\r/' main.tf
	[ "$(shown)" = "${want/29/31}" ]
}

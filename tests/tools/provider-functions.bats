#!/usr/bin/env bats
# Functions of providers in expressions: calls that take their time.

load provider

setup() {
	provider_setup
}

# bats test_tags=once
@test "functions of a provider" {
	config <<-EOF
	output "o" {
	  value = [
	    provider::test::join("-", "a", "b", "c"),
	    provider::test::add(2, "3"),
	    [for i in range(3) : provider::test::add(i, i)],
	    provider::test::echo({ a = [1, null], b = "x" }),
	  ]
	}
	EOF
	works run_all ''
	[ "$(jq -c .outputs.o.value terraform.tfstate)" = \
		'["a-b-c",5,[0,2,4],{"a":[1,null],"b":"x"}]' ]
}

# bats test_tags=once
@test "errors of functions name the function and the argument" {
	config <<-EOF
	output "o" {
	  value = provider::test::fail("because", 0)
	}
	EOF
	fails plan '' -- 'Invalid function argument' because '"why"'
	config <<-EOF
	output "o" {
	  value = provider::test::add("x", 0)
	}
	EOF
	fails plan '' -- 'Invalid function argument' number
	config <<-EOF
	output "o" {
	  value = provider::test::nothing()
	}
	EOF
	fails plan '' -- '' nothing
	config <<-EOF
	output "o" {
	  value = provider::test::echo(1)
	}
	EOF
	fails plan 'function:crash' -- '' echo
}

@test "an error of a function tells no sensitive argument" {
	config <<-EOF
	variable "v" {
	  default   = "hunter2"
	  sensitive = true
	}
	output "o" {
	  value     = provider::test::fail(var.v, 0)
	  sensitive = true
	}
	EOF
	fails plan '' -- 'Invalid function argument' '"why"' 'reason is left out'
	run -1 grep -r hunter2 messages err
}

# bats test_tags=once
@test "a function waits for unknown arguments" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	output "o" {
	  value = provider::test::join("-", "a", test_thing.r.comp)
	}
	EOF
	works run_all ''
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = 'a-comp of r' ]
}

# The number of the last line of the log of calls that is this.
last_call() {
	grep -nx "$1" calls | tail -1 | cut -d: -f1
}

@test "other calls are served while a function is waited for" {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	output "o" {
	  value = provider::test::join("-", provider::test::echo("a"), "b")
	}
	EOF
	works plan 'function:sleep=1000;r@validate:sleep=100'
	planned=$(last_call 'plan-create test_thing r')
	[ "$(last_call 'function echo')" -lt "$planned" ]
	[ "$planned" -lt "$(last_call 'function join')" ]
}

@test "calls of functions run beside one another" {
	config <<-EOF
	locals {
	  all = [for i in range(20) : provider::test::add(i, i)]
	}
	output "o" {
	  value = sum(local.all) + provider::test::add(1000, 0)
	}
	EOF
	SECONDS=0
	works run_all 'function:sleep=400'
	[ "$SECONDS" -lt 10 ] # one after the other: 17
	[ "$(jq .outputs.o.value terraform.tfstate)" = 1380 ]
	# validate, plan: once each
	[ "$(grep -c 'function add' calls)" = 42 ]
}

# A function in every place that is evaluated.
everywhere() {
	mkdir -p m
	cat >m/main.tf <<-EOF
	terraform {
	  required_providers {
	    test = { source = "hashicorp/test" }
	  }
	}
	variable "v" {
	  validation {
	    condition     = provider::test::join("", var.v) == var.v
	    error_message = "never"
	  }
	}
	output "o" {
	  value = provider::test::join("", var.v, "!")
	  precondition {
	    condition     = provider::test::join("", var.v) == "kv"
	    error_message = "never"
	  }
	}
	EOF
	config <<-EOF
	provider "test" {
	  prefix = provider::test::other::join("", "p", "-")
	}
	provider "test" {
	  alias = "other"
	}
	locals {
	  two = provider::test::add(1, 1)
	  dep = local.two + local.two + provider::test::add(local.two, 1)
	}
	module "m" {
	  source   = "./m"
	  for_each = toset([provider::test::join("", "k")])
	  v        = provider::test::join("", each.key, "v")
	}
	data "test_thing" "d" {
	  count = local.two
	  name  = provider::test::join("", "d", count.index)
	  lifecycle {
	    precondition {
	      condition     = provider::test::add(local.two, 0) == 2
	      error_message = "never"
	    }
	    postcondition {
	      condition = (provider::test::join("", self.name, "y") ==
	        "\${self.name}y")
	      error_message = "never"
	    }
	  }
	}
	resource "test_thing" "r" {
	  count = provider::test::add(1, 1)
	  name  = provider::test::join("", "r", count.index)
	  lifecycle {
	    precondition {
	      condition     = provider::test::add(local.two, 0) == 2
	      error_message = "never"
	    }
	    postcondition {
	      condition = (provider::test::join("", self.comp, "z") ==
	        "\${self.comp}z")
	      error_message = "never"
	    }
	  }
	  provisioner "local-exec" {
	    command = "echo \${provider::test::join("", self.name, "x")} >>ran"
	  }
	}
	ephemeral "test_token" "t" {
	  name = provider::test::join("", "t")
	}
	check "c" {
	  assert {
	    condition     = provider::test::add(local.two, 2) == 5
	    error_message = provider::test::join(" ", "as", "expected")
	  }
	}
	output "o" {
	  value = [module.m["k"].o, local.dep, data.test_thing.d[*].name,
	    test_thing.r[*].name, provider::test::prefixed("q")]
	}
	EOF
}

# The state is what it is to be.
reached() {
	[ "$(jq -c .outputs.o.value terraform.tfstate)" = \
		'["kv!",7,["d0","d1"],["r0","r1"],"p-q"]' ]
	[ "$(sort ran | xargs)" = 'r0x r1x' ]
	jq -r '.check_results[] | "\(.config_addr) \(.status)"' \
		terraform.tfstate | sort >checks
	diff checks - <<-EOF
	check.c fail
	data.test_thing.d unknown
	module.m.output.o pass
	module.m.var.v pass
	test_thing.r pass
	EOF
}

# bats test_tags=once
@test "functions wherever something is evaluated" {
	everywhere
	$cli get >/dev/null
	works run_all 'function:sleep=20'
	grep -q 'warning: Check block assertion failed: as expected' messages
	reached
	works plan ''
	[ "$(actions r)" = "$(printf '["no-op"]\n["no-op"]')" ]
	works destroy 'function:sleep=5'
}

@test "a plan with functions is applied by itself" {
	everywhere
	$cli get >/dev/null
	works plan 'function:sleep=20'
	works apply 'function:sleep=20'
	reached
}

@test "functions in import blocks" {
	config <<-EOF
	import {
	  for_each = [provider::test::join("", "a"), "b"]
	  to = test_thing.r[provider::test::echo(each.value)]
	  id = provider::test::join("-", "id", each.value)
	}
	resource "test_thing" "r" {
	  for_each = toset(["a", "b"])
	  name     = provider::test::join("", "n", each.key == "a" ? "" : "")
	}
	EOF
	for id in id-a id-b; do
		echo '{"id":"'$id'","name":"n","comp":"comp of n"}' \
			>objects/test_thing.$id.json
	done
	works plan 'function:sleep=20'
	[ "$($cli show -json p | jq -r '.resource_changes[].change.importing.id' |
		xargs)" = 'id-a id-b' ]
}

# bats test_tags=once
@test "functions of a configured provider: the configuration decides" {
	config <<-EOF
	provider "test" {
	  prefix = test_thing.first.name
	}
	provider "test" {
	  alias = "plain"
	}
	resource "test_thing" "first" {
	  provider = test.plain
	  name     = "one"
	}
	output "o" {
	  value = provider::test::prefixed("x")
	}
	EOF
	works run_all 'function:sleep=20'
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = onex ]
	sed -i 's/test::prefixed/test::plain::prefixed/' main.tf
	fails plan '' -- 'Function not found in provider' prefixed
	afresh
	config <<-EOF
	output "o" {
	  value = provider::test::prefixed("x")
	}
	EOF
	works tell $cli validate -json
	fails plan '' -- 'Function not found in provider' prefixed
}

@test "a provider's configuration cannot call that provider" {
	config <<-EOF
	provider "test" {
	  prefix = provider::test::join("", "p", "-")
	}
	resource "test_thing" "r" {
	  name = "n"
	}
	EOF
	fails plan '' -- 'Self reference' hashicorp/test
}

@test "the console waits for functions" {
	config <<-EOF
	locals {
	  a = provider::test::join("", "l", "m")
	}
	EOF
	[ "$(TEST_PROVIDER_DO='function:sleep=50' $cli console <<-EOF
	provider::test::add(provider::test::add(1, 2), 3)
	local.a
	EOF
	)" = "$(printf '6\n"lm"')" ]
}

# bats test_tags=once
@test "a plan to destroy knows what is relevant of modules made by a function" {
	mkdir m
	cat >m/main.tf <<-EOF
	terraform {
	  required_providers { test = { source = "hashicorp/test" } }
	}
	resource "test_thing" "x" {
	  name = "x"
	}
	output "o" {
	  value = test_thing.x.comp
	}
	EOF
	config <<-EOF
	module "m" {
	  source   = "./m"
	  for_each = toset([provider::test::join("", "a")])
	}
	resource "test_thing" "r" {
	  name = module.m["a"].o
	}
	EOF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf plan -out=p >/dev/null
	tf show -json p | jq -e .relevant_attributes >want
	tf plan -destroy -out=p >/dev/null
	tf show -json p | jq .relevant_attributes | cmp want -
}

# bats test_tags=once
@test "functions of a provider that nobody requires are told by themselves" {
	config <<-'TF'
	locals {
	  wrong = upper(1, 2)
	  a     = [provider::nope::f(1), provider::test::echo("x")]
	  deep  = nope.nothing
	}
	resource "terraform_data" "r" {
	  input = "${provider::none::f(local.wrong)}"
	  huh   = 1
	}
	check "c" {
	  assert {
	    condition     = provider::nil::f() == terraform_data.r.id
	    error_message = "no"
	  }
	}
	TF
	for command in validate plan; do
		run -1 $cli $command -json
		[ "$(jq -rR 'fromjson? | (.diagnostics[]?, .diagnostic?) |
			select(.severity == "error") |
			"\(.summary) \(.snippet.code | ltrimstr(" ") |
				[match("::(no|ni)[a-z]*::").string] | first)"' \
			<<<"$(jq -c . <<<"$output")" | sort)" = \
			'Unknown function provider ::nil::
Unknown function provider ::none::
Unknown function provider ::nope::' ]
	done
	# but one that says how many modules there are, beside the others
	mkdir m
	touch m/main.tf
	config <<-'TF'
	locals { wrong = upper(1, 2) }
	module "m" {
	  source = "./m"
	  count  = provider::nope::f(1)
	}
	TF
	$cli get >/dev/null
	run -1 $cli validate
	[[ $output == *"Too many function arguments"* ]]
}

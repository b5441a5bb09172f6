#!/usr/bin/env bats
# provider-limit.bats - so many provider processes at a time, and not more
#
# A script stands before the provider: it writes down when a process begins and
# when it has ended, and gives each a log of its own (calls.PID).

load provider

jq_itself
without_leak_checks

setup() {
	provider_setup
	[ "$cli" = tf ] || skip 'the limit is of tf alone'
	mkdir bin
	cat >bin/terraform-provider-test <<-EOF
	#!/bin/sh
	echo + >>"$PWD/processes"
	TEST_PROVIDER_LOG=$PWD/calls.\$\$
	export TEST_PROVIDER_LOG
	[ ! -e "$PWD/before" ] || . "$PWD/before"
	"$provider_dir/terraform-provider-test" 3>&- &
	echo \$! >>"$PWD/pids"
	wait \$!
	echo - >>"$PWD/processes"
	EOF
	chmod +x bin/terraform-provider-test
	sed -i "s|$provider_dir|$PWD/bin|" rc
	export TEST_PROVIDER_IDS=name
	unset TFPIPE_MAX_PROVIDERS
}

# What hung has left providers behind: only the script dies with who started it.
teardown() {
	local pid
	[ -e pids ] || return 0
	while read -r pid; do
		! grep -qs '^terraform-prov' "/proc/$pid/comm" || kill "$pid"
	done <pids
}

# How many there were at a time, and how often one was started.
peak() {
	awk '/[+]/ { n++ } /-/ { n-- } n > m { m = n } END { print m + 0 }' \
		processes
}

starts() {
	grep -c + processes
}

# Runs a command with a limit; its result, and all it says, as without one.
limited() { # LIMIT COMMAND...
	rm -f processes calls.*
	TFPIPE_MAX_PROVIDERS=$1 run -0 timeout -s KILL 60 "${@:2}"
	[ "$(peak)" -le "$1" ] || { echo "there were $(peak)"; return 1; }
}

instances='locals {
  keys = toset([for i in range(12) : format("k%02d", i)])
}
variable "value" { default = "one" }
provider "test" {
  for_each = local.keys
  prefix   = "${each.key} "
}
resource "test_thing" "a" {
  for_each = local.keys
  provider = test[each.key]
  name     = "a ${each.key}"
  value    = var.value
}
resource "test_thing" "b" {
  for_each = local.keys
  provider = test[each.key]
  name     = "b ${each.key}"
  value    = var.value
}'

objects_of() { # FILE
	jq -Sc '[.resources[] | . as $r | .instances[] |
		[$r.name, .index_key, $r.provider, .provider, .attributes]]' "$1"
}

everything_with() { # LIMIT
	rm -rf objects terraform.tfstate* out.*
	mkdir objects
	limited "$1" tf validate -no-color
	echo "$output" >out.validate
	limited "$1" tf plan -no-color -out=p
	sort <<<"$output" >out.plan
	limited "$1" tf apply -no-color p
	[ "$1" = 99 ] || [ "$(starts)" = 12 ]
	objects_of terraform.tfstate >out.state
	limited "$1" tf plan -no-color -var value=two
	echo "$output" | grep -v 'Refreshing state' >out.update
	rm -r objects/*a* # what is gone is seen
	limited "$1" tf apply -no-color -refresh-only -auto-approve
	objects_of terraform.tfstate >out.refreshed
	limited "$1" tf apply -no-color -auto-approve -var value=two
	objects_of terraform.tfstate >out.updated
	jq 'del(.resources[])' terraform.tfstate >s
	mv s terraform.tfstate
	cp main.tf kept
	cat >>main.tf <<-'EOF2'
	import {
	  for_each = local.keys
	  to       = test_thing.a[each.key]
	  id       = "a ${each.key}"
	}
	EOF2
	limited "$1" tf apply -no-color -auto-approve -var value=two \
		-target=test_thing.a
	objects_of terraform.tfstate >out.imported
	mv kept main.tf
	limited "$1" tf destroy -no-color -auto-approve -target=test_thing.a
	objects_of terraform.tfstate >out.destroyed
	[ -s out.imported ] && [ "$(cat out.destroyed)" = '[]' ]
}

# bats test_tags=once
@test "with any limit the results are the same, and there are never more" {
	local limit
	config <<<"$instances"
	everything_with 99
	mkdir without
	mv out.* without
	for limit in 1 2 5; do
		everything_with "$limit"
		for f in without/*; do
			diff "$f" "${f#without/}"
		done
	done
}

# bats test_tags=once
@test "what is to be done for a process that is there is done first" {
	config <<<"$instances"
	limited 2 tf plan -out=p -parallelism=3
	[ "$(starts)" = 12 ]
	limited 2 tf apply -parallelism=3 p
	[ "$(starts)" = 12 ]
	limited 2 tf plan -refresh-only -parallelism=3
	[ "$(starts)" = 12 ]
	limited 2 tf plan -destroy -refresh=false -parallelism=3
	[ "$(starts)" = 12 ]
	# also where the same is needed at the beginning and at the end
	rm -f terraform.tfstate*
	cat >>main.tf <<-'EOF2'
	resource "test_thing" "c" {
	  for_each = local.keys
	  provider = test[format("k%02d", 11 - tonumber(substr(each.key, 1, 2)))]
	  name     = "c ${each.key}"
	}
	EOF2
	limited 2 tf plan -out=p -parallelism=3
	[ "$(starts)" = 12 ]
	limited 2 tf apply -parallelism=3 p
	[ "$(starts)" = 12 ]
}

# bats test_tags=once
@test "configurations without for_each: the work that waits for one goes first" {
	local i
	{
		for i in 1 2 3 4 5 6; do
			cat <<-EOF2
			provider "test" {
			  alias  = "k$i"
			  prefix = "k$i "
			}
			resource "test_thing" "a$i" {
			  provider = test.k$i
			  name     = "a$i"
			}
			resource "test_thing" "b$i" {
			  provider = test.k$i
			  name     = "b$i"
			  value    = test_thing.a$i.comp
			}
			EOF2
		done
	} | config
	limited 2 tf validate
	[ "$(starts)" = 1 ]
	limited 2 tf plan -out=p -parallelism=1
	[ "$(starts)" -le 7 ]
	limited 2 tf apply -parallelism=1 p
	[ "$(starts)" = 6 ]
	[ "$(attribute b6 .comp)" = '"k6 comp of b6"' ]
}

# bats test_tags=once
@test "it is configured again with the values that it had" {
	config <<-'EOF2'
	locals {
	  keys = toset(["x", "y", "z"])
	}
	provider "test" {
	  for_each = local.keys
	  prefix   = "${uuid()} "
	}
	resource "test_thing" "a" {
	  for_each = local.keys
	  provider = test[each.key]
	  name     = "a"
	}
	resource "test_thing" "b" {
	  for_each = local.keys
	  provider = test[each.key]
	  name     = "a"
	  value    = join("", [for a in test_thing.a : a.comp])
	}
	EOF2
	limited 1 tf apply -auto-approve
	[ "$(grep -l "^apply" calls.* | wc -l)" = 5 ] # but one twice
	jq -r '.resources[].instances[] |
		"\(.index_key) \(.attributes.comp)"' terraform.tfstate |
		sort -u >got
	[ "$(wc -l <got)" = 3 ]
}

@test "one with open ephemeral resources is not ended, and nobody waits for ever" {
	config <<-'EOF2'
	locals {
	  keys = toset(["u", "v", "w", "x"])
	}
	provider "test" {
	  for_each = local.keys
	  prefix   = each.key
	}
	ephemeral "test_token" "t" {
	  for_each = toset(["u", "v"])
	  provider = test[each.key]
	  name     = each.key
	}
	resource "test_all" "r" {
	  for_each = local.keys
	  provider = test[each.key]
	  name     = each.key
	  wo       = join("", values(ephemeral.test_token.t)[*].token)
	}
	EOF2
	for limit in 1 2; do
		rm -rf objects/* terraform.tfstate* processes calls.*
		TFPIPE_MAX_PROVIDERS=$limit run -0 timeout -s KILL 60 \
			tf apply -auto-approve
		[ "$(peak)" = 3 ] # two that stay, and one
		[ "$(jq '.resources[].instances | length' \
			terraform.tfstate)" = 4 ]
		grep -l '^open' calls.* >opened
		grep -l '^close' calls.* >closed
		diff opened closed
		[ "$(wc -l <opened)" = 4 ] # planning and applying
	done
	limited 3 tf destroy -auto-approve
}

@test "functions of one process wait in expressions for another" {
	config <<-'EOF2'
	provider "test" {
	  prefix = "f "
	}
	provider "test" {
	  alias  = "other"
	  prefix = "o "
	}
	provider "test" {
	  alias  = "third"
	  prefix = "${provider::test::other::prefixed("x")} "
	}
	resource "test_thing" "r" {
	  count    = 12
	  provider = test.third
	  name     = provider::test::prefixed("n${count.index}")
	  value    = provider::test::other::prefixed("v${count.index}")
	}
	EOF2
	limited 1 tf apply -auto-approve
	[ "$(attribute r '[.name, .value, .comp]')" = \
		'["f n0","o v0","o x comp of f n0"]' ]
}

@test "what fails when it is started again fails for who needs it" {
	config <<-'EOF2'
	locals {
	  keys = toset(["x", "y", "z"])
	}
	provider "test" {
	  for_each = local.keys
	  prefix   = each.key
	}
	resource "test_thing" "a" {
	  for_each = local.keys
	  provider = test[each.key]
	  name     = "a"
	}
	resource "test_thing" "b" {
	  for_each = local.keys
	  provider = test[each.key]
	  name     = "b"
	  value    = join("", [for a in test_thing.a : a.comp])
	}
	EOF2
	limited 1 tf plan -out=p
	# once a thing is there, a process cannot be configured
	cat >before <<-EOF2
	[ \$(ls "$PWD/objects" | wc -l) -lt 3 ] ||
		export TEST_PROVIDER_DO=configure:error=spent
	EOF2
	export TFPIPE_MAX_PROVIDERS=1
	rm processes
	run -1 timeout -s KILL 60 tf apply -json p
	[ "$(starts)" = 5 ] # two of them in vain, once each
	[ "$(jq -r 'select(.type == "diagnostic") | .diagnostic | select(.severity == "error").summary' \
		<<<"$output" | sort | uniq -c | tr -s ' ')" = " 2 spent" ]
	[ "$(jq '[.resources[].instances[]] | length' \
		terraform.tfstate)" = 4 ]
}

@test "one that crashed is not started again" {
	config <<-EOF2
	$instances
	resource "test_thing" "late" {
	  provider = test["k01"]
	  name     = "late"
	  value    = test_thing.b["k11"].comp
	}
	EOF2
	limited 1 tf plan -out=p
	cat >before <<-'EOF2'
	TEST_PROVIDER_DO='a k01@apply:crash;b k01@apply:crash'
	export TEST_PROVIDER_DO
	EOF2
	rm processes
	export TFPIPE_MAX_PROVIDERS=1
	run -1 timeout -s KILL 60 tf apply -no-color -parallelism=1 p
	[ "$(grep -c 'Plugin did not respond' <<<"$output")" = 3 ]
	[ "$(starts)" = 12 ]
	[ "$(jq '[.resources[].instances[]] | length' \
		terraform.tfstate)" = 22 ]
}

@test "a stop ends those that wait without starting them" {
	local i
	config <<<"$instances"
	echo 'TEST_PROVIDER_DO="apply:finish"; export TEST_PROVIDER_DO' \
		>before
	TFPIPE_MAX_PROVIDERS=2 setsid env --default-signal=INT \
		tf apply -json -auto-approve >out 2>err 3>&- &
	# a stop that comes before the call would be waited for in vain
	for i in $(seq 1200); do
		[ "$(grep -ls '^apply' calls.* | wc -l)" -lt 2 ] || break
		sleep 0.05
	done
	i=$(starts)
	kill -INT -- "-$!"
	status=0
	wait "$!" || status=$?
	[ "$status" = 1 ]
	[ "$(starts)" = "$i" ]
	[ "$(peak)" = 2 ]
	# all that were begun are kept, and nobody complains
	made=$(ls objects | wc -l)
	[ "$made" -gt 0 ]
	[ "$(jq '[.resources[].instances[]] | length' terraform.tfstate)" = \
		"$made" ]
	run -1 grep -i cancelled out err
}

# bats test_tags=once
@test "the option counts, then the variable; 0 is no limit" {
	config <<<"$instances"
	export TFPIPE_MAX_PROVIDERS=1
	rm -f processes
	run -0 tf plan -max-providers=2
	[ "$(peak)" = 2 ]
	rm processes
	run -0 tf plan -max-providers=0
	[ "$(peak)" = 12 ]
	rm processes
	run -0 tf apply -auto-approve -max-providers=2
	[ "$(peak)" = 2 ]
	for bad in x -1 1.5 99999999999999999999; do
		TFPIPE_MAX_PROVIDERS=$bad run -1 tf plan
		[[ $output == *'Invalid limit of providers'* ]]
		TFPIPE_MAX_PROVIDERS=$bad run -1 tf apply -auto-approve
		[[ $output == *'Invalid limit of providers'* ]]
	done
	run -1 tf plan -max-providers=-1
	[[ $output == *'Invalid limit of providers'* ]]
}

# bats test_tags=once
@test "fifty processes are what there is without an option" {
	config <<-'EOF2'
	locals {
	  keys  = toset([for i in range(60) : tostring(i)])
	  names = local.keys
	}
	provider "test" {
	  alias    = "by"
	  for_each = local.keys
	  prefix   = "${each.key} "
	}
	resource "test_thing" "a" {
	  for_each = local.names
	  provider = test.by[each.key]
	}
	EOF2
	rm -f processes
	run -0 tf plan
	[ "$(peak)" = 50 ]
	[ "$(starts)" = 60 ]
}

# bats test_tags=once
@test "without a limit no process is started that nobody needs" {
	local i
	{
		for i in 1 2 3 4; do
			printf 'provider "test" {\n alias = "k%s"\n%s\n}\n' \
				"$i" "prefix = \"k$i \""
			printf 'resource "test_thing" "r%s" {\n%s\n%s\n}\n' \
				"$i" "provider = test.k$i" "name = \"r$i\""
		done
	} | config
	rm -f processes
	run -0 tf validate
	[ "$(starts)" = 1 ] # one that is not configured serves all
	rm processes
	run -0 tf apply -auto-approve
	[ "$(starts)" = 8 ]
	rm processes
	run -0 tf destroy -auto-approve
	[ "$(peak)" = 4 ] # those that read first have ended
}

#!/usr/bin/env bats
# Providers that fail: crashes, silence, late and reordered answers, answers
# that are none.  The error names the provider and the resource, nothing that
# was made is lost, and nothing is left running.

load provider

setup() {
	provider_setup
	config <<-'EOF2'
	variable "v" { default = "v" }
	variable "n" { default = 1 }
	resource "test_thing" "r" {
	  count = var.n
	  name  = "r${count.index}"
	  value = var.v
	}
	EOF2
}

# Kills the providers that this test has started, if there are any.
kill_providers() {
	local pid pids killed=1
	pids=$(pgrep -f "^$provider_dir/terraform-provider-test") || pids=
	for pid in $pids; do
		if grep -qz "^TEST_PROVIDER_DIR=$PWD/objects\$" \
			"/proc/$pid/environ"; then
			killed=0
			kill -9 "$pid"
		fi
	done
	return "$killed"
}

teardown() {
	! kill_providers || { echo 'a provider is left running'; return 1; }
}

objects() {
	ls objects | wc -l
}

instances() {
	jq '[.resources[].instances[]] | length' terraform.tfstate
}

# The error speaks of the provider, the call's object, and what it wrote last.
crashes() { # CALL PART...
	fails "${command[@]}" "$1:crash" -- \
		'Plugin did not respond' "$test_provider" "${@:2}"
}

@test "a crash in any call of a plan is told, with the provider and resource" {
	command=(plan)
	crashes configure
	crashes validate test_thing.r
	crashes plan-create 'test_thing.r[0]'
	works run_all ''
	crashes upgrade 'test_thing.r[0]'
	crashes read 'test_thing.r[0]'
	crashes plan-update 'test_thing.r[0]'
	[ "$(instances)" = 1 ]
}

@test "a crash while reading data, opening, importing" {
	command=(plan)
	config <<-EOF
	data "test_thing" "d" {
	}
	EOF
	crashes read-data data.test_thing.d
	config <<-EOF
	ephemeral "test_token" "e" {
	}
	EOF
	crashes open ephemeral.test_token.e
	config <<-EOF
	import {
	  to = test_thing.r
	  id = "1"
	}
	resource "test_thing" "r" {
	}
	EOF
	crashes import test_thing.r
}

@test "a crash in the calls that come before and after" {
	command=(plan)
	crashes schema
	crashes validate-provider
	crashes identity-schemas
	config <<-EOF
	data "test_thing" "d" {
	}
	EOF
	crashes validate-data data.test_thing.d
	config <<-EOF
	ephemeral "test_token" "e" {
	}
	EOF
	crashes validate-ephemeral ephemeral.test_token.e
	crashes close test_token
}

@test "a crash when planning to destroy, or to move, changes nothing" {
	works run_all ''
	cp terraform.tfstate before
	command=(destroy)
	crashes plan-destroy 'test_thing.r[0]'
	config <<-EOF
	resource "test_renamed" "r" {
	  name = "r0"
	}
	moved {
	  from = test_thing.r[0]
	  to   = test_renamed.r
	}
	EOF
	command=(run_all)
	crashes move test_renamed.r
	cmp terraform.tfstate before
}

@test "a crash while applying keeps what there was and is" {
	works run_all '' -var n=3
	[ "$(instances)" = 3 ]
	fails run_all 'r1@apply-update:crash' -var n=3 -var v=w \
		-parallelism=1 -- 'Plugin did not respond' "$test_provider" \
		'test_thing.r[1]'
	[ "$(instances)" = 3 ]
	works run_all '' -var n=3 -var v=w
	[ "$(jq -c '[.resources[].instances[].attributes.value] | unique' \
		terraform.tfstate)" = '["w"]' ]
	fails destroy 'r1@destroy:crash' -parallelism=1 -- \
		'Plugin did not respond' 'test_thing.r[1]'
	[ "$(instances)" -ge 1 ]
	works destroy ''
	[ "$(objects)" = 0 ]
}

@test "an object whose creation crashed is not lost when others were made" {
	fails run_all 'r2@apply-create:crash' -var n=3 -parallelism=1 -- \
		'Plugin did not respond' 'test_thing.r[2]'
	# what was confirmed is in the state
	[ "$(instances)" = 2 ]
	works run_all '' -var n=3
	[ "$(instances)" = 3 ]
}

@test "a crash when starting is told with what the provider wrote" {
	fails plan start:crash -- '' "$test_provider" 'no start'
	fails plan start:nonsense -- '' "$test_provider"
	fails plan 'start:status=1|4|unix|/nowhere|grpc|' -- \
		'' "$test_provider"
	fails plan 'start:status=1|6|unix|/nowhere|grpc|' -- \
		'' "$test_provider"
}

@test "a handshake may come in parts, and has an end" {
	works plan start:sleep
	fails plan start:nonsense=70000 -- '' "$test_provider" \
		'it printed no handshake. '
}

@test "answers that are none: statuses, other bytes, no msgpack" {
	fails plan 'plan:status=12' -- '' "$test_provider" 'test_thing.r[0]'
	fails plan 'plan:status=14' -- '' "$test_provider" 'test_thing.r[0]'
	fails plan 'plan:nonsense' -- '' "$test_provider" 'test_thing.r[0]'
	fails plan 'schema:nonsense' -- '' "$test_provider"
	fails plan 'schema:status=13' -- '' "$test_provider"
	fails plan 'configure:status=12' -- '' "$test_provider"
	fails plan 'configure:nonsense' -- '' "$test_provider"
	fails run_all 'apply:nonsense' -- '' "$test_provider" 'test_thing.r[0]'
	fails run_all 'apply:status=13' -- '' "$test_provider" 'test_thing.r[0]'
}

@test "calls that a provider need not know are done without" {
	works run_all 'metadata:status=12;functions:status=12;identity-schemas:status=12'
	[ "$(instances)" = 1 ]
}

@test "late and reordered answers" {
	works run_all 'r0@apply:sleep=300;r1@apply:sleep=200;r2@apply:sleep=100;r3@plan:sleep=100' \
		-var n=5
	[ "$(jq -c '[.resources[].instances[].attributes.name]' \
		terraform.tfstate)" = '["r0","r1","r2","r3","r4"]' ]
	works plan 'r0@read:sleep=200;r1@upgrade:sleep=100' -var n=5
	[ "$($cli show -json p | jq -c '[.resource_changes[].change.actions[]] |
		unique')" = '["no-op"]' ]
}

@test "calls are in flight together, as many as -parallelism says" {
	local start=$SECONDS
	works run_all 'any:sleep=700' -var n=20 -parallelism=20
	[ $((SECONDS - start)) -lt 30 ] # one after the other: 42
}

@test "a huge schema" {
	TEST_PROVIDER_HUGE=300 works plan ''
	[ "$($cli show -json p | jq '.resource_changes|length')" = 1 ]
}

@test "of a provider that ended without a word it is told how" {
	start_planning plan:hang '^plan'
	kill_providers
	status=0
	wait "$waiter" || status=$?
	[ "$status" = 1 ]
	grep -q 'test_thing.r\[0\].*signal: killed' out
}

@test "what a provider says after its connection has ended is waited for" {
	local wrapped=$PWD/wrapped
	mkdir "$wrapped"
	cat >"$wrapped/terraform-provider-test" <<-END
	#!/bin/sh
	"$provider_dir/terraform-provider-test" "\$@"
	sleep 0.2
	echo 'panic: so it goes' >&2
	sleep 0.1
	echo 'said in the last line' >&2
	exit 7
	END
	chmod +x "$wrapped/terraform-provider-test"
	sed -i "s|\"$provider_dir\"|\"$wrapped\"|" "$TF_CLI_CONFIG_FILE"
	fails plan plan:crash -- 'Plugin did not respond' 'panic: so it goes' \
		'said in the last line'
	# much at once, just before the process ends
	cat >"$wrapped/terraform-provider-test" <<-END
	#!/bin/sh
	all=\$(seq 8000; echo 'panic: so it goes'; echo 'said in the last line')
	"$provider_dir/terraform-provider-test" "\$@" 2>/dev/null
	echo "\$all" >&2
	END
	fails plan plan:crash -- '' 'panic: so it goes' 'said in the last line'
}

# --- mutual TLS ---

@test "mutual TLS: where it is asked for, exactly the two talk" {
	export TFPIPE_PLUGIN_TLS=1
	both works run_all '' -var n=20
	TEST_PROVIDER_HUGE=300 works plan '' -var n=20
	TEST_PROVIDER_TLS=other fails plan '' -- \
		'Plugin did not respond' hashicorp/test
	TEST_PROVIDER_TLS=none fails plan '' -- \
		'Plugin did not respond' 'certificate makes no sense'
}

# --- interrupting ---

wait_for() { # TEXT FILE
	local i
	for i in $(seq 100); do
		! grep -qs "$1" "$2" || return 0
		sleep 0.05
	done
	echo "never seen in $2: $1"
	return 1
}

start_hanging() { # ORDERS OPTION...
	# a shell starts what is in the background with SIGINT ignored
	TEST_PROVIDER_DO=$1 setsid env --default-signal=INT,QUIT \
		$cli apply -json -auto-approve "${@:2}" >out 2>err 3>&- &
	waiter=$!
	wait_for '^apply' calls
}

interrupt() { # as the terminal does: the whole group
	kill -INT -- "-$waiter"
}

@test "a plan that is interrupted fails, as any other" {
	TEST_PROVIDER_DO='r0@plan:finish' setsid env \
		--default-signal=INT,QUIT $cli plan -no-color -var n=1 \
		-out=p >out 2>err 3>&- &
	waiter=$!
	wait_for '^plan' calls
	interrupt
	status=0
	wait "$waiter" || status=$?
	[ "$status" = 1 ]
	grep -q 'Interrupt received' out err
	grep -q 'execution halted' err
	for i in $(seq 100); do # it may take the provider a moment to end
		pgrep -f "^$provider_dir/terraform-provider-test" >left || break
		sleep 0.05
	done
	[ ! -e .terraform.tfstate.lock.info ]
	# what there was is saved, for who wants to look at it
	run $cli apply p
	[ "$status" = 1 ]
	[ "$(objects)" = 0 ]
}

@test "interrupted once: Stop, and what runs is finished" {
	start_hanging 'r0@apply:finish' -var n=3 -parallelism=1
	interrupt
	status=0
	wait "$waiter" || status=$?
	[ "$status" = 1 ]
	wait_for '^stop' calls
	[ "$(instances)" = 1 ]
	[ "$(objects)" = 1 ]
	[ "$(attribute r .name)" = '"r0"' ]
}

@test "interrupted once: Stop ends a call that hangs, and the error is told" {
	start_hanging 'r0@apply:hang' -var n=2 -parallelism=1
	interrupt
	status=0
	wait "$waiter" || status=$?
	[ "$status" = 1 ]
	grep -q stopped out err
}

start_planning() { # ORDERS TEXT
	TEST_PROVIDER_DO=$1 setsid env --default-signal=INT,QUIT \
		$cli plan -json >out 2>err 3>&- &
	waiter=$!
	wait_for "$2" calls
}

@test "interrupted while planning or configuring" {
	start_planning 'plan:hang' '^plan'
	interrupt
	status=0
	wait "$waiter" || status=$?
	[ "$status" != 0 ]
	[ ! -e .terraform.tfstate.lock.info ]
	rm calls
	start_planning 'configure:hang' '^configure'
	interrupt
	sleep 0.2
	interrupt || true # it may have ended already
	status=0
	wait "$waiter" || status=$?
	[ "$status" != 0 ]
}

@test "interrupted twice: at once, and nothing that was made is forgotten" {
	start_hanging 'r1@apply:sleep=60000' -var n=3 -parallelism=3
	wait_for apply_complete out
	interrupt
	wait_for '^stop' calls
	interrupt
	status=0
	wait "$waiter" || status=$?
	[ "$status" != 0 ]
	sleep 0.2
	# r0 and r2 are in the state, r1 was not confirmed
	TEST_PROVIDER_DO= tell $cli plan -json -out=p -var n=3
	[ "$(jq -c '[.resources[].instances[].attributes.name]' \
		terraform.tfstate)" = '["r0","r2"]' ]
}

@test "a provider that cannot be opened when applying fails what needs it" {
	works plan '' -var n=2
	fails apply schema:crash -- 'Plugin did not respond' "$test_provider"
	[ "$(objects)" = 0 ]
	works again ""
	[ "$(instances)" = 2 ]
}

@test "what a provider says crashes none, whatever becomes of it on its way" {
	need python3
	[ "$cli" = tf ] || skip 'only of this program'
	export PYTHONDONTWRITEBYTECODE=1
	"$TF_TEST_SRC/tests/fuzz/answers" --work "$PWD/work" --count 8 \
		--provider "$provider_dir/terraform-provider-test" >said || {
		cat said
		false
	}
	[ "$(tail -n 1 said)" = '8 passed, 0 failed, 0 skipped' ]
}

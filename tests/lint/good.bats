#!/usr/bin/env bats
# What the lint accepts; never run.

load common

setup() {
	[ -n "${HERE-}" ] || skip 'there is no HERE'
	command -v python3 >/dev/null || skip 'no python3'
	cd "$BATS_TEST_TMPDIR"
}

whole() { # a function's last command is its status
	[ -s "$1" ] || return 1
	grep -q x "$1" || {
		cat "$1"
		return 1
	}
	[ -s a ] && [ -s b ]
}

plain() { # called where failures count
	[ -s a ]
	grep -q x a
	[ -s b ]
}

runs() {
	run tf "$@"
}

says() { # reads what run has found
	[[ $output == *"$1"* ]]
}

@test "a test with all that may be" {
	whole a || return 1
	plain
	run -1 grep -q secret log
	run -0 tf plan
	[[ $output != *secret* ]]
	run tf plan
	[[ $output == *fine* ]]
	run --separate-stderr tf plan
	[ "$status" = 1 ]
	run tf plan
	says fine
	runs apply
	[ "$status" = 0 ]
	if ! grep -q x a; then
		false
	fi
	! grep -q x a || return 1
	until grep -q x a; do sleep 1; done
	(cd a && tf plan)
	[ -s a ] && return 0
	[ "$(tf output x)" = 5 ]
	[ "$(tf output x)" = "$(printf '%s\n' a b)" ]
	cmp want <(tf output)
	diff - <(echo "$output") <<-'X'
	! grep -q x
	X
	tf-parse | grep -c local
	echo x | grep -q x
	yes | head -n 10 >many || :
	head -n -1 many | cmp - few
	tf-parse | jq -e '.x == 1'
	tf-parse | jq .x >got
	[ "$(tf-parse | jq .x)" = 1 ]
	run -0 bash -o pipefail -c 'tf-parse | tf-plan'
	run -0 sh -c "echo yes | tf apply"
	[ -e a ] || { tf plan | jq .x; false; }
	tf apply 3>&- &
	pid=$!
	wait $pid
	words=$(jq -r .a f)
	[ -n "$words" ]
	for w in $words; do
		grep "$w" want
	done
	for i in $(seq 3); do
		[ -e "$i" ]
	done
	n=0
	while read -r w; do
		grep "$w" want
		n=$((n + 1))
	done < <(jq -r .a f)
	[ $n -gt 3 ]
	case $w in
	a | b) grep -q x a ;;
	*) [ -s b ] ;;
	esac
	[[ $output =~ ^"a ("[0-9a-f]{8}")"$ ]]
	((n > 3))
}

@test "helpers may do the asking" {
	plain
}

@test "a status is an assertion" {
	run -2 tf plan -detailed-exitcode
}

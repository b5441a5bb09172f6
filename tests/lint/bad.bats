#!/usr/bin/env bats # bad: no-pipefail
# What the lint rejects, and for which reason; never run.

@test "negation" {
	! grep -q secret log # bad: dead-not
	[ -s log ] || ! grep -q secret log # bad: dead-not
	for f in a b; do
		! cmp -s "$f" want # bad: dead-not
	done
	! grep -q secret log # bad: dead-not
}

@test "lists" {
	[ -s a ] && [ -s b ] # bad: dead-and
	if [ -e c ]; then
		grep -q x a && grep -q y a # bad: dead-and
	fi
	[ -s a ] || true # bad: dead-or
	grep x a || : # bad: dead-or
	grep x a || echo 'no x' # bad: dead-or
	diff a b || : # bad: dead-or
	[ -e d ]
}

@test "run" {
	run ! tf plan # bad: run-not
	run tf plan # bad: run-unread
	run tf apply # bad: run-unread
	[[ $output != *secret* ]]
	run tf apply # bad: run-unread
	[ -z "$output" ]
	tf-parse | run -1 tf-plan # bad: run-in-pipe
	run tf show # bad: run-unread
}

runs() {
	run tf "$@"
}

@test "run by a helper" {
	runs plan # bad: run-unread
	runs apply
	[ "$status" = 0 ]
}

half_deaf() {
	[ -s a ] # bad: helper-deaf
	grep -q x a # bad: helper-deaf
	[ -s b ]
}

works() {
	"$@" || return 1
}

through() {
	[ -s a ] # bad: helper-deaf
	half_deaf # bad: helper-deaf
	true
}

in_substitution() {
	[ -s a ] # bad: helper-deaf
	echo x
}

@test "helpers called where failures are ignored" {
	half_deaf || return 1
	works through
	[ "$(in_substitution)" = x ]
}

@test "pipes" {
	run -0 bash -c 'tf-parse | tf-plan' # bad: pipe-in-string
	run -0 sh -c "cat in | tf-plan" # bad: pipe-in-string
	tf-parse | grep -q local # bad: early-end
	tf-parse | head -n 1 >got # bad: early-end
	tf-parse | grep local >/dev/null # bad: early-end
	tf-parse | diff want - <<-'X' # bad: pipe-unread
	text
	X
	tf-parse | jq .record # bad: jq-unread
	jq '.x == 1' got # bad: jq-unread
	{
		tf-parse | jq '.x == 1' # bad: jq-unread
	}
}

@test "statuses" {
	tf apply 3>&- &
	tf plan & # bad: background-3
	wait # bad: bare-wait
	local x=$(tf plan) # bad: masked-status
	export y="$(tf plan)" # bad: masked-status
	[ -n "$x" ]
}

@test "comparisons" {
	cmp <(sed 1d a) <(sed 1d b) # bad: two-substitutions
	diff -u <(sed 1d a) <(sed 1d b) # bad: two-substitutions
	[ "$(sed 1d a)" = "$(sed 1d b)" ] # bad: two-substitutions
	[ -z "$(tf state list)" ] # bad: empty-substitution
	[ "$(tf state list)" = '' ] # bad: empty-substitution
	[[ -e a && -z $(tf state list) ]] # bad: empty-substitution
	[ "$(tf output x)" != 5 ] # bad: unequal-substitution
	[ -n $x ] # bad: unquoted-n
	[ x ] # bad: constant
	[[ ! "" ]] # bad: constant
}

@test "loops" {
	for a in $(jq -r .a f); do # bad: maybe-empty
		grep "$a" want
	done
	while read -r a; do # bad: maybe-empty
		grep "$a" want
	done < <(jq -r .a f)
}

@test "skips" {
	[ -e /dev/full ] || skip # bad: skip-reason
	[ -e /dev/full ] || skip '' # bad: skip-reason
	tf plan || skip 'it does not work' # bad: skip-failure
	run tf plan
	[ "$status" = 0 ] || skip 'it does not work' # bad: skip-failure
	need tofu # bad: peer-demanded
	command -v tofu || cannot "tofu is not on PATH" # bad: peer-demanded
	grep -q x /dev/full
}

@test "nothing is asked" { # bad: no-assertion
	tf plan
	tf apply -auto-approve >/dev/null
}

says_nothing() {
	echo
}

@test "nor by helpers" { # bad: no-assertion
	says_nothing
}

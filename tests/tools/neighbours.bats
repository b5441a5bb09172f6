#!/usr/bin/env bats
# neighbours.bats - what programs of others look for in our texts, and the commands that
# they run (tests/neighbours); those that need a package run in scripts/nightly alone

load common

setup() {
	need python3 jq git
	cd "$BATS_TEST_TMPDIR"
	neighbours=$TF_TEST_SRC/tests/neighbours
	mapfile -t alone < <(awk '!/^#/ && NF == 1' "$neighbours/neighbours")
	[ "${#alone[@]}" -gt 3 ]
}

@test "without their packages: what they look for and run ends as with OpenTofu" {
	run -0 "$neighbours/run" --no-fetch "${alone[@]}"
	[ "${lines[-1]}" = "$((2 * ${#alone[@]})) passed, 0 failed, 0 skipped" ]
}

@test "each of them fails where texts are cut off, or statuses differ" {
	run -0 "$neighbours/run" --no-fetch --damage half "${alone[@]}"
	[ "${lines[-1]}" = "$((2 * ${#alone[@]})) passed, 0 failed, 0 skipped" ]
}

@test "what cannot be had is skipped, and said so" {
	run -0 "$neighbours/run" --no-fetch --cache none tftest
	[ "${lines[0]}" = 'skip tftest: it is not in none' ]
	[ "${lines[-1]}" = '0 passed, 0 failed, 1 skipped' ]
}

@test "each has a recorded result, and its line with its version in tf-compat(7)" {
	sed '1,/^\.Sh PROGRAMS THAT USE IT/d; /^\.Sh/,$d' "$TF_TEST_SRC/man/tf-compat.7" >page
	n=0
	while read -r name _ _ version; do
		n=$((n + 1))
		[ -s "$neighbours/said/$name" ]
		[[ $name = patterns ]] || grep -qE "^\.It $name ?${version:-( |$)}" page || {
			echo "$name $version has no line"
			return 1
		}
	done < <(grep -v '^#' "$neighbours/neighbours")
	[ "$n" -gt 10 ]
	n=0
	while IFS=$'\t' read -r name _; do
		n=$((n + 1))
		grep -qE "^\.It $name( |$)" page || {
			echo "$name has no line"
			return 1
		}
	done < <(grep -vE '^(#|$)' "$neighbours/patterns")
	[ "$n" -gt 10 ]
}

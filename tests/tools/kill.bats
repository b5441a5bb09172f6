#!/usr/bin/env bats
# tests/kills in a small number; by hand in a large one.

setup_file() {
	build=$(dirname "$(command -v tf-plan)")
	export build
	if nm "$build/tf-apply" 2>/dev/null | grep -q __asan_init; then
		export SANITIZED=1
	fi
}

kills() {
	"$TF_TEST_SRC/tests/kills" --build "$build" "$@" >log || {
		cat log
		return 1
	}
	tail -n 2 log >&3
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	TMPDIR=$BATS_TEST_TMPDIR
	export TMPDIR
}

@test "killed at 50 moments: what was told is in the state, what exists is known" {
	if [ -n "${SANITIZED-}" ]; then
		kills --count 12 --objects 300
	else
		kills --count 50 --objects 3000
	fi
}

@test "the power fails at 120 moments: what was told is in the state, what exists is known" {
	[ -z "${SANITIZED-}" ] ||
		skip 'a library cannot be preloaded into a sanitized program'
	cc -shared -fPIC -o inject.so "$TF_TEST_SRC/tests/fault/inject.c"
	kills --count 120 --objects 30 --power inject.so
}

#!/usr/bin/env bats
# tests/kills in a small number; by hand in a large one.

load common

setup_file() {
	build=$(dirname "$(command -v tf-plan)")
	export build
	if sanitized tf-apply; then
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

@test "the power fails at 60 moments: what was told is in the state, what exists is known" {
	build_injector "$PWD"
	kills --count 60 --objects 30 --power "$INJECT"
}

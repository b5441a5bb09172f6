#!/usr/bin/env bats
# tests/kills in a small number; by hand in a large one.

load common

setup_file() {
	build=$(dirname "$(command -v tf-plan)")
	export build
	without_leak_checks
	export KILLS=24 CUTS=60
	if sanitized tf-apply; then
		KILLS=8 CUTS=16
	fi
}

kills() {
	"$TF_TEST_SRC/tests/kills" --build "$build" "$@" >log || {
		cat log
		return 1
	}
	[[ $(tail -n 1 log) = [1-9]*' passed, 0 failed, 0 skipped' ]]
	tail -n 2 log >&3
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	TMPDIR=$BATS_TEST_TMPDIR
	export TMPDIR
}

@test "killed at any moment: what was told is in the state, what exists is known" {
	kills --count "$KILLS" --objects 300
}

@test "the power fails at any moment: what was told is in the state, what exists is known" {
	build_injector "$PWD"
	kills --count "$CUTS" --objects 30 --power "$INJECT"
}

@test "a state is overwritten so that a part of it is none" {
	need strace
	run strace -o none true
	[ "$status" = 0 ] || cannot 'strace may not trace here'
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	tf-init >/dev/null
	tf apply -auto-approve >/dev/null
	tf state pull | jq '.serial += 1' >next
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -e trace=pwrite64,fsync -o trace \
		tf-state push next
	# the first character is another one until all else is on the disk; the last
	# sync is of the directory that the journal was in
	sed -n 's/^[0-9]* *//; s/^pwrite64([0-9]*, \("[#{]"\), 1, 0) .*/\1/p; s/^fsync.*/fsync/p' \
		trace | sed -n '/#/,$p' >order
	diff order - <<'X'
"#"
fsync
"{"
fsync
fsync
X
}

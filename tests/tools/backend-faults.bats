#!/usr/bin/env bats
# backend-faults.bats - a sample of the faults that tests/backends/run can make, of
# each backend; all of them with TF_TEST_FAULTS=all

load common
load servers

without_leak_checks

# sample KIND N: an Nth of the faults, always the same; a third of these with sanitizers,
# and in CI none of states that are plain: what these run encrypted ones run, too
sample() {
	local seed=${TF_TEST_SEED-1} part=$2 which=
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	need python3 openssl || return 1
	if [ "${TF_TEST_FAULTS-}" = all ]; then
		part=1
	elif sanitized tf-apply; then
		part=$((part * 3))
		[ "$FEWER" = 1 ] || which=--encrypted
	fi
	run "$TF_TEST_SRC/tests/backends/run" --work "$BATS_TEST_TMPDIR/w" --seed "$seed" \
		--part "$part" $which "$1"
	echo "$output"
	if [[ $output == *' is not installed'* ]]; then
		cannot "$(grep 'is not installed' <<<"$output")"
	fi
	[ "$status" = 0 ]
}

@test "http: no fault loses a state or leaves a lock" {
	sample http 24
}

@test "s3: no fault loses a state or leaves a lock" {
	sample s3 28
}

@test "s3 with a table: no fault loses a state or leaves a lock" {
	sample s3-table 50
}

# bats test_tags=once
@test "gcs: no fault loses a state or leaves a lock" {
	sample gcs 30
}

@test "azurerm: no fault loses a state or leaves a lock" {
	sample azurerm 50
}

@test "pg: no fault loses a state or leaves a lock" {
	sample pg 40
}

@test "consul: no fault loses a state or leaves a lock" {
	sample consul 40
}

@test "kubernetes: no fault loses a state or leaves a lock" {
	sample kubernetes 32
}

@test "cos: no fault loses a state or leaves a lock" {
	sample cos 50
}

@test "oss: no fault loses a state" {
	sample oss 30
}

@test "remote: no fault loses a state or leaves a lock" {
	sample remote 80
}

@test "cloud: no fault loses a state or leaves a lock" {
	sample cloud 80
}

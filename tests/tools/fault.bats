#!/usr/bin/env bats
# Faults: every allocation, write, sync and truncation of a sample flow fails in
# turn; tf-apply is killed at random moments.  Whatever happens, no confirmed
# object is lost and the state can be read.

load common

setup_file() {
	build_injector "$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR"
	mkdir base
	cd base
	cat >main.tf <<'EOF'
variable "v" { default = "1" }
resource "terraform_data" "a" {
  count = 4
  input = "${var.v}-${count.index}"
}
resource "terraform_data" "b" {
  input            = terraform_data.a[0].output
  triggers_replace = var.v
}
output "o" { value = terraform_data.b.output }
EOF
	tf apply -auto-approve >/dev/null
	tf-parse | tf-plan -var=v=2 >plan
	cd ..
	external_base
}

# The same with a provider whose objects are outside of us: its outcomes are
# synced, and what exists is seen in the folder objects.
external_base() {
	mkdir -p external/objects
	cat >rc <<EOF
provider_installation {
  dev_overrides {
    "registry.opentofu.org/hashicorp/test" = "$(dirname "$(command -v tf-plan)")/tests/provider"
  }
  direct {}
}
EOF
	export TF_CLI_CONFIG_FILE=$PWD/rc TEST_PROVIDER_DIR=objects
	cd external
	cat >main.tf <<'EOF'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
variable "v" { default = "1" }
resource "test_thing" "a" {
  count = 4
  name  = "${var.v}-${count.index}"
  force = count.index < 2 ? var.v : ""
}
resource "test_thing" "b" {
  name  = "b"
  value = test_thing.a[0].name
}
resource "test_thing" "new" {
  count = var.v == "2" ? 2 : 0
  name  = "new"
}
EOF
	tf apply -auto-approve >/dev/null
	tf-parse | tf-plan -var=v=2 >plan
}

setup() {
	cd "$BATS_FILE_TMPDIR"
}

allocations() {
	[[ $INJECT != *asan* ]] ||
		skip "a sanitizer has an allocator of its own, which does not fail"
}

# Every object whose completion was reported is in the state as reported; the
# state is readable and belongs to the same lineage.
check_state() { # events
	tf-state pull >state 2>pull.err || {
		cat pull.err
		return 1
	}
	[ "$(jq -r .lineage state)" = "$lineage" ] || return 1
	# the events before a cut-off line count
	jq -R -r 'fromjson? | select(.type? == "apply_complete" and
			.hook.action != "delete") |
			.hook.resource.addr + " " + .hook.id_value' "$1" |
		sort >told || return 1
	jq -r '.resources[] | . as $r | .instances[] | $r.type + "." +
		$r.name + (if has("index_key") then "[\(.index_key)]"
		else "" end) + " " + .attributes.id' state | sort >have ||
		return 1
	comm -23 told have >lost || return 1
	[ ! -s lost ] || {
		echo "lost: $(cat lost)"
		return 1
	}
	[ ! -d objects ] || check_objects
}

# Every real object is in the state.
check_objects() {
	find objects -name '*.json' -size +0 -exec cat {} + | jq -r .id | sort >real ||
		return 1
	sed 's/.* //' have | sort >known
	comm -23 real known >lost
	[ ! -s lost ] || {
		echo "lost objects: $(cat lost)"
		return 1
	}
}

in_turn() { # folder, kind, command reading its plan
	base=$1
	kind=$2
	shift 2
	lineage=$(jq -r .lineage $base/terraform.tfstate)
	n=0
	while :; do
		n=$((n + 1))
		rm -rf work
		cp -r $base work
		cd work
		rm -f ../hit
		status=0
		TFPIPE_FAULT=$kind:$n TFPIPE_FAULT_HIT=$PWD/../hit \
			LD_PRELOAD="$INJECT" timeout 60 "$@" <plan >events 2>err ||
			status=$?
		# 124: hung; above 128: died of a signal
		if [ $status = 124 ] || [ $status -gt 128 ]; then
			echo "$kind $n: exit status $status"
			cat err
			return 1
		fi
		check_state events || {
			echo "after $kind $n, exit status $status"
			return 1
		}
		cd ..
		[ -e hit ] || break
		[ $n -lt 5000 ]
	done
	echo "$kind: $((n - 1)) faults" >&3
	[ $n -gt 1 ] && [ $status = 0 ]
}

@test "tf-apply: every allocation fails in turn" {
	allocations
	in_turn base alloc tf-apply
}

@test "tf-apply: every write fails in turn" {
	in_turn base write tf-apply
}

@test "tf-apply: every sync fails in turn" {
	in_turn base sync tf-apply
}

@test "tf-apply: every truncation fails in turn" {
	in_turn base trunc tf-apply
}

@test "a disk without room for a state is noticed before the old one is touched" {
	rm -rf work
	cp -r base work
	cd work
	cp terraform.tfstate was
	TFPIPE_FAULT=room:1 LD_PRELOAD=$INJECT run -1 tf-state rm terraform_data.b
	[[ $(tr -s ' \n' '  ' <<<"$output") == *'No space left on device. It is as it was before.'* ]]
	cmp was terraform.tfstate
	rm -f .terraform.tfstate*
	# not every file system can reserve room
	TFPIPE_FAULT=noroom:1 TFPIPE_FAULT_HIT=hit LD_PRELOAD=$INJECT \
		run -0 tf-state rm terraform_data.b
	[ -e hit ]
	run -1 tf-state show terraform_data.b
}

@test "tf-apply with a provider: every write fails in turn" {
	in_turn external write tf-apply
}

@test "tf-apply with a provider: every sync fails in turn" {
	in_turn external sync tf-apply
}

@test "tf-plan: every allocation fails in turn" {
	allocations
	cd base
	tf-parse >parsed
	n=0
	while :; do
		n=$((n + 1))
		rm -f hit
		status=0
		TFPIPE_FAULT=alloc:$n TFPIPE_FAULT_HIT=hit LD_PRELOAD="$INJECT" \
			timeout 60 tf-plan <parsed >out 2>err || status=$?
		[ $status = 0 ] || [ $status = 1 ]
		[ -e hit ] || break
		# what was cut off is refused by the next stage
		[ $status = 0 ] || [ ! -s out ] || run -1 tf-show out
	done
	[ $n -gt 10 ]
}

@test "tf-apply killed at random moments: nothing confirmed is lost" {
	lineage=$(jq -r .lineage base/terraform.tfstate)
	hit=0
	for i in $(seq 40); do
		rm -rf work
		cp -r base work
		cd work
		TFPIPE_TEST_BUILTIN_DELAY=5 tf-apply <plan >events 2>err 3>&- &
		pid=$!
		# what the shell has still to start is not killed
		while [ "$(cat /proc/$pid/comm 2>/dev/null)" = bash ]; do :; done
		sleep "0.0$((RANDOM % 6))$((RANDOM % 10))"
		kill -9 $pid 2>/dev/null || true
		status=0
		wait $pid 2>/dev/null || status=$?
		[ $status != 137 ] || hit=$((hit + 1))
		check_state events
		# and the next run finishes the job
		tf apply -auto-approve -var=v=2 >log 2>&1 || {
			cat log
			false
		}
		[ "$(tf output -raw o)" = 2-0 ]
		cd ..
	done
	echo "killed: $hit of 40" >&3
	[ $hit -gt 0 ]
}

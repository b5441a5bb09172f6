#!/usr/bin/env bats
# What an interrupted run leaves behind: recovered by every command that reads a
# state, and known to somebody even when nothing can be written.

bats_require_minimum_version 1.5.0
load provider

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >main.tf <<'END'
resource "terraform_data" "t" {
  count = 300
  input = "n${count.index}"
}
output "known" { value = "k" }
output "first" { value = terraform_data.t[0].output }
output "last" { value = terraform_data.t[299].output }
END
}

# A first apply, killed when it has told of some of its objects.
killed() {
	tf-plan -C . >"$BATS_TEST_TMPDIR/p"
	mkfifo ev
	TFPIPE_TEST_BUILTIN_DELAY=5 tf-apply -brief <p >ev 3>&- &
	pid=$!
	sed '/apply_complete/q' <ev >told
	kill -9 $pid
	wait $pid || true
	[ ! -s terraform.tfstate ] && [ -s .terraform.tfstate.journal ]
}

reading='state list
state show terraform_data.t[0]
output
output -json
output -raw known
show
show -json
providers
providers schema -json
workspace list
workspace show
graph
version -json
metadata functions -json
validate -json'

# bats test_tags=once
@test "every command that reads a state reads the recovered one, and prints data alone" {
	killed
	while read -r command; do
		tf $command >"before $command" 2>err
	done <<<"$reading"
	tf state pull >pulled
	# the next command that holds the lock stores it
	tf plan -refresh=false >out 2>&1
	[ -s terraform.tfstate ]
	[ ! -e .terraform.tfstate.journal ]
	while read -r command; do
		tf $command >"after $command" 2>err
		[ ! -s err ]
		cmp "before $command" "after $command"
	done <<<"$reading"
	jq -e -c 'del(.serial)' pulled >want
	jq -c 'del(.serial)' terraform.tfstate | cmp - want
	grep -q '^terraform_data.t\[0\]$' "after state list"
	[ "$(jq -r .first.value "after output -json")" = n0 ]
	[ "$(jq -r 'has("last")' "after output -json")" = false ]
}

# bats test_tags=once
@test "what was recovered is said on standard error by each reader" {
	killed
	while read -r command; do
		case $command in
		state* | output* | show* | providers)
			tf $command 2>err >/dev/null
			grep -q 'State recovered from its journal' err
			;;
		esac
	done <<<"$reading"
}

# bats test_tags=once
@test "the lineage of a recovered first state stays the same" {
	killed
	first=$(tf state pull 2>/dev/null | jq -r .lineage)
	[ -n "$first" ]
	[ "$(tf state pull 2>/dev/null | jq -r .lineage)" = "$first" ]
	tf apply -auto-approve >out 2>&1
	[ "$(jq -r .lineage terraform.tfstate)" = "$first" ]
}

@test "a journal of a first state is not applied to another one that came meanwhile" {
	killed
	mkdir other
	(
		cd other
		echo 'resource "terraform_data" "other" {}' >main.tf
		tf apply -auto-approve >out
	)
	cp other/terraform.tfstate .
	run -0 --separate-stderr tf state list
	[ "$output" = terraform_data.other ]
	[[ $stderr = *'Journal of another state not applied'* ]]
}

# bats test_tags=once
@test "outputs that were removed before the kill stay removed" {
	tf apply -auto-approve >out
	sed -i '/"known"/d' main.tf
	echo 'variable "v" { default = 1 }' >>main.tf
	sed -i 's/input = .*/input = "n${count.index}-${var.v}"/' main.tf
	tf-plan -C . >p
	mkfifo ev
	TFPIPE_TEST_BUILTIN_DELAY=5 tf-apply -brief <p >ev 3>&- &
	pid=$!
	sed '/apply_complete/q' <ev >told
	kill -9 $pid
	wait $pid || true
	[ "$(tf output -json 2>/dev/null | jq -c keys)" = '["first","last"]' ]
}

# bats test_tags=once
@test "what was destroyed before the kill is gone from the recovered state" {
	tf apply -auto-approve >out
	tf-plan -C . -destroy >p
	mkfifo ev
	TFPIPE_TEST_BUILTIN_DELAY=5 tf-apply -brief <p >ev 3>&- &
	pid=$!
	sed '/apply_complete/q' <ev >told
	kill -9 $pid
	wait $pid || true
	[ -s .terraform.tfstate.journal ]
	tf state list 2>/dev/null | sort >left
	[ -s left ]
	jq -R -r 'fromjson? | select(.type == "apply_complete") |
		.hook.resource.addr' told | sort >gone
	[ -s gone ]
	run -0 comm -12 left gone
	[ -z "$output" ]
}

# --- nothing can be written ---

# Addresses and ids that the diagnostics tell.
listed() {
	sed -n 's/^  \(terraform_data[^ ]*\) \[id=\(.*\)\]$/\1 \2/p' "$1" | sort
}

told_events() { # every whole line
	jq -R -r 'fromjson? | select(.type == "apply_complete") | .hook |
		.resource.addr + " " + .id_value' "$1" | sort
}

in_state() {
	jq -r '.resources[] | . as $r | .instances[] |
		"\($r.type).\($r.name)[\(.index_key)] \(.attributes.id)"' |
		sort
}

@test "a file size limit ends no process: what the journal lacks is listed" {
	tf-plan -C . >p
	# what is told goes through pipes, which have no limit
	mkfifo out said
	cat <out >ev 3>&- &
	readers=$!
	cat <said >err 3>&- &
	readers+=" $!"
	status=0
	(ulimit -f 64; exec tf-apply -brief <p >out 2>said) || status=$?
	[ $status = 1 ]
	wait $readers
	grep -q 'Failed to write the journal' err
	grep -q 'Failed to persist state to backend' err
	[ ! -e errored.tfstate ]
	tf state pull 2>/dev/null | in_state >have
	listed err >unsaved
	[ -s have ]
	[ -s unsaved ]
	# each object is in one of the two; what was told is in the journal
	run -0 comm -12 have unsaved
	[ -z "$output" ]
	told_events ev >told
	[ -s told ]
	run -0 comm -23 told have
	[ -z "$output" ]
	# all of it is printed, and in the stream
	sort -m have unsaved >known
	grep '^{' err >printed
	in_state <printed | cmp - known
	jq -S 'select(.state).state' ev >dumped
	jq -S . printed | cmp - dumped
	run -1 --separate-stderr tf-ui <ev
	echo "$stderr" >told
	in_state < <(sed -n '/^{/,/^}/p' told) | cmp - known
	# and can be pushed
	tf state push - <printed
	tf state pull | in_state | cmp - known
}

# bats test_tags=once
@test "a full disk under the state: the state goes to errored.tfstate" {
	build_injector "$PWD"
	mkdir st
	tf-plan -C . -state=st/s >p
	status=0
	TFPIPE_FAULT=full:20000 TFPIPE_FAULT_UNDER=$PWD/st/ \
		LD_PRELOAD="$INJECT" tf-apply -state=st/s <p >ev 2>err ||
		status=$?
	[ $status = 1 ]
	grep -q 'tf state push errored.tfstate' err
	[ "$(stat -c %a errored.tfstate)" = 600 ]
	in_state <errored.tfstate >have
	told_events ev >told
	[ -s told ]
	run -0 comm -23 told have
	[ -z "$output" ]
	# it can be pushed over what the journal had
	cp st/.s.journal .terraform.tfstate.journal
	tf state push errored.tfstate
	tf state pull | in_state | cmp - have
}

# --- what cannot be recorded is not done ---

with_provider() {
	build_injector "$PWD"
	provider_setup
	config <<-'END'
	variable "v" { default = "1" }
	resource "test_thing" "t" {
	  count = 3
	  name  = "n${count.index}"
	  force = var.v
	}
	END
}

# bats test_tags=once
@test "no call goes out whose intent is not on the disk" {
	with_provider
	tf-plan -C . >p
	status=0
	TFPIPE_FAULT=sync:1 LD_PRELOAD="$INJECT" tf-apply -brief <p >ev \
		2>err || status=$?
	[ $status = 1 ]
	grep -q 'Failed to write the journal' err
	[ "$(grep -c '"apply_start"' ev)" = 3 ]
	[ "$(grep -c '"apply_errored"' ev)" = 3 ]
	run -0 ls objects
	[ -z "$output" ]
	# the next run has nothing to warn of
	tf apply -auto-approve >out 2>&1
	run -1 grep -q 'unknown outcome' out
	[ "$(ls objects | wc -l)" = 3 ]
}

# bats test_tags=once
@test "objects that were to be destroyed stay when the intent cannot be recorded" {
	with_provider
	tf apply -auto-approve >out
	tf-plan -C . -var=v=2 >p
	status=0
	TFPIPE_FAULT=sync:1 LD_PRELOAD="$INJECT" tf-apply -brief <p >ev \
		2>err || status=$?
	[ $status = 1 ]
	[ "$(ls objects | wc -l)" = 3 ]
	[ "$(jq '.resources[0].instances | length' terraform.tfstate)" = 3 ]
	tf apply -auto-approve -var=v=2 >out 2>&1
	run -1 grep -q 'unknown outcome' out
}

# bats test_tags=once
@test "an outcome that cannot be synced: no more work, the state is saved and told" {
	with_provider
	tf-plan -C . >p
	# 1 and 2: the journal and its folder, with the first intent
	status=0
	TFPIPE_FAULT=sync:3 LD_PRELOAD="$INJECT" tf-apply -brief \
		-parallelism=1 <p >ev 2>err || status=$?
	[ $status = 1 ]
	grep -q 'Failed to write the journal' err
	[ "$(grep -c '"apply_complete"' ev)" = 1 ]
	[ "$(grep -c '"apply_start"' ev)" = 1 ]
	[ "$(ls objects | wc -l)" = 1 ]
	[ "$(jq '.resources[0].instances | length' terraform.tfstate)" = 1 ]
}

# --- what is written, and when ---

# bats test_tags=once
@test "the backup of a state is on the disk" {
	with_provider
	tf apply -auto-approve >out
	tf-plan -C . -var=v=2 >p
	mkdir synced
	TFPIPE_FAULT=power:1000000 TFPIPE_SYNCED=$PWD/synced \
		LD_PRELOAD="$INJECT" tf-apply -brief <p >ev
	inode=$(stat -c %i terraform.tfstate.backup)
	[ -s terraform.tfstate.backup ]
	cmp "synced/ino.$inode" terraform.tfstate.backup
}

# bats test_tags=once
@test "a state that cannot be written is as it was" {
	build_injector "$PWD"
	tf apply -auto-approve >out
	cp terraform.tfstate before
	told=0
	for n in $(seq 40); do
		cp before terraform.tfstate
		rm -f .terraform.tfstate.journal
		status=0
		TFPIPE_FAULT=write:$n LD_PRELOAD="$INJECT" \
			tf-state taint 'terraform_data.t[0]' >out 2>err ||
			status=$?
		[ $status != 0 ] || break
		grep -q 'It is as it was before' err || continue
		told=$((told + 1))
		cmp before terraform.tfstate
	done
	[ $status = 0 ] && [ $told -gt 1 ]
}

# --- what waits for its provisioners ---

# The object of the state as it is after an apply that ended within the provisioner.
ended_provisioning() { # SIGNAL...
	cat >main.tf <<-'END'
	variable "v" { default = 1 }
	resource "terraform_data" "t" {
	  triggers_replace = var.v
	  lifecycle {
	    create_before_destroy = true
	  }
	  provisioner "local-exec" {
	    command = "trap '' INT; touch begun; while [ -e begun ]; do sleep 0.1; done"
	  }
	}
	END
	tf-plan -C . "${@:2}" >p
	rm -f begun
	tf-apply -json -brief <p >ev 2>err 3>&- &
	pid=$!
	until [ -e begun ]; do sleep 0.05; done
	for signal in $1; do
		kill -$signal $pid
		[ $signal != INT ] || until grep -q 'Interrupt received' ev; do
			sleep 0.05
		done
	done
	wait $pid || true
	rm begun
}

# bats test_tags=once
@test "an object that ends within its provisioners is tainted, and made anew" {
	for signals in KILL 'INT INT'; do
		rm -f terraform.tfstate* .terraform.tfstate*
		ended_provisioning "$signals"
		tf state pull 2>/dev/null |
			jq -e '.resources[0].instances[0].status == "tainted"'
		run -0 tf plan -no-color
		[[ $output = *'terraform_data.t is tainted, so it must be replaced'* ]]
		# replaced: the old object goes only when the new one is whole
		rm -f terraform.tfstate* .terraform.tfstate*
		(sed -i '/provisioner/,/^  }/d' main.tf && tf apply -auto-approve) >out
		old=$(tf state pull | jq -r '.resources[0].instances[0].attributes.id')
		ended_provisioning "$signals" -var v=2
		run -0 jq -c --arg old "$old" '[.resources[0].instances[] |
			[.status, (.deposed | type), .attributes.id == $old]] | sort' \
			<(tf state pull 2>/dev/null)
		[ "$output" = '[[null,"string",true],["tainted","null",false]]' ]
	done
}

@test "an object whose provisioners are through is whole" {
	cat >main.tf <<-'END'
	resource "terraform_data" "t" {
	  provisioner "local-exec" {
	    command = "true"
	  }
	}
	END
	tf apply -auto-approve >out
	jq -e '.resources[0].instances[0] | has("status") | not' terraform.tfstate
	run -0 tf plan -detailed-exitcode
}

@test "an object is in the journal before its provisioner begins" {
	cat >main.tf <<-'END'
	resource "terraform_data" "t" {
	  provisioner "local-exec" {
	    command = "kill -9 $PPID"
	  }
	}
	END
	tf-plan -C . >p
	for n in 1 2 3; do
		rm -f terraform.tfstate* .terraform.tfstate*
		run -137 tf-apply -brief <p
		run -0 --separate-stderr tf state list -select='status == "tainted"'
		[ "$output" = terraform_data.t ]
	done
}

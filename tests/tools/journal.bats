#!/usr/bin/env bats
# The files beside a state: what is on the disk when the power fails, journals that
# were damaged, operations of unknown outcome.

load provider
load journal

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# --- when the power fails ---

# Runs a command; what is on the disk then is in synced: the names of DIRECTORY,
# and contents by inode.
noting() { # DIRECTORY COMMAND...
	rm -rf synced
	mkdir synced
	[ -n "$INJECT" ]
	# what notes it writes to files of its own
	TFPIPE_CONFINE=0 TFPIPE_FAULT=power:1000000 TFPIPE_SYNCED=$PWD/synced \
		TFPIPE_SYNCED_NAMES=$1 LD_PRELOAD="$INJECT" "${@:2}"
}

on_the_disk() { # PATH
	local inode
	inode=$(stat -c %i "$1")
	grep -qx "$inode $1" synced/names
	cmp "synced/ino.$inode" "$1"
}

# bats test_tags=once
@test "what is renamed into its place is there when the power fails: its content and its name" {
	build_injector "$PWD"
	mkdir m
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	}
	resource "terraform_data" "t" {}
	END
	mkdir -p .terraform/modules
	noting "$PWD/.terraform/modules" tf-init >out
	on_the_disk "$PWD/.terraform/modules/modules.json"
	noting "$PWD" tf plan -out=p >out
	on_the_disk "$PWD/p"
	tf apply p >out
	noting "$PWD" tf taint terraform_data.t
	on_the_disk "$PWD/terraform.tfstate.backup"
	noting "$PWD/.terraform" tf workspace new w
	on_the_disk "$PWD/.terraform/environment"
}

# bats test_tags=once
@test "a state that is made is there when the power fails, with its directories" {
	build_injector "$PWD"
	echo 'resource "terraform_data" "t" {}' >main.tf
	tf apply -auto-approve >out
	tf state pull >pushed
	rm terraform.tfstate*
	noting "$PWD" tf-state push -lock=false "$PWD/pushed"
	on_the_disk "$PWD/terraform.tfstate"
	rm terraform.tfstate*
	noting "$PWD" tf-state push pushed
	on_the_disk "$PWD/terraform.tfstate"
	need strace
	run strace -o none true
	[ "$status" = 0 ] || cannot 'strace may not trace here'
	# its name is there before the journal goes
	rm terraform.tfstate*
	ASAN_OPTIONS=detect_leaks=0 strace -y -qq -e trace=fsync,unlink -o trace \
		tf-state push -lock=false pushed
	sed -n "s|^fsync([0-9]*<$PWD\(.*\)>).*|fsync .\1|p
		s|^unlink(\"\(.*\)\").*|unlink \1|p" trace >order
	run -0 grep -B 2 '^unlink .*journal' order
	[ "$output" = 'fsync ./terraform.tfstate
fsync .
unlink .terraform.tfstate.journal' ]
	# each directory is in its own before anything is in it
	tf-plan -C . -state=a/b/s >p
	ASAN_OPTIONS=detect_leaks=0 strace -y -qq -e trace=mkdirat,fsync -o trace \
		tf-apply -state=a/b/s <p >out
	sed -n "s|^mkdirat([^\"]*\"\([^\"]*\)\".* = 0|mkdir \1|p
		s|^fsync([0-9]*<$PWD\(.*\)>).*|fsync .\1|p" trace >order
	run -0 sed -n '1,4p' order
	[ "$output" = 'mkdir a
fsync .
mkdir b
fsync ./a' ]
}

# bats test_tags=once
@test "a journal that is cleared does not come back when the power fails" {
	build_injector "$PWD"
	echo 'resource "terraform_data" "t" {}' >main.tf
	tf-plan -C . >p
	noting "$PWD" tf-apply -brief <p >out
	run -1 grep journal synced/names
	run -0 cat synced/changes
	[[ $output != *tfstate.journal* ]]
}

# --- damage ---

journal=.terraform.tfstate.journal

# A state of which three objects of the test provider were told to be made, all in
# the journal.
told() {
	provider_setup
	config <<-'END'
	resource "test_thing" "t" {
	  count = 3
	  name  = "n${count.index}"
	}
	END
	tf apply -auto-approve -parallelism=1 >out
	jq -c '{record: "outcome", address: "test_thing.t[\(.index_key)]",
		provider: "provider[\"registry.opentofu.org/hashicorp/test\"]",
		schema_version, attributes}' \
		< <(jq '.resources[0].instances[]' terraform.tfstate) >lines
	rm terraform.tfstate*
	(echo '{"record":"journal","version":2,"lineage":"","serial":0,"new_lineage":"l"}'
		cat lines) | sealed >$journal
	cp $journal good
}

instances() {
	jq -c '[.resources[].instances[].index_key]' terraform.tfstate
}

# One character of line N is another one.
flip() { # N
	sed -i "$1s/schema_version/schema_versioN/" $journal
}

# bats test_tags=once
@test "a journal that is damaged is told by its line, kept, and nothing is done" {
	told
	flip 3
	cp $journal damaged
	for command in plan 'apply -auto-approve' refresh 'state list' \
		'state pull' output show 'state rm test_thing.t' 'taint test_thing.t[0]'; do
		run -1 tf $command -no-color
		[[ $output = *'Error: Journal damaged'* ]]
		[[ $output = *'line 3 cannot be read'* ]]
		[[ $output = *'tf state recover'* ]]
	done
	cmp $journal damaged
	[ ! -s terraform.tfstate ]
	[ "$(ls objects | wc -l)" = 3 ]
	run -1 tf-plan -C .
	[[ $output = *'Journal damaged'* ]]
}

@test "tf state recover says what it would do, and does it when it may" {
	told
	flip 3
	cp $journal damaged
	run -1 tf state recover <<<no
	[[ $output = *'line 3 cannot be read'*'test_thing.t[0] [id=1]'*'test_thing.t[2] [id=3]'*'Enter a value'*Cancelled* ]]
	[[ $output != *'test_thing.t[1] '* ]]
	cmp $journal damaged
	run -1 tf state recover </dev/null
	cmp $journal damaged
	run -0 tf state recover <<<yes
	[[ $output = *"is kept as $journal.stale"* ]]
	cmp $journal.stale damaged
	[ "$(instances)" = '[0,2]' ]
	[ ! -e $journal ]
	run -0 tf state list
	# another one is kept beside it
	cp good $journal
	flip 2
	sed -i '1s/"serial":0/"serial":1/' $journal
	rm terraform.tfstate
	run -0 tf state recover -auto-approve
	[[ $output = *"is kept as $journal.stale.1"* ]]
	cmp $journal.stale damaged
	[ "$(instances)" = '[1,2]' ]
	run -0 tf state recover
	[ "$output" = 'No journal is damaged.' ]
}

# bats test_tags=once
@test "tf state recover -discard keeps the journal and uses nothing of it" {
	told
	flip 3
	cp $journal damaged
	run -0 tf state recover -discard -auto-approve
	cmp $journal.stale damaged
	run -1 tf state list
	[[ $output = *'No state file was found'* ]]
}

# A journal as `told` makes it, but no other is the same.
another() { # NUMBER
	(echo '{"record":"journal","version":2,"lineage":"","serial":0,"new_lineage":"l'"$1"'"}'
		cat lines) | sealed >$journal
}

# bats test_tags=once
@test "journals that are set aside never overwrite one another, nor what has their name" {
	told
	ln -s nowhere $journal.stale.3
	mkdir journals $journal.stale.5
	n=0
	for round in 1 2 3; do
		for way in cut foreign used discarded power; do
			rm -f terraform.tfstate*
			n=$((n + 1))
			another $n
			case $way in
			cut) truncate -s -20 $journal ;;
			foreign) echo '{"version":4,"serial":7,"lineage":"o","resources":[]}' >terraform.tfstate ;;
			*) flip 3 ;;
			esac
			[ $way != power ] || touch -d '2001-01-01' $journal
			cp $journal journals/$n
			case $way in
			used) run -0 tf state recover -auto-approve ;;
			discarded) run -0 tf state recover -discard -auto-approve ;;
			*) run -0 tf plan -no-color ;;
			esac
			[[ ${output//$'\n'/ } = *"kept as $journal.stale"* ]]
		done
	done
	[ "$n" = 15 ]
	[ ! -e nowhere ]
	rm $journal.stale.3
	rmdir $journal.stale.5
	sha256sum journals/* | awk '{ print $1 }' | sort >made
	sha256sum $journal.stale* | awk '{ print $1 }' | sort >kept
	[ "$(wc -l <made)" = 15 ]
	cmp made kept
}

# bats test_tags=once
@test "lines that are missing, twice or out of order are damage" {
	told
	sed 2d good >$journal
	run -1 tf plan -no-color
	[[ $output = *'before line 2 there is less than there was: 1 record is missing'* ]]
	sed 2p good >$journal
	run -1 tf plan -no-color
	[[ $output = *'line 3 stands there twice, or out of order'* ]]
	sed '2{h;d};3G' good >$journal
	run -1 tf plan -no-color
	[[ $output = *'before line 2'*'line 3 stands'* ]]
	# nothing of that is lost
	run -0 tf state recover -auto-approve
	[ "$(instances)" = '[0,1,2]' ]
	# what was told last of an object counts, wherever it stands
	rm terraform.tfstate
	sed -i '2{s/"name":"n1"/"name":"later"/;s/\[1\]/[0]/}' lines
	another 1
	sed -i '2{h;d};3G;3p' $journal
	run -0 tf state recover -auto-approve
	[ "$(jq -c '[.resources[].instances[].attributes.name]' terraform.tfstate)" = \
		'["later","n2"]' ]
	# nor what stood behind a header that is gone
	rm terraform.tfstate
	sed 1d good >$journal
	run -0 tf state recover -auto-approve
	[ "$(instances)" = '[0,1,2]' ]
}

@test "a journal of a version that is not ours is refused, and left for who knows it" {
	told
	sealed >$journal <<-'E'
	{"record":"journal","version":3,"lineage":"","serial":0}
	{"record":"other"}
	E
	cp $journal other
	for command in plan 'state list' 'state recover -auto-approve'; do
		run -1 tf $command -no-color
		[[ $output = *'it has version 3, not 2'* ]]
		cmp $journal other
	done
	run -1 tf plan -no-color
	[[ $output = *'Error: Unsupported journal version'* ]]
	run -0 tf state recover -discard -auto-approve
	cmp $journal.stale other
}

@test "what was not on the disk when the power failed is told, and stops nobody" {
	told
	flip 3
	cp $journal damaged
	touch -d '2001-01-01' $journal
	run -0 tf plan -no-color
	[[ $output = *'Warning: Journal damaged by a power failure'*'line 3 cannot be read'* ]]
	cmp $journal.stale damaged
	[ "$(instances)" = '[0,2]' ]
	# what a later record knows to have been on the disk is damage
	rm terraform.tfstate
	sed '$s/"schema_version":0/&,"synced":3/' lines >synced
	(head -n 1 good | sed 's/,"n".*/}/'; cat synced) | sealed >$journal
	flip 3
	touch -d '2001-01-01' $journal
	run -1 tf plan -no-color
	[[ $output = *'Error: Journal damaged'* ]]
}

# --- operations of unknown outcome ---

# An apply that is killed in the middle of what the provider does to "c".
killed() { # ORDER
	tf-plan -C . >p
	TEST_PROVIDER_DO="c@apply:$1" tf-apply -brief <p >ev 3>&- &
	pid=$!
	until grep -q '"record":"intent".*"test_thing.c"' $journal 2>/dev/null &&
		grep -q 'test_thing.r.*"apply_complete"' ev; do
		sleep 0.05
	done
	kill -9 $pid
	wait $pid || true
}

of_c() {
	provider_setup
	config <<-END
	resource "test_thing" "r" {
	  name  = "r"
	  value = "${1-1}"
	}
	resource "test_thing" "c" {
	  name  = "c"
	  value = "${1-1}"
	}
	END
}

unknown() { # how many a plan tells
	tf plan -json "$@" >plan.json
	jq -s '[.[] | select(.diagnostic.summary == "Operation of unknown outcome")] |
		length' plan.json
}

@test "a creation of unknown outcome is told by every plan, whoever asked first" {
	of_c
	killed sleep=5000
	tf plan -json >/dev/null 2>&1 # into the void
	[ "$(unknown)" = 1 ]
	[ "$(unknown)" = 1 ]
	run -0 tf apply -auto-approve -no-color
	[ "$(grep -c 'unknown outcome' <<<"$output")" = 1 ]
	# the object that there is now is not the one that may be there
	[ "$(unknown)" = 1 ]
	run -0 tf apply -refresh-only -auto-approve
	[ "$(unknown)" = 1 ]
	# a saved plan tells it when it is applied, too
	tf plan -out=p -destroy >out
	run -0 tf apply -no-color p
	[[ $output = *'unknown outcome'* ]]
	[ "$(unknown)" = 1 ]
	run -0 tf state settle test_thing.c
	[ "$output" = '1 operation of unknown outcome of test_thing.c will not be told any more.' ]
	[ "$(unknown)" = 0 ]
	[ ! -e $journal ]
	run -1 tf state settle test_thing.c
	[[ $output = *'No operation of unknown outcome is of test_thing.c'* ]]
	run -0 tf state settle -all
	[ "$output" = 'No operation is of unknown outcome.' ]
	run -1 tf state settle
	run -1 tf state settle -all test_thing.c
}

@test "what nobody knows is told when another program has written the state since" {
	of_c
	killed sleep=5000
	tf plan >out
	jq '.serial += 5' terraform.tfstate >next
	cp next terraform.tfstate
	[ "$(unknown)" = 1 ]
	[ ! -e $journal.stale ]
	# also where the journal had outcomes that cannot be used then
	rm -f terraform.tfstate* $journal objects/*
	killed sleep=5000
	cp next terraform.tfstate
	run -0 tf plan -no-color
	[[ $output = *'Journal of another state not applied'* ]]
	[ -s $journal.stale ]
	[ "$(unknown)" = 2 ]
	run -0 tf state settle -all
	[ "$(unknown)" = 0 ]
}

# bats test_tags=once
@test "an import settles a creation of unknown outcome" {
	of_c
	killed sleep=5000
	tf plan >out
	[ "$(unknown)" = 1 ]
	cat >>main.tf <<-'END'
	import {
	  to = test_thing.c
	  id = "imported"
	}
	END
	cp objects/test_thing.1.json objects/test_thing.imported.json
	run -0 tf apply -auto-approve -no-color
	[[ $output = *'1 imported'* ]]
	[ "$(unknown)" = 0 ]
	[ ! -e $journal ]
}

# bats test_tags=once
@test "a refresh that is applied settles an update of unknown outcome" {
	of_c
	tf apply -auto-approve >out
	sed -i 's/value = "1"/value = "2"/' main.tf
	killed sleep=5000
	tf plan >out
	[ "$(unknown)" = 1 ]
	[ "$(unknown -refresh=false)" = 1 ]
	run -0 tf apply -refresh=false -target=test_thing.r -auto-approve
	[ "$(unknown)" = 1 ]
	sed -i 's/value = "2"/value = "1"/' main.tf # as the state has it
	run -0 tf apply -minimal-refresh -auto-approve
	[[ $output = *'1 object was not read again'* ]]
	[ "$(unknown)" = 1 ]
	sed -i 's/value = "1"/value = "2"/' main.tf
	run -0 tf apply -refresh-only -auto-approve
	[ "$(unknown)" = 0 ]
	[ ! -e $journal ]
	# so does its next outcome
	sed -i 's/value = "2"/value = "3"/' main.tf
	killed sleep=5000
	tf apply -refresh=false -auto-approve >out
	[ "$(unknown)" = 0 ]
}

@test "tf state rm settles what is told of the object" {
	of_c
	killed sleep=5000
	run -0 tf state rm test_thing.c
	[[ $output = *'1 operation of unknown outcome of test_thing.c'* ]]
	[ "$(unknown)" = 0 ]
}

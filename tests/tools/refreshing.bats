#!/usr/bin/env bats
# Which objects a plan reads: -refresh, -minimal-refresh, -refresh=older-than.

bats_require_minimum_version 1.5.0
load provider

setup() {
	provider_setup
}

# Objects a, b and c, of which `at` says what they have.
things() { # [VALUE]
	config <<-EOF2
	resource "test_thing" "t" {
	  for_each = toset(["a", "b", "c"])
	  name     = each.key
	  value    = each.key == "b" ? "${1-one}" : "one"
	}
	EOF2
}

made() {
	things
	works run_all ''
	rm calls
}

# What was read since this was asked last, in order of names.
reads() {
	[ ! -e calls ] || sed -n 's/^read test_[a-z]* //p' calls | sort | paste -sd ' '
	rm -f calls
}

read_is() { # NAMES, or nothing
	local got
	got=$(reads)
	[ "$got" = "$1" ] || {
		echo "read: $got, not: $1"
		return 1
	}
}

# Addresses that the plan p says were not read.
unread() {
	$cli show -json p | jq -r '.resource_changes[] |
		select(.refreshed == false) | .address'
}

# bats test_tags=once
@test "-minimal-refresh reads what is to change, and nothing else" {
	made
	works plan '' -minimal-refresh
	read_is ''
	[ "$(unread | wc -l)" = 3 ]
	things two
	works plan '' -minimal-refresh
	read_is b
	unread >got
	diff got - <<-'EOF2'
	test_thing.t["a"]
	test_thing.t["c"]
	EOF2
	works plan ''
	read_is 'a b c'
	run -0 unread
	[ -z "$output" ]
}

# bats test_tags=once
@test "what -minimal-refresh reads is planned by what is there" {
	made
	things two
	works plan 'b@read:set:value="two"' -minimal-refresh
	[ "$(actions t | grep -c no-op)" = 3 ] # somebody has done it
	works plan 'b@read:null' -minimal-refresh
	[ "$(actions t | sed -n 2p)" = '["create"]' ]
	works plan 'b@read:set:ci="x"' -minimal-refresh
	$cli show -json p | jq -e '.resource_changes[1].change |
		.actions == ["update"] and .before.ci == "x"'
	works plan 'a@read:null' -minimal-refresh
	[ "$(actions t | sed -n 1p)" = '["no-op"]' ] # it was not looked at
	works apply ''
	[ "$(attribute t .value)" = '"one"' ]
}

# bats test_tags=once
@test "what is planned twice warns once, of what is there" {
	made
	things two
	works plan 'b@plan:warning=careful' -minimal-refresh
	[ "$(grep -c careful messages)" = 1 ]
	read_is b
}

# bats test_tags=once
@test "tainted objects, replaced ones and older versions are read" {
	made
	works tell tf-state taint 'test_thing.t["a"]'
	works plan '' -minimal-refresh '-replace=test_thing.t["c"]'
	read_is 'a c'
	rm terraform.tfstate
	config <<-'EOF2'
	resource "test_versioned" "v" {
	  name = "v"
	}
	EOF2
	works run_all ''
	jq '.resources[0].instances[0] |= (.schema_version = 1 |
		.attributes |= (.title = .name | del(.name)))' terraform.tfstate >s
	mv s terraform.tfstate
	rm calls
	works plan '' -minimal-refresh
	read_is v
}

# bats test_tags=once
@test "-minimal-refresh does not read what is to go" {
	made
	config </dev/null
	works plan '' -minimal-refresh
	read_is ''
	[ "$(unread | wc -l)" = 3 ]
	works plan '' -minimal-refresh -destroy
	read_is ''
	works plan '' -destroy
	read_is 'a b c'
}

# bats test_tags=once
@test "the plan says how many objects were not read, and why" {
	made
	run -0 $cli plan -minimal-refresh
	[[ $output == *"3 objects were not read again, because of -minimal-refresh"* ]]
	things two
	run -0 $cli plan -minimal-refresh -target='test_thing.t["b"]' \
		-target='test_thing.t["a"]'
	[[ $output == *"1 object was not read again, because of"* ]]
	run -0 $cli plan -minimal-refresh -target='test_thing.t["b"]'
	[[ $output != *"not read"* ]]
	run -0 $cli plan
	[[ $output != *"not read"* ]]
}

@test "options about reading that contradict one another are refused" {
	made
	fails plan '' -minimal-refresh -refresh=false -- \
		'Incompatible refresh options'
	fails plan '' -minimal-refresh -refresh-only -- \
		'Incompatible plan mode options'
	local how
	for how in older-than older-than= older-than=1 older-than=-1h \
		older-than=1ms younger-than=1h maybe; do
		fails plan '' "-refresh=$how" -- \
			'Failed to parse command-line flags' "$how"
	done
	fails tell $cli refresh -json -minimal-refresh -- '' minimal-refresh
	tf-plan -C . -refresh=older-than=1h30m | jq -se '.[] |
		select(.record == "options") | .refresh and
		.refresh_older_than == 5400'
	tf-parse -C . | tf-graph -minimal-refresh | tf-plan | jq -se '.[] |
		select(.record == "plan") | .minimal_refresh and .unread == 3'
	tf-parse -C . | tf-graph | tf-plan -minimal-refresh | jq -se '.[] |
		select(.record == "plan") | .minimal_refresh and .unread == 3'
}

# --- -refresh=older-than ---

# bats test_tags=once
@test "what was read in the last hour is not read again" {
	made
	works plan '' -refresh=older-than=1h
	read_is 'a b c'
	works plan '' -refresh=older-than=1h
	read_is ''
	[ "$(unread | wc -l)" = 3 ]
	[ "$(stat -c %a .terraform/reads)" = 600 ]
	run -1 grep -q 'one\|test' .terraform/reads # nothing of an object
	# nor if it is to change
	things two
	works plan '' -refresh=older-than=1h
	read_is ''
	works plan ''
	read_is 'a b c'
}

# Makes all that is remembered so many seconds older.
older() {
	awk -v by="$1" 'NR > 1 { $2 -= by } 1' .terraform/reads >r
	mv r .terraform/reads
}

# bats test_tags=once
@test "what was read longer ago is read, and remembered again" {
	made
	works plan '' -refresh=older-than=1h
	older 3601
	works plan '' -refresh=older-than=2h
	rm calls
	works plan '' -refresh=older-than=1h
	read_is 'a b c'
	works plan '' -refresh=older-than=1h
	read_is ''
	older -7200 # a clock that went back
	works plan '' -refresh=older-than=1h
	read_is 'a b c'
	older 2592000
	works plan '' -refresh=older-than=9000h
	read_is 'a b c'
}

# bats test_tags=once
@test "a plan without the option keeps what is remembered" {
	made
	works plan '' -refresh=older-than=1h
	older 3601
	works plan ''
	rm calls
	works plan '' -refresh=older-than=1h
	read_is ''
	rm .terraform/reads
	works plan ''
	[ ! -e .terraform/reads ]
}

# bats test_tags=once
@test "what was found otherwise, or changed by an apply, is read again" {
	made
	works plan '' -refresh=older-than=1h
	works plan 'a@read:set:ci="x"'
	rm calls
	works plan 'a@read:set:ci="x"' -refresh=older-than=1h
	read_is a
	$cli show -json p | jq -e '[.resource_changes[] | .change.before.ci] ==
		["x", null, null]'
	works plan 'b@read:null'
	rm calls
	works plan '' -refresh=older-than=1h
	read_is b # which was gone
	things two
	works run_all ''
	rm calls
	works plan '' -refresh=older-than=1h
	read_is b
	# another state, another workspace
	jq '.lineage = "other"' terraform.tfstate >s
	mv s terraform.tfstate
	works plan '' -refresh=older-than=1h
	read_is 'a b c'
}

@test "both options together read what changes and was not read since" {
	made
	works plan '' -refresh=older-than=1h '-target=test_thing.t["b"]'
	rm calls
	things two
	works plan '' -refresh=older-than=1h -minimal-refresh
	read_is ''
	older 3601
	works plan '' -refresh=older-than=1h -minimal-refresh
	read_is b
	run -0 $cli plan -refresh=older-than=1h -minimal-refresh
	[[ ${output//$'\n'/ } == *"-minimal-refresh and -refresh=older-than: what"* ]]
}

# bats test_tags=once
@test "a plan to destroy, and one to refresh, leave out what was just read" {
	made
	works plan '' -refresh=older-than=1h
	rm calls
	works plan '' -refresh=older-than=1h -destroy
	read_is ''
	works plan '' -refresh=older-than=1h -refresh-only
	read_is ''
	run -0 $cli plan -refresh=older-than=1h -refresh-only
	[[ ${output//$'\n'/ } == *"3 objects were not read again"* ]]
}

# bats test_tags=once
@test "a file of reads that is none is as if it were not there" {
	made
	local text n=0
	for text in '' 'tfpipe-reads 2 x' 'tfpipe-reads 1 short' $'\1\2\n\n\3'; do
		n=$((n + 1))
		mkdir -p .terraform
		printf '%s\n' "$text" >.terraform/reads
		works plan '' -refresh=older-than=1h
		read_is 'a b c'
		works plan '' -refresh=older-than=1h
		read_is ''
	done
	[ "$n" = 4 ]
	rm .terraform/reads
	ln -s "$PWD/victim" .terraform/reads
	works plan '' -refresh=older-than=1h
	[ ! -e victim ]
	rm .terraform/reads
	mkdir .terraform/reads
	works plan '' -refresh=older-than=1h
	grep -q 'warning: Reads are not remembered' messages
}

# bats test_tags=once
@test "nothing is derived from the values of an encrypted state" {
	made
	cat >>main.tf <<-'EOF2'
	terraform {
	  encryption {
	    key_provider "pbkdf2" "k" { passphrase = "correct horse battery" }
	    method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
	    method "unencrypted" "u" {}
	    state {
	      method = method.aes_gcm.m
	      fallback { method = method.unencrypted.u }
	    }
	  }
	}
	EOF2
	works run_all ''
	works plan '' -refresh=older-than=1h
	rm calls
	works plan '' -refresh=older-than=1h
	read_is ''
	cp .terraform/reads kept
	sed -i 's/"one"/"two"/' main.tf
	works run_all '' '-target=test_thing.t["b"]'
	rm calls
	works plan '' -refresh=older-than=1h '-target=test_thing.t["c"]'
	read_is c # its state was written
}

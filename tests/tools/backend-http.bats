#!/usr/bin/env bats
# backend-http.bats - state behind a URL, beside OpenTofu's where that is there
#
# TF_TEST_CLI names another OpenTofu command to run the tests with, for comparison;
# what is our promise alone is skipped then.

load common
load servers
load backend

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
	start_store
	at=http://127.0.0.1:$store_port/s
	cli=${TF_TEST_CLI-tf}
}

ours() {
	[ "$cli" = tf ] || skip 'our promise'
}

teardown() {
	stop_servers
}

# The configuration, with further arguments of the block: config VALUE [LINE...]
config() {
	local value=$1
	shift
	cat <<-TF
		terraform {
		  backend "http" {
		    address        = "$at"
		    lock_address   = "$at"
		    unlock_address = "$at"
		    retry_wait_min = 0
		    $(printf '%s\n' "$@")
		  }
		}
		resource "terraform_data" "a" { input = "$value" }
		output "o" { value = terraform_data.a.output }
	TF
}

# What the store was asked since the last call.
asked() {
	cut -d ' ' -f 1 "$store_dir/log" | tr '\n' ' '
	: >"$store_dir/log"
}

# It was asked WANT, or, by the other program, no less than that: asks WANT
asks() {
	local got
	got=$(asked)
	echo "$got"
	if [ "$cli" = tf ]; then
		[ "$got" = "$1" ]
	else
		[ "$(wc -w <<<"$got")" -ge "$(wc -w <<<"$1")" ]
	fi
}

# The state; it has no other workspace: stored default JQ...
stored() {
	shift
	jq "$@" "$store_dir/states/%s"
}

# bats test_tags=once
@test "init, plan, apply and output ask as often as OpenTofu at most" {
	config one >main.tf
	run -0 $cli init -no-color
	[[ $output == *'Successfully configured the backend "http"!'* ]]
	asks 'GET '
	run -0 $cli plan -no-color
	asks 'LOCK GET UNLOCK '
	run -0 $cli apply -auto-approve -no-color
	asks 'LOCK GET POST UNLOCK '
	run -0 $cli output -raw o
	[ "$output" = one ]
	asks 'GET '
	run -0 $cli state list
	asks 'GET '
	run -0 $cli plan -detailed-exitcode -lock=false
	asks 'GET '
	[ "$(stored default -r '.outputs.o.value')" = one ]
	[ ! -e terraform.tfstate ]
	run -0 $cli destroy -auto-approve
	asks 'LOCK GET POST UNLOCK '
}

# bats test_tags=once
@test "a store has the type, the digest and the lock's ID" {
	config one >main.tf
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	jq -s 'map(select(.method == "POST"))[0]' "$store_dir/requests.jsonl" >post
	jq -e '.path | test("^/s\\?ID=[-0-9a-f]{36}$")' post
	jq '.headers | with_entries(.key |= ascii_downcase)' post >headers
	jq -e '.["content-type"] == "application/json"' headers
	jq -e '.["content-md5"] | length == 24' headers
	jq -s 'map(select(.method == "LOCK"))[0].body' "$store_dir/requests.jsonl" >lock
	[[ $(cat lock) == *OperationTypeApply* ]]
}

# bats test_tags=once
@test "a push counts once, whatever of the state it changes" {
	config one >main.tf
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	for change in '.serial = 5' '.serial = 7 | .outputs = {}'; do
		$cli state pull >pulled
		jq "$change" pulled >changed
		$cli state push changed
		[ "$(stored default .serial)" = $(($(jq .serial changed) + 1)) ]
	done
	$cli state pull >pulled
	$cli state push pulled
	[ "$(stored default .serial)" = 8 ]
}

# bats test_tags=once
@test "what one program writes the other goes on with" {
	ours
	config one >main.tf
	gone_on_with
}

# bats test_tags=once
@test "a lock that another holds is told, waited for, and can be forced" {
	config one >main.tf
	$cli init >/dev/null
	# shellcheck disable=SC2016
	TF_IN_AUTOMATION=1 tf-state with-lock -- sh -c \
		'cp "$0/locks/%s" held; exec tf-state with-lock -lock=false -- sleep 30' \
		"$store_dir" 3>&- &
	holder=$!
	until [ -s held ]; do sleep 0.05; done
	id=$(jq -r .ID held)
	run -1 other plan
	[[ $output == *'Error acquiring the state lock'*"$id"* ]]
	run -1 $cli plan -no-color
	[[ $output == *'Error acquiring the state lock'*"HTTP remote state already locked:"* ]]
	[[ $output == *"$id"*"Who: "* ]]
	[ "$cli" != tf ] || [[ $output == *"force-unlock $id"* ]]
	run -1 $cli plan -no-color -lock-timeout=1s
	[[ $output == *"$id"* ]]
	$cli force-unlock -force "$id"
	$cli plan >/dev/null
	kill "$holder"
	wait "$holder" || true
}

# bats test_tags=once
@test "two writers: one wins, the other says who holds the lock" {
	config one >main.tf
	cat >>main.tf <<-'TF'
		resource "terraform_data" "slow" {
		  provisioner "local-exec" { command = "sleep 2" }
		}
	TF
	$cli init >/dev/null
	cp -r . ../second
	mv ../second second
	$cli apply -auto-approve >first 2>&1 3>&- &
	first=$!
	until [ -e "$store_dir/locks/%s" ]; do sleep 0.05; done
	cd second
	run -1 $cli apply -auto-approve -no-color
	[[ $output == *'Error acquiring the state lock'*OperationTypeApply* ]]
	wait "$first"
	[ "$(stored default '.resources | length')" = 2 ]
}

# bats test_tags=once
@test "a store that fails leaves errored.tfstate, and the journal recovers" {
	config one >main.tf
	$cli init >/dev/null
	for code in 403 409 429 500 503; do
		config "$code" >main.tf
		echo "[{\"match\":\"POST *\",\"times\":9,\"status\":$code,\"body\":\"no\"}]" \
			>"$store_dir/answers.json"
		run -1 $cli apply -auto-approve -no-color
		[[ $output == *'Failed to save state'*errored.tfstate* ]]
		[ "$cli" != tf ] || [[ $output == *"$code"*errored.tfstate* ]]
		[ ! -e "$store_dir/locks/%s" ]
		rm "$store_dir/answers.json"
		case $cli$code in
		tf409) # here
			run -0 $cli plan -no-color
			[[ $output == *'State recovered from its journal'* ]]
			;;
		*) # elsewhere
			[ "$cli" != tf ] || rm .terraform/state-*.journal
			run -0 $cli state push errored.tfstate
			;;
		esac
		rm errored.tfstate
		run -0 $cli plan -detailed-exitcode
		[ "$(stored default -r '.outputs.o.value')" = "$code" ]
	done
}

# bats test_tags=once
@test "wherever a connection is cut, the state or errored.tfstate has it, and no lock stays" {
	ours
	config one >main.tf
	start_proxy store
	direct=$at at=http://127.0.0.1:$store_proxy_port/s
	config one >main.tf
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	n=0
	for fault in '"do":"refuse"' '"do":"lose"' '"do":"cut-request","bytes":60' \
		'"do":"cut-request","bytes":200' '"do":"cut-answer","bytes":17' \
		'"do":"cut-answer","bytes":70' '"do":"cut-answer","bytes":-1' \
		'"do":"answer","status":500,"body":"x"'; do
		for match in 'LOCK *' 'GET *' 'POST *' 'UNLOCK *'; do
			for times in 1 9; do
				n=$((n + 1))
				config "v$n" >main.tf
				faults store_proxy "{\"match\":\"$match\",$fault,\"times\":$times}"
				run $cli apply -auto-approve -no-color
				faults store_proxy
				case "$match $times" in
				*' 1') [ "$status" = 0 ] ;;
				*) [ "$status" = 1 ] ;;
				esac || { echo "$match $fault $times: $output"; false; }
				if [ "$match" != 'UNLOCK *' ] || [ "$times" = 1 ]; then
					[ ! -e "$store_dir/locks/%s" ] || [ "$match $times" = 'LOCK * 9' ]
				else
					[[ $output == *'force-unlock'* ]]
				fi
				rm -f "$store_dir/locks/%s"
				if [ -e errored.tfstate ]; then
					[ "$match $times" = 'POST * 9' ]
					rm -f .terraform/state-*.journal
					$cli state push errored.tfstate || tf plan -detailed-exitcode
					rm errored.tfstate
				fi
				case "$match $times" in
				'LOCK * 9' | 'GET * 9') ;;
				*)
					run -0 $cli plan -detailed-exitcode
					;;
				esac
			done
		done
	done
	[ "$direct" != "$at" ]
}

# bats test_tags=once
@test "an apply that is killed while it stores is recovered by the next command" {
	ours
	config one >main.tf
	start_proxy store
	at=http://127.0.0.1:$store_proxy_port/s
	config one >main.tf
	$cli init >/dev/null
	faults store_proxy '{"match":"POST *","do":"stall","seconds":60}'
	setsid $cli apply -auto-approve >out 2>&1 3>&- &
	session=$!
	until grep -qs '"record":"snapshot"' .terraform/state-*.journal; do sleep 0.05; done
	pkill -KILL -s "$session"
	wait "$session" || true
	faults store_proxy
	rm -f "$store_dir/locks/%s"
	run -0 $cli plan -no-color -detailed-exitcode
	[[ $output == *'State recovered from its journal'* ]]
	[ "$(stored default -r '.outputs.o.value')" = one ]
}

@test "arguments by the environment, with an empty block" {
	export TF_HTTP_ADDRESS=$at TF_HTTP_LOCK_ADDRESS=$at/lock \
		TF_HTTP_UNLOCK_ADDRESS=$at/lock TF_HTTP_LOCK_METHOD=POST \
		TF_HTTP_UNLOCK_METHOD=DELETE TF_HTTP_USERNAME=u TF_HTTP_PASSWORD=p \
		TF_HTTP_RETRY_MAX=0
	echo u:p >"$store_dir/auth"
	printf 'terraform {\n  backend "http" {}\n}\nresource "terraform_data" "a" {}\n' >main.tf
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	asks 'GET POST GET POST DELETE '
	TF_HTTP_PASSWORD=q run -1 $cli plan -no-color
	[[ $output == *'HTTP remote state endpoint requires auth'* ]]
	TF_HTTP_RETRY_MAX=many run -1 $cli plan -no-color
	[ "$cli" != tf ] || [[ $output == *'Invalid backend configuration'*retry_max* ]]
	run -1 grep -r u:p .terraform
}

@test "a server with a certificate of its own, which wants one of the client" {
	stop_servers
	rm -r "$store_dir"
	start_store mtls
	at=https://127.0.0.1:$store_port/s
	pem() { sed ':a;N;$!ba;s/\n/\\n/g' "$store_dir/$1.pem"; }
	key() { sed ':a;N;$!ba;s/\n/\\n/g' "$store_dir/server.key"; }
	unset SSL_CERT_FILE
	config one "client_ca_certificate_pem = \"$(pem ca)\\n\"" \
		"client_certificate_pem = \"$(pem server)\\n\"" \
		"client_private_key_pem = \"$(key)\\n\"" >main.tf
	run -0 $cli init
	run -0 $cli apply -auto-approve
	config one "client_certificate_pem = \"x\"" >main.tf
	run -1 $cli init -reconfigure -no-color
	[[ $output == *client_private_key_pem* ]]
	config one 'skip_cert_verification = true' 'retry_max = 0' >main.tf
	run -1 $cli init -reconfigure -no-color
	[[ $output == *'error loading state'* || $output == *'Error refreshing state'* ]]
}

@test "what cannot be is said by init" {
	for row in 'address = "ftp://x"|must be HTTP or HTTPS' \
		'address = ""|must be HTTP or HTTPS' \
		'headers = { "a b" = "c" }|letters, digits' \
		'headers = { Content-MD5 = "c" }|reserved' \
		'headers = { a = " " }|blank' \
		'client_ca_certificate_pem = "x"|certificate in PEM' \
		'retry_max = 1.5|whole number' \
		'odd = 1|Unsupported argument' \
		'address = null|required'; do
		printf 'terraform {\n  backend "http" {\n    %s\n    %s\n  }\n}\n' \
			"$([[ $row == address* ]] || echo "address = \"$at\"")" \
			"${row%|*}" >main.tf
		[ "$cli" = tf ] || [[ $row != retry_max* ]] || continue # it panics
		run -1 $cli init -no-color
		[ "$cli" != tf ] || [[ $output == *"${row#*|}"* ]] ||
			{ echo "$row: $output"; false; }
		[ ! -e .terraform/terraform.tfstate ]
	done
	config one >main.tf
	run -0 $cli init
	run -1 $cli workspace new w
	[[ $output == *'workspaces not supported'* ]]
	TF_WORKSPACE=w run -1 $cli plan
	[[ $output == *'workspaces not supported'* ]]
}

# bats test_tags=once
@test "addresses are of http in any letters; what was not locked is not unlocked" {
	cat >main.tf <<-TF
		terraform {
		  backend "http" {
		    address        = "HTTP://127.0.0.1:$store_port/s"
		    unlock_address = "$at"
		    retry_max      = -1
		  }
		}
		resource "terraform_data" "a" {}
	TF
	$cli init >/dev/null
	run -0 $cli apply -auto-approve
	asks 'GET GET POST '
}

@test "init moves states: from local, to local, back, as it is told" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	lineage=$(jq .lineage terraform.tfstate)
	printf 'terraform {\n  backend "http" { address = "%s" }\n}\n' "$at" >be.tf
	run -1 $cli init -no-color -input=false
	[[ $output == *"Can't ask approval for state migration"* ]]
	[ ! -e .terraform/terraform.tfstate ]
	run -0 $cli init -no-color <<<no
	[[ $output == *'Do you want to copy existing state to the new backend?'* ]]
	run -1 $cli state list
	[[ $output == *'No state file was found'* ]]
	rm -r .terraform
	[ ! -s terraform.tfstate ]
	cp terraform.tfstate.backup terraform.tfstate
	run -0 $cli init -no-color <<<yes
	[ ! -s terraform.tfstate ]
	[ "$cli" != tf ] || [ "$(stored default .lineage)" = "$lineage" ] # DEVIATIONS
	run -0 $cli state list
	[ "$output" = terraform_data.a ]
	rm be.tf
	run -1 $cli plan
	run -1 $cli init
	[[ $output == *'Backend configuration changed'*-migrate-state* ]]
	run -0 $cli init -no-color -migrate-state -force-copy
	[[ $output == *'unset the backend "http"'* ]]
	run -0 $cli state list
	[ "$output" = terraform_data.a ]
	[ "$cli" != tf ] || [ "$(jq .lineage terraform.tfstate)" = "$lineage" ]
}

@test "what an init could not store is stored by the next, before local files are emptied" {
	printf '%s\n' 'resource "terraform_data" "a" { input = "one" }' \
		'output "o" { value = terraform_data.a.output }' >main.tf
	$cli apply -auto-approve >/dev/null
	config one >main.tf
	echo '[{"match":"POST *","times":9,"status":403}]' >"$store_dir/answers.json"
	run -1 $cli init -no-color -force-copy
	[[ $output == *'Error copying state from the previous '* ]]
	run -0 jq -e '.outputs.o.value == "one"' terraform.tfstate
	rm -f "$store_dir/answers.json"
	run -0 $cli init -no-color -force-copy
	run -0 stored default -e '.outputs.o.value == "one"'
	[ ! -s terraform.tfstate ]
	rm -r .terraform
	$cli init >/dev/null
	run -0 $cli plan -detailed-exitcode
}

# bats test_tags=once
@test "a lock that stays after a move is told" {
	ours
	printf '%s\n' 'resource "terraform_data" "a" { input = "one" }' \
		'output "o" { value = terraform_data.a.output }' >main.tf
	$cli apply -auto-approve >/dev/null
	config one >main.tf
	echo '[{"match":"UNLOCK *","times":9,"status":403}]' >"$store_dir/answers.json"
	run -1 $cli init -no-color -force-copy
	[[ $output == *'Error releasing the state lock'*force-unlock* ]]
	id=$(sed -n 's/.*force-unlock //p' <<<"$output")
	rm -f "$store_dir/answers.json"
	run -0 $cli init -no-color -force-copy
	run -0 stored default -e '.outputs.o.value == "one"'
	run -1 $cli plan
	run -0 $cli force-unlock -force "$id"
	run -0 $cli plan -detailed-exitcode
}

# bats test_tags=once
@test "stages by hand read for themselves, and a state is read once for many" {
	ours
	config one >main.tf
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
	asked >/dev/null
	tf-parse | tf-eval | tf-graph | tf-plan | tf-show >shown
	[[ $(cat shown) == *'No changes'* ]]
	asks 'GET '
	mkdir reader
	cd reader
	cat >main.tf <<-TF
		data "terraform_remote_state" "r" {
		  count   = 5
		  backend = "http"
		  config  = { address = "$at" }
		}
		output "all" { value = join(",", data.terraform_remote_state.r[*].outputs.o) }
	TF
	run -0 $cli apply -auto-approve -no-color
	[[ $output == *'all = "one,one,one,one,one"'* ]]
	asks 'GET '
}

# bats test_tags=once
@test "nothing of the state, and no password, is on a disk on the way" {
	ours
	secret=verysecretvalue
	config "$secret" 'username = "u"' 'password = "hidden-password"' >main.tf
	cat >>main.tf <<-'TF'
		resource "terraform_data" "look" {
		  provisioner "local-exec" {
		    command = "env >seen; ls -l /proc/self/fd >>seen; echo end >>seen"
		  }
		}
	TF
	$cli init >/dev/null
	mkdir tmp
	TMPDIR=$PWD/tmp TF_LOG=trace run -0 $cli apply -auto-approve
	[[ $output != *hidden-password* ]]
	run -1 grep -rl "$secret" .terraform tmp
	# what is run on the way does not get the state that is in memory
	run -0 cat seen
	[[ $output == *PATH=*' -> '*end && $output != *memfd:* ]]
}

# Objects whose provisioners take two seconds each: slowly N
slowly() {
	config one >main.tf
	cat >>main.tf <<-TF
		resource "terraform_data" "quick" {
		  count = $1
		  provisioner "local-exec" { command = "sleep 2; date +%s >at.\${count.index}" }
		}
	TF
}

@test "an apply goes on while its state is stored, and loses nothing of that" {
	ours
	start_proxy store
	at=http://127.0.0.1:$store_proxy_port/s
	slowly 24
	$cli init >/dev/null
	# the first store, after 20 seconds, takes another 8
	faults store_proxy '{"match":"POST *","do":"stall","seconds":8}'
	TF_STATE_PERSIST_INTERVAL=20 run -0 $cli apply -auto-approve -parallelism=2 -no-color
	[[ $output == *'25 added'* ]]
	jq -s '[.[] | select(.method == "POST")]' "$store_proxy_dir/requests.jsonl" >posts
	[ "$(jq length posts)" = 2 ]
	[ "$(stored default '[.resources[].instances[]] | length')" = 25 ]
	[ "$(stored default .serial)" = 2 ]
	run -0 find .terraform -name '*.journal'
	[ -z "$output" ]
	# the provisioners ended every two seconds, without a pause
	cat at.* | sort -n | uniq >times
	[ "$(awk 'NR > 1 && $1 - before > widest { widest = $1 - before }
		{ before = $1 } END { print widest + 0 }' times)" -le 5 ]
}

# bats test_tags=once
@test "an apply that is killed while it stores loses nothing that it did meanwhile" {
	ours
	start_proxy store
	at=http://127.0.0.1:$store_proxy_port/s
	slowly 40
	$cli init >/dev/null
	faults store_proxy '{"match":"POST *","do":"stall","seconds":60}'
	TF_STATE_PERSIST_INTERVAL=20 setsid $cli apply -auto-approve -parallelism=2 \
		>out 2>&1 3>&- &
	session=$!
	until grep -qs '"record":"snapshot"' .terraform/state-*.journal; do sleep 0.05; done
	before=$(find . -name 'at.*' | wc -l)
	until [ "$(find . -name 'at.*' | wc -l)" -ge $((before + 4)) ]; do sleep 0.1; done
	pkill -KILL -s "$session"
	wait "$session" || true
	faults store_proxy
	rm -f "$store_dir/locks/%s"
	done=$(find . -name 'at.*' | wc -l)
	run -0 $cli plan -no-color
	[[ $output == *'State recovered from its journal'* ]]
	# whole, but for those of which the end was not told
	[ "$(stored default '[.resources[].instances[] | select(.status != "tainted")] | length')" -ge \
		$((done - 1)) ]
	[ "$(stored default '[.resources[].instances[]] | length')" -ge "$done" ]
}

#!/usr/bin/env bats
# backend-tfe.bats - the backends remote and cloud: states, locks and workspaces
# by the TFE API, of a fake that OpenTofu was run against.  With
# TF_TEST_CLI=tofu the same on OpenTofu.

load common
load servers
load backend

jq_itself

setup() {
	no_clouds
	unset TF_WORKSPACE TFE_RUN_ID TF_FORCE_LOCAL_BACKEND
	start_tfe
	host=localhost:$tfe_port
	api=https://$host/api/v2
	export SSL_CERT_FILE=$tfe_dir/ca.pem
	export HOME=$BATS_TEST_TMPDIR/home TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/w"
	echo "credentials \"$host\" { token = \"token-ann\" }" >"$TF_CLI_CONFIG_FILE"
	cd "$BATS_TEST_TMPDIR/w"
}

teardown() {
	stop_servers
}

body() { # what the configuration has besides
	cat <<-'END'
	output "x" { value = terraform_data.a.output }
	output "s" {
	  value     = "hidden"
	  sensitive = true
	}
	resource "terraform_data" "a" { input = 1 }
	END
}

remote() { # ARGUMENT-OF-WORKSPACES
	cat >main.tf <<-END
	terraform {
	  backend "remote" {
	    hostname     = "$host"
	    organization = "tests"
	    workspaces {
	      $1
	    }
	  }
	}
	$(body)
	END
}

cloud() { # ARGUMENTS-OF-WORKSPACES
	cat >main.tf <<-END
	terraform {
	  cloud {
	    hostname     = "$host"
	    organization = "tests"
	    workspaces {
	      $1
	    }
	  }
	}
	$(body)
	END
}

by() { # USER METHOD PATH [BODY]
	curl -sS --cacert "$tfe_dir/ca.pem" -H "Authorization: Bearer token-$1" \
		-X "$2" "$api/$3" ${4:+-d "$4"}
}

kept() { # FILTER of what the fake has
	jq -r "$1" "$tfe_dir/workspaces.json"
}

answers() { # RULE...
	local IFS=,
	echo "[$*]" >"$tfe_dir/answers.json"
}

asked() { # forgets what it tells
	cat "$tfe_dir/log" 2>/dev/null || true
	: >"$tfe_dir/log"
}

mode() { # of the first workspace
	by ann PATCH "workspaces/$(kept '.workspaces[0].id')" \
		"{\"data\":{\"attributes\":{\"execution-mode\":\"$1\"}}}"
}

# A cross-program case: is the other program here?
needs_tofu() {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "runs both programs"
	need_peer
}

# bats test_tags=once
@test "where there is no state: outputs are an error of cloud's, a pull is an empty state" {
	remote 'name = "app"'
	run -0 cli init -no-color
	run -0 cli output -no-color -json
	[ "$output" = '{}' ]
	run -0 cli show -no-color
	[[ $output = 'The state file is empty.'* ]]
	cli state pull | jq -e '.serial == 0 and .lineage == "" and .resources == []'
	rm -r .terraform
	cloud 'name = "other"'
	run -0 cli init -no-color
	for words in '' -json x '-raw x'; do
		run -1 cli output -no-color $words
		[[ $output = *'could not read state version outputs: resource not found'* ]]
	done
	cli state pull | jq -e '.serial == 0'
	run -0 cli apply -auto-approve -no-color
	run -0 cli output -no-color x
	[ "$output" = 1 ]
}

# bats test_tags=once
@test "outputs are for those, too, who may not read the state" {
	cloud 'name = "app"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	echo bob >"$tfe_dir/outputs_only"
	sed -i s/token-ann/token-bob/ "$TF_CLI_CONFIG_FILE"
	[ "$(cli output -json | jq -c 'map_values(.value)')" = '{"s":"hidden","x":1}' ]
	[ "$(cli output -raw s)" = hidden ]
	run -0 cli output -no-color
	[[ $output = *'s = <sensitive>'*'x = 1'* ]]
	cli state pull | jq -e '.serial == 0'
	ours || return 0 # OpenTofu asks for one page alone
	printf 'output "%s" {\n  value = 2\n}\n' p q >>main.tf
	sed -i s/token-bob/token-ann/ "$TF_CLI_CONFIG_FILE"
	run -0 cli apply -auto-approve -no-color
	sed -i s/token-ann/token-bob/ "$TF_CLI_CONFIG_FILE"
	[ "$(cli output -json | jq -c 'map_values(.value)')" = '{"p":2,"q":2,"s":"hidden","x":1}' ]
}

# bats test_tags=once
@test "what says the same in other words is not stored again, a new key counts" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'OpenTofu takes a new key with changes only'
	cloud 'name = "app"'
	run -0 tf init -no-color
	run -0 tf apply -auto-approve -no-color
	stored=$tfe_dir/$(kept '.workspaces[0].versions[0].id').tfstate
	jq -S . "$stored" >other
	cp other "$stored"
	run -0 tf apply -auto-approve -no-color
	[ "$(kept '[.workspaces[0].versions[].serial] | join(" ")')" = 1 ]
	export TF_ENCRYPTION='key_provider "pbkdf2" "k" {
	passphrase = "a passphrase of the tests"
	iterations = 200000
	}
	method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
	method "unencrypted" "u" {}
	state {
	method = method.aes_gcm.m
	fallback { method = method.unencrypted.u }
	}'
	run -0 tf apply -auto-approve -no-color
	[ "$(kept '[.workspaces[0].versions[].serial] | join(" ")')" = '1 2' ]
	jq -e .encrypted_data "$tfe_dir/$(kept '.workspaces[0].versions[1].id').tfstate" >/dev/null
}

@test "remote by name: init makes the workspace, states go there and come back" {
	remote 'name = "app"'
	run -0 cli init -no-color
	[ "$(kept '.workspaces[0] | "\(.name) \(.version)"')" = "app 1.12.6" ]
	run -0 cli apply -auto-approve -no-color
	[ "$(kept '.workspaces[0].versions | length')" = 1 ]
	[ "$(kept '.workspaces[0].versions[0].serial')" = 1 ]
	[ "$(kept '.workspaces[0].versions[0].outputs.x | "\(.type) \(.value)"')" = "number 1" ]
	[ "$(kept '.workspaces[0].locked')" = null ]
	[ ! -e terraform.tfstate ]
	run -0 cli output -no-color x
	[ "$output" = 1 ]
	cli state pull >pulled
	run -0 cli state push pulled
	[ "$(kept '.workspaces[0].versions | length')" = 1 ]
	jq '.serial += 4' pulled >next
	run -0 cli state push next
	[ "$(kept '.workspaces[0].versions[-1].serial')" = 6 ]
	run -1 cli workspace list -no-color
	[[ $output = *"workspaces not supported"* ]]
	run -0 cli destroy -auto-approve -no-color
	[ "$(kept '.workspaces[0].versions[-1].resources')" = 0 ]
}

@test "remote by prefix: workspaces are made, listed over pages, deleted" {
	remote 'prefix = "net-"'
	run -1 cli init -no-color
	[[ $output = *"No existing workspaces."* ]]
	for w in a b c d; do
		run -0 cli workspace new -no-color $w
	done
	by ann POST organizations/tests/workspaces \
		'{"data":{"attributes":{"name":"other-net-x"}}}' >/dev/null
	[ "$(kept '[.workspaces[].name] | join(" ")')" = "net-a net-b net-c net-d other-net-x" ]
	run -0 cli workspace list -no-color
	[[ $output = *"  a"*"  b"*"  c"*"* d"* && $output != *other* ]]
	if [ -z "${TF_TEST_CLI-}" ]; then # a list whose next page is none behind it ends
		answers '{"match": "GET *workspaces?*", "times": 1000000, "body":
			"{\"data\": [], \"meta\": {\"pagination\": {\"next-page\": 1}}}"}'
		run -0 timeout 20 tf workspace list -no-color
		answers
	fi
	run -0 cli workspace delete -no-color b
	[ "$(kept '[.workspaces[].name] | join(" ")')" = "net-a net-c net-d other-net-x" ]
	run -0 cli apply -auto-approve -no-color
	[ "$(kept '.workspaces[2].versions | length')" = 1 ]
	run -1 cli workspace select default
	run -0 cli workspace select a
	run -1 cli workspace delete -no-color d
	[[ $output = *"Workspace is not empty"* ]]
}

@test "cloud by name: its project is made, init selects the workspace" {
	cloud 'name = "cl"
	      project = "p"'
	run -0 cli init -no-color
	[ "$(kept '.projects[0] | .name')" = p ]
	[ "$(kept '.workspaces[0].project == .projects[0].id')" = true ]
	[ "$(cat .terraform/environment)" = cl ]
	run -0 cli apply -auto-approve -no-color
	run -0 cli output -no-color x
	[ "$output" = 1 ]
	run -0 cli output -raw -no-color s
	[ "$output" = hidden ]
	run -0 cli workspace list -no-color
	[[ $output = *"* cl"* ]]
	run -1 cli workspace new -no-color other
	[[ $output = *"workspaces not supported"* ]]
}

@test "cloud by tags: the workspaces that have all of them; new ones get them" {
	by ann POST organizations/tests/workspaces '{"data":{"attributes":{"name":"one"},
		"relationships":{"tags":{"data":[
		{"attributes":{"name":"t1"}},{"attributes":{"name":"t2"}}]}}}}' >/dev/null
	by ann POST organizations/tests/workspaces '{"data":{"attributes":{"name":"no"},
		"relationships":{"tags":{"data":[{"attributes":{"name":"t1"}}]}}}}' >/dev/null
	cloud 'tags = ["t1", "t2"]'
	run -0 cli init -no-color
	[ "$(cat .terraform/environment)" = one ]
	run -0 cli workspace new -no-color two
	[ "$(kept '.workspaces[-1] | "\(.name) \(.tags | join(","))"')" = "two t1,t2" ]
	run -0 cli workspace list -no-color
	[[ $output = *"  one"*"* two"* && $output != *"  no"* ]]
	TF_WORKSPACE=no run -1 cli init -no-color
	[[ $output = *"Invalid workspace selection"* ]]
	TF_WORKSPACE=nowhere run -1 cli init -no-color
	[[ $output = *"Invalid workspace selection"* ]]
	run -0 cli workspace select -no-color one
	run -0 cli workspace delete -no-color two
	[ "$(kept '[.workspaces[].name] | join(" ")')" = "one no" ]
}

@test "cloud: settings from the environment, and what must be set" {
	printf 'terraform {\n  cloud {\n  }\n}\n' >main.tf
	run -1 cli init -no-color
	[[ $output = *"Invalid or missing required argument"* ]]
	export TF_CLOUD_ORGANIZATION=tests
	run -1 cli init -no-color
	[[ $output = *"Invalid workspaces configuration"* ]]
	by ann POST organizations/tests/workspaces \
		'{"data":{"attributes":{"name":"env"}}}' >/dev/null
	export TF_WORKSPACE=env
	run -1 cli init -no-color
	[[ $output = *"Hostname is required for the cloud backend"* ]]
	export TF_CLOUD_HOSTNAME=$host
	run -0 cli init -no-color
	body >>main.tf
	run -0 cli apply -auto-approve -no-color
	[ "$(kept '.workspaces[0].versions | length')" = 1 ]
}

@test "a token by the environment, and none" {
	cat >"$TF_CLI_CONFIG_FILE" <<-END
	host "tfe.test" {
	  services = { "tfe.v2" = "$api/", "state.v2" = "$api/" }
	}
	END
	host=tfe.test
	remote 'name = "app"'
	run -1 cli init -no-color
	[[ $output = *"Required token could not be found"* && $output = *"login tfe.test"* ]]
	TF_TOKEN_tfe_test=token-ann run -0 cli init -no-color
	TF_TOKEN_tfe_test=nonsense run -1 cli plan -no-color
	[[ $output = *unauthorized* && $output != *nonsense* ]]
}

@test "a held lock is told with its ID and can be forced" {
	remote 'name = "app"'
	run -0 cli init -no-color
	id=$(kept '.workspaces[0].id')
	by bob POST "workspaces/$id/actions/lock" >/dev/null
	run -1 cli plan -no-color
	[[ $output = *'workspace already locked (lock ID: "tests/app")'* ]]
	if ours; then
		[[ $output = *"ID:        tests/app"* && $output = *"Who:       bob"* ]]
	fi
	run -1 cli force-unlock -force nope
	[[ $output = *'lock ID "nope" does not match existing lock ID "tests/app"'* ]]
	[ "$(kept '.workspaces[0].locked')" = bob ]
	run -0 cli force-unlock -force tests/app
	[[ $output = *' state has been successfully unlocked!'* ]]
	[ "$(kept '.workspaces[0].locked')" = null ]
}

@test "who waits is told who holds a lock of ours, for what and since when" {
	[ -z "${TF_TEST_CLI-}" ] || skip "OpenTofu gives no reason"
	remote 'name = "app"'
	run -0 cli init -no-color
	slow_apply tf
	run -1 cli plan -no-color
	touch go
	wait "$slow"
	[[ $output =~ Info:\ +Locked\ by\ tfpipe:\ .*@.*,\ OperationTypeApply,\ 20[0-9]{2}- ]]
}

# bats test_tags=once
@test "a workspace whose runs are remote: its states can be used, its runs not" {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "OpenTofu asks the host for runs"
	for type in remote cloud; do
		rm -rf .terraform "$tfe_dir/workspaces.json"
		$type 'name = "app"'
		run -0 cli init -no-color
		run -0 cli apply -auto-approve -no-color
		for m in remote agent; do
			mode $m >/dev/null
			asked >/dev/null
			for words in plan 'plan -lock=false' 'apply -auto-approve' refresh; do
				run -1 cli $words -no-color
				[[ $output = *execution-mode* && $output = *"\"$m\""* ]]
			done
			run -1 grep -E 'lock|state-version' "$tfe_dir/log"
		done
		run -0 cli state list
		run -0 cli output -no-color x
		TF_FORCE_LOCAL_BACKEND=1 run -0 cli plan -no-color
	done
}

@test "a state is not written for a workspace of another version, but by a flag" {
	remote 'name = "app"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	mode remote >/dev/null
	run -0 cli taint -no-color terraform_data.a
	by ann PATCH "workspaces/$(kept '.workspaces[0].id')" \
		'{"data":{"attributes":{"terraform-version":"1.9.0"}}}' >/dev/null
	run -1 cli untaint -no-color terraform_data.a
	[[ $output = *"OpenTofu version mismatch"* || $output = *"tfpipe version mismatch"* ]]
	run -0 cli untaint -no-color -ignore-remote-version terraform_data.a
	[[ $output = *"version mismatch"* ]]
	sed -i '/^resource/i resource "terraform_data" "b" {\n}' main.tf
	run -1 cli import -no-color terraform_data.b x
	[[ $output = *"version mismatch"* ]]
	if ours; then # OpenTofu asks for the workspace's variables as well
		run -0 cli import -no-color -ignore-remote-version terraform_data.b x
	fi
	mode local >/dev/null
	run -0 cli taint -no-color terraform_data.a
}

# bats test_tags=once
@test "a state is not copied to a workspace of another version, but by a flag" {
	remote 'name = "app"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	body >main.tf
	run -0 cli init -no-color -migrate-state -force-copy
	mode remote >/dev/null
	by ann PATCH "workspaces/$(kept '.workspaces[0].id')" \
		'{"data":{"attributes":{"terraform-version":"1.9.0"}}}' >/dev/null
	run -0 cli apply -auto-approve -no-color -replace terraform_data.a
	remote 'name = "app"'
	run -1 cli init -no-color -migrate-state -force-copy
	[[ $output = *"version"*"1.9.0"* ]]
	[ "$(kept '.workspaces[0].versions | length')" = 1 ]
	run -0 cli init -no-color -migrate-state -force-copy -ignore-remote-version
	[ "$(kept '.workspaces[0].versions | length')" = 2 ]
	# away from it they may go
	body >main.tf
	run -0 cli init -no-color -migrate-state -force-copy
}

# bats test_tags=once
@test "a host without a store gets the state within the request; the run is named" {
	remote 'name = "app"'
	touch "$tfe_dir/old"
	run -0 cli init -no-color
	TFE_RUN_ID=run-7 run -0 cli apply -auto-approve -no-color
	[ "$(kept '.workspaces[0].versions[-1] | "\(.whole) \(.run)"')" = "true run-7" ]
	run -0 cli output -no-color x
	[ "$output" = 1 ]
}

@test "the token goes to no store of another host" {
	remote 'name = "app"'
	echo "127.0.0.1:$tfe_port" >"$tfe_dir/foreign"
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	run -0 cli output -no-color x
	[ "$output" = 1 ]
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "OpenTofu sends it"
	run -0 jq -r 'select(.path | startswith("/stored")) | .headers.authorization // empty' \
		"$tfe_dir/requests.jsonl"
	[ -z "$output" ]
}

# bats test_tags=once
@test "it asks no more than OpenTofu does" {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "counts of requests"
	remote 'name = "app"'
	most() { # NUMBER COMMAND...
		asked >/dev/null
		run -0 cli "${@:2}" -no-color
		[ "$(asked | wc -l)" -le "$1" ]
	}
	most 6 init
	most 8 plan
	most 12 apply -auto-approve
	most 6 output
	most 6 state list
	most 9 apply -auto-approve
}

# bats test_tags=once
@test "what one program writes and locks the other reads and honours" {
	needs_tofu
	for type in remote cloud; do
		rm -rf .terraform "$tfe_dir/workspaces.json"
		$type 'name = "app"'
		run -0 tf init -no-color
		run -0 tf apply -auto-approve -no-color
		run -0 tofu plan -detailed-exitcode -no-color
		run -0 tofu output -no-color x
		[ "$output" = 1 ]
		run -0 tofu output -raw s
		[ "$output" = hidden ]
		sed -i 's/input = 1/input = 2/' main.tf
		run -0 tofu apply -auto-approve -no-color
		run -0 tf plan -detailed-exitcode -no-color
		run -0 tf output -no-color x
		[ "$output" = 2 ]
		[ "$(kept '[.workspaces[0].versions[].serial] | join(" ")')" = "1 2" ]
		[ "$type" = cloud ] || read_from_outside 2 x
		for pair in 'tf tofu' 'tofu tf'; do
			slow_apply "${pair% *}"
			without_slow
			run -1 "${pair#* }" plan -no-color -lock-timeout=1s
			[[ $output = *'(lock ID: "tests/app")'* ]]
			run -1 "${pair#* }" force-unlock -force nope
			wait_behind "${pair#* }"
		done
		by bob POST "workspaces/$(kept '.workspaces[0].id')/actions/lock" >/dev/null
		run -1 tofu plan -no-color
		run -0 tf force-unlock -force tests/app
		run -0 tofu plan -no-color
	done
}

# --- faults ---

# bats test_tags=once
@test "a lock whose answer is lost is not left behind" {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "OpenTofu leaves it"
	remote 'name = "app"'
	run -0 cli init -no-color
	answers '{"match": "POST */actions/lock", "do": "lose"}'
	run -1 cli plan -no-color
	[[ $output = *"Error acquiring the state lock"* ]]
	[ "$(kept '.workspaces[0].locked')" = null ]
	answers '{"match": "POST */actions/lock", "status": 500}'
	run -1 cli plan -no-color
	[ "$(kept '.workspaces[0].locked')" = null ]
	answers '{"match": "POST */actions/lock", "do": "lose", "times": 99}' \
		'{"match": "POST */actions/unlock", "do": "lose", "times": 99}'
	run -1 cli plan -no-color
	[[ $output = *'Error acquiring the state lock'*'force-unlock tests/app'* ]]
	# the answer to unlocking: asked again, 409 is no error then
	answers '{"match": "POST */actions/unlock", "do": "lose"}'
	run -0 cli plan -no-color
	[ "$(kept '.workspaces[0].locked')" = null ]
	run -0 cli plan -no-color
}

# bats test_tags=once
@test "a lock that cannot be given back is told with what force-unlock takes" {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "OpenTofu tells another ID"
	remote 'name = "app"'
	run -0 cli init -no-color
	answers '{"match": "POST */actions/unlock", "status": 403, "times": 9}'
	run -1 cli plan -no-color
	[[ $output = *'Error releasing the state lock'*'force-unlock tests/app'* ]]
	answers
	run -0 cli force-unlock -force tests/app
	run -0 cli plan -no-color
}

# bats test_tags=once
@test "another's lock is not taken away when the answer is lost" {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip "OpenTofu leaves its own"
	remote 'name = "app"'
	run -0 cli init -no-color
	by bob POST "workspaces/$(kept '.workspaces[0].id')/actions/lock" >/dev/null
	answers '{"match": "POST */actions/lock", "do": "lose"}'
	run -1 cli plan -no-color
	[ "$(kept '.workspaces[0].locked')" = bob ]
}

@test "a state that cannot be stored is kept, and can be pushed" {
	remote 'name = "app"'
	run -0 cli init -no-color
	for rule in '{"match": "POST */state-versions", "status": 401, "times": 99}' \
		'{"match": "PUT /stored/*", "status": 403, "times": 99}' \
		'{"match": "POST */state-versions", "status": 409, "times": 99,
		"headers": {"Content-Type": "application/vnd.api+json"},
		"body": "{\"errors\": [{\"title\": \"serial is taken\"}]}"}'; do
		rm -f errored.tfstate
		answers "$rule"
		run -1 cli apply -auto-approve -no-color -replace terraform_data.a
		[ -e errored.tfstate ]
		answers
		if ours; then
			[ "$(kept '.workspaces[0].locked')" = null ]
		else
			by ann POST "workspaces/$(kept '.workspaces[0].id')/actions/unlock"
		fi
		run -0 cli state push errored.tfstate
		run -0 cli output -no-color x
		[ "$output" = 1 ]
	done
}

# bats test_tags=once
@test "answers that are errors for a moment are asked for again" {
	remote 'name = "app"'
	run -0 cli init -no-color
	answers '{"match": "GET */workspaces/app", "status": 500}' \
		'{"match": "POST */actions/lock", "status": 429}' \
		'{"match": "POST */state-versions", "status": 503}' \
		'{"match": "PUT /stored/*", "do": "drop"}'
	run -0 cli apply -auto-approve -no-color
	[ "$(kept '.workspaces[0].versions[-1].whole')" = true ]
	answers '{"match": "GET /stored/*", "do": "drop"}'
	run -0 cli output -no-color x
	[ "$output" = 1 ]
}

@test "states move from cloud to the local workspace of that name" {
	[ "${TF_TEST_CLI:-tf}" = tf ] || skip 'OpenTofu moves none'
	cloud 'name = "app"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	body >main.tf
	run -1 cli init -no-color
	run -0 cli init -no-color -migrate-state <<<yes
	[[ $output = *'Migrating from cloud backend to local state.'* ]]
	run -0 cli plan -detailed-exitcode -no-color
	run -0 jq -e '.outputs.x.value == 1' terraform.tfstate.d/app/terraform.tfstate
}

# --- moving into cloud ---

# OpenTofu takes all that there is on standard input for one answer.
answer() { # LINES
	local line
	while IFS= read -r line; do
		ours || sleep 1
		echo "$line"
	done <<<"$1"
	ours || sleep 1
}

moves() { # ANSWERS: init
	run -0 cli init -no-color < <(answer "$1")
	[[ $output != *'Error:'* ]]
}

none_made() { # no workspace
	[ ! -e "$tfe_dir/workspaces.json" ] || [ "$(kept '.workspaces | length')" = 0 ]
}

stays() { # ANSWERS: init fails, and nothing is at the host
	run -1 cli init -no-color < <(answer "$1")
	none_made
}

names() { # of all workspaces at the host, with how many states
	kept '[.workspaces[] | "\(.name):\(.versions | length)"] | sort | join(" ")'
}

two_local() { # the default workspace and prod have something in them
	body >main.tf
	run -0 cli apply -auto-approve -no-color
	run -0 cli workspace new prod
	run -0 cli apply -auto-approve -no-color
	run -0 cli workspace new empty
	run -0 cli workspace select prod
}

@test "moving into cloud: one state is moved if the user says so" {
	body >main.tf
	run -0 cli apply -auto-approve -no-color
	cloud 'name = "app"'
	run -1 cli init -no-color -input=false
	[[ $output = *"Can't ask approval for state migration when interactive input is disabled."* ]]
	none_made
	moves yes
	[[ $output = *'Do you wish to proceed?'* ]]
	[[ $output = *'Cloud backend has been successfully initialized!'* ]]
	[ "$(names)" = app:1 ]
	[ "$(cat .terraform/environment)" = app ]
	run -0 cli plan -detailed-exitcode -no-color
}

@test "moving into cloud: a state that is there is replaced only by a second yes" {
	cloud 'name = "app"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	rm -r .terraform
	body | sed 's/input = 1/input = 7/' >main.tf
	run -0 cli apply -auto-approve -no-color
	cloud 'name = "app"'
	moves $'yes\nno'
	[[ $output = *'Do you want to copy existing state to cloud backend?'* ]]
	[ "$(names)" = app:1 ]
	run -0 cli output -no-color x
	[ "$output" = 1 ]
}

@test "moving into cloud by tags: the default workspace gets a name" {
	body >main.tf
	run -0 cli apply -auto-approve -no-color
	cloud 'tags = ["t1"]'
	moves $'yes\nfirst'
	[[ $output = *'Cloud backend requires all workspaces to be given an explicit name.'* ]]
	[ "$(names)" = first:1 ]
	[ "$(kept '.workspaces[0].tags | join(",")')" = t1 ]
	[ "$(cat .terraform/environment)" = first ]
	run -0 cli plan -detailed-exitcode -no-color
}

# bats test_tags=once
@test "moving into cloud by tags: all workspaces are renamed by a pattern" {
	two_local
	cloud 'tags = ["t1"]'
	moves $'base\n1\nnet-*-eu'
	[[ $output = *'Would you like to rename your workspaces?'* ]]
	[[ $output = *'How would you like to rename your workspaces?'* ]]
	[[ $output = *'Migration complete! Your workspaces are as follows:'*'  net-base-eu'*'* net-prod-eu'* ]]
	[ "$(names)" = "net-base-eu:1 net-prod-eu:1" ]
	[ "$(cat .terraform/environment)" = net-prod-eu ]
	run -0 cli plan -detailed-exitcode -no-color
}

@test "moving into cloud by tags: workspaces may keep their names" {
	two_local
	cloud 'tags = ["t1"]'
	moves $'base\n2'
	[ "$(names)" = "base:1 prod:1" ]
	[ "$(cat .terraform/environment)" = prod ]
}

@test "moving into cloud by tags: what is no pattern or answer copies nothing" {
	two_local
	cloud 'tags = ["t1"]'
	for case in $'3|Please select 1 or 2 as part of this option.' \
		$'1\nnone|The pattern must have an \'*\'' \
		$'1\n*-*|The pattern \'*\' cannot be used more than once.'; do
		stays $'base\n'"${case%|*}"
		[[ $output = *"${case##*|}"* ]]
	done
	run -0 jq -e '.resources | length == 1' terraform.tfstate
}

@test "moving into cloud by name: of many workspaces the current one alone" {
	two_local
	cloud 'name = "app"'
	stays no
	[[ $output = *'Do you want to copy only your current workspace?'* ]]
	[[ $output = *'Migration aborted by user.'* ]]
	moves yes
	[ "$(names)" = app:1 ]
	[ "$(cat .terraform/environment)" = app ]
}

# bats test_tags=once
@test "moving into cloud from a prefix: the names at the host stay" {
	remote 'prefix = "net-"'
	run -1 cli init -no-color
	run -0 cli workspace new a
	run -0 cli apply -auto-approve -no-color
	run -0 cli workspace new b
	run -0 cli apply -auto-approve -no-color
	cloud 'tags = ["t1"]'
	run -1 cli init -no-color < <(answer no)
	[[ $output = *'Migration aborted by user.'* ]]
	moves yes
	[[ $output = *'Migrating from backend "remote" to cloud backend.'* ]]
	[[ $output = *'Migration complete!'* ]]
	[ "$(names)" = "net-a:1 net-b:1" ]
	[ "$(kept '[.workspaces[].tags[]] | join(" ")')" = "t1 t1" ]
	[ "$(cat .terraform/environment)" = net-b ]
	run -0 cli plan -detailed-exitcode -no-color
}

@test "cloud takes no options of moving, and changes without them" {
	cloud 'name = "one"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	cloud 'name = "two"'
	run -1 cli plan -no-color
	[[ $output = *'Cloud backend initialization required: please run "'* ]]
	for option in -reconfigure -migrate-state -force-copy; do
		run -1 cli init -no-color $option
		[[ $output = *'Invalid command-line option'*"$option"* ]]
	done
	run -0 cli init -no-color
	[[ $output = *'Cloud backend configuration has changed.'* ]]
	[ "$(names)" = "one:1 two:0" ]
	[ "$(cat .terraform/environment)" = two ]
}

@test "init says that a cloud block is looked at, and at its end no more" {
	local program=${TF_TEST_CLI-tf}
	cloud 'name = "one"'
	run -0 "$program" init -no-color
	[[ $output == *$'\nInitializing cloud backend...\n'* ]]
	[[ $output == *'Cloud backend has been successfully initialized!'*'working with cloud backend'* ]]
	[[ $output != *'Successfully configured'* && $output != *'Initializing the backend'* ]]
	rm -r .terraform
	remote 'name = "two"'
	run -0 "$program" init -no-color -reconfigure
	[[ $output == *'Initializing the backend...'*'Successfully configured the backend "remote"!'* ]]
}

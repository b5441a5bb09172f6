#!/usr/bin/env bats
# backend-consul.bats - states in Consul, or what stands in for it
# (tests/servers/consul.py, which OpenTofu takes for one)

load common
load servers
load backend

setup_file() {
	no_clouds
	start_fake consul consul
	export CHECKPOINT_DISABLE=1
}

teardown_file() {
	stop_servers
}

setup() {
	path=s/$BATS_TEST_NUMBER
	cd "$BATS_TEST_TMPDIR"
	configure
}

# configure [PORT [ARGUMENT...]]
configure() {
	local port=${1:-$consul_port}
	shift || true
	{
		printf 'terraform {\n  backend "consul" {\n'
		printf '    %s\n' "address = \"127.0.0.1:$port\"" "path = \"$path\"" "$@"
		printf '  }\n}\n'
		resource
	} >main.tf
}

# A state that is reached through a proxy.
behind_proxy() {
	start_proxy consul
	configure "$consul_proxy_port"
	begin one
}

kv() { # KEY?QUERY
	curl -sf "http://127.0.0.1:$consul_port/v1/kv/$1"
}

keys_below() {
	kv "$1?keys" | jq -c .
}

locks() {
	kv "$path/?keys" | jq '[.[] | select(endswith("/.lock"))] | length' || echo 0
}

# METHOD and kind of what was asked since the last call
asked() {
	jq -r '"\(.method) \(.path | sub("/v1/"; "") | sub("/[0-9a-f-]{36}"; "") | sub("[?].*"; ""))"' \
		"$consul_dir/requests.jsonl"
	: >"$consul_dir/requests.jsonl"
}

# bats test_tags=once
@test "a state is a key, and workspaces are keys beside it" {
	begin one
	[ "$(cli output -raw o)" = one ]
	[ "$(kv "$path?raw" | jq -r '.[0].Value' | base64 -d | jq -r .outputs.o.value)" = one ]
	cli workspace new w >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(cli output -raw o)" = two ]
	[ "$(cli workspace list | tr -d ' \n')" = 'default*w' ]
	cli destroy -auto-approve >/dev/null
	cli workspace select default >/dev/null
	cli workspace delete w >/dev/null
	[ "$(keys_below "$path")" = "[\"$path\"]" ]
	[ "$(cli output -raw o)" = one ]
}

# bats test_tags=once
@test "an apply asks no more than OpenTofu's" {
	begin one
	asked >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	asked >all
	[ "$(wc -l <all)" -le 16 ]
	[ "$(grep -c '^PUT txn$' all)" = 1 ]
	cli plan >/dev/null
	[ "$(asked | wc -l)" -le 14 ]
	cli output >/dev/null
	[ "$(asked)" = "GET kv/$path" ]
}

@test "gzip, and a state that was not" {
	begin one
	configure '' 'gzip = true'
	cli init -input=false -reconfigure >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(kv "$path" | jq -r '.[0].Value' | base64 -d | gzip -dc | jq -r .outputs.o.value)" = two ]
	configure
	cli init -input=false -reconfigure >/dev/null
	[ "$(cli output -raw o)" = two ]
}

# bats test_tags=once
@test "a large state is in chunks, and old ones are removed" {
	cat >>main.tf <<-'END'
	variable "n" { default = 1000 }
	resource "terraform_data" "big" {
	  input = join("", [for i in range(var.n) : join("", range(500))])
	}
	END
	begin one
	kv "$path" | jq -r '.[0].Value' | base64 -d >link
	[ "$(jq '.chunks | length' link)" -ge 2 ]
	[ "$(jq -r '.chunks[0]' link)" = "$path/tfstate.$(jq -r '."current-hash"' link)/0" ]
	cli state pull >pulled
	[ "$(jq -r '.outputs.o.value' pulled)" = one ]
	# the same again keeps its chunks
	cli state push -force pulled
	cli state pull | cmp - pulled
	cli apply -auto-approve -var n=1 >/dev/null
	[ "$(keys_below "$path")" = "[\"$path\"]" ]
	[ "$(cli output -raw o)" = 1 ]
}

# bats test_tags=once
@test "a lock that is held is told with its holder, and kept while it is held" {
	begin one
	slow_apply "${TF_TEST_CLI-tf}"
	without_slow
	run -1 cli plan
	[[ $output == *'Error acquiring the state lock'* ]]
	[[ $output == *'OperationTypeApply'* ]]
	session=$(kv "$path/.lock" | jq -r '.[0].Session')
	[[ $output == *"ID:        $session"* ]]
	[[ $output == *"consul session: $session"* ]]
	[ "$(cli output -raw o)" = one ]
	for _ in $(seq 150); do
		run grep -c "session/renew/$session" "$consul_dir/requests.jsonl"
		[ "$output" = 0 ] || break
		sleep 0.1
	done
	[ "$output" != 0 ]
	touch go
	wait "$slow"
	cli plan >/dev/null
	[ "$(locks)" = 0 ]
}

# bats test_tags=once
@test "no lock where none is wanted" {
	configure '' 'lock = false'
	begin one
	asked >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	run -1 grep session "$consul_dir/requests.jsonl"
	[ "$(cli output -raw o)" = two ]
}

@test "force-unlock takes the lock whose ID is told, and no other" {
	[ -z "${TF_TEST_CLI-}" ] || skip "OpenTofu's destroys whatever session is named"
	forced_away 'the state was changed by'
}

# bats test_tags=once
@test "kill -9 leaves a lock that ends with its session" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our processes'
	begin one
	slow_apply tf
	session=$(kv "$path/.lock" | jq -r '.[0].Session')
	children=$(pgrep -P "$slow")
	[ -n "$children" ]
	kill -9 $children
	wait "$slow" || true
	touch go
	: >"$consul_dir/requests.jsonl"
	sleep 6
	# nobody renews it
	run -1 grep "$session" "$consul_dir/requests.jsonl"
}

@test "a token and a user are sent, and told to nobody" {
	begin one
	: >"$consul_dir/requests.jsonl"
	configure '' 'access_token = "sesame"' 'http_auth = "u:hidden"' 'datacenter = "d c"'
	run -0 cli init -input=false -reconfigure
	[[ $output != *sesame* ]]
	[ "$(jq -rs '.[0].headers["x-consul-token"], .[0].headers.authorization' "$consul_dir/requests.jsonl" | tr '\n' ' ')" = "sesame Basic $(printf u:hidden | base64) " ]
	[ "$(jq -s 'all(.path | contains("dc=d+c") or contains("dc=d%20c"))' "$consul_dir/requests.jsonl")" = true ]
	# a file goes before the variable
	echo filed >file
	: >"$consul_dir/requests.jsonl"
	configure
	CONSUL_HTTP_TOKEN=said CONSUL_HTTP_TOKEN_FILE=file run -0 cli init -input=false -reconfigure
	[ "$(jq -rs '.[0].headers["x-consul-token"]' "$consul_dir/requests.jsonl")" = filed ]
	configure 1
	run -1 cli init -input=false -reconfigure
	[[ $output == *connect* ]]
}

@test "what one program writes the other reads, and each sees the other's lock" {
	both_programs 'OperationTypeApply'
}

@test "each program takes the lock of the other away" {
	taken_away 'the state was changed by'
}

# bats test_tags=once
@test "a store whose answer is lost is seen to be done" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	behind_proxy
	faults consul_proxy '{"match":"PUT /v1/txn*","do":"lose"}'
	run -0 cli apply -auto-approve -var v=two
	[ ! -e errored.tfstate ]
	[ "$(cli output -raw o)" = two ]
}

# bats test_tags=once
@test "a lock that cannot be told is given back" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	behind_proxy
	faults consul_proxy '{"match":"PUT */.lockinfo*","times":9,"do":"refuse"}'
	run -1 cli plan
	faults consul_proxy
	run -0 cli plan
}

@test "a chunk that the server refuses leaves the state as it was" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	behind_proxy
	cat >>main.tf <<-'END'
	resource "terraform_data" "big" {
	  input = join("", [for i in range(1000) : join("", range(500))])
	}
	END
	faults consul_proxy '{"match":"PUT */tfstate.*","times":9,"do":"answer","status":413}'
	run -1 cli apply -auto-approve -var v=two
	faults consul_proxy
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(cli output -raw o)" = two ]
}

@test "chunks that are not those of the state are refused" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'its fake of chunks is ours'
	begin one
	printf '{"chunks":["%s"],"current-hash":"%s"}' "$path/c" "$(printf x | md5sum | cut -c 1-32)" >links
	kv "$path?raw" | jq -r '.[0].Value' | base64 -d >whole
	curl -sf -T whole "http://127.0.0.1:$consul_port/v1/kv/$path/c"
	curl -sf -T links "http://127.0.0.1:$consul_port/v1/kv/$path"
	run -1 cli output -raw o
	[[ ${output//$'\n'/ } == *'does not match the'*'expected hash'* ]]
}

# bats test_tags=once
@test "wherever the connection is cut, the state is stored or kept" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	behind_proxy
	rm -f "$consul_proxy_dir/requests.jsonl"
	cli apply -auto-approve -var v=0 >/dev/null
	total=$(wc -l <"$consul_proxy_dir/requests.jsonl")
	[ "$total" -gt 8 ]
	every_fault consul_proxy "$total"
	for status in 500 429 403; do
		for at in $(seq 1 4 "$total"); do
			n=$(wc -l <"$consul_proxy_dir/requests.jsonl")
			rm -f errored.tfstate
			faults consul_proxy "{\"from\":$((n + at)),\"times\":9,\"do\":\"answer\",\"status\":$status}"
			cli apply -auto-approve -var "v=$status$at" >out 2>&1 || true
			faults consul_proxy
			sleep 0.1
			id=$(kv "$path/.lock" | jq -r '.[0].Session // empty' || true)
			[ -z "$id" ] || cli force-unlock -force "$id" >/dev/null
			[ ! -e errored.tfstate ] || cli state push errored.tfstate >/dev/null
			cli apply -auto-approve -var "v=$status$at" >/dev/null
			[ "$(cli output -raw o)" = "$status$at" ]
		done
	done
}

@test "a host's certificate is trusted by a directory, and by another name" {
	local dir=$BATS_TEST_TMPDIR/servers/other
	servers_top=$BATS_TEST_TMPDIR/servers
	server_dir other
	made_once "$dir" certificates DNS:consul.test
	touch "$dir/tls"
	mkdir trusted
	cp "$dir/ca.pem" trusted/one.pem
	mkdir trusted/below
	start_program other consul "$dir"
	export CONSUL_HTTP_SSL=true
	configure "$other_port"
	run -1 cli init -input=false
	export CONSUL_CAPATH=$PWD/trusted
	run -1 cli init -input=false
	export CONSUL_TLS_SERVER_NAME=consul.test
	begin one
	[ "$(cli output -raw o)" = one ]
	jq -e -s 'all(.headers.host == "127.0.0.1:'"$other_port"'")' "$dir/requests.jsonl"
	CONSUL_TLS_SERVER_NAME=other.test run -1 cli output
	CONSUL_CAPATH=$PWD/none run -1 cli output
	stop_servers
}

# bats test_tags=once
@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}

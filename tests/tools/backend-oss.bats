#!/usr/bin/env bats
# backend-oss.bats - state in Alibaba Cloud's store of objects, beside OpenTofu's
# where that is there

load common
load modules
load servers
load backend

jq_itself

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD/home
	mkdir "$HOME"
	start_fake oss aliyun
	start_proxy oss
	export HTTPS_PROXY=http://127.0.0.1:$oss_proxy_port NO_PROXY=127.0.0.1
	export SSL_CERT_FILE=$oss_dir/ca.pem
	export ALICLOUD_ACCESS_KEY=id ALICLOUD_SECRET_KEY=secret
	config one >main.tf
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
		  backend "oss" {
		    bucket   = "tests-1"
		    region   = "cn-beijing"
		    endpoint = "http://127.0.0.1:$oss_proxy_port"
		    key      = "a b/c.tfstate"
		    $(printf '%s\n' "$@")
		  }
		}
		resource "terraform_data" "a" { input = "$value" }
		output "o" { value = terraform_data.a.output }
	TF
}

# The state of a workspace: stored NAME JQ...
stored() {
	local name=$1
	shift
	TF_WORKSPACE=$name other state pull | jq "$@"
}

# What was asked since the last call, in short.
asked() {
	jq -r '.method + " " + (.path | if test("AssumeRole") then "role" elif
		test("security-cred") then "machine" elif test("tfstate$") then "state"
		else "list" end)' "$oss_dir/requests.jsonl" | tr '\n' ' '
	rm "$oss_dir/requests.jsonl"
}

# The requests themselves, as they are meant, in one order, each once.
sent() {
	jq -cS '[.method, .host, (.path | gsub("(Signature|SignatureNonce|Timestamp)=[^&]*"; "")
		| split("?") | [.[0], (.[1] // "" | split("&") | sort)]),
		(.headers | with_entries(select(.key | test("^x-oss|^content-type"))))]' \
		"$oss_dir/requests.jsonl" | sort -u
	rm "$oss_dir/requests.jsonl"
}

# bats test_tags=once
@test "init, plan, apply and output ask for the state alone" {
	run -0 tf init -no-color
	[[ $output == *'Successfully configured the backend "oss"!'* ]]
	rm -f "$oss_dir/requests.jsonl"
	run -0 tf apply -auto-approve -no-color
	[ "$(asked)" = 'GET state PUT state ' ]
	[ -e "$oss_dir/objects/env%3A%2Fa%20b%2Fc.tfstate" ]
	run -0 tf output -raw o
	[ "$output" = one ]
	[ "$(asked)" = 'GET state ' ]
}

# bats test_tags=once
@test "what one program writes the other goes on with, and so with workspaces" {
	gone_on_with
	workspaces_gone_on_with
}

@test "OpenTofu's requests are as ours" {
	local peer
	need_peer
	config one 'acl = "public-read"' 'encrypt = true' 'assume_role {' \
		'role_arn = "acs:ram::1:role/r"' 'session_name = "s"' \
		'session_expiration = 1000' 'policy = "{\"a b\": 1}"' '}' >main.tf
	tofu init >/dev/null
	tofu apply -auto-approve >/dev/null
	tofu output >/dev/null
	tofu workspace list >/dev/null
	# it gives an object the header of buckets
	sent | sed 's/"x-oss-acl"/"x-oss-object-acl"/' >peer
	tf init -reconfigure >/dev/null
	sed -i 's/"one"/"two"/' main.tf
	tf apply -auto-approve >/dev/null
	tf workspace list >/dev/null
	sent >ours
	comm -13 <(grep -v AssumeRole peer) <(grep -v AssumeRole ours) >more
	cat peer more
	[ ! -s more ]
	grep -F AssumeRole ours
}

# bats test_tags=once
@test "wherever a connection is cut, the state or errored.tfstate has it" {
	cut_everywhere oss_proxy 'PUT *tfstate' 'GET *tfstate'
}

@test "keys of a role and of a machine are renewed" {
	echo 61 >"$oss_dir/seconds" # one before they are renewed
	config one 'assume_role_role_arn = "r"' 'sts_endpoint = "sts.test"' \
		'encrypt = true' 'acl = "public-read"' >main.tf
	tf init >/dev/null
	rm -f "$oss_dir/requests.jsonl"
	cat >>main.tf <<-TF
		resource "terraform_data" "slow" {
		  provisioner "local-exec" { command = "sleep 3" }
		}
	TF
	tf apply -auto-approve >/dev/null
	[ "$(jq -s 'map(select(.host == "sts.test")) | length' "$oss_dir/requests.jsonl")" -ge 2 ]
	unset ALICLOUD_ACCESS_KEY ALICLOUD_SECRET_KEY
	export HTTP_PROXY=http://127.0.0.1:$oss_proxy_port
	config one 'ecs_role_name = "m"' >main.tf
	tf init -reconfigure >/dev/null
	rm -f "$oss_dir/requests.jsonl"
	run -0 tf output -raw o
	[ "$(asked)" = 'GET machine GET state ' ]
	run -1 grep -r 'r-secret' .terraform
}

@test "keys, a region and a role of a profile" {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	unset ALICLOUD_ACCESS_KEY ALICLOUD_SECRET_KEY
	mkdir "$HOME/.aliyun"
	cat >"$HOME/.aliyun/config.json" <<-'JSON'
		{"current": "x", "profiles": [
		 {"name": "a", "mode": "AK", "access_key_id": "id", "access_key_secret": "secret"},
		 {"name": "t", "mode": "StsToken", "access_key_id": "r-id",
		  "access_key_secret": "r-secret", "sts_token": "r-token"},
		 {"name": "r", "mode": "RamRoleArn", "access_key_id": "id",
		  "access_key_secret": "secret", "ram_role_arn": "x", "ram_session_name": "y",
		  "expired_seconds": 901},
		 {"name": "n", "mode": "AK", "access_key_id": "no", "access_key_secret": "no"}]}
	JSON
	for name in a t r; do
		config one "profile = \"$name\"" >main.tf
		tf init -reconfigure >/dev/null
		run -0 tf output -raw o
		[ "$output" = one ]
	done
	grep 'DurationSeconds=901&' "$oss_dir/requests.jsonl"
	config one 'profile = "n"' >main.tf
	run -1 tf init -reconfigure
	[[ $output == *SignatureDoesNotMatch* ]]
}

@test "long lists of workspaces are read to their end" {
	echo 2 >"$oss_dir/page"
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	for name in w v u; do
		tf workspace new $name >/dev/null
	done
	run -0 tf workspace list
	[ "$output" = $'  default\n* u\n  v\n  w' ]
	tf workspace select v
	tf workspace delete u
	run -0 tf workspace list
	[ "$output" = $'  default\n* v\n  w' ]
}

@test "states are moved by the keys of one session" {
	config one 'assume_role {' 'role_arn = "acs:ram::1:role/r"' \
		'session_name = "s"' '}' >main.tf
	moved_as_one grep -c AssumeRole "$oss_dir/requests.jsonl"
}

# bats test_tags=once
@test "what cannot be is said by init, and locks in Tablestore are refused" {
	for row in 'prefix = "/x"|must not start' 'key = "x/"|start and end' \
		'acl = "x"|private' 'odd = 1|Unsupported argument' 'bucket = null|required' \
		'secret_key = "x"|SignatureDoesNotMatch' 'bucket = "none"|NoSuchBucket' \
		'tablestore_table = "t"|no locks in Tablestore' \
		'tablestore_endpoint = "x"|no locks in Tablestore' \
		$'assume_role {\nrole_arn = "r"\nsession_expiration = 10\n}|900'; do
		config one "${row%|*}" >main.tf
		name=${row%% *}
		[ "$(grep -c "^ *$name " main.tf)" = 1 ] || sed -i "0,/^ *$name /{/^ *$name /d}" main.tf
		run -1 tf init -no-color
		flat
		[[ $output == *"${row#*|}"* ]] || { echo "$row: $output"; false; }
	done
}

# bats test_tags=once
@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}

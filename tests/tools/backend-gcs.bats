#!/usr/bin/env bats
# backend-gcs.bats - state in Google Cloud Storage, beside OpenTofu's where that
# is there

load common
load servers
load backend

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD/home
	mkdir "$HOME"
	start_server gcs
	start_proxy gcs
	echo "127.0.0.1:$gcs_port" >"$gcs_proxy_dir/host"
	export GOOGLE_STORAGE_CUSTOM_ENDPOINT=http://127.0.0.1:$gcs_proxy_port/storage/v1/
	export GOOGLE_OAUTH_ACCESS_TOKEN=tok3n
	config one >main.tf
}

teardown() {
	stop_servers
	serve_end
}

# The configuration, with further arguments of the block: config VALUE [LINE...]
config() {
	local value=$1
	shift
	cat <<-TF
		terraform {
		  backend "gcs" {
		    bucket = "state"
		    prefix = "/a/b"
		    $(printf '%s\n' "$@")
		  }
		}
		resource "terraform_data" "a" { input = "$value" }
		output "o" { value = terraform_data.a.output }
	TF
}

# An object as it is; fails where there is none: object NAME
object() {
	curl -sf "http://127.0.0.1:$gcs_port/state/${1//\//%2F}"
}

# The state of a workspace: stored NAME JQ...
stored() {
	local name=$1
	shift
	object "a/b/$name.tfstate" | jq "$@"
}

# Nobody holds the lock.
free() {
	run -22 object a/b/default.tflock
}

generation() { # NAME
	curl -sf "http://127.0.0.1:$gcs_port/storage/v1/b/state/o/${1//\//%2F}" |
		jq -r .generation
}

# What the store was asked since the last call, in short: read and list, make
# and remove of the lock, or store.
asked() {
	local all line
	all=$(requests gcs_proxy) || return 1
	[ -n "$all" ] || return 1
	while read -r line; do
		case $line in
		'GET /state/'*.tfstate*) echo read ;;
		'GET /state/'*.tflock*) echo look ;;
		'GET /storage/v1/b/state/o?'*) echo list ;;
		POST*ifGenerationMatch=0*.tflock*) echo lock ;;
		POST*.tfstate*) echo store ;;
		DELETE*.tflock*ifGenerationMatch=*) echo unlock ;;
		*) echo "$line" ;;
		esac
	done <<<"$all" | tr '\n' ' '
}

# Holds the lock until it is killed, as $holder; $id is the lock's.
hold() {
	tf-state with-lock -- sh -c \
		'echo >held; exec tf-state with-lock -lock=false -- sleep 60' 3>&- &
	holder=$!
	until [ -e held ]; do sleep 0.05; done
	id=$(generation a/b/default.tflock)
}

# bats test_tags=once
@test "init, plan, apply and output ask less often than OpenTofu" {
	run -0 tf init -no-color
	[[ $output == *'Successfully configured the backend "gcs"!'* ]]
	asked
	run -0 tf plan -no-color
	[ "$(asked)" = 'lock read unlock ' ]
	run -0 tf apply -auto-approve -no-color
	[ "$(asked)" = 'lock read store unlock ' ]
	run -0 tf output -raw o
	[ "$output" = one ]
	[ "$(asked)" = 'read ' ]
	run -0 tf state list
	[ "$(asked)" = 'read ' ]
	[ "$(stored default -r .outputs.o.value)" = one ]
	run -0 tf destroy -auto-approve
	[ "$(asked)" = 'lock read store unlock ' ]
	free
}

# bats test_tags=once
@test "a request has the token, a type, and what shows that it is whole" {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	jq -e -s 'all(.headers.authorization == "Bearer tok3n")' \
		"$gcs_proxy_dir/requests.jsonl"
	jq -r -s 'map(select(.method == "POST" and (.path | test("tfstate"))))[-1].body' \
		"$gcs_proxy_dir/requests.jsonl" >body
	grep -q '"md5Hash":"[A-Za-z0-9+/=]\{24\}"' body
	grep -q 'text/plain; charset=utf-8' body
	[ "$(curl -s "http://127.0.0.1:$gcs_port/storage/v1/b/state/o/a%2Fb%2Fdefault.tfstate" |
		jq -r .contentType)" = 'text/plain; charset=utf-8' ]
}

# bats test_tags=once
@test "what one program writes the other goes on with, and so with workspaces" {
	gone_on_with
	workspaces_gone_on_with
	run -22 object a/b/theirs.tfstate
	run -22 object a/b/theirs.tflock
}

# bats test_tags=once
@test "a lock that another holds is told with its generation, and can be forced" {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	hold
	run -1 other plan
	[[ $output == *'Error acquiring the state lock'*"$id"* ]]
	run -1 tf plan -no-color
	[[ $output == *'Error acquiring the state lock'*'writing "gs://state/a/b/default.tflock" failed:'* ]]
	[[ $output == *"ID:        $id"*'Who: '* ]]
	run -1 tf plan -no-color -lock-timeout=1s
	[[ $output == *"$id"* ]]
	run -1 tf force-unlock -force x
	[[ $output == *"Lock ID should be numerical value, got 'x'"* ]]
	run -0 other force-unlock -force "$id"
	run -0 tf plan
	kill "$holder"
	wait "$holder" || true
	run -1 tf force-unlock -force "$id"
	[[ $output == *"storage: object doesn't exist"* ]]
}

# bats test_tags=once
@test "a lock of the other program's is seen, and our force-unlock removes it" {
	tf init >/dev/null
	other init
	cat >>main.tf <<-'TF'
		resource "terraform_data" "slow" {
		  provisioner "local-exec" { command = "sleep 30" }
		}
	TF
	setsid bash -c "$(declare -f other); other apply -auto-approve" \
		>first 2>&1 3>&- &
	first=$!
	until object a/b/default.tflock >/dev/null; do sleep 0.05; done
	run -1 tf apply -auto-approve -no-color
	id=$(generation a/b/default.tflock)
	[[ $output == *'Error acquiring the state lock'*"$id"*OperationTypeApply* ]]
	pkill -KILL -s "$first"
	wait "$first" || true
	run -0 tf force-unlock -force "$id"
	free
}

@test "each program waits for the other's lock, and pushes nothing older" {
	config '${var.v}' >main.tf
	echo 'variable "v" { default = "1" }' >>main.tf
	both_programs 'OperationTypeApply'
}

# bats test_tags=once
@test "two writers: one wins, the other says who holds the lock; without locks, too" {
	cat >>main.tf <<-'TF'
		resource "terraform_data" "slow" {
		  provisioner "local-exec" { command = "sleep 3" }
		}
	TF
	tf init >/dev/null
	cp -r . ../second
	mv ../second second
	tf apply -auto-approve >first 2>&1 3>&- &
	first=$!
	until object a/b/default.tflock >/dev/null; do sleep 0.05; done
	cd second
	run -1 tf apply -auto-approve -no-color
	[[ $output == *'Error acquiring the state lock'*OperationTypeApply* ]]
	sed -i 's/sleep 3/true/' main.tf
	run -0 tf apply -auto-approve -no-color -lock=false
	cd ..
	status=0
	wait "$first" || status=$?
	[ "$status" = 1 ]
	grep 'another program has stored the state since it was read' first
	[ -e errored.tfstate ]
	free
}

# bats test_tags=once
@test "wherever a connection is cut, the state or errored.tfstate has it, and no lock stays" {
	cut_everywhere gcs_proxy 'POST *tflock*' 'GET *' 'POST *tfstate*' 'DELETE *'
}

# bats test_tags=once
@test "what is refused ends with an error, what is slow with a result, and no lock stays" {
	refused_and_slow gcs_proxy 'POST *tflock*' 'GET *'
}

@test "a store that never answers leaves errored.tfstate, which can be pushed" {
	never_stored gcs_proxy 'POST *tfstate*' '{\"error\":{\"message\":\"no\"}}'
}

@test "an answer to a lock or an unlock that never comes leaves no lock behind" {
	tf init >/dev/null
	for match in 'POST *tflock*' 'DELETE *'; do
		faults gcs_proxy "{\"match\":\"$match\",\"times\":9,\"do\":\"lose\"}"
		run -0 tf plan -no-color
		faults gcs_proxy
		free
	done
	# nobody knows its generation
	faults gcs_proxy '{"times":20,"do":"lose"}'
	run -1 tf plan -no-color
	faults gcs_proxy
	id=$(sed -n 's/.*force-unlock //p' <<<"$output")
	run -1 tf plan -no-color
	[[ $output == *'Error acquiring the state lock'* ]]
	run -1 tf force-unlock -force "$id-not"
	run -0 tf force-unlock -force "$id"
	free
	faults gcs_proxy '{"match":"DELETE *","times":9,"do":"refuse"}'
	run -1 tf apply -auto-approve -no-color
	[[ $output == *'Error releasing the state lock'*'force-unlock '[0-9]* ]]
	faults gcs_proxy
	id=$(generation a/b/default.tflock)
	[[ $output == *"force-unlock $id"* ]]
	run -0 tf force-unlock -force "$id"
	run -0 tf plan -detailed-exitcode
}

@test "a key of the customer goes with the state, and with no lock" {
	key=$(printf 0%.0s {1..32} | base64)
	echo "$key" >key
	export GOOGLE_ENCRYPTION_KEY=$PWD/key
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	jq -e -s --arg key "$key" 'map(select(.path | test("tfstate"))) |
		length > 1 and all(.headers | ."x-goog-encryption-algorithm" == "AES256" and
		."x-goog-encryption-key" == $key and
		."x-goog-encryption-key-sha256" == "hODA6vqpWjTCk/J4rFLkXOU3urXnUqAOaVmhOuEDtlo=")' \
		"$gcs_proxy_dir/requests.jsonl"
	run -1 grep -c 'tflock.*x-goog-encryption' "$gcs_proxy_dir/requests.jsonl"
	run -1 grep -r "$key" .terraform
	config two 'kms_encryption_key = "k"' >main.tf
	run -1 tf init -reconfigure -no-color
	[[ $output == *'conflicts with'*'kms_encryption_key'* ]]
	unset GOOGLE_ENCRYPTION_KEY
	run -0 tf init -reconfigure
	rm "$gcs_proxy_dir/requests.jsonl"
	tf apply -auto-approve >/dev/null
	grep -q 'kmsKeyName=k&name=a%2Fb%2Fdefault.tfstate' "$gcs_proxy_dir/requests.jsonl"
	run -1 grep -c 'tflock.*kmsKeyName' "$gcs_proxy_dir/requests.jsonl"
}

# bats test_tags=once
@test "what cannot be is said by init" {
	for row in 'bucket = null|required' 'encryption_key = "x"|base64' \
		'storage_custom_endpoint = "ftp://x"|http' 'odd = 1|Unsupported argument' \
		'credentials = "{"|neither JSON nor the path'; do
		if [[ $row = credentials* ]]; then unset GOOGLE_OAUTH_ACCESS_TOKEN; fi
		printf 'terraform {\n  backend "gcs" {\n    %s\n    %s\n  }\n}\n' \
			"$([[ $row == bucket* ]] || echo 'bucket = "state"')" \
			"${row%|*}" >main.tf
		run -1 tf init -no-color
		[[ $output == *"${row#*|}"* ]] || { echo "$row: $output"; false; }
		[ ! -e .terraform/terraform.tfstate ]
	done
	config one >main.tf
	echo '{"type":"odd"}' >"$PWD/c.json"
	GOOGLE_CREDENTIALS=$PWD/c.json run -1 tf init -no-color
	[[ $output == *'"odd" are not supported'* ]]
}

@test "the machine has a token" {
	unset GOOGLE_OAUTH_ACCESS_TOKEN
	start_store
	echo '[{"match":"GET /computeMetadata/*","times":99,"status":200,
		"body":"{\"access_token\":\"m4chine\",\"expires_in\":3600}"}]' \
		>"$store_dir/answers.json"
	export GCE_METADATA_HOST=127.0.0.1:$store_port
	run -0 tf init -no-color
	run -0 tf apply -auto-approve
	jq -e -s 'all(.headers.authorization == "Bearer m4chine")' \
		"$gcs_proxy_dir/requests.jsonl"
	head -n 1 "$store_dir/requests.jsonl" | jq -e '.path |
		startswith("/computeMetadata/v1/instance/service-accounts/default/token?scopes=")'
	jq -e -s '.[0].headers | with_entries(.key |= ascii_downcase) |
		."metadata-flavor" == "Google"' "$store_dir/requests.jsonl"
}

@test "states are moved by one token" {
	unset GOOGLE_OAUTH_ACCESS_TOKEN
	start_store
	echo '[{"match":"GET /computeMetadata/*","times":99,"status":200,
		"body":"{\"access_token\":\"m4chine\",\"expires_in\":3600}"}]' \
		>"$store_dir/answers.json"
	export GCE_METADATA_HOST=127.0.0.1:$store_port
	moved_as_one grep -c computeMetadata "$store_dir/requests.jsonl"
}

@test "an account is acted for, by way of others" {
	local one
	net_hosts=iamcredentials.googleapis.com
	serve
	unset HTTP_PROXY
	rules '{"at": "iamcredentials.googleapis.com/*", "token": "tok3n",
		"body": "{\"accessToken\": \"act5\", \"expireTime\": \"2099-01-01T00:00:00Z\"}"}'
	for one in 'impersonate_service_account = "to@p"' ''; do
		config one "$one" 'impersonate_service_account_delegates = ["by@p", "way@p"]' >main.tf
		for one in tf other; do
			rm -rf .terraform "$gcs_proxy_dir/requests.jsonl"
			run -0 "$one" init
			run -0 "$one" plan
			jq -e -s 'all(.headers.authorization == "Bearer act5")' \
				"$gcs_proxy_dir/requests.jsonl"
			jq -c '[.delegates, .scope]' "$net/sent" >>sent
		done
		export GOOGLE_IMPERSONATE_SERVICE_ACCOUNT=to@p
	done
	[ "$(sort -u sent)" = '[["projects/-/serviceAccounts/by@p","projects/-/serviceAccounts/way@p"],["https://www.googleapis.com/auth/devstorage.read_write"]]' ]
	run -1 grep -vE '^POST iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/to(@|%40)p:generateAccessToken Bearer tok3n' "$net/log"
}

@test "a token that expires is renewed in the middle of an apply" {
	unset GOOGLE_OAUTH_ACCESS_TOKEN
	start_store
	token() {
		echo '[{"match":"GET /computeMetadata/*","times":99,"status":200,
			"body":"{\"access_token\":\"'"$1"'\",\"expires_in\":3600}"}]' \
			>"$store_dir/answers.json"
		faults gcs_proxy "{\"unless\":\"Bearer $1\",\"times\":99,\"do\":\"answer\",\"status\":401}"
	}
	export GCE_METADATA_HOST=127.0.0.1:$store_port
	token first
	tf init >/dev/null
	slow_apply tf
	token second
	touch go
	wait "$slow" || { cat slow.out; false; }
	without_slow
	jq -e -s 'any(.status == 401)' "$gcs_proxy_dir/requests.jsonl"
	[ "$(stored default -r .outputs.o.value)" = one ]
	free
}

@test "an emulator is asked without a token" {
	unset GOOGLE_OAUTH_ACCESS_TOKEN GOOGLE_STORAGE_CUSTOM_ENDPOINT
	export STORAGE_EMULATOR_HOST=127.0.0.1:$gcs_proxy_port
	run -0 tf init
	run -0 tf apply -auto-approve
	jq -e -s 'all(.headers.authorization == null)' "$gcs_proxy_dir/requests.jsonl"
	[ "$(stored default -r .outputs.o.value)" = one ]
}

@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}

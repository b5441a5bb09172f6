#!/usr/bin/env bats
# backend-azurerm.bats - state in Azure's blob storage, beside OpenTofu's where
# that is there

load common
load modules
load servers
load backend

setup_file() {
	no_clouds
	start_server azurite
}

teardown_file() {
	stop_servers
}

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD/home
	mkdir "$HOME"
	empty_server azurite
	start_proxy azurite
	touch "$azurite_proxy_dir/tls"
	export HTTPS_PROXY=http://127.0.0.1:$azurite_proxy_port
	export SSL_CERT_FILE=$azurite_dir/ca.pem
	ARM_ACCESS_KEY=$(printf 'a key of the tests, 32 bytes it is' | base64)
	export ARM_ACCESS_KEY
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
		  backend "azurerm" {
		    storage_account_name = "tests"
		    container_name       = "state"
		    key                  = "a/state.tfstate"
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

# What the store was asked since the last call, in short.
asked() {
	local all line
	all=$(requests azurite_proxy) || return 1
	[ -n "$all" ] || return 1
	while read -r line; do
		case $line in
		'GET /state?comp=list'*) echo list ;;
		'GET /state/'*) echo read ;;
		'HEAD /state/'*) echo look ;;
		'PUT /state/'*comp=lease*) echo lease ;;
		'PUT /state/'*comp=metadata*) echo info ;;
		'PUT /state/'*comp=snapshot*) echo snapshot ;;
		'PUT /state/'*) echo store ;;
		*) echo "$line" ;;
		esac
	done <<<"$all" | tr '\n' ' '
}

# Nobody holds the lock.
free() {
	run -0 tf plan -no-color -lock=true
}

# Holds the lock until it is killed, as $holder; $id is the lock's.
hold() {
	tf-state with-lock -- sh -c \
		'echo "$TFPIPE_LOCK_TOKEN" >held; exec tf-state with-lock -lock=false -- sleep 60' 3>&- &
	holder=$!
	until [ -s held ]; do sleep 0.05; done
	read -r id <held
}

# bats test_tags=once
@test "init, plan, apply and output ask less often than OpenTofu" {
	run -0 tf init -no-color
	[[ $output == *'Successfully configured the backend "azurerm"!'* ]]
	asked
	run -0 tf apply -auto-approve -no-color
	# the first lock makes the blob
	[ "$(asked)" = 'look store lease info read look store look info lease ' ]
	run -0 tf plan -no-color
	[ "$(asked)" = 'look lease info read look info lease ' ]
	run -0 tf output -raw o
	[ "$output" = one ]
	[ "$(asked)" = 'read ' ]
	run -0 tf state list
	[ "$(asked)" = 'read ' ]
	run -0 tf plan -detailed-exitcode -lock=false
	[ "$(asked)" = 'read ' ]
	run -0 tf destroy -auto-approve
	[ "$(asked)" = 'look lease info read look store look info lease ' ]
}

# bats test_tags=once
@test "what one program writes the other goes on with, and so with workspaces" {
	gone_on_with
	workspaces_gone_on_with
}

@test "a lock that another holds is told, waited for, and can be forced" {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	other init
	hold
	run -1 other plan
	[[ $output == *'Error acquiring the state lock'*"$id"* ]]
	run -1 tf plan -no-color
	[[ $output == *'Error acquiring the state lock'*'state blob is already locked'* ]]
	[[ $output == *"ID:        $id"*'Who: '* ]]
	run -1 tf plan -no-color -lock-timeout=1s
	[[ $output == *"$id"* ]]
	run -1 tf force-unlock -force 12
	[[ $output == *'lock id "12" does not match existing lock'* ]]
	run -0 other force-unlock -force "$id"
	run -0 tf plan
	kill "$holder"
	wait "$holder" || true
	run -1 tf force-unlock -force "$id"
	[[ $output == *'blob metadata "terraformlockid" was empty'* ]]
}

# bats test_tags=once
@test "a lock of the other program's is seen, and our force-unlock removes it" {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	other init
	cat >>main.tf <<-'TF'
		resource "terraform_data" "slow" {
		  provisioner "local-exec" { command = "touch slow; sleep 30" }
		}
	TF
	setsid bash -c "$(declare -f other); other apply -auto-approve" \
		>first 2>&1 3>&- &
	first=$!
	until [ -e slow ]; do sleep 0.05; done
	run -1 tf apply -auto-approve -no-color
	[[ $output == *'Error acquiring the state lock'*OperationTypeApply* ]]
	id=$(sed -n 's/.*ID:  *\([-0-9a-f]\{36\}\)/\1/p' <<<"$output")
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
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	cat >>main.tf <<-'TF'
		resource "terraform_data" "slow" {
		  provisioner "local-exec" { command = "touch slow; sleep 3" }
		}
	TF
	cp -r . ../second
	mv ../second second
	tf apply -auto-approve -lock=false >first 2>&1 3>&- &
	first=$!
	until [ -e slow ]; do sleep 0.05; done
	cd second
	sed -i 's/touch slow; sleep 3/true/' main.tf
	run -0 tf apply -auto-approve -no-color
	cd ..
	status=0
	wait "$first" || status=$?
	[ "$status" = 1 ]
	grep 'error uploading blob: ' first
	[ -e errored.tfstate ]
	rm -f errored.tfstate .terraform/state-*.journal
	hold
	run -1 tf apply -auto-approve -no-color
	[[ $output == *'Error acquiring the state lock'* ]]
	run -1 tf apply -auto-approve -no-color -lock=false -replace=terraform_data.a
	[[ $output == *'error uploading blob: '* ]]
	kill "$holder"
	wait "$holder" || true
}

# bats test_tags=once
@test "wherever a connection is cut, the state or errored.tfstate has it, and no lock stays" {
	cut_everywhere azurite_proxy 'PUT *lease' 'PUT *metadata' 'GET *' 'HEAD *' \
		'PUT *tfstate'
}

# bats test_tags=once
@test "what is refused ends with an error, what is slow with a result, and no lock stays" {
	refused_and_slow azurite_proxy 'PUT *lease' 'GET *'
}

# bats test_tags=once
@test "a store that never answers leaves errored.tfstate, which can be pushed" {
	never_stored azurite_proxy 'PUT *tfstate'
}

@test "an answer to a lock or an unlock that never comes leaves no lock behind" {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	for match in 'PUT *lease' 'PUT *metadata'; do
		faults azurite_proxy "{\"match\":\"$match\",\"times\":99,\"do\":\"lose\"}"
		run -1 tf plan -no-color
		[[ $output == *'Error acquiring the state lock'* ]]
		faults azurite_proxy
		free
	done
}

@test "snapshots before each store, metadata of others, and keys of the customer" {
	config one 'snapshot = true' >main.tf
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	asked
	config two 'snapshot = true' >main.tf
	tf apply -auto-approve >/dev/null
	[ "$(asked)" = 'look lease info read snapshot look store look info lease ' ]
	key=$(printf 0%.0s {1..32} | base64)
	config three "customer_provided_key = \"$key\"" 'encryption_scope = "s"' >main.tf
	run -1 tf init -reconfigure -no-color
	[[ $output == *'conflicts with'*encryption_scope* ]]
	config three 'encryption_scope = "sc"' >main.tf
	tf init -reconfigure >/dev/null
	asked
	tf apply -auto-approve >/dev/null
	jq -e -s 'map(select(.method == "PUT" and (.path | test("tfstate$"))))[-1].headers |
		."x-ms-encryption-scope" == "sc"' "$azurite_proxy_dir/requests.jsonl"
}

@test "what cannot be is said by init" {
	for row in 'storage_account_name = "A_b"|3 to 24' 'container_name = "a--b"|hyphens' \
		'environment = "x"|unknown environment identifier: x' 'odd = 1|Unsupported argument' \
		'access_key = "x"|not base64' 'timeout_seconds = -1|number of seconds' \
		'customer_provided_key = "YQ=="|1 bytes' 'key = null|required' \
		'client_certificate = "YQ=="|PKCS #12' \
		'client_secret_file_path = "none"|none, which cannot be read'; do
		config one "${row%|*}" >main.tf
		name=${row%% *}
		[ "$(grep -c "^ *$name " main.tf)" = 1 ] || sed -i "0,/^ *$name /{/^ *$name /d}" main.tf
		if [ "$name" = client_certificate ]; then
			unset ARM_ACCESS_KEY
			export ARM_USE_CLI=false ARM_TENANT_ID=t
		fi
		run -1 tf init -no-color
		flat
		[[ $output == *"${row#*|}"* ]] || { echo "$row: $output"; false; }
		[ ! -e .terraform/terraform.tfstate ]
	done
	config one 'use_cli = false' 'use_azuread_auth = true' >main.tf
	run -1 tf init -no-color
	flat
	[[ $output == *'No valid azure auth methods found: client certificate: '*'use_cli is false'* ]]
}

# Hosts of Azure's as net.bash has them; what the store was shown: shown WORDS
clouds() {
	unset ARM_ACCESS_KEY
	net_hosts='tests.blob.core.windows.net login.microsoftonline.com
		management.azure.com vouches.test'
	serve
	rules '{"at": "login.microsoftonline.com/t/oauth2/v2.0/token", "body": "{\"access_token\": \"l0gin\", \"expires_in\": 3600}"}' \
		'{"at": "management.azure.com/*", "body": "{\"keys\": [{\"value\": \"a2V5\"}]}"}' \
		'{"at": "vouches.test/*", "body": "{\"value\": \"gith0b\", \"oidcToken\": \"d3vops\"}"}' \
		'{"at": "tests.blob.core.windows.net/state", "body": "<x/>"}' \
		'{"at": "tests.blob.core.windows.net/*", "status": 404}'
}

shown() {
	: >"$net/log"
	run -0 tf init -no-color -reconfigure
	grep -q "GET tests.blob.core.windows.net/state/a%2Fstate.tfstate $1" "$net/log" || {
		cat "$net/log"
		return 1
	}
}

@test "tokens of an application: by its secret, by a certificate, by those who vouch for it" {
	clouds
	config one 'use_azuread_auth = true' >main.tf
	export ARM_TENANT_ID=t ARM_CLIENT_ID=c ARM_CLIENT_SECRET='s/1'
	shown 'Bearer l0gin'
	[ "$(cat "$net/sent")" = 'client_id=c&client_secret=s%2F1&grant_type=client_credentials&scope=https%3A%2F%2Fstorage.azure.com%2F.default' ]
	run -1 grep -r 's/1' .terraform
	# a certificate goes before a secret
	openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=c -days 2 -keyout key.pem \
		-out cert.pem 2>/dev/null
	openssl pkcs12 -export -inkey key.pem -in cert.pem -passout pass:pw -out c.pfx
	ARM_CLIENT_CERTIFICATE_PATH=$PWD/c.pfx ARM_CLIENT_CERTIFICATE_PASSWORD=pw \
		shown 'Bearer l0gin'
	grep -q 'client_assertion=[^&]*&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&' "$net/sent"
	sed 's/.*client_assertion=\([^&]*\)&.*/\1/' "$net/sent" >jwt
	cut -d . -f 1,2 jwt | tr -d '\n' >text
	{ cut -d . -f 3 jwt | tr -d '\n' | tr '_-' '/+'; echo ==; } | base64 -di >sum
	openssl x509 -in cert.pem -pubkey -noout >pub
	openssl dgst -sha256 -verify pub -signature sum text
	# a way whose files are of no use is passed over, and none is looked at for a key
	ARM_CLIENT_CERTIFICATE_PATH=none shown 'Bearer l0gin'
	grep -q 'client_secret=' "$net/sent"
	ARM_ACCESS_KEY=a2V5 ARM_CLIENT_ID_FILE_PATH=none shown 'SharedKey tests:'
	unset ARM_CLIENT_SECRET
	export ARM_USE_OIDC=true
	ARM_OIDC_TOKEN=t0ken shown 'Bearer l0gin'
	grep -q 'client_assertion=t0ken&' "$net/sent"
	echo f1le >file
	AZURE_FEDERATED_TOKEN_FILE=$PWD/file shown 'Bearer l0gin'
	grep -q 'client_assertion=f1le&' "$net/sent"
	export ACTIONS_ID_TOKEN_REQUEST_TOKEN=r3quest
	ACTIONS_ID_TOKEN_REQUEST_URL='https://vouches.test/x?y=1' shown 'Bearer l0gin'
	grep -q 'client_assertion=gith0b&' "$net/sent"
	grep -qF 'GET vouches.test/x?y=1&audience=api%3A%2F%2FAzureADTokenExchange Bearer r3quest' "$net/log"
	SYSTEM_OIDCREQUESTURI=https://vouches.test/d ARM_ADO_PIPELINE_SERVICE_CONNECTION_ID=conn \
		shown 'Bearer l0gin'
	grep -q 'client_assertion=d3vops&' "$net/sent"
	grep -qF 'POST vouches.test/d?api-version=7.1&serviceConnectionId=conn Bearer r3quest' "$net/log"
	unset ARM_USE_OIDC ARM_TENANT_ID ARM_CLIENT_ID
	echo w0rkload >file
	ARM_USE_AKS_WORKLOAD_IDENTITY=true AZURE_TENANT_ID=t AZURE_CLIENT_ID=c \
		AZURE_FEDERATED_TOKEN_FILE=$PWD/file shown 'Bearer l0gin'
	grep -q 'client_assertion=w0rkload&' "$net/sent"
}

# bats test_tags=once
@test "tokens of the machine and of az, signatures of others, and the key that is looked up" {
	clouds
	start_store
	echo '[{"match":"GET /msi*","times":99,"status":200,
		"body":"{\"access_token\":\"m4chine\",\"expires_in\":\"3600\"}"}]' \
		>"$store_dir/answers.json"
	config one 'use_azuread_auth = true' >main.tf
	ARM_USE_MSI=true IDENTITY_ENDPOINT=http://127.0.0.1:$store_port/msi IDENTITY_HEADER=h \
		shown 'Bearer m4chine'
	grep -q 'GET /msi?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com 200' "$store_dir/log"
	ARM_USE_MSI=true ARM_MSI_ENDPOINT=http://127.0.0.1:$store_port/msi MSI_SECRET=s \
		shown 'Bearer m4chine'
	grep -q 'GET /msi?api-version=2017-09-01&' "$store_dir/log"
	mkdir bin
	cat >bin/az <<-'SH'
		#!/bin/sh
		echo "$@" >>az.log
		case $2 in
		show) echo '{"id": "s0b"}' ;;
		*) echo '{"accessToken": "cl1", "expires_on": 4000000000}' ;;
		esac
	SH
	chmod +x bin/az
	PATH=$PWD/bin:$PATH shown 'Bearer cl1'
	grep -q 'account get-access-token -o json --resource https://storage.azure.com$' az.log
	config one 'resource_group_name = "g"' >main.tf
	PATH=$PWD/bin:$PATH shown 'SharedKey tests:'
	grep -q 'POST management.azure.com/subscriptions/s0b/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/tests/listKeys?api-version=[-0-9]* Bearer cl1' "$net/log"
	ARM_SAS_TOKEN='?sv=1&sig=s%2F' run -0 tf init -reconfigure
	grep -qF 'GET tests.blob.core.windows.net/state/a%2Fstate.tfstate?sv=1&sig=s%2F' "$net/log"
	config one >main.tf
	PATH=$PWD/bin:$PATH run -1 tf init -reconfigure -no-color
	flat
	[[ $output == *'Resource Group is empty'* ]]
}

# bats test_tags=once
@test "a token that has expired is renewed" {
	unset ARM_ACCESS_KEY
	start_store
	config one 'use_azuread_auth = true' >main.tf
	export ARM_USE_MSI=true IDENTITY_ENDPOINT=http://127.0.0.1:$store_port/msi IDENTITY_HEADER=h
	echo '[{"match":"GET /msi*","status":200,
		"body":"{\"access_token\":\"first\",\"expires_in\":\"3600\"}"},
		{"match":"GET /msi*","times":99,"status":200,
		"body":"{\"access_token\":\"second\",\"expires_in\":\"3600\"}"}]' \
		>"$store_dir/answers.json"
	faults azurite_proxy '{"unless":"Bearer second","times":99,"do":"answer","status":401}' \
		'{"times":99,"do":"answer","status":404}'
	run -1 tf init -no-color
	run -0 jq -r '"\(.status) \(.headers.authorization)"' "$azurite_proxy_dir/requests.jsonl"
	[ "${lines[0]}" = '401 Bearer first' ]
	[ "${lines[1]}" = '404 Bearer second' ]
}

# az, as what tokens come from that live for LIFE seconds; it counts them in calls.
short_tokens() {
	mkdir -p bin
	cat >bin/az <<-'SH'
		#!/bin/sh
		url() { base64 -w0 | tr '+/' '-_' | tr -d =; }
		n=$(($(cat calls 2>/dev/null || echo 0) + 1))
		echo $n >calls
		until=$(($(date +%s) + LIFE))
		token=$(printf '{"alg":"none"}' | url).$(printf '{"aud":"https://storage.azure.com","iss":"https://sts.windows.net/t/","iat":1,"nbf":1,"exp":%s,"n":%s}' \
			$until $n | url).c2ln
		printf '{"accessToken": "%s", "expires_on": %s}\n' "$token" $until
	SH
	chmod +x bin/az
	PATH=$PWD/bin:$PATH
}

# The numbers of the tokens of an apply that takes LIFE: by_token PATTERN-OF-QUERY
by_token() {
	rm -f "$azurite_proxy_dir/requests.jsonl"
	run -0 tf apply -auto-approve -no-color
	run -0 jq -r --arg q "$1" 'select(.method == "PUT" and (.path | endswith($q)))
		| .headers.authorization | split(".")[1] | gsub("-"; "+") | gsub("_"; "/")
		| @base64d | fromjson | .n' "$azurite_proxy_dir/requests.jsonl"
}

# bats test_tags=once
@test "states are moved by one token" {
	unset ARM_ACCESS_KEY
	short_tokens
	sed -i "s|calls|$PWD/calls|g" bin/az
	config one 'use_azuread_auth = true' >main.tf
	LIFE=3600 moved_as_one cat "$PWD/calls"
}

@test "tokens that expire are renewed in the middle of an apply" {
	unset ARM_ACCESS_KEY
	short_tokens
	config one 'use_azuread_auth = true' >main.tf
	cat >>main.tf <<-'TF'
		resource "terraform_data" "slow" {
		  triggers_replace = timestamp()
		  provisioner "local-exec" {
		    command = "sleep 5"
		  }
		}
	TF
	LIFE=3600 run -0 tf init -no-color
	# what takes the lock gives it back
	LIFE=3600 by_token '?comp=lease'
	[ "${lines[0]}" = "${lines[-1]}" ]
	# by their time
	LIFE=4 by_token '?comp=lease'
	[ "${lines[0]}" -lt "${lines[-1]}" ]
	# by what the service says, once
	faults azurite_proxy '{"match":"PUT /state/a%2Fstate.tfstate","do":"answer","status":401}'
	LIFE=3600 by_token /state/a%2Fstate.tfstate
	[ "${lines[0]}" -lt "${lines[-1]}" ]
	LIFE=3600 run -0 tf plan -no-color
}

@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}

#!/usr/bin/env bats
# backend-kubernetes.bats - states in secrets, of what stands in for Kubernetes
# (tests/servers/kubernetes.py, which OpenTofu takes for one)

load common
load servers
load backend

jq_itself

setup_file() {
	no_clouds
	start_fake kube kubernetes mtls
	export CHECKPOINT_DISABLE=1
}

teardown_file() {
	stop_servers
}

setup() {
	suffix=s$BATS_TEST_NUMBER
	cd "$BATS_TEST_TMPDIR"
	kubeconfig "$kube_port"
	configure
	rm -f "$kube_dir/token"
}

# kubeconfig PORT [LINE of the user...]
kubeconfig() {
	local line
	{
		cat <<-END
		apiVersion: v1
		kind: Config
		clusters:
		- name: c
		  cluster:
		    server: https://127.0.0.1:$1
		    certificate-authority: ca.pem
		users:
		- name: u
		  user:
		    client-certificate: $kube_dir/server.pem
		    client-key-data: $(base64 -w0 "$kube_dir/server.key")
		END
		for line in "${@:2}"; do
			printf '    %s\n' "$line"
		done
		cat <<-END
		contexts:
		- name: x
		  context: { cluster: c, user: u }
		- name: lost
		  context: { cluster: nowhere, user: u }
		current-context: x
		END
	} >config
	cp "$kube_dir/ca.pem" .
}

# configure [ARGUMENT...]
configure() {
	{
		printf 'terraform {\n  backend "kubernetes" {\n'
		printf '    %s\n' "secret_suffix = \"$suffix\"" "${@:-config_path = \"config\"}"
		printf '  }\n}\n'
		resource
	} >main.tf
}

api() { # PATH
	curl -sf --cacert "$kube_dir/ca.pem" --cert "$kube_dir/server.pem" \
		--key "$kube_dir/server.key" "https://127.0.0.1:$kube_port$1"
}

secret() {
	api "/api/v1/namespaces/default/secrets/tfstate-$1-$suffix"
}

lease() {
	api "/apis/coordination.k8s.io/v1/namespaces/default/leases/lock-tfstate-$1-$suffix"
}

locks() {
	lease default | jq '[.spec.holderIdentity // empty] | length'
}

asked() {
	jq -r '"\(.method) \(.path | sub(".*/namespaces/[^/]*/"; ""))"' \
		"$kube_dir/requests.jsonl"
	: >"$kube_dir/requests.jsonl"
}

# bats test_tags=once
@test "a state is a secret, gzipped and labelled, and so is each workspace" {
	configure 'config_path = "config"' 'labels = { team = "a" }'
	begin one
	[ "$(cli output -raw o)" = one ]
	[ "$(secret default | jq -r .data.tfstate | base64 -d | gzip -dc | jq -r .outputs.o.value)" = one ]
	[ "$(secret default | jq -cS .metadata.labels)" = "{\"app.kubernetes.io/managed-by\":\"terraform\",\"team\":\"a\",\"tfstate\":\"true\",\"tfstateSecretSuffix\":\"$suffix\",\"tfstateWorkspace\":\"default\"}" ]
	cli workspace new w >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(cli output -raw o)" = two ]
	[ "$(cli workspace list | tr -d ' \n')" = 'default*w' ]
	cli destroy -auto-approve >/dev/null
	cli workspace select default >/dev/null
	cli workspace delete w >/dev/null
	run -22 secret w
	run -22 lease w
	[ "$(cli output -raw o)" = one ]
}

# bats test_tags=once
@test "workspaces are listed in the order of their names, not of their secrets" {
	begin one
	cli workspace new w-0 >/dev/null
	cli workspace new w >/dev/null
	[ "$(cli workspace list | tr -d ' \n')" = 'default*ww-0' ]
}

# bats test_tags=once
@test "an apply asks no more than OpenTofu's" {
	begin one
	asked >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	asked >all
	[ "$(wc -l <all)" -le 8 ]
	cli plan >/dev/null
	[ "$(asked | wc -l)" -le 6 ]
	cli output >/dev/null
	[ "$(asked)" = "GET secrets/tfstate-default-$suffix" ]
}

# bats test_tags=once
@test "what others put into the secret stays" {
	begin one
	secret default | jq '.metadata.labels.mine = "yes" | .data.other = "eA=="' |
		curl -sf --cacert "$kube_dir/ca.pem" --cert "$kube_dir/server.pem" \
			--key "$kube_dir/server.key" -X PUT --data-binary @- \
			"https://127.0.0.1:$kube_port/api/v1/namespaces/default/secrets/tfstate-default-$suffix" >/dev/null
	cli apply -auto-approve -var v=two >/dev/null
	[ "$(secret default | jq -r '.metadata.labels.mine, .data.other' | tr '\n' ' ')" = 'yes eA== ' ]
	[ "$(cli output -raw o)" = two ]
}

# bats test_tags=once
@test "who held a lock that was forced away stores nothing over what came then" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our guard'
	configure "config_path = \"$PWD/config\""
	forced_away 'changed by another'
}

@test "what is stored is compared as it is kept: sealed, and before a journal" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our guard'
	kept='key_provider "pbkdf2" "k" {
	passphrase = "0123456789abcdef"
	iterations = 200000
	}
	method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
	state { method = method.aes_gcm.m }'
	TF_ENCRYPTION=$kept begin one
	TF_ENCRYPTION=$kept cli apply -auto-approve -var v=two >/dev/null
	[ "$(TF_ENCRYPTION=$kept cli output -raw o)" = two ]
	suffix=$suffix-plain
	start_fake plain kubernetes
	start_proxy plain
	cat >config <<-END
	clusters: [{ name: c, cluster: { server: "http://127.0.0.1:$plain_proxy_port" } }]
	contexts: [{ name: x, context: { cluster: c } }]
	current-context: x
	END
	configure
	cli init -input=false -reconfigure >/dev/null
	cli apply -auto-approve >/dev/null
	faults plain_proxy '{"match":"PUT */secrets/*","times":9,"do":"answer","status":403}'
	run -1 cli apply -auto-approve -var v=three
	faults plain_proxy
	run -0 cli state push errored.tfstate
	[ "$(cli output -raw o)" = three ]
	for what in GET PUT; do # the lease is not to be read, or not to be taken
		faults plain_proxy "{\"match\":\"$what */leases/*\",\"times\":9,\"do\":\"answer\",\"status\":403}"
		run -1 cli plan -no-color
		[[ $output == *'Error: Error acquiring the state lock'* ]]
	done
}

# bats test_tags=once
@test "a lock that is held is told with its holder" {
	begin one
	slow_apply "${TF_TEST_CLI-tf}"
	without_slow
	run -1 cli plan
	[[ $output == *'the state is already locked by another'* ]]
	[[ $output == *'OperationTypeApply'* ]]
	id=$(lease default | jq -r .spec.holderIdentity)
	[[ $output == *"ID:        $id"* ]]
	[ "$(cli output -raw o)" = one ]
	run -1 cli force-unlock -force other
	[[ $output == *'does not match'* ]]
	touch go
	wait "$slow"
	[ "$(locks)" = 0 ]
	run -1 cli force-unlock -force other
	[[ $output == *'already unlocked'* ]]
}

@test "kill -9 leaves a lock, which force-unlock takes" {
	begin one
	slow_apply "${TF_TEST_CLI-tf}"
	children=$(pgrep -P "$slow")
	kill -9 $children
	wait "$slow" || true
	touch go
	cli force-unlock -force "$(lease default | jq -r .spec.holderIdentity)" >/dev/null
	[ "$(locks)" = 0 ]
}

@test "who asks: tokens, passwords, programs; told to nobody" {
	echo sesame >"$kube_dir/token"
	run -1 cli init -input=false
	[[ $output == *Unauthorized* ]]
	kubeconfig "$kube_port" 'token: sesame'
	begin one
	kubeconfig "$kube_port"
	configure 'config_path = "config"' 'token = "sesame"'
	cli init -input=false -reconfigure >/dev/null
	[ "$(cli output -raw o)" = one ]
	printf u:hidden | base64 >"$kube_dir/token"
	kubeconfig "$kube_port" 'username: u' 'password: hidden'
	configure
	run -0 cli init -input=false -reconfigure
	[[ $output != *hidden* ]]
	echo fromprogram >"$kube_dir/token"
	cat >plugin <<-'END'
	#!/bin/sh
	case $KUBERNETES_EXEC_INFO in
	*client.authentication.k8s.io/v1*) ;;
	*) exit 1 ;;
	esac
	echo "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"from$1$PART\"}}"
	END
	chmod +x plugin
	kubeconfig "$kube_port" 'exec:' '  apiVersion: client.authentication.k8s.io/v1' \
		'  command: ./plugin' '  args: [prog]' '  interactiveMode: Never' \
		'  env: [{ name: PART, value: ram }]'
	[ "$(cli output -raw o)" = one ]
	kubeconfig "$kube_port"
	configure 'config_path = "config"' 'exec {' \
		'  api_version = "client.authentication.k8s.io/v1"' \
		"  command = \"$PWD/plugin\"" '  args = ["prog"]' \
		'  env = { PART = "ram" }' '}'
	cli init -input=false -reconfigure >/dev/null
	[ "$(cli output -raw o)" = one ]
	[ -z "${PART-}${KUBERNETES_EXEC_INFO-}" ]
	sed -i 's/status/nothing/' plugin
	run -1 cli output
	[[ ${output//$'\n'/ } == *credentials* || $output == *token* ]]
}

@test "states are moved by what a program has said once" {
	[ -z "${TF_TEST_CLI-}" ] || skip "OpenTofu does not come to a program beside a certificate"
	echo fromprogram >"$kube_dir/token"
	cat >plugin <<-END
	#!/bin/sh
	echo >>$PWD/calls
	echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"fromprogram"}}'
	END
	chmod +x plugin
	kubeconfig "$kube_port" 'exec:' '  apiVersion: client.authentication.k8s.io/v1' \
		"  command: $PWD/plugin" '  interactiveMode: Never'
	configure
	moved_as_one grep -c '' "$PWD/calls"
}

# Applies while the token that is asked for changes: an apply whose time is longer
# than a token's.
outlived() {
	slow_apply tf
	without_slow
	echo later >"$kube_dir/token"
	echo later >current
	touch go
	wait "$slow" || { cat slow.out; return 1; }
	run -0 cli plan -detailed-exitcode -target terraform_data.a
	run -0 jq -r 'select(.status == 401) | .path' "$kube_dir/requests.jsonl"
	[ -n "$output" ]
	rm -f go begun
}

@test "tokens that expire are renewed in the middle of an apply" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our program is slow enough'
	echo first >"$kube_dir/token"
	echo first >current
	cat >plugin <<-'END'
	#!/bin/sh
	echo "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"$(cat "$1")\"}}"
	END
	chmod +x plugin
	kubeconfig "$kube_port" 'exec:' '  apiVersion: client.authentication.k8s.io/v1' \
		'  command: ./plugin' "  args: [$PWD/current]" '  interactiveMode: Never'
	begin one
	outlived
	echo first >"$kube_dir/token"
	echo first >current
	kubeconfig "$kube_port" 'tokenFile: current'
	cli apply -auto-approve >/dev/null
	: >"$kube_dir/requests.jsonl"
	outlived
}

@test "contexts, several files, and what is wrong with them" {
	configure 'config_path = "config"' 'config_context = "lost"'
	run -1 cli init -input=false
	[[ ${output//$'\n'/ } == *'cluster "nowhere" does not exist'* ]]
	configure 'config_path = "config"' 'config_context = "none"'
	run -1 cli init -input=false
	[[ ${output//$'\n'/ } == *'context "none" does not exist'* ]]
	configure 'config_path = "config"' 'config_context = "lost"' 'config_context_cluster = "c"'
	cli init -input=false >/dev/null
	echo 'current-context: x' >first
	configure 'config_paths = ["first", "config"]'
	cli init -input=false -reconfigure >/dev/null
	suffix=Bad_ configure
	run -1 cli init -input=false -reconfigure
	[[ $output == *invalid* ]]
	if ours; then
		configure 'namespace = "n"'
		run -1 cli init -input=false -reconfigure
		[[ ${output//$'\n'/ } == *'no configuration has been provided'* ]]
	fi
}

# bats test_tags=once
@test "what one program writes the other reads, and each sees the other's lock" {
	both_programs 'already locked by another'
}

# bats test_tags=once
@test "each program takes the lock of the other away" {
	configure "config_path = \"$PWD/config\""
	taken_away 'changed by another'
}

# bats test_tags=once
@test "wherever the connection is cut, the state is stored or kept" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	start_fake plain kubernetes
	start_proxy plain
	cat >config <<-END
	clusters: [{ name: c, cluster: { server: "http://127.0.0.1:$plain_proxy_port" } }]
	contexts: [{ name: x, context: { cluster: c } }]
	current-context: x
	END
	begin one
	rm -f "$plain_proxy_dir/requests.jsonl"
	cli apply -auto-approve -var v=0 >/dev/null
	total=$(wc -l <"$plain_proxy_dir/requests.jsonl")
	[ "$total" -gt 5 ]
	locks() {
		curl -sf "http://127.0.0.1:$plain_port/apis/coordination.k8s.io/v1/namespaces/default/leases/lock-tfstate-default-$suffix" |
			jq '[.spec.holderIdentity // empty] | length'
	}
	every_fault plain_proxy "$total"
}

@test "the API server's certificate has the name that the kubeconfig says" {
	kubeconfig "$kube_port"
	sed -i '/certificate-authority/a \    tls-server-name: localhost' config
	begin one
	[ "$(cli output -raw o)" = one ]
	sed -i 's/tls-server-name: localhost/tls-server-name: other.test/' config
	run -1 cli output
	[[ $output == *other.test* ]]
}

# bats test_tags=once
@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}

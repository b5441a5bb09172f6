#!/usr/bin/env bats
# backend-s3.bats - states in S3: moto (locks, tables), versitygw (signatures)
#
# With TF_TEST_CLI=tofu what is not about us alone is a reference.  Where tofu is
# there, states and locks go between both.

load common
load servers

setup_file() {
	no_clouds
	start_server moto
	start_proxy moto
	export servers_top
}

teardown_file() {
	stop_servers
}

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
	unset TF_PLUGIN_CACHE_DIR
	export CHECKPOINT_DISABLE=1 AWS_ACCESS_KEY_ID=tests AWS_SECRET_ACCESS_KEY=testsecret
	export AWS_REGION=us-east-1
	key=$BATS_TEST_NUMBER/one
	rm -f "$moto_proxy_dir/faults.json" "$moto_proxy_dir/requests.jsonl"
	configure
}

# configure ARGUMENT...: a configuration whose state is in moto, seen through the
# proxy, at a key of the test's own.
configure() {
	{
		cat <<-END
		terraform {
		  backend "s3" {
		    bucket         = "state"
		    key            = "$key"
		    endpoints      = {
		      s3       = "http://127.0.0.1:$moto_proxy_port"
		      dynamodb = "http://127.0.0.1:$moto_proxy_port"
		      sts      = "http://127.0.0.1:$moto_proxy_port"
		      iam      = "http://127.0.0.1:$moto_proxy_port"
		    }
		END
		printf '    %s\n' "$@"
		cat <<-'END'
		  }
		}
		variable "v" { default = "1" }
		resource "terraform_data" "a" { input = var.v }
		output "o" { value = terraform_data.a.output }
		END
	} >main.tf
}

# What is in the bucket: stored KEY
stored() {
	curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user tests:testsecret \
		"http://127.0.0.1:$moto_port/state/$1"
}

# What an item of the table has: item ID
item() {
	curl -s "http://127.0.0.1:$moto_port/" \
		-H 'X-Amz-Target: DynamoDB_20120810.GetItem' \
		-H 'Content-Type: application/x-amz-json-1.0' \
		-H 'Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0' \
		-d "$(jq -n --arg id "$1" '{TableName: "locks", Key: {LockID: {S: $id}}}')"
}

both='use_lockfile = true
dynamodb_table = "locks"'

@test "a state is made, changed and read, in the requests that OpenTofu makes or fewer" {
	run -0 cli init -no-color
	requests moto_proxy >/dev/null
	run -0 cli apply -auto-approve -no-color
	requests moto_proxy >asked
	cat asked
	[ "$(wc -l <asked)" -le 5 ]
	stored "$key" | jq -e '.outputs.o.value == "1" and .serial == 1'
	run -0 cli plan -no-color -var v=2
	requests moto_proxy >asked
	cat asked
	[ "$(wc -l <asked)" -le 4 ]
	run -0 cli apply -auto-approve -no-color -var v=2
	requests moto_proxy >asked
	cat asked
	[ "$(wc -l <asked)" -le 6 ]
	stored "$key" | jq -e '.outputs.o.value == "2"'
	run -0 cli output -raw o
	[ "$output" = 2 ]
	run -0 cli state list
	[ "$output" = terraform_data.a ]
	[ ! -e terraform.tfstate ]
}

# --- locks ---

# What holds the lock while the rest runs: an apply that waits for a file.
hold() { # PROGRAM
	cat >held.tf <<-'END'
	resource "terraform_data" "held" {
	  triggers_replace = timestamp()
	  provisioner "local-exec" {
	    command = "touch begun; while [ ! -e go ]; do sleep 0.1; done"
	  }
	}
	END
	rm -f begun go
	timeout 60 "$1" apply -auto-approve -no-color >held.out 2>&1 3>&- &
	holder=$!
	for _ in $(seq 300); do
		[ ! -e begun ] || return 0
		sleep 0.1
	done
	cat held.out
	return 1
}

let_go() {
	touch go
	wait "$holder"
	rm -f held.tf
}

# Who is there: tf, and tofu where it is.
programs=("${TF_TEST_CLI-tf}")
if [ -z "${TF_TEST_CLI-}" ] && command -v tofu >/dev/null; then
	programs=(tf tofu)
fi

# locked PROGRAM: it is told who holds the lock, and what with.
locked() {
	local id
	run -1 timeout 60 "$1" plan -no-color -input=false
	[[ $output = *'Error acquiring the state lock'*'Lock Info:'*"state/$key"*OperationTypeApply* ]]
	id=$(sed -n 's/^  ID: *//p' <<<"$output")
	run -1 timeout 60 "$1" force-unlock -force -no-color not-"$id"
	[ "${#id}" = 36 ]
}

for_each_lock() { # FUNCTION
	local arguments
	for arguments in 'use_lockfile = true' 'dynamodb_table = "locks"' "$both"; do
		key=$key.x
		configure "$arguments"
		rm -rf .terraform
		run -0 cli init -no-color -reconfigure
		"$1" "$arguments"
	done
}

locks_by() { # ARGUMENTS
	local one other
	for one in "${programs[@]}"; do
		hold "$one"
		for other in "${programs[@]}"; do
			locked "$other"
		done
		case $1 in *lockfile*)
			stored "$key.tflock" | jq -e '.Operation == "OperationTypeApply" and
				.Path == "state/'"$key"'" and (.ID | length) == 36 and has("Info")
				and has("Who") and has("Version") and has("Created")' ;;
		esac
		case $1 in *table*)
			item "state/$key" | jq -e '.Item.Info.S | fromjson |
				.Operation == "OperationTypeApply"' ;;
		esac
		let_go
		nobody_holds_it
	done
}

@test "a lock of either kind, or both, is seen by who asks, whoever holds it" {
	for_each_lock locks_by
}

# A lock that its holder has left behind.
leave_a_lock() { # PROGRAM
	hold "$1"
	kill -9 -- "-$holder" # timeout has made it a group
	wait "$holder" || [ $? -gt 128 ]
	rm -f held.tf
}

@test "a lock that was left behind is removed by its ID alone, whoever left it" {
	local one other id
	configure "$both"
	run -0 cli init -no-color
	for one in "${programs[@]}"; do
		for other in "${programs[@]}"; do
			leave_a_lock "$one"
			id=$(stored "$key.tflock" | jq -r .ID)
			run -1 "$other" force-unlock -force -no-color 12345678-1234-1234-1234-123456789012
			stored "$key.tflock" | jq -e '.ID == "'"$id"'"'
			run -0 "$other" force-unlock -force -no-color "$id"
			run -22 stored "$key.tflock"
			[ "$(item "state/$key")" = '{}' ]
		done
	done
}

@test "where the second lock is another's the first is given back" {
	configure 'dynamodb_table = "locks"'
	run -0 cli init -no-color
	hold "${TF_TEST_CLI-tf}"
	mkdir other
	cd other
	configure "$both"
	run -0 cli init -no-color
	run -1 cli plan -no-color -input=false
	run -22 stored "$key.tflock"
	cd ..
	let_go
	cd other
	run -0 cli plan -no-color -input=false
}

# --- answers that are lost ---

# How many requests a fault has met since this was asked last.
suffered() {
	jq -s 'map(select(.fault.do == "lose")) | length' "$moto_proxy_dir/requests.jsonl"
	rm -f "$moto_proxy_dir/requests.jsonl"
}

nobody_holds_it() {
	run -22 stored "$key.tflock"
	[ "$(item "state/$key")" = '{}' ]
}

# The answer to the Nth POST of the next command is lost.
lose_post() { # N
	local i skip=
	for i in $(seq 2 "$1"); do
		skip="$skip{\"match\": \"POST /\", \"do\": \"stall\", \"seconds\": 0, \"i\": $1$i},"
	done
	faults moto_proxy "$skip{\"match\": \"POST /\", \"do\": \"lose\", \"i\": $1}"
}

@test "a lock whose answer was lost is ours, and is given back" {
	local match n
	configure "$both" 'max_retries = 2'
	run -0 cli init -no-color
	for match in 'PUT *.tflock' 'DELETE *.tflock'; do
		faults moto_proxy "{\"match\": \"$match\", \"do\": \"lose\"}"
		run -0 cli apply -auto-approve -no-color -var "v=$match"
		[ "$(suffered)" = 1 ]
		stored "$key" | jq -e --arg v "$match" '.outputs.o.value == $v'
		nobody_holds_it
	done
	# each request to the table in turn: the first is to STS
	for n in 2 3 4 5 6; do
		lose_post "$n"
		run -0 cli apply -auto-approve -no-color -var "v=$n"
		[ "$(suffered)" = 1 ]
		stored "$key" | jq -e --arg v "$n" '.outputs.o.value == $v'
		nobody_holds_it
	done
}

# --- names ---

# The same against versitygw, which checks signatures: strict KEY ARGUMENT...
strict() {
	key=$1
	moto_proxy_port=$versitygw_port configure 'use_lockfile = true' \
		'use_path_style = true' 'skip_credentials_validation = true' "${@:2}"
	rm -rf .terraform
	run -0 cli init -no-color -reconfigure
}

@test "any key and workspace is signed as it is, and read by the other program" {
	local k w one
	start_server versitygw
	for k in 'env:/w/key' 'a+b/c d' 'ü/é.tfstate' '%2F/%41' 'q?x=1&y#z[]' 'a=b&c;d,e$' \
		"(x)*'!@:~"; do
		strict "${k//\$/\$}"
		run -0 cli apply -auto-approve -no-color -var "v=$k"
		for one in "${programs[@]}"; do
			run -0 "$one" output -raw o
			[ "$output" = "$k" ]
		done
	done
	strict plain
	for w in a+b 'a@b:c=d' 'x&y' '~$'; do
		run -0 cli workspace new -no-color "$w"
		run -0 cli apply -auto-approve -no-color -var "v=$w"
		for one in "${programs[@]}"; do
			run -0 "$one" workspace list
			[[ $output = *"* $w"* ]]
			run -0 "$one" output -raw o
			[ "$output" = "$w" ]
		done
	done
	run -0 cli workspace select -no-color default
	run -0 cli workspace delete -no-color -force a+b
	run -0 cli workspace list
	[[ $output != *a+b* ]]
	ls "$versitygw_dir"/objects/state/env:/ >left
	run -1 grep -F a+b left
}

@test "a workspace begins with an empty state, under the prefix; pages are followed" {
	local i
	configure 'workspace_key_prefix = "p/q"'
	run -0 cli init -no-color
	run -0 cli workspace new -no-color w
	stored "p/q/w/$key" | jq -e '.serial == 1 and .resources == [] and (.lineage | length) == 36'
	run -0 cli workspace show
	[ "$output" = w ]
	for i in $(seq 1100); do
		printf 'url = "http://127.0.0.1:%s/state/p/q/w%s/%s"\n' "$moto_port" "$i" "$key"
		printf 'upload-file = "/dev/null"\noutput = "/dev/null"\nuser = "tests:testsecret"\naws-sigv4 = "aws:amz:us-east-1:s3"\nnext\n'
	done | sed '$d' >many
	curl -sf -Z --parallel-max 8 -K many
	run -0 cli workspace list
	[ "$(grep -c w <<<"$output")" = 1101 ]
	configure 'workspace_key_prefix = ""'
	rm -rf .terraform
	run -0 cli init -no-color -reconfigure; echo "$output"
	run -0 cli workspace new -no-color bare
	stored "bare/$key" | jq -e '.serial == 1'
}

@test "state commands, push and pull go between both programs" {
	local one other
	configure "$both"
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	for one in "${programs[@]}"; do
		for other in "${programs[@]}"; do
			run -0 "$one" state mv -no-color terraform_data.a terraform_data.b
			"$other" state pull >pulled
			jq -e '.resources[0].name == "b"' pulled
			jq -c '.serial += 1 | .resources[0].name = "a"' pulled >changed
			run -0 "$one" state push -no-color changed
			run -0 "$other" state list
			[ "$output" = terraform_data.a ]
			run -1 "$other" state push -no-color pulled
			nobody_holds_it
		done
	done
	# the digest is that of the text
	[ "$(item "state/$key-md5" | jq -r .Item.Digest.S)" = \
		"$(stored "$key" | md5sum | cut -d ' ' -f 1)" ]
}

@test "a text that is not the one stored last is waited for, then refused" {
	configure 'dynamodb_table = "locks"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	stored "$key" >first
	run -0 cli apply -auto-approve -no-color -var v=2
	stored "$key" >second
	# put back the first, and the second after some seconds
	put_object "$key" first
	(sleep 3 && put_object "$key" second) &
	run -0 cli output -raw o
	[ "$output" = 2 ]
	wait
	put_object "$key" first
	run -1 cli output -raw o
	flat
	[[ $output = *'state data in S3 does not have the expected content'*"$(md5sum <first | cut -d ' ' -f 1)"* ]]
}

put_object() { # KEY FILE
	curl -sf -T "$2" --aws-sigv4 aws:amz:us-east-1:s3 --user tests:testsecret \
		-o /dev/null "http://127.0.0.1:$moto_port/state/$1"
}

flat() {
	output=$(tr -s '\n│ ' ' ' <<<"$output")
}

#!/usr/bin/env bats
# backend-s3.bats - states in S3: moto (locks, tables), versitygw (signatures)
#
# With TF_TEST_CLI=tofu what is not about us alone is a reference.  Where tofu is
# there, states and locks go between both.

load common
load servers
load backend

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
	if [ -n "${versitygw_dir-}" ]; then # as curl says it
		cat "$versitygw_dir/objects/state/$1" || return 22
		return
	fi
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

# bats test_tags=once
@test "a state is made, changed and read, in the requests that OpenTofu makes or fewer" {
	run -0 cli init -no-color
	requests moto_proxy >asked
	cat asked
	[ "$(grep -c '^POST / ' asked)" = 1 ] # who asks
	[ "$(wc -l <asked)" -le 4 ]
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

# bats test_tags=once
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

@test "each program waits for the other's locks, and pushes nothing older" {
	configure "$both"
	both_programs 'OperationTypeApply'
}

# bats test_tags=once
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
	[ -n "${versitygw_dir-}" ] || [ "$(item "state/$key")" = '{}' ]
}

# The answer to the Nth POST of the next command is lost.
lose_post() { # N
	local i skip=
	for i in $(seq 2 "$1"); do
		skip="$skip{\"match\": \"POST /\", \"do\": \"stall\", \"seconds\": 0, \"i\": $1$i},"
	done
	faults moto_proxy "$skip{\"match\": \"POST /\", \"do\": \"lose\", \"i\": $1}"
}

# bats test_tags=once
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

only_ours() {
	if ! ours; then
		skip 'it is about tf alone'
	fi
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

# bats test_tags=once
@test "any key and workspace is signed as it is, and read by the other program" {
	local k w one
	servers_top=$BATS_TEST_TMPDIR/servers
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

# bats test_tags=once
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

# bats test_tags=once
@test "a workspace whose deletion is refused in the middle can be deleted, and made again" {
	only_ours
	local at total
	configure 'dynamodb_table = "locks"' 'max_retries = 1'
	run -0 tf init -no-color
	run -0 tf workspace new -no-color w
	run -0 tf workspace select -no-color default
	total=$(last_request)
	run -0 tf workspace delete -no-color w
	total=$(($(last_request) - total))
	for at in $(seq "$total"); do
		run -0 tf workspace new -no-color -lock=false w
		run -0 tf apply -auto-approve -no-color -lock=false
		run -0 tf workspace select -no-color default
		faults moto_proxy '{"n": '"$(($(last_request) + at))"', "do": "answer", "status": 403}'
		tf workspace delete -no-color -force w || echo "refused at $at"
		faults moto_proxy
		tf workspace delete -no-color -force -lock=false w || echo "gone at $at"
		run -0 tf workspace new -no-color -lock=false w
		run -0 tf state list -no-color
		[ -z "$output" ]
		run -0 tf workspace select -no-color default
		run -0 tf workspace delete -no-color -lock=false w
	done
}

@test "state commands, push and pull go between both programs" {
	local one other
	configure "$both"
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	read_from_outside 1
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
	digest=$(stored "$key" | md5sum | cut -d ' ' -f 1)
	[ "${#digest}" = 32 ]
	[ "$(item "state/$key-md5" | jq -r .Item.Digest.S)" = "$digest" ]
}

# bats test_tags=once
@test "a text that is not the one stored last is waited for, then refused" {
	configure 'dynamodb_table = "locks"'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	stored "$key" >first
	run -0 cli apply -auto-approve -no-color -var v=2
	stored "$key" >second
	# put back the first, and the second after some seconds
	put_object "$key" first
	(sleep 3 && put_object "$key" second) 3>&- &
	later=$!
	run -0 cli output -raw o
	[ "$output" = 2 ]
	wait "$later"
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

# --- faults ---

# What must be so after an apply with v=$1 that a fault has met, whatever came of
# it: the new state is there, or it is in errored.tfstate and can be pushed.
nothing_is_lost() { # V
	if [ -e errored.tfstate ]; then
		jq -e --arg v "$1" '.outputs.o.value == $v' errored.tfstate
		run -0 tf state push errored.tfstate
		rm errored.tfstate
	elif [ "$status" -ne 0 ] && [[ $output != *'Apply complete'* ]]; then
		# it had not begun
		run -0 tf apply -auto-approve -no-color -var "v=$1"
	fi
	stored "$key" | jq -e --arg v "$1" '.outputs.o.value == $v'
	nobody_holds_it
}

last_request() {
	jq -s 'map(.n) | max' "$moto_proxy_dir/requests.jsonl"
}

# Applies, with the Nth request that it makes meeting a fault: meet N FAULT
meet() {
	faults moto_proxy "{\"n\": $(($(last_request) + $1)), \"times\": 9, $2}"
	run tf apply -auto-approve -no-color -var "v=$1$2"
	echo "$1 $2: $status $output"
	faults moto_proxy
	nothing_is_lost "$1$2"
}

# bats test_tags=once
@test "no fault of a request loses a state or leaves a lock of ours" {
	local n count kind kinds met
	only_ours
	kinds=('"do": "refuse"' '"do": "lose"' '"do": "answer", "status": 500'
		'"do": "answer", "status": 429' '"do": "answer", "status": 403'
		'"do": "stall", "seconds": 1' '"do": "cut-answer", "bytes": -1')
	configure "$both" 'max_retries = 2'
	run -0 tf init -no-color
	run -0 tf apply -auto-approve -no-color
	n=$(last_request)
	run -0 tf apply -auto-approve -no-color -var v=2
	count=$(($(last_request) - n))
	[ "$count" = 11 ]
	met=0
	for n in $(seq "$count"); do
		for kind in "${kinds[@]}"; do
			# of all of them a third, each time others
			((met++ % ${TF_TEST_FAULTS-3} == 0)) || continue
			meet "$n" "$kind"
		done
		meet "$n" "\"do\": \"cut-answer\", \"bytes\": $((RANDOM % 300))"
	done
	[ "$met" -gt 70 ]
}

# bats test_tags=once
@test "no request that is cut loses a state or leaves a lock of ours" {
	local n i
	only_ours
	# moto takes what it has of a request for the whole
	servers_top=$BATS_TEST_TMPDIR/servers
	start_server versitygw
	start_proxy versitygw
	moto_proxy_dir=$versitygw_proxy_dir
	moto_proxy_port=$versitygw_proxy_port configure 'use_lockfile = true' \
		'use_path_style = true' 'skip_credentials_validation = true' 'max_retries = 2'
	run -0 tf init -no-color
	run -0 tf apply -auto-approve -no-color
	for i in $(seq "${TF_TEST_CUTS-2}"); do
		for n in 1 2 3 4 5; do
			meet "$n" "\"do\": \"cut-request\", \"bytes\": $((RANDOM % 1500))"
			meet "$n" "\"do\": \"cut-answer\", \"bytes\": $((RANDOM % 600))"
		done
	done
	[ "$i" -ge 2 ]
}

@test "where no store gets through, the state is in errored.tfstate; push works later" {
	only_ours
	configure "$both" 'max_retries = 2'
	run -0 tf init -no-color
	run -0 tf apply -auto-approve -no-color
	faults moto_proxy "{\"match\": \"PUT /state/$key\", \"do\": \"answer\", \"status\": 503, \"times\": 99}"
	run -1 tf apply -auto-approve -no-color -var v=2
	flat
	[[ $output = *'Failed to save state'*errored.tfstate* ]]
	jq -e '.outputs.o.value == "2"' errored.tfstate
	nobody_holds_it
	faults moto_proxy
	run -0 tf state push errored.tfstate
	stored "$key" | jq -e '.outputs.o.value == "2"'
}

# bats test_tags=once
@test "a state whose digest was refused is recovered here, and pushed from elsewhere" {
	only_ours
	configure "$both" 'max_retries = 1'
	run -0 tf init -no-color
	run -0 tf apply -auto-approve -no-color
	for where in here elsewhere; do
		# the first PutItem with a digest, and what is tried after it
		faults moto_proxy '{"match": "POST /", "from": '"$(($(last_request) + 7))"', "times": 8, "do": "answer", "status": 403}'
		run -1 tf apply -auto-approve -no-color -var "v=$where"
		[[ $output = *'failed to store state MD5'* ]]
		faults moto_proxy
		id=$(sed -n 's/.*force-unlock //p' <<<"$output")
		[ -z "$id" ] || run -0 tf force-unlock -force "$id"
		if [ "$where" = elsewhere ]; then
			rm .terraform/state-*.journal
			run -0 tf state push errored.tfstate
		fi
		run -0 tf plan -detailed-exitcode -no-color -var "v=$where"
		stored "$key" | jq -e --arg v "$where" '.outputs.o.value == $v'
		rm errored.tfstate
	done
	nobody_holds_it
}

@test "of two writers at once one wins, by each lock" {
	local i
	for_each_lock at_once
}

at_once() {
	local i won=0 pids=()
	for i in 1 2 3 4; do
		rm -rf "w$i"
		mkdir "w$i"
		cp -r main.tf .terraform "w$i"
		cat >>"w$i/main.tf" <<-'END'
		resource "terraform_data" "slow" {
		  triggers_replace = timestamp()
		  provisioner "local-exec" {
		    command = "sleep 2"
		  }
		}
		END
		(cd "w$i" && timeout 60 "${TF_TEST_CLI-tf}" apply -auto-approve -no-color -var "v=w$i" >out 2>&1 3>&-) &
		pids+=($!)
	done
	for i in 1 2 3 4; do
		if wait "${pids[$((i - 1))]}"; then
			won=$((won + 1))
			stored "$key" | jq -e '.outputs.o.value == "w'"$i"'"'
		else
			run -0 grep -c 'Error acquiring the state lock' "w$i/out"
		fi
	done
	[ "$won" = 1 ]
	nobody_holds_it
}

# --- what is sent ---

# The headers of the last request that fits, without those of every request:
# headers 'METHOD PATH'
headers() {
	jq -rs --arg at "$1" 'map(select("\(.method) \(.path | sub("\\?.*"; ""))" == $at)) | last | .headers
		| to_entries | map({key: (.key | ascii_downcase), value}) | map(select(.key | test("^(x-amz-(server|acl|tagging|checksum|sdk)|content-type|if-)")))
		| sort_by(.key) | map("\(.key)=\(.value)") | .[]' "$moto_proxy_dir/requests.jsonl"
}

# bats test_tags=once
@test "encryption, ACL, tags and checksums are sent as OpenTofu sends them" {
	local sse=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
	configure 'use_lockfile = true' 'encrypt = true' 'acl = "private"' \
		'state_tags = { a = "b c", d = "x/y=z" }' 'lock_tags = { l = "" }'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	sum=$(stored "$key" | openssl dgst -sha256 -binary | base64)
	[ "$(headers "PUT /state/$key")" = "content-type=application/json
x-amz-acl=private
x-amz-checksum-sha256=$sum
x-amz-sdk-checksum-algorithm=SHA256
x-amz-server-side-encryption=AES256
x-amz-tagging=$(headers "PUT /state/$key" | sed -n 's/x-amz-tagging=//p')" ]
	run -0 headers "PUT /state/$key"
	[[ $output = *'x-amz-tagging=a=b'[+%]*'c&d=x%2Fy%3Dz'* ]]
	run -0 headers "PUT /state/$key.tflock"
	[[ $output = *'if-none-match=*'*'x-amz-acl=private'*'encryption=AES256'*'x-amz-tagging=l=' ]]
	configure 'encrypt = true' 'kms_key_id = "alias/mine"' 'skip_s3_checksum = true'
	run -0 cli init -no-color -reconfigure
	run cli apply -auto-approve -no-color -var v=2
	echo "$output"
	[ "$status" = 0 ]
	[ "$(headers "PUT /state/$key")" = 'content-type=application/json
x-amz-server-side-encryption=aws:kms
x-amz-server-side-encryption-aws-kms-key-id=alias/mine' ]
	key=$key.sse
	configure 'encrypt = true' "sse_customer_key = \"$sse\""
	run -0 cli init -no-color -reconfigure
	run -0 cli apply -auto-approve -no-color -var v=3
	run -0 headers "PUT /state/$key"
	[[ $output = *"customer-algorithm=AES256"*"customer-key=$sse"*'customer-key-md5='* ]]
	run -0 cli plan -no-color -var v=3
	run -0 headers "GET /state/$key"
	[[ $output = *"customer-algorithm=AES256"*"customer-key=$sse"*'customer-key-md5='* ]]
	# the key is nowhere to be seen
	[[ $output != *Error* ]]
	AWS_SSE_CUSTOMER_KEY=short run -1 cli init -no-color -reconfigure \
		-backend-config=sse_customer_key=short
	[[ $output = *'Invalid sse_customer_key value'* ]]
}

# bats test_tags=once
@test "init takes a role on, and asks who that is, at most as often as OpenTofu" {
	configure 'assume_role = { role_arn = "arn:aws:iam::123456789012:role/r" }'
	for _ in first again; do
		run -0 cli init -no-color
		run -0 jq -r 'select(.method == "POST").body | capture("Action=(?<a>[^&]*)").a' \
			"$moto_proxy_dir/requests.jsonl"
		rm "$moto_proxy_dir/requests.jsonl"
		[ "$(grep -c GetCallerIdentity <<<"$output")" = 1 ]
		[ "$(grep -c AssumeRole <<<"$output")" -le "$([ -z "${TF_TEST_CLI-}" ] && echo 1 || echo 2)" ]
	done
}

@test "states are moved by what a program has said once" {
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	printf '[profile run]\ncredential_process = %s/program\n' "$PWD" >config
	cat >program <<-END
	#!/bin/sh
	echo >>$PWD/calls
	echo '{"Version": 1, "AccessKeyId": "tests", "SecretAccessKey": "testsecret"}'
	END
	chmod +x program
	configure "$both" 'profile = "run"' 'shared_config_files = ["config"]'
	moved_as_one grep -c '' "$PWD/calls"
}

@test "init goes on in the one workspace that is left, and reads its state" {
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	echo gone >.terraform/environment
	rm "$moto_proxy_dir/requests.jsonl"
	run -0 cli init -no-color
	[ "$(cat .terraform/environment)" = default ]
	requests moto_proxy >asked
	cat asked
	grep "^GET /state/$key" asked
	run -1 grep gone asked
}

# The form of the last request to STS.
form() {
	jq -rs 'map(select(.method == "POST" and (.body // "" | tostring | test("Action=AssumeRole"))))
		| last | .body' "$moto_proxy_dir/requests.jsonl" | tr '&' '\n' | sort
}

@test "a role is taken on with all that is said of it" {
	configure 'assume_role = {
	role_arn = "arn:aws:iam::123456789012:role/r"
	session_name = "me"
	duration = "1h30m"
	external_id = "e+x"
	policy = " {} "
	policy_arns = ["arn:aws:iam::123456789012:policy/p"]
	tags = { a = "b c" }
	transitive_tag_keys = ["a"]
	}'
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	[ "$(form)" = 'Action=AssumeRole
DurationSeconds=5400
ExternalId=e%2Bx
Policy=%7B%7D
PolicyArns.member.1.arn=arn%3Aaws%3Aiam%3A%3A123456789012%3Apolicy%2Fp
RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fr
RoleSessionName=me
Tags.member.1.Key=a
Tags.member.1.Value='"$(form | sed -n 's/^Tags.member.1.Value=//p')"'
TransitiveTagKeys.member.1=a
Version=2011-06-15' ]
	run -0 form
	[[ $output = *Tags.member.1.Value=b[+%]*c* ]]
	# what it was called before
	configure 'role_arn = "arn:aws:iam::123456789012:role/r"' 'session_name = "old"' \
		'assume_role_duration_seconds = 1000' 'assume_role_tags = { a = "b" }'
	run -0 cli init -no-color -reconfigure
	run -0 form
	[[ $output = *DurationSeconds=1000*RoleSessionName=old*Tags.member.1.Key=a* ]]
	# an identity on the web
	echo j.w.t >token
	configure 'assume_role_with_web_identity = {
	role_arn = "arn:aws:iam::123456789012:role/w"
	session_name = "web"
	web_identity_token_file = "token"
	}'
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	run -0 cli init -no-color -reconfigure
	run -0 form
	[[ $output = *Action=AssumeRoleWithWebIdentity*RoleSessionName=web*WebIdentityToken=j.w.t* ]]
	configure 'assume_role_with_web_identity = {}'
	run -1 cli init -no-color -reconfigure
	[[ $output = *'Assume Role With Web Identity'* ]]
}

@test "accounts that are not allowed, credentials that are none" {
	configure 'allowed_account_ids = ["210987654321"]'
	run -1 cli init -no-color
	[[ $output = *'Invalid account ID'*123456789012* ]]
	configure 'forbidden_account_ids = ["123456789012"]' 'skip_credentials_validation = true'
	run -1 cli init -no-color
	[[ $output = *'Invalid account ID'*123456789012* ]]
	configure 'allowed_account_ids = ["123456789012"]'
	run -0 cli init -no-color
	configure
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	run -1 cli init -no-color -reconfigure
	[[ $output = *'No valid credential sources found'* ]]
	run -1 cli init -no-color -reconfigure -backend-config=profile=none
	run -0 cli init -no-color -reconfigure -backend-config=access_key=a -backend-config=secret_key=b
}

# --- credentials ---

# answers MATCH BODY...: what the proxy says itself, of any requests that fit
answers() {
	local all=()
	while [ $# -gt 0 ]; do
		all+=("$(jq -nc --arg m "$1" --arg b "$2" \
			'{match: $m, do: "answer", status: 200, body: $b, times: 99}')")
		shift 2
	done
	faults moto_proxy "${all[@]}"
}

# Who signed the last request that stored the state.
signer() {
	jq -rs --arg at "/state/$key" 'map(select(.method == "PUT" and (.path | startswith($at)) and (.path | contains("tflock") | not)))
		| last | .headers | to_entries | map(select(.key | ascii_downcase == "authorization"))[0].value
		| capture("Credential=(?<who>[^/]*)/").who' "$moto_proxy_dir/requests.jsonl"
}

machine='{"Code": "Success", "AccessKeyId": "MACHINE", "SecretAccessKey": "s", "Token": "t", "Expiration": "2099-01-01T00:00:00Z"}'

@test "keys of a machine, a container, a portal, a program, a profile" {
	local at=http://127.0.0.1:$moto_proxy_port
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_EC2_METADATA_DISABLED
	# a machine
	answers 'PUT /latest/api/token' tok 'GET /latest/meta-data/iam/security-credentials/' role \
		'GET /latest/meta-data/iam/security-credentials/role' "$machine"
	configure "ec2_metadata_service_endpoint = \"$at\""
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	[ "$(signer)" = MACHINE ]
	configure "ec2_metadata_service_endpoint = \"$at\"" 'skip_metadata_api_check = true'
	run -1 cli init -no-color -reconfigure
	[[ $output = *'No valid credential sources found'* ]]
	# a container
	configure
	answers 'GET /container' "${machine//MACHINE/CONTAINER}"
	export AWS_CONTAINER_CREDENTIALS_FULL_URI=$at/container
	run -0 cli init -no-color -reconfigure
	run -0 cli apply -auto-approve -no-color -var v=2
	[ "$(signer)" = CONTAINER ]
	# files of the block's own, a program
	printf '[mine]\naws_access_key_id = FILE\naws_secret_access_key = s\n' >credentials
	printf '[profile run]\ncredential_process = cat %s/said\n' "$PWD" >config
	jq -n '{Version: 1, AccessKeyId: "PROGRAM", SecretAccessKey: "s"}' >said
	configure 'profile = "mine"' 'shared_credentials_files = ["credentials"]'
	run -0 cli init -no-color -reconfigure
	run -0 cli apply -auto-approve -no-color -var v=3
	[ "$(signer)" = FILE ]
	# the older argument stands behind the variable
	printf '[mine]\naws_access_key_id = OLD\naws_secret_access_key = s\n' >old
	configure 'profile = "mine"' 'shared_credentials_file = "old"'
	AWS_SHARED_CREDENTIALS_FILE=credentials run -0 cli init -no-color -reconfigure
	AWS_SHARED_CREDENTIALS_FILE=credentials run -0 cli apply -auto-approve -no-color -var v=3old
	[ "$(signer)" = FILE ]
	configure 'profile = "run"' 'shared_config_files = ["config"]'
	run -0 cli init -no-color -reconfigure
	run -0 cli apply -auto-approve -no-color -var v=4
	[ "$(signer)" = PROGRAM ]
	# a portal that somebody has logged in at
	export HOME=$PWD AWS_ENDPOINT_URL_SSO=$at
	printf '[profile portal]\nsso_session = s\nsso_account_id = 12\nsso_role_name = r\n[sso-session s]\nsso_region = eu-west-3\nsso_start_url = https://portal.test/\n' >config
	mkdir -p .aws/sso/cache
	jq -n '{accessToken: "acc3ss", expiresAt: "2099-01-01T00:00:00Z"}' \
		>".aws/sso/cache/$(printf s | sha1sum | cut -d ' ' -f 1).json"
	answers 'GET /federation/credentials?account_id=12&role_name=r' \
		'{"roleCredentials": {"accessKeyId": "PORTAL", "secretAccessKey": "s", "sessionToken": "t", "expiration": 4070908800000}}'
	configure 'profile = "portal"' 'shared_config_files = ["config"]'
	run -0 cli init -no-color -reconfigure
	run -0 cli apply -auto-approve -no-color -var v=5
	[ "$(signer)" = PORTAL ]
}

@test "keys that expire are renewed in the middle of an apply" {
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	cat >program <<-'END'
	n=$(($(cat calls 2>/dev/null || echo 0) + 1))
	echo $n >calls
	printf '{"Version": 1, "AccessKeyId": "K%s", "SecretAccessKey": "s", "SessionToken": "t", "Expiration": "%s"}' \
		$n "$(date -u -d "+$1 seconds" +%Y-%m-%dT%H:%M:%SZ)"
	END
	printf '[profile run]\ncredential_process = cd %s && sh ./program $SECONDS_LEFT\n' "$PWD" >config
	cat >slow.tf <<-'END'
	resource "terraform_data" "slow" {
	  triggers_replace = timestamp()
	  provisioner "local-exec" {
	    command = "sleep 4; cp calls before"
	  }
	}
	END
	configure 'use_lockfile = true' 'profile = "run"' 'shared_config_files = ["config"]'
	export SECONDS_LEFT=3600
	run -0 cli init -no-color
	run -0 cli apply -auto-approve -no-color
	# far from their end they are found once a program
	[ "$(signer)" = "K$(cat before)" ] || [ "$(signer)" = "K$(cat calls)" ]
	# by their time
	SECONDS_LEFT=3 run -0 cli apply -auto-approve -no-color -var v=2
	# the apply found some, and who holds the lock has new ones to give it back
	[ "$(cat calls)" -ge "$(($(cat before) + $(ours && echo 2 || echo 1)))" ]
	stored "$key" | jq -e '.outputs.o.value == "2"'
	run -22 stored "$key.tflock"
	# by what the service says
	faults moto_proxy "$(jq -nc --arg m "PUT /state/$key" \
		'{match: $m, do: "answer", status: 400, body: "<Error><Code>ExpiredToken</Code><Message>no</Message></Error>"}')"
	! ours || run -0 cli apply -auto-approve -no-color -var v=3
	! ours || stored "$key" | jq -e '.outputs.o.value == "3"'
}

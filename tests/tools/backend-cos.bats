#!/usr/bin/env bats
# backend-cos.bats - state in Tencent Cloud's store of objects, beside OpenTofu's
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
	start_fake cos tencent
	start_proxy cos
	export HTTPS_PROXY=http://127.0.0.1:$cos_proxy_port
	export SSL_CERT_FILE=$cos_dir/ca.pem
	export TENCENTCLOUD_SECRET_ID=id TENCENTCLOUD_SECRET_KEY=secret
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
		  backend "cos" {
		    bucket = "tests-1"
		    region = "ap-guangzhou"
		    prefix = "a/b c"
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
	jq -r '(.headers["x-tc-action"] // .method) + (.path | if test("tflock") then
		"-lock" elif test("tfstate") then "-state" else "" end)' \
		"$cos_dir/requests.jsonl" | tr '\n' ' '
	rm "$cos_dir/requests.jsonl"
}

# The requests themselves, with paths as they are meant, in one order, each once.
sent() {
	jq -cS '[.method, .host, .path, (.headers | with_entries(select((.key |
		test("^x-cos|^x-tc-(act|ver|reg|lang)|^content-type")) and .key !=
		"x-cos-meta-md5" and .key != "x-cos-security-token"))),
		(.body | tostring | if test("serial|Created") then "" else . end)]' \
		"$cos_dir/requests.jsonl" | sort -u
	rm "$cos_dir/requests.jsonl"
}

# Nobody holds the lock.
free() {
	run -0 tf plan -no-color -lock=true
}

# A plan fails while the faults hold, and leaves the lock $id behind.
leaves_lock() {
	run -1 tf plan -no-color
	faults cos_proxy
	id=$(sed -n 's/.*force-unlock \([0-9a-f]\{32\}\)$/\1/p' <<<"$output")
}

# bats test_tags=once
@test "init, plan, apply and output ask less often than OpenTofu" {
	run -0 tf init -no-color
	[[ $output == *'Successfully configured the backend "cos"!'* ]]
	rm -f "$cos_dir/requests.jsonl"
	run -0 tf apply -auto-approve -no-color
	[ "$(asked)" = 'CreateTag GET-lock PUT-lock DeleteTag GET-state PUT-state GET-lock DELETE-lock ' ]
	run -0 tf output -raw o
	[ "$output" = one ]
	[ "$(asked)" = 'GET-state ' ]
	run -0 tf plan -detailed-exitcode -lock=false
	[ "$(asked)" = 'GET-state ' ]
}

# bats test_tags=once
@test "what one program writes the other goes on with, and so with workspaces" {
	gone_on_with
	workspaces_gone_on_with
}

@test "OpenTofu's requests are as ours" {
	local peer
	need_peer
	config one 'assume_role {' 'role_arn = "qcs::cam::uin/1:roleName/r"' \
		'session_name = "s"' 'policy = "{\"a b\": 1}"' '}' >main.tf
	tofu init >/dev/null
	tofu apply -auto-approve >/dev/null
	sent >peer
	tofu workspace list >/dev/null
	sent >>peer
	tf init -reconfigure >/dev/null
	sed -i 's/"one"/"two"/' main.tf
	tf apply -auto-approve >/dev/null
	tf workspace list >/dev/null
	sent >ours
	# nothing of ours that it does not send
	sort -u peer >all
	comm -13 all ours >more
	cat more
	[ ! -s more ]
	grep -F AssumeRole ours
}

@test "each program sees the other's lock, which can be forced" {
	need_peer
	applied
	tofu init >/dev/null
	slow_apply tf
	run -1 tofu plan -no-color
	[[ $output == *'Error acquiring the state lock'*OperationTypeApply* ]]
	id=$(sed -n 's/.*ID:  *\([0-9a-f]\{32\}\)/\1/p' <<<"$output")
	run -1 tf plan -no-color
	[[ $output == *'Error acquiring the state lock'*'exists'*"$id"* ]]
	run -1 tf force-unlock -force 12
	[[ $output == *'lock id mismatch'* ]]
	run -0 tf force-unlock -force "$id"
	touch go
	wait "$slow" || true
	without_slow
	tf apply -auto-approve -no-color >/dev/null
	slow_apply tofu
	without_slow
	run -1 tf plan -no-color
	[[ $output == *'Error acquiring the state lock'*OperationTypeApply* ]]
	touch go
	wait "$slow"
	free
}

# bats test_tags=once
@test "each program waits for the other's lock, and pushes nothing older" {
	config '${var.v}' >main.tf
	echo 'variable "v" { default = "1" }' >>main.tf
	both_programs 'OperationTypeApply'
}

# bats test_tags=once
@test "wherever a connection is cut, the state or errored.tfstate has it, and no lock stays" {
	cut_everywhere cos_proxy 'PUT *tflock' 'GET *tflock' 'DELETE *tflock' 'PUT *tfstate' \
		'GET *tfstate'
}

# bats test_tags=once
@test "an answer about a tag that was lost leaves neither a tag nor a lock behind" {
	applied
	for do in lose refuse; do
		for n in 1 2; do # of the two calls of tags
			faults cos_proxy "{\"match\":\"POST /\",\"times\":1,\"from\":$n,\"do\":\"$do\"}"
			tf plan -no-color >out 2>&1 || grep 'Error acquiring the state lock' out
			faults cos_proxy
			free
		done
	done
	# it cannot be given back
	faults cos_proxy '{"match":"POST /","times":1,"do":"lose"}' \
		'{"match":"POST /","times":99,"do":"refuse"}'
	leaves_lock
	tf force-unlock -force "$id"
	free
}

@test "a tag that cannot be deleted is told with what takes it" {
	applied
	for lock in PUT NONE; do # without a lock beside it, and with one
		n=$(jq -s 'map(.n) | max' "$cos_proxy_dir/requests.jsonl")
		faults cos_proxy "{\"match\":\"$lock *tflock\",\"times\":9,\"do\":\"refuse\"}" \
			"{\"match\":\"POST /\",\"times\":9,\"from\":$((n + 2)),\"do\":\"answer\",\"status\":500}"
		leaves_lock
		tf force-unlock -force "$id"
		free
	done
}

# bats test_tags=once
@test "a lock whose answers are all lost is told with what takes it, or taken back" {
	applied
	faults cos_proxy '{"match":"* *tflock","times":9,"do":"lose"}'
	leaves_lock
	tf force-unlock -force "$id" || free
	free
	# the server does not hear that it is to be taken back
	faults cos_proxy '{"match":"PUT *tflock","times":9,"do":"lose"}' \
		'{"match":"DELETE *tflock","times":9,"do":"refuse"}' \
		'{"match":"GET *tflock","from":'$(($(jq -s 'map(.n) | max' "$cos_proxy_dir/requests.jsonl") + 3))',"times":9,"do":"refuse"}'
	leaves_lock
	run -1 tf plan -no-color
	[[ $output == *"$id"* ]]
	tf force-unlock -force "$id"
	free
}

@test "a tag that another holds is waited for" {
	applied
	value=$(printf 'tests-1:a/b c/terraform.tfstate.tflock' | md5sum | cut -d ' ' -f 1)
	python3 - "$cos_port" "$value" "$TF_TEST_SRC" <<-'PY'
		import hashlib, hmac, http.client, json, sys, time
		body = json.dumps({"TagKey": "tencentcloud-terraform-lock", "TagValue": sys.argv[2]})
		now = int(time.time())
		day = time.strftime("%Y-%m-%d", time.gmtime(now))
		host = "tag.tencentcloudapi.com"
		text = "POST\n/\n\ncontent-type:application/json\nhost:" + host + "\n\ncontent-type;host\n" \
		    + hashlib.sha256(body.encode()).hexdigest()
		text = f"TC3-HMAC-SHA256\n{now}\n{day}/tag/tc3_request\n" \
		    + hashlib.sha256(text.encode()).hexdigest()
		key = b"TC3secret"
		for step in (day, "tag", "tc3_request", text):
		    key = hmac.new(key, step.encode(), "sha256").digest()
		c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
		c.request("POST", "/", body, {
		    "Host": host, "Content-Type": "application/json", "X-TC-Action": "CreateTag",
		    "X-TC-Timestamp": str(now), "Authorization":
		    f"TC3-HMAC-SHA256 Credential=id/{day}/tag/tc3_request, "
		    f"SignedHeaders=content-type;host, Signature={key.hex()}"})
		assert "Error" not in json.load(c.getresponse())["Response"]
	PY
	run -1 tf plan -no-color -lock-timeout=1s
	[[ $output == *'Error acquiring the state lock'*"$value"*TagDuplicate* ]]
	[[ $output == *"force-unlock $value"* ]]
	run -0 tf plan -no-color -lock=false
	tf force-unlock -force "$value"
	free
}

@test "keys of a role are renewed, and all arguments count" {
	config one 'accelerate = true' 'acl = "public-read"' 'encrypt = false' 'key = "k/s"' \
		'assume_role {' 'role_arn = "r"' 'session_name = "s"' 'session_duration = 0' '}' \
		>main.tf
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	jq -e -s 'map(select(.method == "PUT" and (.path | test("tflock") | not))) | last |
		.host == "tests-1.cos.accelerate.myqcloud.com" and
		.path == "/a/b c/k/s" and
		.headers["x-cos-acl"] == "public-read" and
		.headers["x-cos-server-side-encryption"] == null' "$cos_dir/requests.jsonl"
	echo 2 >"$cos_dir/page"
	for name in w v u; do
		tf workspace new $name >/dev/null
	done
	run -0 tf workspace list
	[ "$output" = $'  default\n* u\n  v\n  w' ]
	run -1 grep -r '"secret"' .terraform
}

# bats test_tags=once
@test "states are moved by the keys of one session" {
	config one 'assume_role {' 'role_arn = "r"' 'session_name = "s"' \
		'session_duration = 3600' '}' >main.tf
	moved_as_one grep -c AssumeRole "$cos_dir/requests.jsonl"
}

@test "what cannot be is said by init" {
	for row in 'prefix = "/x"|must not start' 'key = "x/"|start or end' \
		'acl = "x"|private' 'odd = 1|Unsupported argument' 'bucket = null|required' \
		'secret_key = "x"|SignatureDoesNotMatch' \
		$'assume_role {\nrole_arn = "r"\n}|session_name' \
		$'assume_role {\nrole_arn = "r"\nsession_name = "s"\nsession_duration = 50000\n}|43200'; do
		config one "${row%|*}" >main.tf
		name=${row%% *}
		[ "$(grep -c "^ *$name " main.tf)" = 1 ] || sed -i "0,/^ *$name /{/^ *$name /d}" main.tf
		run -1 tf init -no-color
		flat
		[[ $output == *"${row#*|}"* ]] || { echo "$row: $output"; false; }
	done
}

@test "a workspace that is made in an encrypted run is sealed" {
	workspaces_are_sealed
}

#!/usr/bin/env bats
# modules-buckets.bats - modules from S3 and what is compatible with it; with
# TF_TEST_CLI=tofu the same on OpenTofu

load common
load modules
load net

setup() {
	modules_setup
	modules_web
	export HOME=$here/home
	mkdir "$HOME"
	unset "${!AWS_@}" "${!GOOGLE_@}"
	export AWS_EC2_METADATA_DISABLED=true
	export AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=s3cr3t/key
	b=$net/buckets/bucket
	mkdir -p "$b/mods"
	cp -r "$here/m" "$b/mods/net"
	s3_rules
}

teardown() {
	serve_end
	[ -z "${moto-}" ] || kill "$moto"
}

modules_hosts='s3.eu-west-1.amazonaws.com s3.us-east-1.amazonaws.com
sts.us-east-1.amazonaws.com sts.eu-west-1.amazonaws.com'

# The rule of files.test and of Amazon's hosts: s3_rules [JSON that is added]
s3_rules() {
	rules "$(jq -n --argjson more "${1-{\}}" \
		'{at: "files.test/*", s3: ({id: "AKID", secret: "s3cr3t/key", region: "us-east-1"} + $more)}')" \
		"$(jq -n --argjson more "${1-{\}}" \
			'{at: "s3.us-east-1.amazonaws.com/*", s3: ({id: "AKID", secret: "s3cr3t/key", region: "us-east-1"} + $more)}')" \
		"$(jq -n --argjson more "${1-{\}}" \
			'{at: "s3.eu-west-1.amazonaws.com/*", s3: ({id: "AKID", secret: "s3cr3t/key", region: "eu-west-1"} + $more)}')"
}

# Init of one module: it is that in m.
gets() { # SOURCE
	calls "a=$1"
	rm -rf .terraform
	run -0 $cli init -no-color
	diff -r "$here/m" .terraform/modules/a
}

# It fails, in these words; nothing is left.
fails() { # SOURCE WORDS
	calls "a=$1"
	rm -rf .terraform
	run -1 $cli init -no-color
	[ ! -e .terraform/modules/a ]
	flat
	[[ $output = *'Error: Failed to download module'*"$2"* ]]
}

# bats test_tags=once
@test "all objects below a name, with whatever names, in pages" {
	mkdir -p "$b/mods/net/a b" "$b/mods/net/a+b:c"
	echo 1 >"$b/mods/net/a b/x&y=<z>'\"?#%41"
	echo 2 >"$b/mods/net/a+b:c/ü~*(!)"
	rm -r "$here/m"
	cp -r "$b/mods/net" "$here/m"
	gets s3::https://files.test/bucket/mods/net
	gets s3::https://files.test/bucket/mods/net/
	[ "$(asked_at_all)" -gt 10 ]
	calls "a=s3::https://files.test/bucket/mods//net"
	rm -rf .terraform
	run -0 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a/net
a.sub .terraform/modules/a/net/sub' ]
}

# bats test_tags=once
@test "what is called alike is not below a name" {
	only_ours
	cp -r "$here/m" "$b/mods/net2"
	echo zip >"$b/mods/net.zip"
	gets s3::https://files.test/bucket/mods/net
	run -1 grep -E 'net(2|\.zip)' "$net/log"
	fails s3::https://files.test/bucket/mods/ne 'there is no object below this name'
}

@test "an archive, a version of it, its checksum" {
	cp -r "$here/m" "$here/old"
	pack m.tar.gz
	cp "$net/www/files.test/m.tar.gz" "$b/m.tar.gz@v1"
	echo 'output "new" { value = 1 }' >"$here/m/new.tf"
	pack m.tar.gz
	cp "$net/www/files.test/m.tar.gz" "$b/m.tar.gz"
	gets s3::https://files.test/bucket/m.tar.gz
	sum=$(sha256sum "$b/m.tar.gz" | cut -d ' ' -f 1)
	gets "s3::https://files.test/bucket/m.tar.gz?checksum=$sum"
	fails "s3::https://files.test/bucket/m.tar.gz?version=v1&checksum=$sum" ''
	rm -r "$here/m"
	mv "$here/old" "$here/m"
	gets "s3::https://files.test/bucket/m.tar.gz?version=v1"
}

@test "regions and styles of Amazon's addresses" {
	cp "$here/m/main.tf" "$b/main.tf"
	for source in https://s3-eu-west-1.amazonaws.com/bucket/mods/net \
		https://bucket.s3-eu-west-1.amazonaws.com/mods/net \
		https://bucket.s3.eu-west-1.amazonaws.com/mods/net; do
		: >"$net/log"
		gets "s3::$source"
		run -0 grep -c '^GET s3.eu-west-1.amazonaws.com/bucket' "$net/log"
	done
	gets s3::https://s3.amazonaws.com/bucket/mods/net
	mkdir -p "$b/p/q/r"
	cp -r "$b/mods/net" "$b/p/q/r/net"
	gets s3-eu-west-1.amazonaws.com/bucket/p/q/r/net
	fails s3::https://a.b.c.d.amazonaws.com/mods/net 'URL is not a valid S3 URL'
	fails s3::https://s3.amazonaws.com/bucket 'URL is not a valid S3 URL'
	fails s3::https://files.test/bucket 'URL is not a valid S3 compliant URL'
	if ours; then # as Amazon has it today, which OpenTofu takes for a bucket s3
		gets s3::https://s3.eu-west-1.amazonaws.com/bucket/mods/net
		gets bucket.s3.eu-west-1.amazonaws.com/p/q/r/net
	fi
	s3_rules '{"region": "eu-west-1"}'
	gets 's3::https://files.test/bucket/mods/net?region=eu-west-1'
	fails s3::https://files.test/bucket/mods/net AuthorizationHeaderMalformed
}

@test "an endpoint of the environment stands for Amazon's" {
	export AWS_ENDPOINT_URL_S3=https://files.test
	gets s3::https://s3.amazonaws.com/bucket/mods/net
	run -1 grep amazonaws.com "$net/log"
}

# bats test_tags=once
@test "keys: of the address, of the environment, of profiles" {
	url=s3::https://files.test/bucket/mods/net
	export AWS_SECRET_ACCESS_KEY=wrong
	fails $url SignatureDoesNotMatch
	gets "$url?aws_access_key_id=AKID&aws_access_key_secret=s3cr3t%2Fkey"
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	mkdir "$HOME/.aws"
	cat >"$HOME/.aws/credentials" <<-'END'
	# of nobody
	[default]
	aws_access_key_id = AKID
	aws_secret_access_key = wrong

	[good]
	aws_access_key_id=AKID
	aws_secret_access_key = s3cr3t/key ; as a comment
	END
	cat >"$HOME/.aws/config" <<-'END'
	[profile other]
	aws_access_key_id = AKID
	region = eu-west-1
	s3 =
	  aws_secret_access_key = nested
	aws_secret_access_key = s3cr3t/key
	[good]
	aws_secret_access_key = no
	END
	fails $url SignatureDoesNotMatch
	AWS_PROFILE=good gets $url
	AWS_PROFILE=other gets $url
	# of which OpenTofu wants a region, then
	AWS_REGION=us-east-1 gets "$url?aws_profile=good"
	! ours || gets "$url?aws_profile=good"
	AWS_PROFILE=none fails $url none
	AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_CONFIG_FILE=$HOME/.aws/config \
		AWS_PROFILE=other gets $url
	# keys of the environment are before its profile, not before the address's
	AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=s3cr3t/key AWS_PROFILE=default gets $url
	AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=wrong AWS_REGION=us-east-1 gets "$url?aws_profile=good"
	s3_rules '{"token": "session"}'
	AWS_PROFILE=good fails $url InvalidToken
	AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=s3cr3t/key AWS_SESSION_TOKEN=session gets $url
	s3_rules '{"region": "eu-west-1"}'
	gets "$url?aws_profile=other"
}

@test "keys that somebody would have to be asked for are refused by name" {
	only_ours
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	url=s3::https://files.test/bucket/mods/net
	fails $url 'there are no credentials for S3, neither in AWS_ACCESS_KEY_ID'
	mkdir "$HOME/.aws"
	for way in login_session mfa_serial; do
		printf '[profile p]\nrole_arn = r\n%s = x\n' $way >"$HOME/.aws/config"
		AWS_PROFILE=p fails $url "$way, which this version cannot follow"
	done
	printf '[profile p]\nsso_session = x\n' >"$HOME/.aws/config"
	AWS_PROFILE=p fails $url 'there is none that is still valid'
	[ "$(asked_at_all)" = 0 ]
}

# The role that sts.us-east-1.amazonaws.com gives, whose keys alone are good:
# role_rules WHO-MAY-ASK [RULE]...
role=arn:aws:iam::123456789012:role/reader
role_rules() {
	rules "$(jq -n --argjson who "$1" --arg role $role '{at: "sts.us-east-1.amazonaws.com/*",
		sts: ({role: $role, gives: {id: "ROLE", secret: "r0le", token: "t0ken"}} + $who)}')" \
		'{"at": "files.test/*", "s3": {"id": "ROLE", "secret": "r0le", "token": "t0ken", "region": "us-east-1"}}' \
		"${@:2}"
}

@test "a role, for an identity on the web" {
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	url=s3::https://files.test/bucket/mods/net
	role_rules '{"jwt": "j.w.t"}'
	echo j.w.t >"$here/jwt"
	printf j.w.t >"$here/line"
	AWS_WEB_IDENTITY_TOKEN_FILE=$here/line AWS_ROLE_ARN=$role gets $url
	! ours || AWS_WEB_IDENTITY_TOKEN_FILE=$here/jwt AWS_ROLE_ARN=$role gets $url
	run -0 cat "$net/sent"
	[[ $output = *'RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Freader'* ]]
	mkdir "$HOME/.aws"
	printf '[profile p]\nrole_arn = %s\nweb_identity_token_file = %s\nrole_session_name = me\n' \
		$role "$here/line" >"$HOME/.aws/config"
	AWS_PROFILE=p gets $url
	[[ $(<"$net/sent") = *RoleSessionName=me* ]]
	AWS_PROFILE=p fails "$url?region=eu-west-1" '' # the role's region, too
	run -0 grep '^POST sts.eu-west-1.amazonaws.com/' "$net/log"
	fails $url ''
	echo other >"$here/line"
	AWS_PROFILE=p fails $url InvalidIdentityToken
	[[ $output != *other* ]]
	rm "$here/line"
	AWS_PROFILE=p fails $url "$here/line"
}

@test "a role, for the keys of another profile" {
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	url=s3::https://files.test/bucket/mods/net
	role_rules '{"id": "AKID", "secret": "s3cr3t/key", "region": "us-east-1", "external": "shared with you"}'
	mkdir "$HOME/.aws"
	cat >"$HOME/.aws/config" <<-END
	[profile base]
	aws_access_key_id = AKID
	aws_secret_access_key = s3cr3t/key
	[profile role]
	role_arn = $role
	source_profile = base
	external_id = shared with you
	[profile self]
	role_arn = $role
	source_profile = self
	external_id = shared with you
	aws_access_key_id = AKID
	aws_secret_access_key = s3cr3t/key
	[profile environment]
	role_arn = $role
	credential_source = Environment
	external_id = shared with you
	[profile stranger]
	role_arn = $role
	source_profile = base
	[profile a]
	role_arn = $role
	source_profile = b
	[profile b]
	role_arn = $role
	source_profile = a
	[profile lost]
	role_arn = $role
	source_profile = none
	END
	AWS_PROFILE=role gets $url
	AWS_PROFILE=self gets $url
	AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=s3cr3t/key \
		gets "$url?aws_profile=environment"
	AWS_PROFILE=stranger fails $url AccessDenied
	AWS_PROFILE=a fails $url ''
	AWS_PROFILE=lost fails $url none
	AWS_PROFILE=environment fails $url ''
	AWS_ENDPOINT_URL_STS=https://other.test AWS_PROFILE=role fails $url ''
	run -0 grep -c '^POST other.test/' "$net/log"
}

# A chain of N profiles, each with the role that the keys of the next may take.
chain() { # N
	local i
	for i in $(seq "$1"); do
		printf '[profile p%d]\nrole_arn = %s\nsource_profile = p%d\n' \
			"$i" $role $((i + 1))
	done >"$HOME/.aws/config"
	cat >>"$HOME/.aws/config" <<-END
	[profile p$(($1 + 1))]
	aws_access_key_id = ROLE
	aws_secret_access_key = r0le
	aws_session_token = t0ken
	END
}

# bats test_tags=once
@test "profiles that take their keys from each other have an end" {
	only_ours # in words of its own
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	url=s3::https://files.test/bucket/mods/net
	role_rules '{"id": "ROLE", "secret": "r0le", "token": "t0ken", "region": "us-east-1"}'
	mkdir "$HOME/.aws"
	chain 16
	AWS_PROFILE=p1 gets $url
	[ "$(grep -c '^POST sts.us-east-1.amazonaws.com/' "$net/log")" = 16 ]
	chain 17
	AWS_PROFILE=p1 fails $url 'the profile "p18" has no end of profiles'
	printf '[profile a]\nrole_arn = %s\nsource_profile = b\n[profile b]\nrole_arn = %s\nsource_profile = a\n' \
		$role $role >"$HOME/.aws/config"
	AWS_PROFILE=a fails $url 'has no end of profiles that it takes its keys from'
	printf '[profile a]\nrole_arn = %s\nsource_profile = none\n' $role \
		>"$HOME/.aws/config"
	AWS_PROFILE=a fails $url 'there is no profile "none" in the files of AWS'
}

@test "the keys of a container" {
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	export AWS_REGION=us-east-1
	url=s3::https://files.test/bucket/mods/net
	keys='{"AccessKeyId": "AKID", "SecretAccessKey": "s3cr3t/key", "Token": "t0ken", "Expiration": "2099-01-01T00:00:00Z"}'
	s3='{"at": "files.test/*", "s3": {"id": "AKID", "secret": "s3cr3t/key", "token": "t0ken", "region": "us-east-1"}}'
	rules "$s3" "$(jq -n --arg b "$keys" '{at: "127.0.0.1/keys", auth: "wh0", body: $b}')"
	export AWS_CONTAINER_CREDENTIALS_FULL_URI=http://127.0.0.1:$net_port/keys
	AWS_CONTAINER_AUTHORIZATION_TOKEN=wh0 gets $url
	printf wh0 >"$here/who"
	AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=$here/who gets $url
	fails $url ''
	AWS_CONTAINER_AUTHORIZATION_TOKEN=$'wh0\nx' fails $url ''
	: >"$net/log"
	AWS_CONTAINER_CREDENTIALS_FULL_URI=http://files.test/keys AWS_CONTAINER_AUTHORIZATION_TOKEN=wh0 fails $url ''
	[ "$(asked_at_all)" = 0 ]
	rules "$s3" '{"at": "127.0.0.1/keys", "redirect": "https://files.test/"}'
	AWS_CONTAINER_AUTHORIZATION_TOKEN=wh0 fails $url ''
	run -1 grep '^GET files.test' "$net/log"
}

@test "the keys of a machine" {
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID AWS_EC2_METADATA_DISABLED
	export AWS_REGION=us-east-1 AWS_EC2_METADATA_SERVICE_ENDPOINT=http://127.0.0.1:$net_port
	url=s3::https://files.test/bucket/mods/net
	keys='{"Code": "Success", "AccessKeyId": "AKID", "SecretAccessKey": "s3cr3t/key", "Token": "t0ken", "Expiration": "2099-01-01T00:00:00Z", "LastUpdated": "2020-01-01T00:00:00Z", "Type": "AWS-HMAC"}'
	at=127.0.0.1/latest/meta-data/iam/security-credentials
	rules '{"at": "files.test/*", "s3": {"id": "AKID", "secret": "s3cr3t/key", "token": "t0ken", "region": "us-east-1"}}' \
		'{"at": "127.0.0.1/latest/api/token", "method": "PUT", "body": "m4chine", "headers": {"x-aws-ec2-metadata-token-ttl-seconds": "300"}}' \
		"{\"at\": \"$at/\", \"wants\": {\"x-aws-ec2-metadata-token\": \"m4chine\"}, \"body\": \"builder\"}" \
		"$(jq -n --arg at $at/builder --arg b "$keys" '{at: $at, wants: {"x-aws-ec2-metadata-token": "m4chine"}, body: $b}')"
	gets $url
	rules
	fails $url ''
	AWS_EC2_METADATA_DISABLED=TRUE fails $url ''
}

@test "keys that a program of the profile tells" {
	export AWS_PROFILE=p
	unset AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID
	mkdir "$HOME/.aws"
	printf '[profile p]\ncredential_process = cat "%s"\n' "$HOME/my keys" \
		>"$HOME/.aws/config"
	url=s3::https://files.test/bucket/mods/net
	echo '{"Version": 1, "AccessKeyId": "AKID", "SecretAccessKey": "s3cr3t/key"}' >"$HOME/my keys"
	gets $url
	echo '{"Version": 1, "AccessKeyId": "AKID", "SecretAccessKey": "other"}' >"$HOME/my keys"
	fails $url SignatureDoesNotMatch
	for no in '{"Version": 2, "AccessKeyId": "AKID", "SecretAccessKey": "s3cr3t/key"}' \
		'{"Version": 1, "AccessKeyId": "AKID"}' '[]' ''; do
		echo "$no" >"$HOME/my keys"
		fails $url ''
		! ours || [[ $output = *'credential_process of the profile "p" tells no keys'* ]]
	done
	rm "$HOME/my keys"
	fails $url ''
	! ours || [[ $output = *'my keys'* ]]
	# keys in the profile come first
	printf 'aws_access_key_id = AKID\naws_secret_access_key = s3cr3t/key\n' >>"$HOME/.aws/config"
	gets $url
}

# bats test_tags=once
@test "what is not there, and what is not allowed, in the words of the host" {
	fails s3::https://files.test/bucket/none.zip NoSuchKey
	AWS_ACCESS_KEY_ID=other fails s3::https://files.test/bucket/m.zip InvalidAccessKeyId
	AWS_ACCESS_KEY_ID=other fails s3::https://files.test/bucket/mods/net InvalidAccessKeyId
	if ours; then
		s3_rules '{"message": "\u001b[2J"}'
		fails s3::https://files.test/bucket/none.zip NoSuchKey
		[[ $output != *$'\033'* ]]
	fi
}

# bats test_tags=once
@test "secrets of an address are in no message and no list" {
	only_ours
	url='s3::https://files.test/bucket/m.zip?aws_access_key_id=AKID&aws_access_key_secret=tops3cr3t&aws_access_token=tok3n'
	fails "$url" InvalidToken
	[[ $output != *tops3cr3t* ]]
	[[ $output != *tok3n* ]]
	[[ $output = *'aws_access_key_secret=redacted'* ]]
}

@test "names of objects that lead out, sizes that are wrong" {
	only_ours
	url=s3::https://files.test/bucket/mods/net
	for name in ../../evil.tf a/../../../evil.tf //evil.tf ./evil.tf 'a\nb'; do
		s3_rules "{\"names\": [\"mods/net/$name\"]}"
		fails $url 'cannot be that of a file'
	done
	run -0 find "$here" -name 'evil*'
	[ -z "$output" ]
	head -c 3000000 /dev/zero >"$b/mods/net/data"
	s3_rules '{"says": {"mods/net/data": 3}}'
	fails $url 'the object "data": the answer is larger than'
	s3_rules '{"says": {"mods/net/data": 3000000}}'
	TFPIPE_MAX_MODULE_SIZE=2 fails $url TFPIPE_MAX_MODULE_SIZE
	rm "$b/mods/net/data"
	# more than the list says, in many
	head -c 900000 /dev/zero >"$b/mods/net/x"
	cp "$b/mods/net/x" "$b/mods/net/y"
	cp "$b/mods/net/x" "$b/mods/net/z"
	s3_rules '{"says": {"mods/net/x": 3, "mods/net/y": 3, "mods/net/z": 3}}'
	TFPIPE_MAX_MODULE_SIZE=2 fails $url TFPIPE_MAX_MODULE_SIZE
	rm "$b/mods/net/z"
	s3_rules '{"says": {"mods/net/x": -9000000000000000000, "mods/net/y": 3000000}}'
	TFPIPE_MAX_MODULE_SIZE=2 fails $url TFPIPE_MAX_MODULE_SIZE
	rm "$b"/mods/net/[xy]
	s3_rules '{"names": ["mods/net/main.tf/x"]}'
	fails $url ''
	s3_rules '{"endless": true, "page": 1, "names": ["mods/net/a"]}'
	fails $url 'the list of objects has no end'
	# one that is in the list alone
	s3_rules '{"names": ["mods/net/gone"]}'
	fails $url 'the object "gone": bad response code: 404 (NoSuchKey'
}

# bats test_tags=once
@test "an archive that is kept is asked for, and not sent again" {
	only_ours
	export TFPIPE_CACHE_DIR=$here/cache
	pack m.zip
	cp "$net/www/files.test/m.zip" "$b/m.zip"
	gets s3::https://files.test/bucket/m.zip
	gets s3::https://files.test/bucket/m.zip
	[ "$(asked_at_all)" = 2 ]
	AWS_SECRET_ACCESS_KEY=wrong fails s3::https://files.test/bucket/m.zip SignatureDoesNotMatch
	cp "$b/m.zip" "$b/m.zip@v1"
	gets 's3::https://files.test/bucket/m.zip?version=v1'
	: >"$net/log"
	gets 's3::https://files.test/bucket/m.zip?version=v1'
	[ "$(asked_at_all)" = 0 ]
}

# bats test_tags=once
@test "what has come of objects is told" {
	only_ours
	for f in one two; do
		head -c 1500000 /dev/urandom >"$b/mods/net/$f"
	done
	rm -r "$here/m"
	cp -r "$b/mods/net" "$here/m"
	s3_rules '{"slow": 3}'
	calls a=s3::https://files.test/bucket/mods/net
	tf init -json >said
	run -0 jq -c 'select(.type == "download_progress").download |
		.packages == 1 and .have <= .all and .all > 2999999' said
	[ "${#lines[@]}" -ge 2 ]
	[ "$(sort -u <<<"$output")" = true ]
	diff -r "$here/m" .terraform/modules/a
	rm -r .terraform
	run -0 script -qec 'TERM=xterm tf init' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: '*' of 3.0 MB'*$'\e[J'*'a in .terraform/modules/a'* ]]
}

# Puts each file below a directory into moto's bucket.
uploaded() { # DIRECTORY NAME
	python3 - "$at" "$1" "$2" <<-'END'
	import http.client, os, sys, urllib.parse
	at, top, name = sys.argv[1:]
	c = http.client.HTTPConnection(urllib.parse.urlsplit(at).netloc)
	def put(path, data):
	    c.request("PUT", "/bucket" + urllib.parse.quote(path), data)
	    answer = c.getresponse()
	    answer.read()
	    assert answer.status == 200, answer.status
	put("", b"")
	for folder, _, files in os.walk(top):
	    for file in files:
	        path = os.path.join(folder, file)
	        key = "/" + name + "/" + os.path.relpath(path, top)
	        put(key, open(path, "rb").read())
	END
}

# bats test_tags=once
@test "a server of others: moto" {
	command -v moto_server >/dev/null ||
		skip 'moto_server is not installed (moto[server] of PyPI)'
	moto_server -p 0 >moto.log 2>&1 3>&- &
	moto=$!
	until at=$(grep -o 'http://127[0-9.]*:[0-9]*' moto.log); do
		kill -0 "$moto"
		sleep .1
	done
	mkdir "$here/m/many" "$here/m/a b"
	echo 1 >"$here/m/a b/x&y=<z>+ü~%41"
	for n in $(seq 1010); do # more than a page of names
		echo "$n" >"$here/m/many/$n"
	done
	uploaded "$here/m" mods/net
	gets "s3::$at/bucket/mods/net"
	[ "$(grep -c 'GET .*prefix=mods/net' moto.log)" -ge 2 ]
	tar -C "$here/m" -czf "$here/m.tar.gz" .
	mkdir "$here/packed"
	mv "$here/m.tar.gz" "$here/packed"
	uploaded "$here/packed" packed
	gets "s3::$at/bucket/packed/m.tar.gz"
	fails "s3::$at/none/mods" ''
}

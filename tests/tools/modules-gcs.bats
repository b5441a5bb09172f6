#!/usr/bin/env bats
# modules-gcs.bats - modules from Google Cloud Storage; with TF_TEST_CLI=tofu the
# same on OpenTofu

load common
load modules
load net

setup() {
	modules_setup
	modules_web
	export HOME=$here/home
	mkdir "$HOME"
	unset "${!GOOGLE_@}"
	b=$net/buckets/bucket
	mkdir -p "$b/mods"
	cp -r "$here/m" "$b/mods/net"
	source=gcs::https://www.googleapis.com/storage/v1/bucket/mods/net
}

teardown() {
	serve_end
}

modules_hosts='storage.googleapis.com oauth2.googleapis.com sts.googleapis.com
iamcredentials.googleapis.com'

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

# What the token service gives for these who ask.
google() { # RULE
	rules "$(jq -n --argjson rule "$1" \
		'{at: "oauth2.googleapis.com/token", google: ({gives: "tok3n"} + $rule)}')" \
		'{"at": "storage.googleapis.com/*", "gcs": {"token": "tok3n"}}'
}

# A service account, whose file is account.json: account [JSON that is added]
account() {
	openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 \
		-out "$here/key" 2>/dev/null
	openssl pkey -in "$here/key" -pubout -out "$net/account.pub"
	jq -n --rawfile key "$here/key" --argjson more "${1-{\}}" \
		'{type: "service_account", project_id: "p", private_key_id: "k1",
		private_key: $key, client_email: "me@p.iam.gserviceaccount.com",
		client_id: "1", token_uri: "https://oauth2.googleapis.com/token"} +
		$more' >"$here/account.json"
}

tokens_asked() {
	grep -c 'POST oauth2.googleapis.com/token' "$net/log"
}

@test "objects, an archive, a generation" {
	export GOOGLE_OAUTH_ACCESS_TOKEN=tok3n
	rules '{"at": "storage.googleapis.com/*", "gcs": {"token": "tok3n"}}'
	mkdir -p "$b/mods/net/a b"
	echo 1 >"$b/mods/net/a b/x&y+z%41"
	cp -r "$b/mods/net/a b" "$here/m"
	gets gcs::https://www.googleapis.com/storage/v1/bucket/mods/net
	gets www.googleapis.com/storage/v1/bucket/mods/net
	pack m.zip
	cp "$net/www/files.test/m.zip" "$b/m.zip"
	mv "$net/www/files.test/m.zip" "$b/n.zip@12"
	gets gcs::https://www.googleapis.com/storage/v1/bucket/m.zip
	gets gcs::https://www.googleapis.com/storage/v1/bucket/n.zip#12
	fails gcs::https://www.googleapis.com/storage/v1/bucket/n.zip ''
	fails gcs::https://www.googleapis.com/storage/v1/bucket 'URL is not a valid GCS URL'
	fails gcs::https://files.test/storage/v1/bucket/mods 'URL is not a valid GCS URL'
	GOOGLE_OAUTH_ACCESS_TOKEN=other fails gcs::https://www.googleapis.com/storage/v1/bucket/m.zip 401
}

@test "by nobody in particular, or not at all" {
	only_ours
	rules '{"at": "storage.googleapis.com/*", "gcs": {}}'
	gets gcs::https://www.googleapis.com/storage/v1/bucket/mods/net
	rules '{"at": "storage.googleapis.com/*", "gcs": {"names": ["mods/net/../x"]}}'
	fails gcs::https://www.googleapis.com/storage/v1/bucket/mods/net 'cannot be that of a file'
	rules '{"at": "storage.googleapis.com/*", "gcs": {"token": "tok3n"}}'
	fails gcs::https://www.googleapis.com/storage/v1/bucket/mods/net \
		'there is no token in GOOGLE_OAUTH_ACCESS_TOKEN'
}

@test "a service account signs who it is, once a run" {
	account
	google '{"account": "me@p.iam.gserviceaccount.com"}'
	export GOOGLE_APPLICATION_CREDENTIALS=$here/account.json
	: >"$net/log"
	cp -r "$b/mods/net" "$b/mods/net2"
	calls "a=$source" "b=${source}2"
	run -0 $cli init -no-color
	diff -r "$here/m" .terraform/modules/b
	[ -n "${TF_TEST_CLI-}" ] || [ "$(tokens_asked)" = 1 ]
	# it is that one that the service knows
	openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 2>/dev/null |
		openssl pkey -pubout -out "$net/account.pub"
	fails $source ''
	[ -n "${TF_TEST_CLI-}" ] ||
		[[ $output = *'https://oauth2.googleapis.com/token gives no token for it: 400 Bad Request: wrong signature'* ]]
	[[ $output != *'PRIVATE KEY'* ]]
}

@test "a user who has logged in" {
	google '{"form": {"grant_type": "refresh_token", "client_id": "c+1",
		"client_secret": "s3/cr&t", "refresh_token": "r=1"}}'
	mkdir -p "$HOME/.config/gcloud"
	echo '{"type": "authorized_user", "client_id": "c+1",
		"client_secret": "s3/cr&t", "refresh_token": "r=1"}' \
		>"$HOME/.config/gcloud/application_default_credentials.json"
	gets $source
	mv "$HOME/.config/gcloud" "$here/sdk"
	fails $source ''
	GOOGLE_APPLICATION_CREDENTIALS=$here/sdk/application_default_credentials.json \
		gets $source
	# in the order: a token, the file that is named, that of gcloud
	GOOGLE_APPLICATION_CREDENTIALS=$here/sdk/application_default_credentials.json \
		GOOGLE_OAUTH_ACCESS_TOKEN=other fails $source 401
	cp -r "$here/sdk" "$HOME/.config/gcloud"
	echo '{"type": "authorized_user", "client_id": "1", "client_secret": "2",
		"refresh_token": "3"}' >"$here/other.json"
	GOOGLE_APPLICATION_CREDENTIALS=$here/other.json fails $source ''
}

@test "credentials that are of no use are named, and what they hold is not" {
	only_ours # in words of its own
	google '{"form": {}}'
	export GOOGLE_APPLICATION_CREDENTIALS=$here/account.json
	fails $source 'account.json are of no use: No such file'
	account '{"private_key": "s3cr3t"}'
	fails $source 'its private_key is of no use'
	account '{"token_uri": "http://oauth2.googleapis.com/token"}'
	fails $source 'its token_uri is no https address'
	account '{"client_email": null}'
	fails $source 'it has no client_email'
	account '{"type": "odd_account"}'
	fails $source 'credentials of the type "odd_account" are not supported'
	account '{"type": "authorized_user", "client_id": "1", "refresh_token": "r3fr3sh"}'
	fails $source 'it has no client_secret'
	account '{"type": "authorized_user", "client_secret": "s3cr3t", "refresh_token": "r3fr3sh"}'
	fails $source '400 Bad Request: wrong form'
	[[ $output != *s3cr3t* ]]
	[[ $output != *r3fr3sh* ]]
	echo '[' >"$here/account.json"
	fails $source 'it is no JSON object'
}

# What the services of tokens say, and the store asks for: exchanges TOKEN
exchanges() {
	rules '{"at": "sts.googleapis.com/v1/token", "body": "{\"access_token\": \"st5\", \"expires_in\": 3600}"}' \
		'{"at": "iamcredentials.googleapis.com/*", "body": "{\"accessToken\": \"1am\", \"expireTime\": \"2099-01-02T03:04:05Z\"}"}' \
		'{"at": "vouches.test/*", "body": "{\"t\": \"wh0\"}"}' \
		"{\"at\": \"storage.googleapis.com/*\", \"gcs\": {\"token\": \"$1\"}}"
}

@test "an identity that others vouch for, in a file, printed, or acting for an account" {
	export GOOGLE_APPLICATION_CREDENTIALS=$here/external.json
	external() { # JSON
		jq -n --argjson more "$1" '{type: "external_account", audience: "//a/b",
			subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
			token_url: "https://sts.googleapis.com/v1/token"} + $more' \
			>"$here/external.json"
	}
	only_ours # the other one asks the hosts that it is told for a trust boundary
	exchanges st5
	echo wh0 >"$here/subject"
	external "{\"credential_source\": {\"file\": \"$here/subject\"}}"
	gets $source
	grep -q 'audience=%2F%2Fa%2Fb&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&.*subject_token=wh0&' "$net/sent"
	echo '{"t": "wh1"}' >"$here/subject"
	external "{\"credential_source\": {\"file\": \"$here/subject\",
		\"format\": {\"type\": \"json\", \"subject_token_field_name\": \"t\"}}}"
	gets $source
	grep -q 'subject_token=wh1&' "$net/sent"
	cat >"$here/vouch" <<-'SH'
		#!/bin/sh
		echo "{\"version\": 1, \"success\": true, \"token_type\": \"x\",
			\"id_token\": \"$GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE-$1\"}"
	SH
	chmod +x "$here/vouch"
	external "{\"credential_source\": {\"executable\": {\"command\": \"$here/vouch x\"}}}"
	fails $source 'GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES is 1'
	GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1 gets $source
	grep -q 'subject_token=%2F%2Fa%2Fb-x&' "$net/sent"
	exchanges 1am
	external "{\"credential_source\": {\"file\": \"$here/subject\"},
		\"service_account_impersonation_url\": \"https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/a@b:generateAccessToken\"}"
	gets $source
	grep -q '"lifetime":"3600s"' "$net/sent"
	exchanges st5
	external '{"credential_source": {"environment_id": "aws1"}}'
	AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY=s3cr3t AWS_REGION=eu-west-1 gets $source
	# escaped in the form, and once more
	tr '&' '\n' <"$net/sent" | sed -n 's/^subject_token=//p' >subject
	for _ in 1 2; do
		python3 -c 'import sys, urllib.parse as u; print(u.unquote(open("subject").read()), end="")' >s
		mv s subject
	done
	jq -e '.url == "https://sts.eu-west-1.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15" and
		.method == "POST" and (.headers | map({key: (.key | ascii_downcase), value: .value}) | from_entries |
		.host == "sts.eu-west-1.amazonaws.com" and ."x-goog-cloud-target-resource" == "//a/b" and
		(.authorization | test("^AWS4-HMAC-SHA256 Credential=id/[0-9]{8}/eu-west-1/sts/aws4_request, .*SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-goog-cloud-target-resource")))' subject
	run -1 grep s3cr3t subject
	external '{"credential_source": {"environment_id": "aws2"}}'
	fails $source 'its environment_id is not aws1'
}

@test "a file that acts for a service account, by way of others" {
	only_ours
	exchanges 1am
	export GOOGLE_APPLICATION_CREDENTIALS=$here/acts.json
	echo subject >"$here/subject"
	jq -n --arg file "$here/subject" '{type: "impersonated_service_account",
		service_account_impersonation_url: "https://iamcredentials.googleapis.com/v1/x:generateAccessToken",
		delegates: ["projects/-/serviceAccounts/d"],
		source_credentials: {type: "external_account", audience: "a",
			credential_source: {file: $file}}}' >"$here/acts.json"
	gets $source
	jq -e '.delegates == ["projects/-/serviceAccounts/d"] and (.scope | length == 2)' "$net/sent"
	grep -q 'iamcredentials.googleapis.com/v1/x:generateAccessToken Bearer st5' "$net/log"
}

#!/usr/bin/env bats
# servers.bats - the servers of tests/servers are what they are said to be

load common
load servers

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	stop_servers
}

ask() { # [OPTION...] URL: the status
	curl -s -o body -w '%{http_code}' "$@"
}

@test "moto has a bucket and a table" {
	start_server moto
	run -0 ask "http://127.0.0.1:$moto_port/state?list-type=2"
	[ "$output" = 200 ]
	run -0 ask -X POST "http://127.0.0.1:$moto_port/" -d '{}' \
		-H 'X-Amz-Target: DynamoDB_20120810.ListTables' \
		-H 'Content-Type: application/x-amz-json-1.0' \
		-H 'Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0'
	[ "$output" = 200 ]
	[ "$(jq -c .TableNames body)" = '["locks"]' ]
}

@test "versitygw takes a signature, and none that is wrong" {
	start_server versitygw
	run -0 ask "http://127.0.0.1:$versitygw_port/state?list-type=2"
	[ "$output" = 403 ]
	empty=$(sha256sum </dev/null)
	set -- --aws-sigv4 aws:amz:us-east-1:s3 -H "x-amz-content-sha256: ${empty%% *}"
	run -0 ask "$@" --user tests:wrong \
		"http://127.0.0.1:$versitygw_port/state?list-type=2"
	[ "$output" = 403 ]
	run -0 ask "$@" --user tests:testsecret \
		"http://127.0.0.1:$versitygw_port/state?list-type=2"
	[ "$output" = 200 ]
}

@test "fake-gcs-server has a bucket, and writes no generation but the one asked for" {
	start_server gcs
	at=http://127.0.0.1:$gcs_port
	part=$'--b\r\nContent-Type: '
	set -- -X POST "$at/upload/storage/v1/b/state/o?uploadType=multipart&name=x&ifGenerationMatch=0" \
		-H 'Content-Type: multipart/related; boundary=b' --data-binary \
		"${part}application/json"$'\r\n\r\n{"name":"x"}\r\n'"${part}text/plain"$'\r\n\r\none\r\n--b--\r\n'
	run -0 ask "$@"
	[ "$output" = 200 ]
	run -0 ask "$@"
	[ "$output" = 412 ]
	run -0 ask "$at/state/x"
	[ "$output" = 200 ]
	[ "$(cat body)" = one ]
}

@test "Azurite has a container, and is reached through the proxy by its real name" {
	start_server azurite
	start_proxy azurite
	touch "$azurite_proxy_dir/tls"
	run -0 ask -x "http://127.0.0.1:$azurite_proxy_port" \
		--cacert "$azurite_dir/ca.pem" \
		'https://tests.blob.core.windows.net/state?restype=container'
	[ "$output" = 403 ]
	grep -q AuthorizationFailure body || grep -q AuthenticationFailed body
	[ "$(requests azurite_proxy)" = 'GET /state?restype=container 403' ]
}

@test "PostgreSQL has a database, by password alone, with TLS" {
	start_server postgres
	export PGPASSWORD=secret PGSSLROOTCERT=$postgres_dir/ca.pem
	at="host=127.0.0.1 port=$postgres_port user=tests dbname=state"
	run -0 psql "$at sslmode=verify-full" -Atc 'select 1'
	[ "$output" = 1 ]
	PGPASSWORD=wrong run -2 psql "$at" -Atc 'select 1'
	grep -q 'select 1' "$postgres_dir/said"
}

@test "the store of states locks, and wants its lock's ID" {
	start_store
	at=http://127.0.0.1:$store_port/s
	run -0 ask "$at"
	[ "$output" = 404 ]
	run -0 ask -X LOCK "$at" -d '{"ID":"a"}'
	[ "$output" = 200 ]
	run -0 ask -X LOCK "$at" -d '{"ID":"b"}'
	[ "$output$(cat body)" = '423{"ID":"a"}' ]
	run -0 ask -X POST "$at?ID=b" -d state
	[ "$output" = 409 ]
	run -0 ask -X POST "$at?ID=a" -d state
	[ "$output" = 200 ]
	run -0 ask -X UNLOCK "$at" -d '{"ID":"b"}'
	[ "$output" = 409 ]
	run -0 ask -X UNLOCK "$at" -d '{"ID":"a"}'
	[ "$output" = 200 ]
	run -0 ask "$at"
	[ "$output$(cat body)" = 200state ]
	echo 'u:p' >"$store_dir/auth"
	run -0 ask "$at"
	[ "$output" = 401 ]
	run -0 ask -u u:p "$at"
	[ "$output" = 200 ]
	[ "$(tail -n 1 "$store_dir/log")" = 'GET /s 200' ]
}

@test "the store of states wants a certificate" {
	start_store mtls
	run ask --cacert "$store_dir/ca.pem" "https://127.0.0.1:$store_port/s"
	[[ $status = 55 || $status = 56 ]] # sending or receiving fails
	run -0 ask --cacert "$store_dir/ca.pem" --cert "$store_dir/server.pem" \
		--key "$store_dir/server.key" "https://127.0.0.1:$store_port/s"
	[ "$output" = 404 ]
}

@test "the proxy cuts, loses and answers instead" {
	start_store
	start_proxy store
	at=http://127.0.0.1:$store_proxy_port/s
	faults store_proxy '{"match":"POST /s","do":"refuse"}'
	run -52 ask "$at" -d one
	faults store_proxy '{"match":"POST /s","do":"cut-request","bytes":30}'
	run -52 ask "$at" -d one
	run -0 ask "$at"
	[ "$output" = 404 ]
	faults store_proxy '{"match":"POST /s","do":"lose"}'
	run -52 ask "$at" -d two
	run -0 ask "$at"
	[ "$output$(cat body)" = 200two ]
	faults store_proxy '{"match":"GET*","do":"cut-answer","bytes":-1}'
	run -18 ask "$at"
	faults store_proxy '{"match":"GET*","do":"answer","status":429,"body":"x"}'
	run -0 ask "$at"
	[ "$output$(cat body)" = 429x ]
	[ "$(requests store_proxy | tr '\n' ' ')" = 'POST /s cut POST /s cut GET /s 404 POST /s 200 GET /s 200 GET /s 200 GET /s 429 ' ]
	faults store_proxy '{"n":8,"do":"stall","seconds":2}'
	run -28 ask -m 1 "$at"
}

@test "the proxy cuts what is not HTTP" {
	start_server postgres
	start_proxy postgres raw
	export PGPASSWORD=secret
	at="host=127.0.0.1 port=$postgres_proxy_port user=tests dbname=state sslmode=disable"
	run -0 psql "$at" -Atc 'select 1'
	n=$(grep -c . "$postgres_proxy_dir/requests.jsonl")
	# the last but the farewell is the question
	faults postgres_proxy "{\"n\":$((2 * n - 1)),\"do\":\"lose\"}"
	run -2 psql "$at" -Atc 'select 1'
}

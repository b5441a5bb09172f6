#!/usr/bin/env bats
# traces.bats - spans that a collector gets (OTEL_TRACES_EXPORTER), see trace.h

load provider
load servers

setup() {
	need jq
	provider_setup
	unset TRACEPARENT TRACESTATE OTEL_SERVICE_NAME OTEL_RESOURCE_ATTRIBUTES
	start_fake collector collector
	export OTEL_TRACES_EXPORTER=otlp
	export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:$collector_port/
	config <<-'END'
	variable "secret" {
	  default = "hidden-value"
	}
	resource "test_thing" "a" {
	  name = var.secret
	}
	resource "terraform_data" "b" {
	  input = test_thing.a.name
	}
	END
}

teardown() {
	stop_servers
}

# What was sent before is forgotten.
forget() {
	: >"$collector_dir/spans.jsonl" >"$collector_dir/requests.jsonl"
}

# Of the spans of this name: spans_of NAME FILTER
spans_of() {
	jq -r "select(.name == \"$1\") | $2" "$collector_dir/spans.jsonl" | sort
}

# bats test_tags=once
@test "a command is one trace: its programs, instances, calls of providers" {
	tf apply -auto-approve -no-color >out
	grep -q '^Apply complete! Resources: 2 added' out
	all=$collector_dir/spans.jsonl
	[ "$(jq -r .traceId "$all" | sort -u | wc -l)" = 1 ]
	jq -es 'map(.spanId) | length > 10 and length == (unique | length)' "$all"
	jq -e '.traceId | test("^[0-9a-f]{32}$")' "$all" >said
	# one has no parent, and all others' parents are there
	[ "$(jq -r 'select(has("parentSpanId") | not) | .name' "$all")" = 'tf apply' ]
	jq -es '(map(.parentSpanId // empty) - map(.spanId)) == []' "$all"
	for name in tf-parse tf-eval tf-graph tf-plan tf-apply; do
		[ "$(spans_of "$name" '.attributes[] |
			select(.key == "process.exit.code") | .value.intValue')" = 0 ]
	done
	address='.attributes[] | select(.key == "opentofu.resource_instance.address")
		| .value.stringValue'
	diff - <(spans_of 'Apply resource instance changes' "$address") <<-'END'
	terraform_data.b
	test_thing.a
	END
	diff - <(spans_of 'Plan resource instance changes' "$address") <<-'END'
	terraform_data.b
	test_thing.a
	END
	# a call is within the work on its instance
	within=$(jq -r 'select(.name == "ApplyResourceChange") | .parentSpanId' "$all")
	[ "$(jq -r "select(.spanId == \"$within\") | $address" "$all")" = test_thing.a ]
	jq -es 'map(select(.name == "ApplyResourceChange")) | length == 1 and
		(.[0] | .kind == 3 and (has("status") | not) and
		(.endTimeUnixNano | tonumber) >= (.startTimeUnixNano | tonumber))' "$all"
}

# bats test_tags=once
@test "what is validated is a resource, not an instance" {
	tf validate -no-color >out
	address='.attributes[] | select(.key == "opentofu.resource.address")
		| .value.stringValue'
	diff - <(spans_of 'Validate resource configuration' "$address") <<-'END'
	terraform_data.b
	test_thing.a
	END
}

# bats test_tags=once
@test "no value, argument or path is in a span" {
	tf apply -auto-approve -var=secret=hidden-value-2 -state="$PWD/hidden.tfstate" >out
	[ "$(wc -l <"$collector_dir/spans.jsonl")" -gt 10 ]
	run -1 grep -rI hidden "$collector_dir"
	run -1 grep -rIF "$PWD/" "$collector_dir"
}

# bats test_tags=once
@test "what fails is marked: the call, the instance and the program" {
	export TEST_PROVIDER_DO=apply:error=no
	run -1 tf apply -auto-approve
	for name in ApplyResourceChange 'Apply resource instance changes' tf-apply 'tf apply'; do
		[ "$name $(spans_of "$name" '.status.code // "-"')" = "$name 2" ]
	done
	[ "$(spans_of PlanResourceChange '.status.code // "-"' | sort -u)" = - ]
}

@test "stages by hand join the trace of their environment" {
	export TRACEPARENT=00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
	export TRACESTATE=vendor=1
	tf-parse | tf-plan >plan
	diff - <(jq -r 'select(.name | startswith("tf-")) |
		"\(.name) \(.traceId) \(.parentSpanId) \(.traceState)"' \
		"$collector_dir/spans.jsonl" | sort) <<-'END'
	tf-parse 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331 vendor=1
	tf-plan 0af7651916cd43dd8448eb211c80319c b7ad6b7169203331 vendor=1
	END
	# what is no such text begins a trace of its own
	forget
	for wrong in '' 00-0af7-b7ad-01 00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 \
		00-0af7651916cd43dd8448eb211c80319z-b7ad6b7169203331-01 \
		00-0af7651916cd43dd-448eb211c80319c-b7ad6b7169203331-01; do
		TRACEPARENT=$wrong tf-parse >parsed
	done
	[ "$(jq -r .traceId "$collector_dir/spans.jsonl" | sort -u | wc -l)" = 5 ]
	jq -es 'all(has("parentSpanId") | not)' "$collector_dir/spans.jsonl"
}

@test "whose spans they are, and the headers of requests" {
	export OTEL_RESOURCE_ATTRIBUTES='team=a%20b, service.name=other,broken'
	export OTEL_EXPORTER_OTLP_HEADERS='x-key=k%3D1,x-two=2'
	tf-parse >parsed
	jq -e '.method == "POST" and .path == "/v1/traces" and
		.headers["x-key"] == "k=1" and .headers["x-two"] == "2" and
		.headers["content-type"] == "application/json"' "$collector_dir/requests.jsonl"
	jq -c '[.body.resourceSpans[0].resource.attributes[] |
		select(.key | test("pid|version") | not) | [.key, .value.stringValue]] | sort' \
		"$collector_dir/requests.jsonl" >got
	[ "$(cat got)" = '[["service.name","other"],["team","a b"]]' ]
	forget
	OTEL_SERVICE_NAME=mine tf-parse >parsed
	grep -q '{"stringValue": "mine"}' "$collector_dir/requests.jsonl"
	# headers of traces alone, and their endpoint as it is
	forget
	OTEL_EXPORTER_OTLP_TRACES_HEADERS=x-three=3 \
		OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:$collector_port/here tf-parse >parsed
	jq -e '.path == "/here" and .headers["x-three"] == "3" and
		(.headers | has("x-key") | not)' "$collector_dir/requests.jsonl"
}

@test "requests to hosts are spans, of which the host alone is told" {
	start_store
	cat >main.tf <<-END
	terraform {
	  backend "http" {
	    address = "http://127.0.0.1:$store_port/a-secret-path?token=a-secret"
	  }
	}
	END
	tf init >out
	spans_of 'HTTP request' '[.kind, (.attributes | map({(.key): .value}) | add |
		.["http.request.method"].stringValue, .["server.address"].stringValue,
		.["http.response.status_code"].intValue)] | join(" ")' | sort -u >got
	grep -qx "3 GET 127.0.0.1:$store_port 404" got
	run -1 grep -r a-secret "$collector_dir"
}

@test "a collector that is not there, or refuses, is told of once" {
	echo 503 >"$collector_dir/status"
	tf plan >out 2>err
	grep -q '^Plan: 2 to add' out
	[ "$(cat err)" = 'tf plan: traces: the collector answers with status 503' ]
	export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1
	tf plan >out 2>err
	grep -q '^Plan: 2 to add' out
	[[ $(cat err) = 'tf plan: traces: '*'onnect'* ]]
	[ "$(wc -l <err)" = 1 ]
	OTEL_EXPORTER_OTLP_PROTOCOL=grpc tf plan >out 2>err
	grep -q '^Plan: 2 to add' out
	[[ $(cat err) = 'tf plan: traces: OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported'* ]]
	[ "$(wc -l <err)" = 1 ]
	# nor by a certificate that cannot be read, as if there were none
	OTEL_EXPORTER_OTLP_CERTIFICATE=none.pem tf plan >out 2>err
	[ "$(cat err)" = 'tf plan: traces: none.pem: No such file or directory' ]
}

# bats test_tags=once
@test "nothing is sent unless it is asked for" {
	for exporter in '' none console; do
		OTEL_TRACES_EXPORTER=$exporter tf plan >out
	done
	[ ! -e "$collector_dir/requests.jsonl" ]
}

# bats test_tags=once
@test "thousands of spans go in several requests" {
	cat >main.tf <<-'END'
	resource "terraform_data" "many" {
	  count = 3000
	  input = count.index
	}
	END
	tf plan >out
	[ "$(spans_of 'Plan resource instance changes' .spanId | wc -l)" = 3000 ]
	jq -r .size "$collector_dir/requests.jsonl" | sort -n >sizes
	[ "$(tail -n 2 sizes | head -n 1)" -gt 500000 ]
	[ "$(tail -n 1 sizes)" -lt 600000 ]
}

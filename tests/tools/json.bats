#!/usr/bin/env bats
# json.bats - the bytes of JSON, read and written: tests/golden/json
#
# Escapes, halves of surrogate pairs, control characters, U+2028, numbers that
# no double holds, names that stand twice, deep nesting.  TF_TEST_GOLDEN=write
# writes the files anew.

load common

setup() {
	golden=$(cd "$TF_TEST_SRC/tests/golden/json" && pwd)
	cd "$BATS_TEST_TMPDIR"
	cp "$golden/main.tf" "$golden/more.tf.json" .
	cp "$golden/state.in" terraform.tfstate
}

# What differs from run to run, and from version to version.
normal() {
	sed -E -e 's/(version" ?: ?)"[0-9]+\.[0-9]+\.[0-9]+"/\1"V"/' \
		-e 's/"(@?timestamp)":"[^"]*"/"\1":"T"/g' \
		-e '/^\{"record":"seal","tool":"tf-(plan|apply)"/d' \
		-e 's/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/UUID/g'
}

same() { # GOLDEN: what is read is what that file holds
	normal >out
	if [ "${TF_TEST_GOLDEN-}" = write ]; then
		cp out "$golden/$1"
	fi
	cmp out "$golden/$1" || {
		diff "$golden/$1" out | cut -c1-200
		return 1
	}
}

stream() { tf-parse -C . | tf-eval | tf-graph; }

without_provider() { tf-state rm foreign_thing.f >/dev/null; }

@test "a state file written again, and in one line" {
	tf-state pull | same state.pull
	without_provider
	same state.file <terraform.tfstate
}

@test "the stream up to the graph" {
	stream | same stream.graph
}

@test "a plan: its stream, and as JSON" {
	without_provider
	stream | tf-plan >plan
	same stream.plan <plan
	tf-show -json plan | same plan.json
}

@test "the state after an apply, and its outputs" {
	without_provider
	stream | tf-plan | tf-apply >applied
	same stream.apply <applied
	same state.applied <terraform.tfstate
	tf-show -json terraform.tfstate | same state.json
}

# Text that is no JSON: where it is noticed, and what is said.
broken() {
	cat <<'EOF'
"\x"
"\u12"
"\u12G4"
"a
"a	b"
01
1.
.5
+1
-
1e
1e+
NaN
nul
nulll
True
[1,]
[1 2]
[
]
[1}
{"a"}
{"a":}
{"a":1,}
{a:1}
{"a":1 "b":2}
'a'
"a"b
1 2
{} {}
// 1
EOF
	printf '"\377"\n"\300\200"\n"\355\240\200"\n"\364\220\200\200"\n'
	printf '"a\001b"\n"a\\\001"\n{"a\001":1}\n'
	printf '%01001d\n' 0 | tr 0 '['
}

refused() { # COMMAND...: what it says of each, its first lines
	local text rounds=0
	broken >texts
	while IFS= read -r text; do
		printf '%s\n' "${text:0:20}"
		STATE_TEXT=$text run "$@"
		printf '%s: %s\n' "$status" "$output" | sed -n '1,12p' |
			cut -c1-200
		rounds=$((rounds + 1))
	done <texts
	[ "$rounds" -gt 30 ]
}

in_state() {
	printf '{"version":4,"serial":1,"lineage":"l","x":%s,"outputs":{}}' \
		"$STATE_TEXT" >terraform.tfstate
	tf-state list
}

in_outputs() {
	printf '{"version":4,"serial":1,"lineage":"l","outputs":{"o":{"value":%s,"type":"string"}}}' \
		"$STATE_TEXT" >terraform.tfstate
	tf-state list
}

in_record() {
	printf '%s\n%s\n%s\n' \
		'{"record":"header","format":"tfpipe-stream","version":1}' \
		"{\"record\":\"local\",\"address\":\"local.a\",\"x\":$STATE_TEXT}" \
		'{"record":"end","failed":false}' | tf-eval >/dev/null
}

in_expression() {
	printf '%s' "$STATE_TEXT" >text
	tf-eval -e 'jsondecode(file("text"))' -C .
}

in_configuration() {
	printf '{"locals":{"a":%s}}' "$STATE_TEXT" >more.tf.json
	tf-parse -C . >/dev/null
}

# bats test_tags=once
@test "text that is no JSON is refused: in a state, records, functions, files" {
	local where
	for where in state outputs record expression configuration; do
		refused "in_$where" >"refused.$where"
		same "refused.$where" <"refused.$where"
	done
}

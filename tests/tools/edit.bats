#!/usr/bin/env bats
# What somebody edits in a stream, and what comes of it: the rows of the table in
# tf-stream(5), EDITING, a test each, named "row: RECORD: EDITED: BEFORE".

load common

jq_itself

setup_file() {
	without_leak_checks
}

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR"
	mkdir m
	cat >main.tf <<'TF'
variable "v" { default = "x" }
variable "n" {
  type    = number
  default = 1
}
locals { l = "L${var.v}" }
resource "terraform_data" "a" { input = local.l }
resource "terraform_data" "b" { input = "${terraform_data.a.input}!" }
resource "terraform_data" "e" {
  for_each = toset(["p", "q"])
  input    = each.key
}
module "m" {
  source = "./m"
  w      = var.v
}
output "a" { value = terraform_data.a.input }
output "b" { value = local.of_b }
output "all" { value = { for k, e in terraform_data.e : k => e.input } }
locals { of_b = [terraform_data.b.input, var.n] }
TF
	cat >m/main.tf <<'TF'
variable "w" {}
resource "terraform_data" "x" { input = var.w }
output "o" { value = terraform_data.x.input }
TF
	tf-init >/dev/null
}

# A state with all of it, and other outputs.
applied() {
	tf apply -auto-approve >/dev/null
}

upto() { # STAGE: its stream, in the file of that name
	tf-parse >tf-parse
	tf-eval <tf-parse >tf-eval
	[ "$1" = tf-eval ] || tf-graph <tf-eval >tf-graph
	[ "$1" != tf-plan ] || tf-plan <tf-graph >tf-plan
}

# The records that FILTER (for one record) makes of it.
edited() { # STREAM FILTER
	jq -c "$2" "$1" >edited
	run -1 cmp -s "$1" edited
}

# What is planned for an address, as JSON: of the plan in `plan`.
planned() { # ADDRESS
	jq -c --arg a "$1" 'select(.record == "resource_change" and
		.address == $a) | [.change.actions[0], .change.after.input]' plan
}

# STAGE refuses what is in `edited`, before anything is done: these words are in
# the message.
refused() { # STAGE WORDS...
	local word before=none
	local -r command=$1

	shift
	[ ! -e terraform.tfstate ] || before=$(cksum <terraform.tfstate)
	run -1 --separate-stderr bash -c "$command <edited"
	stderr=$(tr -s ' \n' '  ' <<<"$stderr")
	for word; do
		[[ $stderr == *"$word"* ]] || {
			echo "no '$word' in: $stderr"
			return 1
		}
	done
	[[ $stderr != *'bug in the provider'* ]]
	run -1 grep '"type":"apply_start"' <<<"$output"
	if [ "$before" = none ]; then
		[ ! -e terraform.tfstate ]
	else
		[ "$before" = "$(cksum <terraform.tfstate)" ]
	fi
}

on() { # RECORD ADDRESS FILTER: a filter that edits one record
	echo "if .record == \"$1\" and (.address // \"\") == \"$2\" then $3 else . end"
}

# --- obeyed ---

# bats test_tags=once
@test "row: variable: default: tf-eval" {
	upto tf-eval
	edited tf-parse "$(on variable var.v '.default.constant_value = "new"')"
	tf-eval <edited | tf-graph | tf-plan >plan
	[ "$(planned terraform_data.a)" = '["create","Lnew"]' ]
	[ "$(planned module.m.terraform_data.x)" = '["create","new"]' ]
}

# bats test_tags=once
@test "row: variable_value: value: tf-plan" {
	upto tf-graph
	edited tf-eval "$(on variable_value var.v '.value.value = "new"')"
	tf-graph <edited | tf-plan >plan
	[ "$(planned terraform_data.a)" = '["create","Lnew"]' ]
	edited tf-graph "$(on variable_value var.v '.value.value = "new"')"
	tf-plan <edited >plan
	[ "$(planned terraform_data.a)" = '["create","Lnew"]' ]
	tf-apply <plan >/dev/null
	[ "$(tf output -raw a)" = Lnew ]
	# given is what the value was converted from
	tf-parse | tf-eval -var n=5 >with
	edited with "$(on variable_value var.n 'del(.given) | .value.value = 7')"
	tf-plan <edited >plan
	jq -es 'any(.[]; .address == "output.b" and .record == "output_change" and
		.change.after == ["Lx!", 7])' plan
}

@test "row: local: value: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on local local.l '.value = {"expr": "upper(var.v)"}')"
	tf-plan <edited >plan
	[ "$(planned terraform_data.a)" = '["create","X"]' ]
}

@test "row: output: value: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on output output.a '.value = {"expr": "var.n + 1"}')"
	tf-plan <edited | tf-apply >/dev/null
	[ "$(tf output -json a)" = 2 ]
}

@test "row: resource: body: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on resource terraform_data.a \
		'.body.attributes.input = {"expr": "\"${var.v}${var.v}\""}')"
	tf-plan <edited >plan
	[ "$(planned terraform_data.a)" = '["create","xx"]' ]
	[ "$(planned terraform_data.b)" = '["create","xx!"]' ]
}

# bats test_tags=once
@test "row: resource: count, for_each: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on resource terraform_data.e \
		'.for_each = {"expr": "toset([\"r\"])"}')"
	tf-plan <edited >plan
	[ "$(planned 'terraform_data.e["r"]')" = '["create","r"]' ]
	run -0 planned 'terraform_data.e["p"]'
	[ -z "$output" ]
	edited tf-graph "$(on resource terraform_data.a \
		'.count = {"constant_value": 2}')"
	run -1 tf-plan <edited # b names a without a key
	[[ $output == *'Missing resource instance key'* ]]
}

@test "row: resource: depends_on: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on resource terraform_data.a '.depends_on =
		[{"expr": "terraform_data.e", "at": .type_at}]')"
	tf-plan <edited | tf-apply >/dev/null
	jq -e '.resources[] | select(.name == "a") |
		.instances[0].dependencies == ["terraform_data.e"]' terraform.tfstate
}

# bats test_tags=once
@test "row: resource: taken out: tf-plan" {
	applied
	upto tf-graph
	edited tf-graph 'select((.record == "resource" and
		.address == "terraform_data.e") or (.record == "output" and
		.address == "output.all") | not)'
	tf-plan <edited >plan
	jq -es '[.[] | select(.record == "resource_change" and
		.change.actions == ["delete"]) | .address] | length == 2' plan
}

@test "row: module_call: body: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on module_call module.m \
		'.body.attributes.w = {"constant_value": "inner"}')"
	tf-plan <edited >plan
	[ "$(planned module.m.terraform_data.x)" = '["create","inner"]' ]
}

# bats test_tags=once
@test "row: options: targets, excludes: tf-plan" {
	upto tf-graph
	edited tf-graph 'if .record == "options"
		then .targets = ["terraform_data.a"] else . end'
	tf-plan <edited >plan 2>/dev/null
	[ "$(jq -r 'select(.record == "planned") | .address' plan)" = \
		terraform_data.a ]
	edited tf-graph 'if .record == "options"
		then .excludes = ["terraform_data.a"] else . end'
	tf-plan <edited >plan 2>/dev/null
	run -0 planned terraform_data.b
	[ -z "$output" ]
	[ -n "$(planned 'terraform_data.e["p"]')" ]
}

# bats test_tags=once
@test "row: options: replace: tf-plan" {
	applied
	upto tf-graph
	edited tf-graph 'if .record == "options"
		then .replace = ["terraform_data.b"] else . end'
	tf-plan <edited >plan
	[ "$(planned terraform_data.b)" = '["delete","Lx!"]' ]
	[ "$(planned terraform_data.a)" = '["no-op","Lx"]' ]
}

taking_out() { # ADDRESS...
	jq -c 'select(((.record == "resource_change" or .record == "planned") and
		IN(.address; $ARGS.positional[])) | not)' tf-plan --args "$@" >edited
}

# bats test_tags=once
@test "row: planned: taken out: tf-apply" {
	applied
	sed -i 's/toset.*/toset(["q", "r"])/; s/default = "x"/default = "y"/
		s/default = 1/default = 2/' main.tf
	upto tf-plan
	# one is not destroyed, one not changed
	taking_out 'terraform_data.e["p"]' terraform_data.b
	run -0 --separate-stderr bash -c 'tf-apply <edited >applied'
	stderr=$(tr -s ' \n' '  ' <<<"$stderr")
	[[ $stderr == *'Warning: The plan was edited'* ]]
	[[ $stderr == *'terraform_data.b (update), terraform_data.e["p"] (delete).'* ]]
	[[ $stderr == *'stay as they were: b, all.'* ]]
	[ "$(tf output -json a)" = '"Ly"' ]
	[ "$(tf output -json b)" = '["Lx!",1]' ]
	[ "$(tf output -json all)" = '{"p":"p","q":"q"}' ]
	[ "$(tf state list | grep -c 'terraform_data.e')" = 3 ]
	# the rest of the plan is stale; the next one has it
	run -1 tf-apply <tf-plan
	[[ $output == *'Saved plan is stale'* ]]
	tf apply -auto-approve >/dev/null
	[ "$(tf output -json b)" = '["Ly!",2]' ]
	[ "$(tf output -json all)" = '{"q":"q","r":"r"}' ]
}

@test "row: any: added: any stage" {
	note='{"record":"x-note","text":"mine"}'
	tf-parse | sed "1a $note" | tf-eval | sed "1a $note" | tf-graph |
		sed "1a $note" | tf-plan | sed "1a $note" | tf-apply >out
	[ "$(grep -cxF "$note" out)" = 4 ]
}

# bats test_tags=once
@test "row: local_value: value: tf-plan" {
	upto tf-graph
	new=$(on local_value local.l '.value.value = "new"')
	edited tf-eval "$new"
	tf-graph <edited | tf-plan >plan
	[ "$(planned terraform_data.a)" = '["create","new"]' ]
	edited tf-graph "$new"
	tf-plan <edited >plan
	[ "$(planned terraform_data.a)" = '["create","new"]' ]
	[ "$(planned module.m.terraform_data.x)" = '["create","x"]' ]
	# with what was edited for it, where it comes from the other one
	edited tf-graph "$(on variable_value var.v '.value.value = "v"') | $new"
	tf-plan <edited >plan
	[ "$(planned terraform_data.a)" = '["create","new"]' ]
	[ "$(planned module.m.terraform_data.x)" = '["create","v"]' ]
	# tf-apply has it, too, and finds nothing else
	tf-apply <plan >/dev/null
	[ "$(tf output -raw a)" = new ]
	[ "$(tf output -json b)" = '["new!",1]' ]
	# a local that there is not
	edited tf-eval 'select(.record == "local_value" and
		.address == "local.l" | not), (select(.record == "local_value" and
		.address == "local.l") | .address = "local.m", .)'
	tf-graph <edited >edited.graph
	mv edited.graph edited
	refused tf-plan 'local_value of local.m' 'no such'
}

@test "row: expansion: count, for_each, enabled: tf-plan" {
	cat >>main.tf <<'TF'
resource "terraform_data" "n" { count = 2 }
resource "terraform_data" "on" {
  lifecycle { enabled = true }
}
module "more" {
  source   = "./m"
  for_each = { x = 1, y = 2 }
  w        = each.value
}
TF
	tf-init >/dev/null
	upto tf-graph
	edited tf-graph "$(on expansion terraform_data.e '.for_each = ["r", "p"]') |
		$(on expansion terraform_data.n '.count = 3') |
		$(on expansion terraform_data.on '.enabled = false') |
		$(on expansion module.more '.for_each = ["y"]')"
	tf-plan <edited >plan
	jq -r 'select(.record == "planned") | .address' plan | grep -e '[eno]\[' \
		-e on$ -e more >got
	diff got - <<'X'
terraform_data.e["p"]
terraform_data.e["r"]
terraform_data.n[0]
terraform_data.n[1]
terraform_data.n[2]
module.more["y"].terraform_data.x
X
	[ "$(planned 'module.more["y"].terraform_data.x')" = '["create",2]' ]
	tf-apply <plan >/dev/null
	[ "$(tf output -json all)" = '{"p":"p","r":"r"}' ]
	# another map's keys have no values, and objects that there are not no
	# instances
	edited tf-graph "$(on expansion module.more '.for_each = ["z"]')"
	refused tf-plan 'expansion of module.more' 'number, a list'
	edited tf-graph "$(on expansion terraform_data.n '.count = -1')"
	refused tf-plan 'expansion of terraform_data.n' 'number, a list'
	for address in terraform_data.none 'module.more["q"].terraform_data.x' \
		module.none terraform_data.a; do
		edited tf-graph "$(on expansion terraform_data.n \
			".address = $(jq -n --arg a "$address" '$a')")"
		refused tf-plan "expansion of $address"
	done
}

# bats test_tags=once
@test "row: node: taken out: tf-plan" {
	upto tf-graph
	without='select((.record == "node" or .record == "edge") and
		([.address, .from, .to] | any(. == $name)) | not)'
	# alone, and with its edges and what needs it
	edited tf-graph 'select(.record == "node" and
		.address == "terraform_data.a" | not)'
	tf-plan <edited >plan
	jq -c --arg name terraform_data.a "$without" tf-graph |
		jq -c --arg name terraform_data.b "$without" |
		jq -c --arg name output.b "$without" | tf-plan >same
	for i in plan same; do
		jq -r 'select(.record == "planned") | .address' $i >$i.got
		diff $i.got - <<'X'
terraform_data.e["p"]
terraform_data.e["q"]
module.m.terraform_data.x
X
	done
	tf-apply <plan >/dev/null
	[ "$(tf output -json | jq -c keys)" = '["all"]' ]
	# nothing can be left out of an output alone
	upto tf-graph
	edited tf-graph 'select(.record == "node" and .address == "output.a" | not)'
	refused tf-plan 'node of output.a' 'nothing that it needs'
	edited tf-graph 'select(.record == "node" and .address == "var.v" | not)'
	tf-plan <edited >plan
	run -1 grep '"record":"planned","address":"module.m' plan
	# a node that there is not
	edited tf-graph '., if .record == "options" then {record: "node",
		address: "terraform_data.none", phase: "plan"} else empty end'
	refused tf-plan 'node of terraform_data.none' 'no such'
}

@test "a node of the state is taken out" {
	applied
	rm m/main.tf
	echo 'variable "w" {}' >m/main.tf
	sed -i /terraform_data.a.input/d main.tf
	sed -i 's/terraform_data.b.input, //' main.tf
	upto tf-graph
	edited tf-graph 'select(.record == "node" and
		.address == "module.m.terraform_data.x" | not)'
	tf-plan <edited >plan
	jq -r 'select(.record == "planned") | .address + " " + .action' plan >got
	run -1 grep module.m got
	[ -s got ]
	tf-graph -destroy <tf-eval >destroy
	edited destroy 'select(.record == "node" and
		.address == "terraform_data.a (destroy)" | not)'
	tf-plan <edited >plan
	jq -r 'select(.record == "planned") | .address' plan >got
	run -1 grep 'terraform_data.a$' got
	grep 'terraform_data.e' got
}

@test "row: edge: added: tf-plan" {
	upto tf-graph
	add='., if .record == "options" then
		{record: "edge", from: $from, to: $to, phase: "plan"} else empty end'
	jq -c --arg from 'terraform_data.e' --arg to terraform_data.b "$add" \
		tf-graph >edited
	tf-plan <edited >plan
	jq -r 'select(.record == "edited") | .from + " " + .to' plan >got
	[ "$(cat got)" = 'terraform_data.e terraform_data.b' ]
	tf-apply -parallelism=10 <plan >out
	jq -r 'select(.type | IN("apply_start", "apply_complete")) |
		.type + " " + .hook.resource.addr' out >order
	[ "$(grep -n 'complete terraform_data.b' order | cut -d: -f1)" -lt \
		"$(grep -nm 1 'start terraform_data.e' order | cut -d: -f1)" ]
	jq -e '[.resources[] | select(.name == "e").instances[].dependencies |
		index("terraform_data.b")] | all(. != null)' terraform.tfstate
	# one that makes a circle, and one of an object that there is not
	upto tf-graph
	jq -c --arg from terraform_data.a --arg to terraform_data.b "$add" \
		tf-graph >edited
	refused tf-plan 'Cycle: terraform_data.a, terraform_data.b'
	jq -c --arg from terraform_data.a --arg to terraform_data.z "$add" \
		tf-graph >edited
	refused tf-plan 'edge of terraform_data.a to terraform_data.z'
}

@test "row: edge: added, of phase apply: tf-apply" {
	upto tf-plan
	add='., if .record == "plan" then
		{record: "edge", from: $from, to: $to, phase: "apply"} else empty end'
	tf-graph -apply <tf-plan >ordered
	for stream in tf-plan ordered; do
		rm -f terraform.tfstate*
		jq -c --arg from 'terraform_data.e["p"]' \
			--arg to 'terraform_data.e["q"]' "$add" $stream >edited
		tf-apply <edited >out
		jq -r 'select(.type | IN("apply_start", "apply_complete")) |
			.type + " " + .hook.resource.addr' out >order
		[ "$(grep -n 'complete terraform_data.e\["q' order |
			cut -d: -f1)" -lt "$(grep -n 'start terraform_data.e\["p' \
			order | cut -d: -f1)" ]
	done
	rm -f terraform.tfstate*
	jq -c --arg from terraform_data.a --arg to 'terraform_data.b' "$add" \
		tf-plan >edited
	refused tf-apply 'Cycle: '
	jq -c --arg from terraform_data.a --arg to 'terraform_data.z' "$add" \
		tf-plan >edited
	refused tf-apply 'from terraform_data.a to terraform_data.z'
}

@test "what is forgotten is so before it is made again, whatever else that waits for" {
	forgetting() { # GENERATION
		cat >main.tf <<-TF
		resource "terraform_data" "a" {
		  triggers_replace = $1
		  lifecycle { destroy = false }
		}
		resource "terraform_data" "y" { input = $1 }
		resource "terraform_data" "z" { input = terraform_data.y.output }
		TF
	}
	forgetting 1
	tf-plan -C . | tf-apply >/dev/null
	forgetting 2
	tf-plan -C . | jq -c '., if .record == "plan" then
		{record: "edge", from: "terraform_data.a (forget)",
		to: "terraform_data.z", phase: "apply"} else empty end' |
		tf-apply >out
	jq -e '.resources[] | select(.name == "a").instances[0].attributes |
		.triggers_replace.value == 2' terraform.tfstate
}

@test "row: node: taken out, of phase apply: tf-apply" {
	upto tf-plan
	tf-graph -apply <tf-plan >ordered
	less='select(.record == "node" and .phase == "apply" and
		.address == "terraform_data.b" | not)'
	edited ordered "$less"
	refused tf-apply 'node of terraform_data.b' 'still needs it'
	edited ordered "$less | select((.record | IN(\"planned\",
		\"resource_change\")) and .address == \"terraform_data.b\" | not)"
	tf-apply <edited >/dev/null
	[ "$(tf state list | grep -c 'terraform_data.[ab]$')" = 1 ]
}

# bats test_tags=once
@test "row: seal: taken out: any stage" {
	upto tf-graph
	for i in tf-eval tf-graph; do
		edited $i "$(on local_value local.l '.value.value = "new"') |
			select(.record != \"seal\")"
		tf-plan <edited >plan
		[ "$(planned terraform_data.a)" = '["create","new"]' ]
	done
	# from there on it is known again
	edited plan "$(on local_value local.l '.value.value = "newer"')"
	refused tf-apply 'record local_value of local.l'
}

@test "row: node, edge: all taken out: tf-plan" {
	upto tf-graph
	edited tf-graph 'select(.record != "node" and .record != "edge")'
	tf-plan <edited | tf-apply >/dev/null
	[ "$(tf output -raw a)" = Lx ]
}

@test "row: local_value: all taken out: tf-graph" {
	upto tf-eval
	edited tf-eval 'select(.record |
		IN("local_value", "expansion", "source") | not)'
	tf-graph <edited | tf-plan >plan
	[ "$(planned terraform_data.a)" = '["create","Lx"]' ]
	edited plan 'select(.record | IN("node", "edge", "variable_value",
		"options", "previous_run_state", "schema") | not)'
	tf-apply <edited >/dev/null
	[ "$(tf output -raw a)" = Lx ]
}

# --- refused ---

# bats test_tags=once
@test "row: source: text: tf-eval" {
	upto tf-plan
	for stage in tf-parse:tf-eval tf-eval:tf-graph tf-graph:tf-plan tf-plan:tf-apply; do
		edited ${stage%:*} 'if .record == "source" then .text += "\n" else . end'
		refused ${stage#*:} 'source of main.tf' '(text)' "after ${stage%:*}."
	done
}

# bats test_tags=once
@test "row: variable: default: tf-graph" {
	upto tf-graph
	new=$(on variable var.v '.default.constant_value = "new"')
	edited tf-eval "$new"
	refused tf-graph 'A record variable of var.v (default) was changed after tf-eval.'
	edited tf-graph "$new"
	refused tf-plan 'A record variable of var.v (default) was changed after tf-graph.'
	# while nobody has settled it, it counts
	tf-parse | tf-graph | jq -c "$new" | tf-plan >plan
	[ "$(planned terraform_data.a)" = '["create","Lnew"]' ]
}

@test "row: variable_value: given: tf-plan" {
	tf-parse | tf-eval -var n=5 >with
	edited with "$(on variable_value var.n '.given.value = "6"')"
	refused tf-plan 'variable_value of var.n' '"given"'
	edited with "$(on variable_value var.n '.value.value = 6')"
	refused tf-plan 'variable_value of var.n' '"given"'
	tf-graph <edited >passed 2>/dev/null || true
	run -1 tf-plan <passed
}

@test "row: variable_value: of a module: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on variable_value module.m.var.w '.value.value = "new"')"
	refused tf-plan 'variable_value of module.m.var.w' '(value)' module_call
}

# bats test_tags=once
@test "row: local_value, expansion: any: tf-apply" {
	upto tf-plan
	edited tf-plan "$(on local_value local.l '.value.value = "new"')"
	refused tf-apply 'local_value of local.l (value) was changed'
	edited tf-plan "$(on expansion terraform_data.e '.for_each = ["p"]')"
	refused tf-apply 'expansion of terraform_data.e (for_each) was changed'
}

# bats test_tags=once
@test "row: edge: taken out: tf-plan" {
	upto tf-graph
	edited tf-graph 'select(.record == "edge" and
		.from == "terraform_data.b" and .to == "terraform_data.a" | not)'
	refused tf-plan 'edge of terraform_data.b to terraform_data.a' 'taken out'
	edited tf-graph 'if .record == "edge" and .from == "terraform_data.b" and
		.to == "terraform_data.a" then .instance = "x" else . end'
	refused tf-plan 'edge of terraform_data.b to terraform_data.a'
}

# bats test_tags=once
@test "row: node, edge: any, of phase plan: tf-apply" {
	upto tf-plan
	edited tf-plan 'select(.record == "node" and
		.address == "terraform_data.b" | not)'
	refused tf-apply 'A record node was taken out'
	edited tf-plan '., if .record == "options" then {record: "edge",
		from: "terraform_data.a", to: "terraform_data.e", phase: "plan"}
		else empty end'
	refused tf-apply 'edge of terraform_data.a' 'was added'
}

# bats test_tags=once
@test "row: edited: any: any stage" {
	upto tf-graph
	edited tf-graph "$(on local_value local.l '.value.value = "new"')"
	tf-plan <edited >plan
	edited plan 'if .record == "edited" then .value.value = "other" else . end'
	refused tf-apply 'record edited of local.l (value) was changed'
	edited tf-graph '., if .record == "options" then {record: "edited",
		address: "local.l", value: {value: "a", type: "string"}}
		else empty end'
	refused tf-plan 'record edited of local.l was added'
}

@test "row: node: selected: tf-plan" {
	upto tf-graph
	edited tf-graph "$(on node terraform_data.b '.selected = false')"
	refused tf-plan 'node of terraform_data.b' 'was edited' options
}

@test "row: backend: body: tf-plan" {
	echo 'terraform {
  backend "local" { path = "x.tfstate" }
}' >backend.tf
	tf-init >/dev/null
	upto tf-graph
	edited tf-graph 'if .record == "backend" then
		.body.attributes.path = {"constant_value": "y"} else . end'
	refused tf-plan 'A record backend (body)' tf-graph
}

# bats test_tags=once
@test "row: state: serial: tf-plan" {
	applied
	upto tf-plan
	for stage in tf-graph:tf-plan tf-plan:tf-apply; do
		edited ${stage%:*} 'if .record == "state" then .serial += 1 else . end'
		refused ${stage#*:} 'A record state (serial) was changed' tf-state
	done
}

# bats test_tags=once
@test "row: previous_run_state: attributes: tf-plan" {
	applied
	upto tf-plan
	for stage in tf-graph:tf-plan tf-plan:tf-apply; do
		edited ${stage%:*} "$(on previous_run_state terraform_data.b \
			'.attributes.input.value = "z"')"
		refused ${stage#*:} 'previous_run_state of terraform_data.b (attributes)' tf-state
		edited ${stage%:*} "$(on previous_output output.a '.value.value = 5')"
		refused ${stage#*:} 'previous_output of output.a (value)' tf-state
	done
}

# bats test_tags=once
@test "row: resource: body: tf-apply" {
	upto tf-plan
	edited tf-plan "$(on resource terraform_data.a \
		'.body.attributes.input = {"constant_value": "z"}')"
	refused tf-apply 'A record resource of terraform_data.a (body) was changed'
	for kind in local output module_call variable; do
		edited tf-plan "if .record == \"$kind\" then .description = \"z\"
			else . end"
		refused tf-apply "$kind of" 'after tf-plan.'
	done
	# what was edited before counts as it is
	edited tf-graph "$(on resource terraform_data.a \
		'.body.attributes.input = {"constant_value": "z"}')"
	tf-plan <edited | tf-apply >/dev/null
	[ "$(tf output -raw a)" = z ]
}

@test "row: variable_value: value: tf-apply" {
	upto tf-plan
	edited tf-plan "$(on variable_value var.v '.value.value = "new"')"
	refused tf-apply 'variable_value of var.v (value)'
}

@test "row: options: targets, excludes: tf-apply" {
	upto tf-plan
	edited tf-plan 'if .record == "options"
		then .targets = ["terraform_data.a"] else . end'
	refused tf-apply 'A record options (targets) was changed'
}

both() { # ADDRESS VALUE: what is planned, edited in both records
	on planned "$1" ".planned.value.input = \"$2\""
	echo '|'
	on resource_change "$1" ".change.after.input = \"$2\""
}

# bats test_tags=once
@test "row: planned: planned: tf-apply" {
	upto tf-plan
	edited tf-plan "$(both terraform_data.b edited)"
	refused tf-apply \
		'A record planned of terraform_data.b (planned) was changed' body
	[ "$(grep -c 'Error:' <<<"$stderr")" = 1 ]
	edited tf-plan "$(both terraform_data.b edited | sed -n 1p)"
	refused tf-apply 'planned of terraform_data.b (planned)'
	# a plan from which tf-graph -apply made the order tells it, too
	edited tf-plan "$(both terraform_data.b edited)"
	run -1 tf-graph -apply <edited
	# wrong values are told with their place
	edited tf-plan "$(on planned terraform_data.b '.planned.unknown =
		[{"path": ["input", "x"]}]')"
	refused tf-apply 'terraform_data.b has an invalid "planned": a path beside'
	edited tf-plan "$(on planned terraform_data.b '.planned.type =
		["object", {"input": "number"}] | .planned.value = {"input": "z"}')"
	refused tf-apply 'has an invalid "planned": .input: a number is required'
}

# bats test_tags=once
@test "row: planned: action: tf-apply" {
	applied
	upto tf-plan
	edited tf-plan "$(on planned terraform_data.b '.action = "delete"') |
		$(on resource_change terraform_data.b '.change.actions = ["delete"]')"
	refused tf-apply 'planned of terraform_data.b (action)'
	edited tf-plan "$(on planned terraform_data.b 'del(.dependencies)')"
	refused tf-apply 'A record planned of terraform_data.b (dependencies) was changed'
}

@test "row: planned: added: tf-apply" {
	upto tf-plan
	edited tf-plan 'if (.record == "planned" or .record == "resource_change")
		and .address == "terraform_data.b"
		then ., (.address = "terraform_data.c") else . end'
	refused tf-apply 'planned of terraform_data.c was added'
}

# bats test_tags=once
@test "row: resource_change: change: tf-apply" {
	upto tf-plan
	edited tf-plan "$(on resource_change terraform_data.b \
		'.change.after.input = "z"')"
	refused tf-apply 'resource_change of terraform_data.b (change)'
	# what only people read is no place for lies
	edited tf-plan "$(on resource_change terraform_data.b \
		'.change.before = {"input": "z"}')"
	refused tf-apply 'resource_change of terraform_data.b (change)'
}

# bats test_tags=once
@test "row: resource_change: taken out: tf-apply" {
	upto tf-plan
	for kind in resource_change planned; do
		edited tf-plan "select(.record == \"$kind\" and
			.address == \"terraform_data.b\" | not)"
		refused tf-apply 'terraform_data.b has a' "but no $kind record"
	done
}

# bats test_tags=once
@test "row: output_change: planned: tf-apply" {
	upto tf-plan
	edited tf-plan "$(on output_change output.a \
		'.planned.value = "z" | .change.after = "z"')"
	refused tf-apply 'output_change of output.a (change, planned) was changed'
	edited tf-plan 'select(.record == "output_change" | not)'
	refused tf-apply 'Records output_change were taken out'
}

# bats test_tags=once
@test "row: plan: mode: tf-apply" {
	applied
	sed -i 's/default = "x"/default = "y"/' main.tf
	cat >>main.tf <<'TF'
check "c" {
  assert {
    condition     = var.n == 1
    error_message = "not one"
  }
}
TF
	upto tf-plan
	edited tf-plan 'if .record == "plan" then .mode = "destroy" else . end'
	refused tf-apply 'A record plan (mode) was changed' 'Make a new plan'
	for kind in schema prior_output check_result; do
		edited tf-plan "if .record == \"$kind\" then .more = 1 else . end"
		refused tf-apply "$kind" 'Make a new plan'
	done
}

# --- what is no edit, and who knows ---

# Of the first record of each kind that another stage wrote, but the kinds given:
# each of its members with an x more, and without it.
each_member() { # STREAM KIND...
	jq -nc '[inputs] as $all
		| [$all[] | select(.record | IN($ARGS.positional[]) | not)]
		| unique_by(.record)[]
		| . as $r | (keys_unsorted - ["record"])[] as $m
		| ($all | index($r)) as $at
		| ($r | del(.[$m]), (.[$m] |= if type == "object" then .x = "x"
			elif type == "array" then . + ["terraform_data.a"]
			elif type == "string" then . + "x"
			elif type == "number" then . + 1 else "x" end)) as $new
		| {kind: $r.record, member: $m, at: $at, line: $new}' \
		--args "${@:2}" <"$1"
}

@test "what was edited is named with its member" {
	local n=0 line

	applied
	cat >>main.tf <<'TF'
check "c" {
  assert {
    condition     = var.n == 1
    error_message = "not one"
  }
}
import {
  to = terraform_data.i
  id = "1"
}
resource "terraform_data" "i" {}
TF
	sed -i 's/default = "x"/default = "y"/' main.tf
	upto tf-plan
	# edges of phase apply may be added: an edge that differs may be one; what
	# is planned for another address is another change
	each_member tf-plan header stage seal end diagnostic event edge |
		jq -r '[.kind, .member, .at, (.line | tojson)] | @tsv' |
		sed 's/\\\\/\\/g' >edits
	while IFS=$'\t' read -r kind member at line; do
		head -n "$at" tf-plan >edited
		printf '%s\n' "$line" >>edited
		tail -n +$((at + 2)) tf-plan >>edited
		run -1 --separate-stderr tf-apply <edited
		stderr=$(tr -s ' \n' '  ' <<<"$stderr")
		# what cannot even be read is told in other words
		[[ $stderr == *"ecord $kind "*"($member)"* ||
			($kind.$member == planned.address &&
			$stderr == *'ecord planned of terraform_data.ax was added'*) ||
			($stderr == *"${member%s}"* &&
			$stderr == *"It is in line $((at + 1)) "*" record $kind"*) ]] || {
			echo "$kind.$member: $stderr"
			false
		}
		n=$((n + 1))
	done <edits
	[ "$n" -gt 150 ]
}

# bats test_tags=once
@test "the member is named of the first records of a kind, the others without" {
	for i in {1..300}; do echo "output \"o$i\" { value = $i }"; done >more.tf
	upto tf-plan
	for name in o1 o300; do
		edited tf-plan "$(on output output.$name '.description = "x"')"
		refused tf-apply "A record output of output.$name "
	done
	[[ $stderr == *'output.o300 was changed'* ]]
	edited tf-plan 'if .record == "output" then .description = "x" |
		.sensitive = true else . end'
	refused tf-apply ' and 301 more (description, sensitive) were changed'
	# also where a second stage adds to so many of a kind
	tf-graph -apply <tf-plan >ordered
	edited ordered 'select(.record == "node" and
		(.address | test("^output.o[0-9]{1,2}$")) | not) |
		if .record == "node" then .selected = false else . end'
	refused tf-apply ' more (selected) were changed'
}

@test "the table of tf-stream(5) and these tests have the same rows" {
	sed -n '/^\.Sh EDITING/,/^\.Sh FILES/p' "$TF_TEST_SRC/man/tf-stream.5" |
		sed -n '/^\.It Em/d; s/^\.It //p' |
		sed 's/ Ta$//; s/ Ta /: /g; s/Li //g; s/ , /, /g' >table
	sed -n 's/^@test "row: \(.*\)" {$/\1/p' "$BATS_TEST_FILENAME" >tests
	[ "$(wc -l <table)" -gt 30 ]
	diff table tests
}

# bats test_tags=once
@test "another way of writing is no edit, in any stage" {
	cat >>main.tf <<'TF'
resource "terraform_data" "odd" {
  input = { f = 1.5, e = 1e100, d = 1e-9, t = "a\u0001<é&\u2028/", "k \" y" = [0.25, -3] }
}
output "odd" { value = terraform_data.odd.input }
TF
	applied
	# as OpenTofu writes it, and others may
	sed -i 's/"input": *"Lx!"/"input": "Lx!"/; s/</\\u003c/g' terraform.tfstate
	jq -c . terraform.tfstate >compact
	mv compact terraform.tfstate
	sed -i 's/default = "x"/default = "y"/' main.tf
	python=$(cat <<'PY'
import json, sys
for line in sys.stdin:
    print(json.dumps(json.loads(line)))
PY
)
	for how in "jq -c ." "python3 -c '$python'" "sed 's/:1\\.5,/:1.50,/g'"; do
		tf-parse | bash -c "$how" | tf-eval | bash -c "$how" | tf-graph |
			bash -c "$how" | tf-plan | bash -c "$how" >written
		tf-graph -apply <written >/dev/null
		cp terraform.tfstate before
		run -0 --separate-stderr bash -c 'tf-apply <written >out'
		[ -z "$stderr" ]
		mv before terraform.tfstate
	done
	# and the order of records
	tf-plan -C . >plan
	changes='^{"record":"\(planned\|resource_change\|output_change\)"'
	{ grep -v "$changes" plan | sed '$d'; grep "$changes" plan | tac
		tail -n 1 plan; } >written
	run -0 --separate-stderr bash -c 'tf-apply <written >out'
	[ -z "$stderr" ]
}

# bats test_tags=once
@test "another order of members is an edit of all, which is told once" {
	upto tf-plan
	for stage in tf-parse:tf-eval tf-graph:tf-plan tf-plan:tf-apply; do
		jq -S -c . "${stage%:*}" >edited
		run -1 --separate-stderr "${stage#*:}" <edited
		[ "$(grep -c '^Error: Edited records cannot be used$' <<<"$stderr")" = 1 ]
		[[ $stderr == *"than ${stage%:*} wrote"* ]]
		[ "$(grep -c '^Error' <<<"$stderr")" = 1 ]
	done
	run -1 tf-show <edited
	[[ $(tr '\n' ' ' <<<"$output") == *'begins with its member record, as without -S'* ]]
}

# bats test_tags=once
@test "jq without -c is recognised by whoever reads a stream" {
	upto tf-plan
	for stage in tf-parse:tf-eval tf-eval:tf-graph tf-graph:tf-plan \
		tf-plan:tf-apply tf-plan:tf-show 'tf-plan:tf-graph -apply' \
		'tf-plan:tf-show -json' 'tf-plan:tf-ui -op=apply'; do
		jq . "${stage%:*}" >edited
		run -1 bash -c "${stage#*:} <edited"
		[[ $(tr '\n' ' ' <<<"$output") == *'jq writes with -c'* ]]
	done
	jq . tf-plan >plan
	for command in show apply; do
		run -1 tf $command plan
		[[ $(tr '\n' ' ' <<<"$output") == *'jq writes with -c'* ]]
	done
	jq -c . tf-plan | sed '1s/:/: /' >plan
	tf apply plan
}

# bats test_tags=once
@test "a stage seals what passes through it as it found it" {
	upto tf-plan
	taking_out terraform_data.b
	tf-graph -apply <edited >ordered
	run -0 --separate-stderr bash -c 'tf-apply <ordered >out'
	[[ $stderr == *'The plan was edited'* ]]
	# tf-graph does not launder what tf-plan will refuse
	edited tf-eval 'if .record == "expansion" then .count = 7 else . end'
	tf-graph <edited >graph
	run -1 tf-plan <graph
}

# bats test_tags=once
@test "a change that needs what is not made is refused before anything is done" {
	upto tf-plan
	taking_out terraform_data.a
	run -1 --separate-stderr bash -c 'tf-apply <edited >out'
	stderr=$(tr -s " \n" "  " <<<"$stderr")
	[[ $stderr == *"terraform_data.b needs terraform_data.a, the creation of which"* ]]
	run -1 grep -q apply_start out
	[ ! -e terraform.tfstate ]
	# through a local value and a module, and of the instance that is named
	cat >>main.tf <<TF
locals { p = terraform_data.e["p"].id }
module "n" {
  source = "./m"
  w      = local.p
}
TF
	tf-init >/dev/null
	upto tf-plan
	taking_out 'terraform_data.e["p"]'
	run -1 --separate-stderr bash -c 'tf-apply <edited >out'
	stderr=$(tr -s " \n" "  " <<<"$stderr")
	[[ $stderr == *'module.n.terraform_data.x needs terraform_data.e["p"],'* ]]
	[ ! -e terraform.tfstate ]
	taking_out 'terraform_data.e["q"]' terraform_data.b
	tf-apply <edited >out 2>/dev/null
	[ "$(tf state list | wc -l)" = 4 ]
}

# bats test_tags=once
@test "what a change needs may be named by the text of a number" {
	sed -i 's/for_each = toset.*/count = 2/; s/each.key/count.index/' main.tf
	echo 'resource "terraform_data" "f" { input = terraform_data.e["1"].id }' \
		>>main.tf
	upto tf-plan
	taking_out 'terraform_data.e[1]'
	run -1 --separate-stderr bash -c 'tf-apply <edited >out'
	[[ $stderr == *'terraform_data.f needs terraform_data.e[1],'* ]]
	taking_out 'terraform_data.e[0]'
	tf-apply <edited >out 2>/dev/null
}

@test "a change needs what is missing in its own instance of the module" {
	sed -i '/^module "m"/a for_each = toset(["p", "q"])' main.tf
	echo 'resource "terraform_data" "y" {
	  count = 2
	  input = terraform_data.x.input
	}' >>m/main.tf
	upto tf-plan
	taking_out 'module.m["q"].terraform_data.x'
	run -1 --separate-stderr bash -c 'tf-apply <edited >out'
	[ "$(grep -o '^module.* needs [^,]*' <<<"$stderr")" = \
'module.m["q"].terraform_data.y[0] needs module.m["q"].terraform_data.x
module.m["q"].terraform_data.y[1] needs module.m["q"].terraform_data.x' ]
}

@test "a change that would be another without what was taken out is refused" {
	cat >>main.tf <<'TF'
resource "terraform_data" "f" {
  for_each = toset(["p", "q"])
  input    = "f${terraform_data.e[each.key].output}"
}
resource "terraform_data" "g" {
  for_each = toset(["p", "q"])
  input    = local.e[each.key]
}
resource "terraform_data" "id" { input = terraform_data.a.id }
locals { e = { for k, e in terraform_data.e : k => e.input } }
TF
	sed -i 's/input    = each.key/input    = "${each.key}${var.v}"/' main.tf
	upto tf-plan
	# by a key that is worked out; through a local, of which one part is needed
	taking_out 'terraform_data.e["p"]' 'terraform_data.g["p"]' \
		'terraform_data.g["q"]'
	refused tf-apply 'terraform_data.f["p"] (.input) needs an object'
	[[ $stderr != *'terraform_data.f["q"]'* ]]
	taking_out 'terraform_data.e["p"]' 'terraform_data.f["p"]'
	refused tf-apply 'terraform_data.g["p"] (.input) needs an object'
	[[ $stderr != *'terraform_data.g["q"]'* ]]
	taking_out 'terraform_data.e["p"]' 'terraform_data.f["p"]' \
		'terraform_data.g["p"]'
	tf-apply <edited >/dev/null 2>&1
	[ "$(tf state list | grep -c '\[')" = 3 ]
	# an update: who needs what it would change, but not who needs the rest
	applied
	sed -i 's/default = "x"/default = "y"/' main.tf
	upto tf-plan
	taking_out terraform_data.a
	refused tf-apply 'without them terraform_data.b would not be' 'input'
	taking_out 'terraform_data.e["p"]'
	refused tf-apply 'without them terraform_data.g["p"] would not be'
	# what was not known may be anything
	[[ $stderr != *'["q"]'* && $stderr != *terraform_data.f* ]]
	sed -i 's/= terraform_data.a.id/= "${terraform_data.a.id}${var.v}"/' main.tf
	upto tf-plan
	taking_out terraform_data.a terraform_data.b
	tf-apply <edited >/dev/null 2>&1
	[ "$(tf output -raw a)" = Lx ]
	[[ $(tf state show terraform_data.id) == *'y"'* ]]
}

@test "instances that there would not be without what was taken out are refused" {
	cat >>main.tf <<'TF'
resource "terraform_data" "c" { count = length(terraform_data.a.input) }
resource "terraform_data" "d" {
  for_each = { k = terraform_data.a.input }
  input    = each.value
}
TF
	applied
	sed -i 's/default = "x"/default = "yy"/' main.tf
	upto tf-plan
	taking_out terraform_data.a terraform_data.b
	refused tf-apply 'without them the configuration has no instance terraform_data.c[2]' \
		'without them terraform_data.d["k"] would not be'
	[[ $stderr != *'c[1]'* ]]
	taking_out terraform_data.a terraform_data.b 'terraform_data.c[2]' \
		'terraform_data.d["k"]'
	tf-apply <edited >/dev/null 2>&1
	[ "$(tf output -raw a)" = Lx ]
}

# bats test_tags=once
@test "what was not taken out has its planned value, what is deposed has none" {
	sed -i 's/input    = each.key/input    = "${each.key}${var.v}"/' main.tf
	echo 'resource "terraform_data" "f" {
	  input = "${terraform_data.a.id}${terraform_data.e["q"].input}"
	}' >>main.tf
	applied
	sed -i 's/default = "x"/default = "y"/' main.tf
	jq '(.resources[] | select(.name == "e") | .instances) |=
		. + [.[1] + {deposed: "12345678"}]' terraform.tfstate >s
	cp s terraform.tfstate
	upto tf-plan
	taking_out terraform_data.a terraform_data.b
	tf-apply <edited >/dev/null 2>&1
	[[ $(tf state show terraform_data.f) == *'qy"'* ]]
	run -1 grep deposed terraform.tfstate
}

# bats test_tags=once
@test "an output stays as it was when a part of what it is made of was taken out" {
	upto tf-plan
	taking_out 'terraform_data.e["p"]' module.m.terraform_data.x
	tf-apply <edited >/dev/null 2>&1
	[ "$(tf output -raw a)" = Lx ]
	run -1 tf output all
	tf apply -auto-approve >/dev/null
	upto tf-graph
	tf-parse | tf-graph -destroy | tf-plan >tf-plan
	taking_out 'terraform_data.e["p"]'
	tf-apply <edited >/dev/null 2>&1
	[ "$(tf output -json all)" = '{"p":"p","q":"q"}' ]
	[ "$(tf state list)" = 'terraform_data.e["p"]' ]
	run -1 tf output a
}

without_seals() {
	tf-parse -seal=false | tf-eval -seal=false | tf-graph -seal=false |
		tf-plan -seal=false
}

# but what seals and stages say of the stages, when it was, and what is for an
# apply in the same pipe
records() {
	jq -cS 'select(.record | IN("seal", "stage", "module_output") | not) |
		del(.timestamp)'
}

# bats test_tags=once
@test "without seals the same is planned" {
	upto tf-plan
	without_seals >plain
	run -1 grep -q '"record":"seal"' plain
	records <plain >got
	records <tf-plan | cmp - got
	tf-apply <plain >/dev/null
	[ "$(tf output -raw a)" = Lx ]
}

@test "without seals a provisioner of no type is refused where it would run" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "touch made" }
}
TF
	tf-init >/dev/null
	without_seals | sed 's/"local-exec"/"chef"/' >edited
	run -1 --separate-stderr bash -c 'tf-apply <edited >out'
	[[ $stderr == *'Unsupported provisioner type'* ]]
	[ ! -e made ]
	# it was made, and is not what it should be
	jq -e '.resources[0].instances[0].status == "tainted"' terraform.tfstate
}

@test "what is planned as null, of any type, is nothing else when it is applied" {
	cat >main.tf <<'TF'
resource "terraform_data" "made" {}
resource "terraform_data" "dep" {
  input = terraform_data.made.id
}
resource "terraform_data" "other" {
  triggers_replace = "two"
}
TF
	tf-init >/dev/null
	without_seals >plan
	jq -c --argjson body "$(jq -c 'select(.record == "resource" and
			.name == "other") | .body' plan)" \
		'if .record == "resource" and .name == "dep"
		then .body.attributes.triggers_replace =
			$body.attributes.triggers_replace else . end' plan >edited
	run -1 --separate-stderr bash -c 'tf-apply <edited >out'
	[[ $(tr -s ' \n' ' ' <<<"$stderr") == *'triggers_replace: was null, but now "two"'* ]]
	jq -e '[.resources[].name] == ["made", "other"]' terraform.tfstate
}

@test "without seals nobody looks for edits" {
	upto tf-plan
	taking_out terraform_data.b
	tf-apply -seal=false <edited >out 2>err || cat err
	run -1 grep -q 'The plan was edited' err
	edited tf-eval 'if .record == "expansion" then .count = 7 else . end'
	tf-graph -seal=false <edited | tf-plan -seal=false >/dev/null
}

# What is saved is read again, by who knows when.
@test "tf plans without seals, but for a plan in a file" {
	words=$(dirname "$(command -v tf-plan)")/words
	how() {
		"$words" "$@" 3>&1 >/dev/null | grep -o -- ' -seal=false' |
			wc -l
	}
	[ "$(how plan)" = 1 ]
	[ "$(how apply)" = 1 ]
	[ "$(how plan -out=plan)" = 0 ]
	tf plan -out=plan >/dev/null
	[ "$(grep -c '"record":"seal"' plan)" = 4 ]
	[ "$(how apply plan)" = 0 ]
}

# Nobody can look into it, so there is nothing but what tf-plan takes.
# bats test_tags=once
@test "in the pipe of tf plan is no record that nobody reads" {
	cat >main.tf <<-'END'
	variable "v" { default = 2 }
	# a local that is evaluated early is known to tf-eval
	terraform {
	  backend "local" { path = "${local.l}.tfstate" }
	}
	locals { l = var.v }
	resource "terraform_data" "a" {
	  count = local.l
	  input = var.given
	}
	variable "given" {}
	END
	mkdir bin
	for tool in tf-graph tf-plan; do
		cat >bin/$tool <<-END
		#!/bin/sh
		tee "$PWD/$tool.seen" | exec "$(command -v $tool)" "\$@"
		END
		chmod +x bin/$tool
	done
	for tool in tf tf-parse tf-eval tf-apply tf-ui; do
		cp "$(command -v $tool)" bin
	done
	ln -s "$(dirname "$(command -v tf)")"/{words,runner} bin
	kinds() { # TOOL
		jq -r .record "$1.seen" | sort -u | tr '\n' ' '
	}
	tf init -var given=x >out
	PATH=$PWD/bin:$PATH tf plan -no-color -var given=x >out
	grep -c 'Plan: 2 to add' out
	kinds tf-graph >taken
	run -1 grep -E 'expansion|local_value' taken
	[ "$(kinds tf-plan)" = 'backend end header local module options resource source stage state variable variable_value ' ]
	# a plan that is kept has all of them, for whoever reads it
	PATH=$PWD/bin:$PATH tf plan -no-color -var given=x -out=p >out
	[[ $(kinds tf-plan) = *edge*expansion*local_value*node* ]]
	# and plans the same
	tf-show -no-color p | grep -c 'Plan: 2 to add'
}

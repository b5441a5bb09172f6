#!/usr/bin/env bats
# tf-graph: the graph as records, drawn and asked; selectors; cycles

load common

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >main.tf <<'TF'
variable "v" { default = "x" }
locals { l = var.v }
resource "terraform_data" "a" { input = local.l }
resource "terraform_data" "b" {
  input      = "b"
  depends_on = [terraform_data.a]
}
resource "terraform_data" "alone" {}
output "o" { value = terraform_data.b.output }
TF
}

@test "edges go from what depends to what it depends on" {
	tf-parse | tf-graph | jq -r 'select(.record == "edge" and
		(.to | startswith("provider") | not)) |
		.from + " > " + .to + " " + .phase' | sort >got
	diff got - <<'X'
local.l > var.v plan
output.o > terraform_data.b plan
terraform_data.a > local.l plan
terraform_data.b > terraform_data.a plan
X
}

@test "what only the state knows is in the graph" {
	tf-parse | tf-plan | tf-apply >/dev/null
	sed -i '/"alone"/d' main.tf
	[ "$(tf-graph -C . | jq -r 'select(.kind == "orphan").address')" = \
		terraform_data.alone ]
	[ "$(tf-graph -C . | jq -r 'select(.record == "previous_run_state")
		.address' | tr '\n' ' ')" = \
		'terraform_data.a terraform_data.alone terraform_data.b ' ]
}

# bats test_tags=once
@test "selectors become a record; nodes left out are marked, not dropped" {
	printf '# comment\n\nterraform_data.alone\n' >list
	tf-parse | tf-graph -target terraform_data.a -target-file=list \
		-replace=terraform_data.a -refresh=false >out
	jq -c 'select(.record == "options")' out >got
	diff got - <<'X'
{"record":"options","mode":"normal","targets":["terraform_data.a","terraform_data.alone"],"excludes":[],"replace":["terraform_data.a"],"refresh":false}
X
	[ "$(jq -r 'select(.selected == false).address' out | tr '\n' ' ')" = \
		'terraform_data.b output.o ' ]
	tf-parse | tf-graph -exclude=terraform_data.b >out
	[ "$(jq -r 'select(.selected == false).address' out | tr '\n' ' ')" = \
		'terraform_data.b output.o ' ]
	for mode in destroy refresh-only; do
		[ "$(tf-parse | tf-graph -$mode |
			jq -r 'select(.record == "options").mode')" = $mode ]
	done
}

@test "selectors that make no sense are refused" {
	printf '# nothing\n\n' >comments
	echo terraform_data.a >a
	echo data.x.y >data
	while IFS='|' read -r options summary; do
		run -1 tf-graph -C . $options
		[[ $output == *"Error: $summary"* ]] ||
			{ echo "$options: $output"; false; }
		[[ $output != *'"record":"node"'* ]]
	done <<'X'
-destroy -refresh-only|Incompatible plan mode options
-refresh-only -refresh=false|Incompatible refresh options
-destroy -replace=terraform_data.a|Unsupported plan mode
-replace=data.x.y|Invalid force-replace address "data.x.y"
-target=..|Invalid target "..
-target-file=missing|Failed to read file
-target-file=comments|No address in the file
-target-file=/dev/null|No address in the file
-exclude-file=/dev/null|No address in the file
-replace-file=comments|No address in the file
-replace-file=/dev/null|No address in the file
-replace-file=missing|Failed to read file
-destroy -replace-file=a|Unsupported plan mode
-replace-file=data|Invalid force-replace address "data.x.y"
-exclude-file=comments -target-file=..|Failed to read file
-format=png|Unknown format
-plain|Unsupported option
-format=svg -plain|Unsupported option
-max-nodes=3|Unsupported option
-format=dot -plain -max-nodes=3|Unsupported option
-format=dot -max-nodes=-1|Invalid option
-plan=x|Unsupported option
-format=svg -plan=missing|Cannot read the input
-format=svg -plan=- -target=terraform_data.a|Invalid combination of options
X
}

@test "-format=dot and -format=mermaid with -plain: each node and edge" {
	tf-graph -C . -format=dot -plain -target=terraform_data.a >dot
	grep -qx '	"terraform_data.b" -> "terraform_data.a"' dot
	grep -qx '	"terraform_data.b" \[shape = "box", style = "dashed"\]' dot
	grep -qx '	"terraform_data.a" \[shape = "box"\]' dot
	grep -q '"provider\[\\"terraform.io/builtin/terraform\\"\]"' dot
	[ "$(head -n 1 dot) $(tail -n 1 dot)" = 'digraph { }' ]
	if command -v dot >/dev/null; then
		dot -Tcanon dot >/dev/null
	fi
	tf graph | diff <(tf-graph -C . -format=dot -plain) -
	tf-graph -C . -format=mermaid -plain >mermaid
	[ "$(head -n 1 mermaid)" = 'flowchart LR' ]
	a=$(sed -n 's/^  \(n[0-9]*\)\["terraform_data.a"\]$/\1/p' mermaid)
	b=$(sed -n 's/^  \(n[0-9]*\)\["terraform_data.b"\]$/\1/p' mermaid)
	grep -qx "  $b --> $a" mermaid
}

@test "-why: the path, and the place of each reference" {
	run -0 tf-graph -C . -why=output.o,var.v
	diff - <(echo "$output") <<'X'
output.o  (main.tf:9,22)
terraform_data.b  (main.tf:6,17)
terraform_data.a  (main.tf:3,41)
local.l  (main.tf:2,14)
var.v
X
	run -1 tf-graph -C . -why=var.v,output.o
	[ "$output" = 'var.v does not depend on output.o' ]
	run -1 tf-graph -C . -why=var.v,var.w
	[[ $output == *'The graph has no var.w. Did you mean var.v?'* ]]
	run -1 tf-graph -C . -why=local.far,output.away
	[[ $output == *'no local.far.'*'no output.away.'* ]]
	run -1 tf-graph -C . -why=var.v
	[[ $output == *'Error: Invalid -why option'* ]]
}

@test "-why: an instance stands for its object" {
	mkdir -p instances/m
	cat >instances/main.tf <<'TF'
module "m" {
  source   = "./m"
  for_each = toset(["a]\"b", "c"])
}
TF
	cat >instances/m/main.tf <<'TF'
resource "terraform_data" "p" { count = 2 }
resource "terraform_data" "q" { input = terraform_data.p[1].id }
TF
	tf -chdir=instances init >/dev/null
	run -0 tf-graph -C instances \
		-why='module.m["a]\"b"].terraform_data.q,module.m["c"].terraform_data.p[0]'
	[ "${lines[0]%% *}" = module.m.terraform_data.q ]
	[ "${lines[1]}" = module.m.terraform_data.p ]
}

@test "-why with -apply: instances, with commas in their keys" {
	mkdir keys
	cat >keys/main.tf <<'TF'
resource "terraform_data" "p" { for_each = toset(["x,y"]) }
resource "terraform_data" "q" { input = terraform_data.p["x,y"].id }
TF
	tf-plan -C keys >plan
	run -0 tf-graph -apply '-why=terraform_data.q,terraform_data.p["x,y"]' <plan
	[ "${lines[0]%% *}" = terraform_data.q ]
	[ "${lines[-1]}" = 'terraform_data.p["x,y"]' ]
	run -1 tf-graph -apply '-why=terraform_data.p["x,y"],terraform_data.q' <plan
	[[ $output == *'does not depend on terraform_data.q' ]]
}

@test "a cycle of what belongs together is reported once, the shortest" {
	cat >cycle.tf <<'TF'
resource "terraform_data" "p" { input = terraform_data.q.id }
resource "terraform_data" "q" { input = terraform_data.p.id }
resource "terraform_data" "r" { input = [terraform_data.s.id, terraform_data.p.id] }
resource "terraform_data" "s" { input = terraform_data.t.id }
resource "terraform_data" "t" { input = terraform_data.r.id }
TF
	run -1 --separate-stderr tf-graph -C .
	[ "$(grep -c '^Error: Cycle' <<<"$stderr")" = 2 ]
	[[ $stderr == *terraform_data.p*cycle.tf:1* ]]
	[[ $stderr == *terraform_data.q*cycle.tf:2* ]]
	[[ $stderr == *terraform_data.s*cycle.tf:4* ]]
	[[ $stderr != *'terraform_data.r depends on terraform_data.p'* ]]
	[ "$(tail -n 1 <<<"$output")" = '{"record":"end","failed":true}' ]
}

@test "a second pass, and options of stages that ran, are refused" {
	tf-parse | tf-graph >graph
	run -1 --separate-stderr tf-graph <graph
	[[ $stderr == *'Error: Stage has run already'* ]]
	run -1 --separate-stderr tf-plan -target=terraform_data.a <graph
	[[ $stderr == *'Error: Conflicting options'* ]]
	run -0 --separate-stderr tf-plan -refresh=false <graph
}

@test "a state in a stream whose first stage was skipped is not read again" {
	tf-parse | tf-graph >graph
	tf-plan <graph | tf-apply >/dev/null
	# the stream still says that there was none
	[ "$(tf-plan <graph | jq -r 'select(.record == "planned").action' |
		sort | uniq -c | tr -s ' ')" = ' 3 create' ]
}

@test "-apply twice is refused" {
	tf-plan -C . | tf-graph -apply >once
	run -1 --separate-stderr tf-graph -apply <once
	[[ $stderr == *"Stage has run already"* ]]
}

@test "what an object needed until now goes before the object changes" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {}
resource "terraform_data" "b" { input = terraform_data.a.id }
TF
	tf-plan -C . | tf-apply -brief >out
	cat >main.tf <<'TF'
resource "terraform_data" "b" { input = terraform_data.c.id }
resource "terraform_data" "c" {}
TF
	tf-plan -C . >p
	run -0 tf-graph -apply \
		-why='terraform_data.b,terraform_data.a (destroy)' <p
	[ -n "$output" ]
}

# bats test_tags=once
@test "a backend may be told by a variable, be tf-eval there or not" {
	cat >main.tf <<'TF'
variable "where" {}
terraform {
  backend "local" { path = "${var.where}.tfstate" }
}
resource "terraform_data" "a" {}
TF
	export TF_VAR_where=here
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	[ -s here.tfstate ]
	for stages in 'tf-parse | tf-graph' 'tf-parse | tf-eval | tf-graph' \
		'tf-graph -C .'; do
		run -0 bash -o pipefail -c "$stages"
		[[ $output == *'"record":"previous_run_state"'*terraform_data.a* ]]
	done
}

@test "an edge to a provider with instances names the very ones, where they are known" {
	mkdir i i/m
	cat >i/main.tf <<'TF'
terraform {
  required_providers {
    x = { source = "example.com/y/x" }
  }
}
variable "k" { default = "us" }
provider "x" {
  alias    = "by"
  for_each = toset(["eu", "us"])
}
provider "x" {
  count = 2
}
resource "x_r" "written" { provider = x.by["us"] }
resource "x_r" "counted" { provider = x["1"] }
resource "x_r" "variable" { provider = x.by[var.k] }
resource "x_r" "each" {
  for_each = toset(["eu", "us"])
  provider = x.by[each.key]
}
module "m" {
  source = "./m"
  providers = {
    x = x.by["eu"]
  }
}
locals { regions = { first = "us", second = "us" } }
resource "x_r" "value" {
  for_each = local.regions
  provider = x.by[each.value]
}
resource "x_r" "local" { provider = x.by[local.regions.first] }
resource "x_r" "nothing" {
  for_each = toset([])
  provider = x.by[each.key]
}
resource "x_r" "missing" { provider = x.by[var.missing] }
resource "x_r" "partly" {
  for_each = { a = "us", b = x_r.local.id }
  provider = x.by[each.value]
}
variable "missing" {}
resource "x_r" "unknown" {
  for_each = toset([x_r.local.id])
  provider = x.by[each.key]
}
module "each" {
  source   = "./m"
  for_each = toset(["us", "eu"])
  providers = {
    x = x.by[each.key]
  }
}
TF
	cat >i/m/main.tf <<'TF'
terraform {
  required_providers {
    x = { source = "example.com/y/x" }
  }
}
resource "x_r" "passed" {}
resource "x_r" "another" {}
TF
	cd i
	record() { # MODULE NAME KEYS
		printf '{"module":%s,"mode":"managed","type":"x_r",' "$1"
		printf '"name":"%s","provider":%s,"instances":[' "$2" \
			'"provider[\"example.com/y/x\"].by"'
		local k first=
		for k in $3; do
			printf '%s{"index_key":"%s","schema_version":0,' \
				"$first" "$k"
			printf '"provider":%s,"attributes":{}}' \
				"\"provider[\\\"example.com/y/x\\\"].by[\\\"$k\\\"]\""
			first=,
		done
		printf ']}'
	}
	{
		printf '{"version":4,"terraform_version":"1.12.6","serial":1,'
		printf '"lineage":"l","outputs":{},"resources":['
		record null gone us
		printf ,
		record null both 'eu us'
		printf ']}'
	} >terraform.tfstate
	tf get >got
	tf-parse | tf-graph >out
	jq -r 'select(.record == "edge") | select(.to | contains(".by") or
		endswith("]")) | "\(.from) \(.instance // .instances)"' out |
		tr -d '"\\' | sed 's|provider.example.com/y/x.||g' |
		grep x_r >got
	sort got | diff - <(sort <<-'EOF'
	x_r.written .by[us]
	x_r.counted [1]
	x_r.variable .by[us]
	x_r.each [.by[eu],.by[us]]
	x_r.value .by[us]
	x_r.local .by[us]
	x_r.nothing null
	x_r.missing null
	x_r.partly null
	x_r.unknown null
	module.each.x_r.passed [.by[eu],.by[us]]
	module.each.x_r.another [.by[eu],.by[us]]
	module.m.x_r.passed .by[eu]
	module.m.x_r.another .by[eu]
	x_r.gone .by[us]
	x_r.both null
	EOF
	)
	tf-parse | tf-graph -format=dot -plain >dot
	grep -F '.by" [label = "provider[\"example.com/y/x\"].by[\"us\"]"]' dot
	tf-parse | tf-graph -format=mermaid -plain >mermaid
	[ "$(grep -c -e '-->|"provider' mermaid)" = 11 ]
}

@test "graph: needs no values, but those that are given are read" {
	echo 'variable "v" {}
	output "o" { value = var.v }' >main.tf
	run -0 tf graph
	run -1 tf graph -var=bad
	[[ $output = *'Error: Invalid -var option'* ]]
	run -1 tf graph -var-file=none
	[[ $output = *'Error: Failed to read variables file'* ]]
	echo 'v = =' >terraform.tfvars
	run -1 tf graph
	[[ $output = *'terraform.tfvars line 1'* ]]
}

@test "graph -type=apply without a plan: nothing is changed" {
	echo 'resource "terraform_data" "a" {}
	output "o" { value = terraform_data.a.id }' >main.tf
	tf graph -type=apply >drawn
	tf apply -auto-approve >/dev/null
	tf plan -out=p >/dev/null
	# as with a plan that changes nothing
	diff drawn <(tf graph -plan=p)
	grep -q '"output.o" -> "terraform_data.a' drawn
	# that it is no plan tf-apply says
	tf-parse | tf-graph -apply >graphed
	run -1 tf-apply <graphed
	[[ $output = *'Not a plan'* ]]
}

@test "with an address of -replace that is none nothing is worked out" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	for stage in tf-graph tf-plan; do
		run -1 --separate-stderr $stage -C . -replace=x
		[ "$(grep -c Error: <<<"$stderr")" = 1 ]
		jq -r .record <<<"$output" >records
		run -1 grep -E 'node|planned' records
	done
}

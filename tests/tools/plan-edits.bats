#!/usr/bin/env bats
# What a plan shows is what is done: streams that say one thing here and another
# there, made by somebody who took out the seals.  tf-show and tf-apply refuse the
# same ones; what agrees is shown and done.

load provider

jq_itself
without_leak_checks

setup() {
	need jq
	provider_setup
	cat >main.tf <<'TF'
variable "v" { default = "x" }
resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" { input = var.v }
resource "terraform_data" "c" {
  count            = 1
  triggers_replace = var.v
}
output "o" { value = var.v }
output "p" { value = terraform_data.a.input }
TF
}

# A plan that updates b, replaces c and changes o.
planned() { # OPTION...
	tf apply -auto-approve >/dev/null
	cp terraform.tfstate before
	tf-plan -C . -var v=y "$@" >plan
}

edited() { # FILTER for all records, as a list
	jq -cs "map(select(.record != \"seal\")) | $1 | .[]" plan >edited
	run -1 cmp -s plan edited
}

on() { # KIND ADDRESS FILTER
	echo "map(if .record == \"$1\" and .address == \"$2\" then $3 else . end)"
}

# tf-apply alone does.
not_applied() { # WORDS
	run -1 --separate-stderr tf-apply <edited
	[[ $(tr -s ' \n' '  ' <<<"$stderr") == *"$1"* ]] ||
		{ echo "no '$1' in: $stderr"; return 1; }
	cmp before terraform.tfstate
}

# Both programs refuse what is in `edited`, in words that have WORDS.
refused() { # WORDS...
	local text

	for show in 'tf-show' 'tf-show -json' tf-apply; do
		run -1 --separate-stderr bash -c "$show <edited"
		text=$(tr -s ' \n' '  ' <<<"$stderr")
		for words; do
			[[ $text == *"$words"* ]] || {
				echo "$show: no '$words' in: $text"
				return 1
			}
		done
	done
	cmp before terraform.tfstate
}

# bats test_tags=once
@test "what the two records of a change say again agrees" {
	planned
	while IFS='|' read -r address filter member; do
		edited "$(on resource_change "$address" "$filter")"
		refused "$address" "\"$member\""
	done <<-'END'
	terraform_data.b|.type = "terraform_date"|type
	terraform_data.b|.name = "z"|name
	terraform_data.b|.mode = "data"|mode
	terraform_data.b|.module_address = "module.m"|module_address
	terraform_data.c[0]|.index = 1|index
	terraform_data.c[0]|del(.index)|index
	terraform_data.b|.provider_name = "hashicorp/other"|provider_name
	terraform_data.b|.change.importing = {"id": "z"}|importing
	terraform_data.b|.change.actions = ["update", "update"]|actions
	terraform_data.c[0]|.change.actions = ["delete"]|actions
	terraform_data.c[0]|.change.replace_paths = [["input"]]|replace_paths
	terraform_data.c[0]|del(.change.replace_paths)|replace_paths
	terraform_data.b|.change.before.input = "z"|before
	terraform_data.b|.change.after.input = "x"|after
	terraform_data.b|.change.after_unknown.input = true|after_unknown
	terraform_data.b|.change.after_unknown = {}|after_unknown
	terraform_data.b|.change.after_sensitive.input = true|after_sensitive
	terraform_data.b|.change.before_sensitive = true|before_sensitive
	terraform_data.b|.change.before_identity = {"id": "z"}|before_identity
	END
	edited "$(on resource_change terraform_data.b \
		'.previous_address = "terraform_data.z"')"
	refused terraform_data.b
	edited "$(on planned terraform_data.b '.import_id = "z"')"
	refused terraform_data.b '"importing"'
	edited "$(on resource_change terraform_data.a '.change.after.input = "z"')"
	run -1 tf-show -json <edited
	run -1 tf-apply <edited
}

# bats test_tags=once
@test "many unknown values of one object are compared in no more than linear time" {
	cat >main.tf <<-'TF'
	locals {
	  n = range(300)
	}
	resource "terraform_data" "a" { input = "a" }
	resource "terraform_data" "b" {
	  input = [for i in local.n : [for k in local.n : terraform_data.a.id]]
	}
	TF
	tf-plan -C . >plan
	run -0 timeout 60 tf-show <plan
	[[ $output == *'2 to add'* ]]
	jq -c 'if .address == "terraform_data.b" and .record == "resource_change"
		then .change.after_unknown.input[299][299] = false
		else . end' plan | jq -c 'select(.record != "seal")' >edited
	run -1 --separate-stderr timeout 60 tf-show <edited
	[[ $stderr == *after_unknown* ]]
}

# bats test_tags=once
@test "a member that stands twice in a record of a plan is refused" {
	planned
	sed 's/"action":"update"/"action":"update","action":"delete"/
		/"record":"seal"/d' plan >edited
	refused 'a member twice'
	sed 's/"change":{"actions":\["update"\]/&,"actions":["no-op"]/
		/"record":"seal"/d' plan >edited
	refused 'a member twice'
}

# bats test_tags=once
@test "a record of a plan that stands twice is refused" {
	planned
	for kind in planned resource_change previous_run_state output_change \
		previous_output plan state schema; do
		edited "map(., if .record == \"$kind\" then . else empty end)"
		refused "There are two $kind record"
	done
}

# bats test_tags=once
@test "an output is stored as it is shown" {
	planned
	edited "$(on output_change output.o '.planned.value = "EVIL"')"
	refused 'output_change record of o'
	edited "$(on output_change output.o '.change.after = "x"')"
	refused 'output_change record of o' after
	edited "$(on output_change output.o '.change.before = "y"')"
	refused 'output_change record of o' before
	edited "$(on output_change output.o '.change.after_sensitive = true')"
	refused 'output_change record of o' after_sensitive
	edited "$(on output_change output.o '.change.actions = ["no-op"]')"
	refused 'output_change record of o' actions
	edited 'map(select(.record != "output_change"))'
	refused 'no output_change record for output.o' output.p
	# one that the configuration does not have would go
	edited 'map(select(.record != "output" or .name != "p"))'
	refused 'output_change record of p'
	edited "$(on output output.p '.name = "q"')"
	run -1 tf-show -json <edited
	run -1 tf-apply <edited
	cmp before terraform.tfstate
}

# bats test_tags=once
@test "an object does not go from the state without a change, nor comes" {
	planned
	edited 'map(., if .record == "previous_run_state" then {record:
		"prior_state", address, gone: true} else empty end)'
	refused 'terraform_data.a says that the object is gone'
	edited 'map(., if .record == "previous_run_state" then .record =
		"prior_state" | .address = "terraform_data.z" else empty end) |
		map(select(.record != "prior_state" or .schema_version == 0)) |
		(map(select(.record == "prior_state"))[1:]) as $more | . - $more'
	refused 'terraform_data.z has an object that was not in the state'
	edited 'map(., if .record == "previous_run_state" and .address ==
		"terraform_data.a" then .record = "prior_state" |
		.status = "tainted" else empty end)'
	refused 'terraform_data.a says that the object is tainted'
	edited "$(on resource_change terraform_data.a \
		'.previous_address = "terraform_data.z"') |
		$(on planned terraform_data.a '.previous_address =
		"terraform_data.z"')"
	refused 'terraform_data.a is said to have moved'
}

# bats test_tags=once
@test "what planning found otherwise is shown, also where nothing comes of it" {
	planned
	edited 'map(., if .record == "previous_run_state" and .address ==
		"terraform_data.a" then .record = "prior_state" |
		.attributes.id = "EVIL" else empty end) |'"
		$(on resource_change terraform_data.a '.change.before.id = "EVIL" |
		.change.after.id = "EVIL"') | $(on planned terraform_data.a \
		'.planned.value.id = "EVIL"')"
	run -0 tf-show <edited
	[[ $output == *'Applying this plan also stores what planning found'*'
  - terraform_data.a'* ]]
	[[ $output != *'# terraform_data.a'* ]]
	# of what did not change there is no word
	run -0 tf-show <plan
	[[ $output != *'also stores'* ]]
}

# A plan that does nothing but to store what was changed outside: drift was made
# another, and lost is gone.
changed_outside() {
	config <<-'TF'
	resource "test_thing" "drift" { name = "drift" }
	resource "test_thing" "lost" { name = "lost" }
	TF
	tf apply -auto-approve >/dev/null
	cp terraform.tfstate before
	sed -i 's/"name":"drift"/"name":"drifted"/' objects/*
	rm "$(grep -l '"lost"' objects/*)"
	tf-plan -C . -refresh-only >plan
}

# bats test_tags=once
@test "what was changed outside is told as planning found it" {
	changed_outside
	while IFS='|' read -r name filter member; do
		edited "$(on resource_drift "test_thing.$name" "$filter")"
		refused "resource_drift record of test_thing.$name" "\"$member\""
	done <<-'END'
	drift|.previous_address = {"EVIL": "EVIL"}|previous_address
	drift|.change.actions = ["no-op"]|actions
	drift|.change.actions = ["delete"]|actions
	drift|.change.actions = ["update", "update"]|actions
	drift|.change.after.name = "drift"|after
	drift|.change.after_unknown.name = true|after_unknown
	drift|.change.before_sensitive.name = true|before_sensitive
	drift|.change.after_sensitive = {"name": true}|after_sensitive
	drift|.change.importing = {"id": "z"}|importing
	drift|.change.replace_paths = [["name"]]|replace_paths
	drift|.change.after_identity = {"id": "z"}|after_identity
	drift|.provider_name = "terraform.io/builtin/terraform"|provider_name
	drift|.type = "test_all"|type
	drift|.deposed = "12345678"|actions
	lost|.change.actions = ["update"]|actions
	lost|.change.after = .change.before|after
	lost|.name = "drift"|name
	END
	edited "$(on resource_drift test_thing.drift \
		'.previous_address = "test_thing.z"')"
	refused 'test_thing.drift is said to have moved'
	tf-apply <plan >/dev/null
}

# bats test_tags=once
@test "what was changed outside, from what the state does not have, is told again" {
	changed_outside
	run -0 tf-show -no-color <plan
	[[ $output == *'~ name = "drift" -> "drifted"'* ]]
	[[ $output != *'also stores'* ]]
	edited "$(on resource_drift test_thing.drift '.change.before.name = "drifted"')"
	run -0 --separate-stderr tf-show -no-color <edited
	[[ $output == *'also stores what planning found'*'
  - test_thing.drift'* ]]
	[[ $output != *'  - test_thing.lost'* ]]
}

@test "that an object would be of another provider is shown, though nothing else is" {
	planned
	while IFS='|' read -r filter shown; do
		edited "map(., if .record == \"previous_run_state\" and .address ==
			\"terraform_data.a\" then .record = \"prior_state\" | $filter
			else empty end)"
		run -0 --separate-stderr tf-show -no-color <edited
		[[ $output == *'also stores what planning found'*"
  - terraform_data.a$shown"* ]]
	done <<-'END'
	.provider = "provider[\"registry.opentofu.org/evil/evil\"]"|, as an object of provider["registry.opentofu.org/evil/evil"]
	.schema_version = 7|
	.private = "RVZJTA=="|
	END
	# this follows from the configuration
	edited 'map(., if .record == "previous_run_state" and .address ==
		"terraform_data.a" then .record = "prior_state" |
		.create_before_destroy = true else empty end)'
	run -0 --separate-stderr tf-show -no-color <edited
	[[ $output != *'also stores'* ]]
}

# bats test_tags=once
@test "the schema by which a change is shown has all attributes of its object" {
	local lacks='map(if .record == "schema" then del(.block.attributes.input)
		else . end)'

	planned
	edited "$lacks"
	run -1 --separate-stderr tf-show -json <edited
	[[ $stderr == *'record of terraform_data.b'* ]]
	not_applied 'record of terraform_data.b'
	# also where it comes last
	edited "$lacks | map(select(.record != \"schema\" and .record != \"end\")) +
		map(select(.record == \"schema\")) + map(select(.record == \"end\"))"
	refused terraform_data.b '"before"'
	edited 'map(if .record == "schema" then .block.attributes.input.sensitive =
		true else . end) | map(select(.record != "schema" and .record !=
		"end")) + map(select(.record == "schema")) +
		map(select(.record == "end"))'
	refused terraform_data.b '"before_sensitive"'
}

@test "the state that is stored is the one that the changes were shown of" {
	planned
	edited "$(on previous_run_state terraform_data.b \
		'.attributes.input.value = "y"') |
		$(on resource_change terraform_data.b '.change.before.input = "y"')"
	tf-show <edited >/dev/null
	run -1 --separate-stderr tf-apply <edited
	[[ $stderr == *'Saved plan does not match the given state'* ]]
	edited "$(on previous_output output.o '.value.value = "y"') |
		$(on output_change output.o '.change.before = "y" |
		.change.actions = ["no-op"]')"
	run -1 --separate-stderr tf-apply <edited
	[[ $stderr == *'Saved plan does not match the given state'* ]]
	edited 'map(select(.address != "terraform_data.a" or
		.record == "resource"))'
	run -1 --separate-stderr tf-apply <edited
	[[ $stderr == *'Saved plan does not match the given state'* ]]
	cmp before terraform.tfstate
}

# bats test_tags=once
@test "a plan does what its mode does, and says whether it does anything" {
	planned
	edited "$(echo 'map(if .record == "plan" then .mode = "refresh-only"
		else . end)')"
	refused 'mode refresh-only'
	edited 'map(if .record == "plan" then .mode = "destroy" else . end)'
	refused 'mode destroy' 'output_change record of o' 'record of p'
	edited 'map(if .record == "plan" then .applyable = false else . end)'
	refused 'nothing to apply'
	# with the only changes taken out nothing is left to do
	edited 'map(select((.record == "planned" or .record == "resource_change")
		and .address != "terraform_data.a" | not)) | map(if .record ==
		"output_change" or .record == "output" then select(.address !=
		"output.o") else . end) | map(select(.address != "output.o"))'
	tf-show -detailed-exitcode <edited || [ $? = 1 ]
}

@test "data are read with the arguments that are shown, by the provider shown" {
	config <<-'TF'
	resource "terraform_data" "a" {}
	data "test_thing" "d" {
	  name       = "good"
	  depends_on = [terraform_data.a]
	}
	resource "test_thing" "r" { name = "r" }
	TF
	tf-plan -C . >plan
	for record in data.test_thing.d test_thing.r; do
		edited "$(on resource $record '.body.attributes.name.constant_value =
			"EVIL"')"
		tf-show <edited >/dev/null
		: >calls
		run -1 --separate-stderr tf-apply <edited
		[[ $stderr == *"$record"* ]]
		run -1 grep -E '(read-data|apply-create).*EVIL' calls
		rm -f terraform.tfstate
	done
	edited "$(on resource test_thing.r '.provider.source =
		"terraform.io/builtin/terraform"')"
	run -1 --separate-stderr tf-apply <edited
	run -1 grep apply-create calls
}

# bats test_tags=once
@test "the schema by which a change is shown is the provider's" {
	planned
	edited 'map(if .record == "schema" and .mode == "managed" then
		del(.block.attributes.input) else . end)'
	run -1 --separate-stderr tf-apply <edited
	[[ $stderr == *'Inconsistent plan'* ]]
	jq -c '[.resources[].instances[].attributes.input.value]' before >was
	jq -c '[.resources[].instances[].attributes.input.value]' \
		terraform.tfstate | diff was -
	# one that is none is refused, and not looked into
	edited 'map(if .record == "schema" then .block.attributes.id.type = "EVIL"
		else . end)'
	cp before terraform.tfstate
	refused 'schema record has no "block"'
}

# bats test_tags=once
@test "a plan that has lost its seal is told so, not one made without" {
	planned
	edited .
	for show in tf-show 'tf-show -json' tf-apply; do
		run -0 --separate-stderr bash -c "$show <edited"
		[[ $stderr == *'Plan without a seal'* ]]
	done
	cp before terraform.tfstate
	planned -seal=false
	for show in tf-show tf-apply; do
		run -0 --separate-stderr bash -c "$show <plan"
		[[ $stderr != *'without a seal'* ]]
	done
}

# bats test_tags=once
@test "edits that agree are shown and done" {
	planned
	edited "$(on planned terraform_data.b '.planned.value.input = "z"') |
		$(on resource_change terraform_data.b '.change.after.input = "z"') |
		$(on resource terraform_data.b '.body.attributes.input =
			{constant_value: "z", at: .body.attributes.input.at}')"
	run -0 tf-show -no-color <edited
	[[ $output == *'~ input  = "x" -> "z"'* ]]
	tf-apply <edited >/dev/null
	run -0 jq -r '.resources[] | select(.name == "b").instances[].attributes |
		.input.value, .output.value' terraform.tfstate
	[ "$output" = $'z\nz' ]
}

# bats test_tags=once
@test "another order of the records is no contradiction" {
	planned
	edited '(map(select(.record == "planned")) + map(select(.record !=
		"planned" and .record != "end" and .record != "header")) |
		reverse) as $x | map(select(.record == "header")) + $x +
		map(select(.record == "end"))'
	jq -c 'select(.record != "stage")' edited >rest
	{ head -n 1 rest; grep '"record":"stage"' plan; tail -n +2 rest; } >edited
	run -0 tf-show -no-color <edited
	[[ $output == *'1 to add, 1 to change, 1 to destroy'* ]]
	tf-show -json <edited | jq -S '.prior_state, .output_changes' >got
	tf-show -json <plan | jq -S '.prior_state, .output_changes' | diff - got
	# what is shown first, and far before what is stored
	{ grep -v '"record":"\(planned\|end\)"' plan; grep '"record":"planned"' plan; tail -n 1 plan; } >edited
	tf-show -json <plan | jq -S .resource_changes >want
	tf-show -json <edited | jq -S .resource_changes | diff want -
	tf-apply <edited >/dev/null
}

@test "what a random edit of a plan shows is done, or nothing" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	unset TF_CLI_CONFIG_FILE TEST_PROVIDER_DIR TEST_PROVIDER_LOG
	run -0 "$TF_TEST_SRC/tests/compare/plans" --work "$PWD/work" --count $((300 / FEWER)) \
		--test-provider "$provider_dir/terraform-provider-test"
	[[ ${lines[-1]} = $((300 / FEWER))' passed, 0 failed, 0 skipped' ]]
}

# bats test_tags=once
@test "an object that is left alone is the one that the state has, as well" {
	planned -target=terraform_data.b
	edited "$(on previous_run_state terraform_data.a \
		'.attributes.input.value = "EVIL"')"
	not_applied 'tells of terraform_data.a as an object that is another'
	edited "$(on previous_run_state terraform_data.a '.attributes = "gone"')"
	run -1 tf-show -json <edited
	not_applied 'tells of terraform_data.a as an object that is another'
}

@test "what planning found fits its schema, or is neither shown nor stored" {
	planned -target=terraform_data.b
	edited "map(if .record == \"previous_run_state\" and
			.address == \"terraform_data.a\"
		then ., (.record = \"prior_state\" |
			.attributes.input.type = \"EVIL\") else . end)"
	run -1 tf-show -json <edited
	not_applied 'prior_state record of terraform_data.a does not fit'
}

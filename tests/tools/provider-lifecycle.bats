#!/usr/bin/env bats
# The resource instance change lifecycle: each rule broken by a provider.
#
# rule                                        test
#
# Configuration
#   validated, in the end wholly known        validation: in the end with ...
#   a provider configuration may be unused    a provider configuration that ...
# Initial planned state
#   as configured, or as it was before        a plan may not change what is ...
#                                             a plan may keep prior values ...
#   else only what is computed                a plan may not set what is ...
#   nothing configured is left out            a plan may not leave out ...
#   as many blocks as configured              a plan may not change the number
#                                             of blocks, ... add a single block
#   structural attributes likewise            ... of structural attributes
#   sets: by their content, nothing checked   elements of sets have no ...
#   more objects: in computed attributes      implicit objects go beside ...
#   fits the schema                           a plan that does not fit ...
#   replacement: for changes of an object     replacement counts where ...
#   ... of write-only attributes always       a write-only attribute that ...
#   null when destroying                      a plan to destroy is null
# Final planned state
#   what was known stays                      the final plan keeps what the ...
#                                             ... in structural attributes
#   unknowns: type and refinements            the final plan keeps types ...
#   the action stays (or becomes no-op)       replacement cannot be asked ...
#                                             an update may turn out to be none
#   the blocks stay                           blocks cannot vanish only ...
# New state
#   what was known stays                      applying may not change what ...
#   the blocks, the structural attributes     applying may not change the ...
#   nothing is unknown                        applying may not leave unknown ...
#   an object, or none when destroying        applying gives an object, ...
#   fits the schema                           a result that does not fit ...
#   after an error: tainted, or as it was     an object of which creation ...
# Upgraded state, moved state
#   fits the current schema                   upgrading: ..., a move between ...
# Prior state
#   normalisation and drift                   reading: another form ...,
#                                             reading: what has changed ...
#   fits the schema and is known              reading: what does not conform ...
# Import
#   one object of the type, always read       importing: one object ...
#   by identity                               identities are kept, ...
# In every answer
#   write-only attributes are null            write-only attributes are null ...
#   sensitive values are not told             what is sensitive is not told
#   nothing is deferred                       a deferred answer is an error ...
#   data sources: known, not null, fitting    data sources give one known ...
# Legacy type system: excused from validity of the plan and from compatibility
#   after applying, not from the rest         a plan of the legacy ..., blocks
#   that a legacy ..., what the legacy type ...; the tests of the other rules
#
# Where OpenTofu only says what it could not decode, the tests ask for more: the
# provider and the attribute.  It also lets unknown values be read and ignores
# deferred answers.

bats_require_minimum_version 1.5.0
load provider

setup_file() {
	without_leak_checks
}

setup() {
	provider_setup
}

# --- planning ---

invalid='Provider produced invalid plan'

# Orders and the path that the error names, for both protocols and for
# protocol 6 only; $1 is what is done with each.
each_planned_change() {
	"$1" name '"z"'
	"$1" list '["z"]'
	"$1" 'list[0]' '"z"' .list
	"$1" set '["z"]'
	"$1" map '{"k":"z"}'
	"$1" obj '{"a":"z","b":1}'
	"$1" dyn '"z"'
	"$1" single.name '"z"'
	"$1" group.name '"z"'
	"$1" 'block[0].name' '"z"'
	"$1" 'block[1].name' '"z"'
	"$1" 'block[0].inner[0].name' '"z"'
	"$1" 'blockmap["k"].name' '"z"'
	"$1" 'dynblock[0].value' '"z"'
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	"$1" nested_single.name '"z"'
	"$1" 'nested_list[1].name' '"z"'
	"$1" 'nested_list[0].deep[0].name' '"z"'
	"$1" 'nested_map["k"].name' '"z"' .nested_map.k.name
}

refused_change() { # PATH JSON [PATH-IN-ERROR]
	fails plan "plan:set:$1=$2" -- "$invalid" "$test_provider" \
		"test_all.r${3:-.$1}"
}

changes_a_configured_value() {
	everything
	each_planned_change refused_change
}

# bats test_tags=once
@test "a plan may not change what is configured" {
	both changes_a_configured_value
}

tolerated_change() {
	works plan "plan:set:$1=$2;plan:legacy"
}

legacy_changes_a_configured_value() {
	everything
	each_planned_change tolerated_change
}

# bats test_tags=once
@test "a plan of the legacy type system may change what is configured" {
	both legacy_changes_a_configured_value
}

# --- what is not configured is the provider's only where it is computed ---

invents_values() {
	everything
	fails plan 'plan:set:ci="z"' -- "$invalid" "$test_provider" test_all.r.ci
	fails plan 'plan:set:single.num=5' -- "$invalid" test_all.r.single.num
	fails plan 'plan:set:block[0].num=5' -- \
		"$invalid" 'test_all.r.block[0].num'
	fails plan 'plan:unknown:block[0].num' -- \
		"$invalid" 'test_all.r.block[0].num'
	fails plan 'plan:set:blockmap["k"].num=5' -- \
		"$invalid" 'test_all.r.blockmap["k"].num'
	works plan 'plan:set:block[0].num=5;plan:legacy'
	works plan 'plan:set:comp="z";plan:set:block[0].oc="z"'
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	fails plan 'plan:set:nested_single.num=5' -- \
		"$invalid" 'test_all.r.nested_single.num'
	fails plan 'plan:set:nested_list[0].num=5' -- \
		"$invalid" 'test_all.r.nested_list[0].num'
	fails plan 'plan:set:nested_map["k"].num=5' -- \
		"$invalid" 'test_all.r.nested_map.k.num'
	works plan 'plan:set:nested_list[0].oc="z"'
}

# bats test_tags=once
@test "a plan may not set what is neither configured nor computed" {
	both invents_values
}

loses_values() {
	everything
	fails plan 'plan:null:name' -- "$invalid" test_all.r.name
	fails plan 'plan:unknown:name' -- "$invalid" test_all.r.name
	fails plan 'plan:null:block[1].name' -- "$invalid" 'test_all.r.block[1].name'
	fails plan 'plan:null' -- "$invalid" test_all.r
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	fails plan 'plan:null:nested_single' -- \
		"$invalid" test_all.r.nested_single
	fails plan 'plan:unknown:nested_single' -- \
		"$invalid" test_all.r.nested_single
	fails plan 'plan:unknown:nested_list[0].deep[0]' -- \
		"$invalid" 'test_all.r.nested_list[0].deep[0].name'
}

@test "a plan may not leave out what is configured" {
	both loses_values
}

# --- blocks ---

changes_blocks() {
	everything
	fails plan 'plan:drop:block' -- "$invalid" "$test_provider" \
		test_all.r.block 1 2
	fails plan 'plan:grow:block' -- "$invalid" test_all.r.block 3 2
	fails plan 'plan:drop:block[0].inner' -- \
		"$invalid" 'test_all.r.block[0].inner'
	fails plan 'plan:drop:dynblock' -- "$invalid" test_all.r.dynblock
	fails plan 'plan:drop:blockmap' -- "$invalid" test_all.r.blockmap
	fails plan 'plan:grow:blockmap' -- "$invalid" test_all.r.blockmap
	fails plan 'plan:null:block' -- "$invalid" test_all.r.block
	fails plan 'plan:null:blockmap' -- "$invalid" test_all.r.blockmap
	fails plan 'plan:null:blockset' -- "$invalid" test_all.r.blockset
	fails plan 'plan:unknown:block' -- "$invalid" test_all.r.block
	fails plan 'plan:unknown:block[1]' -- "$invalid" 'test_all.r.block[1]'
	fails plan 'plan:unknown:blockset[0]' -- "$invalid" test_all.r.blockset
	fails plan 'plan:null:single' -- "$invalid" test_all.r.single
	works plan 'plan:drop:block;plan:grow:blockmap;plan:legacy'
}

# bats test_tags=once
@test "a plan may not change the number of blocks" {
	both changes_blocks
}

@test "a plan may not add a single block" {
	config <<-EOF
	resource "test_all" "r" {
	}
	EOF
	fails plan 'plan:retype:single={"name":null,"comp":null,"oc":null,"num":null,"secret":null,"wo":null,"inner":[]}' -- \
		"$invalid" test_all.r.single
}

# bats test_tags=once
@test "a plan may not change the number of structural attributes" {
	everything
	fails plan 'plan:drop:nested_list' -- "$invalid" "$test_provider" \
		test_all.r.nested_list
	fails plan 'plan:grow:nested_list' -- "$invalid" test_all.r.nested_list
	fails plan 'plan:drop:nested_list[0].deep' -- \
		"$invalid" 'test_all.r.nested_list[0].deep'
	fails plan 'plan:drop:nested_map' -- "$invalid" test_all.r.nested_map
	fails plan 'plan:grow:nested_map' -- "$invalid" test_all.r.nested_map
	fails plan 'plan:drop:nested_set' -- "$invalid" test_all.r.nested_set
	works plan 'plan:drop:nested_list;plan:legacy'
}

@test "elements of sets have no identity: their content is the provider's" {
	everything
	works plan 'plan:set:blockset[0].name="z";plan:set:nested_set[0].name="z"'
}

# bats test_tags=once
@test "implicit objects go beside the blocks, into computed attributes" {
	both implicit_objects
}

implicit_objects() {
	everything
	works run_all ''
	[ "$(attribute r '.implicit|map(.name)')" = '["b0","b1","implicit"]' ]
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
}

# --- the prior value instead of the configured one ---

keeps_prior_values() {
	config <<-EOF
	variable "v" {}
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	  list  = [var.v]
	}
	EOF
	works run_all '' -var v=1
	works plan 'plan:prior:value' -var v=2
	[ "$(actions r)" = '["update"]' ]
	[ "$($cli show -json p | jq -c '.resource_changes[0].change.after |
		[.value, .list[0]]')" = '["1","2"]' ]
	works apply 'plan:prior:value'
	[ "$(attribute r '[.value,.list[0]]')" = '["1","2"]' ]
	works plan 'plan:prior:value;plan:prior:list' -var v=3
	[ "$(actions r)" = '["no-op"]' ]
	works plan 'plan:prior' -var v=3
	[ "$(actions r)" = '["no-op"]' ]
}

@test "a plan may keep prior values: an update of the rest, or nothing" {
	both keeps_prior_values
}

# --- replacement ---

asks_for_replacement() {
	config <<-EOF
	variable "v" {}
	variable "f" { default = "f" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	  force = var.f
	}
	EOF
	works plan 'plan:replace:value' -var v=1
	[ "$(actions r)" = '["create"]' ]
	works run_all '' -var v=1
	works plan 'plan:replace:value' -var v=1
	[ "$(actions r)" = '["no-op"]' ]
	works plan 'plan:replace:force' -var v=2
	[ "$(actions r)" = '["update"]' ]
	works plan 'plan:replace:value' -var v=2
	[ "$(actions r)" = '["delete","create"]' ]
	[ "$($cli show -json p | jq -c '.resource_changes[0].change |
		[.replace_paths, .after_unknown.comp]')" = '[[["value"]],true]' ]
	# each once, in the order of OpenTofu's sets
	for path in value force; do
		works plan "plan:replace:$path" -var v=2 -var f=g
		$cli show -json p | jq -c '.resource_changes[0].change.replace_paths'
	done >paths
	diff paths - <<'X'
[["value"],["force"]]
[["force"]]
X
	fails plan 'plan:replace:bogus' -var v=2 -- \
		"$invalid" "$test_provider" test_thing.r bogus
}

# bats test_tags=once
@test "replacement counts where there was an object and the value differs" {
	both asks_for_replacement
}

@test "a write-only attribute that asks for replacement always gets it" {
	everything
	works run_all ''
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
	works plan 'plan:replace:wo'
	[ "$(actions r)" = '["delete","create"]' ]
	works plan 'plan:replace:block[0].wo'
	[ "$(actions r)" = '["delete","create"]' ]
	works plan 'plan:replace:nested_single.wo'
	[ "$(actions r)" = '["delete","create"]' ]
}

# --- destroying ---

plans_survival() {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	fails destroy 'plan-destroy:prior' -- "$invalid" "$test_provider" test_thing.r
	[ "$(attribute r .name)" = '"r"' ]
}

@test "a plan to destroy is null" {
	both plans_survival
}

# --- the plan made while applying ---

inconsistent='Provider produced inconsistent final plan'

changes_its_mind() {
	everything
	works plan 'plan:set:oc="a";plan:set:block[0].oc="a";plan:set:blockmap["k"].oc="a";plan:set:comp_num=1'
	fails again 'plan:set:oc="b";plan:set:block[0].oc="a";plan:set:blockmap["k"].oc="a";plan:set:comp_num=1' -- \
		"$inconsistent" "$test_provider" test_all.r .oc
	fails again 'plan:set:oc="a";plan:set:block[0].oc="b";plan:set:blockmap["k"].oc="a";plan:set:comp_num=1' -- \
		"$inconsistent" test_all.r '.block[0].oc'
	fails again 'plan:set:oc="a";plan:set:block[0].oc="a";plan:set:blockmap["k"].oc="b";plan:set:comp_num=1' -- \
		"$inconsistent" test_all.r '.blockmap["k"].oc'
	# back to unknown, and with the legacy flag
	fails again 'plan:set:oc="a";plan:set:block[0].oc="a";plan:set:blockmap["k"].oc="a";plan:unknown:comp_num' -- \
		"$inconsistent" test_all.r .comp_num
	fails again 'plan:set:oc="b";plan:set:block[0].oc="a";plan:set:blockmap["k"].oc="a";plan:set:comp_num=1;plan:legacy' -- \
		"$inconsistent" test_all.r .oc
	run -1 grep -q ^apply calls
	works again 'plan:set:oc="a";plan:set:block[0].oc="a";plan:set:blockmap["k"].oc="a";plan:set:comp_num=1;plan:set:comp="c"'
	[ "$(attribute r '[.oc,.comp]')" = '["a","c"]' ]
}

# bats test_tags=once
@test "the final plan keeps what the first one knew" {
	both changes_its_mind
}

# bats test_tags=once
@test "the final plan keeps what was known in structural attributes" {
	everything
	works plan 'plan:set:nested_list[1].oc="a"'
	fails again 'plan:set:nested_list[1].oc="b"' -- "$inconsistent" \
		"$test_provider" test_all.r '.nested_list[1].oc'
	works plan 'plan:set:nested_map["k"].oc="a"'
	fails again 'plan:set:nested_map["k"].oc="b"' -- "$inconsistent" \
		"$test_provider" test_all.r '.nested_map["k"].oc'
	works plan 'plan:set:nested_set[0].oc="a"'
	fails again 'plan:set:nested_set[0].oc="b"' -- "$inconsistent" \
		"$test_provider" test_all.r .nested_set
}

breaks_promises() {
	everything
	works plan 'plan:unknown:comp_dyn="string"'
	fails again 'plan:retype:comp_dyn=5' -- "$inconsistent" \
		"$test_provider" test_all.r .comp_dyn
	works plan 'plan:refined:oc=pre;plan:refined:block[0].oc=pre'
	fails again 'plan:set:oc="other"' -- "$inconsistent" \
		"$test_provider" test_all.r .oc
	fails again 'plan:null:block[0].oc' -- "$inconsistent" \
		"$test_provider" test_all.r '.block[0].oc'
	works plan 'plan:refined:comp_num=10'
	fails again 'plan:set:comp_num=9' -- "$inconsistent" test_all.r .comp_num
	works plan 'plan:refined:comp_list=2'
	fails again 'plan:set:comp_list=["x"]' -- \
		"$inconsistent" test_all.r .comp_list
	works again 'plan:set:comp_list=["x","y"]'
}

# bats test_tags=once
@test "the final plan keeps types and refinements of unknown values" {
	both breaks_promises
}

replaces_in_the_end() {
	config <<-EOF
	variable "v" {}
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	EOF
	works run_all '' -var v=1
	works plan '' -var v=2
	fails again 'plan:replace:value' -- "$inconsistent" "$test_provider" \
		test_thing.r
	[ "$(attribute r .value)" = '"1"' ]
}

@test "replacement cannot be asked for only when applying" {
	both replaces_in_the_end
}

drops_blocks_in_the_end() {
	everything
	works plan ''
	fails again 'plan:drop:block' -- "$invalid" "$test_provider" test_all.r.block
	fails again 'plan:drop:block;plan:legacy' -- "$inconsistent" \
		"$test_provider" test_all.r .block 2 1
	fails again 'plan:drop:blockset' -- "$inconsistent" test_all.r .blockset
	run -1 grep -q ^apply calls
}

# bats test_tags=once
@test "blocks cannot vanish only when applying" {
	both drops_blocks_in_the_end
}

# bats test_tags=once
@test "an update may turn out to be none" {
	config <<-EOF
	variable "v" {}
	resource "test_thing" "a" {
	  name = var.v
	}
	resource "test_thing" "r" {
	  name  = "r"
	  value = test_thing.a.comp
	}
	EOF
	works run_all '' -var v=1
	works plan '' -var v=2
	[ "$(actions r)" = '["update"]' ]
	rm calls
	works apply 'a@apply:set:comp="x";2@apply:set:comp="comp of 1"'
	run -1 grep '^apply.* r' calls
}

# --- applying ---

after='Provider produced inconsistent result after apply'

applied_change() { # PATH JSON [PATH-IN-ERROR]
	fails run_all "apply:set:$1=$2" -- "$after" test_all.r \
		"$test_provider" "${3:-.$1}"
	# what there is now is kept, and to be replaced
	[ "$(status_of r)" = tainted ]
	afresh
}

changes_while_applying() {
	everything
	applied_change name '"z"'
	applied_change 'list[0]' '"z"'
	applied_change 'block[1].name' '"z"'
	applied_change 'block[0].inner[0].name' '"z"'
	applied_change 'single.name' '"z"'
	applied_change 'blockmap["k"].name' '"z"'
	applied_change 'blockset[0].name' '"z"' .blockset
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	applied_change 'nested_single.name' '"z"'
	applied_change 'nested_list[0].deep[0].name' '"z"'
	applied_change 'nested_map["k"].name' '"z"'
	applied_change 'nested_set[0].name' '"z"' .nested_set
}

# bats test_tags=once
@test "applying may not change what was known" {
	both changes_while_applying
}

changes_blocks_while_applying() {
	everything
	fails run_all 'apply:drop:block' -- "$after" "$test_provider" \
		test_all.r .block 2 1
	afresh
	fails run_all 'apply:grow:block[0].inner' -- "$after" test_all.r \
		'.block[0].inner'
	afresh
	fails run_all 'apply:drop:blockset' -- "$after" test_all.r .blockset
	afresh
	fails run_all 'apply:null:name' -- "$after" test_all.r .name
	afresh
	works run_all 'apply:drop:block;apply:null:name;apply:legacy'
	[ "$(attribute r '.block|length')" = 1 ]
}

# bats test_tags=once
@test "applying may not change the number of blocks" {
	both changes_blocks_while_applying
}

@test "applying may not change the number of structural attributes" {
	everything
	fails run_all 'apply:drop:nested_list' -- "$after" test_all.r .nested_list
	afresh
	fails run_all 'apply:grow:nested_map' -- "$after" test_all.r .nested_map
	afresh
	fails run_all 'apply:drop:nested_set' -- "$after" test_all.r .nested_set
}

# The command fails as it must and tells no secret (lines of the configuration
# are shown as they are).
secretly() { # as fails
	fails "$@"
	jq -cR 'fromjson? | del(.diagnostic.snippet.code?)' out err >told
	[ -s told ]
	run -1 grep -E 'leak|hidden' messages told
}

tells_no_secret() {
	everything 'ci = "x"'
	secretly run_all 'apply:set:secret="leak"' -- "$after" test_all.r .secret
	afresh
	secretly plan 'plan:set:secret="leak"' -- "$invalid" test_all.r.secret
	secretly plan 'plan:set:block[0].secret="leak"' -- \
		"$invalid" 'test_all.r.block[0].secret'
	works run_all ''
	secretly run_all 'plan:set:secret="leak"' -- "$invalid" .secret
	secretly plan 'read:retype:secret=["leak"]' -- "$misfit" .secret
	secretly plan 'read:unknown:secret' -- \
		'Provider produced invalid object' .secret
	secretly plan 'upgrade:retype:secret=["leak"]' -- "$misfit" .secret
	secretly plan 'plan:retype:secret=["leak"]' -- "$misfit" .secret
	afresh
	# what is not to be stored is not, whatever the provider says of it
	fails run_all 'apply:set:wo="leak"' -- "$misfit" test_all wo
	run -1 grep leak messages out err terraform.tfstate
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	afresh
	everything 'nested_secret = { name = "hidden", secret = "hidden" }'
	secretly run_all 'apply:set:nested_secret.name="leak"' -- \
		"$after" test_all.r .nested_secret
	secretly plan 'plan:set:nested_secret.secret="leak"' -- \
		"$invalid" test_all.r.nested_secret.secret
}

# bats test_tags=once
@test "what is sensitive is not told" {
	both tells_no_secret
}

# Marked by the configuration alone.
tells_no_marked_value() {
	config <<-EOF
	variable "s" {
	  default   = "hidden"
	  sensitive = true
	}
	resource "test_all" "r" {
	  name = var.s
	  list = [var.s]
	  map  = { k = var.s }
	  obj  = { a = var.s, b = 1 }
	  block {
	    name = var.s
	  }
	  blockset {
	    name = var.s
	  }
	  blockmap "k" {
	    name = var.s
	  }
	}
	EOF
	for at in name 'list[0]' 'map["k"]' obj.a 'block[0].name' \
		'blockmap["k"].name'; do
		secretly plan "plan:set:$at=\"leak\"" -- "$invalid" test_all.r
		secretly run_all "apply:set:$at=\"leak\"" -- "$after" test_all.r
		afresh
	done
	secretly run_all 'apply:set:blockset[0].name="leak"' -- "$after" .blockset
	afresh
	works run_all ''
	secretly plan 'plan:set:name="leak"' -- "$invalid" test_all.r.name
	works plan ''
}

# bats test_tags=once
@test "what the configuration marks as sensitive is not told either" {
	both tells_no_marked_value
}

unknown_after='Provider returned invalid result object after apply'

leaves_unknowns() {
	everything
	fails run_all 'apply:unknown:comp;apply:unknown:block[1].comp' -- \
		"$unknown_after" test_all.r.comp
	says "$unknown_after" 'test_all.r.block[1].comp'
	# the rest is saved
	[ "$(attribute r '[.id,.comp,.block[0].comp,.block[1].comp]')" = \
		'["1",null,"comp of b0",null]' ]
	[ "$(status_of r)" = tainted ]
	afresh
	fails run_all 'apply:unknown:comp;apply:legacy' -- \
		"$unknown_after" test_all.r.comp
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	afresh
	fails run_all 'apply:unknown:nested_map["k"].comp' -- \
		"$unknown_after" test_all.r.nested_map
}

@test "applying may not leave unknown values" {
	both leaves_unknowns
}

returns_nothing() {
	config <<-EOF
	variable "v" {}
	resource "test_thing" "r" {
	  name = var.v
	}
	EOF
	fails run_all 'apply:null' -var v=1 -- "$after" test_thing.r
	afresh
	fails run_all 'apply:null;apply:legacy' -var v=1 -- \
		"$unknown_after" test_thing.r
	afresh
	works run_all '' -var v=1
	fails run_all 'apply:null' -var v=2 -- "$after" test_thing.r
	[ "$(attribute r .name)" = '"1"' ]
	fails destroy 'destroy:prior' -var v=1 -- "$unknown_after" test_thing.r
	# as the provider said it is
	[ "$(attribute r .name)" = '"2"' ]
}

# bats test_tags=once
@test "applying gives an object, destroying none" {
	both returns_nothing
}

# --- reading ---

# What the remote system says of an attribute from now on.
remotely() { # TYPE.ID JQ-PROGRAM
	jq -c "$2" "objects/$1.json" >changed
	mv changed "objects/$1.json"
}

thing() {
	config <<-EOF
	variable "v" { default = "v" }
	resource "test_thing" "r" {
	  name  = "r"
	  ci    = "Text"
	  value = var.v
	}
	EOF
	works run_all ''
}

normalises() {
	thing
	remotely test_thing.1 '.ci = "TEXT"'
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
	works run_all '' -refresh-only
	[ "$(attribute r .ci)" = '"Text"' ]
}

# bats test_tags=once
@test "reading: another form of the same is not told" {
	both normalises
}

drifts() {
	thing
	remotely test_thing.1 '.value = "other"'
	works plan ''
	[ "$(actions r)" = '["update"]' ]
	[ "$($cli show -json p | jq -c '.resource_drift[0].change |
		[.before.value, .after.value]')" = '["v","other"]' ]
	run $cli plan -no-color -input=false -refresh-only
	[[ ${output//$'\n'/ } = *"since the last \"$cli apply\" which may have affected this plan:"* ]]
	works run_all '' -refresh-only
	[ "$(attribute r .value)" = '"other"' ]
	rm objects/*
	works plan ''
	[ "$(actions r)" = '["create"]' ]
	[ "$($cli show -json p | jq -c '.resource_drift[0].change.actions')" = \
		'["delete"]' ]
}

# bats test_tags=once
@test "reading: what has changed or gone is drift" {
	both drifts
}

drifts_though_refused() {
	thing
	remotely test_thing.1 '.value = "other"'
	fails plan 'plan:error=no' -- no
	[ "$($cli show -json p | jq -c '[.errored,
		.resource_drift[0].change.after.value,
		.prior_state.values.root_module.resources[0].values.value]')" = \
		'[true,"other","other"]' ]
}

# bats test_tags=once
@test "reading: what was read counts though the plan is refused" {
	both drifts_though_refused
}

reads_nonsense() {
	thing
	fails plan 'read:unknown:comp' -- 'Provider produced invalid object' \
		"$test_provider" test_thing.r.comp
	fails plan 'read:retype:bogus=1' -- "$misfit" "$test_provider" \
		test_thing.r bogus
	fails plan 'read:retype:name=[1]' -- "$misfit" test_thing.r .name
	fails plan 'read:remove:name' -- "$misfit" test_thing.r name
	fails plan 'read:garbage' -- "$misfit" test_thing.r
	fails plan 'read:retype:bogus=1;any:legacy' -- "$misfit" test_thing.r
	[ "$(attribute r .name)" = '"r"' ]
}

misfit='Invalid provider response'

# bats test_tags=once
@test "reading: what does not conform or is unknown is refused" {
	both reads_nonsense
}

# --- what does not fit the schema, in the other calls ---

plans_nonsense() {
	everything
	fails plan 'plan:retype:bogus=1' -- "$misfit" "$test_provider" \
		test_all.r bogus
	fails plan 'plan:retype:num=[1]' -- "$misfit" test_all.r .num
	fails plan 'plan:retype:block[0].name=[1]' -- \
		"$misfit" test_all.r '.block[0].name'
	fails plan 'plan:remove:block[0].name' -- \
		"$misfit" test_all.r '.block[0].name'
	fails plan 'plan:garbage' -- "$misfit" test_all.r
	fails plan 'plan:absent' -- "$invalid" test_all.r
	fails plan 'plan:retype:num=[1];plan:legacy' -- "$misfit" test_all.r .num
	works plan ''
	fails again 'plan:retype:num=[1]' -- "$misfit" test_all.r .num
}

# bats test_tags=once
@test "a plan that does not fit the schema is refused" {
	both plans_nonsense
}

applies_nonsense() {
	everything
	fails run_all 'apply:retype:bogus=1' -- "$misfit" "$test_provider" \
		test_all.r bogus
	afresh
	fails run_all 'apply:retype:block[0].name=[1]' -- "$misfit" \
		test_all.r '.block[0].name'
	afresh
	fails run_all 'apply:garbage;apply:legacy' -- "$misfit" test_all.r
	afresh
	works run_all ''
	# the object is not lost
	everything 'ci = "x"'
	fails run_all 'apply:retype:bogus=1' -- "$misfit" test_all.r
	[ "$(attribute r '[.id,.ci]')" = '["1",null]' ]
	everything 'ci = "y"'
	fails run_all 'apply:absent' -- "$after" test_all.r
	[ "$(attribute r '[.id,.ci]')" = '["1","x"]' ]
}

# bats test_tags=once
@test "a result that does not fit the schema is refused, the object kept" {
	both applies_nonsense
}

# --- upgrading ---

upgrades() {
	config <<-EOF
	resource "test_versioned" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	jq '.resources[0].instances[0] |= (.schema_version = 1 |
		.attributes |= (.title = .name | del(.name)))' terraform.tfstate >s
	cp s terraform.tfstate
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
	fails plan 'upgrade:retype:bogus=1' -- "$bad_upgrade" "$test_provider" \
		test_versioned.r bogus
	fails plan 'upgrade:retype:name=[1]' -- "$bad_upgrade" test_versioned.r .name
	fails plan 'upgrade:remove:comp' -- "$bad_upgrade" test_versioned.r comp
	fails plan 'upgrade:garbage' -- "$bad_upgrade" test_versioned.r
	fails plan 'upgrade:error=no way' -- 'no way' ''
	works run_all ''
	jq -e '.resources[0].instances[0] | .schema_version == 2 and
		.attributes.name == "r" and (.attributes|has("title")|not)' \
		terraform.tfstate
	jq '.resources[0].instances[0].schema_version = 3' terraform.tfstate >s
	cp s terraform.tfstate
	fails plan '' -- 'Resource instance managed by newer provider version' \
		"$test_provider" test_versioned.r
}

bad_upgrade='Invalid provider response'

# bats test_tags=once
@test "upgrading: what comes of it conforms to the schema" {
	both upgrades
}

moves_types() {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	config <<-EOF
	resource "test_renamed" "r" {
	  name = "r"
	}
	moved {
	  from = test_thing.r
	  to   = test_renamed.r
	}
	EOF
	fails plan 'move:retype:bogus=1' -- "$bad_upgrade" test_renamed.r bogus
	works plan ''
	[ "$(actions r)" = '["no-op"]' ]
	works apply ''
	[ "$(attribute r '[.id,.name,.comp]')" = '["1","r","comp of r"]' ]
	grep -q '^move test_renamed r from test_thing' calls
}

@test "a move between resource types goes through the provider" {
	both moves_types
}

moves_and_goes() {
	thing
	sed -i 's/"test_thing" "r"/"test_thing" "s"/' main.tf
	printf '%s\n' 'moved {' '  from = test_thing.r' '  to   = test_thing.s' \
		'}' >>main.tf
	rm objects/*
	works plan ''
	[ "$(actions s)" = '["create"]' ]
	works apply ''
	[ "$(attribute s .value)" = '"v"' ]
}

# bats test_tags=once
@test "a moved object that is gone by now is made again" {
	both moves_and_goes
}

# --- importing ---

# Applies, has the object r forgotten, and plans to import it without a
# configuration.
generate() { # TYPE
	local id
	works run_all ''
	id=$(attribute r .id)
	$cli state rm "$1.r" >out
	config <<-EOF
	import {
	  to = $1.r
	  id = $id
	}
	EOF
	plan '' -generate-config-out=made.tf || true # not all can be generated
}

imports() {
	thing
	mv objects/test_thing.1.json objects/test_thing.x.json
	remotely test_thing.x '.id = "x"'
	rm terraform.tfstate calls
	config <<-EOF
	import {
	  to = test_thing.r
	  id = "x"
	}
	resource "test_thing" "r" {
	  name = "r"
	  value = "new"
	}
	EOF
	fails plan 'import:none' -- 'Import returned no resources' x
	fails plan 'import:twice' -- 'Multiple import states not supported' x
	fails plan 'import:null' -- 'Import returned null resource' x
	fails plan 'import:absent' -- 'Import returned null resource' x
	fails plan 'import:retype:bogus=1' -- "$import_misfit" test_thing
	fails plan 'import:garbage' -- "$import_misfit" test_thing
	fails plan 'import:type=test_all' -- "$import_type" test_all
	fails plan 'read:unknown:comp' -- \
		'Provider produced invalid object' test_thing.r.comp
	fails plan 'import:set:id="nowhere"' -- \
		'Cannot import non-existent remote object' test_thing.r
	rm calls
	works plan ''
	# the stub is always read before planning
	grep -E '^(import|read|plan)' calls | sed 's/ .*//' | paste -sd ' ' >got
	[ "$(cat got)" = 'import read plan-update' ]
	[ "$(actions r)" = '["update"]' ]
	works apply ''
	[ "$(attribute r '[.id,.value,.comp]')" = '["x","new","comp of r"]' ]
}

import_misfit='Invalid provider response'

# The identities before and after, of what drifted or is planned.
identities() { # MEMBER
	$cli show -json p | jq -c ".$1[0].change |
		[.actions[0], .before_identity.id, .after_identity.id]"
}

@test "drift has the identities, what is gone has none any more" {
	export TEST_PROVIDER_IDS=name
	config <<-EOF
	resource "test_identified" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	sed -i 's/comp of r/drifted/' objects/*.json
	works plan '' -out=p
	run -0 identities resource_drift
	[ "$output" = '["update","r","r"]' ]
	rm objects/*.json
	works plan '' -out=p
	run -0 identities resource_drift
	[ "$output" = '["delete","r",null]' ]
	run -0 identities resource_changes
	[ "$output" = '["create",null,null]' ]
}

# In the state: what its identity was written with, and the identity.
identified() {
	jq -c '.resources[0].instances[0] | [.identity_schema_version, .identity]' \
		terraform.tfstate
}

@test "identities of older schemas are the provider's to upgrade, newer ones are refused" {
	export TEST_PROVIDER_IDS=name
	config <<-EOF
	resource "test_identified" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	[ "$(identified)" = '[1,{"id":"r","region":null}]' ]
	works plan ''
	run -1 grep upgrade-identity calls
	sed -i 's/"identity_schema_version": 1/"identity_schema_version": 0/' terraform.tfstate
	rm calls
	works plan '' -refresh=false
	grep 'upgrade-identity .*version=0' calls
	rm calls
	works plan '' -destroy
	grep 'upgrade-identity .*version=0' calls
	rm calls
	cp main.tf kept
	config </dev/null
	works plan ''
	grep 'upgrade-identity .*version=0' calls
	cp kept main.tf
	works run_all ''
	[ "$(identified)" = '[1,{"id":"r","region":null}]' ]
	sed -i 's/"identity_schema_version": 1/"identity_schema_version": 2/' terraform.tfstate
	fails plan '' -- 'Resource identity managed by newer provider version' \
		test_identified.r
}

@test "a data source still to be read is sensitive where its arguments are" {
	config <<-EOF
	variable "v" {
	  default   = "v"
	  sensitive = true
	}
	resource "terraform_data" "a" {
	}
	data "test_all" "d" {
	  name   = var.v
	  secret = "s"
	  group {
	    secret = var.v
	  }
	  depends_on = [terraform_data.a]
	}
	EOF
	works plan '' -out=p
	run -0 $cli show -json p
	[ "$(jq -c '.planned_values.root_module.resources[0].sensitive_values |
		[.name, .secret, .group.secret]' <<<"$output")" = \
		'[true,null,true]' ]
	[ "$(jq -c '.resource_changes[0].change.after_sensitive |
		[.name, .secret, .group.secret]' <<<"$output")" = \
		'[true,true,true]' ]
}

# bats test_tags=once
@test "what is replaced is sensitive by its schema once it is there" {
	marks() { # ADDRESS
		jq -c --arg a "$1" '[(.planned_values.root_module.resources[] |
			select(.address == $a) | .sensitive_values),
			(.resource_changes[] | select(.address == $a) |
			.change.after_sensitive) | [.name, .secret]]' plan.json
	}
	made() { # FORCE
		config <<-EOF
		variable "v" {
		  default   = "v"
		  sensitive = true
		}
		resource "test_all" "r" {
		  for_each = toset(["asked", "forced", "kept", "tainted"])
		  name     = var.v
		  secret   = "s-secret"
		  force    = each.key == "forced" ? "$1" : "1"
		}
		resource "test_all" "gone" {
		  name   = var.v
		  secret = "s-secret"
		  force  = "$1"
		  lifecycle {
		    destroy = false
		  }
		}
		resource "test_thing" "after" {
		  name = test_all.r["forced"].secret
		}
		check "c" {
		  data "test_all" "d" {
		    name   = var.v
		    secret = "s-secret"
		  }
		  assert {
		    condition     = data.test_all.d.secret == "s-secret"
		    error_message = "no"
		  }
		}
		EOF
	}
	made 1
	works run_all ''
	works run $cli taint -no-color 'test_all.r["tainted"]'
	made 2
	works plan '' -out=p -replace='test_all.r["asked"]'
	$cli show -json p >plan.json
	[ "$(jq -r '.resource_changes[] | select(.type == "test_all" and
		.mode == "managed") | .change.actions | join("-")' plan.json |
		paste -sd' ')" = \
		'forget-create delete-create delete-create no-op delete-create' ]
	for a in 'r["asked"]' 'r["forced"]' gone; do
		[ "$(marks "test_all.$a")" = '[[true,null],[true,true]]' ]
	done
	for key in kept tainted; do
		[ "$(marks "test_all.r[\"$key\"]")" = '[[true,true],[true,true]]' ]
	done
	[ "$(marks 'data.test_all.d')" = '[[true,null],[true,true]]' ]
	# nobody is told it for all that
	[ "$(jq -c '.resource_changes[] | select(.type == "test_thing") |
		.change.after_sensitive.name' plan.json)" = true ]
	run -0 $cli show -no-color p
	[[ $output != *s-secret* ]]
	works apply ''
	run -0 $cli state show -no-color 'test_all.r["forced"]'
	[[ $output = *'secret '*'(sensitive value)'* && $output != *s-secret* ]]
}

import_type="Import returned another resource type"

@test "importing: one object of the type, read before planning" {
	both imports
}

identifies() {
	config <<-EOF
	resource "test_identified" "r" {
	  name   = "r"
	  region = "north"
	}
	EOF
	works run_all ''
	jq -e '.resources[0].instances[0].identity ==
		{"id":"1","region":"north"}' terraform.tfstate
	$cli show -json | jq -e '.values.root_module.resources[0] |
		.identity.id == "1" and .identity_schema_version == 1'
	rm terraform.tfstate calls
	config <<-EOF
	import {
	  to = test_identified.r
	  identity = {
	    id = "1"
	  }
	}
	resource "test_identified" "r" {
	  name   = "r"
	  region = "north"
	}
	EOF
	works run_all ''
	[ "$(attribute r '[.id,.name]')" = '["1","r"]' ]
	grep -q '^import test_identified 1' calls
	jq -e '.resources[0].instances[0].identity.region == "north"' \
		terraform.tfstate
}

@test "identities are kept, and imported by" {
	both identifies
}

# --- write-only attributes ---

returns_secrets() {
	local bad='Invalid provider response'
	everything
	fails plan 'plan:set:wo="x"' -- "$bad" test_all wo
	fails plan 'plan:set:block[0].wo="x"' -- "$bad" test_all 'block[0].wo'
	fails plan 'plan:set:wo="x";plan:legacy' -- "$bad" test_all wo
	works run_all ''
	run -1 grep -q '"wo": *"' terraform.tfstate
	fails plan 'read:set:wo="x"' -- "$bad" test_all wo
	fails plan 'upgrade:set:wo="x"' -- "$bad" test_all wo
	everything 'ci = "x"'
	fails run_all 'apply:set:single.wo="x"' -- "$bad" test_all single.wo
	run -1 grep -q '"wo": *"' terraform.tfstate
	[ "$TEST_PROVIDER_PROTOCOL" = 6 ] || return 0
	fails plan 'plan:set:nested_list[0].wo="x"' -- \
		"$bad" test_all 'nested_list[0].wo'
}

@test "write-only attributes are null in every answer" {
	both returns_secrets
}

# --- legacy providers ---

# bats test_tags=once
@test "blocks that a legacy provider leaves null become empty" {
	config <<-EOF
	resource "test_all" "r" {
	  name = "r"
	}
	EOF
	works run_all 'plan:null:block;apply:null:block;any:legacy'
	works plan 'read:null:limited;read:null:blockset'
	[ "$(actions r)" = '["no-op"]' ]
}

@test "what the legacy type system is excused for is in the log" {
	everything
	TF_LOG=warn TF_LOG_PATH=$PWD/log works run_all \
		'plan:set:name="z";apply:set:single.name="z";any:legacy'
	grep -q 'legacy plugin SDK' log
	grep -q '\.name' log
	grep -q '\.single\.name' log
}

# --- validation ---

validates() {
	config <<-EOF
	resource "test_thing" "a" {
	  name = "a"
	}
	resource "test_thing" "r" {
	  name  = "r"
	  value = test_thing.a.comp
	}
	EOF
	works run_all ''
	# once with what is not known yet, in the end with everything known
	grep '^validate test_thing r' calls | sed '$!d' >last
	[ "$(cat last)" = 'validate test_thing r' ]
	grep -q '^validate test_thing r unknown' calls
	afresh
	fails run_all 'r@validate:error:value=bad value' -- 'bad value' ''
	run -1 grep -q '^plan' calls
	config <<-EOF
	resource "test_thing" "r" {
	  do = "plan-create:error:name=no plan;validate:warning:name=odd"
	  name  = "r"
	}
	EOF
	fails plan '' -- 'no plan' ''
	grep -q '^warning: odd' messages
}

# bats test_tags=once
@test "validation: in the end with a wholly known configuration" {
	both validates
}

# --- data sources ---

reads_data() {
	config <<-EOF
	data "test_thing" "r" {
	  name = "r"
	}
	output "o" {
	  value = data.test_thing.r.comp
	}
	EOF
	works run_all ''
	[ "$(jq -r .outputs.o.value terraform.tfstate)" = 'comp of r' ]
	fails plan 'read-data:unknown:comp' -- \
		'Provider produced invalid object' "$test_provider" \
		data.test_thing.r
	fails plan 'read-data:null' -- 'Provider produced null object' \
		"$test_provider" data.test_thing.r
	fails plan 'read-data:retype:bogus=1' -- "$misfit" "$test_provider" \
		data.test_thing.r bogus
	fails plan 'read-data:error:name=no data' -- 'no data' ''
}

# bats test_tags=once
@test "data sources give one known object" {
	both reads_data
}

# --- creation that fails half-way ---

fails_half_way() {
	config <<-EOF
	variable "v" {}
	resource "test_thing" "r" {
	  name = var.v
	}
	EOF
	fails run_all 'apply:partial=half way' -var v=1 -- 'half way' ''
	[ "$(status_of r)" = tainted ]
	[ "$(attribute r .id)" = '"1"' ]
	works plan '' -var v=1
	[ "$(actions r)" = '["delete","create"]' ]
	works apply ''
	[ "$(status_of r)" = null ]
	fails run_all 'apply:error=not done' -var v=2 -- 'not done' ''
	[ "$(attribute r .name)" = '"1"' ]
	[ "$(status_of r)" = null ]
	fails destroy 'destroy:error=stays' -var v=2 -- 'stays' ''
	[ "$(attribute r .id)" = '"2"' ]
}

# bats test_tags=once
@test "an object of which creation failed is tainted; others are kept" {
	both fails_half_way
}

makes_nothing() {
	config <<-EOF
	resource "test_thing" "r" {
	  name = "r"
	}
	resource "test_thing" "s" {
	  name = "s"
	}
	EOF
	fails run_all 'r@apply:error=nothing made' -- 'nothing made' ''
	# the outcome is known: nothing is left to be recovered
	[ ! -e .terraform.tfstate.journal ]
	run "$cli" state list
	[ "$output" = test_thing.s ]
	works destroy ''
}

# bats test_tags=once
@test "a creation that made nothing leaves nothing to be recovered" {
	both makes_nothing
}

# --- deferral ---

defers() {
	local bad='Provider deferred its answer'
	thing
	rm terraform.tfstate
	fails plan 'plan:deferred' -- "$bad" "$test_provider" test_thing.r
	works run_all ''
	fails plan 'read:deferred' -- "$bad" "$test_provider" test_thing.r
	config <<-EOF
	data "test_thing" "d" {
	}
	EOF
	fails plan 'read-data:deferred' -- "$bad" "$test_provider" \
		data.test_thing.d
}

# bats test_tags=once
@test "a deferred answer is an error that says so" {
	both defers
}

# --- configurations ---

@test "a provider configuration that nothing uses does no harm" {
	config <<-EOF
	provider "test" {
	  alias = "unused"
	  do    = "configure:error=not me"
	}
	provider "test" {
	  prefix = "my "
	}
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	[ "$(attribute r .comp)" = '"my comp of r"' ]
}

# --- create_before_destroy ---

gives_back() {
	local old
	config <<-EOF
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  force = var.v
	  lifecycle { create_before_destroy = true }
	}
	EOF
	works run_all ''
	old=$(attribute r .id)
	fails run_all 'apply-create:error=no room' -var v=2 -- 'no room' ''
	[ "$(jq -c '[.resources[].instances[] | [.attributes.id, .deposed]]' \
		terraform.tfstate)" = "[[$old,null]]" ]
	works run_all '' -var v=2
	[ "$(jq '[.resources[].instances[]] | length' terraform.tfstate)" = 1 ]
	run -0 attribute r .id
	[ -n "$output" ] && [ "$output" != "$old" ]
}

# bats test_tags=once
@test "create_before_destroy: where nothing new was made the old object has its place again" {
	both gives_back
}

# --- destroying ---

# bats test_tags=once
@test "what a destroy-time provisioner fails for is not destroyed" {
	config <<-'EOF'
	resource "test_thing" "r" {
	  name = "r"
	  provisioner "local-exec" {
	    when    = destroy
	    command = "exit 1"
	  }
	}
	EOF
	works run_all ''
	fails destroy '' -- 'local-exec provisioner error' ''
	run -0 ls objects
	[ ${#lines[@]} = 1 ]
	[ "$(jq '.resources | length' terraform.tfstate)" = 1 ]
}

# bats test_tags=once
@test "-refresh=false reads nothing" {
	config <<<'resource "test_thing" "r" { name = "r" }'
	works run_all ''
	rm calls
	works plan '' -refresh=false
	grep -q '^plan' calls
	run -1 grep -q '^read' calls
	works plan ''
	grep -q '^read' calls
}

# --- importing ---

# Applies, has the object r forgotten, and plans to import it without a
# configuration.
generate() { # TYPE
	local id
	works run_all ''
	id=$(attribute r .id)
	$cli state rm "$1.r" >out
	config <<-EOF
	import {
	  to = $1.r
	  id = $id
	}
	EOF
	plan '' -generate-config-out=made.tf || true # not all can be generated
}

# bats test_tags=once
@test "generated configuration has nothing of what is sensitive" {
	everything
	generate test_all
	grep -q 'secret *= null # sensitive' made.tf
	grep -q 'name *= "n"' made.tf
	run -1 grep hidden made.tf
	# and all of the elements of what is not
	sed -n '/^ *nested_map *=/,/^  }/p' made.tf >map
	grep -q 'k *= {$' map
	grep -q 'name *=' map
	run -1 grep '# sensitive' map
}

@test "generated configuration has the keys of maps in quotes where they need them" {
	everything
	sed -i 's/^  map *= {.*/  map = { k = "v", "a b" = "w", "9" = "x" }/' main.tf
	generate test_all
	sed -n '/^ *map *=/,/}/s/^ *//p' made.tf | sed 's/  */ /g' >map
	diff - map <<-'END'
	map = {
	"9" = "x"
	"a b" = "w"
	k = "v"
	}
	END
}

# bats test_tags=once
@test "generated configuration has nothing that was sensitive where it came from" {
	local id
	config <<-EOF
	variable "s" {
	  default   = "hidden"
	  sensitive = true
	}
	resource "test_thing" "r" {
	  name  = "n"
	  value = var.s
	}
	EOF
	works run_all ''
	id=$(attribute r .id)
	config <<-EOF
	import {
	  to = test_thing.r
	  id = $id
	}
	EOF
	plan '' -generate-config-out=made.tf || true
	grep -q 'name *= "n"' made.tf
	grep -q 'value *= null # sensitive' made.tf
	run -1 grep hidden made.tf
}

# --- what the calls are told ---

# bats test_tags=once
@test "upgrading: the provider is told of which version the object is" {
	config <<<'resource "test_versioned" "r" { name = "r" }'
	works run_all ''
	jq '.resources[0].instances[0] |= (.schema_version = 1)' \
		terraform.tfstate >s
	cp s terraform.tfstate
	rm calls
	works plan ''
	grep -q '^upgrade test_versioned .*version=1$' calls
}

@test "refreshing stores an identity that is new, and none without a place for it" {
	config <<-'EOF2'
		resource "test_identified" "a" { name = "x" }
		resource "terraform_data" "b" {}
	EOF2
	$cli apply -auto-approve >/dev/null
	cp terraform.tfstate first
	identities='[.resources[].instances[].identity.id]'
	jq '(.resources[].instances[] | select(.identity)) |=
			del(.identity, .identity_schema_version) |
		(.resources[] | select(.type == "terraform_data").instances[]) +=
			{ identity: { id: "q" }, identity_schema_version: 0 }' \
		first >terraform.tfstate
	[ "$(jq -c "$identities | sort" terraform.tfstate)" = '[null,"q"]' ]
	$cli apply -auto-approve -refresh=false >/dev/null
	[ "$(jq -c "$identities | sort" terraform.tfstate)" = '[null,"q"]' ]
	$cli apply -auto-approve >/dev/null
	[ "$(jq -c "$identities | sort" terraform.tfstate)" = '[null,"1"]' ]
	jq '(.resources[].instances[].identity | select(.)).id = "other"' first \
		>terraform.tfstate
	$cli apply -auto-approve >/dev/null
	[ "$(jq -c "$identities | sort" terraform.tfstate)" = '[null,"1"]' ]
}

@test "the identity of an object goes with the calls" {
	config <<-EOF
	resource "test_identified" "r" {
	  name   = "r"
	  region = "north"
	}
	EOF
	works run_all ''
	rm calls
	works plan ''
	grep -q '^read test_identified .*identity=1$' calls
}

@test "blocks that become unknown are shown as OpenTofu shows them" {
	config <<-'TF'
	variable "in" {
	  type    = list(string)
	  default = ["a"]
	}
	resource "terraform_data" "u" { input = var.in }
	resource "test_all" "r" {
	  name = "n"
	  dynamic "block" {
	    for_each = terraform_data.u.output
	    content {
	      name = block.value
	      dynamic "inner" {
	        for_each = terraform_data.u.output
	        content { name = inner.value }
	      }
	    }
	  }
	}
	TF
	$cli apply -auto-approve >/dev/null
	$cli plan -no-color -var 'in=["b"]' >out
	# with what the resource around them has, not with name, num and inner
	sed -n '/~ block {/,/}/p' out | awk '{ print $2 }' | paste -s -d ' ' >names
	[[ $(<names) == "block ci comp comp_dyn "*" name nested_list "*" tup wo ->"* ]]
	run -1 grep -w inner names
}

@test "what forces replacement is said of the elements, not of all that is in them" {
	forcing() { # PATH: lines that say it, without their symbols
		TEST_PROVIDER_DO="plan:replace:$1" "$cli" plan -no-color |
			sed -n 's/^ *\([-+~] \)*\(.*\) # forces replacement$/\2/p' |
			paste -sd'|'
	}
	everything 'num = 1'
	run_all ''
	sed -i 's/"ns"/"NS"/; s/"n1"/"N1"/; s/"nk"/"NK"/; s/"t1"/"T1"/
		s/name = "b1"/name = "B1"/; s/"x1"/"X1"/; s/"m"/"M"/' main.tf
	run -0 forcing nested_single
	[ "$output" = 'nested_single = {' ]
	run -0 forcing nested_list
	[ "$output" = 'nested_list   = [' ]
	run -0 forcing nested_map
	[ "$output" = '"k" = {' ]
	run -0 forcing nested_set
	[ "$output" = '{|{|{|{' ]
	run -0 forcing block
	[ "$output" = 'block {|block {' ]
	run -0 forcing blockset
	[ "$output" = 'blockset {|blockset {|blockset {|blockset {' ]
	run -0 forcing blockmap
	[ "$output" = 'blockmap "k" {' ]
}

@test "what an old SDK stored is handed to the provider as a flatmap" {
	config <<-'EOF2'
	resource "test_thing" "r" { name = "n" }
	EOF2
	run_all ''
	jq '.resources[0].instances[0] |= ((.attributes_flat = {id: .attributes.id,
		name: "n", "list.#": "2", "list.0": "a", "list.1": "b",
		"map.%": "1", "map.k.x": "v"}) | del(.attributes))' \
		terraform.tfstate >s
	mv s terraform.tfstate
	rm calls
	"$cli" plan -no-color
	grep '^upgrade test_thing' calls | sed 's/.*flat/flat/' >got
	[[ $(sort -u got) == \
		'flat id='*' list.#=2 list.0=a list.1=b map.%=1 map.k.x=v name=n' ]]
}

@test "objects of before Terraform 0.12 are shown as the others" {
	config </dev/null
	cat >terraform.tfstate <<-'EOF2'
	{"version": 4, "terraform_version": "0.12.0", "serial": 8, "lineage": "l",
	 "outputs": {}, "resources": [{"mode": "managed", "type": "test_thing",
	  "name": "t",
	  "provider": "provider[\"registry.opentofu.org/hashicorp/test\"]",
	  "instances": [{"schema_version": 0, "attributes_flat": {"id": "1",
	   "name": "n", "list.#": "2", "list.0": "x", "list.1": "y"}}]}]}
	EOF2
	cat >want <<-'EOF2'
	# test_thing.t:
	resource "test_thing" "t" {
	    id   = "1"
	    list = [
	        "x",
	        "y",
	    ]
	    name = "n"
	}
	EOF2
	"$cli" state show -no-color test_thing.t >shown
	diff want shown
	"$cli" show -no-color >shown
	grep . shown | diff want -
	"$cli" show -json | jq -ce '.values.root_module.resources[0].values |
		[.id, .list, .value] == ["1", ["x", "y"], null]'
}

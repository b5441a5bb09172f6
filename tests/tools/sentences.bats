#!/usr/bin/env bats
# sentences.bats - what the documents say and no other file looked at
#
# tests/SENTENCES lists what the five documents ask for and the test of each;
# here are those that were missing, on the test provider, in the list's order.

bats_require_minimum_version 1.5.0
load provider

setup() {
	provider_setup
}

# --- the lifecycle: configuration, plan, result ---

# A thing, and another that has its value from the first.
chain() {
	config <<-EOF
	variable "v" { default = "a" }
	resource "test_thing" "a" {
	  name = var.v
	}
	resource "test_thing" "r" {
	  name  = "r"
	  value = test_thing.a.comp
	}
	EOF
}

# The calls about an object, in order.
calls_about() { # NAME
	grep -E "^[a-z-]+ [a-z_]+ $1( |\$)" calls | cut -d ' ' -f 1 |
		grep -v validate | paste -sd ' '
}

converts() {
	config <<-EOF
	resource "test_all" "r" {
	  name  = 5
	  num   = "7"
	  flag  = "true"
	  list  = toset(["y", "x"])
	  map   = { k = 1 }
	  obj   = { a = true, b = "2" }
	  block { num = "3" }
	}
	EOF
	works run_all ''
	[ "$(attribute r '[.name,.num,.flag,.list,.map,.obj,.block[0].num]')" = \
		'["5",7,true,["x","y"],{"k":"1"},{"a":"true","b":2},3]' ]
	[ "$(attribute r '[.secret,.oc_list,.single,.block[0].name]')" = \
		'[null,["made"],null,null]' ]
	echo 'resource "test_all" "s" { num = "seven" }' >>main.tf
	fails plan '' -- 'Incorrect attribute value type' ''
}

# bats test_tags=once
@test "the configuration has the types of the schema, null for what it leaves out" {
	both converts
}

plans_twice() {
	chain
	works plan ''
	grep -x 'plan-create test_thing r unknown' calls
	run -1 grep -x 'plan-create test_thing r' calls
	rm calls
	works apply ''
	# now that the other is there, and before anything is made
	grep -E '^(plan|apply)' calls >got
	diff - got <<-EOF
	plan-create test_thing a
	apply-create test_thing a
	plan-create test_thing r
	apply-create test_thing r
	EOF
}

# bats test_tags=once
@test "planned twice: with what is not known yet, then with all of it" {
	both plans_twice
}

knows() {
	chain
	works plan 'a@plan:set:comp="soon"'
	[ "$($cli show -json p | jq -c '.resource_changes[] |
		select(.name == "r").change |
		[.after.value, .after_unknown.value]')" = '["soon",null]' ]
	works plan ''
	[ "$($cli show -json p | jq -c '.resource_changes[] |
		select(.name == "r").change |
		[.after.value, .after_unknown.value]')" = '[null,true]' ]
}

# bats test_tags=once
@test "what a plan knows goes on to others, what it does not is unknown there" {
	both knows
}

after='Provider produced inconsistent result after apply'

breaks_its_own_word() {
	everything
	fails run_all 'plan:set:comp="x";apply:set:comp="y"' -- \
		"$after" "$test_provider" test_all.r .comp
	afresh
	works run_all 'plan:set:comp="x"'
	[ "$(attribute r .comp)" = '"x"' ]
	afresh
	# an error of its own says why
	fails run_all 'plan:set:comp="x";apply:set:comp="y";apply:partial=taken' \
		-- taken ''
	run -1 grep "$after" messages
	[ "$(attribute r .comp)" = '"y"' ]
	afresh
	# another form of what is configured is another value
	everything 'ci = "Text"'
	fails run_all 'apply:set:ci="TEXT"' -- "$after" test_all.r .ci
	afresh
	# what is unknown has its type, too
	fails run_all 'plan:unknown:comp_dyn="string";apply:retype:comp_dyn=5' \
		-- "$after" test_all.r .comp_dyn
}

# bats test_tags=once
@test "applying may not change what the provider itself has planned" {
	both breaks_its_own_word
}

goes_round() {
	config <<-EOF
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	EOF
	works run_all ''
	rm calls
	works plan '' -var v=2
	[ "$(calls_about r)" = 'upgrade read plan-update' ]
	rm calls
	works apply ''
	[[ $(calls_about r) = *'plan-update apply-update' ]]
	rm calls
	works plan '' -refresh=false -var v=2
	[ "$(actions r)" = '["no-op"]' ]
}

# bats test_tags=once
@test "each run begins with the last one's object: upgraded, read, planned" {
	both goes_round
}

# --- the lifecycle: reading, importing ---

remotely() { # TYPE.ID JQ-PROGRAM: what the remote system says from now on
	jq -c "$2" "objects/$1.json" >changed
	mv changed "objects/$1.json"
}

told_of_drift() {
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
	remotely test_thing.1 '.oc = "elsewhere"'
	run -0 $cli plan -no-color
	[[ $output == *'No changes'* ]]
	[[ $output != *'changed outside'* ]]
	remotely test_thing.1 '.comp = "moved"'
	run -0 $cli plan -no-color
	[[ $output == *'Objects have changed outside'*'test_thing.a has changed'*'-> "moved"'*'test_thing.r will be updated'* ]]
	[[ $output != *'-> "elsewhere"'* ]]
}

# bats test_tags=once
@test "of an object that is gone people see what may be the cause" {
	config <<-EOF
	resource "test_all" "a" {
	  name   = "a"
	  secret = "hidden"
	}
	resource "test_thing" "r" {
	  value = test_all.a.id
	}
	EOF
	works run_all ''
	rm objects/test_all.1.json
	run -0 "$cli" plan -no-color
	[[ $output == *'test_all.a has been deleted'*'- id        = "1" -> null'* ]]
	[[ $output == *'- wo        = (write-only attribute) -> null'* ]]
	[[ $output == *'10 unchanged attributes hidden'* ]]
	[[ $output != *'no longer be marked as sensitive'* ]]
}

@test "of parts of an object that is gone people see what may be the cause" {
	config <<-'EOF'
	resource "test_all" "a" {
	  name = "a"
	  map  = { k = "v", l = "w" }
	  list = ["x", "y"]
	  set  = ["x", "y"]
	  obj  = { a = "x", b = 1 }
	  block { name = "b0" }
	  block { name = "b1" }
	  nested_list = [{ name = "n0", deep = [{ name = "d0" }] }, { name = "n1" }]
	}
	resource "test_thing" "r" {
	  value = join(" ", [test_all.a.block[1].comp, test_all.a.map.k,
	    test_all.a.list[1], test_all.a.obj.a,
	    test_all.a.nested_list[0].deep[0].name])
	}
	EOF
	works run_all ''
	rm objects/test_all.1.json
	"$cli" plan -no-color >out
	sed -n '/has been deleted/,/^    }/p' out >got
	diff - got <<'EOF'
  # test_all.a has been deleted
  - resource "test_all" "a" {
        id          = "1"
      - list        = [
          - "x",
          - "y",
        ] -> null
      - map         = {
          - "k" = "v"
            # (1 unchanged element hidden)
        } -> null
        name        = "a"
      - nested_list = [
          - {
              - deep = [
                  - {
                      - name = "d0" -> null
                        # (1 unchanged attribute hidden)
                    },
                ] -> null
                name = "n0"
              - wo   = (write-only attribute) -> null
                # (2 unchanged attributes hidden)
            },
            # (1 unchanged element hidden)
        ] -> null
      - obj         = {
          - a = "x"
            # (1 unchanged attribute hidden)
        } -> null
      - wo          = (write-only attribute) -> null
        # (10 unchanged attributes hidden)

      - block {
          - comp = "comp of b1" -> null
            name = "b1"
          - wo   = (write-only attribute) -> null
            # (1 unchanged attribute hidden)
        }

        # (2 unchanged blocks hidden)
    }
EOF
}

# bats test_tags=once
@test "reading: people are told of drift that may be the cause of a change" {
	told_of_drift
}

imports_in_part() {
	config <<-EOF
	resource "test_thing" "r" {
	  name  = "r"
	  value = "v"
	}
	EOF
	works run_all ''
	rm terraform.tfstate calls
	cat >>main.tf <<-EOF
	import {
	  to = test_thing.r
	  id = "1"
	}
	EOF
	fails plan 'import:error=cannot be adopted' -- 'cannot be adopted' ''
	# all is known but what the provider cannot find out
	works plan 'read:null:value'
	[ "$(actions r)" = '["update"]' ]
	[ "$($cli show -json p | jq -c '.resource_changes[0].change |
		[.before.value, .after.value, .importing.id]')" = \
		'[null,"v","1"]' ]
	works apply ''
	[ "$(attribute r '[.id,.value]')" = '["1","v"]' ]
	run -1 grep '^apply-create' calls
	run -0 ls objects
	[ "$output" = test_thing.1.json ]
}

# bats test_tags=once
@test "importing: in part, the rest is an update; or not at all, and why" {
	both imports_in_part
}

# --- destroying ---

# What has been made and destroyed, in order.
done_with() {
	sed -n 's/^\(apply-create\|apply-update\|destroy\) test_thing /\1 /p' \
		calls | sed 's/apply-//' | paste -sd ,
}

stays_forced() {
	config <<-EOF
	variable "v" { default = "1" }
	resource "test_thing" "a" {
	  name  = "a"
	  force = var.v
	  lifecycle { create_before_destroy = false }
	}
	resource "test_thing" "b" {
	  name  = "b"
	  value = test_thing.a.id
	  force = var.v
	  lifecycle { create_before_destroy = true }
	}
	EOF
	works run_all ''
	rm calls
	works run_all '' -var v=2
	[ "$(done_with)" = 'create a,create b,destroy b,destroy a' ]
	# and where the one that forces it is not touched
	rm calls
	sed -i '0,/var.v/s//3/' main.tf
	works run_all '' -var v=2
	[ "$(done_with)" = 'create a,update b,destroy a' ]
}

# bats test_tags=once
@test "create_before_destroy that others force cannot be turned off" {
	both stays_forced
}

# --- planning ---

# bats test_tags=once
@test "planning makes and stores nothing" {
	chain
	works plan ''
	run -1 grep '^apply' calls
	run -0 ls objects
	[ -z "$output" ]
	[ ! -e terraform.tfstate ]
	works run_all ''
	cp terraform.tfstate kept
	works plan '' -var v=b
	works plan '' -destroy
	cmp terraform.tfstate kept
	run -0 ls objects
	[ "${#lines[@]}" = 2 ]
}

waits_for_changes() {
	config <<-'EOF'
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	resource "test_thing" "other" {
	  name  = "other"
	  value = var.v
	}
	data "test_thing" "d" {
	  name       = "d"
	  depends_on = [test_thing.r]
	}
	data "test_thing" "e" {
	  name = "e of ${test_thing.r.name}"
	}
	locals {
	  known = test_thing.r.name
	}
	data "test_thing" "f" {
	  name = "f of ${local.known}"
	}
	data "test_thing" "g" {
	  name = "g of ${local.known}"
	  lifecycle {
	    postcondition {
	      condition     = self.name != ""
	      error_message = "no name"
	    }
	  }
	}
	EOF
	works run_all ''
	rm calls
	works plan ''
	[ "$(grep -c '^read-data' calls)" = 4 ]
	# what comes by a detour, and is known, is no reason to wait, unless
	# something must hold
	rm calls
	works plan '' -var v=2
	[ "$(grep '^read-data' calls)" = 'read-data test_thing f of r' ]
	[ "$($cli show -json p | jq -c '.resource_changes[] |
		select(.mode == "data") | [.name, .change.actions[],
		.action_reason] | join(" ")' | tr -d '"')" = \
		'd read read_because_dependency_pending
e read read_because_dependency_pending
g read read_because_dependency_pending' ]
	rm calls
	works apply ''
	grep -E '^(apply-update test_thing r|read-data)' calls >got
	[ "$(sed -n '1p;$=' got | paste -sd ' ')" = \
		'apply-update test_thing r 4' ]
}

# bats test_tags=once
@test "data are read while planning, but after what they depend on has changed" {
	both waits_for_changes
}

replaces() {
	config <<-EOF
	variable "v" { default = "1" }
	variable "w" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  force = var.v
	  value = var.w
	}
	resource "test_thing" "s" {
	  name = "s"
	  lifecycle { create_before_destroy = true }
	}
	EOF
	works run_all ''
	rm calls
	works run_all '' -var v=2
	[ "$(done_with)" = 'destroy r,create r' ]
	# on request: what would be updated, and what would be left alone
	rm calls
	works run_all '' -var v=2 -var w=2 -replace=test_thing.r \
		-replace=test_thing.s
	[ "$(done_with | tr , '\n' | grep r$ | paste -sd ,)" = \
		'destroy r,create r' ]
	[ "$(done_with | tr , '\n' | grep s$ | paste -sd ,)" = \
		'create s,destroy s' ]
}

# bats test_tags=once
@test "a replacement is two calls, in either order, -replace of any number" {
	both replaces
}

triggers() {
	config <<-'EOF'
	variable "v" { default = "1" }
	resource "test_thing" "a" {
	  name  = "a"
	  value = var.v
	}
	resource "test_thing" "r" {
	  name = "r"
	  lifecycle { replace_triggered_by = [test_thing.a.value] }
	}
	resource "test_thing" "s" {
	  name = "s"
	  lifecycle {
	    replace_triggered_by  = [test_thing.a]
	    create_before_destroy = true
	  }
	}
	EOF
	works run_all ''
	rm calls
	works run_all '' -var v=2
	done_with | tr , '\n' >got
	[ "$(grep -e ' [ar]$' got | paste -sd ,)" = 'destroy r,update a,create r' ]
	[ "$(grep -e ' [as]$' got | paste -sd ,)" = 'update a,create s,destroy s' ]
}

# bats test_tags=once
@test "replace_triggered_by: either of the two replacements" {
	both triggers
}

replaces_what_is_there() {
	thing() {
		printf 'resource "test_thing" "%s" {\n  name = "%s"\n}\n' "$1" "$1"
	}
	thing old | config
	works run_all ''
	thing new | config
	works plan '' -replace=test_thing.old -replace=test_thing.new
	[ "$(actions old)" = '["delete"]' ]
	[ "$(actions new)" = '["create"]' ]
}

# bats test_tags=once
@test "-replace: only what would be updated or left alone" {
	both replaces_what_is_there
}

only_refreshes() {
	config <<-EOF
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	resource "test_thing" "gone" {
	  name = "gone"
	}
	EOF
	works run_all ''
	config <<-EOF
	resource "test_thing" "r" {
	  name  = "r"
	  value = "2"
	}
	resource "test_thing" "new" {
	  name = "new"
	}
	EOF
	$cli taint test_thing.r >out
	rm calls
	works run_all '' -refresh-only
	run -1 grep -E '^(plan|apply|destroy)' calls
	[ "$(jq -r '.resources[].name' terraform.tfstate | paste -sd ' ')" = \
		'gone r' ]
	[ "$(status_of r)" = tainted ]
}

# bats test_tags=once
@test "-refresh-only: whatever is in the state or configured, nothing is done" {
	both only_refreshes
}

leaves_deposed() {
	config <<-'EOF'
	variable "v" { default = "1" }
	resource "test_thing" "r" {
	  name  = "r"
	  force = var.v
	  lifecycle { create_before_destroy = true }
	}
	EOF
	works run_all ''
	cp objects/test_thing.1.json kept
	fails run_all 'destroy:error=not now' -var v=2 -- 'not now' ''
	mv kept objects/test_thing.1.json
	rm calls
	works run_all '' -var v=2 -refresh-only
	run -1 grep -E '^(plan|apply|destroy)' calls
	jq -e '[.resources[].instances[].deposed | . != null] |
		sort == [false, true]' terraform.tfstate
	works run_all '' -var v=2
	[ "$(done_with)" = 'destroy r' ]
}

# bats test_tags=once
@test "-refresh-only: what is deposed stays so" {
	both leaves_deposed
}

deposed_gone() {
	local made
	config <<-EOF
	variable "v" {
	  default = 1
	}
	resource "test_thing" "r" {
	  name  = "r"
	  force = var.v
	  lifecycle {
	    create_before_destroy = true
	    precondition {
	      condition     = var.v > 0
	      error_message = "none"
	    }
	  }
	}
	EOF
	for made in '' 'apply-create test_thing r'; do
		rm -rf objects terraform.tfstate*
		mkdir objects
		works run_all ''
		fails run_all 'destroy:error=not now' -var v=2 -- 'not now' ''
		[ ! -e objects/test_thing.1.json ] # all the same
		rm calls
		if [ -n "$made" ]; then # the present one is gone, too
			jq '.resources[].instances |= map(select(.deposed))' \
				terraform.tfstate >state
			mv state terraform.tfstate
		fi
		works run_all '' -var v=2
		[ "$(grep -E '^(apply|destroy)' calls | paste -sd,)" = "$made" ]
		jq -e '[.resources[].instances[] | .deposed] == [null]' \
			terraform.tfstate
	done
}

# bats test_tags=once
@test "a deposed object that is gone has no conditions" {
	[ "$cli" = tf ] || skip "OpenTofu 1.12.6 crashes"
	both deposed_gone
}

# --- -exclude ---

# bats test_tags=once
@test "-exclude: plan, apply and destroy take it, any number of times" {
	config <<-EOF
	resource "test_thing" "a" {
	  name = "a"
	}
	resource "test_thing" "b" {
	  name = test_thing.a.id
	}
	resource "test_thing" "c" {
	  name = test_thing.a.id
	}
	resource "test_thing" "d" {
	  name = "\${test_thing.b.id}\${test_thing.c.id}"
	}
	EOF
	held() {
		$cli state list | sed 's/test_thing.//' | paste -sd ' '
	}
	run -0 $cli plan -no-color -detailed-exitcode -exclude=test_thing.a \
		-exclude=test_thing.b
	[[ $output == *'No changes'* ]]
	works run_all '' -exclude=test_thing.d
	[ "$(held)" = 'a b c' ]
	works run_all ''
	works destroy '' -exclude=test_thing.b
	[ "$(held)" = 'a b' ]
}

# The outputs that are planned with other values, what applying these reads, and
# the outputs then.
comes_of() { # OPTION
	works plan '' -var v=2 "$1" || return 1
	$cli show -json p | jq -r '.output_changes | keys | join(" ")'
	rm calls
	works run_all '' -var v=2 "$1" || return 1
	sed -n 's/^read-data test_thing //p' calls | sort | paste -sd ' '
	jq -r '.outputs | to_entries[] | .key + "=" + .value.value' \
		terraform.tfstate | paste -sd ' '
}

# bats test_tags=once
@test "-exclude: outputs of what is left, data sources" {
	config <<-'EOF'
	variable "v" { default = "1" }
	resource "test_thing" "a" {
	  name  = "a"
	  value = var.v
	}
	resource "test_thing" "b" {
	  name  = "b"
	  value = var.v
	}
	data "test_thing" "free" {
	  name = "free${var.v}"
	}
	data "test_thing" "a" {
	  name = "${test_thing.a.name}${var.v}"
	}
	resource "test_thing" "via" {
	  name  = "via"
	  value = data.test_thing.a.comp
	}
	output "a" { value = "${test_thing.a.value}${var.v}" }
	output "ab" { value = "${test_thing.a.value}${test_thing.b.value}${var.v}" }
	output "data" { value = data.test_thing.a.name }
	output "free" { value = data.test_thing.free.name }
	output "none" { value = var.v }
	output "via" { value = test_thing.via.value }
	EOF
	works run_all ''
	cp terraform.tfstate kept
	[ "$(comes_of -exclude=test_thing.a)" = "free
free2
a=11 ab=122 data=a1 free=free2 none=1 via=comp of a1" ]
	cp kept terraform.tfstate
	[ "$(comes_of -exclude=data.test_thing.free)" = "a ab data via
a2
a=22 ab=222 data=a2 free=free1 none=1 via=comp of a2" ]
}


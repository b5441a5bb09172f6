#!/usr/bin/env bats
# An apply is killed before each write to the files beside the state, so between
# any two answers that it gets.  What is left must be what HACKING's table says:
# what the state has, what really exists, what is told, what is planned next; and
# the next apply completes the work without losing an object.

bats_require_minimum_version 1.5.0
load provider

setup_file() {
	without_leak_checks
}

setup() {
	provider_setup
	build_injector "$PWD"
	printf 'terraform {\n  required_providers {\n    %s\n  }\n}\n' \
		'test = { source = "hashicorp/test" }' >versions
}

# What there is before the apply, and what is to be made of it.
before() { cat versions - >old; }
after() { cat versions - >new; }

# Back to what there was before the apply, with its plan.
rewind() {
	if [ ! -d start ]; then
		mkdir st
		if [ -e old ]; then
			cp old main.tf
			tf-plan -C . -state=st/s 2>/dev/null >p
			tf-apply -state=st/s <p >ev 2>/dev/null
		fi
		[ ! -e spoil ] || . ./spoil
		cp new main.tf
		tf-plan -C . -state=st/s 2>/dev/null >plan
		mkdir start
		cp -r st objects start
	fi
	rm -rf st objects
	cp -r start/st start/objects .
}

ids() { # of the state on stdin
	jq -r '.resources[]? | .name as $n | .instances[] |
		(if .deposed then "deposed " else "" end) +
		(if .status then .status + " " else "" end) +
		$n + "=" + (.attributes.id // "-")' | sort | paste -sd,
}

existing() {
	local all

	all=$(find objects -name '*.json' -printf '%f\n' |
		sed 's/^[a-z_]*\.//; s/\.json$//' | sort | paste -sd' ')
	echo "${all:--}"
}

# In the state; existing; of unknown outcome; planned next
left_behind() {
	local state told next

	state=$(tf-state pull -state=st/s 2>err | ids)
	told=$(sed -n 's/.*during the operation "\([^"]*\)" of.*/\1/p' err)
	tf-plan -C . -state=st/s >p 2>err
	next=$(jq -r 'select(.record == "planned" and .action != "no-op") |
		(if .deposed then "deposed " else "" end) + .action' p |
		sort | paste -sd,)
	echo "${state:--}; $(existing); ${told:--}; ${next:--}"
}

# What is left by a kill before each write, one line for what is the same.
places() {
	local status=137 k=0

	while [ $status = 137 ] && [ $k -lt 60 ]; do
		k=$((k + 1))
		rewind || return 1
		status=0
		{ TFPIPE_FAULT=die:$k TFPIPE_FAULT_UNDER=$PWD/st/ \
			LD_PRELOAD="$INJECT" tf-apply -state=st/s <plan \
			>ev || status=$?; } 2>/dev/null
		if [ -s st/.s.journal ] && ! grep -q snapshot st/.s.journal; then
			cp st/.s.journal whole
		fi
		left_behind
	done >each
	uniq each
	[ $status = 0 ]
}


# The states that a beginning of the longest journal gives: a power failure may
# keep any.
cuts() {
	local lines=0 all

	all=$(wc -l <whole)
	[ "$all" -gt 1 ]
	while [ $lines -lt "$all" ]; do
		lines=$((lines + 1))
		rewind
		head -n "$lines" whole >st/.s.journal
		tf-state pull -state=st/s 2>err | ids
	done >each
	uniq each | sed 's/^$/-/'
}

# The states that "tf state recover" makes of the longest journal, of which the last
# line is damaged, if it is killed before each write and asked once more.
recovered() {
	local status=137 k=0

	while [ $status = 137 ] && [ $k -lt 60 ]; do
		k=$((k + 1))
		rewind
		sed '$s/test_thing/TEST_THING/' whole >st/.s.journal
		status=0
		{ TFPIPE_FAULT=die:$k TFPIPE_FAULT_UNDER=$PWD/st/ \
			LD_PRELOAD="$INJECT" tf-state recover -state=st/s \
			-auto-approve || status=$?; } >said 2>&1
		tf-state recover -state=st/s -auto-approve >said 2>&1
		tf-state pull -state=st/s 2>err | ids
	done >each
	uniq each
	[ $status = 0 ] && [ $k -gt 3 ]
}

# What there was has a deposed object, as a failed replacement leaves it.
one_deposed() {
	cat >spoil <<-'END'
	jq '(.resources[0].instances) |= [.[0], .[0] + {deposed: "01234567"}]
		| (.resources[0].instances[1].attributes.id) = "2"' st/s >s2
	cp s2 st/s
	jq '.id = "2"' objects/test_thing.1.json >objects/test_thing.2.json
	END
}

CREATE='provisioner "local-exec" {
    command = "true"
  }'
DESTROY='provisioner "local-exec" {
    when    = destroy
    command = "true"
  }'

thing() { # NAME [LINE...]: an object with arguments
	printf 'resource "test_thing" "%s" {\n  name = "%s"\n' "$1" "$1"
	shift
	printf '  %s\n' "" "$@"
	echo '}'
}

removed() { # DESTROY [LINE...]: the thing t is to go
	printf 'removed {\n  from = test_thing.t\n  lifecycle {\n    destroy = %s\n  }\n' "$1"
	shift
	printf '  %s\n' "" "$@"
	echo '}'
}

# bats test_tags=once
@test "create, with provisioners" {
	after <<<"$(thing t "$CREATE")"
	places >left
	diff - left <<-'END'
	-; -; -; create
	-; 1; create; create
	tainted t=1; 1; -; delete-then-create
	t=1; 1; -; -
	END
}

postcondition() { # CONDITION
	printf 'postcondition {\n condition = %s\n error_message = "no"\n}\n' "$1"
}

# bats test_tags=once
@test "create, with a postcondition" {
	after <<<"$(thing t 'lifecycle {' "$(postcondition 'self.id == "1"')" '}')"
	places >left
	diff - left <<-'END'
	-; -; -; create
	-; 1; create; create
	t=1; 1; -; -
	END
	cuts >left
	diff - left <<-'END'
	-
	tainted t=1
	t=1
	END
	# whole is written once, after the postcondition was looked at
	[ "$(grep -c '^t=1$' each)" = 1 ]
}

@test "replace, creating first, with a postcondition that fails" {
	first="lifecycle {
		create_before_destroy = true
		$(postcondition 'self.id == "1"')
	}"
	before <<<"$(thing t 'force = "a"' "$first")"
	after <<<"$(thing t 'force = "b"' "$first" "$CREATE")"
	run -1 places
	uniq each >left
	diff - left <<-'END'
	t=1; 1; -; create-then-delete
	deposed t=1; 1; -; create,deposed delete
	deposed t=1; 1 2; create; create,deposed delete
	deposed t=1,tainted t=2; 1 2; -; create-then-delete,deposed delete
	deposed t=1,t=2; 1 2; -; deposed delete
	END
}

# bats test_tags=once
@test "update" {
	before <<<"$(thing t 'value = "a"')"
	after <<<"$(thing t 'value = "b"' "$CREATE")"
	places >left
	diff - left <<-'END'
	t=1; 1; -; update
	t=1; 1; update; -
	t=1; 1; -; -
	END
}

# bats test_tags=once
@test "replace, destroying first" {
	before <<<"$(thing t 'force = "a"' "$CREATE" "$DESTROY")"
	after <<<"$(thing t 'force = "b"' "$CREATE" "$DESTROY")"
	places >left
	diff - left <<-'END'
	t=1; 1; -; delete-then-create
	t=1; -; delete; create
	-; -; -; create
	-; 2; create; create
	tainted t=2; 2; -; delete-then-create
	t=2; 2; -; -
	END
}

# bats test_tags=once
@test "replace, creating first" {
	first='lifecycle { create_before_destroy = true }'
	before <<<"$(thing t 'force = "a"' "$first" "$CREATE" "$DESTROY")"
	after <<<"$(thing t 'force = "b"' "$first" "$CREATE" "$DESTROY")"
	places >left
	diff - left <<-'END'
	t=1; 1; -; create-then-delete
	deposed t=1; 1; -; create,deposed delete
	deposed t=1; 1 2; create; create,deposed delete
	deposed t=1,tainted t=2; 1 2; -; create-then-delete,deposed delete
	deposed t=1,t=2; 1 2; -; deposed delete
	deposed t=1,t=2; 2; delete; -
	t=2; 2; -; -
	END
	cuts >left
	diff - left <<-'END'
	t=1
	deposed t=1
	deposed t=1,tainted t=2
	deposed t=1,t=2
	t=2
	END
	recovered >left
	diff - left <<<'deposed t=1,t=2'
}

# bats test_tags=once
@test "destroy, with provisioners" {
	before <<<"$(thing t "$DESTROY")"
	after <<<"$(removed true "$DESTROY")"
	places >left
	diff - left <<-'END'
	t=1; 1; -; delete
	t=1; -; delete; -
	-; -; -; -
	END
}

# bats test_tags=once
@test "forget" {
	before <<<"$(thing t)"
	after <<<"$(removed false)"
	places >left
	diff - left <<-'END'
	t=1; 1; -; forget
	-; 1; -; -
	END
}

# bats test_tags=once
@test "forget, with what is deposed" {
	before <<<"$(thing t)"
	one_deposed
	after <<<"$(removed false)"
	places >left
	diff - left <<-'END'
	deposed t=2,t=1; 1 2; -; deposed forget,forget
	-; 1 2; -; -
	END
	cuts >left
	diff - left <<-'END'
	deposed t=2,t=1
	-
	END
}

# bats test_tags=once
@test "replace, forgetting the old one" {
	before <<<"$(thing t 'force = "a"')"
	after <<<"$(thing t 'force = "b"' 'lifecycle { destroy = false }')"
	places >left
	diff - left <<-'END'
	t=1; 1; -; forget-then-create
	-; 1; -; create
	-; 1 2; create; create
	t=2; 1 2; -; -
	END
}

# bats test_tags=once
@test "import, and update" {
	before <<<"$(thing u)"
	echo 'tf-state rm -state=st/s test_thing.u >rm' >spoil
	after <<<"$(thing t 'value = "b"'; printf 'import {\n  to = test_thing.t\n  id = "1"\n}\n')"
	places >left
	diff - left <<-'END'
	-; 1; -; update
	t=1; 1; -; update
	t=1; 1; update; -
	t=1; 1; -; -
	END
}

# bats test_tags=once
@test "move, and update" {
	before <<<"$(thing u 'value = "a"')"
	after <<<"$(thing t 'value = "b"'; printf 'moved {\n  from = test_thing.u\n  to   = test_thing.t\n}\n')"
	places >left
	diff - left <<-'END'
	u=1; 1; -; update
	t=1; 1; -; update
	t=1; 1; update; -
	t=1; 1; -; -
	END
	cuts >left
	diff - left <<-'END'
	u=1
	t=1
	END
}

# bats test_tags=once
@test "the deposed object's delete" {
	before <<<"$(thing t)"
	one_deposed
	after <<<"$(thing t)"
	places >left
	diff - left <<-'END'
	deposed t=2,t=1; 1 2; -; deposed delete
	deposed t=2,t=1; 1; delete; -
	t=1; 1; -; -
	END
}

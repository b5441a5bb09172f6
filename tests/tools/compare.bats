#!/usr/bin/env bats
# compare.bats - tests/compare: the same cases taken through two programs
#
# What needs no reference runs always: the driver against its stages gone
# through by hand.  With tofu on PATH, or TF_TEST_CLI, ours runs beside it.

load common

setup() {
	need python3
	cd "$BATS_TEST_TMPDIR"
	here=$TF_TEST_SRC/tests/compare
	export PYTHONDONTWRITEBYTECODE=1
}

compare() { # OPTION...
	"$here/run" --work "$PWD/work" "$@"
}

by_hand() { # OPTION...
	compare --ours "$here/by-hand" --peer tf --no-reduce "$@"
}

@test "stages that read what was saved do what the driver does" {
	run -0 by_hand --seed 1 --count 12
	[[ ${lines[-1]} = "12 passed, 0 failed, 0 skipped" ]]
}

@test "one thing that is not as it was is found, and called by its name" {
	while read -r what kind; do
		export ALTER=$what
		run -1 by_hand --seed 3 --count 3
		[[ $output = *" $kind"* ]] || {
			echo "$what: $output"
			return 1
		}
	done <<-END
	exit plan: exit: 1 instead of 0
	json show p: json: resource_changes.*.change.actions ['update'] not ['create']
	event apply p: events: missing apply_complete create
	range any: diags: range of
	text plan: text: - # X will be created
	state apply p: state: serial
	lost apply p: state: resources.* missing
	END
}

@test "a case is made small, and shows still what it showed" {
	export ALTER=text
	# of these cases some show it, whatever the generator makes next
	run -1 compare --ours "$here/by-hand" --peer tf --seed 3 --count 2 \
		--only "plan: text"
	small=$(cat work/kinds/*)
	[[ $small = *'will be created'*'will be made'* ]]
	[ "$(grep -c '^\$ tf' <<<"$small")" = 1 ]
	[ "$(grep -c '^resource' <<<"$small")" = 1 ]
}

@test "a seed is always the same case" {
	for seed in 1 2 3; do
		compare --show $seed --ours tf --peer tf >"a$seed"
		PYTHONHASHSEED=$seed compare --show $seed --ours tf --peer tf \
			>"b$seed"
		cmp "a$seed" "b$seed"
	done
	[ "$(md5sum a? | cut -d' ' -f1 | sort -u | wc -l)" = 3 ]
}

@test "what is wanted to differ stands in a manual" {
	run -0 compare --check-known
	cp "$here/known" wrong
	printf '%s\n' 'plan: text: .*' '    tf-plan.1: it felt right' >>wrong
	run -1 compare --known wrong --check-known
	[[ $output = *"tf-plan.1: it felt right"* ]]
	printf '%s\n' 'plan: text: .*' >wrong
	run -1 compare --known wrong --check-known
	[[ $output = *"no reason"* ]]
}

@test "without a reference nothing is compared, and that is said" {
	mkdir bin
	ln -s "$(python3 -c 'import sys; print(sys.executable)')" bin/python3
	bare() { # OPTION...
		env -u TF_TEST_CLI PATH="$PWD/bin" "$here/run" --count 3 \
			--ours "$(command -v tf)" "$@"
	}
	run -0 bare
	[ "${lines[0]}" = \
		"no reference: tofu is not on PATH; see TF_TEST_CLI, --peer" ]
	[ "${lines[1]}" = "0 passed, 0 failed, 3 skipped" ]
	run -1 bare --peer tofu
	[[ $output = *"cannot run tofu"* ]]
}

@test "as many must pass as --floor says" {
	export ALTER=text
	run -1 by_hand --seed 5 --count 3
	passed=${lines[-1]%% *}
	((passed < 3))
	run -0 by_hand --seed 5 --count 3 --floor "$passed"
	run -1 by_hand --seed 5 --count 3 --floor $((passed + 1))
}

@test "the scripts are free of what Python and shellcheck warn of" {
	for f in "$here"/*.py "$here/run" "$here/early" "$here/secrets"; do
		run -0 python3 -W error -c 'import ast, sys
text = open(sys.argv[1]).read()
tree = ast.parse(text)
compile(tree, sys.argv[1], "exec")
names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
for n in ast.walk(tree):
    if isinstance(n, (ast.Import, ast.ImportFrom)):
        for a in n.names:
            name = (a.asname or a.name).split(".")[0]
            assert name in names, "unused import: " + name
lines = text.split("\n")
assert len(lines) <= 500, "too long"
for i, l in enumerate(lines):
    assert len(l) <= 88 and l == l.rstrip(), "line %d" % (i + 1)
' "$f"
	done
	if command -v shellcheck >/dev/null; then
		run -0 shellcheck "$here/by-hand"
	fi
}

# The floor only rises.
@test "beside OpenTofu" {
	peer=${TF_TEST_CLI:-tofu}
	# a reference is no part of a build: without one there is nothing to do
	command -v "$peer" >/dev/null ||
		skip "no reference: neither tofu on PATH nor TF_TEST_CLI"
	provider=$(dirname "$(command -v tf-plan)")/tests/provider
	run -0 compare --peer "$peer" --seed 1 --count 60 --floor 44 \
		--no-reduce --test-provider "$provider/terraform-provider-test"
}

@test "generated values for what is evaluated early: nothing differs" {
	run -0 "$here/early" --work "$PWD/work" --peer tf --count 3
	[ "${lines[-1]}" = '3 passed, 0 failed, 0 skipped' ]
	peer=${TF_TEST_CLI:-tofu}
	command -v "$peer" >/dev/null ||
		skip "no reference: neither tofu on PATH nor TF_TEST_CLI"
	run -0 "$here/early" --work "$PWD/work" --peer "$peer" --count 12
	[ "${lines[-1]}" = '12 passed, 0 failed, 0 skipped' ]
}

@test "generated expressions, inputs and blocks: the same program says the same" {
	for what in '' --validate --inputs --bodies; do
		run -0 "$here/language" --work "$PWD/work" --peer tf --count 60 \
			--batch 30 $what
		[[ ${lines[-1]} = "60 passed, 0 failed, 0 skipped" ]]
	done
}

@test "an expression with another value is found, and so is another error" {
	printf '#!/bin/sh\ntf "$@" | sed "s/^3$/4/; s/Invalid operand/Invalid/g"\n' \
		>other
	chmod +x other
	printf '1 + 2\n-true\nupper("a")\n' >exprs
	run -1 "$here/language" --work "$PWD/work" --peer "$PWD/other" \
		--expr exprs
	[[ $output = *$'### given: value\n1 + 2\n--- peer\n4\n'* ]]
	[[ $output = *$'### given: said\n-true\n--- peer\n'*'"Invalid"'* ]]
	[[ ${lines[-1]} = "1 passed, 2 failed, 0 skipped" ]]
}

@test "ephemeral values come out nowhere, and sensitive ones are shown nowhere" {
	provider=$(dirname "$(command -v tf-plan)")/tests/provider
	run -0 env -u TF_TEST_CLI "$here/secrets" --work "$PWD/work" --count 60 \
		--batch 30 --test-provider "$provider/terraform-provider-test"
	[[ ${lines[-1]} = "60 passed, 0 failed, 0 skipped" ]]
}

@test "a value that comes out where it may not is found, with its expression" {
	provider=$(dirname "$(command -v tf-plan)")/tests/provider
	cat >leaky <<-'END'
	#!/bin/sh
	tf "$@"
	status=$?
	[ "$1" != plan ] || echo "r7 ${ALTER-$TF_VAR_e}"
	exit $status
	END
	chmod +x leaky
	run -1 env -u TF_TEST_CLI "$here/secrets" --work "$PWD/work" --count 10 \
		--ours "$PWD/leaky" \
		--test-provider "$provider/terraform-provider-test"
	[[ $output = *'### ephemeral value in: plan'*'"r7"'*'+r7 {'* ]]
	[[ $output != *'### sensitive value'* ]]
	[[ ${lines[-1]} = "9 passed, 1 failed, 0 skipped" ]]
}

@test "generated installations: the same program does the same" {
	need gpg openssl git jq zstd
	for what in '' --modules; do
		run -0 "$here/install" --work "$PWD/work" --peer tf --count 8 $what
		[[ ${lines[-1]} = "8 passed, 0 failed, 0 skipped" ]]
	done
}

@test "an installation that leaves another file or link is found" {
	need gpg openssl git jq zstd
	cat >other <<-'END'
	#!/bin/sh
	tf "$@"
	status=$?
	[ ! -e .terraform ] || echo more >.terraform/more
	exit $status
	END
	chmod +x other
	run -1 "$here/install" --work "$PWD/work" --peer "$PWD/other" \
		--modules --seed 2 --count 3
	[[ $output = *"files: "*.terraform/more* ]]
}

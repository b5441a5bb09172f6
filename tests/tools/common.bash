# common.bash - what all bats files load
#
# A pipe fails when any of its parts does: a reader that may leave early
# (head, grep -q) must not stand behind a tool.  tests/lint holds the files to
# this and to the other ways in which a line can fail.

bats_require_minimum_version 1.5.0
[ "${BASH_VERSINFO[0]}" -ge 5 ] || {
	echo 'bash 5 is needed: in old ones [[ ]] cannot fail a test' >&2
	exit 1
}
set -o pipefail

# The test cannot be run here: it is skipped - or fails, where everything has
# to be there (TF_TEST_NO_SKIP, set by .ci/run).
cannot() { # REASON
	if [ -n "${TF_TEST_NO_SKIP-}" ]; then
		echo "cannot be run: $1"
		return 1
	fi
	skip "$1"
}

need() { # COMMAND...
	local c
	for c; do
		command -v "$c" >/dev/null || cannot "$c is not installed" ||
			return 1
	done
}

# For what is compared with OpenTofu: CI has none, so that is no failure there.
need_peer() {
	if ! command -v tofu >/dev/null; then
		skip "no reference: tofu is not on PATH"
	fi
}

# Builds the injector of faults; sets INJECT to what is to be preloaded: before
# it the runtime of a sanitizer, which must come first.
build_injector() { # DIRECTORY
	cc -shared -fPIC -o "$1/inject.so" \
		"$TF_TEST_SRC/tests/fault/inject.c" || return 1
	INJECT=$1/inject.so
	if sanitized tf-apply; then
		INJECT="$(cc -print-file-name=libasan.so) $INJECT"
	fi
	export INJECT
}

# For files that start programs by the thousand: looking for leaks is a third of
# such a program's time, and others do; without the choice of tests that CI makes
# (scripts/nightly) these do, too.
without_leak_checks() {
	[ -z "${TF_TEST_TAGS-}" ] ||
		export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
}

# Of a great number of cases that are alike one in FEWER is tried: all, or a third where
# CI has chosen the tests (with sanitizers).
FEWER=1
[ -z "${TF_TEST_TAGS-}" ] || FEWER=3

# The start of jq takes 26 ms, that of gojq, the same language, 2.  It sorts the members
# of what it writes: files that edit streams or show what people type have jq_itself.
if command -v gojq >/dev/null; then
	jq() {
		gojq "$@"
	}
fi

jq_itself() {
	unset -f jq
}

# The tool was built with sanitizers.
sanitized() { # TOOL
	local found
	found=$(nm "$(command -v "$1")" 2>/dev/null | grep -c __asan_init)
}

#!/bin/sh
# summary.sh - tests/summary: what counts as passed, and what does not, whatever
# a test printed.  Made-up logs stand for the tests.
cd "${srcdir:-.}" || exit 1
. tests/tap.sh

log() { # NAME RESULT STATUS: a test's log is standard input
	{
		cat
		echo "$2 tests/$1 (exit status: $3)"
	} >"$tmp/tests/$1.log"
	printf ':test-result: %s\n:recheck: no\n' "$2" >"$tmp/tests/$1.trs"
}

# One test that passed is always there, for a failure must not drown.
fresh() {
	rm -rf "$tmp/tests"
	mkdir -p "$tmp/tests/unit" "$tmp/tests/tools"
	log unit/fine_test PASS 0 <<-'END'
	ok 1 - fine: 3 checks
	1..1
	# fine: 3 checks passed, 0 failed
	END
}

summary() { # DESCRIPTION STATUS LAST-LINE [TEXT...]: what is printed
	what=$1 status=$2 last=$3
	shift 3
	tests/summary "$tmp" >"$tmp/printed" 2>&1
	{ echo "it ended with $?."; cat "$tmp/printed"; } >"$tmp/got"
	expect "$what" "$last" "it ended with $status." "$@"
	fresh
}

fresh
log tools/a.bats PASS 0 <<'END'
1..3
ok 1 one
ok 2 two # skip no such thing here
ok 3 three
END
summary 'unit tests and TAP are counted' 0 '5 passed, 0 failed, 1 skipped' \
	'skipped: ok 2 two # skip no such thing here'

log a FAIL 1 <<'END'
1..2
ok 1 one
not ok 2 two
# (in test file a.bats, line 7)
#   `diff got want' failed
END
summary 'failing cases are named' 1 '4 passed, 1 failed, 0 skipped' \
	'FAILED: not ok 2 two' '    # (in test file a.bats, line 7)' \
	"    #   \`diff got want' failed"

log unit/a_test FAIL 1 <<'END'
ok 1 - b: 8 checks
# a_test.c:7: failed: x == y
not ok 2 - c: 1 of 2 checks failed
1..2
# a: 9 checks passed, 1 failed
END
summary 'so are failing checks' 1 '12 passed, 1 failed, 0 skipped' \
	'FAILED: # a_test.c:7: failed: x == y' 'FAILED: not ok 2 - c'

log unit/a_test PASS 0 <<'END'
ok 1 - b: 8 checks
1..2
# a: 8 checks passed, 0 failed
END
summary 'fewer tests than announced' 1 '11 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it printed 1 results of 2'

log unit/a_test PASS 0 <<'END'
ok 1 - b: 8 checks
# a: 8 checks passed, 0 failed
END
summary 'checks without a plan' 1 '11 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it printed no count'

log unit/a_test FAIL 139 <<'END'
ok 1 - b: 9 checks
1..1
# a: 9 checks passed, 0 failed
Segmentation fault
END
summary 'a crash after the counts' 1 '12 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: exit status 139' '    Segmentation fault'

log unit/a_test FAIL 134 <<'END'
a_test: a_test.c:7: main: Assertion `0' failed.
END
summary 'an abort before any count' 1 '3 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: exit status 134'

log unit/a_test FAIL 137 </dev/null
summary 'a signal and nothing printed' 1 '3 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: exit status 137'

log unit/a_test PASS 0 <<'END'
all is well
END
summary 'no count' 1 '3 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it printed no count' '    all is well'

log unit/a_test PASS 0 <<'END'
1..0
# a: 0 checks passed, 0 failed
END
summary 'a count of nothing' 1 '3 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it counted nothing'

: >"$tmp/tests/unit/a_test.log"
printf ':test-result: PASS\n' >"$tmp/tests/unit/a_test.trs"
summary 'an empty log' 1 '3 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it printed no count'

printf ':test-result: PASS\n' >"$tmp/tests/unit/a_test.trs"
summary 'no log' 1 '3 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it printed no count'

printf 'ok 1 - b\n1..1\n# a: 9 checks passed, 0 failed\n' >"$tmp/tests/unit/a_test.log"
summary 'a test that did not end' 1 '12 passed, 1 failed, 0 skipped' \
	'FAILED: tests/unit/a_test: it did not come to an end'

for report in '==7==ERROR: AddressSanitizer: heap-use-after-free' \
	'==7==ERROR: LeakSanitizer: detected memory leaks' \
	'a.c:7:3: runtime error: signed integer overflow'; do
	log unit/a_test PASS 0 <<-END
	ok 1 - b: 9 checks
	$report
	1..1
	# a: 9 checks passed, 0 failed
	END
	summary "exit status 0 with ${report##*: }" 1 \
		'12 passed, 1 failed, 0 skipped' \
		'FAILED: tests/unit/a_test: a sanitizer reports' "    $report"
done

log a PASS 0 <<'END'
1..3
ok 1 one
END
summary 'fewer results than announced' 1 '4 passed, 1 failed, 0 skipped' \
	'FAILED: tests/a: it printed 1 results of 3'

log a PASS 0 <<'END'
ok 1 one
END
summary 'results without a plan: cut off' 1 '4 passed, 1 failed, 0 skipped' \
	'FAILED: tests/a: it printed no count'

log a PASS 0 <<'END'
1..1
not ok 1 one
END
summary 'failures with exit status 0' 1 '3 passed, 2 failed, 0 skipped' \
	'FAILED: tests/a: it ended well in spite of its failures'

log a SKIP 77 <<'END'
bats is not installed
END
summary 'skipped as a whole' 0 '3 passed, 0 failed, 1 skipped' \
	'skipped: tests/a: bats is not installed'

log a SKIP 77 </dev/null
summary 'skipped as a whole without a reason' 1 \
	'3 passed, 1 failed, 0 skipped' 'FAILED: tests/a: skipped without'

log a PASS 0 <<'END'
1..1
ok 1 one # skip
END
summary 'a case skipped without a reason' 1 '3 passed, 1 failed, 1 skipped' \
	'FAILED: tests/a: skipped without a reason'

log a ERROR 99 <<'END'
1..1
ok 1 one
END
summary 'an error of the harness' 1 '4 passed, 1 failed, 0 skipped' \
	'FAILED: tests/a: exit status 99'

rm -r "$tmp/tests"
mkdir "$tmp/tests"
summary 'no test at all' 1 '0 passed, 0 failed, 0 skipped'
tap_end

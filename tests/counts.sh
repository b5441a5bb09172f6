#!/bin/bash
# counts.sh - scripts/counts: which steps of .ci/run have passed; that it is told
# when leaks cannot be looked for; that the floors of the conformance runners have
# only risen.
cd "${srcdir:-.}" || exit 1
. tests/tap.sh

# Runs a step or conformance of a program that does what the text says.
try() { # KIND NAME SCRIPT
	(
		counts_dir=$tmp
		say() { echo "==> $*"; }
		. scripts/counts
		floor_of() { echo 10; }
		"$1" "$2" bash -c "$3"
		counts_failures
		echo "$passed passed, $failed failed, $skipped skipped"
	) >"$tmp/got" 2>&1
}

try step s 'echo "5 passed, 0 failed, 1 skipped"'
expect 'a step is counted' '5 passed, 0 failed, 1 skipped'
try step s 'echo "5 passed, 2 failed, 1 skipped"; exit 1'
expect 'with its failures' '5 passed, 2 failed, 1 skipped'
try step s 'echo "FAILED: this"; echo "# so"; echo fine; echo "# not it"
	seq 300; echo "1 passed, 1 failed"; exit 1'
expect 'what failed is told again at the end' '1 passed, 1 failed, 0 skipped'
printf '%s\n' '==> what failed' 'FAILED: this' '# so' >"$tmp/want"
tail -n 4 "$tmp/got" | head -n 3 | diff "$tmp/want" - >"$tmp/wrong"
result 'with what says more of it' "$tmp/wrong"
try step s 'echo "5 passed, 0 failed, 1 skipped"; exit 1'
expect 'a step that fails after a good count' \
	'5 passed, 1 failed, 1 skipped' 'FAILED: s: exit status 1 after' \
	'    5 passed, 0 failed, 1 skipped'
try step s 'echo "5 passed, 2 failed, 1 skipped"'
expect 'a step that succeeds after a bad count' \
	'5 passed, 3 failed, 1 skipped' 'FAILED: s: exit status 0 after'
try step s 'echo "5 passed, 0 failed, 1 skipped"; kill -9 $$'
expect 'a step that is killed after its count' \
	'5 passed, 1 failed, 1 skipped' 'FAILED: s: killed by signal 9'
try step s 'echo working; kill -11 $$'
expect 'a step that crashes' '0 passed, 1 failed, 0 skipped' \
	'FAILED: s: killed by signal 11' '    working'
try step s 'echo working'
expect 'a step without a count' '0 passed, 1 failed, 0 skipped' \
	'FAILED: s: no count at its end, exit status 0' '    working'
try step s 'echo "5 passed, 0 failed, 1 skipped"; echo "building the rest"'
expect 'a step that is cut off after an inner count' \
	'0 passed, 1 failed, 0 skipped' 'FAILED: s: no count at its end'
try step s 'echo "0 passed, 0 failed, 0 skipped"'
expect 'a step that does nothing' '0 passed, 1 failed, 0 skipped' \
	'FAILED: s: it counted nothing'
try step s 'echo "0 passed, 0 failed, 4 skipped"'
expect 'a step that is skipped' '0 passed, 0 failed, 4 skipped'
try step s ':'
expect 'a step that prints nothing' '0 passed, 1 failed, 0 skipped'

# The same of steps that run in the background, one after another.
beside() { # SCRIPT...
	(
		counts_dir=$tmp
		say() { echo "==> $*"; }
		. scripts/counts
		{
			aside a bash -c "$1"
			[ "$2" != gone ] || exit
			aside b bash -c "$2"
		} &
		pid=$!
		step between echo '1 passed, 0 failed, 0 skipped'
		told a $pid
		told b $pid
		counts_failures
		echo "$passed passed, $failed failed, $skipped skipped"
	) >"$tmp/got" 2>&1
}

beside 'sleep 0.3; echo "2 passed, 0 failed, 3 skipped"' \
	'echo "FAILED: this" >&2; echo "0 passed, 1 failed"; exit 1'
expect 'steps that run beside others are counted as these are' \
	'3 passed, 1 failed, 3 skipped' '2 passed, 0 failed, 3 skipped' \
	'FAILED: this'
printf '==> %s\n' between a b 'what failed' >"$tmp/want"
grep '^==>' "$tmp/got" | diff "$tmp/want" - >"$tmp/wrong"
result 'and told after one another' "$tmp/wrong"
beside 'echo "2 passed, 0 failed"; kill -9 $$' 'echo "2 passed, 0 failed"'
expect 'a step beside others that is killed' '5 passed, 1 failed, 0 skipped' \
	'FAILED: a: killed by signal 9'
beside 'echo "2 passed, 0 failed"' gone
expect 'a step that nobody came to' '3 passed, 1 failed, 0 skipped' \
	'FAILED: b: it did not come to its end'

try conformance c 'echo "10 passed, 3 failed"; exit 1'
expect 'a runner at its floor' '1 passed, 0 failed, 0 skipped' \
	'c: 10 passed, 3 failed (floor 10;'
try conformance c 'echo "11 passed, 0 failed, 4 skipped"'
expect 'a runner above it' '1 passed, 0 failed, 0 skipped' \
	'raise the floor of c to 11'
try conformance c 'echo "FAIL x"; echo "9 passed, 4 failed"; exit 1'
expect 'a runner below it' '0 passed, 1 failed, 0 skipped' \
	'FAILED: c: 9 passed, its floor is 10' 'FAIL x'
try conformance c 'echo "10 passed, 0 failed"; exit 1'
expect 'a runner that fails after a good count' \
	'0 passed, 1 failed, 0 skipped' 'FAILED: c: exit status 1 after'
try conformance c 'echo "10 passed, 3 failed"; echo Traceback; exit 1'
expect 'a runner that crashes after its count' \
	'0 passed, 1 failed, 0 skipped' 'FAILED: c: no count at its end'
try conformance c 'echo "10 passed, 3 failed"; kill -11 $$'
expect 'a runner that is killed' '0 passed, 1 failed, 0 skipped' \
	'FAILED: c: killed by signal 11'
try conformance c 'echo "100 cases"'
expect 'a runner without a count' '0 passed, 1 failed, 0 skipped' \
	'FAILED: c: no count at its end'

# What is asked of a compiler whose programs do what the text says.
leaks() { # SCRIPT
	printf '#!/bin/sh\n%s\n' "$1" >"$tmp/program"
	printf '#!/bin/sh\nexec cp %s "$3"\n' "$tmp/program" >"$tmp/cc"
	chmod +x "$tmp/program" "$tmp/cc"
	(
		say() { echo "==> $*"; }
		. scripts/sanitizers
		CC=$tmp/cc leak_check
		echo "$leak_options"
	) >"$tmp/got" 2>&1
}

leaks 'echo "==7==ERROR: LeakSanitizer: detected memory leaks" >&2; exit 1'
expect 'leaks are looked for' detect_leaks=1
leaks 'echo "==7==LeakSanitizer has encountered a fatal error." >&2; exit 1'
expect 'it is told when they cannot be' detect_leaks=0 'LEAKS ARE NOT' \
	'    ==7==LeakSanitizer has encountered a fatal error.'
leaks 'exit 0'
expect 'and when a leak is not seen' detect_leaks=0 'LEAKS ARE NOT'

# now, after the newest commit that changed them, after the one before that
kept=tests/conformance-floor
if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
	echo "ok $((n += 1)) floors only rise # skip not in a git repository"
	tap_end
fi
{
	for c in $(git log -n 2 --reverse --format=%h -- "$kept"); do
		git show "$c:./$kept" | sed "s/\$/ $c/"
	done
	sed 's/$/ now/' "$kept"
} | awk '
	$2 + 0 < top[$1] { print $1 ": " top[$1] " before " $2 " (" $3 ")" }
	$2 + 0 > top[$1] { top[$1] = $2 + 0 }
	{ last[$1] = $3 }
	END { for (k in last) if (last[k] != "now") print k " is gone" }
' >"$tmp/fell"
result 'floors only rise' "$tmp/fell"
tap_end

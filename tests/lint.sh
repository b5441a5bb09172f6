#!/bin/sh
# lint.sh - lines of bats files that cannot fail (tests/lint): the lint finds
# all of them in a sample of bad ones, none in a sample of good ones, and none
# in the tests.  Prints one TAP line a rule.
cd "${srcdir:-.}" || exit 1
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
. tests/tap.sh

# what is found is what the sample's lines say of themselves
python3 -B tests/lint/run tests/lint/bad.bats >"$tmp/found"
status=$?
sed -n 's/^[^:]*:\([0-9]*\): \([a-z0-9-]*\):.*/\1 \2/p' "$tmp/found" |
	sort >"$tmp/got"
awk '/# bad: / { print NR, $NF }' tests/lint/bad.bats | sort >"$tmp/want"
diff "$tmp/want" "$tmp/got" >"$tmp/wrong"
[ "$status" = 1 ] || echo "exit status $status" >>"$tmp/wrong"
[ -s "$tmp/want" ] || echo 'no sample' >>"$tmp/wrong"
result 'lines that cannot fail are found' "$tmp/wrong"

python3 -B tests/lint/run tests/lint/good.bats >"$tmp/wrong" 2>&1
result 'lines that can fail are left alone' "$tmp/wrong"

sed -n 's/^    "\([a-z-]*\)": .*/\1/p' tests/lint/rules.py | sort >"$tmp/rules"
cut -d ' ' -f 2 "$tmp/want" | sort -u | comm -13 - "$tmp/rules" >"$tmp/wrong"
[ -s "$tmp/rules" ] || echo 'no rules' >>"$tmp/wrong"
result 'each rule has a bad sample' "$tmp/wrong"

for file in tests/tools/*.ba*; do
	python3 -B tests/lint/run "$file" >"$tmp/wrong" 2>&1
	result "$file: every line can fail" "$tmp/wrong"
done

# texts that name a program by hand
mkdir -p "$tmp/lib" "$tmp/tools"
cat >"$tmp/lib/a.c" <<'END'
/* OpenTofu says so, "tofu plan" */
const char *a = PRODUCT " will", *b = "Open" "Tofu has";
char c = '"'; // "OpenTofu"
const char *d = "Run \"" COMMAND " init\"", *e = "tf-plan (tofu)";
const char *f = "Run \"tf "
		"init\"";
END
printf '%s\n' '# OpenTofu' 'echo "$product will"' 'echo "run tofu plan"' \
	>"$tmp/tools/b.sh"
python3 -B tests/lint/names "$tmp" | grep -v '^tests/lint/interface: ' >"$tmp/got"
cat >"$tmp/want" <<'END'
lib/a.c:2: OpenTofu has
lib/a.c:5: Run \"tf init\"
tools/b.sh:3: echo "run tofu plan"
END
diff "$tmp/want" "$tmp/got" >"$tmp/wrong"
result 'names: finds texts that name a program by hand' "$tmp/wrong"
python3 -B tests/lint/names . >"$tmp/wrong" 2>&1
result 'names: all texts but interface have the names of product.h' "$tmp/wrong"
# where functions are declared
mkdir "$tmp/lib/room"
cat >"$tmp/lib/room/b.c" <<'END'
static int two(void)
{
	return 2;
}

int
one(void)
{
	return two();
}
END
printf '%s\n' 'int one(void); /* int two(void); */' 'int two(void);' >"$tmp/lib/c.h"
python3 -B tests/lint/headers "$tmp" >"$tmp/got"
echo 'lib/c.h: one is defined in lib/room/b.c' | diff - "$tmp/got" >"$tmp/wrong"
result 'headers: finds what another header declares' "$tmp/wrong"
python3 -B tests/lint/headers . >"$tmp/wrong" 2>&1
result 'headers: functions are declared in a header of their room' "$tmp/wrong"

# messages
cat >"$tmp/lib/f.c" <<'END'
const char *a = "The key " /* so */
		"stays.", *b = "The key does "
			       "not fit.";
const char *c = "One line,\n"
		"two lines";
END
python3 -B tests/lint/strings "$tmp" >"$tmp/got"
printf 'lib/f.c:2: The key does not fit.\nlib/a.c:5: Run \\"tf init\\"\n' | sort |
	diff - "$tmp/got" >"$tmp/wrong"
result 'strings: finds messages that are split over lines' "$tmp/wrong"
python3 -B tests/lint/strings . >"$tmp/wrong" 2>&1
result 'strings: a message that fits into a line can be found by its words' "$tmp/wrong"

# objects that use each other
cat >"$tmp/circles" <<'END'
lib/room a b
	They do.
lib/room c d
	They did.
END
printf 'lib/room/%s.o: %s\n' a 'T one' a 'U two' b 'T two' b 'U one' c 'T three' \
	d 'U three' d 'U one' e 'T four' e 'U five' f 'T five' f 'U four' |
	python3 -B tests/lint/circles "$tmp/circles" >"$tmp/got"
printf '%s\n' 'no sentence says why: lib/room/e.o lib/room/f.o' 'line 3: no circle' |
	diff - "$tmp/got" >"$tmp/wrong"
result 'circles: finds those that nothing explains' "$tmp/wrong"

# what comments name
printf '%s\n' '/* See one_int() of b.c, two_ints(), d_d.c and "x_of"; see ee.c */' >"$tmp/lib/ee.c"
python3 -B tests/lint/mentions "$tmp" >"$tmp/got"
printf 'lib/ee.c:1: %s\n' one_int two_ints d_d.c x_of ee.c | diff - "$tmp/got" >"$tmp/wrong"
result 'mentions: finds names that nothing has' "$tmp/wrong"
python3 -B tests/lint/mentions . >"$tmp/wrong" 2>&1
result 'mentions: what comments, HACKING and manuals name exists' "$tmp/wrong"

# what tf-reliability(7) promises
mkdir -p "$tmp/man" "$tmp/scripts" "$tmp/.ci" "$tmp/tests/tools" "$tmp/tests/unit"
: >"$tmp/.ci/run"
echo 'x) tests/x --count 1 ;;' >"$tmp/scripts/torture"
echo 'bats_tests = tests/tools/a.bats' >"$tmp/tests/local.mk"
echo 'check_PROGRAMS = tests/unit/u_test' >"$tmp/lib/local.mk"
touch "$tmp"/tests/tools/a.bats "$tmp"/tests/tools/b.bats "$tmp"/tests/x "$tmp"/tests/y \
	"$tmp"/tests/unit/u_test.c "$tmp"/tests/unit/v_test.c
cat >"$tmp/man/tf-reliability.7" <<'END'
.Sh WHAT MAY HAPPEN
.It Much
.Sh STATE
.It
Held.
.Pq Pa tests/x , tests/tools/a.bats , tests/unit/u_test.c
.It
Held by nothing.
.It
Held by what is not run, or not there.
.Pq Pa tests/y , tests/tools/b.bats
.Pq Pa tests/unit/v_test.c , tests/z
.Sh LIMITS
.It
None.
END
python3 -B tests/lint/promises "$tmp" >"$tmp/got"
cat >"$tmp/want" <<'END'
7: names no test
9: tests/y is not run
9: tests/tools/b.bats is not run
9: tests/unit/v_test.c is not run
9: tests/z is not there
END
diff "$tmp/want" "$tmp/got" >"$tmp/wrong"
result 'promises: finds those that no test holds' "$tmp/wrong"
python3 -B tests/lint/promises . >"$tmp/wrong" 2>&1
result 'promises: each has a test that is there and run' "$tmp/wrong"
tap_end

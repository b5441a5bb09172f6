#!/bin/sh
# sentences.sh - tests/SENTENCES: each sentence has a test or says in a word
# that it states no behaviour, and each test that is named is there, by one name,
# and run by make check.  A sample of mistakes shows that they are found.
# Prints one TAP line a rule.
cd "${srcdir:-.}" || exit 1
documents='destroying planning-behaviors resource-instance-change-lifecycle
	rfc-exclude-resources rfc-static-evaluation-providers'
words='background provider operator future'
. tests/tap.sh

# What the list has, a line each, with tabs between: the number of the line, and
#   document NAME | section NAME | sentence | test FILE NAME | word WORD |
#   later REASON | else HOW | wrong WHAT
items() { # FILE
	awk -v words="$words" '
	function say(kind, a, b) {
		print NR "\t" kind "\t" a (b == "" ? "" : "\t" b)
	}
	function over() { # the sentence is at its end
		if (open) print open "\tsentence\t"
		if (open && !marks)
			print open "\twrong\ta sentence without a test"
		if (others && !tests)
			print open "\twrong\tno test shows what is done otherwise"
		open = marks = tests = others = 0
	}
	function heading(kind) { # it was no sentence
		open = 0
		say(kind, last)
	}
	BEGIN {
		n = split(words, w, " ")
		for (i = 1; i <= n; i++) word[w[i]] = 1
	}
	/^====*$/ { heading("document"); inside = 1; next }
	!inside { last = $0; next }
	/^----*$/ { heading("section"); next }
	/^$/ { over(); next }
	/^[^ \t]/ {
		if (marks) over()
		if (!open) open = NR
		last = $0; next
	}
	/^    [^ ]/ {
		sub(/^    /, "")
		if (!open) say("wrong", "no sentence stands above " $0)
		marks++
		at = index($0, ": ")
		name = substr($0, at + 2)
		if (!at && ($0 in word)) say("word", $0)
		else if (!at) say("wrong", "\"" $0 "\" names no test")
		else if (/^not yet: /) say("later", name)
		else if (/^otherwise: /) {
			others++
			say("else", name)
		} else {
			tests++
			say("test", substr($0, 1, at - 1), name)
		}
		next
	}
	{ say("wrong", "not understood: " $0) }
	END { over() }' "$1"
}

tab=$(printf '\t')

# One of them is called that: so many lines of standard input hold it.
once() { # PIECE
	case $(grep -cF -e "$1") in
	0) echo 'is not there' ;;
	1) ;;
	*) echo 'stands for several' ;;
	esac
}

# What is wrong with the name of a test.
missing() { # FILE NAME
	case $1 in
	*.bats)
		[ -f "tests/tools/$1" ] || { echo 'is no file'; return; }
		grep -qwF "tests/tools/$1" tests/local.mk || echo 'is not run'
		grep '^@test "' "tests/tools/$1" | once "$2"
		;;
	*_test)
		[ -f "tests/unit/$1.c" ] || { echo 'is no file'; return; }
		grep -rqw --include=local.mk "tests/unit/$1" lib ||
			echo 'is not run'
		case $2 in
		golden/*) [ -f "tests/$2" ] || echo 'is not there' ;;
		test_*) grep '^static void ' "tests/unit/$1.c" | once " $2(" ;;
		*) once "{ \"$2\"," <"tests/unit/$1.c" ;;
		esac
		;;
	*.table)
		[ -f "tests/mutants/$1" ] || { echo 'is no file'; return; }
		grep '^== ' "tests/mutants/$1" | once "$2"
		;;
	*) echo 'is no test' ;;
	esac
}

check() { # FILE
	while IFS=$tab read -r line kind a b; do
		case $kind in
		wrong) echo "$line: $a" ;;
		test)
			missing "$a" "$b" | while read -r what; do
				echo "$line: $a: $b: $what"
			done
			;;
		esac
	done <"$1"
}

cat >"$tmp/sample" <<'END'
What stands before the documents is for people.

a.md
====

One
---

This one is well.
    destroying.bats: Simple Resource Creation
    apply_test: test_circle
    apply_test: destroy, then update
    config_test: golden/config/refs.txt
    graph.table: a circle of references
This one, too.
    background
And this.
    otherwise: for a reason
    apply_test: test_circle
And this.
    not yet: for a reason

This one has none.

Nor has this,
which has two lines.

A word of its own.
    surely
A way of our own, untested.
    otherwise: for a reason
A file that is none.
    no.bats: Simple Resource Creation
A test that is none.
    destroying.bats: Simple Resource
    apply_test: destroy
    apply_test: test_nothing
    graph.table: a rule that nobody has
    config_test: golden/config/none.txt
  Not so far to the right.

    destroying.bats: Simple Resource Creation
END
cat >"$tmp/want" <<'END'
23: a sentence without a test
25: a sentence without a test
29: "surely" names no test
30: no test shows what is done otherwise
33: no.bats: Simple Resource Creation: is no file
35: destroying.bats: Simple Resource: stands for several
36: apply_test: destroy: is not there
37: apply_test: test_nothing: is not there
38: graph.table: a rule that nobody has: is not there
39: config_test: golden/config/none.txt: is not there
40: not understood:   Not so far to the right.
42: no sentence stands above destroying.bats: Simple Resource Creation
END
items "$tmp/sample" >"$tmp/items"
check "$tmp/items" | sort -n >"$tmp/got"
diff "$tmp/want" "$tmp/got" >"$tmp/wrong"
result 'each mistake of a sample is found' "$tmp/wrong"

items tests/SENTENCES >"$tmp/items"
awk -F '\t' '$2 == "document" { print $3 }' "$tmp/items" | sort >"$tmp/got"
# shellcheck disable=SC2086 # words
printf '%s.md\n' $documents | sort >"$tmp/want"
diff "$tmp/want" "$tmp/got" >"$tmp/wrong"
result 'the five documents are there' "$tmp/wrong"
grep "${tab}wrong$tab" "$tmp/items" | sed 's/^/tests\/SENTENCES:/' >"$tmp/wrong"
result 'each sentence has a test, or says that it needs none' "$tmp/wrong"
grep -v "${tab}wrong$tab" "$tmp/items" >"$tmp/tests"
check "$tmp/tests" | sed 's/^/tests\/SENTENCES:/' >"$tmp/wrong"
result 'each test that is named is there and run' "$tmp/wrong"

count() { # KIND
	grep -c "^[0-9]*$tab$1$tab" "$tmp/items"
}
echo "# $(count sentence) sentences, $(count test) tests named," \
	"$(count word) without behaviour, $(count else) otherwise," \
	"$(count later) that do not hold yet"
tap_end

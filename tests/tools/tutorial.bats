#!/usr/bin/env bats
# tutorial.bats - tf-tutorial(7) is followed as it stands there: each file is written,
# each command run, and each answer compared with the one on the page

load common

# The displays of the page as a script that follows it, and what it should print.  A
# display that begins with "# NAME" is that file; in others a command is behind "$ ",
# and goes on behind "> ".
follow() { # PAGE SCRIPT WANT
	awk -v script="$2" -v want="$3" '
		function finish() {
			if (file != "")
				print "END_OF_FILE" >script
			file = ""
		}
		/^\.Bd -literal/ { inside = 1; first = 1; next }
		/^\.Ed/ { inside = 0; finish(); next }
		!inside { next }
		{
			sub(/^\\&/, "")
			gsub(/\\e/, "\\")
		}
		first && /^# / {
			file = substr($0, 3)
			printf "cat >%s <<\047END_OF_FILE\047\n", file >script
		}
		{ first = 0 }
		file != "" { print >script; next }
		/^\$ / {
			printf "echo @@%d\n", ++n >script
			print substr($0, 3) >script
			print "@@" n >want
			next
		}
		/^> / { print substr($0, 3) >script; next }
		{ print >want }' "$1"
}

# Is the answer that of the page?  A line "..." there is any number of lines, and an
# identifier is any other.
same() { # WANT GOT
	local hex='[0-9a-f]' pattern
	uuid="s/$hex{8}(-$hex{4}){3}-$hex{12}/ID/g"
	pattern=$(sed -E "$uuid; s/[][*?\\\\]/\\\\&/g; s/^\.\.\.$/*/" "$1")
	# no line break is left beside what stands for any
	pattern=${pattern//$'*\n'/*}
	pattern=${pattern//$'\n*'/$'\n'*}
	# shellcheck disable=SC2053 # it is a pattern
	[[ $(sed -E "$uuid" "$2") == $pattern ]]
}

@test "each command of the tutorial prints what the page says" {
	need jq
	cd "$BATS_TEST_TMPDIR"
	mkdir here parts
	follow "$TF_TEST_SRC/man/tf-tutorial.7" script want
	steps=$(sed -n 's/^@@//p' want)
	[ "${steps##*$'\n'}" -gt 30 ]
	(cd here && sh ../script) >got 2>&1
	for which in want got; do
		awk -v to="parts/$which" '/^@@/ { n = substr($0, 3); next }
			{ print >(to "." n) }' "$which"
	done
	for n in $steps; do
		touch parts/want.$n parts/got.$n
		same parts/want.$n parts/got.$n || {
			sed -n "/^echo @@$n\$/,/^echo @@$((n + 1))\$/p" script
			diff parts/want.$n parts/got.$n
			false
		}
	done
}

@test "an answer that is not the page's is found" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' 'a [x]*' '...' 'c' >want
	printf '%s\n' 'a [x]*' b 'b c' c >got
	same want got
	printf '%s\n' 'a [x]*' c >got
	same want got
	for wrong in 'a [x]*\nb\nc d' 'a x\nb\nc' 'a [x]y\nc' 'a [x]*\nc\nd' \
		'b\na [x]*\nc'; do
		printf '%b\n' "$wrong" >got
		run -1 same want got
	done
	printf '%s\n' 'a [id=11111111-2222-3333-4444-555555555555]' >want
	printf '%s\n' 'a [id=11111111-2222-3333-4444-abcdefabcdef]' >got
	same want got
}

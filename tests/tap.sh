# tap.sh - what the tests that are shell scripts share.  They source it when they
# are in the source tree; it gives them a folder, $tmp, which goes with them.  A
# check prints one TAP line, and what is wrong below it; tap_end comes last.
bad=0 n=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

result() { # DESCRIPTION FILE: what is wrong, so nothing if all is well
	n=$((n + 1))
	if [ -s "$2" ]; then
		echo "not ok $n $1"
		sed 's/^/# /' "$2"
		bad=1
	else
		echo "ok $n $1"
	fi
}

expect() { # DESCRIPTION LAST-LINE [TEXT...]: of what is in $tmp/got
	what=$1 last=$2
	shift 2
	{
		[ "$(tail -n 1 "$tmp/got")" = "$last" ] || echo 'another count'
		for text; do
			grep -qF -- "$text" "$tmp/got" || echo "no '$text'"
		done
	} >"$tmp/wrong"
	[ ! -s "$tmp/wrong" ] || cat "$tmp/got" >>"$tmp/wrong"
	result "$what" "$tmp/wrong"
}

tap_end() {
	echo "1..$n"
	exit $bad
}

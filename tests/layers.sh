#!/bin/sh
# layers.sh - includes point only upward in the layer table (HACKING), each
# wrapped library's header appears in its folder alone, and private headers
# stay in theirs.  Prints one TAP line a rule.
cd "${srcdir:-.}" || exit 1
. tests/rooms.sh
. tests/tap.sh

rule() { # DESCRIPTION OFFENDING-LINES
	printf '%s' "${2:+$2
}" >"$tmp/wrong"
	result "$1" "$tmp/wrong"
}

find lib -name '*.c' | sed 's|^lib/||; s|/[^/]*$||' | sort -u >"$tmp/have"
rule 'every folder has its place' "$(places | sort | comm -13 - "$tmp/have")"

walks() { # the files of HACKING's walks, each with the walk that it is of
	awk '/^FOUR WALKS/ { on = 1 } /^DECISIONS/ { on = 0 } !on { next }
		/:$/ { n++ } $1 ~ /^lib\// { print n, $1 }' HACKING
}
hits=$(walks | while read -r _ file; do
	[ -f "$file" ] || echo "$file: there is no such file"
done; walks | sort | uniq -d; [ "$(walks | wc -l)" -gt 30 ] || echo 'cut off')
rule 'the walks of HACKING name files that exist, each once' "$hits"

below=
for l in $(places | tac); do
	hits=
	[ -z "$below" ] ||
		hits=$(grep -snE "#include \"($below)/[^/]*\"" "lib/$l"/*.[ch])
	rule "lib/$l includes nothing from below it" "$hits"
	below=${below:+$below|}$l
done

private() { # header pattern, folders that may have it
	hits=$(grep -rnE "#include <($1)" lib tools --include='*.[ch]' |
		grep -vE "^($2)")
	rule "<$1> only in $2" "$hits"
}
private 'yajl/' 'lib/json/'
private 'mpfr|gmp' 'lib/value/'
private 'pcre2' 'lib/funcs/'
private 'yaml' 'lib/codec/'
private 'openssl/|crypt\.h' 'lib/crypto/'
private 'zlib' 'lib/codec/'
private 'archive' 'lib/archive/'
private 'libpq' 'lib/pg/'
private 'curl' 'lib/net/'
private 'nghttp2|protobuf-c' 'lib/provider/|tests/'
private 'histedit|editline' 'lib/edit/'

hits=$(grep -rnE '#include "[a-z/]+/[a-z0-9_]*_int\.h"' lib tools \
	--include='*.[ch]' | awk -F'[:"/]' '{
		split($0, part, "#include \""); split(part[2], inc, "/")
		split($0, path, "/"); if (path[2] != inc[1]) print }')
rule 'private headers (_int.h) stay in their folder' "$hits"

hits=$(find lib -name '*_int.h' | sed 's|/[^/]*$||' | sort | uniq -d)
rule 'a room has one private header' "$hits"

hits=$(find lib tools -name '*.[ch]' ! -path 'lib/provider/proto/*' | sort |
	while read -r file; do
		expand "$file" | LC_ALL=C sed 's/[\x80-\xbf]//g' | awk -v file="$file" '
			{ comment = /^ *(\/\*|\*( |\/|$))/ }
			!comment && match($0, /"([^"\\]|\\.)*/) && RLENGTH > 40 { next }
			length($0) > (comment ? 80 : 88) { print file ":" NR }'
	done)
rule 'lines have 80 columns, of code 88, but for messages' "$hits"

hits=$(find lib tools -name '*.[ch]' | xargs wc -l |
	awk '$1 > 800 && $2 != "total" { print $2 ": " $1 }')
rule 'no file has more than 800 lines' "$hits"

hits=$(grep -rnE '\b(strcpy|strcat|sprintf|vsprintf|gets|strtok)\(' lib tools \
	--include='*.[ch]')
rule 'no unsafe libc calls' "$hits"

hits=$(find lib tools -name '*.c' | xargs awk '
	/vec_push\(/ { text = ""; on = 1; at = FILENAME ":" FNR }
	on { text = text " " $0 }
	on && /;/ {
		on = 0
		gsub(/[ \t]+/, " ", text)
		if (text ~ /vec_push\([^,]*, ?[a-z_]+\(/)
			print at
	}')
rule 'no call is a vector of vec_push, which names it eight times' "$hits"

hits=$(grep -rnE '\b(printf|puts|exit|abort)\(' lib --include='*.c' |
	grep -vE 'lib/base/(arena|opts)\.c' | grep -vE '^[^:]*:[0-9]+:\s*\*')
rule 'the library neither prints nor exits' "$hits"
hits=$(grep -rnE '"(TF_DATA_DIR|TF_WORKSPACE|TFPIPE_ORIGINAL_DIR|TFPIPE_LOCK_TOKEN)[="]' \
	lib tools --include='*.[ch]' |
	grep -vE '^lib/(base/workdir\.[ch]|state/backend/lock\.h):')
rule 'what the environment says of the working directory is read in one place' "$hits"
hits=$(grep -rnE 'str_(is|starts|ends|find|chr)\((&?[a-z_>.*-]*(\[[^]]*\])?[a-z_>.*-]*[.>](summary|detail)\b|json_get_str\([^()]*"(summary|detail)")' \
	lib tools --include='*.c')
rule 'diagnostics are recognised by their code, not by what they say' "$hits"
tap_end

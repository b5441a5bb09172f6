#!/bin/sh
# linkage.sh - what tests/layers.sh holds of includes, held of symbols: no object
# uses one of a room below its own; and the libraries that each program uses
# are those of the table here.  Runs in the directory of the build.  Prints
# one TAP line a rule.
srcdir=${srcdir:-.}
. "$srcdir/tests/rooms.sh"
. "$srcdir/tests/tap.sh"

# The table of the types of backends names what is below its room, and nothing else
# there does: what it uses is left out.
find lib -name '*.o' | xargs nm -A -g |
	grep -v '^lib/state/backend/kinds\.o: *U' >"$tmp/symbols"
places | sed 's|^|lib/|' | awk '
	function room(file) {
		sub(":.*", "", file)
		while (!(file in place) && sub("/[^/]*$", "", file));
		return place[file]
	}
	NR == FNR { place[$1] = NR; next }
	{ file = $1; sub(":.*", "", file) }
	$(NF - 1) == "U" { use[file " " $NF] = 1; next }
	{ def[$NF] = file }
	END {
		for (u in use) {
			split(u, part, " ")
			if (part[2] in def && room(def[part[2]]) > room(part[1]))
				print part[1] " uses " part[2] " of " def[part[2]]
		}
	}' - "$tmp/symbols" | sort >"$tmp/upward"
result 'no object uses a symbol of a room below its own' "$tmp/upward"

# Within a room, objects use each other only where a sentence says why.
python3 -B "$srcdir/tests/lint/circles" "$srcdir/tests/circles" <"$tmp/symbols" \
	>"$tmp/circles" 2>&1
result 'a sentence says why objects use each other' "$tmp/circles"

# A name that other files see says where it is from: it begins with a word of its
# file's path, or of the files beside it, or with the tag of a structure.
tags=$(cd "$srcdir" && find lib -name '*.[ch]' | xargs sed -nE \
	's/^.*\b(struct|enum|union) (\w+) \{.*/\2/p' | sort -u)
awk -v tags="$tags" -v general='cfg tfplugin utf8 xmalloc xcalloc xrealloc xstrdup' '
	function learn(place, word) {
		known[place " " word]
		known[place " " word "s"]
		sub(/s$/, "", word)
		known[place " " word]
	}
	function named(file, room, name,    n, part, i, begin) {
		n = split(name, part, "_")
		for (i = 1; i <= n; i++) {
			begin = begin (i > 1 ? "_" : "") part[i]
			if (begin in anywhere || file " " begin in known ||
			    room " " begin in known)
				return 1
		}
	}
	BEGIN {
		n = split(tags " " general, word, "[ \n]+")
		for (i = 1; i <= n; i++)
			anywhere[word[i]]
	}
	$(NF - 1) !~ /[TDRB]/ || $NF ~ /^__/ { next } # sanitizers have some
	NR == FNR {
		room = file = $1
		sub(":.*", "", file)
		sub("/[^/]*$", "", room)
		stem = substr(file, length(room) + 2)
		sub(/\.o$/, "", stem)
		learn(room, stem)
		n = split(room "/" stem, word, "[/_]")
		for (i = 1; i <= n; i++)
			learn(file, word[i])
		next
	}
	{
		room = file = $1
		sub(":.*", "", file)
		sub("/[^/]*$", "", room)
		if (!named(file, room, $NF))
			print $NF " of " file
	}' "$tmp/symbols" "$tmp/symbols" >"$tmp/nameless"
result 'every global name begins with where it is from' "$tmp/nameless"

# The tag of a structure in a header means one thing.
(cd "$srcdir" && find lib -name '*.[ch]' | xargs grep -HoE \
	'^(struct|enum|union) [a-z0-9_]+ \{') | awk -F'[: ]' '
	{ files[$3] = files[$3] " " $1 }
	$1 ~ /h$/ { header[$3] }
	END {
		for (tag in header)
			if (split(files[tag], file, " ") > 1)
				print tag ":" files[tag]
	}' | sort >"$tmp/tags"
result 'the tag of a structure in a header is nobody else'"'"'s' "$tmp/tags"

# Beside libc and what sanitizers need: all libraries that a program uses itself,
# whether it loads them or has them in it (--enable-static-libs), as their names
# tell.  AddressSanitizer needs crypt(3) in each.
beside='c|asan|ubsan|gcc_s'
objdump -p tf-parse | grep -q libasan && beside="$beside|crypt"
uses() { # PROGRAM LIBRARY...
	program=$1
	shift
	printf '%s\n' "$@" | grep -vxE "$beside" | sort >"$tmp/want"
	{
		objdump -p "$program" |
			sed -n 's/^ *NEEDED *lib\(.*\)\.so.*/\1/p'
		nm "$program" | sed -nE '
			s/.* yajl_.*/yajl/p
			s/.* mpfr_.*/mpfr/p
			s/.* pcre2_.*/pcre2-8/p
			s/.* u8_.*/unistring/p
			s/.* protobuf_c_.*/protobuf-c/p
			s/.* nghttp2_.*/nghttp2/p'
	} | grep -vxE "$beside" | sort -u >"$tmp/used"
	diff "$tmp/want" "$tmp/used" >"$tmp/differs"
	result "$program uses $*" "$tmp/differs"
}
values='m mpfr unistring yajl'
functions=pcre2-8
providers='nghttp2 protobuf-c'
uses tf-parse $values $functions
uses tf-fmt $values
uses tf-ui $values
uses tf-diff $values $functions
uses tf-canon $values $functions
uses tf-select $values $functions
for program in tf-eval tf-graph tf-plan tf-apply tf-show tf-state; do
	uses $program $values $functions $providers
done
uses tf-fetch curl yajl
uses tf-ssh yajl
uses crypto.so crypt crypto ssl
if grep -q '^ZIP_LIBS = *$' Makefile; then # configure --without-fast-zip
	uses archive.so archive
else
	uses archive.so archive isal zip
fi
uses edit.so edit
uses codec.so yaml-0 z
uses pg.so pq
uses tf-login $values
uses tf-init $values $functions
uses tf-providers $values $functions $providers

# what the first stage links of ours beside its main, by its debugging information,
# if it has any; a sanitizer has an object in it, too
objects=$(readelf -wi --dwarf-depth=1 tf-parse 2>/dev/null |
	grep 'DW_AT_name' | grep -vc libsanitizer)
[ "$objects" -le 263 ] || echo "it has $((objects - 1))" >"$tmp/many"
: >>"$tmp/many"
result 'tf-parse is at most 262 objects' "$tmp/many"
tap_end

#!/bin/sh
# linkage.sh - what tests/layers.sh holds of includes, held of symbols: no object
# uses one of a room below its own; and the shared libraries that each program
# loads are those of the table here.  Runs in the directory of the build.  Prints
# one TAP line a rule.
srcdir=${srcdir:-.}
. "$srcdir/tests/rooms.sh"
. "$srcdir/tests/tap.sh"

find lib -name '*.o' | xargs nm -A -g >"$tmp/symbols"
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

# Beside libc and what sanitizers need: all that a program loads itself.
loads() { # PROGRAM LIBRARY...
	program=$1
	shift
	printf '%s\n' "$@" $linked | sort >"$tmp/want"
	objdump -p "$program" | sed -n 's/^ *NEEDED *lib\(.*\)\.so.*/\1/p' |
		grep -vxE "c|asan|ubsan|gcc_s" | sort >"$tmp/needed"
	diff "$tmp/want" "$tmp/needed" >"$tmp/differs"
	result "$program loads $*" "$tmp/differs"
}
# What crypto.so and the like have is linked to each program where they are not.
crypto='crypt crypto ssl'
codecs='yaml-0 z'
archive='archive isal zip'
[ -f crypto.so ] && linked= || linked="$crypto $codecs $archive edit"
values='m mpfr unistring yajl'
functions=pcre2-8
providers='nghttp2 protobuf-c'
loads tf-parse $values
loads tf-fmt $values
loads tf-ui $values
for program in tf-eval tf-graph tf-plan tf-apply tf-show tf-state; do
	loads $program $values $functions $providers
done
loads tf-fetch curl yajl
if [ -z "$linked" ]; then
	loads crypto.so $crypto
	loads archive.so $archive
	loads edit.so edit
	loads codec.so $codecs
fi
loads tf-login $values
loads tf-init $values $functions
loads tf-providers $values $functions $providers

# what the first stage links of ours beside its main, by its debugging information,
# if it has any; with all that is loaded elsewhere it is more
if [ -z "$linked" ]; then
	objects=$(readelf -wi --dwarf-depth=1 tf-parse 2>/dev/null |
		grep -c DW_TAG_compile_unit)
	[ "$objects" -le 141 ] || echo "it has $((objects - 1))" >"$tmp/many"
	: >>"$tmp/many"
	result 'tf-parse is at most 140 objects' "$tmp/many"
fi
tap_end

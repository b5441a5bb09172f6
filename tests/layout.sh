#!/bin/sh
# layout.sh - what only a compiler that is not always there would find otherwise:
# that lib and tools are laid out as .clang-format says, and that the fuzz targets,
# which clang builds on demand, compile.  Runs in the directory of the build.
# Prints one TAP line a rule.
srcdir=${srcdir:-.}
. "$srcdir/tests/tap.sh"

if command -v clang-format >/dev/null; then
	find "$srcdir/lib" "$srcdir/tools" -name '*.[ch]' ! -path '*/proto/*' |
		xargs -P 2 -n 200 clang-format --dry-run 2>&1 |
		grep 'warning:' >"$tmp/wrong"
	result 'lib and tools are laid out by .clang-format' "$tmp/wrong"
else
	n=$((n + 1))
	echo "ok $n lib and tools are laid out # skip clang-format is not installed"
fi

for target in "$srcdir"/tests/fuzz/*.c; do
	${CC:-cc} -std=gnu17 -D_GNU_SOURCE -I. -Ilib "-I$srcdir" "-I$srcdir/lib" \
		-Wall -Werror -fsyntax-only "$target" 2>&1
done >"$tmp/wrong"
result 'the fuzz targets compile' "$tmp/wrong"
tap_end

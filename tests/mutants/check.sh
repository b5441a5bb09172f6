#!/bin/sh
# check.sh - do the tables of mutants fit the sources?
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
exec python3 "${srcdir:-.}/tests/mutants/run" --check

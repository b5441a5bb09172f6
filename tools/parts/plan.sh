# plan.sh - tf plan: plans and shows, and may keep the plan
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

set -- -op=plan
[ "$detailed_exitcode" = false ] || set -- "$@" -detailed-exitcode
[ -z "$generated" ] || set -- "$@" "-generated=$generated"
[ -z "$out" ] || set -- "$@" "-out=$out"
with_answers planned "$@"

# tf apply - plan, ask, apply; or apply a saved plan
extra_args apply
eval "set -- $EXTRA \"\$@\""
parse_run_options "$@"
eval "set -- $rest -- \"\$@\""
saved=
if [ "$1" != -- ]; then
	saved=$1
	shift
fi
[ "$1" = -- ] || usage_fail "Too many command line arguments" \
	"tf apply takes at most one operand: a saved plan."
shift
. "$TF_LIB/run-apply.sh"

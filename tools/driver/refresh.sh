# tf refresh - plans, and stores the state as it was read then
extra_args refresh
eval "set -- $EXTRA \"\$@\""
parse_run_options "$@"
auto_approve=true
apply_opts="$apply_opts -refreshed"
[ -z "$rest" ] || usage_fail "Too many command line arguments" \
	"tf refresh takes no operands."
saved=
command=refresh
. "$TF_LIB/run-apply.sh"

# tf refresh - apply -refresh-only -auto-approve
extra_args refresh
eval "set -- $EXTRA \"\$@\""
parse_run_options -refresh-only -auto-approve "$@"
[ -z "$rest" ] || fail "Too many command line arguments" \
	"tf refresh takes no operands."
saved=
command=refresh
. "$TF_LIB/run-apply.sh"

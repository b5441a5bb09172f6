# tf destroy - apply with -destroy
extra_args destroy
eval "set -- $EXTRA \"\$@\""
parse_run_options -destroy "$@"
[ -z "$rest" ] || fail "Too many command line arguments" \
	"tf destroy takes no operands."
saved=
command=destroy
. "$TF_LIB/run-apply.sh"

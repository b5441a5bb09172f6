# tf destroy - apply with -destroy
extra_args destroy
eval "set -- $EXTRA \"\$@\""
parse_run_options -destroy "$@"
eval "first_operand() { saved=\${1-} more=\${2-}; }; first_operand $rest"
[ -z "$more" ] || usage_fail "Too many command line arguments" \
	"tf destroy takes no operands."
command=destroy
. "$TF_LIB/run-apply.sh"

# tf plan - tf-parse | tf-eval | tf-graph | tf-plan | tf-show
extra_args plan
eval "set -- $EXTRA \"\$@\""
parse_run_options "$@"
[ -z "$rest" ] || usage_fail "Too many command line arguments" \
	"tf plan takes no operands; to plan in another directory use tf -chdir=DIR plan."
hold_lock plan plan "$@"
trap interrupted INT

[ $detailed = true ] && show_opts="$show_opts -detailed-exitcode"
if [ -n "$generate" ]; then
	quote "-generated=$generate"
	show_opts="$show_opts $REPLY"
fi
plan_shown() {
	planning | eval "tf-show -ui -op=plan $show_opts"
}
if [ -z "$out" ]; then
	with_answers plan_shown
	exit
fi
# A saved plan is the stream: private, complete or not there at all.
umask 077
saving=$out.$$.tmp
trap 'rm -f "$saving"' EXIT
quote "-saved=$out"
saved_opt=$REPLY
quote "-keep=$saving"
saved_opt="$saved_opt $REPLY"
plan_saved() {
	planning | eval "tf-show -ui -op=plan $show_opts $saved_opt"
}
with_answers plan_saved
status=$?
# What failed before there was a plan leaves no file.
[ -s "$saving" ] && mv -f "$saving" "$out"
exit $status

# run-apply.sh - the common end of apply, destroy and refresh
#
# "$@" is the command line as given; $saved the plan file, if any.

if [ $json = true ] && [ $auto_approve = false ] && [ -z "$saved" ]; then
	fail "Plan file or auto-approve required" \
		"OpenTofu cannot ask for interactive approval when -json is set. You can either apply a saved plan file, or enable the -auto-approve option."
fi
if [ -n "$saved" ]; then
	[ -f "$saved" ] || fail "Failed to load \"$saved\" as a plan file" \
		"There is no file of that name."
	head -c 18 "$saved" | grep -q '^{"record":"header"' ||
		fail "Failed to load \"$saved\" as a plan file" \
			"The file is no saved plan."
fi
[ -z "$saved" ] || [ "$command" = apply ] || fail \
	"Destroy can't be called with a plan file" \
	"A plan made by plan -destroy is applied by: tf apply \"$saved\""
if [ -n "$saved" ] && [ -n "$graph_opts" ]; then
	fail "Can't change plan options of a saved plan" \
		"A saved plan is applied as it is; its options were given when it was made."
fi
hold_lock apply "$command" "$@"

[ "$command" != destroy ] || apply_opts="$apply_opts -destroy"

# Ctrl-C reaches the whole group: tf-apply finishes what runs, and this shell and
# the renderer wait for it.  In the background, so that a SIGTERM to this shell
# alone is handed on at once and interrupts do not end the renderer.
apply_plan() { # $1: file, $2: more options of tf-show
	trap : INT
	trap 'kill -TERM "$(cat "$tmp/pid")"' TERM HUP
	eval "{
		tf-apply -json $apply_opts $eval_opts $state_opts <\"\$1\" &
		echo \$! >\"\$tmp/pid\"
		wait \$!
	} | tf-show -ui -op=$done_op $show_opts $2 &"
	renderer=$!
	while :; do
		wait $renderer
		status=$?
		kill -0 $renderer 2>/dev/null || break
	done
	exit $status
}

make_tmp
done_op=apply
if [ -n "$saved" ]; then
	apply_opts="$apply_opts -saved"
	apply_plan "$saved" ''
fi

umask 077
op=confirm
[ $auto_approve = false ] || op=approved
[ "$command" != refresh ] || op=refresh done_op=refreshed
quote "-keep=$tmp/plan"
keep_opt=$REPLY
plan_kept() {
	planning | eval "tf-show -ui -op=$op -detailed-exitcode $show_opts \
		$keep_opt"
}
with_answers plan_kept
status=$?
case $status in
0 | 2) ;;
*) exit $status ;;
esac
unsaid=-warnings
if [ $op = confirm ]; then
	unsaid=
	[ $status != 2 ] || . "$TF_LIB/confirm.sh"
fi
apply_opts="$apply_opts -brief" # the plan was shown
apply_plan "$tmp/plan" "-continued $unsaid"

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

# tf-apply and its renderer, in the background: so that a SIGTERM to this shell
# alone is handed on at once, and interrupts do not end the renderer.
begin_apply() { # $1: the plan, $2: more options of tf-show
	mkfifo "$tmp/events" || exit 1
	eval "tf-apply -json $apply_opts $eval_opts $state_opts \
		<\"\$1\" >\"\$tmp/events\" &"
	apply=$!
	eval "tf-show -ui -op=$done_op $show_opts $2 <\"\$tmp/events\" &"
	renderer=$!
}

# What has nothing to do yet; the renderer first, which has nothing to say.
drop_apply() {
	[ -n "$renderer" ] || return
	kill $renderer $apply 2>/dev/null
	wait $renderer $apply 2>/dev/null
	renderer=
	rm "$tmp/events"
}

# Ctrl-C reaches the whole group: tf-apply finishes what runs, and this shell and
# the renderer wait for it.
apply_traps() {
	trap : INT
	trap 'kill -TERM $apply' TERM HUP
}

await_apply() {
	while :; do
		wait $renderer
		status=$?
		kill -0 $renderer 2>/dev/null || break
	done
	renderer=
	exit $status
}

make_tmp
renderer=
trap 'drop_apply; rm -rf "$tmp"' EXIT
done_op=apply
if [ -n "$saved" ]; then
	apply_opts="$apply_opts -saved"
	begin_apply "$saved" ''
	apply_traps
	await_apply
fi

umask 077
op=confirm unsaid=
[ $auto_approve = false ] || op=approved unsaid=-warnings
[ "$command" != refresh ] || op=refresh done_op=refreshed unsaid=-warnings
apply_opts="$apply_opts -brief" # the plan was shown
quote "-feed=$tmp/plan"
feed_opt=$REPLY

# tf-apply reads while tf-plan is at work, all but the end of the plan, without
# which it does nothing.
plan_fed() {
	rm -f "$tmp/plan" # of an attempt before variables were asked for
	mkfifo "$tmp/plan" || exit 1
	begin_apply "$tmp/plan" "-continued $unsaid"
	exec 3>"$tmp/plan"
	planning 3>&- | eval "tf-show -ui -op=$op -detailed-exitcode $show_opts \
		$feed_opt" 3>&-
	set -- $?
	case $1 in
	0 | 2) ;;
	*)
		drop_apply
		exec 3>&-
		;;
	esac
	return $1
}
with_answers plan_fed
status=$?
case $status in
0 | 2) ;;
*) exit $status ;;
esac
[ $op != confirm ] || [ $status != 2 ] || . "$TF_LIB/confirm.sh"
apply_traps
# The go-ahead; if tf-apply has refused the plan, it says why.
(echo '{"record":"end"}' >&3) 2>/dev/null
exec 3>&-
await_apply

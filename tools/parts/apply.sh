# apply.sh - tf apply, destroy and refresh: plans, asks, applies; or applies a
# saved plan, the operand
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

# Applies the plan in the file $1.
apply_saved() {
	if [ "$1" = - ]; then
		exec 6<&0
	else
		exec 6<"$1"
	fi
	tf_apply -saved "-saved-name=$1" <&6 >"$tmp/events" &
	work_is $!
	exec 6<&-
	tf_ui -op=apply <"$tmp/events" &
	await $!
}

# tf_apply reads while tf_plan is at work, all but the end of the plan, without
# which it does nothing.  Its display is there from the beginning: what passes
# tf_apply may be more than a pipe holds.  $@: options of the display.
begin_apply() {
	as=
	case $command in
	destroy) as=-destroy ;;
	refresh) as=-refreshed ;;
	esac
	# Both ends of each FIFO are open before anybody starts: nobody can wait
	# for somebody who is gone already.
	exec 9<>"$tmp/plan"
	# shellcheck disable=SC2094 # both ends
	exec 3<"$tmp/plan" 8>"$tmp/plan" 9<>"$tmp/events"
	# shellcheck disable=SC2094 # both ends
	exec 4>"$tmp/events" 6<"$tmp/events" 9<&-
	# the plan was shown: brief
	tf_apply -brief ${as:+"$as"} <&3 >&4 3<&- 4>&- 6<&- 8>&- &
	apply=$!
	tf_ui -continued "$@" <&6 3<&- 4>&- 6<&- 8>&- &
	display=$!
	exec 3<&- 4>&- 6<&-
}

# The display has nothing to say, and tf_apply nothing to do without the end of
# the plan.
drop_apply() {
	kill -PIPE "$display" 2>/dev/null
	exec 8>&-
	await "$apply"
	await "$display"
}

# The end of the plan is the go-ahead.  If tf_apply has refused what it has read
# already, it says why.
go_ahead() {
	work_is "$apply"
	(echo '{"record":"end"}' >&8) 2>/dev/null
	exec 8>&-
	await "$display"
}

confirm() {
	workspace=$(tf-state workspace show)
	where=
	[ "$workspace" = default ] || where=" in workspace \"$workspace\""
	case $mode in
	destroy)
		question="Do you really want to destroy all resources$where?
  $product will destroy all your managed infrastructure, as shown above.
  There is no undo. Only 'yes' will be accepted to confirm."
		;;
	refresh-only)
		question="Would you like to update the $product state to reflect these detected changes?
  $product will write these changes to the state without modifying any real infrastructure.
  There is no undo. Only 'yes' will be accepted to confirm."
		;;
	*)
		question="Do you want to perform these actions$where?
  $product will perform the actions described above.
  Only 'yes' will be accepted to approve."
		;;
	esac
	printf '\n%s\n\n' "$question"
	if ! ask '  Enter a value: '; then
		drop_apply
		! stopped || halt
		fail "error asking for approval: EOF" \
			"Nobody answered. -auto-approve applies without asking."
	fi
	[ "$REPLY" != yes ] || return 0
	drop_apply
	case $mode in
	destroy) echo "Destroy cancelled." ;;
	*) echo "Apply cancelled." ;;
	esac
	exit 1
}

run() {
	begin_apply "$@"
	planned "-op=$planning" -detailed-exitcode -feed=/dev/fd/8
	status=$?
	case $status in
	0 | 2) ;;
	*) drop_apply ;;
	esac
	return "$status"
}

if [ $# -gt 0 ]; then
	apply_saved "$1"
	exit
fi
planning=confirm
set -- -op=apply
[ "$auto_approve" = false ] || { planning=approved; set -- "$@" -warnings; }
[ "$command" != refresh ] || {
	planning=refresh refreshed=yes
	set -- -op=refreshed -warnings
}
with_answers run "$@"
status=$?
case $status in
0 | 2) ;;
*) exit "$status" ;;
esac
[ "$planning" != confirm ] || [ "$status" = 0 ] || confirm
if stopped; then
	drop_apply
	halt
fi
go_ahead

# confirm.sh - asks whether to go on; ends the run unless the answer is yes
workspace=$(tf-state workspace show)
where=
[ "$workspace" = default ] || where=" in workspace \"$workspace\""
case $mode in
destroy)
	echo "
Do you really want to destroy all resources$where?
  OpenTofu will destroy all your managed infrastructure, as shown above.
  There is no undo. Only 'yes' will be accepted to confirm.
"
	;;
refresh-only)
	echo "
Would you like to update the OpenTofu state to reflect these detected changes?
  OpenTofu will write these changes to the state without modifying any real infrastructure.
  There is no undo. Only 'yes' will be accepted to confirm.
"
	;;
*)
	echo "
Do you want to perform these actions$where?
  OpenTofu will perform the actions described above.
  Only 'yes' will be accepted to approve.
"
	;;
esac
if ! ask '  Enter a value: '; then
	fail "error asking for approval: EOF" \
		"Nobody answered. -auto-approve applies without asking."
fi
if [ "$REPLY" != yes ]; then
	case $mode in
	destroy) echo "Destroy cancelled." ;;
	*) echo "Apply cancelled." ;;
	esac
	exit 1
fi

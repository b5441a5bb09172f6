# tf show - a saved plan, a state file, or the current state
for opt; do
	case $opt in
	-*) ;;
	*) exec tf-show "$@" ;;
	esac
done
exec tf-show -current "$@"

# tf output - the outputs of the current state
show_opts= state_opts=
for opt; do
	quote "$opt"
	case $opt in
	-state=* | --state=*) state_opts=$REPLY ;;
	*) show_opts="$show_opts $REPLY" ;;
	esac
done
eval "tf-state pull $state_opts | tf-show -outputs $show_opts"

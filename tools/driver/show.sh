# tf show - a saved plan, a state file, or the current state
show_opts= file=
for opt; do
	quote "$opt"
	case $opt in
	-*) show_opts="$show_opts $REPLY" ;;
	*) file=$opt ;;
	esac
done
if [ -n "$file" ]; then
	eval "exec tf-show $show_opts \"\$file\""
fi
tf-state pull | eval "tf-show $show_opts"

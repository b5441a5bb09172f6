# tf validate - tf-parse | tf-plan --validate | tf-show
extra_args validate
eval "set -- $EXTRA \"\$@\""
show_opts= eval_opts=
while [ $# -gt 0 ]; do
	quote "$1"
	case $1 in
	-json | --json | -no-color | --no-color) show_opts="$show_opts $1" ;;
	-var=* | -var-file=* | --var=* | --var-file=*)
		eval_opts="$eval_opts $REPLY"
		;;
	-var | -var-file)
		opt=$1
		shift
		quote "$opt=$1"
		eval_opts="$eval_opts $REPLY"
		;;
	-json-into=* | -consolidate-* | -compact-warnings | -deprecation=*)
		show_opts="$show_opts $REPLY"
		;;
	-test-directory=* | -no-tests) ;;
	-help | --help | -h) command_help validate; exit 0 ;;
	-*) bad_flags "flag provided but not defined: $1" ;;
	*) cd "$1" 2>/dev/null || fail "Failed to read module directory" \
		"Module directory $1 does not exist or cannot be read." ;;
	esac
	shift
done
eval "tf-parse -json $eval_opts | tf-plan -validate -json $eval_opts |
	tf-show -ui -op=validate $show_opts"

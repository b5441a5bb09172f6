# common.sh - what the shell parts of tf share
#
# Lists of words for a stage are kept in variables as text quoted for eval,
# because POSIX sh has no arrays; `quote` makes one word of it.

# Sets REPLY to $1 as one shell word.
quote() {
	REPLY=
	q=$1
	while :; do
		case $q in
		*\'*)
			REPLY="$REPLY${q%%\'*}'\\''"
			q=${q#*\'}
			;;
		*) break ;;
		esac
	done
	REPLY="'$REPLY$q'"
}

usage_error() {
	echo "tf: $1; see \"tf -help\"." >&2
	exit 1
}

# An error as a stage would report it: a stream of nothing else, for the
# renderer.
fail() {
	json_text "$1"
	summary=$REPLY
	json_text "$2"
	as_json=
	[ "${json-}" != true ] || as_json=-json
	eval "tf-show -ui $as_json ${show_opts-}" <<-END
	{"record":"header","format":"tfpipe-stream","version":1}
	{"record":"diagnostic","severity":"error","summary":"$summary","detail":"$REPLY"}
	{"record":"end","failed":true}
	END
	exit 1
}

# The same where the command line is wrong.
usage_fail() {
	(fail "$@")
	[ "${json-}" = true ] || printf \
		'\nFor more help on using this command, run:\n  tf %s -help\n' \
		"$command" >&2
	exit 1
}

bad_flags() {
	usage_fail "Failed to parse command-line flags" "$1"
}

# Sets REPLY to $1 as it stands within quotes in JSON.
json_text() {
	REPLY=$(printf '%s' "$1" | sed 's/[\\"]/\\&/g' | tr '\n\t' '  ')
}

# TF_CLI_ARGS and TF_CLI_ARGS_name: words put before the given ones. Prints a
# text for eval "set -- …".
extra_args() {
	EXTRA=
	eval "x=\${TF_CLI_ARGS-} y=\${TF_CLI_ARGS_$1-}"
	[ -n "$x$y" ] && EXTRA="$x $y"
}

# Hands the state lock to everything below: runs tf again inside tf-state
# with-lock unless that was done, or not wanted. $1: the operation's name; the
# rest: the command line.
hold_lock() {
	if [ -n "${TFPIPE_LOCK_TOKEN-}" ] || [ "$lock" = false ]; then
		return
	fi
	operation=$1
	shift
	eval exec tf-state with-lock -operation="$operation" "$state_opts" \
		"$lock_opts" -- '"$TF_SELF"' '"$@"'
}

# Reads an answer into REPLY; fails at the end of the input.
ask() {
	printf '%s' "$1"
	IFS= read -r REPLY || [ -n "$REPLY" ] || return 1
	echo
}

# Sets opt to -name or -name=false, of a flag that was given a value.
read_flag() {
	case ${opt#*=} in
	1 | t | T | true | TRUE | True) opt=${opt%%=*} ;;
	0 | f | F | false | FALSE | False) opt=${opt%%=*}=false ;;
	*) bad_flags "invalid boolean value \"${opt#*=}\" for ${opt%%=*}" ;;
	esac
}

# The options that plan, apply, destroy and refresh have in common; sorts each
# to the stage it belongs to.  Words that are none of them are left in `rest`.
parse_run_options() {
	missing_opt= eval_opts= graph_opts= plan_opts= show_opts= state_opts= lock_opts=
	apply_opts= rest=
	lock=true input=true json=false out= auto_approve=false mode=normal
	detailed=false generate= refresh= json_into=
	while [ $# -gt 0 ]; do
		opt=$1
		shift
		case $opt in
		--*) opt=-${opt#--} ;;
		esac
		# -name value, where the value is a word of its own
		case $opt in
		-var | -var-file | -target | -exclude | -replace | -out | \
			-state | -state-out | -backup | -lock-timeout | \
			-parallelism | -generate-config-out | -target-file | \
			-exclude-file | -json-into | -deprecation)
			[ $# -gt 0 ] || bad_flags "flag needs an argument: $opt"
			opt=$opt=$1
			shift
			;;
		-destroy=* | -refresh-only=* | -refresh=* | -lock=* | \
			-input=* | -json=* | -auto-approve=* | \
			-detailed-exitcode=* | -no-color=* | \
			-compact-warnings=* | -concise=* | \
			-show-sensitive=* | -consolidate-warnings=* | \
			-consolidate-errors=* | -ignore-remote-version=* | \
			-suppress-forget-errors=*)
			read_flag
			;;
		esac
		quote "$opt"
		case $opt in
		-var=* | -var-file=*)
			eval_opts="$eval_opts $REPLY"
			;;
		-target=* | -exclude=* | -replace=* | -target-file=* | \
			-exclude-file=*)
			graph_opts="$graph_opts $REPLY"
			;;
		-destroy)
			graph_opts="$graph_opts -destroy"
			[ $mode = normal ] && mode=destroy || mode=both
			;;
		-refresh-only)
			graph_opts="$graph_opts -refresh-only"
			[ $mode = normal ] && mode=refresh-only || mode=both
			;;
		-destroy=false | -refresh-only=false) ;;
		-refresh | -refresh=*)
			graph_opts="$graph_opts $REPLY"
			refresh=${opt#-refresh}
			;;
		-parallelism=*)
			case ${opt#*=} in
			'' | *[!0-9]*) bad_flags \
				"invalid value \"${opt#*=}\" for -parallelism" ;;
			esac
			plan_opts="$plan_opts $REPLY"
			apply_opts="$apply_opts $REPLY"
			;;
		-generate-config-out=*)
			plan_opts="$plan_opts $REPLY"
			generate=${opt#*=}
			;;
		-state=*)
			state_opts="$state_opts $REPLY"
			;;
		-state-out=* | -backup=*)
			apply_opts="$apply_opts $REPLY"
			;;
		-lock=false) lock=false ;;
		-lock) lock=true ;;
		-lock-timeout=*) lock_opts="$lock_opts $REPLY" ;;
		-input=false) input=false ;;
		-input) input=true ;;
		-json) json=true ;;
		-json=false) json=false ;;
		-out=*) out=${opt#*=} ;;
		-auto-approve) auto_approve=true ;;
		-auto-approve=false) auto_approve=false ;;
		-detailed-exitcode) detailed=true ;;
		-detailed-exitcode=false) detailed=false ;;
		-no-color | -compact-warnings | -concise | -show-sensitive | \
			-no-color=* | -compact-warnings=* | -concise=* | \
			-show-sensitive=* | -consolidate-warnings | \
			-consolidate-errors | -consolidate-warnings=* | \
			-consolidate-errors=*)
			show_opts="$show_opts $REPLY"
			;;
		-deprecation=*)
			case ${opt#*=} in
			module:all | module:local | module:none) ;;
			*) bad_flags "-deprecation is module:all, module:local or module:none" ;;
			esac
			show_opts="$show_opts $REPLY"
			;;
		-json-into=*)
			json_into=${opt#*=}
			show_opts="$show_opts $REPLY"
			;;
		-suppress-forget-errors | -suppress-forget-errors=false)
			apply_opts="$apply_opts $opt"
			;;
		-ignore-remote-version | -ignore-remote-version=*) ;;
		-help | -h)
			command_help "${command-}"
			exit 0
			;;
		-*)
			bad_flags "flag provided but not defined: $opt"
			;;
		*)
			rest="$rest $REPLY"
			;;
		esac
	done
	if [ $json = true ]; then
		[ -z "$json_into" ] || usage_fail "Invalid output format" \
			"-json and -json-into exclude each other."
		show_opts="$show_opts -json"
	fi
	if [ $mode = both ]; then
		usage_fail "Incompatible plan mode options" \
			"-destroy and -refresh-only are different ways of planning: use only one of them."
	fi
	if [ $mode = refresh-only ] && [ "$refresh" = =false ]; then
		usage_fail "Incompatible refresh options" \
			"-refresh-only does nothing but refresh: -refresh=false cannot be used with it."
	fi
}

# Ctrl-C, which has ended the stages too.
interrupted() {
	printf '\nInterrupt received.\n' >&2
	fail "execution halted" "Nothing has been changed."
}

# A directory of our own for what must not be seen or left behind.
make_tmp() {
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/tf.XXXXXX") || exit 1
	trap 'rm -rf "$tmp"' EXIT
	trap interrupted INT
	trap 'exit 143' TERM
}

# The planning pipe: its stream goes to stdout.
planning() {
	eval "tf-parse -json $eval_opts |
		tf-eval -json $missing_opt $eval_opts |
		tf-graph -json $graph_opts $state_opts |
		tf-plan -json $plan_opts $eval_opts"
}

# Runs "$@", which plans.  When that fails because root variables have no value,
# asks for them and runs it again: nobody waits for a question that is not
# asked.
with_answers() {
	if [ $input = false ] || [ $json = true ]; then
		"$@"
		return
	fi
	missing=${TMPDIR:-/tmp}/tf-missing.$$
	quote "-missing-file=$missing"
	missing_opt=$REPLY
	"$@"
	status=$?
	missing_opt=
	[ -s "$missing" ] || return $status
	list=$(cat "$missing")
	rm -f "$missing"
	ask_variables
	"$@"
}

# Through the environment, which other users cannot see; a name with a dash has
# no place there.
set_variable() {
	case $1 in
	*-*)
		quote "-var=$1=$REPLY"
		eval_opts="$eval_opts $REPLY"
		;;
	*) export "TF_VAR_$1=$REPLY" ;;
	esac
}

ask_variables() {
	while IFS='	' read -r name kind description <&3; do
		case $kind in
		*,ephemeral) printf 'var.%s (ephemeral)\n' "$name" ;;
		*) printf 'var.%s\n' "$name" ;;
		esac
		[ -z "$description" ] || printf '  %b\n\n' "$description"
		echo=
		if [ "${kind%,ephemeral}" = sensitive ] && [ -t 0 ]; then
			echo=$(stty -g)
			stty -echo
		fi
		printf '  Enter a value: '
		IFS= read -r REPLY || [ -n "$REPLY" ] && set_variable "$name"
		[ -z "$echo" ] || stty "$echo"
		echo
	done 3<<-END
	$list
	END
}

command_help() { # $1: the command
	. "$TF_LIB/options.sh"
}

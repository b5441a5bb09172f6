# common.sh - what the parts of tf share
#
# The settings, $tmp, and tf_parse, tf_eval, tf_graph, tf_plan, tf_apply and tf_ui
# come from the words (lib/driver/words_run.c).  $tmp is a directory of our own
# with the FIFOs stream, plan and events.  Descriptors: 5 a file of selectors, 6 a
# saved plan or a list of variables, 7 the answers, 8 the plan for tf_apply.
# shellcheck shell=sh disable=SC2154 # set by the words

# An error as a stage would report it.  $1: summary, $2: detail: texts of ours, of
# which nothing needs quoting in JSON.
fail() {
	(tf_ui) <<-END
	{"record":"header","format":"tfpipe-stream","version":1}
	{"record":"diagnostic","severity":"error","summary":"$1","detail":"$2"}
	{"record":"end","failed":true}
	END
	exit 1
}

# Requests to stop.  The stage at work is told of each, once, by SIGUSR1, whoever
# else it hears of it from (engine/change/stop.h).  This shell may hear of one
# twice as well: from the terminal, and from the program that holds the lock.
worker=
direct=0 handed_on=0 told=0
stop() {
	[ -n "$worker" ] || return 0
	requests=$direct
	[ "$handed_on" -le "$requests" ] || requests=$handed_on
	while [ "$told" -lt "$requests" ]; do
		told=$((told + 1))
		kill -USR1 "$worker" 2>/dev/null
	done
}
trap 'direct=$((direct + 1)); stop' INT TERM
hung_up=
trap '[ -n "$hung_up" ] || direct=$((direct + 1)); hung_up=yes; stop' HUP
trap 'handed_on=$((handed_on + 1)); stop' USR1
[ -z "${caught-}" ] || direct=1

# $1: the process that is told from now on, also of what came before.
work_is() {
	worker=$1
	told=0
	stop
}

# Were we asked to stop, while no stage was there to be told?
stopped() {
	[ "$direct" -gt 0 ] || [ "$handed_on" -gt 0 ]
}

halt() {
	printf '\nInterrupt received.\n' >&2
	fail "execution halted" "Nothing has been changed."
}

# Waits for a process in the background.  A signal ends wait early, with a status
# that is not that of the process, which may have ended meanwhile.
await() {
	while :; do
		wait "$1"
		waited=$?
		kill -0 "$1" 2>/dev/null || break
	done
	if [ "$waited" -gt 128 ]; then
		wait "$1"
		set -- "$?"
		[ "$1" = 127 ] || waited=$1 # 127: it was waited for before
	fi
	return "$waited"
}

# The planning pipe, shown by tf_ui with the options given.
refreshed= # yes: only what is read will be stored
planned() {
	! stopped || halt
	tf_parse ${asking:+"-missing-file=$tmp/missing"} |
		tf_eval ${asking:+"-missing-file=$tmp/missing"} |
		tf_graph -leave-errors |
		tf_plan ${refreshed:+-refreshed} >"$tmp/stream" &
	work_is $!
	tf_ui "$@" <"$tmp/stream" &
	await $!
	worker=
	return "$waited"
}

# Runs "$@", which plans.  When that fails because root variables have no value,
# asks for them and runs it again: nobody waits for a question that is not asked.
with_answers() {
	asking=
	if [ "$input" = true ] && [ "$json" = false ]; then
		answered=-1
		# first those that are needed to read the configuration
		while [ "$answered" != "$ninputs" ]; do
			answered=$ninputs
			asking=yes
			"$@"
			status=$?
			asking=
			[ -s "$tmp/missing" ] || return "$status"
			ask_variables 6<"$tmp/missing" 7<&0
			rm -f "$tmp/missing"
		done
	fi
	"$@"
}

# Reads an answer into REPLY; fails at the end of the input, also behind a word
# that nobody has confirmed by a newline.
ask() {
	printf '%s' "$1"
	IFS= read -r REPLY || return 1
	echo
}

# The answers go through the environment, as all values of variables.
ask_variables() { # 6: a line a variable: name, kind, description
	while IFS='	' read -r name kind description <&6; do
		case $kind in
		*,ephemeral) printf 'var.%s (ephemeral)\n' "$name" ;;
		*) printf 'var.%s\n' "$name" ;;
		esac
		[ -z "$description" ] || printf '  %b\n\n' "$description"
		terminal=
		if [ "${kind%,ephemeral}" = sensitive ] && [ -t 7 ]; then
			terminal=$(stty -g <&7)
			stty -echo <&7
		fi
		printf '  Enter a value: '
		REPLY=
		if IFS= read -r REPLY <&7; then
			ninputs=$((ninputs + 1))
			export "TFPIPE_INPUT_$ninputs=-answer=$name=$REPLY"
		fi
		[ -z "$terminal" ] || stty "$terminal" <&7
		echo
		! stopped || halt
	done
}

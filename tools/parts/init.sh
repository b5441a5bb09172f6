# init.sh - tf init: asks for the variables that modules and the backend need
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

tf_ui() {
	exec tf-ui
}

# It stops by a signal of its own.
init=
stop() {
	[ -z "$init" ] || kill -TERM "$init" 2>/dev/null
}

exec 7<&0
answered=-1
while [ "$answered" != "$ninputs" ]; do
	answered=$ninputs
	! stopped || halt
	tf-init "-missing-file=$tmp/missing" "$@" <&7 7<&- &
	init=$!
	! stopped || stop
	await "$init"
	init=
	[ -s "$tmp/missing" ] || exit "$waited"
	ask_variables 6<"$tmp/missing"
	rm -f "$tmp/missing"
done
exec 7<&-
rm -rf -- "$tmp"
exec tf-init "$@"

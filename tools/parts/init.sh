# init.sh - tf init: asks for the variables that modules and the backend need
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

tf_ui() {
	exec tf-ui
}

answered=-1
while [ "$answered" != "$ninputs" ]; do
	answered=$ninputs
	rm -f "$tmp/missing"
	# what is wrong is said below
	tf-init "-missing-file=$tmp/missing" "$@" >/dev/null 2>&1
	! stopped || halt
	[ -s "$tmp/missing" ] || break
	ask_variables 6<"$tmp/missing" 7<&0
done
rm -rf -- "$tmp"
exec tf-init "$@"

# import.sh - tf import: an object that exists becomes managed
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

address=$1
id=$2
import_one() {
	! stopped || halt
	tf_parse "-import=$address" ${asking:+"-missing-file=$tmp/missing"} |
		tf_eval ${asking:+"-missing-file=$tmp/missing"} |
		tf_graph -leave-errors -refresh-only |
		tf_plan "-import=$address" "-import-id=$id" >"$tmp/plan" &
	work_is $!
	tf_apply -refreshed <"$tmp/plan" >"$tmp/stream" &
	tf_ui -op=import <"$tmp/stream" &
	await $!
}
with_answers import_one

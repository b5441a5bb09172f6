# validate.sh - tf validate
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

tf_parse | tf_plan -validate >"$tmp/stream" &
work_is $!
tf_ui -op=validate <"$tmp/stream" &
await $!

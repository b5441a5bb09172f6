# graph.sh - tf graph: the dependency graph as DOT
# shellcheck shell=sh disable=SC2154 # set by the words
# shellcheck source=tools/parts/common.sh
. "$TF_PARTS/common.sh"

if [ -n "$graph_plan" ]; then
	[ "$graph_plan" = - ] || exec <"$graph_plan"
	(tf_graph -apply)
	exit
fi
# As in OpenTofu warnings are said only beside errors, and what names nothing that
# is there leads nowhere.
set -- -references=false
(tf_parse "$@") >"$tmp/parsed" 2>/dev/null || {
	(tf_parse "$@") >/dev/null
	exit 1
}
(tf_graph) <"$tmp/parsed"

# tf graph - the dependency graph as DOT
graph_opts= plan=
for opt; do
	quote "$opt"
	case $opt in
	-plan=* | --plan=*) plan=${opt#*=} ;;
	-type=plan-refresh-only) graph_opts="$graph_opts -refresh-only" ;;
	-type=apply) graph_opts="$graph_opts -apply" ;;
	-type=plan) ;;
	-type=plan-destroy) graph_opts="$graph_opts -destroy" ;;
	-type=*) fail "Unsupported graph type" \
		"-type is plan, plan-refresh-only, plan-destroy or apply." ;;
	-draw-cycles | -verbose | -module-depth=*) ;;
	*) graph_opts="$graph_opts $REPLY" ;;
	esac
done
if [ -n "$plan" ]; then
	eval "exec tf-graph -apply -format=dot $graph_opts" <"$plan"
fi
eval "tf-parse | tf-graph -format=dot $graph_opts"

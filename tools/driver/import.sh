# tf import - an object that exists becomes managed
extra_args import
eval "set -- $EXTRA \"\$@\""
words=
for opt; do # the directory to work in is an option of import alone
	case $opt in
	-config=* | --config=*)
		cd "${opt#*=}" || exit 1
		;;
	*)
		quote "$opt"
		words="$words $REPLY"
		;;
	esac
done
eval "set -- $words"
parse_run_options "$@"
eval "import_operands() { address=\${1-} id=\${2-}; count=\$#; }; import_operands $rest"
[ $count = 2 ] || usage_fail "Invalid number of arguments" \
	"tf import takes two: the address of a resource instance, and the id of the object."
hold_lock import import "$@"
quote "-import=$address"
plan_opts="$plan_opts $REPLY"
quote "-import-id=$id"
plan_opts="$plan_opts $REPLY"
graph_opts="$graph_opts -refresh-only"
import_one() {
	planning | eval "tf-apply -json $apply_opts $eval_opts $state_opts" |
		eval "tf-show -ui -op=import $show_opts"
}
with_answers import_one || exit
[ $json = true ] || echo "
Import successful!

The resources that were imported are shown above. These resources are now in
your OpenTofu state and will henceforth be managed by OpenTofu.
"

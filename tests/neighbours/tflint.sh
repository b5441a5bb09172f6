# tflint: rules about configurations; it goes into modules by what init writes.
cat >.tflint.hcl <<'END'
config {
  call_module_type = "all"
}
plugin "terraform" {
  enabled = true
  preset  = "all"
}
END
printf 'variable "unused" {}\n' >child/more.tf
lint() {
	tflint --format=json "$@" |
		jq -r '.issues[] | "\(.rule.name) \(.range.filename):\(.range.start.line)"' |
		sort
	tflint --format=compact >/dev/null 2>&1 || echo "status $?"
}
# modules are not installed
lint
$CLI init >/dev/null
lint
# modules elsewhere, the workspace and variables of the environment
rm -rf .terraform
export TF_DATA_DIR=data
$CLI init >/dev/null
$CLI workspace new stage >/dev/null
cat data/environment
echo
lint --chdir=.
tflint --recursive --format=compact | cut -d : -f 1 | sort | uniq -c

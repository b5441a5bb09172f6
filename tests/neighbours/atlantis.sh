# atlantis: the commands of its steps, and what it asks of their statuses.
say() {
	"$@" >out 2>&1 && echo "${*:2}: 0" || echo "${*:2}: $?"
}
export TF_IN_AUTOMATION=true ATLANTIS_TERRAFORM_VERSION=1.12.6 \
	TF_PLUGIN_CACHE_DIR=$HOME/plugins
mkdir env "$HOME/plugins"
echo 'name = "stage"' >env/stage.tfvars
say $CLI init -input=false -upgrade
$CLI workspace show
say $CLI workspace select stage
say $CLI workspace new stage
$CLI workspace show
say $CLI plan -input=false -refresh -out stage.tfplan -var-file env/stage.tfvars
sed 's/\x1b\[[0-9;]*m//g' out | sed -n 's/^  \([+~-]\)/\1/p' | sort | uniq -c
$CLI show -json stage.tfplan >plan.json
jq -c '[.resource_changes[].change.actions[0]], .variables.name' plan.json
say $CLI apply -input=false stage.tfplan
grep -o '^Apply complete!.*' out
say $CLI apply -input=false stage.tfplan
grep -o 'Saved plan is stale' out
say $CLI plan -input=false -refresh -no-color -destroy -out=destroy.tfplan
grep '^Plan' out
say $CLI import -input=false terraform_data.gone id
say $CLI state rm -lock=true 'terraform_data.zone["a"]'
grep -v '^$' out
say $CLI init -input=false
say $CLI init -input=false -upgrade

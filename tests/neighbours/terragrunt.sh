# terragrunt: runs over many directories, with what it makes of their texts.
mkdir -p live/first live/second
export TG_TF_PATH=$CLI TG_NO_COLOR=true TG_NON_INTERACTIVE=true TG_LOG_DISABLE=true
cat >live/first/terragrunt.hcl <<'END'
terraform {
  source = "../..//child"
}
inputs = {
  name = "first"
}
END
cat >live/second/terragrunt.hcl <<'END'
terraform {
  source = "../..//child"
}
dependency "first" {
  config_path = "../first"
  mock_outputs = {
    id = "mocked"
  }
  mock_outputs_allowed_terraform_commands = ["plan", "validate"]
}
inputs = {
  name = dependency.first.outputs.id
}
END
facts() {
	sed 's/^\[[a-z]*\] //; s/^.*\] \(tofu\|terraform\): //' |
		grep -oE '^(Plan|Apply|Destroy|No changes|Success|Error)[^:.]*[:.].*|mocked-inner' |
		sort
}
cd live
terragrunt run --all plan 2>err | facts
terragrunt run --all apply 2>err | facts
(cd second && terragrunt plan -detailed-exitcode >out 2>&1 || echo "status $?"; facts <out)
(cd first && terragrunt output -json | jq -c '.id | keys'; terragrunt show -json | jq .format_version)
(cd first && TF_LOG=debug terragrunt validate >out 2>&1; facts <out)
(cd first && terragrunt run -- state list; terragrunt run --  workspace show)
terragrunt run --all destroy 2>err | facts
(cd second && echo 'nothing = 1' >x.auto.tfvars && terragrunt apply -var gone=1 >out 2>&1 || echo "status $?")

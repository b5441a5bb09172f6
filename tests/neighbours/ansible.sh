# ansible: the module community.general.terraform.
module() { # ARGUMENTS: what the module answers
	ansible localhost -m community.general.terraform \
		-a "$(jq -nc --arg path "$PWD" --arg cli "$(command -v "$CLI")" \
			"{project_path: \$path, binary_path: \$cli} + $1")" 2>/dev/null |
		jq -c '.plays[0].tasks[0].hosts.localhost |
			[.failed, .changed, .outputs, .state, .workspace,
			(.command // "" | split(" ")[1:] | map(select(startswith("/") | not))),
			(.stdout // "" | split("\n") |
				map(select(test("^(Apply|Destroy|Plan|No ch)")))),
			(.msg // "" | split("\n")[0] // "" | sub("/.*"; "")), .diff]'
}
export ANSIBLE_STDOUT_CALLBACK=ansible.posix.json ANSIBLE_LOAD_CALLBACK_PLUGINS=1 \
	ANSIBLE_NOCOLOR=1 ANSIBLE_HOME=$HOME/ansible
module '{force_init: true, state: "planned", plan_file: "plan"}'
module '{state: "present", variables: {name: "db"}}'
module '{state: "present", variables: {name: "db"}}'
module '{state: "present", variables: {name: "web"}, _ansible_check_mode: true}'
module '{state: "present", complex_vars: true, variables: {name: "we\"b"}, targets: ["terraform_data.one"]}'
module '{state: "present", workspace: "stage", purge_workspace: false}'
module '{state: "present", variables: {gone: 1}}'
module '{state: "present", check_destroy: true, variables: {name: "other"}}'
module '{state: "absent"}'
module '{state: "absent", workspace: "stage", purge_workspace: true}'
$CLI workspace list

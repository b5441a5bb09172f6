# modules.bash - what the tests of installing modules share
#
# TF_TEST_CLI=tofu runs them with OpenTofu, which has to say the same, make the
# same files and write the same modules.json; where it does not, the test says so.

load common

modules_setup() {
	need jq
	cd "$BATS_TEST_TMPDIR"
	cli=${TF_TEST_CLI:-tf}
	: >rc
	export TF_CLI_CONFIG_FILE=$PWD/rc
	export GIT_CONFIG_GLOBAL=$PWD/gitconfig GIT_CONFIG_NOSYSTEM=1
	here=$PWD
	mkdir w
	cd w
}

# Only of this program: OpenTofu does less, or something else.
only_ours() {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
}

# The output without the line breaks of messages.
flat() {
	output=$(tr -s '\n ' '  ' <<<"$output")
}

calls() { # NAME=SOURCE...
	for c; do
		printf 'module "%s" {\n  source = "%s"\n}\n' "${c%%=*}" "${c#*=}"
	done >main.tf
}

records() { # KEY DIR of each module
	jq -r '.Modules[] | select(.Key != "") | .Key + " " + .Dir' \
		.terraform/modules/modules.json
}

source_of() { # KEY
	jq -r --arg k "$1" '.Modules[] | select(.Key == $k).Source' \
		.terraform/modules/modules.json
}

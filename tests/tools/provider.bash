# provider.bash - what the tests that use the test provider share
#
# The provider (tests/provider) is found as a development override; orders for
# it (tests/provider/orders.h) are given to single commands.  TF_TEST_CLI names
# another OpenTofu command to run the tests with, for comparison.

load common

provider_setup() {
	cd "$BATS_TEST_TMPDIR"
	cli=${TF_TEST_CLI:-tf}
	provider_dir=$(dirname "$(command -v tf-plan)")/tests/provider
	cat >rc <<EOF2
provider_installation {
  dev_overrides { "registry.opentofu.org/hashicorp/test" = "$provider_dir" }
  direct {}
}
EOF2
	export TF_CLI_CONFIG_FILE=$PWD/rc TF_DISABLE_PLUGIN_TLS=1
	export TEST_PROVIDER_DIR=$PWD/objects TEST_PROVIDER_LOG=$PWD/calls
	unset TEST_PROVIDER_DO TEST_PROVIDER_PROTOCOL TEST_PROVIDER_HUGE
	mkdir objects
}

# The configuration: the text on stdin under a required_providers block.
config() {
	cat - >main.tf <<'EOF2'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
EOF2
	cat >>main.tf
}

# A resource with every kind of block and, in protocol 6, nested attribute.
everything() { # LINE...: more arguments
	local nested
	[ "${TEST_PROVIDER_PROTOCOL:-6}" = 5 ] || nested='
  nested_single = { name = "ns" }
  nested_list   = [{ name = "n0", deep = [{ name = "d0" }] }, { name = "n1" }]
  nested_map    = { k = { name = "nk" } }
  nested_set    = [{ name = "t0" }, { name = "t1" }]'
	config <<EOF2
resource "test_all" "r" {
  name   = "n"
  secret = "hidden"
  list   = ["x", "y"]
  set    = ["x", "y"]
  map    = { k = "v" }
  obj    = { a = "x", b = 1 }
  dyn    = "d"
  wo     = "w"
  $nested
  $(printf '%s\n' "$@")
  single { name = "s" }
  group { name = "g" }
  block {
    name = "b0"
    inner { name = "i0" }
  }
  block { name = "b1" }
  blockset { name = "x0" }
  blockset { name = "x1" }
  blockmap "k" { name = "m" }
  dynblock { value = "v" }
}
EOF2
}

# Runs a command, its messages going to the file messages, one a line.
tell() {
	local status=0
	"$@" >out 2>err || status=$?
	jq -rR 'fromjson? | select(.type=="diagnostic") | .diagnostic |
		"\(.severity): \(.summary): \(.detail)" |
		gsub("\n"; " ")' out err >messages
	return "$status"
}

plan() { # ORDERS [OPTION...]: saves the plan as p
	TEST_PROVIDER_DO=$1 tell $cli plan -json -out=p "${@:2}" || return
	rm -f before
	[ ! -e terraform.tfstate ] || cp terraform.tfstate before
}

apply() { # ORDERS: applies p
	TEST_PROVIDER_DO=$1 tell $cli apply -json p
}

again() { # ORDERS: applies p, whatever has become of an earlier attempt
	rm -f terraform.tfstate*
	[ ! -e before ] || cp before terraform.tfstate
	apply "$1"
}

run_all() { # ORDERS [OPTION...]: plans and applies
	TEST_PROVIDER_DO=$1 tell $cli apply -json -auto-approve "${@:2}"
}

destroy() { # ORDERS [OPTION...]
	TEST_PROVIDER_DO=$1 tell $cli destroy -json -auto-approve "${@:2}"
}

# Nothing was done yet.
afresh() {
	rm -rf objects terraform.tfstate* .terraform.tfstate* calls
	mkdir objects
}

# There is an error of this summary (empty: any) whose text has all these
# parts.
says() { # SUMMARY PART...
	local line part
	while IFS= read -r line; do
		[[ $line == "error: ${1:+$1: }"* ]] || continue
		for part in "${@:2}"; do
			[[ $line == *"$part"* ]] || continue 2
		done
		return 0
	done <messages
	echo "not said: $*"
	cat messages err
	return 1
}

# The command fails and says so: fails COMMAND ARG... -- SUMMARY PART...
fails() {
	local command=()
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	shift
	if "${command[@]}"; then
		echo "did not fail: ${command[*]}"
		return 1
	fi
	says "$@" || { echo "after: ${command[*]}"; return 1; }
}

works() {
	"$@" && return 0
	echo "failed: $*"
	cat messages err
	return 1
}

# An attribute of the (first) object of a resource in the state.
attribute() { # NAME JQ-PATH
	jq -c --arg n "$1" '.resources[] | select(.name == $n) |
		.instances[0].attributes | '"$2" terraform.tfstate
}

status_of() { # NAME
	jq -r --arg n "$1" '.resources[] | select(.name == $n) |
		.instances[0].status' terraform.tfstate
}

# The planned actions of a resource in the saved plan p.
actions() { # NAME
	$cli show -json p | jq -c --arg n "$1" '.resource_changes[] |
		select(.name == $n) | .change.actions'
}

# Each object: its address, its provider's instance and what that computed.
served() {
	jq -r '.resources[] | . as $r | .instances[] |
		[([$r.module, $r.name] | map(strings) | join(".")) +
			(.index_key | if . then "[\(.)]" else "" end),
		((.provider // $r.provider) | split("hashicorp/test\"]")[1]),
		.attributes.comp] | join(" ")' terraform.tfstate | tr -d '"'
}

# Runs a function under both protocols.
both() {
	for protocol in 5 6; do
		echo "protocol $protocol:"
		export TEST_PROVIDER_PROTOCOL=$protocol
		afresh
		"$@"
	done
}

test_provider='registry.opentofu.org/hashicorp/test'

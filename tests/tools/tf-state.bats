#!/usr/bin/env bats
# tf-state.bats - tf-state(1): every command, its output, its exit status

load common
load journal

setup() {
	cd "$BATS_TEST_TMPDIR"
	# instances of: t.a[0], t.a[1], t.b["k"], module.m.t.c, data.t.d
	need python3
	python3 - <<'PY'
import json
P = 'provider["terraform.io/builtin/terraform"]'
def inst(id, **more):
    return dict(more, schema_version=0, attributes={"id": id},
                sensitive_attributes=[])
def res(name, instances, **more):
    return dict({"mode": "managed", "type": "t", "name": name,
                 "provider": P, "instances": instances}, **more)
state = {"version": 4, "terraform_version": "1.5.0", "serial": 7,
         "lineage": "lin-1", "outputs": {}, "resources": [
    res("a", [inst("a0", index_key=0),
              inst("a1", index_key=1, dependencies=["t.b"])]),
    res("b", [inst("bk", index_key="k"),
              inst("old", index_key="k", deposed="0badcafe")]),
    res("c", [inst("c", dependencies=["t.a", "module.m.t.x"])],
        module="module.m"),
    res("d", [inst("d")], mode="data")], "check_results": None}
json.dump(state, open("terraform.tfstate", "w"))
json.dump(state, open("base.json", "w"))
PY
}

serial() { tf-state pull "$@" | jq .serial; }
addresses() { tf-state list "$@" | tr '\n' ' '; }

# --- looking ---

@test "of an instance with deposed objects alone that is said, of others that there is none" {
	jq 'del(.resources[1].instances[0])' base.json >terraform.tfstate
	run -1 tf-state taint 't.b["k"]'
	[[ $output = *'has deposed objects only'* ]]
	run -1 tf-state taint 't.b["j"]'
	[[ $output = *'No such resource instance'* ]]
	[[ $output != *deposed* ]]
}

@test "list: all, in order; by resource, module, instance, id" {
	[ "$(addresses)" = \
	  'data.t.d t.a[0] t.a[1] t.b["k"] module.m.t.c ' ]
	[ "$(addresses t.a)" = 't.a[0] t.a[1] ' ]
	[ "$(addresses module.m)" = 'module.m.t.c ' ]
	[ "$(addresses 't.a[1]' t.b)" = 't.a[1] t.b["k"] ' ]
	[ "$(addresses -id=a1)" = 't.a[1] ' ]
	run -0 addresses -id=nope
	[ -z "$output" ]
	[ "$(addresses -state=base.json t.b)" = 't.b["k"] ' ]
}

# bats test_tags=once
@test "an address that is none is told, without a place in a file" {
	for words in 'list *a*' 'mv *a* t.x' 'rm *a*' 'taint *a*'; do
		read -ra words <<<"$words"
		run -1 tf-state "${words[@]}"
		[[ $output = *'The address is "*a*". A reference begins'* ]]
		[[ $output != *' line 1'* ]]
	done
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -1 tf import '*a*' id
	[[ $output = *'The address is "*a*".'* ]]
}

@test "list: what is not there is an error" {
	for words in 'module.x|Unknown module' 't.x|Unknown resource' \
		't.a[9]|Unknown resource instance'; do
		run -1 tf-state list "${words%|*}"
		[[ $output = *"Error: ${words#*|}"* ]]
	done
	run -1 tf-state list -state=missing
	[[ $output = *'Error: No state file was found'* ]]
	run -1 tf-state list 't..a'
	[[ $output = *'Error: '* ]]
}

@test "a state that cannot be read is named, and nothing is written" {
	echo '{"version":4,"resources":[' >terraform.tfstate
	cp terraform.tfstate broken
	run -1 tf-state rm t.a
	[[ $output = *'Unsupported state file format'* ]]
	[[ $output = *terraform.tfstate* ]]
	cmp terraform.tfstate broken
}

@test "show: only what cannot be secret, unless asked" {
	run -1 tf-state show t.nope
	[[ $output = *'Error: No instance found for the given address'* ]]
	run -1 tf-state show t
	[[ $output = *'Error: Error parsing instance address "t"'* ]]
	run -1 tf-state show 't.a[0]'
	[[ $output = *'Error: Failed to marshal state to json'* ]]
	[[ $output != *a0* ]]
	run -0 tf-state show -show-sensitive 't.a[0]'
	[[ $output = *'id = "a0"'* ]]
	sed 's/"t"/"terraform_data"/g' base.json >td.json
	run -0 tf-state show -state=td.json 'terraform_data.a[0]'
	[ "$output" = '# terraform_data.a[0]:
resource "terraform_data" "a" {
    id = "a0"
}' ]
}

@test "pull: one line of JSON; nothing without a state" {
	run -0 tf-state pull
	[ "$(echo "$output" | jq -r .lineage)" = lin-1 ]
	[ "$(echo "$output" | jq -r .terraform_version)" = 1.12.6 ]
	rm terraform.tfstate
	run -0 tf-state pull
	[ -z "$output" ]
}

@test "a reader that goes away is no error" {
	run bash -o pipefail -c 'tf-state list | head -n 1'
	[ "$status" = 0 ] || [ "$status" = 141 ]
	[ "$output" = data.t.d ]
}

# --- editing ---

# bats test_tags=once
@test "mv: an instance, a resource, a module" {
	run -0 tf-state mv 't.a[0]' 't.a["x"]'
	[ "$output" = 'Move "t.a[0]" to "t.a[\"x\"]"
Successfully moved 1 object(s).' ]
	run -0 tf-state mv t.b module.n.t.b
	run -0 tf-state mv module.m 'module.m["y"]'
	[ "$(addresses)" = 'data.t.d t.a[1] t.a["x"] module.m["y"].t.c module.n.t.b["k"] ' ]
	[ "$(serial)" = 10 ]
	# the deposed object went along; dependencies on what moved are gone
	tf-state pull | jq -e '[.resources[] | select(.name == "b") |
		.instances[].deposed] == [null, "0badcafe"]'
	tf-state pull | jq -e '[.resources[].instances[].dependencies] |
		all(. == null)'
}

@test "mv: backups are made, one a run" {
	tf-state mv t.b t.bb
	[ "$(ls terraform.tfstate.*.backup | wc -l)" = 1 ]
	cat terraform.tfstate.*.backup | jq -e '.serial == 7'
	tf-state mv -backup=b.json t.bb t.b
	jq -e '.serial == 8' b.json
}

@test "mv: what does not fit is refused, and nothing changes" {
	cp terraform.tfstate before
	while IFS='|' read -r from to summary; do
		run -1 tf-state mv "$from" "$to"
		[[ $output = *"Error: $summary"* ]] ||
			{ echo "$from $to: $output"; false; }
	done <<-'E'
	t.nope|t.x|Invalid source address
	t.a[9]|t.x|Invalid source address
	module.x|module.y|Invalid source address
	t.a|t.b|Invalid target address
	t.a|t.x[0]|Invalid target address
	t.a[0]|t.a[1]|Invalid target address
	t.a[0]|module.x|Invalid target address
	module.m|t.x|Invalid target address
	t.a[0]|u.a|Invalid state move request
	t.a[0]|data.t.a|Invalid state move request
	E
	tf-state mv 't.a[0]' module.z.t.c
	run -1 tf-state mv module.m module.z
	[[ $output = *'Error: Destination module already exists'* ]]
	run -1 tf-state mv t.a
	[[ $output = *'Error: Invalid number of arguments'* ]]
}

@test "mv -dry-run says what it would do" {
	cp terraform.tfstate before
	run -0 tf-state mv -dry-run module.m module.n
	[ "$output" = 'Would move "module.m" to "module.n"' ]
	run -0 tf-state mv -dry-run t.b t.c
	[ "$output" = 'Would move "t.b" to "t.c"' ]
	run -0 tf-state mv -dry-run 't.a[0]' t.c
	[ "$output" = 'Would move "t.a[0]" to "t.c"' ]
	cmp terraform.tfstate before
}

@test "mv -state-out moves into another state" {
	run -0 tf-state mv -state-out=other.tfstate t.b t.bb
	[ "$(addresses -state=other.tfstate)" = 't.bb["k"] ' ]
	[ "$(addresses t.a)" = 't.a[0] t.a[1] ' ]
	run -1 tf-state list t.b
	[ "$(serial)" = 8 ]
	[ "$(jq .serial other.tfstate)" = 1 ]
	lineage=$(jq -r .lineage other.tfstate)
	[[ $lineage == ????????-* ]]
}

@test "mv -state-out with the state's own file moves within it" {
	cp terraform.tfstate own.tfstate
	mkdir d
	for other in own.tfstate d/../own.tfstate; do
		run -0 tf-state mv -state=own.tfstate -state-out=$other -backup=- \
			module.m module.n
		[ "$output" = 'Move "module.m" to "module.n"
Successfully moved 1 object(s).' ]
		run -0 tf-state mv -state=own.tfstate module.n module.m
	done
	addresses >whole
	addresses -state=own.tfstate >own
	[ -s whole ]
	cmp whole own
}

@test "rm: instances, resources, modules" {
	run -0 tf-state rm -dry-run t.a
	[ "$output" = 'Would remove t.a[0]
Would remove t.a[1]' ]
	run -0 tf-state rm -dry-run t.nope
	[ "$output" = 'Would have removed nothing.' ]
	run -0 tf-state rm 't.a[0]' module.m t.nope
	[ "$output" = 'Removed t.a[0]
Removed module.m.t.c
Successfully removed 2 resource instance(s).' ]
	run -0 tf-state rm t.b
	tf-state pull | jq -e '[.resources[].name] == ["d", "a"]'
	run -1 tf-state rm t.nope
	[[ $output = *'Error: Invalid target address'* ]]
	run -1 tf-state rm
	[[ $output = *'Error: Invalid number of arguments'* ]]
}

@test "replace-provider" {
	run -0 tf-state replace-provider -auto-approve hashicorp/x acme/x
	[ "$output" = 'No matching resources found.' ]
	run -0 tf-state replace-provider -auto-approve \
		terraform.io/builtin/terraform acme/x
	[[ $output = *'Changing 4 resources:'* ]]
	[[ $output = *'Successfully replaced provider for 4 resources.' ]]
	tf-state pull | jq -e '[.resources[].provider] | unique ==
		["provider[\"registry.opentofu.org/acme/x\"]"]'
	run -0 sh -c 'echo no | tf-state replace-provider acme/x acme/y'
	[[ $output = *'Cancelled replacing providers.' ]]
	run -1 tf-state replace-provider acme/x acme/y </dev/null
	[[ $output = *'Error: Error asking for approval'* ]]
	run -1 sh -c 'printf yes | tf-state replace-provider acme/x acme/y'
	run -0 sh -c 'echo yes | tf-state replace-provider acme/x acme/y'
	run -1 tf-state replace-provider a/b/c/d/e acme/y
	[[ $output = *'Error: Invalid "from" provider "a/b/c/d/e"'* ]]
}

@test "taint and untaint" {
	run -0 tf-state taint 't.a[0]'
	[ "$output" = 'Resource instance t.a[0] has been marked as tainted.' ]
	tf-state pull | jq -e '.resources[1].instances[0].status == "tainted"'
	jq -e '.serial == 7' terraform.tfstate.backup
	run -0 tf-state untaint 't.a[0]'
	[ "$output" = 'Resource instance t.a[0] has been successfully untainted.' ]
	[ "$(serial)" = 9 ]
	run -1 tf-state untaint 't.a[0]'
	[[ $output = *'Error: Resource instance is not tainted'* ]]
	run -1 tf-state taint t.nope
	[[ $output = *'Error: No such resource instance'* ]]
	run -0 tf-state taint -allow-missing t.nope
	[[ $output = *'Warning: No such resource instance'* ]]
	run -1 tf-state taint data.t.d
	[[ $output = *'Error: Invalid resource address'* ]]
	run -1 tf-state taint
	[[ $output = *'Error: Invalid arguments'* ]]
	run -0 tf-state taint -state=base.json -state-out=out.json -backup=- 't.a[1]'
	jq -e '.serial == 7' base.json
	jq -e '.serial == 8' out.json
	[ ! -e out.json.backup ]
}

@test "push: by serial and lineage, or by force" {
	run -0 tf-state push base.json # as stored: nothing changes
	[ "$(serial)" = 7 ]
	jq '.serial = 6' base.json >older.json
	run -1 tf-state push older.json
	[[ $output = *'Error: Failed to write the imported state'* ]]
	[[ $output = *'serial 6 over newer state with serial 7'* ]]
	jq '.lineage = "other"' base.json >foreign.json
	run -1 tf-state push foreign.json
	[[ $(echo $output) = *'over unrelated state with lineage "lin-1"'* ]]
	jq '.resources = [] | .serial = 8' base.json >newer.json
	run -0 tf-state push newer.json
	run -0 tf-state list
	[ -z "$output" ]
	run -0 tf-state push -force foreign.json
	[ "$(tf-state pull | jq -r .lineage)" = other ]
	run -0 sh -c 'tf-state push -force - <base.json'
	run -1 tf-state push missing.json
	[[ $output = *'Error: Failed to open the given state file'* ]]
	echo garbage >garbage.json
	run -1 tf-state push garbage.json
	[[ $output = *'Error: Failed to read source state "garbage.json"'* ]]
}

@test "push: nothing at all is no state, by force neither" {
	cp terraform.tfstate before
	: >nothing.json
	run -1 tf state push -force nothing.json
	[[ $output = *'Failed to read source state "nothing.json"'* ]]
	run -1 tf state push -force - <nothing.json
	[[ $output = *'Failed to read source state "-"'* ]]
	run -1 tf state push -force /dev/null
	cmp before terraform.tfstate
	mkdir empty
	cd empty
	run -1 tf state push ../nothing.json
	[ ! -e terraform.tfstate ]
}

@test "what is printed does not end up in the state when nobody is at the output" {
	run -1 sh -c "tf-state taint 't.a[0]' >&-"
	[ "$(tf-state pull | jq -c '[.. | .status? // empty]')" = '["tainted"]' ]
	run -1 sh -c "tf-state untaint 't.a[0]' >&- 2>&-"
	run -1 sh -c "tf-state rm 't.a[1]' <&- >&- 2>&-"
	run -1 sh -c 'tf-state rm t.nothing 2>&-'
	[ "$(addresses)" = 'data.t.d t.a[0] t.b["k"] module.m.t.c ' ]
}

# bats test_tags=once
@test "-var and -var-file are read, though no backend needs them" {
	cli=${TF_TEST_CLI-tf}
	echo 'variable "a" {}' >main.tf
	echo 'a = 1' >given.tfvars
	cp terraform.tfstate before
	for words in 'state list' 'state rm t.a' 'state pull' 'taint t.a[0]' \
		'state push base.json' 'workspace list' 'workspace new w' output show; do
		for bad in -var=a -var-file=nothing.tfvars; do
			run -1 $cli ${words%% *} $(case $words in (*\ *)
				cut -d " " -f 2 <<<"$words" ;; esac) $bad \
				$(cut -s -d " " -f 3- <<<"$words")
		done
	done
	cmp before terraform.tfstate
	[ ! -e terraform.tfstate.d ]
	$cli state pull -var=a=1 -var-file=given.tfvars >out
}

@test "workspace: a selected name that is not allowed can be left" {
	cli=${TF_TEST_CLI-tf}
	mkdir -p .terraform
	printf 'a/b' >.terraform/environment
	run -0 $cli workspace list
	run -0 $cli workspace select default
	[ "$($cli workspace show)" = default ]
}

@test "provider.terraform of old states is the built-in provider" {
	cli=${TF_TEST_CLI-tf}
	rm terraform.tfstate
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	$cli apply -auto-approve >out
	sed -i 's/"provider": .*/"provider": "provider.terraform",/' terraform.tfstate
	run -0 $cli show
	[[ $output == *'resource "terraform_data" "a" {'* ]]
	run -0 $cli providers
	[[ $output == *'Providers required by state:'*'[terraform.io/builtin/terraform]'* ]]
	run -0 $cli init
	[ ! -e .terraform.lock.hcl ]
	run -0 $cli state replace-provider -auto-approve \
		terraform.io/builtin/terraform example.test/a/b
	[[ $output == *'Successfully replaced provider for 1 resources.'* ]]
}

# --- locks ---

@test "with-lock: the command runs under the lock and may use it" {
	run -7 tf-state with-lock -operation=Test -- sh -c '
		grep -o "\"Operation\":\"Test\"" .terraform.tfstate.lock.info
		tf-state taint "t.a[0]"
		env -u TFPIPE_LOCK_TOKEN tf-state taint "t.a[1]" ||
			echo "kept out"
		exit 7'
	[[ $output = *'"Operation":"Test"'*'t.a[0] has been marked'*'kept out'* ]]
	[[ $output = *'Error: Error acquiring the state lock'* ]]
	[[ $output = *'Lock Info:'*'Operation: Test'* ]]
	[ ! -e .terraform.tfstate.lock.info ]
}

@test "with-lock: a token for another state does not count" {
	run -0 tf-state with-lock -- tf-state taint -state=base.json 't.a[0]'
	[[ $output = *'marked as tainted'* ]]
}

@test "with-lock: no command, no such command, a killed command" {
	run -1 tf-state with-lock --
	[[ $output = *'Error: Invalid number of arguments'* ]]
	run -1 tf-state with-lock -- ./nothing
	[[ $output = *'Error: Failed to start the command'* ]]
	run -137 tf-state with-lock -- sh -c 'kill -9 $$'
}

@test "lock: held until input ends; -lock-timeout waits for it" {
	mkfifo hold
	tf-state lock <hold >id 3>&- &
	holder=$!
	exec 7>hold
	for i in $(seq 100); do
		[ -s id ] && break
		sleep 0.1
	done
	grep -qE '^[0-9a-f-]{36}$' id
	run -1 tf-state rm t.b
	[[ $output = *"ID:        $(cat id)"* ]]
	run -0 tf-state rm -lock=false t.b
	(sleep 0.6; exec 7>&-) 3>&- &
	exec 7>&-
	run -0 tf-state rm -lock-timeout=20s t.a
	[[ $output = *'Successfully removed 2 resource instance(s).' ]]
	wait $holder
	run -1 tf-state rm -lock-timeout=soon t.a
	run -1 tf-state workspace new -lock=false -lock-timeout=soon w
	[ ! -e terraform.tfstate.d ]
	[[ $output = *'Error: Failed to parse command-line flags'* ]]
}

@test "force-unlock: local locks end with their process" {
	run -1 tf-state force-unlock some-id
	[[ $output = *'Error: State locked by another local process'* ]]
	run -1 tf-state force-unlock -force some-id
	[[ $output = *'Error: Failed to unlock state: LocalState not locked'* ]]
	run -1 tf-state force-unlock
	[[ $output = *'Error: Wrong number of arguments'* ]]
}

@test "an empty file that locking made is gone afterwards" {
	rm terraform.tfstate
	run -1 tf-state rm t.a
	[ ! -e terraform.tfstate ]
	[ ! -e .terraform.tfstate.lock.info ]
}

# --- workspaces ---

@test "workspace: new, list, show, select, delete" {
	run -0 tf-state workspace list
	[ "$output" = '* default' ]
	run -0 tf-state workspace new dev
	[[ $output = 'Created and switched to workspace "dev"!'* ]]
	run -0 tf-state workspace show
	[ "$output" = dev ]
	run -0 tf-state workspace list
	[ "$output" = '  default
* dev' ]
	run -1 tf-state list
	[[ $output = *'Error: No state file was found'* ]]
	tf-state push base.json
	[ -f terraform.tfstate.d/dev/terraform.tfstate ]
	run -1 tf-state workspace new dev
	[[ $output = *'Error: Workspace "dev" already exists'* ]]
	run -1 tf-state workspace delete dev
	[[ $output = *'Error: Workspace "dev" is your active workspace'* ]]
	run -0 tf-state workspace select default
	[ "$output" = 'Switched to workspace "default".' ]
	run -1 tf-state workspace delete dev
	[[ $output = *'Error: Workspace is not empty'* ]]
	run -0 tf-state workspace delete -force dev
	[[ $output = *'Deleted workspace "dev"!'* ]]
	[[ $output = *'Warning: "dev" was non-empty'* ]]
	[ ! -e terraform.tfstate.d/dev ]
	run -1 tf-state workspace select dev
	[[ $output = *"Error: Workspace \"dev\" doesn't exist"* ]]
	run -0 tf-state workspace select -or-create qa
	[ "$(tf-state workspace show)" = qa ]
}

@test "workspace select: of that which is selected there is nothing to say or make" {
	tf-state workspace new dev
	for option in '' -or-create; do
		run -0 tf-state workspace select $option dev
		[ -z "$output" ]
	done
	rm -r terraform.tfstate.d/dev
	for option in '' -or-create; do
		run -0 tf-state workspace select $option dev
		[ -z "$output" ]
	done
	[ ! -e terraform.tfstate.d/dev ]
}

@test "workspace delete waits for a lock as long as it is told" {
	tf-state workspace new dev
	tf-state workspace select default
	mkfifo hold
	TF_WORKSPACE=dev tf-state lock <hold >id 3>&- &
	holder=$!
	exec 7>hold
	for i in $(seq 100); do
		[ -s id ] && break
		sleep 0.1
	done
	run -1 tf-state workspace delete dev
	[[ $output = *'Error: Error acquiring the state lock'* ]]
	(sleep 0.6; exec 7>&-) 3>&- &
	exec 7>&-
	run -1 tf-state workspace delete -lock-timeout=soon dev
	[[ $output != *'Error acquiring'* ]]
	run -0 tf-state workspace delete -lock-timeout=20s dev
	[[ $output = *'Deleted workspace "dev"!'* ]]
	wait $holder
	tf-state workspace new qa
	tf-state workspace select default
	run -1 tf-state workspace delete -lock-timeout=soon qa
	[[ $output = *'"soon"'* ]]
}

@test "workspace new -state starts with a copy, a state of its own" {
	run -0 tf-state workspace new -state=base.json copy
	[ "$(addresses t.b)" = 't.b["k"] ' ]
	[ "$(serial)" = 1 ]
	lineage=$(tf-state pull | jq -r .lineage)
	[[ $lineage == ????????-* ]]
}

@test "workspace: names that are none, TF_WORKSPACE, TF_DATA_DIR" {
	for name in a/b '' .. 'a b'; do
		run -1 tf-state workspace new "$name"
		[[ $output = *'Error: Invalid workspace name'* ]]
	done
	tf-state workspace new dev
	TF_WORKSPACE=env run -0 tf-state workspace show
	[ "$output" = env ]
	TF_WORKSPACE=env run -1 tf-state workspace select default
	[[ $output = *'The selected workspace is overridden using the TF_WORKSPACE'* ]]
	TF_WORKSPACE=env run -1 tf-state workspace new other
	TF_WORKSPACE=env run -0 tf-state workspace list
	[[ $output = *'TF_WORKSPACE environment'* ]]
	TF_DATA_DIR=data run -0 tf-state workspace show
	[ "$output" = default ]
	TF_DATA_DIR=data tf-state workspace select dev
	[ "$(cat data/environment)" = dev ]
	run -1 tf-state workspace odd
	run -1 tf-state workspace new
	[[ $output = *'Error: Invalid arguments list'* ]]
}

# --- the rest ---

@test "-C works elsewhere; the backend that init chose is used" {
	mkdir -p sub/.terraform
	cp base.json sub/my.tfstate
	echo '{"version":3,"backend":{"type":"local","config":{"path":"my.tfstate"}}}' \
		>sub/.terraform/terraform.tfstate
	printf 'terraform {\n  backend "local" {\n    path = "my.tfstate"\n  }\n}\n' \
		>sub/main.tf
	run -0 tf-state list -C sub t.b
	[ "$output" = 't.b["k"]' ]
	echo '{"version":3,"backend":{"type":"odd","config":{}}}' \
		>sub/.terraform/terraform.tfstate
	run -1 tf-state list -C sub
	[[ $output = *'Error: Backend initialization required'* ]]
	echo 'terraform { backend "odd" {} }' | sed 's/{ b/{\nb/; s/} }/}\n}/' >sub/main.tf
	run -1 tf-state list -C sub
	[[ $output = *'Error: Invalid backend type'*main.tf* ]]
	run -1 tf-state list -C nowhere
}

# bats test_tags=once
@test "an interrupted run is recovered, and says so" {
	sealed >.terraform.tfstate.journal <<-'E'
	{"record":"journal","version":2,"lineage":"lin-1","serial":7}
	{"record":"intent","address":"t.a[0]","action":"delete"}
	{"record":"outcome","address":"t.a[0]","gone":true}
	{"record":"intent","address":"t.new","action":"create"}
	E
	run -0 tf-state list t.a
	[[ $output = *'Warning: State recovered from its journal'* ]]
	[[ $output = *'Warning: Operation of unknown outcome'*t.new* ]]
	[[ $output != *'t.a[0]'* ]]
	[ -e .terraform.tfstate.journal ] # listing takes no lock
	cp .terraform.tfstate.journal kept
	cp terraform.tfstate before
	run -0 tf-state with-lock -- sh -c 'tf-state list t.a; tf-state list t.a'
	# but it uses one that is there; what nobody knows goes on to be told
	[ "$(grep -c 'State recovered' <<<"$output")" = 1 ]
	[ "$(grep -c 'Operation of unknown outcome' <<<"$output")" = 2 ]
	run -0 jq -r .record .terraform.tfstate.journal
	[ "$output" = $'journal\nunknown' ]
	cp kept .terraform.tfstate.journal
	cp before terraform.tfstate
	tf-state rm t.b t.new
	[ ! -e .terraform.tfstate.journal ] # all is known
	[ "$(serial)" = 9 ]
	[ "$(addresses t.a)" = 't.a[1] ' ]
}

@test "help and mistakes" {
	run -0 tf-state -help
	for command in list show mv rm replace-provider taint untaint pull push \
		lock with-lock force-unlock workspace; do
		[[ $output = *"  $command "* ]] || { echo "$command"; false; }
	done
	run -0 tf-state mv -help
	[[ $output = *-dry-run* ]]
	run -1 tf-state
	run -1 tf-state odd
	run -1 tf-state rm -odd t.a
	[[ $output = *'flag provided but not defined'* ]]
}

# bats test_tags=once
@test "what init has not seen stops every command that uses the state" {
	printf 'variable "p" { default = "x" }\nterraform {\n  backend "local" {\n    path = var.p\n  }\n}\n' \
		>main.tf
	for words in list 'show t.b' 'mv t.a t.z' 'rm t.a' pull 'taint t.b' \
		'untaint t.b' 'replace-provider a/b a/c' 'workspace list' \
		'workspace new x' 'workspace select default' \
		'force-unlock -force 1'; do
		run -1 tf-state $words
		[[ $output = *'Error: Backend initialization required, please run "tf init"'* ]]
	done
	run -1 tf-show -current
	[[ $output = *'Error: Backend initialization required'* ]]
	run -1 tf output
	[[ $output = *'Error: Backend initialization required'* ]]
	run -1 tf console </dev/null
	[[ $output = *'Error: Backend initialization required'* ]]
	for words in plan 'apply -auto-approve' 'destroy -auto-approve' refresh; do
		run -1 tf $words -input=false -var p=terraform.tfstate
		[[ $output = *'Error: Backend initialization required'* ]]
	done
	cmp base.json terraform.tfstate
	[ "$(tf-state workspace show)" = default ]
	[ "$(tf-state list -state=base.json t.b)" = 't.b["k"]' ]
	# init, then the same: the values of variables count
	tf init -var p=terraform.tfstate >/dev/null
	[ "$(addresses -var p=terraform.tfstate t.b)" = 't.b["k"] ' ]
	run -1 tf-state list -var p=other.tfstate
	[[ $output = *'Error: Backend initialization required: please run "tf init"'* ]]
	# which arguments there are is for init to say
	sed -i 's/    path/    wrong = 1\n&/' main.tf
	[ "$(addresses -var p=terraform.tfstate t.b)" = 't.b["k"] ' ]
	sed -i '/ path/d' main.tf
	run -1 tf-state list -var p=terraform.tfstate
	[[ $output = *'Error: Backend initialization required: please run'* ]]
	run -1 tf init -var p=terraform.tfstate
	[[ $output = *'Error: Unsupported argument'* ]]
	# a file that is wrong is shown
	echo 'terraform { backend }' >more.tf
	run -1 tf-state list -var p=terraform.tfstate
	[[ $output = *more.tf* ]]
}

@test "-json: messages instead of text, the state of one instance" {
	sed 's/"t"/"terraform_data"/g' base.json >terraform.tfstate
	messages() { tf-state "$@" -json | jq -c 'del(."@timestamp")'; }
	a=terraform_data.a
	[ "$(messages list $a | jq -r .type)" = \
	  $'version\nresource_address\nresource_address' ]
	[ "$(messages list $a | sed -n 2p)" = \
	  '{"@level":"info","@message":"terraform_data.a[0]","@module":"tofu.ui","type":"resource_address"}' ]
	tf-state show -json "$a[0]" | sed 1d >one
	jq -e '.values.root_module.resources | length == 1 and
		.[0].address == "terraform_data.a[0]" and
		.[0].values.id == "a0"' one
	jq -e '.values | has("outputs") | not' one
	[ "$(messages mv "$a[0]" terraform_data.z | jq -r '."@message"' | tail -n 2)" = \
	  $'Move "terraform_data.a[0]" to "terraform_data.z"\nSuccessfully moved 1 object(s)' ]
	[ "$(messages rm -dry-run terraform_data.z | jq -r '."@message"' | sed -n 2p)" = \
	  'Would remove terraform_data.z' ]
	[ "$(messages taint terraform_data.z | jq -r '."@message"' | tail -n 1)" = \
	  'Resource instance terraform_data.z has been marked as tainted.' ]
	[ "$(messages workspace list | tail -n 1)" = \
	  '{"@level":"info","@message":"list of workspaces","@module":"tofu.ui","current_workspace":"default","type":"workspace_list","workspaces":["default"]}' ]
	[ "$(messages workspace new w | jq -r '."@message"' | tail -n 1)" = \
	  "Created and switched to workspace \"w\". You're now on a new, empty workspace. Workspaces isolate their state, so if you run \"tf plan\" tfpipe will not see any existing state for this configuration" ]
	run -1 --separate-stderr tf-state list -json nope.x
	[ -z "$stderr" ]
	jq -e -s '.[1].diagnostic.severity == "error" and
		.[1].type == "diagnostic"' <<<"$output"
}

@test "push: not while another holds the lock" {
	tf-state pull >pushed
	run -1 tf-state with-lock -- \
		env TFPIPE_LOCK_TOKEN= tf-state push -force pushed
	[[ $output == *'Error acquiring the state lock'* ]]
}

@test "mv -state-out: what cannot be stored there stays here" {
	tf-state mv -state-out=other.tfstate t.b t.bb
	cp terraform.tfstate before
	run -1 tf-state mv -state-out=other.tfstate -backup-out=no/such/dir \
		module.m.t.c module.m.t.c
	[[ $output == *'Failed to save state'* ]]
	cmp before terraform.tfstate
}

@test "a resource with neither a provider nor an instance is left out" {
	jq '.resources += [{"mode": "managed", "type": "t", "name": "none"}]' \
		base.json >terraform.tfstate
	run -0 tf-state pull
	[ "$(jq -c '[.resources[].name] | sort' <<<"$output")" = '["a","b","c","d"]' ]
	tf-state rm t.a
	run -0 tf-state pull
	[ "$(jq -c '[.resources[].name] | sort' <<<"$output")" = '["b","c","d"]' ]
}

@test "the lock that the backend inmem is given is held when a command begins" {
	mkdir inmem
	cd inmem
	cat >main.tf <<-'END'
	terraform {
	  backend "inmem" { lock_id = "held" }
	}
	END
	run -0 tf init
	for words in plan 'apply -auto-approve' refresh; do
		# shellcheck disable=SC2086
		run -1 tf $words -no-color
		[[ $output = *'Error acquiring the state lock'*'ID:        held'* ]]
	done
	run -0 tf plan -lock=false
	run -1 tf force-unlock -force other
	[[ $output = *'invalid lock id'* ]]
	run -0 tf force-unlock -force held
	sed -i 's/"held"/""/' main.tf
	run -0 tf init -reconfigure
	run -0 tf plan
	run -1 tf force-unlock -force held
	[[ $output = *'state not locked'* ]]
}

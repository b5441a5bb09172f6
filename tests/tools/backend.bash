# backend.bash - what the tests of backends do with any of them; for files that load
# it after servers.bash
#
# resource prints what all configurations have: a resource whose input is var.v.

resource() {
	cat <<-'END'
	variable "v" { default = "1" }
	resource "terraform_data" "a" { input = var.v }
	output "o" { value = terraform_data.a.output }
	END
}

cli() {
	timeout 60 "${TF_TEST_CLI-tf}" "$@" -no-color
}

begin() {
	cli init -input=false >/dev/null
	cli apply -auto-approve -var "v=$1" >/dev/null
}

# An apply that goes on until the file `go` is there.
slow_apply() { # PROGRAM
	cat >>main.tf <<-'END'
	resource "terraform_data" "slow" {
	  provisioner "local-exec" {
	    command = "touch begun; until [ -e go ]; do sleep 0.05; done"
	  }
	}
	END
	rm -f begun go
	timeout 60 "$1" apply -auto-approve -no-color >slow.out 2>&1 3>&- &
	slow=$!
	for _ in $(seq 1200); do
		[ ! -e begun ] || return 0
		sleep 0.05
	done
	cat slow.out
	return 1
}

# The same without the resource, for those who look at the rest.
without_slow() {
	sed -i '/"slow"/,$d' main.tf
}

# Each of the first N requests through a proxy is met by two of four faults (by all,
# with TF_TEST_FAULT_STEP=1): after an apply the state is there, or is in
# errored.tfstate, which can be pushed; and no lock is left, which `locks` counts:
# every_fault PROXY N
every_fault() {
	local proxy=$1 total=$2 dir=${1}_dir do at v n has first=1
	for do in refuse lose cut-request cut-answer; do
		first=$((3 - first))
		for at in $(seq "$first" "${TF_TEST_FAULT_STEP-2}" "$total"); do
			v=$do$at
			n=$(wc -l <"${!dir}/requests.jsonl")
			rm -f errored.tfstate
			faults "$proxy" "{\"n\":$((n + at)),\"do\":\"$do\",\"bytes\":9}"
			cli apply -auto-approve -var "v=$v" >out 2>&1 || true
			faults "$proxy"
			has=$(cli output -raw o)
			if [ -e errored.tfstate ]; then
				cli state push errored.tfstate >/dev/null
			elif [ "$has" != "$v" ]; then
				# nothing was done: the fault came before
				run -1 grep -c 'Modifications complete' out
				cli apply -auto-approve -var "v=$v" >/dev/null
			fi
			[ "$(cli output -raw o)" = "$v" ]
			[ "$(locks)" = 0 ]
		done
	done
}

# An apply of another program waits for the slow one's lock, and says so: wait_behind
# PROGRAM
wait_behind() {
	"$1" apply -auto-approve -no-color -lock-timeout=50s >late.out 2>&1 3>&- &
	until grep -q 'Acquiring state lock' late.out; do
		kill -0 $!
		sleep 0.05
	done
	touch go
	wait "$slow"
	wait $!
}

# Of consul, pg and kubernetes: force-unlock takes the lock whose ID is told and no
# other, and who held it stores nothing over what came then; by tofu, whose force-unlock
# may take any ID: forced_away TEXT [PROGRAM]
forced_away() {
	local by=${2-tf}
	begin one
	slow_apply tf
	without_slow
	run -1 "$by" plan -no-color
	id=$(sed -n 's/^.* ID: *//p' <<<"$output")
	if [ "$by" = tf ]; then
		run -1 tf force-unlock -force other
		[[ $output == *"\"$id\""* ]]
	fi
	run -0 "$by" force-unlock -force "$id"
	mkdir other
	cp -r main.tf .terraform other
	(cd other && run -0 "$by" apply -auto-approve -var v=two)
	touch go
	status=0
	wait "$slow" || status=$?
	[ "$status" = 1 ]
	grep -q "$1" slow.out
	[ -e errored.tfstate ]
	[ "$("$by" output -raw o)" = two ]
}

# Of consul and kubernetes: each program takes the lock of the other away, with the ID
# that it tells: taken_away TEXT
taken_away() {
	need_peer
	forced_away "$1" tofu
	rm errored.tfstate
	tf apply -auto-approve -lock-timeout=50s >/dev/null
	slow_apply tofu
	without_slow
	run -1 tf plan -no-color
	id=$(sed -n 's/^ *ID: *//p' <<<"$output")
	run -1 tf force-unlock -force other
	[[ $output == *"\"$id\""* ]]
	run -0 tf force-unlock -force "$id"
	touch go
	wait "$slow" || true
}

# The states of three workspaces are moved to where main.tf says, and who asks is
# looked up once meanwhile, which COMMAND counts: moved_as_one COMMAND...
moved_as_one() {
	local before w
	mkdir moved
	resource >moved/main.tf
	cli -chdir=moved init >/dev/null
	for w in x y default; do
		cli -chdir=moved workspace "$([ $w = default ] && echo select || echo new)" $w >/dev/null
		cli -chdir=moved apply -auto-approve >/dev/null
	done
	find . -maxdepth 1 -type f -exec cp {} moved \;
	before=$("$@" || true)
	run -0 cli -chdir=moved init -input=false -migrate-state -force-copy
	[ $(($("$@") - ${before:-0})) = 1 ]
	run -0 cli -chdir=moved workspace list
	[ "$(tr -d ' \n' <<<"$output")" = '*defaultxy' ]
}

# Data sources of another configuration read an output of the state that main.tf
# keeps: read_from_outside VALUE [NAME]
read_from_outside() {
	local one
	mkdir -p outside
	find . -maxdepth 1 -type f ! -name '*.tf*' -exec cp {} outside \;
	{
		sed -n 's/^  backend \(.*\) {$/data "terraform_remote_state" "r" {\n  count   = 3\n  backend = \1\n  config = {/p' main.tf
		sed '1,/^  backend /d; /^  }$/,$d; s/\([a-z]\) {$/\1 = {/' main.tf
		printf '  }\n}\noutput "all" {\n  value = join(",", data.terraform_remote_state.r[*].outputs.%s)\n}\n' "${2-o}"
	} >outside/main.tf
	for one in tf other; do
		run -0 "$one" -chdir=outside init -no-color
		run -0 "$one" -chdir=outside apply -auto-approve -no-color
		[[ $output == *"all = \"$1,$1,$1\""* ]]
	done
}

# What one program writes the other reads, and each sees the other's lock, which says
# TEXT, and waits for it; what is older or another's is not pushed over it, and a
# workspace is made by one and deleted by the other: both_programs TEXT
both_programs() {
	need_peer
	begin one
	[ "$(tofu output -raw o)" = one ]
	tofu apply -auto-approve -no-color -var v=two >/dev/null
	tofu workspace new w >/dev/null
	tofu workspace select default >/dev/null
	[ "$(tf output -raw o)" = two ]
	[ "$(tf workspace list | tr -d ' \n')" = '*defaultw' ]
	read_from_outside two
	for pair in 'tf tofu' 'tofu tf'; do
		set -- "$1" $pair
		slow_apply "$2"
		without_slow
		run -1 "$3" plan -no-color -lock-timeout=1s
		[[ $output == *"$1"* ]]
		wait_behind "$3"
		"$2" state pull >is
		run -1 "$3" state push - < <(jq '.serial -= 1' is)
		[[ $output == *'serial'* ]]
		run -1 "$3" state push - < <(jq '.lineage = "other"' is)
		[[ $output == *'lineage'* ]]
		run -0 "$3" state push -force - < <(
			jq '.lineage = "other" | .outputs.o.value = "pushed"' is)
		[ "$("$2" output -raw o)" = pushed ]
		run -0 "$3" state push -force is
		"$2" workspace new "$2" >/dev/null
		[[ $("$3" workspace list) == *" $2"* ]]
		"$3" apply -auto-approve -no-color >/dev/null
		"$2" workspace select default >/dev/null
		run -1 "$3" workspace delete "$2"
		[[ $output == *'not empty'* || $output == *'currently'* ]]
		"$3" workspace select default >/dev/null
		run -0 "$3" workspace delete -force "$2"
		run -0 "$2" workspace list
		[[ $output != *" $2"* ]]
	done
}

# For http, gcs and azurerm, whose files have `config VALUE`, which prints a
# configuration with that output, and for the two clouds `stored WORKSPACE JQ...`, of
# a state, and `free`: nobody holds the lock.

# The other program, or our own where there is none.
other() {
	if command -v tofu >/dev/null; then
		CHECKPOINT_DISABLE=1 tofu "$@"
	else
		tf "$@"
	fi
}

applied() {
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
}

# What one program writes the other goes on with.
gone_on_with() {
	applied
	lineage=$(stored default .lineage)
	run -0 other init
	run -0 other plan -detailed-exitcode
	config two >main.tf
	run -0 other apply -auto-approve
	[ "$(stored default .lineage)" = "$lineage" ]
	run -0 tf plan -detailed-exitcode
	run -0 tf output -raw o
	[ "$output" = two ]
	read_from_outside two
}

# The same with workspaces, of which each program makes one.
workspaces_gone_on_with() {
	tf workspace new ours >/dev/null
	run -0 tf plan -no-color
	other apply -auto-approve
	tf workspace select default >/dev/null
	other workspace new theirs
	tf apply -auto-approve >/dev/null
	run -0 tf workspace list
	[ "$output" = $'  default\n  ours\n* theirs' ]
	run -0 other workspace list
	[[ $output == *default*ours*theirs* ]]
	[ "$(stored ours -r .outputs.o.value)" = two ]
	[ "$(stored theirs -r .outputs.o.value)" = two ]
	tf destroy -auto-approve >/dev/null
	tf workspace select default >/dev/null
	run -1 tf workspace delete ours
	[[ $output == *'Workspace is not empty'* ]]
	run -0 tf workspace delete theirs
	run -0 other workspace delete -force ours
	run -0 tf workspace list
	[ "$output" = '* default' ]
}

# Each fault once at each kind of request: cut_everywhere PROXY MATCH...
cut_everywhere() {
	local proxy=$1 n=0 fault match
	shift
	applied
	for fault in '"do":"refuse"' '"do":"lose"' '"do":"cut-request","bytes":200' \
		'"do":"cut-answer","bytes":70' '"do":"cut-answer","bytes":-1' \
		'"do":"answer","status":500,"body":"x"'; do
		for match; do
			n=$((n + 1))
			config "v$n" >main.tf
			faults "$proxy" "{\"match\":\"$match\",$fault}"
			run -0 tf apply -auto-approve -no-color
			faults "$proxy"
			free
			[ "$(stored default -r .outputs.o.value)" = "v$n" ]
		done
	done
}

# What is refused for good ends with an error, what is slow with a result:
# refused_and_slow PROXY MATCH...
refused_and_slow() {
	local proxy=$1 match code
	shift
	applied
	for match; do
		for code in 401 403 429; do
			faults "$proxy" "{\"match\":\"$match\",\"times\":9,\"do\":\"answer\",\"status\":$code}"
			run -1 tf apply -auto-approve -no-color
			[[ $output == *Error*"$code"* ]]
			faults "$proxy"
			free
		done
		faults "$proxy" "{\"match\":\"$match\",\"do\":\"stall\",\"seconds\":3}"
		run -0 tf apply -auto-approve -no-color
	done
}

# A store that never answers leaves errored.tfstate, which can be pushed; one whose
# answers alone are lost is looked for: never_stored PROXY MATCH [BODY of a 403]
never_stored() {
	local proxy=$1 match=$2 body=${3-} fault n=0
	applied
	for fault in '"do":"refuse"' '"do":"lose"' \
		"\"do\":\"answer\",\"status\":403${body:+,\"body\":\"$body\"}" \
		'"do":"answer","status":429'; do
		n=$((n + 1))
		config "s$n" >main.tf
		faults "$proxy" "{\"match\":\"$match\",\"times\":9,$fault}"
		if [[ $fault = *lose* ]]; then
			run -0 tf apply -auto-approve -no-color
			faults "$proxy"
			[ ! -e errored.tfstate ]
		else
			run -1 tf apply -auto-approve -no-color
			faults "$proxy"
			[ -e errored.tfstate ]
			rm -f .terraform/state-*.journal
			run -0 tf state push errored.tfstate
			rm errored.tfstate
		fi
		free
		run -0 tf plan -detailed-exitcode
	done
}

# A workspace that is made in an encrypted run can be used, and is sealed: in a
# directory with a configuration of a backend that has workspaces.
workspaces_are_sealed() {
	export TF_ENCRYPTION='key_provider "pbkdf2" "k" {
  passphrase = "a passphrase of the tests"
  iterations = 200000
}
method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
state {
  method   = method.aes_gcm.m
  enforced = true
}'
	run -0 tf init -no-color
	run -0 tf workspace new -no-color sealed
	run -0 tf plan -no-color
	run -0 tf workspace select -no-color default
	run -0 tf workspace delete -no-color sealed
}

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
	for _ in $(seq 200); do
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

need_peer() {
	command -v tofu >/dev/null || skip 'OpenTofu is not on PATH'
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

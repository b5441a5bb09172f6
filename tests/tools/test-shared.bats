#!/usr/bin/env bats
# test-shared.bats - tf test: one process of a mocked provider serves all runs

load provider

setup() {
	provider_setup
	# whose starts are counted
	mkdir bin
	cat >bin/terraform-provider-test <<-END
	#!/bin/sh
	echo "\$\$" >>"$PWD/starts"
	exec "$provider_dir/terraform-provider-test"
	END
	chmod +x bin/terraform-provider-test
	sed -i "s|\"$provider_dir\"|\"$PWD/bin\"|" rc
	: >starts
	config <<-'END'
	variable "v" { default = "a" }
	resource "test_all" "r" {
	  name = var.v
	}
	output "o" { value = test_all.r.name }
	END
}

runs() { # N [LINE...]: so many runs that plan, each with the lines
	local n=$1 i
	shift
	for i in $(seq 0 "$((n - 1))"); do
		echo "run \"r$i\" {"
		echo '  command = plan'
		printf '  %s\n' "$@"
		cat <<-END
		  variables {
		    v = "x$i"
		  }
		  assert {
		    condition     = output.o == "x$i"
		    error_message = "not x$i"
		  }
		}
		END
	done
}

@test "runs share the process of a provider that is mocked" {
	{
		echo 'mock_provider "test" {}'
		runs 6
	} >a.tftest.hcl
	cp a.tftest.hcl b.tftest.hcl
	run -0 tf test
	[[ $output == *'12 passed, 0 failed'* ]]
	[ "$(wc -l <starts)" = 1 ]
	# it has ended
	run -1 kill -0 "$(<starts)"
	run -1 grep -i configure calls
}

@test "a provider that is asked in a run has a process of the run's own" {
	{
		echo 'mock_provider "test" { alias = "made" }'
		echo 'provider "test" {}'
		runs 2
	} >a.tftest.hcl
	run -0 tf test
	[[ $output == *'2 passed, 0 failed'* ]]
	[ "$(wc -l <starts)" -ge 2 ]
}

@test "where the process has died, a run starts its own" {
	export TFPIPE_SHARED_PROVIDERS='{
	  "registry.opentofu.org/hashicorp/test": {
	    "ProtocolVersion": 6,
	    "Test": true,
	    "Addr": { "Network": "unix", "String": "'$PWD'/gone" }
	  }
	}'
	run -0 tf plan
	[[ $output == *'1 to add'* ]]
	[ "$(wc -l <starts)" -ge 1 ]
}

@test "a process that cannot be had is the runs' to tell" {
	{
		echo 'mock_provider "test" {}'
		runs 2
	} >a.tftest.hcl
	printf '#!/bin/sh\necho "$$" >>"%s/starts"\n' "$PWD" >bin/terraform-provider-test
	run -1 tf test
	[[ $output == *'ended before its handshake'* ]]
	[ "$(wc -l <starts)" -ge 2 ]
}

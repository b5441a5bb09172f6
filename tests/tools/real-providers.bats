#!/usr/bin/env bats
# real-providers.bats - unmodified providers: random, local, tls, time.
# TFPIPE_PLUGIN_MIRROR is a filesystem mirror of them (scripts/providers).

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >rc <<-END
	provider_installation {
	  filesystem_mirror {
	    path = "${TFPIPE_PLUGIN_MIRROR-}"
	  }
	}
	END
	export TF_CLI_CONFIG_FILE=$PWD/rc
}

need() { # NAME...
	local p found
	for p; do
		found=$(compgen -G "${TFPIPE_PLUGIN_MIRROR:-/nonexistent}/registry.opentofu.org/hashicorp/$p/*/*/terraform-provider-${p}_*") ||
			found=
		[ -n "$found" ] ||
			skip "no provider $p: needs go (see scripts/providers)"
	done
}

# init, plan, apply, a plan without changes, destroy
life() {
	tf init >/dev/null
	run -2 tf plan -detailed-exitcode -no-color -out=p
	tf apply p >log
	run -0 tf plan -detailed-exitcode -no-color
	[[ $output = *'No changes. Your infrastructure matches the configuration.'* ]]
}

nothing_left() {
	run -0 tf state list
	[ -z "$output" ]
}

@test "random: pets, passwords, what is replaced and why" {
	need random
	cat >main.tf <<-'END'
	variable "n" { default = 2 }
	resource "random_pet" "p" {
	  count  = 3
	  length = var.n
	}
	resource "random_password" "w" {
	  length  = 20
	  special = false # printed as it is, if at all
	  keepers = { pet = random_pet.p[0].id }
	}
	output "pets" { value = random_pet.p[*].id }
	output "w" {
	  value     = random_password.w.result
	  sensitive = true
	}
	END
	life
	[ "$(tf output -json pets | jq 'map(split("-") | length) == [2,2,2]')" = true ]
	w=$(tf output -raw w)
	[ ${#w} = 20 ]
	grep -qx 'w = <sensitive>' log
	run -1 grep -qF "$w" log
	run -2 tf plan -detailed-exitcode -no-color -var n=3
	[[ $output = *'# random_pet.p[0] must be replaced'*'~ length'*'2 -> 3 # forces replacement'* ]]
	[[ $output = *'# random_password.w must be replaced'* ]]
	[[ $output = *'Plan: 4 to add, 0 to change, 4 to destroy.'* ]]
	tf state show random_password.w >shown
	grep -q 'result .*(sensitive value)' shown
	tf destroy -auto-approve >/dev/null
	nothing_left
}

@test "local: files made, changed from outside, read" {
	need local
	cat >main.tf <<-'END'
	resource "local_file" "f" {
	  filename = "${path.module}/f.txt"
	  content  = "one\n"
	}
	data "local_file" "g" { filename = local_file.f.filename }
	output "g" { value = data.local_file.g.content }
	END
	life
	[ "$(cat f.txt)" = one ]
	[ "$(tf output -raw g)" = one ]
	echo two >f.txt
	run -2 tf plan -detailed-exitcode -no-color
	[[ $output = *'# local_file.f will be created'* ]]
	tf apply -auto-approve >/dev/null
	[ "$(cat f.txt)" = one ]
	tf destroy -auto-approve >/dev/null
	[ ! -e f.txt ]
}

@test "tls and time: one provider's results into another's, import" {
	need tls time
	cat >main.tf <<-'END'
	resource "tls_private_key" "k" { algorithm = "ED25519" }
	resource "tls_self_signed_cert" "c" {
	  private_key_pem       = tls_private_key.k.private_key_pem
	  validity_period_hours = 12
	  allowed_uses          = ["digital_signature"]
	  subject { common_name = "example.com" }
	}
	resource "time_static" "t" {}
	output "year" {
	  value = provider::time::rfc3339_parse(time_static.t.id).year
	}
	terraform {
	  required_providers { time = { source = "hashicorp/time" } }
	}
	END
	sed -i 's/required_providers { \(.*\) }$/required_providers {\n\1\n}/' main.tf
	life
	[ "$(tf output year)" -ge 2026 ]
	tf show -json | jq -e '[.values.root_module.resources[] |
		select(.address == "tls_private_key.k") |
		.sensitive_values.private_key_pem] == [true]'
	tf state rm time_static.t >/dev/null
	run -0 tf import -no-color time_static.t 2020-02-12T06:36:13Z
	[[ $output = *'Import successful!'* ]]
	[ "$(tf state pull | jq '.resources[] | select(.type == "time_static") |
		.instances[0].attributes.year')" = 2020 ]
	tf providers schema -json | jq -e '.provider_schemas |
		.["registry.opentofu.org/hashicorp/time"].functions.rfc3339_parse'
	tf destroy -auto-approve >/dev/null
	nothing_left
}

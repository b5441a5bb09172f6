#!/usr/bin/env bats
# refusals.bats - what is not there yet is refused before anything is done,
# never passed over

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir w
	cd w
	export HOME=$BATS_TEST_TMPDIR TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	: >"$TF_CLI_CONFIG_FILE"
	unset TF_ENCRYPTION
}

# --- encryption ---

# A state, a copy of it and a saved plan, from before encryption was wanted.
applied() {
	cat >main.tf <<'EOF'
resource "terraform_data" "b" {}
resource "terraform_data" "a" { input = "x" }
output "o" { value = terraform_data.a.output }
EOF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf plan -destroy -out=p >/dev/null
	tf workspace new other >/dev/null
	tf workspace select default >/dev/null
	cp terraform.tfstate copy.tfstate
}

# Every command that reads or writes a state or a plan, a line each.
state_commands() {
	cat <<'EOF'
init
init -reconfigure
plan
plan -json
plan -out=q
plan -refresh=false -state=copy.tfstate
apply -auto-approve
apply -auto-approve -json
apply -auto-approve -state-out=new.tfstate
apply p
apply -lock=false p
apply -json p
destroy -auto-approve
refresh
import terraform_data.b x
console
graph
output
output -json
output -state=copy.tfstate
show
show p
show copy.tfstate
show -json p
providers
providers schema -json
taint terraform_data.a
untaint terraform_data.a
force-unlock -force 1
state list
state ls
state list -state=copy.tfstate
state show terraform_data.a
state mv terraform_data.a terraform_data.b
state rm terraform_data.a
state replace-provider -auto-approve a/a b/b
state pull
state push copy.tfstate
workspace list
workspace new third
workspace select other
workspace delete other
EOF
}

everything() {
	find . -type f -exec md5sum {} + | sort
}

# Runs them all: each is refused, by the reason, and leaves everything as it
# was.
all_refused() {
	everything >../before
	state_commands >../commands
	while read -r words <&3; do
		# shellcheck disable=SC2086
		run -1 tf $words </dev/null
		case $output in
		*'State encryption is not supported'*) ;;
		*) printf 'tf %s:\n%s\n' "$words" "$output"; false ;;
		esac
		everything | diff ../before - || { echo "tf $words"; false; }
		[[ $output != *"$1"* ]]
	done 3<../commands
}

@test "TF_ENCRYPTION: nothing reads or writes a state or plan" {
	applied
	export TF_ENCRYPTION='key_provider "pbkdf2" "k" { passphrase = "hunter2" }'
	all_refused hunter2
}

@test "an encryption block: nothing reads or writes a state or plan" {
	applied
	cat >encryption.tf <<'EOF'
terraform {
  encryption {
    key_provider "pbkdf2" "k" { passphrase = "hunter2" }
    method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
    state {
      method   = method.aes_gcm.m
      enforced = true
    }
  }
}
EOF
	all_refused hunter2
}

@test "an encryption block is found wherever and however it is written" {
	echo '{"terraform": {"encryption": {"state": {"enforced": true}}}}' \
		>main.tf.json
	run -1 tf plan
	[[ $output == *'State encryption is not supported'*main.tf.json* ]]
	# "encryption", as JSON lets it be written
	echo '{"terraform": {"\u0065ncryption": [{"state": {}}]}}' >main.tf.json
	run -1 tf state list
	[[ $output == *'State encryption is not supported'* ]]
	rm main.tf.json
	echo 'terraform {}' >main.tofu
	printf 'terraform {\n encryption {\n  plan {\n  }\n }\n}\n' \
		>x_override.tf
	run -1 tf plan
	[[ $output == *'State encryption is not supported'*x_override.tf* ]]
	run -1 tf output
	[[ $output == *'State encryption is not supported'*x_override.tf* ]]
}

@test "encryption is refused before a provider starts" {
	cat >main.tf <<'EOF'
terraform {
  required_providers { p = { source = "acme/p" } }
  encryption {}
}
resource "p_thing" "a" {}
EOF
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	d=.terraform/providers/registry.opentofu.org/acme/p/1.0.0/$platform
	mkdir -p "$d"
	printf '#!/bin/sh\n: >"%s/started"\nexit 1\n' "$PWD" \
		>"$d/terraform-provider-p_v1.0.0"
	chmod +x "$d/terraform-provider-p_v1.0.0"
	printf 'provider "registry.opentofu.org/acme/p" {\n  version = "1.0.0"\n}\n' \
		>.terraform.lock.hcl
	for words in plan 'apply -auto-approve' destroy refresh \
		'import p_thing.a 1' console 'providers schema -json'; do
		# shellcheck disable=SC2086
		run -1 tf $words </dev/null
		[[ $output == *'State encryption is not supported'* ]]
		[ ! -e started ]
	done
	run -1 tf validate # the same without it: the provider is started
	[ -e started ]
}

@test "what has no state leaves encryption alone" {
	cat >main.tf <<'EOF'
terraform {
  encryption {
    state { enforced = true }
  }
}
EOF
	export TF_ENCRYPTION='state { enforced = true }'
	run -0 tf init -backend=false
	run -0 tf validate
	run -0 tf get
	run -0 tf fmt -check
	run -0 tf version
	run -0 tf workspace show
	run -0 tf metadata functions -json
}

@test "encryption blocks of child modules and a blank TF_ENCRYPTION ask for nothing" {
	export TF_ENCRYPTION=$' \t\n'
	mkdir m
	echo 'module "m" { source = "./m" }' >main.tf
	echo 'terraform { 
 encryption {
 } 
}' >m/main.tf
	tf init
	tf apply -auto-approve
	tf state list
	echo 'terraform { 
 encryption { 
 nope = 1 
 } 
}' >m/main.tf
	run -1 tf plan
	[[ $output == *'Unsupported argument'* ]]
}

# --- arguments that were accepted without effect ---

@test "destroy of a lifecycle block is a constant, evaluated" {
	plan() { # EXPRESSION
		cat >main.tf <<EOF
variable "keep" { default = false }
resource "terraform_data" "a" {
  triggers_replace = "x"
  lifecycle { destroy = $1 }
}
EOF
		run tf plan -json
	}
	for e in 'var.keep' 'local.x' '"false"' 'null' '1' 'tobool("false")' \
		'[]'; do
		plan "$e"
		[ "$status" = 1 ]
		[[ $output == *'"summary":"Invalid lifecycle destroy expression"'* ]]
	done
	plan '!true'
	[ "$status" = 0 ]
	tf apply -auto-approve >/dev/null
	tf state pull | jq -e '.resources[0].instances[0].skip_destroy'
	run -0 tf plan -destroy -json
	[[ $output == *'"forget":1'* ]]
	plan '1 == 1'
	[ "$status" = 0 ]
	run -0 tf plan -destroy -json
	[[ $output == *'"action":"delete"'* ]]
}

@test "a built-in provider has no version to choose, and exists" {
	needs() { # SOURCE VERSION
		cat >main.tf <<EOF
terraform {
  required_providers {
    p = {
      source = "terraform.io/builtin/$1"
      $2
    }
  }
}
EOF
		run tf init
	}
	needs terraform 'version = ">= 1.0"'
	[ "$status" = 1 ]
	[[ $output == *'Invalid dependency on built-in provider'*'>= 1.0'* ]]
	needs nothing ''
	[ "$status" = 1 ]
	[[ $output == *'Invalid dependency on built-in provider'*'nothing'* ]]
	[ ! -e .terraform.lock.hcl ]
	needs terraform ''
	[ "$status" = 0 ]
}

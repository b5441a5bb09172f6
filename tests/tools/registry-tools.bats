#!/usr/bin/env bats
# registry-tools.bats - providers lock and providers mirror from registries and
# network mirrors; with TF_TEST_CLI=tofu the same on OpenTofu.

load common
load registry

setup() {
	registry_setup
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir -p "$TMPDIR"
	# places of the CLI configuration do not count for these commands
	export TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	printf 'provider_installation {\n  filesystem_mirror {\n    path = "/nowhere"\n  }\n}\n' \
		>"$TF_CLI_CONFIG_FILE"
	require 'one=>= 1.0' >main.tf
}

require() {
	printf 'terraform {\n  required_providers {\n'
	for r; do
		printf '    %s = {\n      source = "registry.test/acme/%s"\n' "${r%%=*}" "${r%%=*}"
		case $r in
		*=*) printf '      version = "%s"\n' "${r#*=}" ;;
		esac
		echo '    }'
	done
	printf '  }\n}\n'
}

left() { # nothing in the temporary directory
	ours || return 0
	run -0 find "$TMPDIR" -mindepth 1
	[ -z "$output" ]
}

# bats test_tags=once
@test "lock: this platform, others, again" {
	publish registry.test acme/one 1.0.0 1.2.0
	run -0 cli providers lock -no-color
	[[ $output = *"- Fetching registry.test/acme/one 1.2.0 for $platform...
- Retrieved registry.test/acme/one 1.2.0 for $platform (signed, key ID $key_id)
- Obtained registry.test/acme/one checksums for $platform; This was a new provider and the checksums for this platform are now tracked in the lock file"* ]]
	[[ $output = *'Success! tfpipe has updated the lock file.'* ]]
	[ "$(grep -c '"h1:' .terraform.lock.hcl)" = 1 ]
	[ "$(grep -c '"zh:' .terraform.lock.hcl)" = 2 ]
	grep -q 'constraints = ">= 1.0.0"' .terraform.lock.hcl
	# a newer version does not change what is locked
	publish registry.test acme/one 2.0.0
	run -0 cli providers lock -no-color -platform=plan9_mips -platform=$platform
	[[ $output = *'checksums for plan9_mips; Additional checksums for this platform are now tracked'* ]]
	[[ $output = *"checksums for $platform; All checksums for this platform were already tracked"* ]]
	[ "$(grep -c '"h1:' .terraform.lock.hcl)" = 2 ]
	grep -q 'version     = "1.2.0"' .terraform.lock.hcl
	cp .terraform.lock.hcl before
	run -0 cli providers lock -no-color -platform=plan9_mips
	[[ $output = *'validated the lock file and found no need for changes'* ]]
	cmp before .terraform.lock.hcl
	[ ! -e .terraform ]
	left
}

# bats test_tags=once
@test "lock: several platforms and providers beside one another" {
	publish registry.test acme/one 1.0.0
	publish registry.test acme/two 1.0.0
	require one two >main.tf
	if ours; then
		rules '{"at":"registry.test/v1/providers/*/versions","together":2}' \
			'{"at":"registry.test/files/*.zip","together":4}'
	fi
	run -0 cli providers lock -no-color -platform=plan9_mips -platform=$platform
	[ "$(grep -c '"h1:' .terraform.lock.hcl)" = 4 ]
	if ours; then # versions once a provider
		[ "$(asked 'GET registry.test/v1/providers/acme/one/versions')" = 1 ]
	fi
	: >"$net/log"
	rm .terraform.lock.hcl
	rules
	run -0 cli providers lock -no-color registry.test/acme/two
	[ "$(grep -c '^provider' .terraform.lock.hcl)" = 1 ]
	run -1 grep -q acme/one "$net/log"
}

@test "lock: from a network mirror" {
	MIRROR=mirror.test/p publish registry.test acme/one 1.0.0
	rm -r "$net/www/registry.test"
	run -0 cli providers lock -no-color -net-mirror=https://mirror.test/p/ \
		-platform=plan9_mips
	[[ $output = *'- Retrieved registry.test/acme/one 1.0.0 for plan9_mips (verified checksum)'* ]]
	jq -r '.archives.plan9_mips.hashes[]' \
		"$net/www/mirror.test/p/registry.test/acme/one/1.0.0.json" | sort >want
	sed -n 's/^ *"\(.*\)",$/\1/p' .terraform.lock.hcl | diff - want
	run -1 cli providers lock -no-color -net-mirror=http://mirror.test/p/
	[[ $output = *'Error: Invalid network mirror URL'* ]]
}

# bats test_tags=once
@test "lock: what cannot be had changes nothing" {
	publish registry.test acme/one 1.0.0
	run -1 cli providers lock -no-color -platform=$platform -platform=mars_x
	[[ $output = *'Error: Could not retrieve providers for locking'*mars_x* ]]
	[ ! -e .terraform.lock.hcl ]
	run -1 cli providers lock -no-color -platform=mars
	[[ $output = *'Error: Invalid target platform'* ]]
	require two >main.tf
	run -1 cli providers lock -no-color
	[[ $output = *'Error: Could not retrieve providers for locking'*registry.test/acme/two* ]]
	require one >main.tf
	echo more >>"$net/www/registry.test/files/acme/one/terraform-provider-one_1.0.0_$platform.zip"
	run -1 cli providers lock -no-color
	[[ $output = *'Error: Could not retrieve providers for locking'* ]]
	[ ! -e .terraform.lock.hcl ]
	left
}

@test "mirror: archives and indexes, from which init works" {
	publish registry.test acme/one 1.0.0 1.2.0
	run -0 cli providers mirror -no-color -platform=plan9_mips -platform=$platform ../m
	d=../m/registry.test/acme/one
	[ "$(cd $d; echo *)" = "1.2.0.json index.json terraform-provider-one_1.2.0_linux_${platform#*_}.zip terraform-provider-one_1.2.0_plan9_mips.zip" ]
	cmp $d/terraform-provider-one_1.2.0_plan9_mips.zip \
		"$net/www/registry.test/files/acme/one/terraform-provider-one_1.2.0_plan9_mips.zip"
	[ "$(cat $d/index.json)" = '{
  "versions": {
    "1.2.0": {}
  }
}' ]
	sums=$net/www/registry.test/files/acme/one/terraform-provider-one_1.2.0_SHA256SUMS
	zh() {
		awk -v p="$1.zip" 'index($2, p) { print $1 }' "$sums"
	}
	[ "$(cat $d/1.2.0.json)" = '{
  "archives": {
    "'"$platform"'": {
      "hashes": [
        "zh:'"$(zh "$platform")"'"
      ],
      "url": "terraform-provider-one_1.2.0_'"$platform"'.zip"
    },
    "plan9_mips": {
      "hashes": [
        "zh:'"$(zh plan9_mips)"'"
      ],
      "url": "terraform-provider-one_1.2.0_plan9_mips.zip"
    }
  }
}' ]
	# as a network mirror, and as a directory
	cp -r ../m "$net/www/mirror.test"
	printf 'provider_installation {\n  network_mirror {\n    url = "https://mirror.test/"\n  }\n}\n' \
		>"$TF_CLI_CONFIG_FILE"
	run -0 cli init -no-color
	[[ $output = *'v1.2.0 (verified checksum)'* ]]
	rm -r .terraform .terraform.lock.hcl
	printf 'provider_installation {\n  filesystem_mirror {\n    path = "%s/m"\n  }\n}\n' \
		"$BATS_TEST_TMPDIR" >"$TF_CLI_CONFIG_FILE"
	run -0 cli init -no-color
	[ -x ".terraform/providers/registry.test/acme/one/1.2.0/$platform/terraform-provider-one_v1.2.0" ]
	# another version beside it
	rm .terraform.lock.hcl
	require one=1.0.0 >main.tf
	run -0 cli providers mirror -no-color ../m
	[ "$(jq -c .versions $d/index.json)" = '{"1.0.0":{},"1.2.0":{}}' ]
	[ "$(jq -r '.archives | keys[]' $d/1.0.0.json)" = "$platform" ]
	if ours; then # the other version's hash is still its own
		rm -r .terraform "$net/www/mirror.test"
		cp -r ../m "$net/www/mirror.test"
		require one >main.tf
		printf 'provider_installation {\n  network_mirror {\n    url = "https://mirror.test/"\n  }\n}\n' \
			>"$TF_CLI_CONFIG_FILE"
		run -0 cli init -no-color
		[[ $output = *'v1.2.0 (verified checksum)'* ]]
	fi
}

@test "mirror: the lock file decides the version; what fails" {
	publish registry.test acme/one 1.0.0
	run -0 cli providers lock -no-color
	publish registry.test acme/one 1.5.0
	run -0 cli providers mirror -no-color ../m
	[ -e ../m/registry.test/acme/one/1.0.0.json ]
	[ ! -e ../m/registry.test/acme/one/1.5.0.json ]
	publish registry.test acme/two 1.0.0
	require one two >main.tf
	run -1 cli providers mirror -no-color ../m
	[[ $output = *'Error: Provider not found in lockfile'* ]]
	require one >main.tf
	sed -i 's/1\.0\.0/1.0.1/' .terraform.lock.hcl
	run -1 cli providers mirror -no-color ../m
	[[ $output = *'Error: Provider release not available'*' 1.0.1 '* ]]
	require one='1.5.0' >main.tf
	run -1 cli providers mirror -no-color ../m
	[[ $output = *'Error: Inconsistent dependency lock file'*1.0.1* ]]
	rm .terraform.lock.hcl
	require three >main.tf
	run -1 cli providers mirror -no-color ../m
	[[ $output = *'Error: Provider not available'* ]]
	require one >main.tf
	run -1 cli providers mirror -no-color -platform=mars_x ../m
	[[ $output = *'Error: Provider release not available'* ]]
	zip=$net/www/registry.test/files/acme/one/terraform-provider-one_1.5.0_$platform.zip
	echo more >>"$zip"
	run -1 cli providers mirror -no-color ../m
	[[ $output = *'Error: Invalid provider package'* ]]
	rm "$zip"
	run -1 cli providers mirror -no-color ../m
	[[ $output = *'Error: Cannot download provider release'* ]]
	run -1 cli providers mirror -no-color
	[ ! -e ../m/registry.test/acme/one/1.5.0.json ]
}

@test "providers lock: what the configuration asks for now is written down" {
	publish registry.test acme/one 1.0.0
	run -0 cli providers lock -no-color
	grep -q 'constraints = ">= 1.0.0"' .terraform.lock.hcl
	sed -i 's/>= 1.0/>= 0.5/' main.tf
	run -0 cli providers lock -no-color
	grep -q 'constraints = ">= 0.5.0"' .terraform.lock.hcl
}

@test "lock, mirror: what Terraform locked stays in its version" {
	publish registry.opentofu.org hashicorp/one 1.0.0 1.2.0
	echo 'terraform {
  required_providers {
    one = {}
  }
}' >main.tf
	echo 'provider "registry.terraform.io/hashicorp/one" {
  version = "1.0.0"
}' >terraforms
	cp terraforms .terraform.lock.hcl
	run -0 cli providers mirror -no-color m
	[[ $output = *'Warning: Dependency lock file entries automatically updated'* ]]
	[ "$(jq -c '.versions | keys' m/registry.opentofu.org/hashicorp/one/index.json)" = '["1.0.0"]' ]
	cmp terraforms .terraform.lock.hcl
	run -0 cli providers lock -no-color
	[[ $output = *"- Obtained hashicorp/one checksums for $platform; Additional checksums for this platform are now tracked"* ]]
	[[ $output = *'Warning: Dependency lock file entries automatically updated'* ]]
	[ "$(sed -n 's/^provider "\(.*\)" {/\1/p; s/^ *version *= "\(.*\)"/\1/p' .terraform.lock.hcl |
		paste -sd' ')" = 'registry.opentofu.org/hashicorp/one 1.0.0 registry.terraform.io/hashicorp/one 1.0.0' ]
}

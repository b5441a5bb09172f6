#!/usr/bin/env bats
# mirrors.bats - tf init from network mirrors, alone and beside other places; with
# TF_TEST_CLI=tofu the same on OpenTofu.

load common
load registry

setup() {
	registry_setup
	export MIRROR=mirror.test/p
	export TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	installation 'network_mirror {
    url = "https://mirror.test/p/"
  }'
	top=$net/www/mirror.test/p/registry.opentofu.org/acme/one
	at=mirror.test/p/registry.opentofu.org/acme/one
}

installation() { # METHOD...
	printf 'provider_installation {\n' >"$TF_CLI_CONFIG_FILE"
	printf '  %s\n' "$@" '}' >>"$TF_CLI_CONFIG_FILE"
}

# required_providers of NAME[=CONSTRAINTS]...
require() {
	printf 'terraform {\n  required_providers {\n'
	for r; do
		printf '    %s = {\n      source = "acme/%s"\n' "${r%%=*}" "${r%%=*}"
		case $r in
		*=*) printf '      version = "%s"\n' "${r#*=}" ;;
		esac
		echo '    }'
	done
	printf '  }\n}\n'
}

installed() { # NAME VERSION
	[ -x ".terraform/providers/registry.opentofu.org/acme/$1/$2/$platform/terraform-provider-$1_v$2" ]
}

flat() {
	tr -s ' \n│' ' ' <<<"$output"
}

failed() { # SUMMARY TEXT
	run -1 cli init -no-color
	[[ $(flat) = *"Error: $1"*acme/one*"$2"* ]] || {
		echo "$output"
		return 1
	}
	[ ! -e .terraform.lock.hcl ]
	run -0 find . -name 'terraform-provider-*'
	[ -z "$output" ]
}

# bats test_tags=once
@test "versions, a package, its hashes for this platform" {
	publish registry.opentofu.org acme/one 1.0.0 1.2.0
	require one >main.tf
	run -0 cli init -no-color
	[[ $output = *'- Installing acme/one v1.2.0...
- Installed acme/one v1.2.0 (verified checksum)
'* ]]
	[[ $output = *'Warning: Incomplete lock file information for providers'* ]]
	installed one 1.2.0
	jq -r ".archives.$platform.hashes[]" "$top/1.2.0.json" | sort >want
	[ "$(wc -l <want)" = 2 ]
	sed -n 's/^ *"\(.*\)",$/\1/p' .terraform.lock.hcl | diff - want
	[ "$(asked_at_all)" = 3 ]
	[ "$(asked "GET $at/index.json")" = 1 ]
	[ "$(asked "GET $at/1.2.0.json")" = 1 ]
}

@test "hashes of other platforms where the mirror is trusted" {
	publish registry.opentofu.org acme/one 1.0.0
	installation 'network_mirror {
    url = "https://mirror.test/p/"
    trust_all_hashes = true
  }'
	require one >main.tf
	run -0 cli init -no-color
	[[ $output != *Incomplete* ]]
	jq -r '.archives[].hashes[]' "$top/1.0.0.json" | sort >want
	[ "$(wc -l <want)" = 4 ]
	sed -n 's/^ *"\(.*\)",$/\1/p' .terraform.lock.hcl | diff - want
}

# bats test_tags=once
@test "a mirror without hashes, with others, with wrong ones" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	cp "$top/1.0.0.json" "$net/whole"
	change "$at/1.0.0.json" 'del(.archives[].hashes)'
	run -0 cli init -no-color
	[[ $output = *'- Installed acme/one v1.0.0 (unauthenticated)'* ]]
	[ "$(grep -c '"h1:' .terraform.lock.hcl)" = 1 ]
	run -1 grep -q '"zh:' .terraform.lock.hcl
	rm -r .terraform .terraform.lock.hcl
	cp "$net/whole" "$top/1.0.0.json"
	change "$at/1.0.0.json" '.archives[].hashes |= [.[0]]'
	run -0 cli init -no-color
	[[ $output = *'(verified checksum)'* ]]
	rm -r .terraform .terraform.lock.hcl
	# one that was not seen to be right is not locked
	change "$at/1.0.0.json" '.archives[].hashes += ["zh:00"]'
	run -0 cli init -no-color
	run -1 grep -q '"zh:00"' .terraform.lock.hcl
	rm -r .terraform .terraform.lock.hcl
	change "$at/1.0.0.json" '.archives[].hashes = ["h1:AAAA"]'
	failed 'Failed to install provider' \
		"provider package doesn't match the expected checksum \"h1:AAAA\""
	change "$at/1.0.0.json" '.archives[].hashes = ["zh:00", "h1:AAAA"]'
	failed 'Failed to install provider' "provider package doesn't match"
	# another platform's archive, however well its hashes are known
	cp "$net/whole" "$top/1.0.0.json"
	change "$at/1.0.0.json" ".archives.$platform.url = .archives.plan9_mips.url"
	failed 'Failed to install provider' "provider package doesn't match"
	change "$at/1.0.0.json" '.archives[].hashes = ["h9:AAAA"]'
	failed 'Failed to install provider' ''
}

# bats test_tags=once
@test "archives elsewhere: addresses relative to the answer" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	mkdir -p "$net/www/files.test/z"
	mv "$top"/*.zip "$net/www/files.test/z/"
	change "$at/1.0.0.json" '.archives[].url |= "https://files.test/z/" + .'
	run -0 cli init -no-color
	installed one 1.0.0
	rm -r .terraform .terraform.lock.hcl
	rules "{\"at\":\"$at/1.0.0.json\",\"redirect\":\"https://files.test/z/1.0.0.json\"}"
	jq '.archives[].url |= sub(".*/"; "")' "$top/1.0.0.json" |
		page files.test/z/1.0.0.json
	run -0 cli init -no-color
	installed one 1.0.0
}

@test "what a mirror has not, and answers that are none" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	cp "$top/1.0.0.json" "$net/whole"
	change "$at/1.0.0.json" "del(.archives.$platform)"
	failed 'Incompatible provider version' "$platform"
	cp "$net/whole" "$top/1.0.0.json"
	change "$at/index.json" '.versions += {"x.y": {}, "0.9.0": {}}'
	run -0 cli init -no-color # what is no version is passed over
	installed one 1.0.0
	rm -r .terraform .terraform.lock.hcl
	rm "$top/1.0.0.json"
	failed 'Failed to install provider' 'mirror'
	rules "{\"at\":\"$at/index.json\",\"body\":\"{}\",\"headers\":{\"Content-Type\":\"text/html\"}}"
	failed 'Failed to resolve provider packages' 'application/json'
	rules "{\"at\":\"$at/index.json\",\"body\":\"{\"}"
	failed 'Failed to resolve provider packages' 'mirror'
	rules
	rm "$top/index.json"
	failed 'Failed to query available provider packages' ''
}

# bats test_tags=once
@test "a mirror is asked once, its archive again" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	rules "{\"at\":\"$at/index.json\",\"status\":503,\"times\":1}"
	failed 'Failed to resolve provider packages' '503'
	[ "$(asked "GET $at/index.json")" = 1 ]
	rules "{\"at\":\"$at/terraform-provider-one_1.0.0_$platform.zip\",\"status\":503,\"times\":2}"
	run -0 cli init -no-color
	rm -r .terraform .terraform.lock.hcl
	installation 'network_mirror {
    url = "https://mirror.test/p/"
    download_retry_count = 0
  }'
	rules "{\"at\":\"$at/terraform-provider-one_1.0.0_$platform.zip\",\"status\":503,\"times\":1,\"n\":2}"
	failed 'Failed to install provider' ''
}

# bats test_tags=once
@test "the address without a slash at its end loses its last part" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	installation 'network_mirror {
    url = "https://mirror.test/p/q"
  }'
	run -0 cli init -no-color
	installed one 1.0.0
}

@test "an address of http is refused" {
	require one >main.tf
	installation 'network_mirror {
    url = "http://mirror.test/p/"
  }'
	run -1 cli init -no-color
	[[ $output = *'Error: Invalid URL for provider installation source'* ]]
	[ "$(asked_at_all)" = 0 ]
}

@test "the token of the mirror's host goes with its index" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	rules '{"at":"mirror.test/p/registry.opentofu.org/acme/one/index.json","token":"s3cr3t"}'
	failed 'Failed to resolve provider packages' 'mirror.test rejected the given'
	export TF_TOKEN_mirror_test=s3cr3t
	run -0 cli init -no-color
	installed one 1.0.0
	[ "$(asked "GET $at/index.json Bearer s3cr3t")" = 1 ]
	run -1 grep -q 'zip .*s3cr3t' "$net/log"
}

# bats test_tags=once
@test "a password in the address of a mirror is sent, and not said" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	installation 'network_mirror {
    url = "https://me:s3cr3t@mirror.test/p/"
  }'
	for rule in "\"at\":\"$at/*\",\"status\":500" "\"at\":\"$at/1.0.0.json\",\"status\":403" \
		"\"at\":\"$at/terraform*\",\"status\":404" "\"at\":\"$at/index.json\",\"status\":404"; do
		rules "{$rule}"
		run -1 cli init -no-color
		[[ $output = *mirror.test* ]] || [[ $output = *acme/one* ]]
		[ -n "${TF_TEST_CLI-}" ] || [[ $output != *s3cr3t* ]]
	done
	rules
	run -0 cli init -no-color
	installed one 1.0.0
	[[ $output != *s3cr3t* ]]
	[ "$(asked "GET $at/1.0.0.json Basic bWU6czNjcjN0")" -ge 1 ]
}

# bats test_tags=once
@test "directories, a mirror and registries together: all tell versions" {
	publish registry.opentofu.org acme/one 1.0.0 1.1.0
	MIRROR=other.test/p publish registry.opentofu.org acme/one 1.2.0
	# the registry has 1.0.0 to 1.2.0, the mirror 1.0.0 and 1.1.0
	d=$BATS_TEST_TMPDIR/m/registry.opentofu.org/acme/one/1.3.0/$platform
	mkdir -p "$d"
	printf '#!/bin/sh\n' >"$d/terraform-provider-one_v1.3.0"
	chmod +x "$d/terraform-provider-one_v1.3.0"
	dir="filesystem_mirror {
    path = \"$BATS_TEST_TMPDIR/m\"
  }" mirror='network_mirror {
    url = "https://mirror.test/p/"
  }' direct='direct {
  }'
	installation "$dir" "$mirror" "$direct"
	require one >main.tf
	run -0 cli init -no-color
	installed one 1.3.0
	rm -r .terraform .terraform.lock.hcl
	installation "$direct" "$mirror"
	run -0 cli init -no-color
	[[ $output = *"v1.2.0 (signed, key ID $key_id)"* ]]
	rm -r .terraform .terraform.lock.hcl
	installation "$mirror" "$direct"
	if ours; then # a place that has not the version is not asked for it
		run -0 cli init -no-color
		[[ $output = *"v1.2.0 (signed, key ID $key_id)"* ]]
		[ "$(asked "GET $at/1.2.0.json")" = 0 ]
		rm -r .terraform .terraform.lock.hcl
	fi
	require one=1.1.0 >main.tf
	run -0 cli init -no-color
	[[ $output = *'v1.1.0 (verified checksum)'* ]] # the first that has it
	rm -r .terraform .terraform.lock.hcl
	: >"$net/log"
	require one >main.tf
	installation "$mirror" 'direct {
    exclude = ["acme/*"]
  }'
	run -0 cli init -no-color
	installed one 1.1.0
	run -1 grep -q registry.opentofu.org/v1 "$net/log"
	rm -r .terraform .terraform.lock.hcl
	installation 'network_mirror {
    url = "https://mirror.test/p/"
    include = ["example.com/*/*"]
  }' "$direct"
	run -0 cli init -no-color
	installed one 1.2.0
}

@test "a directory that is named must be there, whatever other places have" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	installation 'filesystem_mirror {
    path = "/none/here"
  }' 'network_mirror {
    url = "https://mirror.test/p/"
  }'
	failed 'Failed to resolve provider packages' /none/here
	run -1 cli init -no-color -plugin-dir=/none/there
	[[ $(flat) = *'Error: Failed to resolve provider packages'*acme/one*/none/there* ]]
	# one that does not serve the provider need not
	installation 'filesystem_mirror {
    path    = "/none/here"
    exclude = ["acme/*"]
  }' 'network_mirror {
    url = "https://mirror.test/p/"
  }'
	run -0 cli init -no-color
	installed one 1.0.0
}

@test "without any place nothing is there" {
	require one >main.tf
	installation
	failed 'Failed to resolve provider packages' ''
}

@test "versions of providers have three numbers and no letter before them" {
	publish registry.opentofu.org acme/one 1.0.0
	for c in 1.0.0.0 '>= 1.0.0.0' v1.0.0 '> 0.1, < v2'; do
		require "one=$c" >main.tf
		run -1 cli init -no-color
		[[ $output = *'Error: Invalid version constraint'* ]]
		printf 'terraform {\n  required_providers {\n    one = "%s"\n  }\n}\n' \
			"$c" >main.tf
		run -1 cli validate -no-color
		[[ $output = *'Error: Invalid version constraint'* ]]
	done
}

# bats test_tags=once
@test "an unpacked mirror takes the place of what the plugin cache has unpacked" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	mkdir ../cache ../unpacked
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	run -0 cli init -no-color
	cp -r ../cache/. ../unpacked
	installation "filesystem_mirror {
    path = \"$BATS_TEST_TMPDIR/unpacked\"
  }"
	rm -r .terraform .terraform.lock.hcl
	run -0 cli init -no-color
	installed one 1.0.0
	at=registry.opentofu.org/acme/one/1.0.0/$platform
	[ "$(readlink "../cache/$at")" = "$BATS_TEST_TMPDIR/unpacked/$at" ]
	run -0 find ../cache -name '*.tmp'
	[ -z "$output" ]
}

# bats test_tags=once
@test "what is wrong with provider_installation is told by the same names" {
	echo 'output "x" {
  value = 1
}' >main.tf
	told() { # SUMMARY: ours ends there
		run cli init -no-color
		! ours || [ "$status" = 1 ]
		[[ $output = *"Error: $1"* ]]
	}
	for words in include:inclusion exclude:exclusion; do
		for pattern in one a/b/c/d '*/c' '*' registry.test//one; do
			installation "direct {
    ${words%:*} = [\"$pattern\"]
  }"
			told "Invalid provider source ${words#*:} patterns"
		done
	done
	installation 'direct {
  }'
	cat "$TF_CLI_CONFIG_FILE" >>"$TF_CLI_CONFIG_FILE.2"
	cat "$TF_CLI_CONFIG_FILE.2" >>"$TF_CLI_CONFIG_FILE"
	told 'No more than one provider_installation block may be specified'
	installation 'direct {
  }
  dev_overrides {
  }'
	told 'Invalid provider_installation method block'
}

# bats test_tags=once
@test "links to packages lead below the cache and the mirror, through no other link" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	mkdir ../cache ../kept ../unpacked
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	run -0 cli init -no-color
	at=registry.opentofu.org/acme/one/1.0.0
	mkdir -p "../unpacked/$at"
	mv "../cache/$at/$platform" ../kept/files
	ln -s ../../../../../kept/files "../unpacked/$at/$platform"
	ln -s unpacked ../mirror
	installation "filesystem_mirror {
    path = \"$BATS_TEST_TMPDIR/mirror\"
  }"
	rm -r .terraform .terraform.lock.hcl ../cache
	mkdir ../cache
	run -0 cli init -no-color
	installed one 1.0.0
	[ "$(readlink "../cache/$at/$platform")" = "$BATS_TEST_TMPDIR/unpacked/$at/$platform" ]
	[ "$(readlink ".terraform/providers/$at/$platform")" = "$BATS_TEST_TMPDIR/cache/$at/$platform" ]
}

@test "what the plugin cache has is taken without the lock file's word only where that is allowed" {
	publish registry.opentofu.org acme/one 1.0.0
	require one >main.tf
	mkdir ../cache
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	run -0 cli init -no-color
	at=$(grep -m 1 'GET .*\.zip$' "$net/log")
	fetched() { # TIMES HASHES
		[ "$(asked "$at")" = "$1" ]
		run -0 grep -c '^ *"' .terraform.lock.hcl
		[ "$output" = "$2" ]
		installed one 1.0.0
	}
	fetched 1 2
	again() {
		rm -r .terraform .terraform.lock.hcl
		run -0 cli init -no-color
	}
	again
	fetched 2 2
	export TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE=1
	again
	[[ $output = *'Incomplete lock file information'* ]]
	fetched 2 1
	grep -q '"h1:' .terraform.lock.hcl
	# nothing makes the environment deny it, but not setting it
	export TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE=0
	again
	fetched 3 2
	echo 'plugin_cache_may_break_dependency_lock_file = true' \
		>>"$TF_CLI_CONFIG_FILE"
	again
	fetched 3 1
	# what the lock file has a hash of is held to it
	sed -i 's/"h1:.*"/"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="/' \
		.terraform.lock.hcl
	rm -r .terraform
	run -1 cli init -no-color
}

#!/usr/bin/env bats
# registry.bats - tf init from provider registries: discovery, versions, packages,
# signatures, the lock file.  With TF_TEST_CLI=tofu the same on OpenTofu.

load common
load registry

setup() {
	registry_setup
	arch=${platform#*_}
	unset TF_CLI_CONFIG_FILE
}

# required_providers: require [HOST/]NAMESPACE/TYPE[=CONSTRAINTS]...
require() {
	printf 'terraform {\n  required_providers {\n'
	for r; do
		s=${r%%=*}
		printf '    %s = {\n      source = "%s"\n' "${s##*/}" "$s"
		case $r in
		*=*) printf '      version = "%s"\n' "${r#*=}" ;;
		esac
		echo '    }'
	done
	printf '  }\n}\n'
}

installed() { # HOST/NAMESPACE/TYPE VERSION
	[ -x ".terraform/providers/$1/$2/$platform/terraform-provider-${1##*/}_v$2" ]
}

# What was said, without its lines.
flat() {
	tr -s ' \n│' ' ' <<<"$output"
}

# Nothing was installed, and the directory is as it was.
untouched() {
	[ ! -e .terraform.lock.hcl ]
	run -0 find . -name 'terraform-provider-*'
	[ -z "$output" ]
	ours || return 0
	run -0 find . -type f -o -name '*tmp*'
	[ "$output" = ./main.tf ]
}

versions=registry.test/v1/providers/acme/one/versions

answer() { # VERSION: where the registry says what the package of this platform is
	echo "registry.test/v1/providers/acme/one/$1/download/linux/$arch"
}

# bats test_tags=once
@test "the newest version, signed, with the hashes of all platforms" {
	publish registry.test acme/one 1.0.0 1.2.0
	require registry.test/acme/one >main.tf
	run -0 cli init -no-color
	[[ $output = *'- Finding latest version of registry.test/acme/one...
- Installing registry.test/acme/one v1.2.0...
- Installed registry.test/acme/one v1.2.0 (signed, key ID '"$key_id"')

Providers are signed by their developers.
'* ]]
	[[ $output = *'tfpipe has created a lock file .terraform.lock.hcl'* ]]
	[[ $output != *Warning* ]]
	installed registry.test/acme/one 1.2.0
	sums=$(sed 's/ .*//' "$net/www/registry.test/files/acme/one/terraform-provider-one_1.2.0_SHA256SUMS" | sort)
	h1=$(sed -n 's/^ *"\(h1:.*\)",/\1/p' .terraform.lock.hcl)
	[ "$(cat .terraform.lock.hcl)" = '# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

provider "registry.test/acme/one" {
  version = "1.2.0"
  hashes = [
    "'"$h1"'",
'"$(printf '    "zh:%s",\n' $sums)"'
  ]
}' ]
	[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 1 ]
	[ "$(asked "GET $versions")" = 1 ]
	[ "$(asked_at_all)" = 6 ]
}

# bats test_tags=once
@test "a package is hashed as it lies there, however the archive writes names" {
	ENTRIES='[["./a//b","x","100644"],["a-b","y","100644"]]' \
		publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	run -0 cli init
	before=$(asked_at_all)
	run -0 cli init
	! ours || [ "$(asked_at_all)" = "$before" ]
	dir=.terraform/providers/registry.test/acme/one/1.0.0/$platform
	[ "$(cat "$dir/a/b")" = x ]
	h1=$(cd "$dir" && find . -type f -printf '%P\n' | LC_ALL=C sort |
		xargs sha256sum | sha256sum | cut -d ' ' -f 1 |
		python3 -c 'import base64; print(base64.b64encode(bytes.fromhex(input())).decode())')
	grep -F "h1:$h1" .terraform.lock.hcl
}

# bats test_tags=once
@test "what is locked and installed needs no request" {
	publish registry.test acme/one 1.0.0
	require 'registry.test/acme/one=~> 1.0' >main.tf
	run -0 cli init -no-color
	before=$(asked_at_all)
	cp .terraform.lock.hcl before
	run -0 cli init -no-color
	[[ $output = *'- Reusing previous version of registry.test/acme/one from the dependency lock file
- Using previously-installed registry.test/acme/one v1.0.0'* ]]
	cmp .terraform.lock.hcl before
	if ours; then
		[ "$(asked_at_all)" = "$before" ]
	fi
}

# bats test_tags=once
@test "a package that has not changed since is not read again" {
	ours || return 0
	need strace
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	export TFPIPE_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	tf init >/dev/null
	tf init >/dev/null
	ASAN_OPTIONS=detect_leaks=0 strace -f -o trace -e trace=openat tf-init >/dev/null
	grep -q 'terraform.lock.hcl' trace
	run -1 grep -q terraform-provider-one trace
	echo '# changed' >>.terraform/providers/registry.test/acme/one/1.0.0/$platform/terraform-provider-one_v1.0.0
	run -0 tf init -no-color
	[[ $output = *'- Installing registry.test/acme/one v1.0.0...'* ]]
	run -1 grep -q changed .terraform/providers/registry.test/acme/one/1.0.0/$platform/terraform-provider-one_v1.0.0
}

# bats test_tags=once
@test "a locked version that is not installed comes from the registry again" {
	publish registry.test acme/one 1.0.0 1.2.0
	require registry.test/acme/one >main.tf
	run -0 cli init -no-color
	cp .terraform.lock.hcl before
	publish registry.test acme/one 2.0.0
	rm -r .terraform
	run -0 cli init -no-color
	installed registry.test/acme/one 1.2.0
	cmp .terraform.lock.hcl before
	run -0 cli init -no-color -upgrade
	installed registry.test/acme/one 2.0.0
	[[ $output = *'made some changes to the provider dependency selections'* ]]
}

# bats test_tags=once
@test "a pre-release is chosen by its name alone" {
	publish registry.test acme/one 1.0.0 2.0.0-beta1 2.0.0-beta2
	require 'registry.test/acme/one=>= 1.0.0-alpha' >main.tf
	run -0 cli init -no-color
	installed registry.test/acme/one 1.0.0
	require 'registry.test/acme/one=2.0.0-beta1' >main.tf
	run -0 cli init -no-color -upgrade
	installed registry.test/acme/one 2.0.0-beta1
	# beside other constraints, too; a range that begins with it does not do
	require 'registry.test/acme/one=2.0.0-beta1, >= 1.0.0' >main.tf
	run -0 cli init -no-color -upgrade
	installed registry.test/acme/one 2.0.0-beta1
	require 'registry.test/acme/one=>= 2.0.0-beta1' >main.tf
	run -1 cli init -no-color -upgrade
	[[ $output = *'Failed to resolve provider packages'* ]]
	publish registry.test acme/one 1.0.0 2.0.0-beta1 2.0.0-beta2 2.0.0
	require 'registry.test/acme/one=~> 2.0.0-beta1' >main.tf
	run -0 cli init -no-color -upgrade
	installed registry.test/acme/one 2.0.0
}

# bats test_tags=once
@test "what a registry has not: provider, versions, one that fits, platform" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/two >main.tf
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to query available provider packages'*'registry.test/acme/two'* ]]
	untouched
	require 'registry.test/acme/one=> 1.0' >main.tf
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'*'registry.test/acme/one'* ]]
	untouched
	require registry.test/acme/one >main.tf
	mv "$net/www/$(answer 1.0.0)" "$net/gone"
	run -1 cli init -no-color
	[[ $output = *'Error: Incompatible provider version'*'registry.test/acme/one'*"$platform"* ]]
	untouched
	change "$versions" '.versions = []'
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to query available provider packages'* ]]
	untouched
}

@test "a host without a registry, with one of another version, without an answer" {
	mkdir -p "$net/www/registry.test"
	require registry.test/acme/one >main.tf
	run -1 cli init -no-color
	[[ $output = *'Error: Invalid provider registry host'*'registry.test'* ]]
	echo '{"providers.v9": "/"}' | page registry.test/.well-known/terraform.json
	run -1 cli init -no-color
	[[ $output = *'Error: Invalid provider registry host'*'version'* ]]
	rules '{"at":"registry.test/.well-known/terraform.json","status":500}'
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'*'500 Internal'* ]]
	rules '{"at":"registry.test/.well-known/terraform.json","body":"{}","headers":{"Content-Type":"text/plain"}}'
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'*'registry.test'* ]]
	# discovery is not tried again
	[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 4 ]
	untouched
}

# bats test_tags=once
@test "a registry that is locked says so in the words that programs look for" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	rules "{\"at\":\"$versions\",\"status\":423}"
	run -1 cli init -no-color
	[[ $(flat) = *'could not query provider registry for registry.test/acme/one: 423 Locked'* ]]
	[ "$(asked "GET $versions")" = 1 ]
}

# bats test_tags=once
@test "a version that cannot be read, an answer that is no JSON" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	change "$versions" '.versions += [{"version": "1.x"}]'
	run -1 cli init -no-color
	[[ $(flat) = *'could not query provider registry for registry.test/acme/one: registry response includes invalid version string "1.x"'* ]]
	echo '{"versions": [' | page "$versions"
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'* ]]
	untouched
}

@test "a member of an answer is of the type that the protocol has for it" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	cp "$net/www/$versions" good
	for wrong in '.versions[0].protocols = "5.0"' '.versions[0].protocols = [{}]' \
		'.versions = {}' '.versions = "1.0.0"' '.warnings = "one"' '"1.0.0"' '[]'; do
		change "$versions" "$wrong"
		run -1 cli init -no-color
		[[ $output = *'Error: Failed to resolve provider packages'* ]]
		cp good "$net/www/$versions"
	done
	cp "$net/www/$(answer 1.0.0)" good
	for wrong in '.protocols = "5.0"' '.protocols = [5]'; do
		change "$(answer 1.0.0)" "$wrong"
		run -1 cli init -no-color
		[[ $output = *'Error: Failed to install provider'* ]]
		cp good "$net/www/$(answer 1.0.0)"
	done
	cp "$net/www/$versions" good
	change "$versions" null # as good as a list without versions
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to query available provider packages'* ]]
	cp good "$net/www/$versions"
	rm good
	untouched
	change "$versions" '.warnings = null | .versions[0].protocols = null'
	change "$(answer 1.0.0)" '.protocols = null'
	run -0 cli init -no-color
}

# bats test_tags=once
@test "retries of registry and archive, and their settings" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	rules "{\"at\":\"$versions\",\"status\":503,\"times\":1}" \
		"{\"at\":\"registry.test/files/acme/one/terraform-provider-one_1.0.0_$platform.zip\",\"status\":429,\"times\":2}"
	run -0 cli init -no-color
	installed registry.test/acme/one 1.0.0
	[ "$(asked "GET $versions")" = 2 ]
	rm -r .terraform .terraform.lock.hcl
	: >"$net/log"
	rules "{\"at\":\"$versions\",\"status\":503}"
	echo 'registry_protocols {
  retry_count = 0
}' >"$HOME/.tofurc"
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'*'503 Service Unavailable'* ]]
	[ "$(asked "GET $versions")" = 1 ]
	untouched
}

# bats test_tags=once
@test "an archive is tried again as often as the environment says, above 0" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	zip=registry.test/files/acme/one/terraform-provider-one_1.0.0_$platform.zip
	rules "{\"at\":\"$zip\",\"status\":503}"
	TF_PROVIDER_DOWNLOAD_RETRY=1 run -1 cli init -no-color
	[ "$(asked "GET $zip")" = 2 ]
	TF_PROVIDER_DOWNLOAD_RETRY=0 run -1 cli init -no-color
	[ "$(asked "GET $zip")" = 5 ]
	untouched
}

@test "tokens: from where they come, and to whom they go" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	rules "{\"at\":\"$versions\",\"token\":\"s3cr3t\"}"
	run -1 cli init -no-color
	[[ $output = *'requires authentication'* ]]
	TF_TOKEN_registry_test=wrong run -1 cli init -no-color
	[[ $output = *'rejected the given'* ]]
	mkdir -p "$HOME/.terraform.d"
	echo '{"credentials":{"registry.test":{"token":"s3cr3t"}}}' \
		>"$HOME/.terraform.d/credentials.tfrc.json"
	: >"$net/log"
	run -0 cli init -no-color
	installed registry.test/acme/one 1.0.0
	[[ $output != *s3cr3t* ]]
	[ "$(grep -c 's3cr3t' "$net/log")" = 3 ]
	[ "$(grep 'files/' "$net/log" | awk 'NF > 2 { n++ } END { print n + 0 }')" = 0 ]
	[ "$(asked 'GET registry.test/.well-known/terraform.json Bearer s3cr3t')" = 1 ]
}

# bats test_tags=once
@test "a credentials helper is asked once for a host" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	rules "{\"at\":\"$versions\",\"token\":\"from x get registry.test\"}"
	echo 'credentials_helper "x" {
  args = ["x"]
}' >"$HOME/.tofurc"
	mkdir -p "$HOME/.terraform.d/plugins"
	printf '#!/bin/sh\necho "$*" >>%s/calls\necho "{\\"token\\": \\"from $*\\"}"\n' "$HOME" \
		>"$HOME/.terraform.d/plugins/terraform-credentials-x"
	chmod +x "$HOME/.terraform.d/plugins/terraform-credentials-x"
	run -0 cli init -no-color
	installed registry.test/acme/one 1.0.0
	[ "$(cat "$HOME/calls")" = 'x get registry.test' ]
}

# bats test_tags=once
@test "a host block is discovery without a request" {
	publish registry.test acme/one 1.0.0
	require nowhere.test/acme/one >main.tf
	echo 'host "nowhere.test" {
  services = {
    "providers.v1" = "https://registry.test/v1/providers/"
  }
}' >"$HOME/.tofurc"
	run -0 cli init -no-color
	installed nowhere.test/acme/one 1.0.0
	[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 0 ]
}

@test "blocks of the CLI configuration are for hosts" {
	echo 'output "x" {
  value = 1
}' >main.tf
	for kind in 'credentials token="s3cret"' 'host services={}'; do
		for name in 'a b' '' a_b.test -a.test a..b a.test: a.test:x \
			a.test:65536 https://a.test/ xn--mnchen-3ya.test; do
			echo "${kind%% *} \"$name\" { ${kind#* } }" >"$HOME/.tofurc"
			run cli init -no-color
			! ours || [ "$status" = 1 ]
			[[ $output = *"Error: The ${kind%% *} \"$name\" block has an invalid hostname"* ]]
			[[ $output != *s3cret* ]]
		done
		for name in A.test a.test. a.test:443 a.test:8080 localhost 1.2.3.4 \
			münchen.test; do
			echo "${kind%% *} \"$name\" { ${kind#* } }" >"$HOME/.tofurc"
			run -0 cli init -no-color
			[[ $output != *Error:* ]]
		done
	done
}

@test "protocols that are not spoken" {
	publish registry.test acme/one 1.0.0 2.0.0
	change "$(answer 2.0.0)" '.protocols = ["4.0"]'
	change "$versions" '.versions[1].protocols = ["4.0"]'
	require registry.test/acme/one >main.tf
	run -1 cli init -no-color
	[[ $output = *'Error: Incompatible provider version'*'1.0.0'* ]]
	untouched
}

# refused TEXT: the package is, and nothing of it stays
refused() {
	run -1 cli init -no-color
	[[ $(flat) = *"Error: Failed to install provider"*"registry.test/acme/one"*"$1"* ]] || {
		echo "$output"
		return 1
	}
	untouched
}

# bats test_tags=once
@test "signatures: of another key, of other checksums, armored, none" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	files=$net/www/registry.test/files/acme/one
	sig=$files/terraform-provider-one_1.0.0_SHA256SUMS.sig
	cp "$sig" "$net/sig"
	mkdir -m 700 "$BATS_TEST_TMPDIR/g"
	GNUPGHOME=$BATS_TEST_TMPDIR/g gpg --batch --quiet --passphrase '' \
		--quick-gen-key other ed25519 sign never 2>/dev/null
	other=$(GNUPGHOME=$BATS_TEST_TMPDIR/g gpg --batch --armor --export | jq -Rs .)
	GNUPGHOME=$BATS_TEST_TMPDIR/g gpgconf --kill all
	cp "$net/www/$(answer 1.0.0)" "$net/answer"
	change "$(answer 1.0.0)" ".signing_keys.gpg_public_keys[0].ascii_armor = $other"
	refused 'authentication signature from unknown issuer'
	# the second key has made it
	change "$(answer 1.0.0)" ".signing_keys.gpg_public_keys += [$(jq .signing_keys.gpg_public_keys[0] "$net/answer")]"
	run -0 cli init -no-color
	rm -r .terraform .terraform.lock.hcl
	cp "$net/answer" "$net/www/$(answer 1.0.0)"
	echo other | gpg --batch --detach-sign >"$sig" 2>/dev/null
	refused 'not signed with a valid signing key'
	# nor where one that fits stands before it
	cp "$sig" "$net/other"
	cat "$net/sig" "$net/other" >"$sig"
	refused 'not signed with a valid signing key'
	cp "$net/other" "$sig"
	gpg --enarmor <"$net/sig" 2>/dev/null >"$sig"
	refused 'not signed with a valid signing key'
	: >"$sig"
	refused 'not signed with a valid signing key'
	rm "$sig"
	refused 'failed to retrieve cryptographic signature for provider: 404 Not Found'
	cp "$net/sig" "$sig"
	change "$(answer 1.0.0)" '.signing_keys.gpg_public_keys = []'
	refused 'authentication signature from unknown issuer'
	change "$(answer 1.0.0)" '.signing_keys.gpg_public_keys = [{"ascii_armor": "nonsense"}]'
	refused 'error decoding signing key'
}

@test "checksums: of the archive, of the answer, of the list" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	zip=$net/www/registry.test/files/acme/one/terraform-provider-one_1.0.0_$platform.zip
	cp "$zip" "$net/zip"
	echo more >>"$zip"
	refused 'archive has incorrect checksum'
	cp "$net/zip" "$zip"
	cp "$net/www/$(answer 1.0.0)" "$net/answer"
	change "$(answer 1.0.0)" '.shasum |= gsub("[0-9]"; "0")'
	refused 'checksum list has unexpected SHA-256 hash'
	cp "$net/answer" "$net/www/$(answer 1.0.0)"
	change "$(answer 1.0.0)" '.filename = "other.zip"'
	refused 'checksum list has no SHA-256 hash for "other.zip"'
	cp "$net/answer" "$net/www/$(answer 1.0.0)"
	change "$(answer 1.0.0)" '.shasum = "12"'
	refused 'registry response includes invalid SHA256 hash "12"'
	cp "$net/answer" "$net/www/$(answer 1.0.0)"
	change "$(answer 1.0.0)" '.os = "plan9"'
	refused 'has incorrect target plan9_'
	cp "$net/answer" "$net/www/$(answer 1.0.0)"
	change "$(answer 1.0.0)" '.download_url = "file:///etc/passwd"'
	refused 'must'
}

# bats test_tags=once
@test "an archive that the lock file does not allow is not unpacked" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	run -0 cli init -no-color
	rm -r .terraform
	sed -i '/"zh:/d; s|"h1:.*"|"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="|' \
		.terraform.lock.hcl
	cp .terraform.lock.hcl before
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to install provider'*'registry.test/acme/one'* ]]
	cmp .terraform.lock.hcl before
	run -0 find . -name 'terraform-provider-*'
	[ -z "$output" ]
}

# bats test_tags=once
@test "hashes in a lock file may be of schemes that nobody knows, or empty" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	run -0 cli init -no-color
	cp .terraform.lock.hcl good
	sed -i 's|"h1:|"h9:abc",\n    "zh:",\n    "h1:|' .terraform.lock.hcl
	run -0 cli init -no-color
	for hash in banana '' :x; do
		sed "s|\"h1:|\"$hash\",\n    \"h1:|" good >.terraform.lock.hcl
		run -1 cli init -no-color
		[[ $output = *'Invalid provider hash string'* ]]
	done
}

# bats test_tags=once
@test "a lock file that is wrong is told before modules that are not there" {
	mkdir in
	touch in/main.tf
	printf 'module "in" {\n  source = "./in"\n}\n' >main.tf
	printf 'provider "registry.test/acme/one" {\n  version = "1.0.0"\n  hashes = []\n}\n' \
		>.terraform.lock.hcl
	run -1 cli init -no-color -get=false
	[[ $output = *'Invalid provider hash set'* ]]
	[[ $output != *'Module not installed'* ]]
	run -1 cli init -no-color -get=false -backend=false
	[[ $output = *'Module not installed'* ]]
	# which are told first where they are got
	printf 'module "no" {\n  source = "./no"\n}\n' >>main.tf
	run -1 cli init -no-color
	[[ $output = *'Unreadable module directory'* ]]
	[[ $output != *'hash set'* ]]
	sed -i '/"no"/,$d' main.tf
	for options in '' -backend=false; do
		rm -rf .terraform
		run -1 cli init -no-color $options
		[[ $output = *'Invalid provider hash set'* ]]
		[[ $output = *'in in in'* ]]
	done
}

# bats test_tags=once
@test "a lock file with the hash of the files alone, or of the archive alone" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	run -0 cli init -no-color
	cp .terraform.lock.hcl whole
	for scheme in h1 zh; do
		rm -r .terraform
		grep -v "\"$scheme:" whole >.terraform.lock.hcl
		run -0 cli init -no-color
		cmp .terraform.lock.hcl whole
	done
}

# bats test_tags=once
@test "the registry of OpenTofu has providers without keys" {
	publish registry.opentofu.org acme/one 1.0.0
	require acme/one >main.tf
	change "registry.opentofu.org/v1/providers/acme/one/1.0.0/download/linux/$arch" \
		'.signing_keys.gpg_public_keys = []'
	OPENTOFU_ENFORCE_GPG_VALIDATION=true run -1 cli init -no-color
	[[ $output = *'Error: Failed to install provider'* ]]
	untouched
	run -0 cli init -no-color
	[[ $output = *'- Installed acme/one v1.0.0. Signature validation was skipped due to the registry not containing GPG keys for this provider'* ]]
	[[ $output != *'Providers are signed'* ]]
	[[ $output != *Warning* ]]
	[ "$(grep -c '"zh:' .terraform.lock.hcl)" = 2 ]
}

# bats test_tags=once
@test "packages of an answer: checked everywhere, locked for one registry alone" {
	for host in registry.test registry.opentofu.org; do
		publish $host acme/one 1.0.0
		require $host/acme/one >main.tf
		a=$host/v1/providers/acme/one/1.0.0/download/linux/$arch
		zip=$net/www/$host/files/acme/one/terraform-provider-one_1.0.0_$platform.zip
		cp "$net/www/$a" "$net/answer"
		change "$a" ".packages = {\"$platform\": {hashes: [\"zh:\" + .shasum, \"h1:x\"], package_size: $(stat -c %s "$zip")}, \"plan9_mips\": {hashes: [\"h1:other\"], package_size: 1}}"
		cp "$net/www/$a" "$net/good"
		run -0 cli init -no-color
		others=$(grep -c '"h1:other"\|"h1:x"' .terraform.lock.hcl || :)
		[ "$host $others" = 'registry.test 0' ] ||
			[ "$host $others" = 'registry.opentofu.org 2' ]
		rm -r .terraform .terraform.lock.hcl
		change "$a" ".packages[\"$platform\"].package_size = 7"
		run -1 cli init -no-color
		[[ $(flat) = *'package of size 7'* ]]
		cp "$net/good" "$net/www/$a"
		change "$a" ".packages[\"$platform\"].hashes = [\"zh:00\"]"
		run -1 cli init -no-color
		[[ $output = *'Error: Failed to install provider'* ]]
		untouched
	done
}

@test "an expired key is accepted with a warning, a revoked one is not" {
	mkdir -m 700 "$BATS_TEST_TMPDIR/g"
	old=$GNUPGHOME
	export GNUPGHOME=$BATS_TEST_TMPDIR/g
	# its time is over, however long the machine takes
	echo faked-system-time 20200101T000000 >"$GNUPGHOME/gpg.conf"
	gpg --batch --quiet --passphrase '' --quick-gen-key x ed25519 sign 1d 2>/dev/null
	publish registry.test acme/one 1.0.0
	rm "$GNUPGHOME/gpg.conf"
	GNUPGHOME=$old
	require registry.test/acme/one >main.tf
	OPENTOFU_ENFORCE_GPG_EXPIRATION=true refused 'authentication signature from unknown issuer'
	run -0 cli init -no-color
	[[ $output = *'expired'* ]]
	installed registry.test/acme/one 1.0.0
	if ours; then
		[[ $output = *'Warning: Expired signing key'* ]]
	fi
	rm -rf .terraform .terraform.lock.hcl
	export GNUPGHOME=$BATS_TEST_TMPDIR/g
	gpg --batch --quiet --passphrase '' --quick-gen-key y ed25519 sign never 2>/dev/null
	fpr=$(gpg --batch --with-colons -k y | awk -F: '/^fpr/ { print $10; exit }')
	gpg --batch --quiet --yes --delete-secret-and-public-key \
		"$(gpg --batch --with-colons -k x | awk -F: '/^fpr/ { print $10; exit }')"
	publish registry.test acme/one 1.0.0
	sed 's/^:-----/-----/' "$GNUPGHOME/openpgp-revocs.d/$fpr.rev" | gpg --batch --import 2>/dev/null
	revoked=$(gpg --batch --armor --export | jq -Rs .)
	gpgconf --kill all
	GNUPGHOME=$old
	change "$(answer 1.0.0)" ".signing_keys.gpg_public_keys[0].ascii_armor = $revoked"
	refused 'not signed with a valid signing key'
	if ours; then
		refused 'its key is revoked'
	fi
}

# bats test_tags=once
@test "signatures of an RSA key, and of a subkey" {
	old=$GNUPGHOME
	mkdir -m 700 "$BATS_TEST_TMPDIR/g"
	export GNUPGHOME=$BATS_TEST_TMPDIR/g
	gpg --batch --quiet --passphrase '' \
		--quick-gen-key 'x [GNUPG:] VALIDSIG FFFFFFFFFFFFFFFF' rsa2048 cert never 2>/dev/null
	fpr=$(gpg --batch --with-colons -k x | awk -F: '/^fpr/ { print $10; exit }')
	gpg --batch --quiet --passphrase '' --quick-add-key "$fpr" rsa2048 sign never 2>/dev/null
	publish registry.test acme/one 1.0.0
	gpgconf --kill all
	GNUPGHOME=$old
	require registry.test/acme/one >main.tf
	run -0 cli init -no-color
	[[ $output = *"(signed, key ID ${fpr:24})"* ]]
}

# bats test_tags=once
@test "several providers: queries, then downloads, beside one another" {
	for p in one two three; do
		publish registry.test acme/$p 1.0.0
	done
	require registry.test/acme/{one,two,three} >main.tf
	rules '{"at":"registry.test/v1/providers/*/versions","together":3}' \
		'{"at":"registry.test/files/*.zip","together":3}'
	run -0 cli init -no-color
	[[ $output = *'- Finding latest version of registry.test/acme/'*'- Finding latest version of registry.test/acme/'*'- Finding latest version of registry.test/acme/'*'- Installing '* ]]
	for p in one two three; do
		installed registry.test/acme/$p 1.0.0
	done
	if ours; then
		[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 1 ]
	fi
	[ "$(asked_at_all)" -le 18 ]
}

# What kill -9 leaves, beside this version and an older one; beside a third one
# somebody is at work.
# bats test_tags=once
@test "what a killed init left beside a package is removed, not what one at work makes" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
	need flock
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	for place in .terraform/providers "$PWD/cache"; do
		all=$place/registry.test/acme/one
		for v in 0.9.0 1.0.0 1.1.0; do
			mkdir -p "$all/$v/$platform.99999.tmp"
			echo half >"$all/$v/$platform.99999.tmp/terraform-provider-one"
		done
		ln -s nowhere "$all/0.9.0/$platform.99998.tmp"
		touch "$all/0.9.0/notes.99998.tmp"
		(
			exec 9<"$all/1.1.0"
			flock -s 9
			exec sleep 30
		) 3>&- &
		[ "$place" = .terraform/providers ] || export TF_PLUGIN_CACHE_DIR=$place
		for i in {1..50}; do
			flock -n "$all/1.1.0" true || break
			sleep 0.1
		done
		run -0 cli init -no-color
		kill $!
		installed registry.test/acme/one 1.0.0
		run -0 find "$all" -name '*.tmp' -printf '%P\n'
		[ "$(sort <<<"$output")" = "0.9.0/notes.99998.tmp
1.1.0/$platform.99999.tmp" ]
		rm -rf .terraform
	done
}

# It would be removed where another init begins.
# bats test_tags=once
@test "what is being unpacked is locked" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
	need flock
	head -c 200M /dev/zero >payload
	PAYLOAD=payload publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	version=.terraform/providers/registry.test/acme/one/1.0.0
	cli init -no-color >said 3>&- &
	seen=
	while [ -z "$seen" ] && kill -0 $! 2>/dev/null; do
		[ ! -d $version ] || flock -n $version true || seen=locked
	done
	wait $!
	[ "$seen" = locked ]
	installed registry.test/acme/one 1.0.0
	flock -n $version true
}

# bats test_tags=once
@test "modules and providers of a host: it is asked once where they are" {
	publish registry.test acme/one 1.0.0
	change registry.test/.well-known/terraform.json '. + {"modules.v1": "/m/"}'
	w=$net/www/registry.test
	mkdir -p "$w/m/a/b/c/1.0.0"
	echo '{"modules": [{"versions": [{"version": "1.0.0"}]}]}' >"$w/m/a/b/c/versions"
	echo '{"location": "https://registry.test/files/m.zip"}' >"$w/m/a/b/c/1.0.0/download"
	require registry.test/acme/one >m.tf
	python3 -m zipfile -c "$w/files/m.zip" m.tf
	rm m.tf
	echo 'module "m" { source = "registry.test/a/b/c" }' >main.tf
	run -0 cli init -no-color
	installed registry.test/acme/one 1.0.0
	[ -e .terraform/modules/m/m.tf ]
	if ours; then
		[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 1 ]
	fi
}

@test "a terminal shows how much has come, a pipe does not" {
	ours || return 0
	publish registry.test acme/one 1.0.0
	head -c 3000000 /dev/urandom >"$net/big"
	rules '{"at":"registry.test/files/*.zip","file":"big"}'
	require registry.test/acme/one >main.tf
	run -1 script -qec 'TERM=xterm tf init' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: '*' of 3.0 MB'* ]]
	# it is taken away before what is said next
	[[ $output = *' MB'*$'\e[J'*'Error'* ]]
	run -1 script -qec 'TERM=xterm tf init -no-color' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: '* && $output != *$'\e[2m'* ]]
	run -1 script -qec 'TERM=xterm tf init -json' /dev/null </dev/null
	[[ $output != *Downloading* ]]
	run -1 tf init
	[[ $output != *Downloading* ]]
}

# bats test_tags=once
@test "records tell once a second how much has come" {
	ours || return 0
	head -c 2000000 /dev/urandom >"$net/payload"
	PAYLOAD=$net/payload publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	rules '{"at":"registry.test/files/*.zip","slow":4}'
	tf init -json >said
	run -0 jq -c 'select(.type == "download_progress") | .download |
		[.packages == 1, .have > 0, .have <= .all, .all > 1999999]' said
	[ "${#lines[@]}" -ge 2 ]
	[ "${#lines[@]}" -le 6 ]
	[ "$(sort -u <<<"$output")" = '[true,true,true,true]' ]
	run -0 jq -r 'select(.type == "download_progress")["@message"]' said
	[[ ${lines[0]} = 'Downloading 1 package: '*' of 2.0 MB' ]]
	rm -r .terraform
	tf init -json-into=into >said
	run -1 grep -q Downloading said
	grep -q download_progress into
}

# bats test_tags=once
@test "the archive of a module is told of as a provider's is" {
	ours || return 0
	mkdir -p m "$net/www/files.test"
	echo 'output "a" { value = 1 }' >m/main.tf
	head -c 3000000 /dev/urandom >m/big
	tar -C m -czf "$net/www/files.test/m.tar.gz" .
	rm -r m
	printf 'module "m" {\n  source = "https://files.test/m.tar.gz"\n}\n' >main.tf
	rules '{"at":"files.test/m.tar.gz","method":"GET","slow":3}'
	run -0 script -qec 'TERM=xterm tf init' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: '*' of 3.0 MB'*$'\e[J'*'m in .terraform/modules/m'* ]]
	rm -r .terraform
	tf init -json >said
	run -0 jq -c 'select(.type == "download_progress") | .download.all > 2999999' said
	[[ ${lines[0]} = true ]]
}

@test "archives of modules that come together are told of together" {
	ours || return 0
	mkdir -p m "$net/www/files.test"
	echo 'output "a" { value = 1 }' >m/main.tf
	head -c 1500000 /dev/urandom >m/big
	tar -C m -czf "$net/www/files.test/a.tar.gz" .
	cp "$net/www/files.test/"{a,b}.tar.gz
	rm -r m
	for m in a b; do
		printf 'module "%s" {\n  source = "https://files.test/%s.tar.gz"\n}\n' $m $m
	done >main.tf
	rules '{"at":"files.test/*.tar.gz","slow":3}'
	tf init -json >said
	run -0 jq -c 'select(.type == "download_progress") | .download |
		.packages == 2 and .all > 2999999' said
	[[ $output = *true* ]]
}

@test "the clone of a repository is told of, and no error has it" {
	ours || return 0
	need git
	export TFPIPE_CACHE_DIR= GIT_CONFIG_GLOBAL=/dev/null
	git init -q r
	head -c 3000000 /dev/urandom >r/big
	echo 'output "a" { value = 1 }' >r/main.tf
	git -C r add -A
	git -C r -c user.name=T -c user.email=t@test commit -q -m m
	printf 'module "m" {\n  source = "git::file://%s/r"\n}\n' "$PWD" >main.tf
	run -0 script -qec 'TERM=xterm tf init' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: 3.'?' MB'*$'\e[J'*'m in .terraform/modules/m'* ]]
	run -0 tf init -upgrade
	[[ $output != *' MB'* ]]
	# half of the objects, and then an error
	rm -r .terraform
	mkdir bin
	cat >bin/git <<-'END'
	#!/bin/sh
	printf "Cloning into 'm'...\nremote: Counting objects: 100%% (4/4), done.\n" >&2
	printf 'Receiving objects:  50%% (2/4), 5.00 MiB | 1.00 MiB/s\rerror: it died\n' >&2
	printf 'fatal: early EOF' >&2
	exit 128
	END
	chmod +x bin/git
	PATH=$PWD/bin:$PATH run -1 script -qec 'TERM=xterm tf init' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: 5.2 MB'*'git clone exited with 128:'*'error: it died'*'fatal: early EOF.'* ]]
	[[ $output != *'objects: '* ]]
	[[ $output != *Cloning* ]]
}

@test "a provider that a registry has not: another may be meant" {
	page registry.opentofu.org/.well-known/terraform.json <<<'{"providers.v1": "/v1/providers/"}'
	legacy=registry.opentofu.org/v1/providers/-/one/versions
	require hashicorp/one >main.tf
	run -1 cli init -no-color
	[[ $(flat) = *'hashicorp/one'*'https://github.com/opentofu/registry/issues/new/choose'* ]]
	[[ $output != *'Did you intend'* ]]
	[ "$(asked "GET $legacy")" = 1 ]
	for answer in '{"id": "acme/one"}' '{"id": "hashicorp/one", "moved_to": "acme/one"}'; do
		page $legacy <<<"$answer"
		run -1 cli init -no-color
		[[ $(flat) = *'Did you intend to use acme/one?'* ]]
	done
	for answer in '{"id": "hashicorp/one"}' '{"id": "acme/two"}' '[]' x \
		'{"id": "ac\u001bme/one"}'; do
		page $legacy <<<"$answer"
		run -1 cli init -no-color
		[[ $output != *'Did you intend'* ]]
	done
	# one of that type that is needed comes first; nobody is asked
	asked=$(asked "GET $legacy")
	[ "$asked" -gt 1 ]
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	sed -i 's|^    one = {|    other = {\n      source = "hashicorp/one"\n    }\n&|' main.tf
	run -1 cli init -no-color
	[[ $(flat) = *'Did you intend to use registry.test/acme/one?'* ]]
	[ "$(asked "GET $legacy")" = "$asked" ]
	# of other namespaces there is no history
	require acme/one >main.tf
	page $legacy <<<'{"id": "other/one"}'
	run -1 cli init -no-color
	[[ $output != *'Did you intend'* ]]
}

@test "a provider that only the name of a type asks for" {
	page registry.opentofu.org/.well-known/terraform.json <<<'{"providers.v1": "/v1/providers/"}'
	page registry.opentofu.org/v1/providers/-/nowhere/versions <<<'[]'
	mkdir mod
	echo 'data "nowhere_thing" "in" {}' >mod/main.tf
	inferred='Warning: Automatically-inferred provider dependency'
	printf '\nresource "nowhere_thing" "a" {\n}\n' >main.tf
	run -1 cli init -no-color
	[[ $(flat) = *"$inferred on main.tf line 2:"*nowhere_thing.a*'local name'*'"nowhere"'*'hashicorp/nowhere'*'Error: Failed to query available provider packages'* ]]
	echo 'module "m" { source = "./mod" }' >main.tf
	run -1 cli init -no-color
	[[ $(flat) = *"$inferred on mod/main.tf line 1:"*module.m.data.nowhere_thing.in* ]]
	printf 'import {\n  to = nowhere_thing.a\n  id = "x"\n}\nimport {\n  to = nowhere_thing.b\n  id = "y"\n}\n' >main.tf
	run -1 cli init -no-color
	[[ $(flat) = *"$inferred on main.tf line 1:"*nowhere_thing.a* ]]
	# it is named in the resource, or in some module
	printf 'resource "nowhere_thing" "a" {\n  provider = nowhere.x\n}\n' >main.tf
	run -1 cli init -no-color
	[[ $output != *"$inferred"* ]]
	require hashicorp/nowhere >main.tf
	echo 'module "m" { source = "./mod" }' >>main.tf
	run -1 cli init -no-color
	[[ $output != *"$inferred"* ]]
	echo 'provider "nowhere" {}' >main.tf
	run -1 cli init -no-color
	[[ $output != *"$inferred"* ]]
	# a registry that fails does not say that there is none
	echo 'module "m" { source = "./mod" }' >main.tf
	rules '{"at": "registry.opentofu.org/v1/*", "status": 500}'
	run -1 cli init -no-color
	[[ $output != *"$inferred"* ]]
}

# bats test_tags=once
@test "if one of two fails, no lock is written" {
	publish registry.test acme/one 1.0.0
	publish registry.test acme/two 1.0.0
	rm "$net/www/registry.test/files/acme/two/"*.zip
	require registry.test/acme/one registry.test/acme/two >main.tf
	run -1 cli init -no-color
	[[ $output = *'Error: Failed to install provider'*'registry.test/acme/two'*'404 Not Found'* ]]
	[ ! -e .terraform.lock.hcl ]
}

@test "requests are made by tf-fetch, which need not be there otherwise" {
	ours || return 0
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	mkdir ../bin
	built=$(dirname "$(command -v tf-init)")
	cp "$built"/{tf-init,crypto.so,archive.so} ../bin
	bin=$BATS_TEST_TMPDIR/bin/tf-init
	PATH=/nowhere run -1 "$bin" -no-color
	[[ $(flat) = *'registry.test'*'tf-fetch cannot be started: No such file or directory'* ]]
	printf '#!/bin/sh\nread -r line\nexit 3\n' >../bin/tf-fetch
	chmod +x ../bin/tf-fetch
	run -1 "$bin" -no-color
	[[ $(flat) = *'registry.test'*'tf-fetch has ended (exit status 3)'* ]]
	untouched
	run -0 tf init
	rm ../bin/tf-fetch
	PATH=/nowhere run -0 "$bin" -no-color
}

# bats test_tags=once
@test "-json says the same in records" {
	publish registry.test acme/one 1.0.0
	require registry.test/acme/one >main.tf
	run -0 cli init -json
	jq -r '.["@message"]' <<<"$output" >messages
	grep -qF -- "Installed registry.test/acme/one v1.0.0 (signed, key ID $key_id)" messages
}

# What Terraform wrote, of providers that were wanted then.
terraforms_lock() { # TYPE=VERSION...
	for l; do
		printf 'provider "registry.terraform.io/%s" {\n  version = "%s"\n' \
			"${l%%=*}" "${l#*=}"
		printf '  hashes = [\n    "h1:none",\n  ]\n}\n'
	done >.terraform.lock.hcl
}

locked() {
	sed -n 's/^provider "\(.*\)" {/\1/p; s/^ *version *= "\(.*\)"/\1/p' \
		.terraform.lock.hcl | paste -sd' '
}

# bats test_tags=once
@test "what Terraform locked of HashiCorp's providers stays in its version" {
	publish registry.opentofu.org hashicorp/one 1.0.0 1.2.0
	publish registry.opentofu.org acme/two 1.0.0 1.2.0
	require one acme/two >main.tf
	terraforms_lock hashicorp/one=1.0.0 acme/two=1.0.0
	run -0 cli init -no-color
	[[ $output = *'- Reusing previous version of hashicorp/one from the dependency lock file'* ]]
	[[ $output = *'- Finding latest version of acme/two...'* ]]
	[[ $output = *'Warning: Dependency lock file entries automatically updated'* ]]
	[[ $output = *'
  - registry.terraform.io/hashicorp/one => registry.opentofu.org/hashicorp/one
'* ]]
	[[ $output != *'io/acme/two'* ]]
	[ "$(locked)" = 'registry.opentofu.org/acme/two 1.2.0 registry.opentofu.org/hashicorp/one 1.0.0' ]
	[ "$(grep -c h1:none .terraform.lock.hcl)" = 0 ]
	run -0 cli init -no-color
	[[ $output != *Warning* ]]

	# all of it is a change
	rm -r .terraform
	terraforms_lock hashicorp/one=1.0.0
	cp .terraform.lock.hcl before
	run -1 cli init -no-color -lockfile=readonly
	[[ $output = *'Provider dependency changes detected'* ]]
	cmp before .terraform.lock.hcl
	run -0 cli init -no-color -upgrade
	[ "$(locked)" = 'registry.opentofu.org/acme/two 1.2.0 registry.opentofu.org/hashicorp/one 1.2.0' ]
}

# bats test_tags=once
@test "what Terraform locked and nobody asks for is left alone" {
	publish registry.opentofu.org hashicorp/one 1.0.0 1.2.0
	require registry.terraform.io/hashicorp/one >main.tf
	cat >rc <<-'E'
		host "registry.terraform.io" {
		  services = {
		    "providers.v1" = "https://registry.opentofu.org/v1/providers/"
		  }
		}
	E
	export TF_CLI_CONFIG_FILE=$PWD/rc
	run -0 cli init -no-color
	cp .terraform.lock.hcl before
	ours || return 0 # it adds locks of registry.opentofu.org, and fails then
	run -0 cli init -no-color -lockfile=readonly
	[[ $output != *Warning* ]]
	cmp before .terraform.lock.hcl
}

# bats test_tags=once
@test "a plan is not made with a version that the configuration does not allow" {
	publish registry.test acme/one 1.0.0 1.2.0
	require 'registry.test/acme/one=1.0.0' >main.tf
	run -0 cli init -no-color
	require 'registry.test/acme/one=~> 1.1' >main.tf
	run -1 cli plan -no-color
	[[ $output = *'Error: Inconsistent dependency lock file'*registry.test/acme/one*1.0.0*'"~> 1.1"'* ]]
}

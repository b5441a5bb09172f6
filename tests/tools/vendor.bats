#!/usr/bin/env bats
# vendor.bats - all packages in a folder, of this program alone

load common
load modules
load net

setup_file() {
	signing_key
}

teardown_file() {
	signing_key_end
}

setup() {
	only_ours
	modules_setup
	git_setup
	modules_web
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	export HOME=$here/home TMPDIR=$here/tmp
	mkdir "$HOME" "$TMPDIR"
	repository r
	offer a/b/c 1.0.0 1.1.0
	publish other.test acme/one 1.0.0 1.2.0
	calls "a=git::file://$here/r//m" "b=git::file://$here/r?ref=v1" \
		"c=git::file://$here/r//m?ref=v1"
	{
		versioned d registry.test/a/b/c//sub '< 1.1'
		versioned e registry.test/a/b/c
		printf 'terraform {\n  required_providers {\n    one = { source = "other.test/acme/one" }\n  }\n}\n'
	} >>main.tf
	# the registry says that the module is a part of its package
	mkdir -p "$here/m/sub/sub"
	cp "$here/m/sub/main.tf" "$here/m/sub/sub"
	pack c-1.0.0.zip
	echo '{"location": "https://files.test/c-1.0.0.zip//sub"}' |
		page registry.test/modules/a/b/c/1.0.0/download
}

teardown() {
	serve_end
}

# Nothing answers any more, and the repository is gone.
offline() {
	serve_end
	unset net_in
	export HTTPS_PROXY=http://127.0.0.1:1
	mv "$here/r" "$here/gone"
}

# bats test_tags=once
@test "init takes all of it from there, offline, byte by byte the same" {
	run -0 tf init
	cp -r .terraform "$here/first"
	run -0 tf vendor
	[[ $output = *'vendor has all modules and providers now'* ]]
	run -0 ls -A vendor
	[ "$output" = $'modules\nproviders' ]
	offline
	mkdir "$here/e"
	cp -r main.tf .terraform.lock.hcl vendor "$here/e"
	cd "$here/e"
	export TFPIPE_VENDOR_DIR=vendor
	run -0 tf init -lockfile=readonly
	diff -r -x .git "$here/first/modules" .terraform/modules
	diff -r "$here/first/providers" .terraform/providers
	cmp main.tf "$here/w/main.tf"
	# and without a lock file
	rm -r .terraform .terraform.lock.hcl
	run -0 tf init
	diff -r -x .git "$here/first/modules" .terraform/modules
	grep -q 1.2.0 .terraform.lock.hcl
}

# bats test_tags=once
@test "the folder is the same when it is made again" {
	run -0 tf vendor one
	run -0 tf vendor two
	cp -r one first
	run -0 tf vendor one
	diff -r first/modules one/modules
	diff -r one/modules two/modules
	jq -e '.packages | length == 4' one/modules/index.json
	[ ! -e .terraform ]
	# what is not used any more goes
	calls "a=git::file://$here/r//m"
	run -0 tf vendor one
	run -0 ls -A one/modules
	[ "${#lines[@]}" = 2 ]
}

@test "what is locked is what comes" {
	run -0 tf modules lock
	run -0 tf init
	edit r other
	offer a/b/c 1.2.0
	echo '{"modules": [{"versions": [{"version": "1.0.0"}, {"version": "1.1.0"}, {"version": "1.2.0"}]}]}' |
		page registry.test/modules/a/b/c/versions
	run -0 tf vendor
	export TFPIPE_VENDOR_DIR=vendor
	offline
	rm -rf .terraform
	run -0 tf init -lockfile=readonly
	[ "$(version_of e)" = 1.1.0 ]
	grep -q '"main"' .terraform/modules/a/m/main.tf
	# and nothing else
	rm -r .terraform
	for m in vendor/modules/git_*/m; do
		echo 'output "evil" { value = 1 }' >"$m/evil.tf"
	done
	run -1 tf init -no-color
	flat
	[[ $output = *'Error: Module package does not match the lock file'* ]]
}

@test "nobody is asked for what is not in the folder" {
	run -0 tf vendor
	export TFPIPE_VENDOR_DIR=vendor
	: >"$net/log"
	calls "a=git::file://$here/r//m" x=https://files.test/c-1.0.0.zip
	versioned y registry.test/a/b/c '> 1.1' >>main.tf
	versioned z registry.test/x/y/z >>main.tf
	run -1 tf init -no-color
	flat
	[[ $output = *'"https://files.test/c-1.0.0.zip": it is not in vendor, which TFPIPE_VENDOR_DIR names'* ]]
	[[ $output = *'Unresolvable module version constraint'*'newest available version is 1.1.0'* ]]
	[[ $output = *'Module has no versions'* ]]
	[ "$(asked_at_all)" = 0 ]
	rm -r vendor
	run -1 tf init -no-color
	flat
	[[ $output = *'vendor/modules/index.json cannot be read'* ]]
}

# bats test_tags=once
@test "whose password is in an address does not matter for what is in the folder" {
	pack m.zip
	calls a=https://me:mine@files.test/m.zip
	run -0 tf vendor
	run -1 grep -r mine vendor
	export TFPIPE_VENDOR_DIR=vendor
	calls a=https://me:yours@files.test/m.zip
	: >"$net/log"
	run -0 tf init
	diff -r "$here/m" .terraform/modules/a
	[ "$(asked_at_all)" = 0 ]
}

# bats test_tags=once
@test "what cannot be fetched leaves no folder" {
	versioned z registry.test/x/y/z >>main.tf
	run -1 tf vendor
	[ ! -e vendor ]
	run -1 tf vendor one two
	[ ! -e one ]
}

# What init would do without the folder: provider_installation of METHOD...
installation() {
	export TF_CLI_CONFIG_FILE=$here/rc
	printf 'provider_installation {\n' >"$TF_CLI_CONFIG_FILE"
	printf '  %s\n' "$@" '}' >>"$TF_CLI_CONFIG_FILE"
}

# A package in the directory mirror, whose program is a link out of it.
unpacked() { # TYPE VERSION
	local d=$here/mirror/other.test/acme/$1/$2/$platform
	mkdir -p "$d/doc" "$here/programs"
	echo "$1 $2" >"$here/programs/$1-$2"
	chmod +x "$here/programs/$1-$2"
	ln -s "$here/programs/$1-$2" "$d/terraform-provider-$1_v$2"
	echo read >"$d/doc/README"
}

needs() { # TYPE...
	printf 'terraform {\n  required_providers {\n'
	local name
	for name; do
		printf '    %s = { source = "other.test/acme/%s" }\n' "$name" "$name"
	done
	printf '  }\n}\n'
}

# The providers that init installs from the folder alone are those that it
# installed before.
vendored_alike() {
	mv .terraform "$here/before"
	TFPIPE_VENDOR_DIR=vendor run -0 tf init -no-color -lockfile=readonly
	diff -r "$here/before/providers" .terraform/providers
	rm -r .terraform "$here/before"
}

@test "providers come from where the CLI configuration says" {
	needs one two three four >main.tf
	dir="filesystem_mirror {
    path = \"$here/mirror\"
  }"
	unpacked two 1.0.0
	MIRROR=files.test/p publish other.test acme/three 1.0.0
	rm -r "$net/www/other.test/v1/providers/acme/three"
	publish other.test acme/four 1.0.0
	mkdir -p "$here/mirror/other.test/acme/four"
	cp "$net/www/other.test/files/acme/four/"*"_$platform.zip" \
		"$here/mirror/other.test/acme/four"
	installation "$dir" 'network_mirror {
    url = "https://files.test/p/"
    include = ["other.test/acme/three"]
  }' 'direct {
    include = ["other.test/acme/one"]
  }'
	run -0 tf init -no-color
	: >"$net/log"
	run -0 tf vendor -no-color
	run -1 grep -E 'v1/providers/acme/(two|three|four)|p/.*/(one|two|four)' "$net/log"
	d=vendor/providers/other.test/acme
	[ -f "$d/one/terraform-provider-one_1.2.0_$platform.zip" ]
	[ -f "$d/three/terraform-provider-three_1.0.0_$platform.zip" ]
	[ -f "$d/four/terraform-provider-four_1.0.0_$platform.zip" ]
	# without links to what is not in the folder
	[ "$(cat "$d/two/1.0.0/$platform/terraform-provider-two_v1.0.0")" = 'two 1.0.0' ]
	run -0 find vendor -type l
	[ -z "$output" ]
	vendored_alike
	# no place but these is asked
	rm .terraform.lock.hcl
	installation "$dir"
	rm -r vendor
	: >"$net/log"
	run -1 tf vendor -no-color
	flat
	[[ $output = *'other.test/acme/one'*'Searched: - '"$here/mirror"* ]]
	[[ $output = *'other.test/acme/three'* ]]
	[ "$(asked_at_all)" = 0 ]
	[ ! -e vendor ]
}

# bats test_tags=once
@test "an unpacked package takes the place of a packed one, and back" {
	needs one >main.tf
	run -0 tf vendor
	unpacked one 1.2.0
	installation "filesystem_mirror {
    path = \"$here/mirror\"
  }"
	run -0 tf vendor
	run -0 find vendor/providers -name '*.zip'
	[ -z "$output" ]
	run -0 tf init
	vendored_alike
	rm "$TF_CLI_CONFIG_FILE" .terraform.lock.hcl
	: >"$TF_CLI_CONFIG_FILE"
	run -0 tf vendor
	run -0 find vendor/providers -name 'terraform-provider-*'
	[ "$output" = "vendor/providers/other.test/acme/one/terraform-provider-one_1.2.0_$platform.zip" ]
}

# bats test_tags=once
@test "a package that the lock file does not allow is not copied" {
	needs one two >main.tf
	unpacked two 1.0.0
	installation "filesystem_mirror {
    path = \"$here/mirror\"
  }" 'direct {
    include = ["other.test/acme/one"]
  }'
	run -0 tf init
	cp .terraform.lock.hcl good
	echo more >>"$here/programs/two-1.0.0"
	run -1 tf vendor -no-color
	flat
	[[ $output = *'Error: Invalid provider package'*'acme/two'*'lock file allows'* ]]
	[ ! -e vendor ]
	echo 'two 1.0.0' >"$here/programs/two-1.0.0"
	run -0 tf vendor
	sed -i '/acme\/one"/,/}/s/"\(h1\|zh\):./"\1:_/' .terraform.lock.hcl
	run -1 tf vendor -no-color two
	flat
	[[ $output = *'Error: Invalid provider package'*'acme/one'* ]]
	[ ! -e two ]
}

# bats test_tags=once
@test "providers under development are said, and left out" {
	needs one two >main.tf
	installation "dev_overrides {
    \"other.test/acme/two\" = \"$here\"
  }" 'direct {
  }'
	run -0 tf init
	run -0 tf vendor -no-color
	flat
	[[ $output = *'Warning: Provider development overrides are in effect'*'other.test/acme/two in '"$here"*'The directory has no packages of them.'* ]]
	run -0 ls vendor/providers/other.test/acme
	[ "$output" = one ]
}

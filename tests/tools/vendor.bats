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

@test "what cannot be fetched leaves no folder" {
	versioned z registry.test/x/y/z >>main.tf
	run -1 tf vendor
	[ ! -e vendor ]
	run -1 tf vendor one two
	[ ! -e one ]
}

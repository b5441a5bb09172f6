#!/usr/bin/env bats
# modules-lock.bats - .terraform.modules.lock, of this program alone

load common
load modules
load net

setup() {
	only_ours
	modules_setup
	git_setup
	modules_web
	lock=.terraform.modules.lock
}

teardown() {
	serve_end
}

# A copy of the directory as version control has it.
elsewhere() {
	rm -rf "$here/e"
	mkdir "$here/e"
	cp main.tf $lock "$here/e"
	cd "$here/e"
}

a_hash() {
	awk -F '"' '/h1:/ { print $2; exit }' $lock
}

# Init fails, and says SUMMARY and all TEXTs.
fails() { # SUMMARY TEXT...
	run -1 tf init -no-color
	flat
	[[ $output = *"Error: $1"* ]]
	shift
	for text; do
		[[ $output = *"$text"* ]] || {
			echo "$output"
			return 1
		}
	done
}

# bats test_tags=once
@test "modules lock writes all packages down, sorted, and the same again" {
	repository r
	offer a/b/c 1.0.0 1.2.0
	pack m.zip
	mkdir "$here/own"
	echo 'output "own" { value = 1 }' >"$here/own/main.tf"
	calls "z=git::file://$here/r?ref=v1" "y=git::file://$here/r//m/n?ref=v1" \
		"x=git::file://$here/r" w=https://files.test/m.zip \
		"o=$here/own"
	versioned r registry.test/a/b/c '< 1.1' >>main.tf
	versioned s registry.test/a/b/c >>main.tf
	run -0 tf init -no-color
	[ ! -e $lock ]
	run -0 tf modules lock
	run -0 grep -v h1: $lock
	[ "$output" = '# This file is maintained automatically by "tf init".
# Manual edits may be lost in future updates.

module "git::file://'"$here"'/r" {
  commit = "'"$(git -C "$here/r" rev-parse main)"'"
  hashes = [
  ]
}

module "git::file://'"$here"'/r?ref=v1" {
  commit = "'"$(git -C "$here/r" rev-parse v1)"'"
  hashes = [
  ]
}

module "https://files.test/m.zip" {
  hashes = [
  ]
}

module "registry.test/a/b/c" {
  version = "1.0.0"
  hashes = [
  ]
}

module "registry.test/a/b/c" {
  version = "1.2.0"
  hashes = [
  ]
}' ]
	run -0 tf-fmt -check - <$lock
	cp $lock first
	for again in 'modules lock' init 'init -upgrade' 'init -lockfile=readonly'; do
		# shellcheck disable=SC2086
		run -0 tf $again
		cmp first $lock
	done
	elsewhere
	run -0 tf init -lockfile=readonly
	cmp "$here/w/first" $lock
	# what is not used any more goes with modules lock alone
	calls "w=https://files.test/m.zip"
	run -0 tf init
	cmp "$here/w/first" $lock
	run -0 tf modules lock
	[ "$(grep -c ^module $lock)" = 1 ]
}

@test "a branch that has moved stays where it is locked, until -upgrade" {
	repository r
	calls "a=git::file://$here/r//m?ref=dev" "b=git::file://$here/r//m"
	run -0 tf modules lock
	git -C "$here/r" checkout -q dev
	edit r dev2
	git -C "$here/r" checkout -q main
	edit r main2
	elsewhere
	run -0 tf init -lockfile=readonly
	grep -q '"dev"' .terraform/modules/a/m/main.tf
	grep -q '"main"' .terraform/modules/b/m/main.tf
	run -0 tf init -upgrade
	grep -q dev2 .terraform/modules/a/m/main.tf
	grep -q main2 .terraform/modules/b/m/main.tf
	grep -q "$(git -C "$here/r" rev-parse dev)" $lock
	# who has what was locked before gets what is locked now
	cp $lock "$here/w"
	cd "$here/w"
	run -0 tf init
	grep -q dev2 .terraform/modules/a/m/main.tf
	run -0 tf init -lockfile=readonly
	# a commit that is gone
	sed -i 's/commit = "....../commit = "000000/' $lock
	rm -r .terraform
	fails 'Failed to download module' 'the commit that is locked, 000000'
}

# bats test_tags=once
@test "a package that is not what it was is refused" {
	pack m.zip
	calls a=https://files.test/m.zip
	run -0 tf modules lock
	was=$(a_hash)
	elsewhere
	echo 'output "evil" { value = 1 }' >"$here/m/sub/main.tf"
	pack m.zip
	fails 'Module package does not match the lock file' 'module a,' \
		'"https://files.test/m.zip"' "$was" 'modules lock -update'
	[ ! -e .terraform/modules/a ]
	run -0 tf modules lock -update
	run -0 tf init -lockfile=readonly
	run -1 grep -F "$was" $lock
}

@test "a module that was changed where it is installed is refused" {
	repository r
	# links that lead nowhere, or have no end, are as good as others
	ln -s nowhere "$here/r/dangling"
	ln -s . "$here/r/loop"
	edit r links
	calls "a=git::file://$here/r//m" "b=git::file://$here/r//m"
	run -0 tf modules lock
	run -0 tf init
	for file in m/main.tf .hidden link new .new; do
		cp -a .terraform "$here/save"
		rm -f ".terraform/modules/a/$file"
		echo 'output "evil" { value = 1 }' >".terraform/modules/a/$file"
		fails 'Module package does not match the lock file' 'module a,' \
			"$(a_hash)" 'Somebody changed it'
		rm -r .terraform
		mv "$here/save" .terraform
	done
	# without the cache as well
	export TFPIPE_CACHE_DIR=
	echo >>.terraform/modules/b/m/main.tf
	fails 'Module package does not match the lock file' 'module '
	rm -r .terraform/modules/?
	run -0 tf init
}

@test "-lockfile=readonly adds nothing" {
	pack m.zip
	pack n.zip
	calls a=https://files.test/m.zip
	run -0 tf modules lock
	cp $lock first
	calls a=https://files.test/m.zip b=https://files.test/n.zip
	run -1 tf init -no-color -lockfile=readonly
	flat
	[[ $output = *'Error: Module dependency changes detected'*'module b, "https://files.test/n.zip"'* ]]
	[ ! -e .terraform/modules/b ]
	cmp first $lock
	run -0 tf init
	[ "$(grep -c ^module $lock)" = 2 ]
	run -0 tf init -lockfile=readonly
}

# bats test_tags=once
@test "a registry is not asked for versions that are locked" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c '~> 1.0' >main.tf
	run -0 tf modules lock
	offer a/b/c 1.0.0 1.1.0
	elsewhere
	: >"$net/log"
	run -0 tf init
	[ "$(version_of a)" = 1.0.0 ]
	[ "$(asked 'GET registry.test/modules/a/b/c/versions')" = 0 ]
	run -0 tf init -upgrade
	[ "$(version_of a)" = 1.1.0 ]
	[ "$(grep -c version $lock)" = 1 ]
	# somebody else's lock moves what is installed
	cp $lock "$here/w"
	cd "$here/w"
	run -0 tf init -lockfile=readonly
	[ "$(version_of a)" = 1.1.0 ]
	# a constraint that the lock does not meet adds a version
	versioned a registry.test/a/b/c '1.0.0' >main.tf
	run -0 tf init
	[ "$(version_of a)" = 1.0.0 ]
	[ "$(grep -c version $lock)" = 2 ]
}

# bats test_tags=once
@test "what is installed is fetched again before it is locked" {
	pack m.zip
	calls a=https://files.test/m.zip
	run -0 tf init
	echo 'output "evil" { value = 1 }' >>.terraform/modules/a/main.tf
	run -0 tf modules lock
	run -1 grep -q evil .terraform/modules/a/main.tf
	elsewhere
	run -0 tf init -lockfile=readonly
}

# bats test_tags=once
@test "secrets of addresses are not in the file" {
	pack m.zip
	calls a=https://me:hush@files.test/m.zip
	run -0 tf modules lock
	run -1 grep hush $lock
	run -0 tf init -lockfile=readonly
}

@test "a lock file that is wrong" {
	pack m.zip
	calls a=https://files.test/m.zip
	for text in 'module "a" {' 'module "a" {}' 'module "a" { hashes = [] }' \
		'module "a" { hashes = ["x"] }' 'module "a" { hashes = 1 }' \
		'provider "a" { hashes = ["h1:"] }'; do
		echo "$text" >$lock
		run -1 tf init -no-color
		flat
		[[ $output = *"on $lock line 1"* ]]
	done
	printf 'module "a" {\n  hashes = ["h1:"]\n}\n%.0s' 1 2 >$lock
	fails 'Invalid module lock file' 'another lock for a'
	run -1 tf init -no-color -lock-modules
	[[ $output = *'-lock-modules is an option of -get-only'* ]]
}

# bats test_tags=once
@test "a token in an address is said nowhere, and read by its user alone" {
	pack m.zip
	url='https://files.test/m.zip?token=hush&sig=hush2'
	calls "a=$url"
	(umask 022 && tf init -no-color) >said 2>&1
	[ "$(stat -c %a .terraform/modules/modules.json)" = 600 ]
	grep -q 'token=hush' .terraform/modules/modules.json
	run -0 tf modules lock
	echo "$output" >>said
	run -1 grep -r hush said $lock .terraform/modules/.locked
	grep -q 'token=redacted' $lock
	# another token, another mode: the same package
	calls "a=${url//hush/hash}"
	cp $lock before
	run -0 tf init -lockfile=readonly
	diff before $lock
	calls "a=https://files.test/gone.zip?token=hush&sig=hush2"
	run -1 tf init -no-color
	[[ $output != *hush* ]]
	calls "a=https://files.test/m.zip"
	rm -rf .terraform $lock
	(umask 022 && tf init -no-color)
	[ "$(stat -c %a .terraform/modules/modules.json)" = 644 ]
}

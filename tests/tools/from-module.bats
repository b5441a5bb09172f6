#!/usr/bin/env bats
# from-module.bats - an empty directory filled with a module
#
# See modules.bash for TF_TEST_CLI.

load common
load modules
load net

setup() {
	modules_setup
	git_setup
}

teardown() {
	serve_end
}

# Init with -from-module in the directory, which is emptied.
copies() { # SOURCE
	rm -rf "$here/w"
	mkdir "$here/w"
	cd "$here/w"
	run -0 $cli init -no-color "-from-module=$1"
}

# It fails, and what was in the directory is all that is.
refused() { # SOURCE SUMMARY TEXT
	local before
	before=$(find . | sort)
	run -1 $cli init -no-color "-from-module=$1"
	flat
	[[ $output = *"Error: $2"*"$3"* ]] || {
		echo "$output"
		return 1
	}
	[ -n "${TF_TEST_CLI-}" ] || [ "$(find . | sort)" = "$before" ]
	# of OpenTofu something stays
	[ -z "${TF_TEST_CLI-}" ] || [ "$before" != . ] || rm -rf "$here"/w/* .terraform
}

# bats test_tags=once
@test "a directory is copied, without what is hidden, with what it calls" {
	repository r
	mkdir -p "$here/m/sub/deep"
	cat >"$here/m/main.tf" <<-E
		module "sub" { source = "./sub" }
		module "far" { source = "git::file://$here/r//m/n" }
	E
	echo 'module "deep" { source = "./deep" }' >"$here/m/sub/main.tf"
	echo 'output "d" { value = 1 }' >"$here/m/sub/deep/main.tf"
	echo hidden >"$here/m/.hidden"
	echo '#!/bin/sh' >"$here/m/run"
	chmod +x "$here/m/run"
	ln -s run "$here/m/link"
	for source in "$here/m" ../m; do
		copies "$source"
		[[ $output = *"Copying configuration from \"$source\"..."*"Downloading git::file://$here/r for far..."*$'\n- far\n- far.up\n- sub\n- sub.deep\n\n\nInitializing the backend...\nInitializing modules...\n\n'*'successfully initialized!'* ]]
		[ ! -e .hidden ]
		[ -x run ]
		[ "$(readlink link)" = run ]
		cmp main.tf "$here/m/main.tf"
		[ "$(stat -c %h main.tf)" = 1 ]
		run -0 ls -A .terraform
		[ "$output" = modules ]
		run -0 $cli validate -no-color
	done
}

@test "local modules of the copy are those of the copy" {
	only_ours # OpenTofu goes on to use those that were copied
	mkdir -p "$here/m/sub"
	echo 'module "sub" { source = "./sub" }' >"$here/m/main.tf"
	echo 'output "s" { value = 1 }' >"$here/m/sub/main.tf"
	copies ../m
	[ "$(records)" = 'sub sub' ]
}

@test "a part of a repository, an archive, a module of a registry" {
	modules_web
	repository r
	copies "git::file://$here/r//m?ref=v1"
	grep -q v1 main.tf
	[ ! -e .git ]
	pack m.zip
	copies https://files.test/m.zip//sub
	run -0 cat main.tf
	[ "$output" = 'output "o" { value = 1 }' ]
	offer a/b/c 1.0.0 1.1.0
	copies registry.test/a/b/c
	[[ $output = *$'"registry.test/a/b/c"...\n- sub\n'* ]]
	[ -e sub/main.tf ]
	[ "$(asked 'GET registry.test/modules/a/b/c/1.1.0/download')" = 1 ]
}

@test "the messages as JSON" {
	mkdir -p "$here/m/sub"
	echo 'module "sub" { source = "./sub" }' >"$here/m/main.tf"
	echo 'output "s" { value = 1 }' >"$here/m/sub/main.tf"
	run -0 --separate-stderr $cli init -json -from-module=../m
	run -0 jq -r '."@message"' <<<"$output"
	[[ $output = *$'\nCopying configuration from "../m"...\ninstalling sub\nInitializing the backend...\n'* ]]
}

@test "a directory that is not empty is left alone" {
	mkdir "$here/m"
	echo 'output "m" { value = 1 }' >"$here/m/main.tf"
	for name in main.tf a.tofu b.tf.json; do
		: >$name
		refused ../m 'The working directory already contains files' ''
		rm $name
	done
	for name in README .hidden terraform.tfvars; do
		: >$name
		refused ../m "Can't populate non-empty directory" ''
		rm $name
	done
	mkdir .terraform
	: >.terraform/own
	run -0 $cli init -no-color -from-module=../m
	[ -e .terraform/own ]
	[ -e main.tf ]
	refused ../m 'The working directory already contains files' ''
}

@test "a module without configuration makes an empty directory" {
	mkdir "$here/m"
	: >"$here/m/README"
	run -0 $cli init -no-color -from-module=../m
	[[ $output = *'initialized in an empty directory!'* ]]
	[ -e README ]
}

@test "what cannot be copied leaves the directory as it was" {
	repository r
	refused ./nowhere 'Failed to download module' 'source path error: stat'
	refused nowhere 'Invalid module source address' ''
	refused "git::file://$here/r?ref=none" 'Failed to download module' ''
	# beside the module, not in it
	refused "git::file://$here/r//m/n" 'Root module references parent directory' \
		"\"git::file://$here/r//m/n2\""
	mkdir "$here/m"
	echo "module \"a\" { source = \"git::file://$here/none\" }" >"$here/m/main.tf"
	refused ../m 'Failed to download module' ''
	echo 'module "a" {' >"$here/m/main.tf"
	refused ../m '' ''
}

@test "a directory within the module is not filled with it" {
	only_ours # OpenTofu copies the copy
	echo 'output "m" { value = 1 }' >"$here/main.tf"
	refused .. 'Failed to copy root module' 'has this directory in it'
}

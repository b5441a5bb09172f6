#!/usr/bin/env bats
# modules-ahead.bats - what is cloned, downloaded or copied before its turn
#
# See modules.bash.  OpenTofu fetches one after another.

load common
load modules
load net

setup() {
	modules_setup
	git_setup
	for r in r1 r2 r3; do
		repository $r
	done
	all="a=git::file://$here/r1 b=git::file://$here/r2 c=git::file://$here/r3?ref=v1"
	mkdir "$here/bin" "$here/begun"
	git=$(command -v git)
}

teardown() {
	serve_end
}

# A git that does this before it clones; $to is where to.
before_clone() { # SHELL
	cat >"$here/bin/git" <<-END
	#!/bin/bash
	here='$here' git='$git'
	if [ "\$1" = clone ]; then
		for to; do :; done
		: >"\$here/begun/\$(basename "\$to" | tr -d .)"
		$1
	fi
	exec "\$git" "\$@"
	END
	chmod +x "$here/bin/git"
	PATH=$here/bin:$PATH
}

wait_until() { # COMMAND...
	for _ in $(seq 1200); do
		! "$@" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}

begun() {
	find "$here/begun" -type f | awk 'END { print NR }'
}
all_begun() {
	[ "$(begun)" = 3 ]
}

nothing_beside() {
	[ "$(find .terraform/modules -maxdepth 1 -name '.*.ahead' |
		awk 'END { print NR }')" = 0 ]
}

# bats test_tags=once
@test "different repositories are cloned beside one another, told of in order" {
	only_ours
	# shellcheck disable=SC2086 # words
	calls $all
	run -0 $cli init -no-color
	alone=$output
	expected=$(records)
	[[ $expected = *'c.inner .terraform/modules/c/m' ]]
	rm -rf .terraform
	before_clone 'for _ in $(seq 1200); do
		[ "$(ls "$here/begun" | wc -l)" -lt 3 ] || exec "$git" "$@"
		sleep 0.05
	done
	rm "$here/begun/$(basename "$to" | tr -d .)"
	exit 9'
	run -0 $cli init -no-color
	[ "$output" = "$alone" ]
	[ "$(records)" = "$expected" ]
	nothing_beside
	for m in a b c; do
		run -0 git -C ".terraform/modules/$m" status
		[[ $output = *'working tree clean'* ]]
	done
	grep -q v1 .terraform/modules/c/m/main.tf
}

# bats test_tags=once
@test "what fails ahead of its turn is done in its turn" {
	only_ours
	before_clone 'case $to in *.ahead) echo early >&2; exit 3 ;; esac'
	# shellcheck disable=SC2086 # words
	calls $all
	run -0 $cli init -no-color
	[[ $output != *early* ]]
	nothing_beside
	grep -q main .terraform/modules/b/m/main.tf
}

# bats test_tags=once
@test "errors are told in the order of the modules" {
	calls "a=git::file://$here/r1" "b=git::file://$here/none1" \
		"c=git::file://$here/none2"
	run -1 $cli init -no-color
	[[ $output = *"Downloading git::file://$here/r1 for a..."*none1*for\ b*none2*for\ c* ]]
	[[ $output = *'Failed to download module'*none1*'Failed to download module'*none2* ]]
	nothing_beside
	[ ! -e .terraform/modules/b ]
}

# bats test_tags=once
@test "a module within a module gets a copy of what is cloned for another" {
	only_ours # OpenTofu clones it for each ref
	echo "module \"in\" { source = \"git::file://$here/r3?ref=dev\" }" \
		>"$here/r1/more.tf"
	edit r1 main
	before_clone ''
	# shellcheck disable=SC2086 # words
	calls $all
	run -0 $cli init -no-color
	grep -q dev .terraform/modules/a.in/m/main.tf
	grep -q v1 .terraform/modules/c/m/main.tf
	[ "$(begun)" = 3 ]
	run -0 git -C .terraform/modules/a.in fsck --strict
	nothing_beside
}

@test "who clones ahead ends with init, and leaves nothing" {
	only_ours
	before_clone 'mkdir -p "$to"; : >"$to/part"; sleep 60; exit 1'
	# shellcheck disable=SC2086 # words
	calls $all
	tf-init -no-color >out 2>&1 3>&- &
	pid=$!
	wait_until test -e .terraform/modules/.c.ahead/part
	wait_until all_begun
	kill -9 $pid
	wait_until nothing_beside
	run -1 pgrep -f "clone.*$here/r2"
}

@test "git finds no terminal ahead of its turn" {
	only_ours
	need script
	before_clone 'case $to in
	*.ahead) if : >/dev/tty; then echo yes; else echo no; fi \
		2>/dev/null >>"$here/terminal" ;;
	esac'
	# shellcheck disable=SC2086 # words
	calls $all
	run -0 script -qec "$cli init" /dev/null
	[ "$(sort -u "$here/terminal")" = no ]
}

# bats test_tags=once
@test "registries are asked for all that a module calls before it is installed" {
	only_ours
	modules_web
	for r in r1 r2 r3; do
		offer "acme/$r/x" 1.0.0 1.1.0
		echo "{\"location\": \"git::file://$here/$r?ref=v1\"}" |
			page "registry.test/modules/acme/$r/x/1.1.0/download"
		versioned "$r" "registry.test/acme/$r/x//m"
	done >main.tf
	run -0 $cli init -no-color
	alone=$output
	rm -rf .terraform
	: >"$net/log"
	rules '{"at": "registry.test/modules/*/versions", "together": 3}' \
		'{"at": "registry.test/modules/*/download", "together": 3}'
	before_clone 'for _ in $(seq 1200); do
		[ "$(ls "$here/begun" | wc -l)" -lt 3 ] || exec "$git" "$@"
		sleep 0.05
	done
	rm "$here/begun/$(basename "$to" | tr -d .)"
	exit 9'
	run -0 $cli init -no-color
	[ "$output" = "$alone" ]
	[ "$(grep -c 'GET registry.test/modules/' "$net/log")" = 6 ]
	[ "$(version_of r2)" = 1.1.0 ]
	grep -q v1 .terraform/modules/r3/m/main.tf
}

# bats test_tags=once
@test "a registry that fails before a turn is asked again in its turn" {
	only_ours
	modules_web
	for r in r1 r2; do
		offer "acme/$r/x" 1.0.0
		versioned "$r" "registry.test/acme/$r/x"
	done >main.tf
	rules '{"at": "registry.test/modules/acme/*/versions", "times": 1, "status": 404}' \
		'{"at": "registry.test/modules/acme/*/download", "times": 1, "body": "[]"}'
	run -0 $cli init -no-color
	[ "$(version_of r1)" = 1.0.0 ]
	[ "$(version_of r2)" = 1.0.0 ]
	rules '{"at": "registry.test/modules/acme/r1/x/versions", "status": 404}'
	rm -rf .terraform
	run -1 $cli init -no-color
	[ "$(grep -c 'Error: Module not found' <<<"$output")" = 1 ]
	[ -e .terraform/modules/r2/version.tf ]
}

# Four archives of files.test, two of them by way of a registry.
archives() {
	modules_web
	offer acme/r/x 1.0.0
	offer acme/s/y 1.0.0
	for m in a b; do
		echo "output \"of\" { value = \"$m\" }" >"$here/m/version.tf"
		pack $m.zip
	done
	calls a=https://files.test/a.zip b=https://files.test/b.zip
	{
		versioned r registry.test/acme/r/x
		versioned s registry.test/acme/s/y
	} >>main.tf
}

no_downloads() {
	[ "$(echo .terraform/modules/.*.{archive,kept})" = \
		'.terraform/modules/.*.archive .terraform/modules/.*.kept' ]
}

# bats test_tags=once
@test "archives are downloaded beside one another, told of in order" {
	archives
	run -0 $cli init -no-color
	alone=$output
	expected=$(records)
	rm -rf .terraform
	only_ours
	rules '{"at": "files.test/*.zip", "method": "GET", "together": 4}'
	: >"$net/log"
	run -0 $cli init -no-color
	[ "$output" = "$alone" ]
	[ "$(records)" = "$expected" ]
	[ "$(grep -c files.test "$net/log")" = 4 ]
	for m in a b; do
		grep -q "\"$m\"" .terraform/modules/$m/version.tf
	done
	[ -e .terraform/modules/s/version.tf ]
	no_downloads
}

# bats test_tags=once
@test "archives that registries have themselves are downloaded so, too" {
	only_ours
	modules_web
	mkdir -p "$net/www/registry.test/files"
	echo '{"modules.v1": "/modules/"}' |
		page registry.test/.well-known/terraform.json
	for m in a b; do
		tar -C "$here/m" -czf "$net/www/registry.test/files/$m" .
		echo '{"modules": [{"versions": [{"version": "1.0.0"}]}]}' |
			page "registry.test/modules/acme/$m/x/versions"
		echo "{\"location\": \"/files/$m\", \"use_registry_credentials\": true}" |
			page "registry.test/modules/acme/$m/x/1.0.0/download"
		versioned $m registry.test/acme/$m/x
	done >main.tf
	rules '{"at": "registry.test/files/*", "token": "T", "together": 2}'
	export TF_TOKEN_registry_test=T
	run -0 $cli init -no-color
	diff -r "$here/m" .terraform/modules/a
	no_downloads
}

# bats test_tags=once
@test "failed downloads are told in the order of the modules" {
	archives
	rules '{"at": "files.test/a.zip", "status": 404, "delay": 0.5}' \
		'{"at": "files.test/x-1.0.0.zip", "status": 410}'
	run -1 $cli init -no-color
	flat
	[[ $output = *'Downloading https://files.test/a.zip for a... '*'https://files.test/b.zip for b... '*'- b in .terraform/modules/b '*"for r... Downloading"*'for s... '* ]]
	[[ $output = *'Failed to download module'*a.zip*404*'Failed to download module'*410* ]]
	no_downloads
	[ ! -e .terraform/modules/a ]
}

# bats test_tags=once
@test "registries of further modules do not wait for downloads" {
	only_ours
	archives
	offer acme/t/z 1.0.0
	for m in 1 2; do
		versioned t$m registry.test/acme/t/z
	done >"$here/m/more.tf"
	pack a.zip
	calls a=https://files.test/a.zip b=https://files.test/b.zip
	# b.zip comes when it is asked where t is
	rules '{"at": "*test/[bm]*[pd]", "together": 2}'
	run -0 $cli init -no-color
	[ "$(version_of a.t2)" = 1.0.0 ]
}

# bats test_tags=once
@test "a download that nobody takes any more leaves nothing" {
	only_ours
	archives
	rules '{"at": "files.test/a.zip", "endless": true}'
	tf-init -no-color >out 2>&1 3>&- &
	pid=$!
	wait_until test -s .terraform/modules/.a.archive
	wait_until test -s .terraform/modules/.b.archive
	kill -9 $pid
	wait_until test ! -e .terraform/modules/.a.archive
	rules
	run -0 $cli init -no-color
	no_downloads
}

# bats test_tags=once
@test "copies of a package are made before their turns, each once" {
	only_ours
	[ "$(nproc)" -gt 1 ] || skip 'one processor'
	# shellcheck disable=SC2046 # words
	calls $(printf "m%d=git::file://$here/r1 " $(seq 12))
	mkdir -p .terraform/modules/.m{7,70}.copy/old
	run -0 $cli init -no-color
	for m in $(seq 12); do
		diff -r -x '.*' ".terraform/modules/m$m" "$here/r1"
	done
	[ "$(echo .terraform/modules/.*.copy)" = .terraform/modules/.m70.copy ]
	[ "$(stat -c %h .terraform/modules/m1/m/main.tf)" = 12 ]
}

@test "a copy that cannot be made before its turn is made in its turn" {
	local long
	printf -v long '%252s' ''
	# shellcheck disable=SC2046 # words
	calls $(printf "m%d=git::file://$here/r1//m " $(seq 12)) \
		"${long// /n}=git::file://$here/r1//m"
	run -0 $cli init -no-color
	diff -r -x '.*' ".terraform/modules/${long// /n}" "$here/r1"
	diff -r -x '.*' .terraform/modules/m9 "$here/r1"
}

# bats test_tags=once
@test "an init that is interrupted fails, and the next one finishes it" {
	calls "a=git::file://$here/r1" "b=git::file://$here/r2"
	for signal in INT TERM; do
		for whole in '' -; do # tf alone, or all of its group
			rm -rf .terraform begun
			before_clone ": >$PWD/begun; sleep 5"
			# a shell starts what is in the background with SIGINT ignored
			setsid env --default-signal=INT,QUIT $cli init -no-color \
				>said 2>&1 3>&- &
			pid=$!
			wait_until test -e begun
			kill -$signal -- $whole$pid
			status=0
			wait $pid || status=$?
			[ "$status" = 1 ]
			grep -q 'canceled by an interrupt signal' said
			PATH=${PATH#*:}
			run -0 $cli init
			nothing_beside
		done
	done
}

# bats test_tags=once
@test "an init with -json that is interrupted says so in a record" {
	calls "a=git::file://$here/r1" "b=git::file://$here/r2"
	before_clone ": >$PWD/begun; sleep 5"
	for whole in '' -; do
		rm -rf .terraform begun
		setsid env --default-signal=INT,QUIT $cli init -json \
			>said 2>told 3>&- &
		pid=$!
		wait_until test -e begun
		begun=$(date -u +%Y-%m-%dT%H:%M)
		kill -INT -- $whole$pid
		status=0
		wait $pid || status=$?
		[ "$status" = 1 ]
		[ ! -s told ]
		run -0 jq -r 'select(.type == "diagnostic" and
			(.diagnostic.detail | test("canceled by an interrupt signal"))) |
			[."@level", .diagnostic.severity, ."@timestamp"] | join(" ")' said
		[[ $output = "error error ${begun%T*}"T??:??:??.??????Z ]]
		[ ! -e .terraform/modules/a ]
		[ ! -e .terraform/modules/b ]
	done
}

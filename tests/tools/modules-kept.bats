#!/usr/bin/env bats
# modules-kept.bats - packages that another directory has fetched, of this
# program alone

load common
load modules
load net

setup() {
	only_ours
	modules_setup
	git_setup
	modules_web
	export TFPIPE_CACHE_DIR=$here/cache
	# a git that tells what it is asked to do
	mkdir "$here/bin"
	git=$(command -v git)
	printf '#!/bin/sh\nprintf "%%s\\n" "$1" >>"%s/asked"\nexec "%s" "$@"\n' \
		"$here" "$git" >"$here/bin/git"
	chmod +x "$here/bin/git"
	tf_path=$here/bin:$PATH
}

teardown() {
	serve_end
}

# Init in a new directory with the same configuration.
again() {
	mkdir "$here/next"
	cp main.tf "$here/next"
	rm -rf "$here/again"
	mv "$here/next" "$here/again"
	cd "$here/again"
	: >"$here/asked"
	: >"$net/log"
	PATH=$tf_path run -0 tf init -no-color
}

clones() {
	awk '$0 == "clone" { n++ } END { print n + 0 }' "$here/asked"
}

# bats test_tags=once
@test "a repository is not cloned again by another directory" {
	repository r
	calls "a=git::file://$here/r//m" "b=git::file://$here/r//m?ref=dev" \
		"c=git::file://$here/r//m?ref=v1" "d=git::file://$here/r?ref=HEAD"
	again
	[ "$(clones)" = 1 ]
	cp -r .terraform "$here/first"
	again
	[ "$(clones)" = 0 ]
	for m in a b c d; do
		diff -r -x .git "$here/first/modules/$m" ".terraform/modules/$m"
	done
	# files that people may edit are not shared
	[ "$(stat -c %h .terraform/modules/a/m/main.tf)" = 1 ]
	echo edited >>.terraform/modules/a/m/main.tf
	again
	run -1 grep edited .terraform/modules/a/m/main.tf
	# nothing is kept where nobody wants it
	TFPIPE_CACHE_DIR='' again
	[ "$(clones)" = 1 ]
}

# bats test_tags=once
@test "branches, tags and the default branch are as they are now" {
	repository r
	calls "a=git::file://$here/r//m" "b=git::file://$here/r//m?ref=dev" \
		"c=git::file://$here/r//m?ref=v1" "d=git::file://$here/r//m?ref=main"
	again
	git -C "$here/r" checkout -q dev
	edit r dev2
	git -C "$here/r" checkout -q main
	edit r main2
	git -C "$here/r" tag -f v1
	again
	[ "$(clones)" = 0 ]
	grep -q main2 .terraform/modules/a/m/main.tf
	grep -q dev2 .terraform/modules/b/m/main.tf
	grep -q main2 .terraform/modules/c/m/main.tf
	grep -q main2 .terraform/modules/d/m/main.tf
	# what came is kept, too
	git -C "$here/r" checkout -q dev
	again
	grep -q dev2 .terraform/modules/a/m/main.tf
	git -C "$here/r" checkout -q --detach
	git -C "$here/r" branch -q -D dev
	cd "$here/again"
	rm -r .terraform
	run -1 tf init -no-color
	flat
	[[ $output = *'invalid ref: "dev"'* ]]
}

@test "a commit that is kept needs no host" {
	repository r
	commit=$(git -C "$here/r" rev-parse v1)
	calls "a=git::file://$here/r//m?ref=$commit" \
		"b=git::file://$here/r//m?ref=dev"
	run -0 tf init
	run -0 tf modules lock
	mv "$here/r" "$here/gone"
	mkdir "$here/e"
	cp main.tf .terraform.modules.lock "$here/e"
	cd "$here/e"
	run -0 tf init -lockfile=readonly
	grep -q v1 .terraform/modules/a/m/main.tf
	grep -q dev .terraform/modules/b/m/main.tf
	# without the lock the branch has to be asked for
	rm -r .terraform .terraform.modules.lock
	run -1 tf init -no-color
	flat
	[[ $output = *'Failed to download module'* ]]
	[ ! -e .terraform/modules/b ]
}

# bats test_tags=once
@test "an archive whose checksum is known is fetched once" {
	pack m.zip
	sum=$(sha256sum "$net/www/files.test/m.zip" | cut -d ' ' -f 1)
	calls "a=https://files.test/m.zip?checksum=$sum"
	again
	[ "$(asked_at_all)" = 1 ]
	again
	[ "$(asked_at_all)" = 0 ]
	diff -r "$here/m" .terraform/modules/a
	# others are asked for
	calls a=https://files.test/m.zip
	again
	again
	[ "$(asked 'GET files.test/m.zip')" = 1 ]
}

# bats test_tags=once
@test "an archive with an ETag is fetched again when it has another" {
	pack m.zip
	rules '{"at": "files.test/m.zip", "etag": "\"1\""}'
	calls a=https://files.test/m.zip
	again
	# who has it is told so, and gets no body
	rules '{"at": "files.test/m.zip", "etag": "\"1\"", "body": "none"}'
	again
	[ "$(asked 'GET files.test/m.zip')" = 1 ]
	diff -r "$here/m" .terraform/modules/a
	echo 'output "new" { value = 1 }' >"$here/m/new.tf"
	pack m.zip
	rules '{"at": "files.test/m.zip", "etag": "\"2\""}'
	again
	[ -e .terraform/modules/a/new.tf ]
}

@test "a version of a registry is fetched once" {
	offer a/b/c 1.0.0
	mkdir "$net/www/registry.test/files"
	tar -C "$here/m" -czf "$net/www/registry.test/files/d" .
	echo '{"modules": [{"versions": [{"version": "1.0.0"}]}]}' |
		page registry.test/modules/d/e/f/versions
	echo '{"location": "/files/d", "use_registry_credentials": true}' |
		page registry.test/modules/d/e/f/1.0.0/download
	versioned a registry.test/a/b/c >main.tf
	versioned d registry.test/d/e/f >>main.tf
	again
	[ "$(asked 'GET files.test/c-1.0.0.zip')" = 1 ]
	[ "$(asked 'GET registry.test/files/d')" = 1 ]
	again
	[ "$(asked 'GET files.test/c-1.0.0.zip')" = 0 ]
	[ "$(asked 'GET registry.test/files/d')" = 0 ]
	[ -e .terraform/modules/a/version.tf ]
	diff -r "$here/m" .terraform/modules/d
}

@test "what is kept and broken is fetched again" {
	repository r
	pack m.zip
	sum=$(sha256sum "$net/www/files.test/m.zip" | cut -d ' ' -f 1)
	rules '{"at": "files.test/n.zip", "etag": "\"1\""}'
	pack n.zip
	echo 'output "evil" { value = 1 }' >"$here/m/evil.tf"
	pack evil.zip
	rm "$here/m/evil.tf"
	calls "a=https://files.test/m.zip?checksum=$sum" "b=git::file://$here/r" \
		c=https://files.test/n.zip
	again
	for file in "$here"/cache/archives/*/archive; do
		cp "$net/www/files.test/evil.zip" "$file"
	done
	rm "$here"/cache/repositories/*/.git/HEAD
	# a repository around it is not taken for it
	git init -q "$here"
	git -C "$here" remote add origin "$here/r"
	again
	[ "$(asked 'GET files.test/m.zip?checksum='"$sum")" = 0 ]
	[ "$(asked 'GET files.test/m.zip')" = 1 ]
	[ "$(clones)" = 1 ]
	diff -r "$here/m" .terraform/modules/a
	diff -r "$here/m" .terraform/modules/c
	again
	[ "$(clones)" = 0 ]
	# half of it
	find "$here/cache/repositories" -path '*/objects/*' -type f -size +150c \
		-delete
	again
	diff -r -x .git "$here/r" .terraform/modules/b
	run -0 git -C "$here" for-each-ref
	[ -z "$output" ]
}

# bats test_tags=once
@test "several inits at a time share what is kept" {
	repository r
	calls "a=git::file://$here/r//m" "b=git::file://$here/r//m?ref=dev"
	for i in 1 2 3 4 5 6; do
		mkdir "$here/p$i"
		cp main.tf "$here/p$i"
	done
	local pids=()
	for i in 1 2 3 4 5 6; do
		(cd "$here/p$i" && exec tf init -no-color >out 2>&1) 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	for i in 1 2 3 4 5 6; do
		grep -q 'successfully initialized' "$here/p$i/out"
		grep -q dev "$here/p$i/.terraform/modules/b/m/main.tf"
	done
	run -0 find "$here/cache/repositories" -mindepth 1 -maxdepth 1
	[ "${#lines[@]}" = 1 ]
}

# bats test_tags=once
@test "what nobody used for a month goes" {
	repository r
	repository s
	calls "a=git::file://$here/r"
	again
	touch -d '20 days ago' "$here"/cache/repositories/*
	calls "a=git::file://$here/s"
	again
	run -0 find "$here/cache/repositories" -mindepth 1 -maxdepth 1
	[ "${#lines[@]}" = 2 ]
	touch -d '40 days ago' "$here"/cache/repositories/*
	again
	run -0 find "$here/cache/repositories" -mindepth 1 -maxdepth 1
	[ "${#lines[@]}" = 1 ]
}

# bats test_tags=once
@test "what another user keeps is not used" {
	[ "$(id -u)" = 0 ] || skip "only root can give files away"
	repository r
	calls "a=git::file://$here/r"
	again
	chown 65534 "$here"/cache/repositories/*
	again
	[ "$(clones)" = 1 ]
	# ours is kept now
	again
	[ "$(clones)" = 0 ]
}

kept() { # KIND
	find "$here/cache/$1" -mindepth 1 -maxdepth 1
}

@test "a clone of a depth is kept, with the ref that it was made for" {
	repository r
	calls "a=git::file://$here/r//m?depth=1" \
		"b=git::file://$here/r//m?depth=1&ref=dev" \
		"c=git::file://$here/r//m?depth=1&ref=v1"
	again
	[ "$(clones)" = 3 ]
	[ "$(git -C .terraform/modules/a rev-list --count HEAD)" = 1 ]
	again
	[ "$(clones)" = 0 ]
	grep -q main .terraform/modules/a/m/main.tf
	grep -q dev .terraform/modules/b/m/main.tf
	grep -q v1 .terraform/modules/c/m/main.tf
	# as they are now, and no more of them
	git -C "$here/r" checkout -q dev
	edit r dev2
	git -C "$here/r" checkout -q main
	edit r main2
	git -C "$here/r" tag -f v1
	again
	[ "$(clones)" = 0 ]
	grep -q main2 .terraform/modules/a/m/main.tf
	grep -q dev2 .terraform/modules/b/m/main.tf
	grep -q main2 .terraform/modules/c/m/main.tf
	[ "$(git -C .terraform/modules/a rev-list --count HEAD)" = 1 ]
	# another default branch, and a branch that is gone
	git -C "$here/r" checkout -q -b new
	edit r new
	again
	grep -q new .terraform/modules/a/m/main.tf
	git -C "$here/r" branch -q -D dev
	cd "$here/again"
	rm -r .terraform
	run -1 tf init -no-color
	[ ! -e .terraform/modules/b ]
}

@test "what is kept takes no more than it may: what was used last stays" {
	for i in 1 2 3 4; do
		head -c 1000000 /dev/urandom >"$here/m/data"
		pack "$i.tar.gz"
	done
	repository r
	fetch_one() { # NAME
		calls "a=https://files.test/$1.tar.gz?checksum=$(sha256sum "$net/www/files.test/$1.tar.gz" | cut -d ' ' -f 1)"
		TFPIPE_CACHE_SIZE=${2-4} again
	}
	calls "a=git::file://$here/r//m"
	again
	fetch_one 1
	fetch_one 2
	fetch_one 3
	[ "$(kept archives | wc -l)" = 3 ]
	touch -d '2 hours ago' "$here"/cache/repositories/*
	touch -d '1 hour ago' "$here"/cache/archives/*
	fetch_one 1 # which uses it
	[ "$(asked_at_all)" = 0 ]
	fetch_one 4 2
	run -0 kept repositories
	[ -z "$output" ]
	[ "$(kept archives | wc -l)" = 2 ]
	fetch_one 1 2
	[ "$(asked_at_all)" = 0 ]
	fetch_one 2 0
	[ -e .terraform/modules/a/data ]
	run -0 kept archives
	[ -z "$output" ]
}

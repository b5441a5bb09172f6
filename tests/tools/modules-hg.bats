#!/usr/bin/env bats
# modules-hg.bats - modules from Mercurial repositories; with TF_TEST_CLI=tofu the
# same on OpenTofu

load common
load modules
load net

setup() {
	modules_setup
	export HGRCPATH=$here/hgrc
	printf '[ui]\nusername = Tests\n' >"$HGRCPATH"
}

# A repository with a module in ./m, of which the tag v1 and the branch dev have
# others.
hg_repository() {
	need hg
	made_once "$here/r" hg_commits
}

hg_commits() { # DIRECTORY
	hg init "$1"
	mkdir -p "$1/m"
	hg_commit "$1" v1
	hg -R "$1" tag v1
	hg -R "$1" branch -q dev
	hg_commit "$1" dev
	hg -R "$1" update -q default
	hg_commit "$1" main
}

hg_commit() { # DIRECTORY WHAT
	echo "output \"v\" { value = \"$2\" }" >"$1/m/main.tf"
	hg -R "$1" commit -q -A -m "$2"
}

@test "the default branch, a tag, a branch, a commit, a subdirectory" {
	hg_repository
	id=$(hg -R "$here/r" log -r v1 -T '{node}')
	calls "a=hg::file://$here/r//m" "b=hg::file://$here/r//m?rev=v1" \
		"c=hg::file://$here/r//m?rev=dev" "d=hg::file://$here/r?rev=$id"
	run -0 $cli init -no-color
	grep -q main .terraform/modules/a/m/main.tf
	grep -q v1 .terraform/modules/b/m/main.tf
	grep -q dev .terraform/modules/c/m/main.tf
	grep -q v1 .terraform/modules/d/m/main.tf
	[ "$(source_of b)" = "hg::file://$here/r//m?rev=v1" ]
}

# bats test_tags=once
@test "a revision that is not there, or is an option; a repository that is not there" {
	hg_repository
	for source in "file://$here/r?rev=none" "file://$here/r?rev=--config%3Dalias.update%3D!touch%20$here/evil" \
		"file://$here/none"; do
		calls "a=hg::$source"
		run -1 $cli init -no-color
		flat
		[[ $output = *'Failed to download module'* ]]
		! [ -z "${TF_TEST_CLI-}" ] || [ ! -e .terraform/modules/a ]
	done
	[ ! -e "$here/evil" ]
	if [ -z "${TF_TEST_CLI-}" ]; then
		calls "a=hg::file://$here/r?rev=-r0"
		run -1 $cli init -no-color
		flat
		[[ $output = *'invalid rev: it begins with a dash'* ]]
	fi
}

# bats test_tags=once
@test "settings that the user's directory brings along run no program" {
	[ -z "${TF_TEST_CLI-}" ] || skip 'there they do'
	hg_repository
	mkdir -p around/sub around/in
	hg init around
	hg init around/sub
	echo "open('$here/evil', 'w')" >around/evil.py
	cat >around/.hg/hgrc <<-END
	[extensions]
	evil = $PWD/around/evil.py
	[hooks]
	pre-clone = touch $here/evil
	pre-identify = touch $here/evil
	END
	cp around/.hg/hgrc around/sub/.hg/hgrc
	cd around/in
	calls "a=hg::file://$here/r//m" "b=hg::file://$here/r//m?rev=v1"
	tf init
	[ ! -e "$here/evil" ]
	# kept by now, and asked what the name means
	rm -r .terraform
	tf init
	[ ! -e "$here/evil" ]
	cd ..
	calls "a=hg::file:sub"
	run -1 tf init
	[ ! -e "$here/evil" ]
}

@test "hg has to be there" {
	calls "a=hg::file://$here/r"
	tool=$(command -v "$cli")
	mkdir "$here/bin"
	for c in tf tf-init sh bash mktemp rm cat sed dirname env; do
		p=$(command -v "$c") || continue
		ln -s "$p" "$here/bin/"
	done
	PATH=$here/bin:$(dirname "$tool") run -1 "$tool" init -no-color
	flat
	[[ $output = *'hg must be available and on the PATH'* ]]
}

@test "a password would be an argument: it is refused, and not said" {
	only_ours
	calls a=hg::https://me:s3cr3t@example.com/x
	run -1 tf init -no-color
	flat
	[[ $output = *'[auth]'* ]]
	[[ $output != *s3cr3t* ]]
}

# --- what other directories have fetched ---

# An hg that tells what it is asked to do; then with a cache.
hg_kept() {
	only_ours
	hg_repository
	export TFPIPE_CACHE_DIR=$here/cache
	mkdir "$here/bin"
	printf '#!/bin/sh\necho "$2" >>"%s/asked"\nexec "%s" "$@"\n' \
		"$here" "$(command -v hg)" >"$here/bin/hg"
	chmod +x "$here/bin/hg"
}

again() {
	rm -rf .terraform
	: >"$here/asked"
	PATH=$here/bin:$PATH run -0 tf init -no-color
}

# bats test_tags=once
@test "a repository is not cloned again by another directory" {
	hg_kept
	id=$(hg -R "$here/r" log -r v1 -T '{node}')
	calls "a=hg::file://$here/r//m" "b=hg::file://$here/r//m?rev=v1" \
		"c=hg::file://$here/r//m?rev=dev" "d=hg::file://$here/r//m?rev=$id"
	again
	[ "$(grep -c clone "$here/asked")" = 1 ]
	again
	[ "$(sort "$here/asked" | uniq -c | xargs)" = '3 identify 4 update' ]
	for m in a:main b:v1 c:dev d:v1; do
		grep -q "${m#*:}" ".terraform/modules/${m%:*}/m/main.tf"
		hg -R ".terraform/modules/${m%:*}" verify -q
	done
	# a commit that is kept needs no host
	mv "$here/r" "$here/away"
	calls "d=hg::file://$here/r//m?rev=$id"
	again
	grep -q v1 .terraform/modules/d/m/main.tf
	calls "a=hg::file://$here/r//m"
	rm -r .terraform
	run -1 tf init -no-color
	flat
	[[ $output = *'hg clone exited with 255'* ]]
	[ ! -e .terraform/modules/a ]
}

# bats test_tags=once
@test "a repository is cloned once a run, whatever is called of it, without a cache, too" {
	hg_kept
	export TFPIPE_CACHE_DIR=
	calls "a=hg::file://$here/r//m" "b=hg::file://$here/r//m?rev=v1" \
		"c=hg::file://$here/r//m?rev=dev" "d=hg::file://$here/r//m?rev=v1"
	again
	[ "$(sort "$here/asked" | uniq -c | xargs)" = '1 clone 2 identify 3 update' ]
	for m in a:main b:v1 c:dev d:v1; do
		grep -q "${m#*:}" ".terraform/modules/${m%:*}/m/main.tf"
	done
}

# bats test_tags=once
@test "branches and bookmarks are as they are now" {
	hg_kept
	hg -R "$here/r" bookmark -r default here
	calls "a=hg::file://$here/r//m" "b=hg::file://$here/r//m?rev=here"
	again
	grep -q main .terraform/modules/b/m/main.tf
	hg_commit "$here/r" newer
	hg -R "$here/r" bookmark -f -r dev here # not forward
	again
	run -1 grep clone "$here/asked"
	grep -q newer .terraform/modules/a/m/main.tf
	grep -q dev .terraform/modules/b/m/main.tf
	# the last commit is taken back
	hg -R "$here/r" --config extensions.strip= strip -q -r default
	again
	grep -q main .terraform/modules/a/m/main.tf
}

# bats test_tags=once
@test "what is kept and broken is cloned again" {
	hg_kept
	calls "a=hg::file://$here/r//m"
	again
	# not in place: hg shares what it clones from a directory, too
	find "$here/cache/repositories" -name main.tf.i -exec sed -i d {} +
	again
	[ "$(grep -c clone "$here/asked")" = 1 ]
	grep -q main .terraform/modules/a/m/main.tf
	hg -R .terraform/modules/a verify -q
	again
	run -1 grep clone "$here/asked"
}

# bats test_tags=once
@test "what has come of a clone is told" {
	only_ours
	hg_repository
	head -c 2000000 /dev/urandom >"$here/r/big"
	hg_commit "$here/r" big
	mkdir "$here/bin"
	printf '#!/bin/sh\n"%s" "$@" || exit\ncase $2 in clone) sleep 2 ;; esac\n' \
		"$(command -v hg)" >"$here/bin/hg"
	chmod +x "$here/bin/hg"
	calls "a=hg::file://$here/r//m"
	PATH=$here/bin:$PATH tf init -json >said
	run -0 jq -c 'select(.type == "download_progress").download |
		.packages == 1 and .have > 1999999 and (has("all") | not)' said
	[ "${lines[0]}" = true ]
	rm -r .terraform
	PATH=$here/bin:$PATH run -0 script -qec 'TERM=xterm tf init' /dev/null </dev/null
	[[ $output = *'Downloading 1 package: 2.'?' MB'*$'\e[J'*'a in .terraform/modules/a/m'* ]]
}

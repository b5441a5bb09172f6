#!/usr/bin/env bats
# modules-git.bats - modules of git repositories
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

# A git that says what it was called with, and fails.
no_git() { # TEXT
	mkdir "$here/bin"
	printf '#!/bin/sh\necho "%s"\nexit 3\n' "$1" >"$here/bin/git"
	chmod +x "$here/bin/git"
	PATH=$here/bin:$PATH
}

# The working tree of a module is as it is in its repository.
is_clean() { # KEY
	run -0 git -C ".terraform/modules/$1" status --porcelain
	[ -z "$output" ]
}

# Counts the clones that git makes: clones is their number.
count_clones() {
	mkdir "$here/bin"
	printf '#!/bin/sh\n[ "$1" != clone ] || echo "$*" >>%q\nexec %q "$@"\n' \
		"$here/clones" "$(command -v git)" >"$here/bin/git"
	chmod +x "$here/bin/git"
	: >"$here/clones"
	PATH=$here/bin:$PATH
}

clones() {
	awk 'END { print NR }' "$here/clones"
}

# bats test_tags=once
@test "a branch, a tag, a commit, the default branch, a subdirectory" {
	repository r
	commit=$(git -C "$here/r" rev-parse v1)
	calls "a=git::file://$here/r" "b=git::file://$here/r//m?ref=v1" \
		"c=git::file://$here/r//m?ref=dev" \
		"d=git::file://$here/r//m?ref=$commit" "e=git::$here/r//m/n"
	run -0 $cli init -no-color
	[[ $output = *"Downloading git::file://$here/r for a..."* ]]
	[[ $output = *'- a in .terraform/modules/a'* ]]
	[[ $output = *'- a.inner in .terraform/modules/a/m'* ]]
	[[ $output = *"Downloading git::file://$here/r?ref=v1 for b..."* ]]
	[[ $output = *'- b in .terraform/modules/b/m'* ]]
	[ "$(records)" = 'a .terraform/modules/a
a.inner .terraform/modules/a/m
b .terraform/modules/b/m
c .terraform/modules/c/m
d .terraform/modules/d/m
e .terraform/modules/e/m/n
e.up .terraform/modules/e/m/n2' ]
	[ "$(source_of b)" = "git::file://$here/r//m?ref=v1" ]
	[ "$(source_of e)" = "git::file://$here/r//m/n" ]
	[ "$(source_of e.up)" = ../n2 ]
	grep -q main .terraform/modules/a/m/main.tf
	grep -q v1 .terraform/modules/b/m/main.tf
	grep -q dev .terraform/modules/c/m/main.tf
	grep -q v1 .terraform/modules/d/m/main.tf
	# what is checked out is a repository in order
	is_clean c
	[ "$(git -C .terraform/modules/c log -1 --format=%s)" = dev ]
	[ "$(git -C .terraform/modules/a rev-parse --abbrev-ref HEAD)" = main ]
	[ "$(git -C .terraform/modules/c remote get-url origin)" = \
		"file://$here/r" ]
	[ -x .terraform/modules/a/main.tf ]
	[ "$(readlink .terraform/modules/a/link)" = m ]
	# nothing new
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
}

@test "settings that the user's directory brings along run no program of git's" {
	git init -q around
	printf '#!/bin/sh\ntouch "%s"\n' "$here/evil" >around/evil
	chmod +x around/evil
	mkdir around/hooks around/in
	cp around/evil around/hooks/post-checkout
	cp around/evil around/hooks/reference-transaction
	cat >>around/.git/config <<-END
	[core]
	  sshCommand = $PWD/around/evil
	  fsmonitor = $PWD/around/evil
	  hooksPath = $PWD/around/hooks
	[alias]
	  clone = !$PWD/around/evil
	[url "$PWD/around/"]
	  insteadOf = file://$here/
	END
	repository r
	cd around/in
	calls "a=git::file://$here/r" "b=git::file://$here/r?ref=main" \
		"c=git::ssh://git@127.0.0.1:1/x"
	run -1 tf init
	[ -e .terraform/modules/b ]
	[ ! -e "$here/evil" ]
}

@test "the same package again is a copy without what is hidden" {
	repository r
	calls "a=git::file://$here/r" "b=git::file://$here/r//m"
	run -0 $cli init -no-color
	[ -e .terraform/modules/a/.hidden ]
	[ ! -e .terraform/modules/b/.hidden ]
	[ ! -e .terraform/modules/b/.git ]
	[ "$(readlink .terraform/modules/b/link)" = m ]
	[ -x .terraform/modules/b/main.tf ]
	diff -r -x '.*' .terraform/modules/a .terraform/modules/b
}

@test "a repository is cloned once, whatever refs are called" {
	only_ours # OpenTofu clones it once for each ref
	repository r
	count_clones
	calls "a=git::file://$here/r?ref=v1" "b=git::file://$here/r?ref=dev" \
		"c=git::file://$here/r" "d=git::file://$here/r?ref=v1" \
		"e=git::file://$here/r?ref=dev&depth=1"
	run -0 $cli init -no-color
	[ "$(clones)" = 1 ]
	grep -q dev .terraform/modules/b/m/main.tf
	grep -q main .terraform/modules/c/m/main.tf
	grep -q dev .terraform/modules/e/m/main.tf
	is_clean c
	# each goes on without the others
	rm -rf .terraform/modules/a
	git -C .terraform/modules/b fsck --strict
	git -C .terraform/modules/b fetch -q
}

# A hook in each new clone says what was checked out.
# bats test_tags=once
@test "the files of a ref are the only ones written" {
	only_ours # OpenTofu writes those of the default branch first
	repository r
	mkdir -p "$here/template/hooks"
	printf '#!/bin/sh\necho "$2" >>%q\n' "$here/checked-out" \
		>"$here/template/hooks/post-checkout"
	chmod +x "$here/template/hooks/post-checkout"
	export GIT_TEMPLATE_DIR=$here/template
	calls "a=git::file://$here/r?ref=v1" "b=git::file://$here/r?ref=dev&depth=1"
	run -0 $cli init -no-color
	refs=$(git -C "$here/r" rev-parse v1 dev)
	[ "$(<"$here/checked-out")" = "$refs" ]
	is_clean a
	is_clean b
}

# Nobody needs them after a crash, and disks are slow.
# bats test_tags=once
@test "git does not wait for the disk, whatever settings it has" {
	only_ours
	repository r
	: >"$here/settings"
	mkdir "$here/bin"
	printf '#!/bin/sh\n%q config core.fsync >>%q\n%q config a.b >>%q\nexec %q "$@"\n' \
		"$(command -v git)" "$here/settings" "$(command -v git)" \
		"$here/settings" "$(command -v git)" >"$here/bin/git"
	chmod +x "$here/bin/git"
	PATH=$here/bin:$PATH
	calls "a=git::file://$here/r"
	GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=a.b GIT_CONFIG_VALUE_0=c \
		run -0 $cli init -no-color
	[ "$(sort -u "$here/settings")" = $'c\nnone' ]
	git -C .terraform/modules/a fsck --full
	run -1 git -C .terraform/modules/a config core.fsync
}

# One alone writes a few.
# bats test_tags=once
@test "many files are written by a git for each processor" {
	only_ours
	[ "$(nproc)" -gt 1 ] || cannot 'there is one processor'
	repository r
	for i in $(seq 150); do
		echo "$i" >"$here/r/file$i"
	done
	git -C "$here/r" add -A
	git -C "$here/r" commit -q -m many
	git -C "$here/r" tag many
	calls "a=git::file://$here/r?ref=v1"
	GIT_TRACE=$here/few run -0 $cli init -no-color
	calls "a=git::file://$here/r?ref=many"
	GIT_TRACE=$here/trace run -0 $cli init -no-color
	run -1 grep checkout--worker "$here/few"
	grep -q 'git checkout--worker' "$here/trace"
	run -0 cat .terraform/modules/a/file150
	[ "$output" = 150 ]
	is_clean a
}

# bats test_tags=once
@test "depth" {
	repository r
	calls "a=git::file://$here/r//m?depth=1&ref=dev" \
		"b=git::file://$here/r//m?depth=1"
	run -0 $cli init -no-color
	grep -q dev .terraform/modules/a/m/main.tf
	grep -q main .terraform/modules/b/m/main.tf
	[ "$(git -C .terraform/modules/a rev-list --count HEAD)" = 1 ]
	[ "$(git -C .terraform/modules/b rev-list --count HEAD)" = 1 ]
	commit=$(git -C "$here/r" rev-parse v1)
	calls "a=git::file://$here/r//m?depth=1&ref=$commit"
	run -1 $cli init -no-color
	[[ $output = *'Error: Failed to download module'*'depth'*'branch or tag'* ]]
}

# bats test_tags=once
@test "wildcards in a subdirectory mean one directory" {
	repository r
	calls "a=git::file://$here/r//*/n"
	# "link" is a link to the directory m
	run -1 $cli init -no-color
	[[ $output = *'Error: Failed to expand subdir globs'*'subdir "*/n" matches multiple paths'* ]]
	calls "a=git::file://$here/r//m*/n"
	run -0 $cli init -no-color
	[[ $output = *'- a in .terraform/modules/a/m/n'* ]]
	calls "a=git::file://$here/r//nowhere"
	run -1 $cli init -no-color
	[[ $output = *'subdir "nowhere" not found'* ]]
}

@test "submodules" {
	repository inner
	repository r
	git -C "$here/r" submodule --quiet add "file://$here/inner" sub
	git -C "$here/r" commit -q -m submodule
	calls "a=git::file://$here/r//sub/m" "b=git::file://$here/r?ref=main"
	run -0 $cli init -no-color
	grep -q main .terraform/modules/a/sub/m/main.tf
	grep -q main .terraform/modules/b/sub/m/main.tf
}

@test "a ref that is not there, or is an option" {
	repository r
	for ref in nowhere --upload-pack=x -x; do
		calls "a=git::file://$here/r?ref=$ref"
		run -1 $cli init -no-color
		flat
		[[ $output = *'Error: Failed to download module'*"invalid ref: \"$ref\""* ]]
		[ ! -e .terraform/modules/a ]
	done
}

@test "a repository that is not there, in the words of git" {
	calls "a=git::file://$here/nowhere"
	run -1 $cli init -no-color
	[[ $output = *"Downloading git::file://$here/nowhere for a..."* ]]
	[[ $output = *'Error: Failed to download module'* ]]
	[[ $output = *'main.tf line 1'* ]]
	flat
	[[ $output = *'exited with 128'*"fatal: '$here/nowhere' does not appear to be a git"* ]]
	[ ! -e .terraform/modules/a ]
}

@test "no password and no token comes into a message" {
	only_ours # OpenTofu shows them
	no_git 'cannot read $5, hush'
	for who in someone:hush hush; do
		calls "a=git::https://$who@example.com/r.git?ref=v1"
		run -1 $cli init -no-color
		flat
		[[ $output = *'exited with 3: cannot read https://example.com/r.git, redacted'* ]]
		[[ $output != *hush* ]]
	done
}

@test "name and password are no arguments, and of the one host alone" {
	only_ours # OpenTofu has them among the arguments, and in the clone
	git=$(command -v git)
	export GIT_LOG=$here/log real=$git
	no_git '' # replaced by one that asks git itself
	cat >"$here/bin/git" <<-'E'
		#!/bin/sh
		echo "arguments: $*" >>"$GIT_LOG"
		for host in example.com other.test; do
			echo "$host" >>"$GIT_LOG"
			printf 'protocol=https\nhost=%s\n' "$host" |
				GIT_TERMINAL_PROMPT=0 "$real" credential fill 2>&1 |
				grep -E '^(username|password)=' >>"$GIT_LOG"
		done
		exit 1
	E
	# what the user has set stays, but for this host
	"$git" config -f "$here/gitconfig" credential.helper '!f() { echo username=u; echo password=p; }; f'
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x
	calls "a=git::https://me%40a:h%22u%24sh@example.com/r.git"
	run -1 $cli init -no-color
	diff "$here/log" - <<-X
		arguments: clone --quiet -- https://example.com/r.git .terraform/modules/a
		example.com
		username=me@a
		password=h"u\$sh
		other.test
		username=u
		password=p
	X
}

@test "nobody is asked where nobody answers" {
	only_ours
	no_git 'prompt=$GIT_TERMINAL_PROMPT'
	calls "a=git::file://$here/r"
	run -1 $cli init -no-color -input=false
	flat
	[[ $output = *'exited with 3'*prompt=0* ]]
	run -1 $cli init -no-color
	flat
	[[ $output = *'exited with 3'*'prompt='* ]]
	[[ $output != *prompt=0* ]]
}

@test "it has to be there" {
	calls "a=git::file://$here/r"
	tool=$(command -v "$cli")
	mkdir "$here/bin"
	for c in tf tf-init sh bash mktemp rm cat sed dirname env; do
		p=$(command -v "$c") || continue
		ln -s "$p" "$here/bin/"
	done
	PATH=$here/bin:$(dirname "$tool") run -1 "$tool" init -no-color
	flat
	[[ $output = *'git must be available and on the PATH'* ]]
}

# bats test_tags=once
@test "over HTTPS: a name and a password, and one clone for all refs" {
	modules_web
	repository r
	export GIT_SSL_CAINFO=$SSL_CERT_FILE
	rules "{\"at\": \"files.test/r/*\", \"git\": \"$here\",
		\"auth\": \"Basic $(printf 'me:s3cr3t' | base64)\",
		\"challenge\": \"Basic realm=\\\"x\\\"\"}"
	calls 'a=git::https://me:wrong@files.test/r?ref=v1'
	run -1 $cli init -no-color
	[[ $output = *'Error: Failed to download module'* ]]
	calls 'a=git::https://me:s3cr3t@files.test/r?ref=v1'
	: >"$net/log"
	run -0 $cli init -no-color
	grep -q v1 .terraform/modules/a/m/main.tf
	once=$(grep -c '^POST files.test/r/git-upload-pack' "$net/log")
	calls 'a=git::https://me:s3cr3t@files.test/r?ref=v1' \
		'b=git::https://me:s3cr3t@files.test/r?ref=dev' \
		'c=git::https://me:s3cr3t@files.test/r//m'
	: >"$net/log"
	rm -rf .terraform
	run -0 $cli init -no-color
	grep -q dev .terraform/modules/b/m/main.tf
	grep -q main .terraform/modules/c/m/main.tf
	[ -n "${TF_TEST_CLI-}" ] || {
		[ "$(grep -c '^POST files.test/r/git-upload-pack' "$net/log")" = "$once" ]
		# modules.json has the addresses, as OpenTofu's does
		run -1 grep -rl --exclude=modules.json s3cr3t .terraform
	}
}

# bats test_tags=once
@test "over SSH: the command that ssh is asked to run" {
	repository r
	printf '#!/bin/sh\necho "$*" >>%q\nfor c; do :; done\nexec sh -c "$c"\n' \
		"$here/log" >"$here/ssh"
	chmod +x "$here/ssh"
	export GIT_SSH_COMMAND=$here/ssh GIT_SSH_VARIANT=ssh
	calls "a=git::ssh://git@example.com:2222$here/r//m?ref=v1" \
		"b=git@example.com:$here/r?ref=dev"
	run -0 $cli init -no-color
	grep -q v1 .terraform/modules/a/m/main.tf
	grep -q dev .terraform/modules/b/m/main.tf
	grep -q -- '-p 2222 git@example.com' "$here/log"
}

@test "a key for SSH in the address goes to ssh" {
	key=$(printf 'the key\n' | base64)
	cat >"$here/ssh" <<-'E'
		#!/bin/sh
		echo "arguments: $*" >>"$SSH_LOG"
		[ "$1" = -i ] && stat -Lc %a "$2" >>"$SSH_LOG" && cat "$2" >>"$SSH_LOG"
		exit 1
	E
	chmod +x "$here/ssh"
	export GIT_SSH_COMMAND=$here/ssh SSH_LOG=$here/log
	calls "a=git::ssh://git@example.com/r.git?sshkey=$key"
	run -1 $cli init -no-color
	grep -q 'git@example.com' "$here/log"
	grep -q 'the key' "$here/log"
	grep -q '^600$' "$here/log"
	# and is on no disk, and nowhere after that
	[ -n "${TF_TEST_CLI-}" ] || grep -q '^arguments: -i /proc/' "$here/log"
	file=$(sed -n 's/^arguments: -i \([^ ]*\) .*/\1/p' "$here/log")
	[ -n "$file" ]
	[ ! -e "${file%%$'\n'*}" ]
}

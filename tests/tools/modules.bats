#!/usr/bin/env bats
# modules.bats - modules from elsewhere: git repositories, directories, archives
#
# TF_TEST_CLI=tofu runs them with OpenTofu, which has to say the same, make the
# same files and write the same modules.json; where it does not, the test says so.

load common
load modules

setup() {
	need git
	modules_setup
	git config --global user.name Tests
	git config --global user.email tests@example.com
	git config --global init.defaultBranch main
	git config --global protocol.file.allow always
}

# A git that says what it was called with, and fails.
no_git() { # TEXT
	mkdir "$here/bin"
	printf '#!/bin/sh\necho "%s"\nexit 3\n' "$1" >"$here/bin/git"
	chmod +x "$here/bin/git"
	PATH=$here/bin:$PATH
}

# A repository with a module in the top, which calls its ./m, and one in ./m/n;
# tag v1 and branch dev differ from main in m.
repository() { # NAME
	git init -q "$here/$1"
	mkdir -p "$here/$1/m/n"
	echo 'module "inner" { source = "./m" }' >"$here/$1/main.tf"
	echo 'output "v" { value = "v1" }' >"$here/$1/m/main.tf"
	echo 'module "up" { source = "../n2" }' >"$here/$1/m/n/main.tf"
	mkdir "$here/$1/m/n2"
	echo 'output "n2" { value = path.module }' >"$here/$1/m/n2/main.tf"
	echo hidden >"$here/$1/.hidden"
	ln -s m "$here/$1/link"
	chmod +x "$here/$1/main.tf"
	change "$1" v1
	git -C "$here/$1" tag v1
	git -C "$here/$1" checkout -q -b dev
	change "$1" dev
	git -C "$here/$1" checkout -q main
	change "$1" main
}

change() { # REPOSITORY WHAT
	echo "output \"v\" { value = \"$2\" }" >"$here/$1/m/main.tf"
	git -C "$here/$1" add -A
	git -C "$here/$1" commit -q -m "$2"
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

# --- git ---

@test "git: a branch, a tag, a commit, the default branch, a subdirectory" {
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

@test "git: the same package again is a copy without what is hidden" {
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

@test "git: a repository is cloned once, whatever refs are called" {
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

@test "git: depth" {
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

@test "git: wildcards in a subdirectory mean one directory" {
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

@test "git: submodules" {
	repository inner
	repository r
	git -C "$here/r" submodule --quiet add "file://$here/inner" sub
	git -C "$here/r" commit -q -m submodule
	calls "a=git::file://$here/r//sub/m" "b=git::file://$here/r?ref=main"
	run -0 $cli init -no-color
	grep -q main .terraform/modules/a/sub/m/main.tf
	grep -q main .terraform/modules/b/sub/m/main.tf
}

@test "git: a ref that is not there, or is an option" {
	repository r
	for ref in nowhere --upload-pack=x -x; do
		calls "a=git::file://$here/r?ref=$ref"
		run -1 $cli init -no-color
		flat
		[[ $output = *'Error: Failed to download module'*"invalid ref: \"$ref\""* ]]
		[ ! -e .terraform/modules/a ]
	done
}

@test "git: a repository that is not there, in the words of git" {
	calls "a=git::file://$here/nowhere"
	run -1 $cli init -no-color
	[[ $output = *"Downloading git::file://$here/nowhere for a..."* ]]
	[[ $output = *'Error: Failed to download module'* ]]
	[[ $output = *'main.tf line 1'* ]]
	flat
	[[ $output = *'exited with 128'*"fatal: '$here/nowhere' does not appear to be a git"* ]]
	[ ! -e .terraform/modules/a ]
}

@test "git: no password and no token comes into a message" {
	only_ours # OpenTofu shows them
	no_git 'cannot read $4, hush'
	for who in someone:hush hush; do
		calls "a=git::https://$who@example.com/r.git?ref=v1"
		run -1 $cli init -no-color
		flat
		[[ $output = *'exited with 3: cannot read https://'*'redacted@example.com/r.git, redacted'* ]]
		[[ $output != *hush* ]]
	done
}

@test "git: nobody is asked where nobody answers" {
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

@test "git: it has to be there" {
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

@test "git: a key for SSH in the address goes to ssh" {
	key=$(printf 'the key\n' | base64)
	cat >"$here/ssh" <<-'E'
		#!/bin/sh
		echo "arguments: $*" >>"$SSH_LOG"
		[ "$1" = -i ] && stat -c %a "$2" >>"$SSH_LOG" && cat "$2" >>"$SSH_LOG"
		exit 1
	E
	chmod +x "$here/ssh"
	export GIT_SSH_COMMAND=$here/ssh SSH_LOG=$here/log
	calls "a=git::ssh://git@example.com/r.git?sshkey=$key"
	run -1 $cli init -no-color
	grep -q 'git@example.com' "$here/log"
	grep -q 'the key' "$here/log"
	grep -q '^600$' "$here/log"
	# and is nowhere after that
	file=$(sed -n 's/^arguments: -i \([^ ]*\) .*/\1/p' "$here/log")
	[ -n "$file" ]
	[ ! -e "${file%%$'\n'*}" ]
}

# --- modules in modules, directories ---

@test "a directory with an absolute path is used where it is" {
	mkdir -p "$here/d/sub" "$here/d/other"
	echo 'module "other" { source = "../other" }' >"$here/d/sub/main.tf"
	echo 'output "o" { value = 1 }' >"$here/d/other/main.tf"
	echo 'output "d" { value = 1 }' >"$here/d/main.tf"
	echo hidden >"$here/d/.hidden"
	calls "a=$here/d" "b=$here/d//sub" "c=file://$here/d"
	run -0 $cli init -no-color
	[[ $output = *"Downloading file://$here/d for a..."* ]]
	[ "$(source_of a)" = "file://$here/d" ]
	[ "$(source_of b)" = "file://$here/d//sub" ]
	[ "$(readlink .terraform/modules/a)" = "$here/d" ]
	# the same package again is a copy
	[ ! -L .terraform/modules/b ]
	[ ! -e .terraform/modules/b/.hidden ]
	[ "$(stat -c %h "$here/d/main.tf")" = 1 ]
	[ "$(records)" = "a .terraform/modules/a
b .terraform/modules/b/sub
b.other .terraform/modules/b/other
c .terraform/modules/c" ]
	# what is put in its place leaves it alone
	repository r
	calls "a=git::file://$here/r//m"
	run -0 $cli init -no-color
	[ -e "$here/d/main.tf" ]
	[ -e .terraform/modules/a/.git ]
}

@test "a directory that is not there, a file that is no archive" {
	calls "a=$here/nowhere"
	run -1 $cli init -no-color
	flat
	[[ $output = *'Error: Failed to download module'*'source path error: stat'*'no such file'* ||
		$output = *'Error: Failed to download module'*'source path error: stat'*'No such file'* ]]
	echo text >"$here/file"
	calls "a=$here/file"
	run -1 $cli init -no-color
	flat
	[[ $output = *'source path must be a directory'* ]]
	[ ! -e .terraform/modules/a ]
}

@test "a path that leaves its package leads nowhere" {
	repository r
	echo 'module "out" { source = "../../../elsewhere" }' >"$here/r/m/main.tf"
	git -C "$here/r" commit -q -a -m out
	calls "a=git::file://$here/r//m"
	run -1 $cli init -no-color
	flat
	[[ $output = *'Error: Local module path escapes module package'*"\"git::file://$here/r\""* ]]
	[[ $output != *'Unreadable module directory'* ]]
	# in two steps
	echo 'module "up" { source = "../.." }' >"$here/r/m/n/main.tf"
	echo 'module "out" { source = "../x" }' >"$here/r/main.tf"
	echo 'module "n" { source = "./n" }' >"$here/r/m/main.tf"
	git -C "$here/r" commit -q -a -m steps
	rm -r .terraform
	run -1 $cli init -no-color
	flat
	[[ $output = *'Error: Local module path escapes module package'* ]]
	# within the package it is only not there
	echo 'module "n" { source = "./n2/../x" }' >"$here/r/m/main.tf"
	git -C "$here/r" commit -q -a -m inside
	rm -r .terraform
	run -1 $cli init -no-color
	flat
	[[ $output = *'Unreadable module directory'* ]]
	[[ $output != *'escapes module package'* ]]
}

@test "a subdirectory out of the package is refused" {
	only_ours # OpenTofu takes //.. for the directory of all modules
	repository r
	for sub in .. ../x m/../..; do
		calls "a=git::file://$here/r//$sub"
		run -1 $cli init -no-color
		flat
		[[ $output = *'Error: Invalid module source address'*'leads out of the package'* ]]
	done
}

@test "packages in packages" {
	repository r
	repository s
	echo "module \"s\" { source = \"git::file://$here/s//m/n?ref=v1\" }" \
		>"$here/r/m/main.tf"
	git -C "$here/r" commit -q -a -m nested
	calls "a=git::file://$here/r"
	run -0 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a
a.inner .terraform/modules/a/m
a.inner.s .terraform/modules/a.inner.s/m/n
a.inner.s.up .terraform/modules/a.inner.s/m/n2' ]
	run -0 $cli validate -no-color
}

# --- again ---

@test "what is installed stays; a new source, ref or -upgrade fetches it again" {
	repository r
	calls "a=git::file://$here/r//m" "b=git::file://$here/r?ref=v1"
	run -0 $cli init -no-color
	change r newer
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
	grep -q main .terraform/modules/a/m/main.tf
	run -0 $cli init -no-color -upgrade
	[[ $output = *'Upgrading modules...'*' for a...'*' for b...'* ]]
	grep -q newer .terraform/modules/a/m/main.tf
	# only what has another source
	calls "a=git::file://$here/r//m" "b=git::file://$here/r?ref=dev"
	run -1 $cli validate -no-color
	[[ $output = *'Error: Module source has changed'* ]]
	run -0 $cli init -no-color
	[[ $output != *' for a...'* ]]
	[[ $output = *' for b...'* ]]
	grep -q dev .terraform/modules/b/m/main.tf
	# what is gone is fetched again
	rm -r .terraform/modules/b
	run -0 $cli init -no-color
	[[ $output = *' for b...'*'- b in .terraform/modules/b'* ]]
	[ -e .terraform/modules/b/m/main.tf ]
	# another way to write the same is the same
	calls "a=git::file://$here/r//./m" "b=git::file://$here/r?ref=dev"
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
}

@test "a list of modules with addresses as they were written" {
	repository r
	calls "a=git::$here/r//m"
	run -0 $cli init -no-color
	sed -i "s|git::file://$here|git::$here|" .terraform/modules/modules.json
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
	[ "$(source_of a)" = "git::file://$here/r//m" ]
}

@test "get, and get -update" {
	repository r
	calls "a=git::file://$here/r"
	run -0 $cli get -no-color
	[ "$output" = "Downloading git::file://$here/r for a...
- a in .terraform/modules/a
- a.inner in .terraform/modules/a/m" ]
	change r newer
	run -0 $cli get -no-color
	[ -z "$output" ]
	run -0 $cli get -no-color -update
	[[ $output = "Downloading git::file://$here/r for a..."* ]]
	grep -q newer .terraform/modules/a/m/main.tf
	# a module that cannot be had: nothing is written down
	rm -r .terraform
	calls "a=git::file://$here/r" "b=git::file://$here/nowhere"
	run -1 $cli get -no-color
	[ ! -e .terraform/modules/modules.json ]
	# init writes down what there is
	run -1 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a
a.inner .terraform/modules/a/m' ]
}

@test "what -json says" {
	repository r
	calls "a=git::file://$here/r"
	run -0 $cli init -json
	run -0 jq -r 'select(."@message" | test("^(Down|inst)"))
		| ."@message" + "|" + ."@level" + "|" + (.type // "")' \
		<<<"$output"
	[ "$output" = "Downloading git::file://$here/r for a...|info|
installing a in .terraform/modules/a|info|
installing a.inner in .terraform/modules/a/m|info|" ]
}

@test "a source is made of variables and locals" {
	repository r
	cat >main.tf <<-E
		variable "ref" { default = "v1" }
		locals { base = "git::file://$here/r" }
		module "a" {
		  source = "\${local.base}//m?ref=\${var.ref}"
		}
	E
	run -0 $cli init -no-color
	[ "$(source_of a)" = "git::file://$here/r//m?ref=v1" ]
	run -0 $cli init -no-color -var ref=dev
	[ "$(source_of a)" = "git::file://$here/r//m?ref=dev" ]
	grep -q dev .terraform/modules/a/m/main.tf
}

@test "TF_DATA_DIR is where modules go, -get=false is without" {
	repository r
	calls "a=git::file://$here/r"
	run -1 $cli init -no-color -get=false
	[[ $output = *'Error: Module not installed'* ]]
	[ ! -e .terraform/modules/a ]
	TF_DATA_DIR=$here/data run -0 $cli init -no-color
	[ -e "$here/data/modules/a/main.tf" ]
	[ ! -e .terraform ]
}

@test "a name that is no identifier is no directory" {
	repository r
	calls "../../x=git::file://$here/r"
	run -1 $cli init -no-color
	[[ $output = *'Error: Invalid module instance name'* ]]
	[[ $output != *Downloading* ]]
}

@test "getters that are not there are refused by name" {
	only_ours
	for source in hg::https://example.com/x s3::https://s3.amazonaws.com/b/x \
		gcs::https://www.googleapis.com/storage/v1/b/x oci://example.com/x; do
		calls "a=$source"
		run -1 $cli init -no-color
		flat
		[[ $output = *'Error: Failed to download module'*'does not fetch with'* ]]
	done
}

@test "getters that nobody has" {
	calls "a=ftp://example.com/x"
	run -1 $cli init -no-color
	flat
	[[ $output = *"download not supported for scheme 'ftp'"* ]]
}

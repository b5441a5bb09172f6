#!/usr/bin/env bats
# modules-hg.bats - modules from Mercurial repositories; with TF_TEST_CLI=tofu the
# same on OpenTofu

load common
load modules

setup() {
	modules_setup
	export HGRCPATH=$here/hgrc
	printf '[ui]\nusername = Tests\n' >"$HGRCPATH"
}

# A repository with a module in ./m, of which the tag v1 and the branch dev have
# others.
hg_repository() {
	need hg
	hg init "$here/r"
	mkdir -p "$here/r/m"
	commit v1
	hg -R "$here/r" tag v1
	hg -R "$here/r" branch -q dev
	commit dev
	hg -R "$here/r" update -q default
	commit main
}

commit() { # WHAT
	echo "output \"v\" { value = \"$1\" }" >"$here/r/m/main.tf"
	hg -R "$here/r" commit -q -A -m "$1"
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

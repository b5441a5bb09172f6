#!/usr/bin/env bats
# modules.bats - modules in directories and in modules, and what is said of them
#
# See modules.bash for TF_TEST_CLI.

load common
load modules

setup() {
	modules_setup
	git_setup
}

# --- modules in modules, directories ---

# bats test_tags=once
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

@test "modules in a directory with an absolute path are where they are" {
	mkdir -p "$here/d/o/p" "$here/e"
	ln -s d "$here/ln"
	echo 'module "o" { source = "./o" }' >"$here/d/main.tf"
	echo 'module "p" { source = "./p" }' >"$here/d/o/main.tf"
	echo 'module "up" { source = "../../../e" }' >"$here/d/o/p/main.tf"
	echo 'output "e" { value = path.module }' >"$here/e/main.tf"
	calls "a=$here/d" "b=$here/ln//o"
	run -0 $cli init -no-color
	[ "$(records)" = "a .terraform/modules/a
a.o $here/d/o
a.o.p $here/d/o/p
a.o.p.up $here/e
b .terraform/modules/b/o
b.p $here/d/o/p
b.p.up $here/e" ]
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

@test "a module that calls itself fails, with get and with init" {
	calls a=./
	for command in get init; do
		run -1 $cli $command -no-color
		[[ $output = *'a.a.a in .'*Error:* ]]
		! ours || [[ $output = *'Error: Too many module levels'* ]]
	done
}

@test "a local module that is not there has an entry without a directory" {
	mkdir a
	echo 'module "y" { source = "./y" }' >a/main.tf
	: >file
	calls a=./a c=./none f=./file
	run -1 $cli init -no-color
	[ "$(records)" = 'a a
a.y 
c 
f file' ]
	run -1 $cli validate -no-color
	[ "$(grep -c 'Error: Module not installed' <<<"$output")" = 3 ]
	mkdir none a/y
	rm file
	mkdir file
	run -1 $cli validate -no-color
	[ "$(grep -c 'Error: Module not installed' <<<"$output")" = 2 ]
	run -0 $cli get -no-color
	[ "$(records)" = 'a a
a.y a/y
c none
f file' ]
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

# bats test_tags=once
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

# bats test_tags=once
@test "what is installed stays; a new source, ref or -upgrade fetches it again" {
	repository r
	calls "a=git::file://$here/r//m" "b=git::file://$here/r?ref=v1"
	run -0 $cli init -no-color
	edit r newer
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

# bats test_tags=once
@test "a list of modules with addresses as they were written" {
	repository r
	calls "a=git::$here/r//m"
	run -0 $cli init -no-color
	sed -i "s|git::file://$here|git::$here|" .terraform/modules/modules.json
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
	[ "$(source_of a)" = "git::file://$here/r//m" ]
}

# bats test_tags=once
@test "get, and get -update" {
	repository r
	calls "a=git::file://$here/r"
	run -0 $cli get -no-color
	[ "$output" = "Downloading git::file://$here/r for a...
- a in .terraform/modules/a
- a.inner in .terraform/modules/a/m" ]
	edit r newer
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

# bats test_tags=once
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

@test "getters that nobody has" {
	calls "a=ftp://example.com/x"
	run -1 $cli init -no-color
	flat
	[[ $output = *"download not supported for scheme 'ftp'"* ]]
}

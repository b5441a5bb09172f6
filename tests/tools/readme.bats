#!/usr/bin/env bats
# readme.bats - what README promises: the pipelines run and do what is said above
# them, the packages are those of the build

load common
load recipes.bash

setup() {
	cd "$BATS_TEST_TMPDIR"
	readme=$TF_TEST_SRC/README.md
}

# A pipeline by its number, run in each way in which it can fail, and as it should be.
pipeline() { # NUMBER [STATUS]
	script=$(printf '%s/pipelines/%02d.sh' "$PWD" "$1")
	in_both_cases "$script" "${2-0}"
}

@test "the ten pipelines do what is said of them, and nothing where a stage fails" {
	need jq
	recipes_of_markdown "$readme" 'Ten pipelines' pipelines
	[ -f pipelines/10.sh ]
	[ ! -e pipelines/11.sh ]
	base=$PWD/base
	mkdir base
	cd base
	recipes_app
	stubs_for half half
	stubs_for nothing nothing
	cd ..
	export TF_VAR_services=$services

	pipeline 1
	prints <<-'END'
	update	module.service["api"].terraform_data.config
	replace	module.service["api"].terraform_data.replica[0]
	replace	module.service["api"].terraform_data.replica[1]
	create	module.service["db"].terraform_data.config
	create	module.service["db"].terraform_data.replica[0]
	delete	module.service["web"].terraform_data.config
	delete	module.service["web"].terraform_data.replica[0]
	END

	TF_VAR_services='{api={port=8080,replicas=3},web={port=8081}}' pipeline 2
	[ -z "$output" ]
	attempt "$script"
	[ "$status ${#lines[@]}" = '1 4' ]
	TF_VAR_services='{api={port=8080},web={port=1},db={port=2}}' attempt "$script"
	[ "$status" = 1 ]
	[[ $output = *'module.service["api"].terraform_data.replica'* ]]
	# a replacement, and nothing else that is deleted
	TF_VAR_services='{api={port=8090,replicas=2},web={port=8081}}' attempt "$script"
	[ "$status" = 1 ]
	[[ $output = *'module.service["api"].terraform_data.replica'* ]]

	pipeline 3
	[[ $output = *'# module.service["api"].terraform_data.replica[1] must be replaced'* ]]
	[[ $output != *'# module.service["db"]'* ]]
	[[ $output = *'Plan: 2 to add, 1 to change, 2 to destroy.'* ]]

	pipeline 4 1
	[ "${lines[1]}" = \
		$'terraform_data.database\tinput.environment\t"staging"\t"production"' ]
	[ "$(stat -c %a "$TRY/app/now")" = 600 ]

	pipeline 5
	[[ $output = *'Resources: 0 added, 0 changed, 2 destroyed.'* ]]
	run -0 --separate-stderr tf-state list -state="$TRY/app/terraform.tfstate"
	[[ $output = *'module.service["api"]'* ]]
	[[ $output != *'module.service["web"]'* ]]
	# nothing has to go: nothing is done
	TF_VAR_services='{api={port=1,replicas=2},web={port=2}}' attempt "$script"
	[[ $stderr = *'No address in the file'* ]]
	closed 0

	pipeline 6
	[[ $output = *'Plan: 4 to add, 1 to change, 4 to destroy.'* ]]
	[ "$(stat -c %a "$TRY/app/plan")" = 600 ]
	cmp "$TRY/before" "$TRY/app/terraform.tfstate"
	run -0 tf-state list -state="$TRY/home/app/terraform.tfstate"
	[[ $output = *'module.service["db"].terraform_data.config'* ]]
	[ ! -e "$TRY/home/app/main.tf" ]

	pipeline 7
	[[ ${lines[0]} = 'output.endpoints  (main.tf:'* ]]
	[ "${lines[-1]}" = var.services ]

	pipeline 8
	[ -z "$output" ]
	[ "$(stat -c %a "$TRY/app/g")" = 600 ]
	idle() {
		printf '%s\n' 'locals {' '  idle = 1' '}' 'variable "unused" {' \
			'  default = 1' '}' >more.tf
	}
	prepare=idle attempt "$script"
	[ "$output" = $'local.idle\nvar.unused' ] ||
		[ "$output" = $'var.unused\nlocal.idle' ]

	pipeline 9
	[ "${lines[0]}" = \
		$'environment\tstring\tWhere this runs: staging or production.' ]
	[ "${#lines[@]}" = 3 ]

	pipeline 10
	[ "${#lines[@]}" = 5 ]
	[[ ${lines[0]} =~ ^[0-9]+$'\t'module\.service ]]
}

@test "the packages named are those that the scripts install" {
	. "$TF_TEST_SRC/scripts/lib.sh"
	named=$(sed -n '/^    apt-get install/,/[^\\]$/p' "$readme" |
		tr -d '\\' | tr -s ' \n' '\n' |
		grep -vxE 'apt-get|install|--no-install-recommends' | sort)
	[ -n "$named" ]
	printf '%s\n' $build_packages | sort >want
	diff want - < <(sed '/^$/d' <<<"$named")
}

@test "the line for the benchmark works where scripts/quickstart has built" {
	run -0 sed -n 's/^Measured by `\(tests.*\)`, with .*/\1/p' "$readme"
	line=$output
	[[ $line = tests/bench/run\ --n\ 3000\ * ]]
	mkdir -p src/tests/bench
	cp "$TF_TEST_SRC/tests/bench/run" src/tests/bench
	cp "$TF_TEST_SRC/tests/programs.py" src/tests
	cd src
	build=$(dirname "$(command -v tf-plan)")
	without=:$PATH:
	while [[ $without = *":$build:"* ]]; do # also where it stands twice
		without=${without//:$build:/:}
	done
	PATH=$without run -1 ${line/3000/3} --no-tofu
	[[ $output = *'scripts/quickstart builds it'* ]]
	ln -s "$build" build
	PATH=$without run -0 ${line/3000/3} --no-tofu
	[[ $output = *'count         3 destroy     tf '* ]]
}

# Nobody recalculates a table by hand without a slip.
@test "the figures beside OpenTofu are in order: the ratio is that of the seconds" {
	run -0 awk -F'|' '/^\| .* s \| .* times/ {
		ratio = $4 / $3
		n++
		print $2, ratio, $5 + 0
		if (ratio < 0.9 * $5 || ratio > 1.1 * $5)
			exit 1
	} END { exit n != 4 }' "$readme"
}

@test "scripts/check says of each program when it has ended, and fails if one does" {
	. "$TF_TEST_SRC/scripts/lib.sh"
	printf '%s\n' 'TESTS = a b' 'check:' \
		'	@echo "PASS: a"; mkfifo f; timeout 120 cat f; echo "FAIL: b"' \
		'	@echo "# TOTAL: 2"; exit 1' >Makefile
	run_tests . log >said 3>&- &
	pid=$!
	timeout 60 sh -c 'until [ -p f ] && [ -s said ]; do sleep 0.1; done'
	[ "$(cat said)" = '    1 of 2  PASS: a' ] # while b is at work
	echo >f
	status=0
	wait $pid || status=$?
	[ "$status" = 2 ]
	[ "$(sed -n '2,$p' said)" = '    2 of 2  FAIL: b' ]
	grep -q '# TOTAL: 2' log
}

@test "without root and sudo the missing packages are named, and nothing is built" {
	need dpkg-query
	. "$TF_TEST_SRC/scripts/lib.sh"
	mkdir bin
	ln -s "$(command -v dpkg-query)" "$(command -v grep)" bin
	id() { echo 1000; }
	PATH=$PWD/bin run -1 install_packages dpkg not-there-dev
	[[ $output = *'neither root nor sudo'*'apt-get install --no-install-recommends not-there-dev' ]]
}

@test "building says how far it is, and what is not a step of make" {
	. "$TF_TEST_SRC/scripts/lib.sh"
	printf '%s\n' '  CC       a.o' 'make all' 'a.c:1: warning: b' \
		'  CCLD     a' >made
	run -0 progress 2 <made
	[ "$output" = $'    40 %\na.c:1: warning: b\n    100 %' ]
}

@test "what is built is built again: there is nothing to do" {
	mkdir -p src/build
	printf '#!/bin/sh\n' >src/configure
	chmod +x src/configure
	touch -t 200001010000 src/configure.ac
	printf 'all:;\n' >src/build/Makefile
	cd src
	run -0 sh -eu -c '. "$1/scripts/lib.sh"; build build; echo built' - \
		"$TF_TEST_SRC"
	[ "${lines[-1]}" = built ]
}

@test "make install-strip: programs, manuals, completions, documents" {
	build=$(dirname "$(command -v tf-plan)")
	[ -f "$build/Makefile" ] || cannot 'install without the build tree'
	run -0 make -s -C "$build" install-strip DESTDIR="$PWD/to" prefix=/p
	cd to/p
	run -0 ls bin
	[[ $output = *tf*tf-apply*tf-show* ]]
	for file in share/man/man1/tf.1 share/man/man5/tf-stream.5 \
		share/zsh/site-functions/_tf \
		share/bash-completion/completions/tf \
		share/doc/tfpipe/{README.md,LICENSE,NEWS,SECURITY.md} \
		share/doc/tfpipe/tf-stream.schema.json \
		share/doc/tfpipe/examples/README.md; do
		[ -s "$file" ] || { echo "no $file"; false; }
	done
	diff -r "$TF_TEST_SRC/examples" share/doc/tfpipe/examples -x local.mk
	for so in crypto archive codec edit pg; do
		[ -x libexec/tfpipe/$so.so ]
	done
	sanitized tf-plan || {
		said=$(sed -n 's/.* \([0-9]*\) MB are installed.*/\1/p' "$readme")
		if grep -q '^YAJL_LIBS = .*\.a' "$build/Makefile"; then
			said=$(sed -n 's/^is \([0-9]*\) MB\..*/\1/p' "$readme")
		fi
		(($(du -sm . | cut -f1) <= said))
	}
	run -0 bin/tf-plan -C share/doc/tfpipe/examples/first
	# not where it was installed for: what tf runs and loads is found beside it
	run -0 env PATH=/usr/bin:/bin "$TF_TEST_SRC/tests/smoke" bin/tf
}

@test "make install-names: links and what shells complete, over nothing of others" {
	build=$(dirname "$(command -v tf-plan)")
	[ -f "$build/Makefile" ] || cannot 'install without the build tree'
	names() { # TARGET [NAME=...]
		make -s -C "$build" "$@" DESTDIR="$PWD/to" prefix=/p
	}
	run -0 names install-names
	ln -s "$(command -v tf)" to/p/bin/tf
	run -0 names install-names
	[ "$(readlink to/p/bin/terraform)" = tf ]
	for file in bash-completion/completions/tofu zsh/site-functions/_tofu \
		fish/vendor_completions.d/tofu.fish man/man1/tofu.1; do
		[ -L "to/p/share/$file" ] || [ -s "to/p/share/$file" ]
	done
	run -0 names uninstall-names
	[ ! -e to/p/bin/tofu ]
	echo somebody >to/p/bin/tofu
	run -2 names install-names NAMES=tofu
	[[ $output = *'is there already, and not ours'* ]]
	run -0 names uninstall-names
	[ "$(cat to/p/bin/tofu)" = somebody ]
}

#!/usr/bin/env bats
# links.bats - what a repository from outside has at the names that we write to:
# links, FIFOs, files of others.  Nothing of the user's is changed through them.

load common

# home is the user's, repo the clone; what is in home must stay as it is.
setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p home/Documents home/bin repo m/src other
	echo thesis >home/Documents/thesis
	echo program >home/bin/program
	echo 'alias ll=ls' >home/.bashrc
	: >home/empty
	echo '{"version":4,"terraform_version":"1.12.0","serial":9,"lineage":"other","outputs":{},"resources":[]}' \
		>other/terraform.tfstate
	echo 'output "o" { value = 1 }' >m/src/main.tf
	cp -a home home.before
	cp -a other other.before
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	package=mirror/registry.opentofu.org/acme/one/1.0.0/$platform
	mkdir -p "$package"
	printf '#!/bin/sh\nexit 1\n' >"$package/terraform-provider-one_v1.0.0"
	chmod +x "$package/terraform-provider-one_v1.0.0"
	printf 'provider_installation {\n  filesystem_mirror {\n    path = "%s"\n  }\n}\n' \
		"$PWD/mirror" >rc
	export TF_CLI_CONFIG_FILE=$PWD/rc
	cd repo
}

untouched() {
	diff -r "$BATS_TEST_TMPDIR/home" "$BATS_TEST_TMPDIR/home.before" &&
		diff -r "$BATS_TEST_TMPDIR/other" "$BATS_TEST_TMPDIR/other.before"
}

told() { # that a link is not followed
	[[ $stderr == *'symbolic link'* ]]
}

modules() {
	for m; do
		printf 'module "%s" {\n  source = "%s"\n}\n' "$m" \
			"file://$BATS_TEST_TMPDIR/m/src"
	done
}

provider() {
	echo 'terraform {
	  required_providers {
	    one = { source = "acme/one" }
	  }
	}'
}

managed() {
	echo 'resource "terraform_data" "a" {
	  input = "1"
	}
	output "o" {
	  value = terraform_data.a.output
	}'
}

@test "modules are installed through no link of the repository" {
	modules Documents bin >main.tf
	mkdir .terraform
	ln -s ../../home .terraform/modules
	run -1 --separate-stderr tf init
	told
	untouched

	rm -r .terraform
	ln -s ../home .terraform
	mkdir ../home/modules ../home.before/modules
	mv ../home/Documents ../home/bin ../home/modules
	mv ../home.before/Documents ../home.before/bin ../home.before/modules
	run -1 --separate-stderr tf init
	told
	untouched
	run -1 --separate-stderr tf get
	told
	untouched
}

@test "the module of a name replaces a link, not what that leads to" {
	modules Documents >main.tf
	mkdir -p .terraform/modules
	ln -s ../../../home/Documents .terraform/modules/Documents
	ln -s ../../../home/.bashrc .terraform/modules/modules.json
	rm .terraform/modules/modules.json
	ln -s ../../../home/new .terraform/modules/modules.json
	run -0 tf init
	untouched
	[ -f .terraform/modules/modules.json ]
	[ ! -L .terraform/modules/modules.json ]
}

@test "providers are installed through no link of the repository" {
	provider >main.tf
	mkdir -p .terraform/providers "../home/acme/one/1.0.0/$platform"
	echo mine >"../home/acme/one/1.0.0/$platform/file"
	mkdir -p ../home/acme/one/0.9.0/x
	rm -r ../home.before
	cp -a ../home ../home.before
	ln -s ../../../home .terraform/providers/registry.opentofu.org
	run -1 --separate-stderr tf init
	told
	untouched

	rm -r .terraform
	mkdir -p .terraform/providers/registry.opentofu.org/acme/one
	ln -s ../../../../../../home/acme/one/0.9.0/x \
		.terraform/providers/registry.opentofu.org/acme/one/1.0.0
	run -1 --separate-stderr tf init
	told
	untouched
}

@test "a data directory that leads elsewhere replaces no state there" {
	printf 'terraform {\n  backend "local" {}\n}\n' >main.tf
	ln -s ../other .terraform
	run -1 --separate-stderr tf init
	told
	untouched
	echo >main.tf
	run -1 --separate-stderr tf workspace new x
	told
	untouched
}

@test "a user's own data directory is followed by its absolute path alone" {
	provider >main.tf
	mkdir ../store
	ln -s ../store .data
	TF_DATA_DIR=$PWD/.data run -0 tf init
	[ -d ../store/providers ]
	rm -r ../store/providers .terraform.lock.hcl
	TF_DATA_DIR=.data run -1 --separate-stderr tf init
	told
	[ ! -e ../store/providers ]
	TF_DATA_DIR=sub/data run -0 tf init
}

# bats test_tags=once
@test "the lock info and the backup replace links beside a state" {
	managed >main.tf
	ln -s ../home/.bashrc .terraform.tfstate.lock.info
	run -0 tf apply -auto-approve
	ln -s ../home/.bashrc .terraform.tfstate.lock.info
	ln -s ../home/.bashrc terraform.tfstate.backup
	sed -i 's/"1"/"2"/' main.tf
	run -0 tf apply -auto-approve
	[ -s terraform.tfstate.backup ]
	[ ! -L terraform.tfstate.backup ]
	untouched
}

# bats test_tags=once
@test "a journal that is a link stops a run before anything is done" {
	managed >main.tf
	for to in .bashrc empty new; do
		ln -sf "../home/$to" .terraform.tfstate.journal
		run -1 --separate-stderr tf apply -auto-approve
		told
		[[ $output != *Creating* ]]
		untouched
		run -1 tf plan
		untouched
	done
}

# bats test_tags=once
@test "a link to a state is followed, one to nothing is not" {
	managed >main.tf
	ln -s ../home/new terraform.tfstate
	run -1 --separate-stderr tf apply -auto-approve
	[[ $stderr == *'symbolic link'* ]]
	untouched
	ln -sf ../store.tfstate terraform.tfstate
	cp ../other/terraform.tfstate ../store.tfstate
	run -0 tf apply -auto-approve
	[ -L terraform.tfstate ]
	grep -q terraform_data ../store.tfstate
	mkdir ../states
	ln -s ../states states
	echo 'terraform {
	  backend "local" {
	    path = "states/sub/x.tfstate"
	  }
	}' >b.tf
	rm terraform.tfstate
	run -0 tf init
	run -0 tf apply -auto-approve
	[ -s ../states/sub/x.tfstate ]
	sed -i 's/"1"/"2"/' main.tf
	run -0 tf apply -auto-approve
	[ -s ../states/sub/x.tfstate.backup ]
}

@test "plans, generated configuration and logs are written through no link" {
	managed >main.tf
	ln -s ../home/.bashrc tfplan
	ln -s ../home/Documents out
	run -0 tf plan -out=tfplan
	[ ! -L tfplan ]
	untouched
	run -1 --separate-stderr tf plan -out=out/plan
	told
	untouched
	echo 'import {
	  to = terraform_data.b
	  id = "x"
	}' >import.tf
	run -1 tf plan -generate-config-out=out/gen.tf
	untouched
	rm import.tf
	ln -s ../home/.bashrc tf.log
	TF_LOG=trace TF_LOG_PATH=tf.log run -0 tf plan
	untouched
	TF_LOG=trace TF_LOG_PATH=log run -0 tf plan
}

@test "a lock file is shared by a link to another, and replaces any other link" {
	provider >main.tf
	run -0 tf init
	mv .terraform.lock.hcl ../shared
	sed -i '/hashes/,/]/d' ../shared
	ln -s ../shared .terraform.lock.hcl
	run -0 tf init
	[ -L .terraform.lock.hcl ]
	grep -q h1: ../shared
	for to in new empty; do
		ln -sf "../home/$to" .terraform.lock.hcl
		run -0 tf init
		[ ! -L .terraform.lock.hcl ]
		untouched
	done
	ln -sf ../home/.bashrc .terraform.lock.hcl
	run -1 tf init
	untouched
}

@test "the name of the workspace is written through no link" {
	managed >main.tf
	mkdir .terraform
	ln -s ../../home/empty .terraform/environment
	run -0 tf workspace new x
	[ ! -L .terraform/environment ]
	untouched
	run -0 tf workspace select -or-create y
	untouched
}

# bats test_tags=once
@test "a name of the workspace that is not allowed, or cannot be read, is no other one" {
	local at=.terraform/environment

	managed >main.tf
	run -0 tf apply -auto-approve
	mkdir -p .terraform ../x
	cp terraform.tfstate ../x
	for made in 'printf ../../x >$at' 'mkfifo $at' 'mkdir $at' \
		'head -c 5000 /dev/zero | tr "\0" a >$at'; do
		rm -rf $at
		eval "$made"
		for c in plan init show output 'state list' providers; do
			# shellcheck disable=SC2086
			run timeout 60 tf $c
			[ "$status" = 1 ]
			[[ $output == *'Error selecting workspace'* ]]
		done
		[ -d $at ] || run -0 timeout 60 tf workspace select default
		rm -rf $at
		run -0 tf plan
	done
}

@test "deleting a workspace removes a state's files, and nothing else" {
	managed >main.tf
	ln -s ../home terraform.tfstate.d
	run -0 tf workspace list
	[[ $output == *Documents* ]]
	run -1 --separate-stderr tf workspace delete -force Documents
	[[ $stderr == *'"thesis"'* ]]
	untouched
	rm terraform.tfstate.d
	run -0 tf workspace new x
	run -0 tf apply -auto-approve
	touch terraform.tfstate.d/x/.terraform.tfstate.lock.info
	run -0 tf workspace select default
	run -0 tf workspace delete -force x
	[ ! -e terraform.tfstate.d/x ]
}

@test "no command waits for a FIFO that the repository has at a file's name" {
	managed >main.tf
	modules a >>main.tf
	run -0 tf init
	cp -a . ../plain
	try() { # FIFO COMMAND...
		cd "$BATS_TEST_TMPDIR" || return 1
		rm -rf repo
		cp -a plain repo || return 1
		cd repo || return 1
		rm -f "$1"
		mkfifo "$1" || return 1
		shift
		run timeout 60 "$@"
		[ "$status" -ne 124 ] || {
			echo "waits: $*"
			return 1
		}
	}
	for c in init plan validate 'apply -auto-approve'; do
		# shellcheck disable=SC2086
		for f in .terraform/modules/modules.json .terraform/environment \
			.terraform/terraform.tfstate .terraform.lock.hcl \
			.terraform.tfstate.lock.info terraform.tfstate.backup \
			.terraform.modules.lock; do
			try "$f" tf $c
		done
	done
}

@test "completing words writes nothing and starts no program of the repository" {
	managed >main.tf
	run -0 tf apply -auto-approve
	echo '{"record":"journal","version":1}' >.terraform.tfstate.journal
	mkdir -p .terraform
	provider >p.tf
	cp -a . ../before
	for words in 'state show' plan 'workspace select'; do
		# shellcheck disable=SC2086
		tf -complete $words '' >>../completed || true
	done
	grep -q default ../completed
	diff -r . ../before
	# nor one that encryption names, which validating does not start, either
	cat >e.tf <<-END
	terraform {
	  encryption {
	    key_provider "external" "x" { command = ["$PWD/evil"] }
	    method "aes_gcm" "m" { keys = key_provider.external.x }
	    state { method = method.aes_gcm.m }
	  }
	}
	END
	printf '#!/bin/sh\ntouch "%s"\n' "$PWD/ran" >evil
	chmod +x evil
	rm p.tf .terraform.tfstate.journal
	cat >terraform.tfstate <<-'END'
	{"meta":{},"encrypted_data":"AAAA","encryption_version":"v0","serial":1,"lineage":"x"}
	END
	for words in 'state show' plan 'workspace select'; do
		# shellcheck disable=SC2086
		tf -complete $words '' >>../completed || true
	done
	run -0 tf validate
	[ ! -e ran ]
	run -1 tf plan
	[ -e ran ]
}

#!/usr/bin/env bats
# modules-registry.bats - modules of registries
#
# See modules.bash for TF_TEST_CLI.

load common
load modules
load net

jq_itself

setup() {
	modules_setup
	modules_web
}

teardown() {
	serve_end
}

@test "the newest version that is allowed" {
	offer a/b/c 1.0.0 1.2.0 v1.3.0 2.0.0 2.1.0-beta1
	{
		versioned a registry.test/a/b/c
		versioned b registry.test/a/b/c '~> 1.0, != 1.3.0'
		versioned c Registry.test:443/a/b/c//sub '>= 1.3, < 2'
		versioned d registry.test/a/b/c '2.1.0-beta1'
		versioned e registry.test/a/b/c '>= 2.1.0-beta1'
	} >main.tf
	# a version that has a letter before it is asked for without it
	mv "$net/www/registry.test/modules/a/b/c/v1.3.0" \
		"$net/www/registry.test/modules/a/b/c/1.3.0"
	run -1 $cli init -no-color
	flat
	[[ $output = *'Downloading registry.test/a/b/c 2.0.0 for a...'*'- a in .terraform/modules/a'* ]]
	[[ $output = *'Downloading registry.test/a/b/c 1.2.0 for b...'* ]]
	[[ $output = *'Downloading registry.test/a/b/c 1.3.0 for c...'*'- c in .terraform/modules/c/sub'* ]]
	[[ $output = *'Downloading registry.test/a/b/c 2.1.0-beta1 for d...'* ]]
	[[ $output = *'Error: Unresolvable module version constraint'*'newest available version is 2.0.0'* ]]
	[ "$(version_of a)" = 2.0.0 ]
	[ "$(version_of c)" = 1.3.0 ]
	[ "$(source_of c)" = registry.test/a/b/c//sub ]
	grep -q '"1.2.0"' .terraform/modules/b/version.tf
	# each is asked for once
	[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 1 ]
	[ "$(asked 'GET registry.test/modules/a/b/c/versions')" = 1 ]
	[ "$(asked 'GET registry.test/modules/a/b/c/2.0.0/download')" = 1 ]
}

# bats test_tags=once
@test "what is installed stays while it fits" {
	offer a/b/c 1.0.0 1.2.0
	versioned a registry.test/a/b/c '1.0.0' >main.tf
	run -0 $cli init -no-color
	asked=$(asked_at_all)
	versioned a registry.test/a/b/c '~> 1.0' >main.tf
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
	[ "$(version_of a)" = 1.0.0 ]
	[ "$(asked_at_all)" = "$asked" ]
	run -0 $cli init -no-color -upgrade
	[ "$(version_of a)" = 1.2.0 ]
	versioned a registry.test/a/b/c '< 1.1' >main.tf
	run -1 $cli validate -no-color
	[[ $output = *'Error: Module version requirements have changed'* ]]
	run -0 $cli init -no-color
	[ "$(version_of a)" = 1.0.0 ]
	run -0 $cli validate -no-color
	# from a registry to a directory
	mkdir d
	versioned a ./d >main.tf
	run -0 $cli init -no-color
	[ ! -e .terraform/modules/a ]
	[ "$(version_of a)" = null ]
}

@test "where a package is, in a header, relative, with a part" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c//deep >main.tf
	mkdir -p "$here/m/sub/deep" "$net/www/registry.test/files"
	echo 'output "deep" { value = 1 }' >"$here/m/sub/deep/main.tf"
	pack c.zip
	mv "$net/www/files.test/c.zip" "$net/www/registry.test/files"
	rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
		"status": 204, "headers": {"X-Terraform-Get":
		"/files/c.zip//sub?archive=zip"}}'
	run -0 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a/sub/deep' ]
	rm -r .terraform
	rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
		"body": "{\"location\": \"../../../../../files/c.zip//sub\"}"}'
	run -0 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a/sub/deep' ]
}

@test "a package of its own, with its token" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	export TF_TOKEN_registry_test=hush
	mkdir "$net/www/registry.test/files"
	tar -C "$here/m" -czf "$net/www/registry.test/files/c" .
	for with in true false; do
		rm -rf .terraform
		: >"$net/log"
		rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
			"body": "{\"location\": \"/files/c\", \"use_registry_credentials\": '$with'}"}'
		run -0 $cli init -no-color
		diff -r "$here/m" .terraform/modules/a
		token=' Bearer hush'
		[ "$(asked "GET registry.test/modules/a/b/c/versions$token")" = 1 ]
		[ "$(asked "GET registry.test/modules/a/b/c/1.0.0/download$token")" = 1 ]
		[ $with = true ] || token=
		[ "$(asked "GET registry.test/files/c$token")" = 1 ]
	done
	# another host gets no token
	rm -r .terraform
	rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
		"body": "{\"location\": \"https://files.test/c-1.0.0.zip\"}"}'
	run -0 $cli init -no-color
	[ "$(asked 'GET files.test/c-1.0.0.zip')" = 1 ]
}

# bats test_tags=once
@test "a git repository, and modules of registries in it" {
	git_setup
	offer a/b/c 1.0.0
	git init -q "$here/r"
	mkdir "$here/r/x"
	versioned inner registry.test/a/b/c '~> 1.0' >"$here/r/x/main.tf"
	git -C "$here/r" add -A
	git -C "$here/r" commit -q -m 1
	offer d/e/f 0.1.0
	rules '{"at": "registry.test/modules/d/e/f/0.1.0/download", "body":
		"{\"location\": \"git::file://'"$here"'/r//x?ref=HEAD\"}"}'
	versioned outer registry.test/d/e/f >main.tf
	run -0 $cli init -no-color
	[ "$(records)" = 'outer .terraform/modules/outer/x
outer.inner .terraform/modules/outer.inner
outer.inner.sub .terraform/modules/outer.inner/sub' ]
	[ "$(version_of outer.inner)" = 1.0.0 ]
}

# What is said: said SUMMARY TEXT
said() {
	run -1 $cli init -no-color
	flat
	[[ $output = *"Error: $1"*"$2"* ]] || {
		echo "$output"
		return 1
	}
}

@test "what goes wrong" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	local at=registry.test/modules/a/b/c
	rules '{"at": "'$at'/versions", "status": 404}'
	said 'Module not found' 'a/b/c'
	rules '{"at": "'$at'/versions", "status": 403}'
	said 'Error accessing remote module registry' '403 Forbidden'
	rules '{"at": "'$at'/versions", "body": "{"}'
	said 'Error accessing remote module registry' ''
	rules '{"at": "'$at'/versions", "body": "{\"modules\": []}"}'
	said 'Invalid response from remote module registry' ''
	rules '{"at": "'$at'/versions", "body": "{\"modules\": [{}]}"}'
	said 'Module has no versions' ''
	for wrong in '"1.0.0"' '[]' '{"modules": {}}' '{"modules": ["1.0.0"]}' \
		'{"modules": [{"versions": {}}]}' '{"modules": [{"versions": ["1.0.0", {"version": "1.0.0"}]}]}' \
		'{"modules": [{"versions": [{"version": 1}, {"version": "1.0.0"}]}]}'; do
		rules "$(jq -n --arg b "$wrong" '{at: "'$at'/versions", body: $b}')"
		said 'Error accessing remote module registry' ''
	done
	rules '{"at": "'$at'/versions", "body": "null"}'
	said 'Invalid response from remote module registry' ''
	rules '{"at": "'$at'/1.0.0/download", "status": 404}'
	said 'Error accessing remote module registry' 'not found'
	rules '{"at": "'$at'/1.0.0/download", "status": 204}'
	said 'Error accessing remote module registry' \
		'registry did not return a location'
	rules '{"at": "'$at'/1.0.0/download", "body": "{\"location\": \"x\"}"}'
	said 'Error accessing remote module registry' \
		'registry returned invalid package location "x"'
	rules '{"at": "'$at'/1.0.0/download", "body": "{\"location\": \"file:///x\", \"use_registry_credentials\": true}"}'
	said 'Error accessing remote module registry' ''
	rules '{"at": "files.test/c-1.0.0.zip", "status": 404}'
	said 'Failed to download module' 'bad response code: 404'
	rules
	versioned a registry.test/a/b/c//nowhere >main.tf
	said 'Module subdirectory not found' 'nowhere'
	versioned a other.test/a/b/c >main.tf
	said 'Error accessing remote module registry' 'other.test'
	# a version that is none is left out
	versioned a registry.test/a/b/c >main.tf
	rules '{"at": "'$at'/versions", "body": "{\"modules\": [{\"versions\": [{\"version\": \"x\"}, {\"version\": \"1.0.0\"}]}]}"}'
	rm -rf .terraform
	run -0 $cli init -no-color
	[[ $output = *'Warning: Invalid response from remote module registry'* ]]
	[ "$(version_of a)" = 1.0.0 ]
}

@test "modules: what is called, with sources and versions, as Terraform lists them" {
	only_ours
	offer a/b/c 1.2.0 1.3.0
	mkdir -p sub/deep
	{
		versioned z registry.test/a/b/c '~> 1.0'
		versioned exact Registry.test:443/a/b/c//sub 1.2.0
		printf 'module "local" {\n  source = "./sub"\n}\n'
	} >main.tf
	printf 'module "in" {\n  source = "./deep"\n}\n' >sub/main.tf
	touch sub/deep/main.tf
	run -1 tf modules
	[[ $output = *'Error: Module not installed'* ]]
	run -0 tf init -no-color
	run -0 tf modules
	diff - <(echo "$output") <<-'END'

		Modules declared by configuration:
		.
		├── "exact"[registry.test/a/b/c//sub] 1.2.0
		├── "local"[./sub]
		│   └── "in"[./deep]
		└── "z"[registry.test/a/b/c] 1.3.0 (~> 1.0)
		    └── "sub"[./sub]
	END
	run -0 tf modules -json
	jq -S . >want <<-'END'
		{"format_version": "1.0", "modules": [
		 {"key": "exact", "source": "registry.test/a/b/c//sub", "version": "1.2.0"},
		 {"key": "local", "source": "./sub", "version": ""},
		 {"key": "in", "source": "./deep", "version": ""},
		 {"key": "z", "source": "registry.test/a/b/c", "version": "1.3.0"},
		 {"key": "sub", "source": "./sub", "version": ""}]}
	END
	jq -S . <<<"$output" | diff want -
	# the host that is meant where none is written is not named
	export TFPIPE_DEFAULT_REGISTRY=registry.test
	run -0 tf modules
	[[ $output != *registry.test* ]]
	cd sub/deep
	run -0 tf modules
	[ "$output" = 'No modules found in configuration.' ]
	run -1 tf modules -config -no-color
	flat
	[[ $output = *'only one thing is shown'* ]]
}

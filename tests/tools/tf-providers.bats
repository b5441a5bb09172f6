#!/usr/bin/env bats
# tf-providers.bats - tf-providers(1): the tree and the schemas

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	export TF_CLI_CONFIG_FILE=
}

@test "the tree: modules, providers, versions, the state's" {
	mkdir -p a/b
	cat >main.tf <<-'END'
	terraform {
	  required_providers {
	    one = {
	      source  = "acme/one"
	      version = "< 3, >= 1.0"
	    }
	  }
	}
	module "a" { source = "./a" }
	module "c" { source = "./a/b" }
	resource "one_x" "x" {}
	resource "terraform_data" "t" {}
	END
	cat >a/main.tf <<-'END'
	module "b" { source = "./b" }
	resource "terraform_data" "t" {}
	END
	echo 'data "two_y" "y" {}' >a/b/main.tf
	cat >terraform.tfstate <<-'END'
	{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"l",
	 "outputs":{},"resources":[{"mode":"managed","type":"x","name":"a",
	 "provider":"provider[\"example.com/acme/old\"]","instances":[]}]}
	END
	tf get >/dev/null
	run -0 tf providers
	diff - <(echo "$output") <<-'END'

	Providers required by configuration:
	.
	├── provider[registry.opentofu.org/acme/one] >= 1.0.0, < 3.0.0
	├── provider[terraform.io/builtin/terraform]
	├── module.a
	│   ├── provider[terraform.io/builtin/terraform]
	│   └── module.b
	│       └── provider[registry.opentofu.org/hashicorp/two]
	└── module.c
	    └── provider[registry.opentofu.org/hashicorp/two]

	Providers required by state:

	    provider[example.com/acme/old]
	END
	# without what init installs there is no tree
	rm -r .terraform
	run -1 tf providers
	[[ $output = *'Error: Module not installed'* ]]
}

@test "providers: those of tests, and of the modules of their runs" {
	mkdir -p tests more m/sub
	echo 'resource "one_x" "x" {}' >main.tf
	echo 'resource "two_x" "x" {}' >m/sub/main.tf
	printf '%s\n' 'module "sub" {' 'source = "./sub"' '}' >m/main.tf
	cat >tests/a.tftest.hcl <<-'END'
	provider "three" {}
	run "own" {}
	run "other" {
	  module {
	    source = "./m"
	  }
	}
	END
	cp tests/a.tftest.hcl more/b.tftest.hcl
	echo 'run "x" {}' >c.tftest.hcl
	tf get >/dev/null
	run -0 tf providers
	diff - <(sed -n '/^\.$/,/^$/p' <<<"$output") <<-'END'
	.
	├── provider[registry.opentofu.org/hashicorp/one]
	├── test.c
	└── test.tests.a
	    ├── provider[registry.opentofu.org/hashicorp/three]
	    └── run.other
	        └── module.sub
	            └── provider[registry.opentofu.org/hashicorp/two]
	END
	run -1 tf providers -test-directory=more
	[[ $output = *'Error: Module not installed'* ]]
	tf get -test-directory=more >/dev/null
	run -0 tf providers -test-directory=more
	[[ $output = *test.more.b* && $output != *test.tests.a* ]]
}

@test "schema -json" {
	echo 'resource "terraform_data" "t" {}' >main.tf
	run -1 tf providers schema
	[[ $output = *'Error: Output only in json is allowed'* ]]
	tf providers schema -json >out
	jq -e '.format_version == "1.0"' out
	jq -e '.provider_schemas["terraform.io/builtin/terraform"] |
		.provider == {version: 0} and
		.resource_schemas.terraform_data.block.attributes.id ==
			{type: "string", description_kind: "plain",
			 computed: true} and
		(.data_source_schemas.terraform_remote_state.block.attributes |
			.backend.required) and
		.functions.encode_expr.parameters[0].name == "expr" and
		all(.functions[]; .summary == .description)' out ||
		{ jq . out; false; }
	# one that is needed and not installed
	echo 'resource "two_y" "y" {}' >more.tf
	run -1 tf providers schema -json
	[[ $output = *'Error: Inconsistent dependency lock file'*hashicorp/two* ]]
	[[ $output != *format_version* ]]
}

@test "no configuration, what is not there, mistakes" {
	run -1 tf providers
	[[ $output = *'Error: No configuration files'* ]]
	run -0 tf providers schema -json
	[ "$output" = '{"format_version":"1.0"}' ]
	for command in lock 'mirror m' 'schema -json'; do
		# shellcheck disable=SC2086 # words
		run -1 tf providers $command -var=bad
		[[ $output = *'Error: Invalid -var option'* ]]
		# shellcheck disable=SC2086 # words
		run -1 tf providers $command -var-file=none
		[[ $output = *'Error: Failed to read variables file'* ]]
	done
	run -1 tf providers mirror
	[[ $output = *'Error: No output directory specified'* ]]
	run -1 tf providers mirror a b
	[[ $output = *'Error: No output directory specified'* ]]
	run -1 tf providers lock -fs-mirror=a -net-mirror=https://b/
	[[ $output = *'Error: Invalid installation method options'* ]]
	run -1 tf providers what
	[[ $output = *'Error: Unexpected argument'* ]]
	printf 'terraform {\n  backend "local" {\n  }\n}\n' >main.tf
	run -1 tf providers
	[[ $output = *'Error: Backend initialization required'* ]]
}

# A mirror of $1 VERSION PLATFORM: $2 $3; $4: what the package holds.
package() {
	local dir=m/registry.opentofu.org/hashicorp/$1/$2/$3

	mkdir -p "$dir"
	echo "$4" >"$dir/terraform-provider-$1_v$2"
}

@test "lock -fs-mirror" {
	package foo 1.2.3 linux_amd64 one
	package foo 1.2.3 darwin_arm64 two
	package foo 2.0.0 linux_amd64 three
	package bar 0.1.0 linux_amd64 four
	cat >main.tf <<'EOF2'
terraform {
  required_providers {
    foo = {
      source  = "hashicorp/foo"
      version = "~> 1.0"
    }
    bar = { source = "hashicorp/bar" }
  }
}
EOF2
	run tf providers lock -fs-mirror=m -platform=linux_amd64
	[ "$status" = 0 ]
	[[ $output == *"- Obtained hashicorp/foo checksums for linux_amd64; This was a new provider"* ]]
	[[ $output == *"Success! tfpipe has updated the lock file."* ]]
	grep -q 'constraints = "~> 1.0"' .terraform.lock.hcl
	[ "$(grep -c h1: .terraform.lock.hcl)" = 2 ]
	grep -q 'version     = "1.2.3"' .terraform.lock.hcl
	# another platform, one provider
	run tf providers lock -fs-mirror=m -platform=darwin_arm64 hashicorp/foo
	[[ $output == *"Additional checksums for this platform"* ]]
	[ "$(grep -c h1: .terraform.lock.hcl)" = 3 ]
	cp .terraform.lock.hcl was
	run tf providers lock -fs-mirror=m -platform=linux_amd64
	[[ $output == *"found no need for changes."* ]]
	cmp was .terraform.lock.hcl
	# packed packages have the hash of what is in them
	(cd m/registry.opentofu.org/hashicorp/bar/0.1.0/linux_amd64 &&
		python3 -m zipfile -c ../../terraform-provider-bar_0.1.0_linux_amd64.zip *)
	rm -r m/registry.opentofu.org/hashicorp/bar/0.1.0
	run tf providers lock -fs-mirror=m -platform=linux_amd64
	[[ $output == *"found no need for changes."* ]]
	# what is not there
	run -1 tf providers lock -fs-mirror=m -platform=darwin_arm64
	[[ $output == *"Could not retrieve providers for locking"*hashicorp/bar* ]]
	run -1 tf providers lock -fs-mirror=m -platform=plan9
	[[ $output == *"Invalid target platform"* ]]
	run -1 tf providers lock -fs-mirror=m hashicorp/baz
	[[ $output == *"Invalid provider argument"* ]]
	cmp was .terraform.lock.hcl
}

@test "warnings of the configuration are said beside the tree, not the schemas" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "t" {
	  provisioner "local-exec" {
	    when    = "destroy"
	    command = "true"
	  }
	}
	TF
	run -0 tf providers
	[[ $output == *"Warning: Quoted keywords are deprecated"* ]]
	run -0 tf providers schema -json
	[[ $output != *Warning* ]]
	run -0 tf graph
	[[ $output == *terraform_data.t* && $output != *Warning* ]]
	echo 'output "o" {}' >more.tf
	run -1 tf graph
	[[ $output == *"Warning: Quoted keywords"*"Error: Missing required argument"* ]]
	[[ $output != *digraph* ]]
}

@test "schemas: the lock file has to fit the configuration" {
	local provider=acme.test/x/p dir
	dir=.terraform/providers/$provider/1.0.0/linux_$(uname -m |
		sed 's/x86_64/amd64/; s/aarch64/arm64/')
	mkdir -p "$dir"
	printf '#!/bin/sh\nexit 1\n' >"$dir/terraform-provider-p"
	chmod +x "$dir/terraform-provider-p"
	cat >main.tf <<-END
	terraform {
	  required_providers {
	    p = {
	      source  = "$provider"
	      version = "> 2.0"
	    }
	  }
	}
	END
	printf 'provider "%s" {\n  version = "1.0.0"\n}\n' "$provider" \
		>.terraform.lock.hcl
	run -1 "${TF_TEST_CLI:-tf}" providers schema -json
	[[ $output = *'Inconsistent dependency lock file'*"$provider"* ]]
}

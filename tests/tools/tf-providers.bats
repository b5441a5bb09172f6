#!/usr/bin/env bats
# tf-providers.bats - tf-providers(1): the tree and the schemas

bats_require_minimum_version 1.5.0

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

@test "schema -json" {
	echo 'resource "terraform_data" "t" {}' >main.tf
	run -1 tf providers schema
	[[ $output = *'Error: Output only in json is allowed'* ]]
	tf providers schema -json >out
	jq -e '.format_version == "1.0"' out
	jq -e '.provider_schemas["terraform.io/builtin/terraform"] |
		.provider.version == 0 and
		.resource_schemas.terraform_data.block.attributes.id ==
			{type: "string", description_kind: "plain",
			 computed: true} and
		(.data_source_schemas.terraform_remote_state.block.attributes |
			.backend.required) and
		.functions.encode_expr.parameters[0].name == "expr" and
		(.functions.encode_expr | has("summary"))' out ||
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
	run -1 tf providers lock
	[[ $output = *'Error: Provider registries are not supported'* ]]
	run -1 tf providers mirror dir
	[[ $output = *'Error: Provider registries are not supported'* ]]
	run -1 tf providers what
	[[ $output = *'Error: Unexpected argument'* ]]
	printf 'terraform {\n  backend "local" {\n  }\n}\n' >main.tf
	run -1 tf providers
	[[ $output = *'Error: Backend initialization required'* ]]
}

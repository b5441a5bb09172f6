#!/usr/bin/env bats
# provider-iteration.bats - provider configurations with for_each and an alias, as
# OpenTofu has them (rfc-static-evaluation-providers.md)
#
# Each instance of a configuration has a prefix of its own, which stands in what
# the test provider computes: it tells which instance an object came from.

load provider

jq_itself

setup() {
	provider_setup
}

regions='variable "regions" {
  type    = map(string)
  default = { us = "us-east-1", eu = "eu-west-1" }
}
provider "test" {
  alias    = "by"
  for_each = local.regions
  prefix   = "${each.value} "
}
locals {
  regions = var.regions
  region  = "e${"u"}"
}'

# The configuration: the regions, and what is on stdin.
iterating() {
	{
		echo "$regions"
		cat
	} | config
}

# A module, from stdin, that has the provider.
module() { # DIRECTORY [ALIAS]
	mkdir -p "$1"
	cat - >"$1/main.tf" <<EOF2
terraform {
  required_providers {
    test = {
      source                = "hashicorp/test"
      configuration_aliases = [${2-}]
    }
  }
}
EOF2
	cat >>"$1/main.tf"
}

@test "resources, data and modules choose instances by constants, locals and keys" {
	module m <<-'EOF'
	resource "test_thing" "r" {
	  name = "in"
	}
	module "inner" {
	  source    = "./inner"
	  providers = { test.x = test }
	}
	EOF
	module m/inner test.x <<-'EOF'
	resource "test_thing" "deep" {
	  name     = "deep"
	  provider = test.x
	}
	EOF
	iterating <<-'EOF'
	resource "test_thing" "one" {
	  name     = "one"
	  provider = test.by["us"]
	}
	resource "test_thing" "each" {
	  for_each = { us = 1, eu = 2 }
	  name     = each.key
	  provider = test.by[each.key]
	}
	data "test_thing" "d" {
	  name     = "data"
	  provider = test.by[local.region]
	}
	module "one" {
	  source    = "./m"
	  providers = { test = test.by[local.region] }
	}
	module "each" {
	  source    = "./m"
	  for_each  = { us = 1, eu = 2 }
	  providers = { test = test.by[each.key] }
	}
	EOF
	$cli get >out
	works run_all ''
	served >got
	diff - got <<-'EOF'
	d .by[eu] eu-west-1 comp of data
	each[eu] .by[eu] eu-west-1 comp of eu
	each[us] .by[us] us-east-1 comp of us
	one .by[us] us-east-1 comp of one
	module.each[eu].r .by[eu] eu-west-1 comp of in
	module.each[eu].module.inner.deep .by[eu] eu-west-1 comp of deep
	module.each[us].r .by[us] us-east-1 comp of in
	module.each[us].module.inner.deep .by[us] us-east-1 comp of deep
	module.one.r .by[eu] eu-west-1 comp of in
	module.one.module.inner.deep .by[eu] eu-west-1 comp of deep
	EOF
	[ "$(grep -c '^configure' calls)" = 4 ]
	# the instance is the object's, not the resource's
	[ "$(jq '[.resources[] | select(.provider)] | length' \
		terraform.tfstate)" = 0 ]
	# and nothing of it is in what is published
	[ "$($cli show -json | jq -r '.. | .provider_name? // empty' |
		sort -u)" = "$test_provider" ]
	works plan ''
	$cli show -json p | jq -e '[.resource_changes[].change.actions] |
		unique == [["no-op"]]'
	works destroy ''
	[ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
}

@test "ephemeral resources and imports choose instances as well" {
	iterating <<-'EOF'
	resource "test_thing" "r" {
	  for_each = { us = "1", eu = "2" }
	  name     = each.key
	  provider = test.by[each.key]
	}
	ephemeral "test_token" "t" {
	  for_each = { us = "1", eu = "2" }
	  name     = each.key
	  provider = test.by[each.key]
	}
	provider "test" {
	  prefix = ephemeral.test_token.t["us"].name
	}
	resource "test_thing" "s" {
	  name = "s"
	}
	EOF
	works run_all ''
	[ "$(attribute s .comp)" = '"uscomp of s"' ]
	jq -c '.resources |= map(select(.name == "s"))' terraform.tfstate >s
	# the ids as they came
	jq -r '.resources[] | select(.name == "r").instances[] |
		"\(.index_key) = \"\(.attributes.id)\""' terraform.tfstate >ids
	cp s terraform.tfstate
	cat >>main.tf <<-EOF
	import {
	  for_each = {
	$(cat ids)
	  }
	  to       = test_thing.r[each.key]
	  id       = each.value
	}
	EOF
	rm calls
	works run_all ''
	run -1 grep '^apply-create' calls
	served | grep '^r' >got
	diff - got <<-'EOF'
	r[eu] .by[eu] eu-west-1 comp of eu
	r[us] .by[us] us-east-1 comp of us
	EOF
}

# bats test_tags=once
@test "a module's own provider has instances by the module's variables" {
	module m <<-EOF
	$(sed '/default/d' <<<"$regions")
	resource "test_thing" "r" {
	  for_each = toset(["us", "eu"])
	  name     = each.key
	  provider = test.by[each.key]
	}
	EOF
	config <<-'EOF'
	variable "two" { default = "two" }
	module "m" {
	  source  = "./m"
	  regions = { us = "one", eu = var.two }
	}
	EOF
	$cli get >out
	works plan ''
	works apply ''
	served >got
	diff - got <<-'EOF'
	module.m.r[eu] .by[eu] two comp of eu
	module.m.r[us] .by[us] one comp of us
	EOF
	works destroy ''
	[ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
	sed -i 's/var.two/test_thing.x.comp/' main.tf
	echo 'resource "test_thing" "x" {}' >>main.tf
	fails plan '' -- 'Dynamic value in static context' var.regions
}

# bats test_tags=once
@test "for_each of a provider is static, and the error names what is not" {
	echo 'output "o" { value = "x" }' | module m
	for value in test_thing.r.name data.test_thing.d.name module.m.o; do
		config <<-EOF
		resource "test_thing" "r" {}
		data "test_thing" "d" {}
		module "m" { source = "./m" }
		locals { keys = toset([$value]) }
		provider "test" {
		  alias    = "by"
		  for_each = local.keys
		}
		EOF
		$cli get >out 2>&1 || true
		run -1 $cli plan -no-color
		[[ $output == *'in static context'*"toset([$value])"* ]]
		[[ $output == *provider.test.by.for_each* ]]
	done
}

# bats test_tags=once
@test "what is not static is found through functions, local values and module calls" {
	module m <<-'EOF'
	variable "regions" {}
	locals { keys = toset(concat(var.regions, [])) }
	provider "test" {
	  alias    = "by"
	  for_each = local.keys
	}
	EOF
	echo 'output "o" { value = "x" }' | module o
	config <<-'EOF'
	resource "terraform_data" "x" { input = "x" }
	variable "k" {
	  default = "x"
	  const   = false
	}
	module "o" { source = "./o" }
	locals { more = concat(["a"], ["b"]) }
	module "m" {
	  source  = "./m"
	  regions = [upper(jsonencode(local.more))]
	}
	EOF
	$cli get
	$cli validate
	cp main.tf right
	for value in terraform_data.x.output module.o.o var.k 'provider::test::join("a", "b")'; do
		sed "s/\"b\"/$value/" right >main.tf
		for command in validate plan; do
			run -1 $cli $command -no-color
			[[ $output == *'static context'*"[$value])"* ]]
			[[ $output == *'test.by.for_each'* ]]
		done
	done
}

@test "each call of a module is looked at with what it gives" {
	module m <<-'EOF'
	variable "regions" {}
	locals { keys = concat(var.regions, []) }
	provider "test" {
	  alias    = "by"
	  for_each = toset(local.keys)
	}
	EOF
	config <<-'EOF'
	resource "terraform_data" "x" { input = "x" }
	module "m1" {
	  source  = "./m"
	  regions = ["a"]
	}
	module "m2" {
	  source  = "./m"
	  regions = ["b"]
	}
	EOF
	$cli get
	$cli validate
	sed -i 's/"b"/terraform_data.x.output/' main.tf
	run -1 $cli validate -no-color
	[[ $output == *'static context'*terraform_data.x.output* ]]
}

# bats test_tags=once
@test "keys must be right though nobody uses the configuration" {
	for value in '["a"]' 'toset([["a"]])' null 'sensitive(toset(["a"]))' 3; do
		echo "provider \"test\" {
		  alias    = \"by\"
		  for_each = $value
		}" | config
		run -1 $cli validate -no-color
		[[ $output == *'Error: Invalid for_each argument'* ]]
		run -1 $cli plan -no-color
		[[ $output == *'Error: Invalid for_each argument'* ]]
	done
	sed -i 's/for_each = .*/for_each = var.k/' main.tf
	echo 'variable "k" { type = any }' >>main.tf
	fails plan '' -var 'k=["a"]' -- 'Invalid for_each argument'
	works plan '' -var 'k={"a"="x"}'
}

# bats test_tags=once
@test "what nobody uses is not started" {
	[ "$cli" = tf ] || cannot 'OpenTofu starts them all'
	config <<-'EOF'
	provider "test" {
	  alias    = "by"
	  for_each = toset(["a", "b", "c", "d"])
	  prefix   = each.key
	}
	resource "test_thing" "one" { provider = test.by["c"] }
	EOF
	works plan ''
	[ "$(grep -c '^configure' calls)" = 1 ]
	rm calls
	works run_all ''
	[ "$(grep -c '^configure' calls)" = 2 ] # to plan, and to apply
	# nor who made what is gone, but for him who destroys it
	sed -i 's/by\["c"\]/by["a"]/' main.tf
	echo 'resource "test_thing" "two" { provider = test.by["d"] }' >>main.tf
	works run_all ''
	sed -i '$d' main.tf
	rm calls
	works plan ''
	[ "$(grep -c '^configure' calls)" = 2 ]
}

# bats test_tags=once
@test "where there are instances one must be chosen, of those that there are" {
	refused() { # SUMMARY: of the configuration on stdin
		iterating
		$cli get >out 2>&1 || true
		run -1 $cli plan -no-color
		[[ $output == *"$1"* ]]
	}
	refused 'Invalid resource provider configuration' <<-'EOF'
	resource "test_thing" "r" { provider = test.by }
	EOF
	refused 'Provider instance not present' <<-'EOF'
	resource "test_thing" "r" { provider = test.by["uk"] }
	EOF
	[[ $output == *test_thing.r*'by["uk"]'* ]]
	refused 'Invalid provider instance key' <<-'EOF'
	resource "terraform_data" "x" {}
	resource "test_thing" "r" { provider = test.by[terraform_data.x.id] }
	EOF
	module m </dev/null
	refused 'Invalid module provider configuration' <<-'EOF'
	module "m" {
	  source    = "./m"
	  providers = { test = test.by }
	}
	EOF
}

# bats test_tags=once
@test "providers are not passed on by a star" {
	module m </dev/null
	for passed in 'test[*] = test.by[*]' 'test = test.by[*]'; do
		iterating <<-EOF
		module "m" {
		  source    = "./m"
		  providers = { $passed }
		}
		EOF
		$cli get >out 2>&1 || true
		run -1 $cli plan -no-color
		[[ $output == *'Invalid provider configuration reference'* ]]
	done
}

@test "an alias is that of one configuration, with instances or without" {
	iterating <<-'EOF'
	provider "test" {
	  alias = "by"
	}
	EOF
	run -1 $cli validate -no-color
	[[ $output == *'Duplicate provider configuration'* ]]
}

# bats test_tags=once
@test "a provider is no value that a local or a variable could have" {
	iterating <<<'locals { mine = test.by["us"] }'
	run -1 $cli validate -no-color
	[[ $output == *'Reference to undeclared resource'* ]]
	for value in local.mine 'var.mine["us"]'; do
		iterating <<-EOF
		locals { mine = "us" }
		variable "mine" { default = "us" }
		resource "test_thing" "r" { provider = $value }
		EOF
		run -1 $cli plan -no-color
		[[ $output == *Error:* ]]
		[[ $output != *'No changes'* ]]
	done
}

# bats test_tags=once
@test "a key that goes must be there until its objects have gone" {
	iterating <<-'EOF'
	variable "things" {
	  type    = set(string)
	  default = ["us", "eu"]
	}
	resource "test_thing" "r" {
	  for_each = var.things
	  name     = each.key
	  provider = test.by[each.key]
	}
	EOF
	works run_all ''
	local less='regions={"us":"us-east-1"}'
	fails plan '' -var "$less" -var 'things=["us"]' -- \
		'Provider instance not present' 'test_thing.r["eu"]' 'by["eu"]'
	works run_all '' -var 'things=["us"]'
	works run_all '' -var "$less" -var 'things=["us"]'
	[ "$(served)" = 'r[us] .by[us] us-east-1 comp of us' ]
}

# bats test_tags=once
@test "an object goes to another instance without being changed" {
	iterating <<-'EOF'
	variable "region" { default = "us" }
	resource "test_thing" "r" {
	  name     = "r"
	  provider = test.by[var.region]
	}
	EOF
	works run_all ''
	rm calls
	works run_all '' -var region=eu
	run -1 grep '^apply' calls
	[ "$(served)" = 'r .by[eu] us-east-1 comp of r' ]
}

@test "what has moved to another key is at once its instance's" {
	iterating <<-'EOF'
	resource "test_thing" "r" {
	  for_each = toset(["us"])
	  name     = "r"
	  provider = test.by[each.key]
	}
	EOF
	works run_all ''
	sed -i 's/toset(\["us"\])/toset(["eu"])/' main.tf
	cat >>main.tf <<-'EOF'
	moved {
	  from = test_thing.r["us"]
	  to   = test_thing.r["eu"]
	}
	EOF
	rm calls
	works run_all ''
	run -1 grep '^apply' calls
	[ "$(served)" = 'r[eu] .by[eu] us-east-1 comp of r' ]
}

@test "validate looks at schemas alone, whatever the instances" {
	iterating <<-'EOF'
	resource "terraform_data" "x" {}
	resource "test_thing" "r" {
	  for_each = { us = 1, eu = 2 }
	  provider = test.by[each.key]
	}
	resource "test_thing" "s" {
	  provider = test.by[terraform_data.x.id]
	}
	EOF
	run -0 $cli validate -no-color
	echo 'resource "test_thing" "t" { nothing = 1 }' >>main.tf
	run -1 $cli validate -no-color
	[[ $output == *'Unsupported argument'* ]]
	run -1 grep '^configure' calls
}

@test "a state that names the provider at the resource, its instance at the object" {
	[ "$cli" = tf ] || cannot 'OpenTofu refuses it'
	iterating <<-'EOF'
	resource "test_thing" "r" {
	  for_each = { us = 1, eu = 2 }
	  name     = each.key
	  provider = test.by[each.key]
	}
	EOF
	works run_all ''
	jq -c '.resources[0].provider =
		"provider[\"registry.opentofu.org/hashicorp/test\"]"' \
		terraform.tfstate >s
	cp s terraform.tfstate
	works plan ''
	[ "$(actions r)" = '["no-op"]
["no-op"]' ]
	works destroy ''
	[ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
}

# OpenTofu waits for all instances, so that only the last is planned there.
@test "what needs an instance waits for that one, and fails with that one" {
	[ "$cli" = tf ] || cannot 'OpenTofu waits for all'
	config <<-'EOF'
	provider "test" {
	  alias    = "by"
	  for_each = toset(["us", "eu", "uk"])
	  prefix   = each.key
	  do       = each.key == "us" ? "configure:error=no such region" : null
	}
	resource "test_thing" "r" {
	  for_each = toset(["us", "eu"])
	  name     = each.key
	  provider = test.by[each.key]
	}
	resource "test_thing" "free" {
	  name = "free"
	}
	EOF
	fails run_all '' -- 'no such region' ''
	[ "$(grep '^plan' calls | sort | paste -sd ,)" = \
		'plan-create test_thing eu,plan-create test_thing free' ]
	run -1 grep '^apply' calls
}

# bats test_tags=once
@test "without for_each again: once applied the state is as it was without" {
	config <<-'EOF'
	provider "test" {
	  prefix = "only "
	}
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	jq -S .resources terraform.tfstate >before
	iterating <<-'EOF'
	resource "test_thing" "r" {
	  name     = "r"
	  provider = test.by["us"]
	}
	EOF
	works run_all ''
	[ "$(served)" = 'r .by[us] only comp of r' ]
	config <<-'EOF'
	resource "test_thing" "r" {
	  name = "r"
	}
	EOF
	works run_all ''
	jq -S .resources terraform.tfstate >after
	diff before after
}

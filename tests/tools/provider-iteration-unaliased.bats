#!/usr/bin/env bats
# provider-iteration-unaliased.bats - provider configurations with for_each or count
# and no alias (rfc-static-evaluation-providers.md)
#
# The keys are aliases: aws["us"] is aws.us.  OpenTofu asks for an alias.

load provider

setup() {
	provider_setup
	cli=tf # whatever others are tested with
}

# The provider of each resource, and those of its instances.
providers() {
	jq -c '.resources[] | [.name, .provider, (.instances[] |
		.provider)]' terraform.tfstate |
		sed 's/provider\[\\"registry.opentofu.org\/hashicorp\/test\\"\]/P/g'
}

# Two configurations by key, used in every way.
iterated() {
	config <<'TF'
locals { where = { eu = "E", us = "U" } }
provider "test" {
  for_each = local.where
  prefix   = each.value
}
resource "test_thing" "each" {
  for_each = local.where
  provider = test[each.key]
  name     = each.key
}
resource "test_thing" "one" {
  provider = test["us"]
  name     = "one"
}
data "test_thing" "read" {
  provider = test[local.key]
  name     = "read"
}
locals { key = "e${"u"}" }
module "m" {
  source    = "./m"
  for_each  = { a = "us", b = "eu" }
  providers = { test = test[each.value] }
}
TF
	mkdir -p m/n
	cat >m/main.tf <<'TF'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
resource "test_thing" "in" { name = "in" }
module "n" { source = "./n" }
TF
	cat >m/n/main.tf <<'TF'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
resource "test_thing" "below" { name = "below" }
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
}

all_made() {
	diff <(served | sort) - <<'X'
each[eu] .eu Ecomp of eu
each[us] .us Ucomp of us
module.m[a].in .us Ucomp of in
module.m[a].module.n.below .us Ucomp of below
module.m[b].in .eu Ecomp of in
module.m[b].module.n.below .eu Ecomp of below
one .us Ucomp of one
read .eu Ecomp of read
X
}

unchanged() {
	run -0 tf plan -no-color -detailed-exitcode
	[[ $output == *'No changes.'* ]]
}

# bats test_tags=once
@test "without an alias the keys are aliases" {
	iterated
	all_made
	[ "$(providers | grep each)" = '["each","P","P.eu","P.us"]' ]
	[ "$(providers | grep one)" = '["one","P","P.us"]' ]
	unchanged
	# what is no longer configured goes with the provider that made it
	sed -i '/"test_thing" "each"/,/^}/d' main.tf
	rm calls
	tf apply -auto-approve >/dev/null
	[ "$(grep -c '^destroy test_thing' calls)" = 2 ]
	run -0 served
	[[ $output != *each* ]]
	tf destroy -auto-approve >/dev/null
	jq -e '.resources == []' terraform.tfstate
}

# bats test_tags=once
@test "aws[\"us\"] is the same configuration as aws.us" {
	iterated
	# the one that is named as an alias, here and in a call of a module
	sed -i 's/test\["us"\]/test.us/; s/test\[each.value\]/test.eu/' main.tf
	rm calls
	unchanged
	run -1 grep -E '^(apply|destroy) ' calls
	# blocks with aliases in place of the one with keys, and back
	cp main.tf keys.txt
	sed -i '/^provider/,/^}/d; s/test\[local.key\]/test.eu/
		s/test\[each.key\]/test.us/' main.tf
	cat >>main.tf <<'TF'
provider "test" {
  alias  = "us"
  prefix = "U"
}
provider "test" {
  alias  = "eu"
  prefix = "E"
}
TF
	unchanged
	tf apply -auto-approve >/dev/null
	[ "$(providers | grep -e one -e each | sort | xargs)" = \
		'[each,P.us,null,null] [one,P.us,null]' ]
	cp keys.txt main.tf
	unchanged
	# what the state alone knows by the alias
	sed -i '/"test_thing" "one"/,/^}/d' main.tf
	tf apply -auto-approve >/dev/null
	run -0 served
	[[ $output != *one* ]]
}

@test "the examples of the document: aws.us, aws[local.region], aws[each.key]" {
	config <<'TF'
locals {
  regions = { "us" : "us-east-1", "eu" : "eu-west-1" }
  region  = "eu"
}
provider "test" {
  for_each = local.regions
  prefix   = each.value
}
resource "test_thing" "same" {
  for_each = local.regions
  provider = test.us
  name     = each.key
}
resource "test_thing" "primary" {
  for_each = local.regions
  provider = test[each.key]
  name     = each.key
}
module "mod" {
  source    = "./m"
  providers = { test = test[local.region] }
}
module "each" {
  for_each  = local.regions
  source    = "./m"
  providers = { test = test[each.key] }
}
TF
	mkdir m
	cat >m/main.tf <<'TF'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
resource "test_thing" "in" { name = "in" }
TF
	tf init >/dev/null
	works run_all ''
	diff <(served | sort) - <<'X'
module.each[eu].in .eu eu-west-1comp of in
module.each[us].in .us us-east-1comp of in
module.mod.in .eu eu-west-1comp of in
primary[eu] .eu eu-west-1comp of eu
primary[us] .us us-east-1comp of us
same[eu] .us us-east-1comp of eu
same[us] .us us-east-1comp of us
X
	unchanged
	# not allowed: a reference that is stored, and one to all of them
	sed -i 's/= test\[local.region\]/= local.mine/' main.tf
	echo 'locals { mine = test["us"] }' >>main.tf
	refused 'Invalid reference'
	sed -i '/mine = /d; s/test = local.mine/test[*] = test[*]/' main.tf
	refused 'Invalid provider configuration reference'
}

@test "count makes configurations by number" {
	config <<'TF'
provider "test" {
  count  = 2
  prefix = "P${count.index}"
}
resource "test_thing" "a" {
  count    = 2
  provider = test[count.index]
  name     = "a"
}
resource "test_thing" "b" {
  provider = test["1"]
  name     = "b"
}
TF
	tf apply -auto-approve >/dev/null
	diff <(served | sort) - <<'X'
a[0] [0] P0comp of a
a[1] [1] P1comp of a
b [1] P1comp of b
X
	[ "$(providers | grep '"a"')" = '["a","P","P[0]","P[1]"]' ]
	unchanged
}

# An error, said once, in validate or else in plan.
refused() { # PATTERN
	run -1 tf plan -no-color
	[[ $(tr -s ' \n' '  ' <<<"$output") == *"$1"* ]] || {
		echo "not said: $1"
		return 1
	}
}

@test "a key and an alias of another block may not be the same" {
	for used in 'test["us"]' test.us; do
		config <<TF
variable "keys" { default = ["us"] }
provider "test" {
  for_each = toset(var.keys)
}
provider "test" { alias = "us" }
resource "test_thing" "a" { provider = $used }
TF
		refused 'Duplicate provider configuration'
	done
}

@test "which of them is meant must be said" {
	config <<'TF'
provider "test" {
  for_each = toset(["us"])
}
resource "test_thing" "a" {}
TF
	refused '"test" has instances, so one must be chosen'
	sed -i 's/"a" {}/"a" { provider = test }/' main.tf
	refused '"test" has instances, so one must be chosen'
	sed -i 's/= test }/= test.eu }/' main.tf
	refused 'Provider instance not present'
	sed -i 's/= test.eu }/= test["eu"] }/' main.tf
	refused 'Provider instance not present'
	# what a module gets without asking
	mkdir m
	echo 'resource "test_thing" "in" {}' >m/main.tf
	cat - >>m/main.tf <<<'terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}'
	sed -i '/^resource/d' main.tf
	echo 'module "m" { source = "./m" }' >>main.tf
	tf init >/dev/null
	refused 'module.m.test_thing.in needs the provider "test", which has instances'
}

@test "keys are known before anything is planned" {
	config <<'TF'
resource "test_thing" "a" { provider = test["us"] }
provider "test" {
  for_each = toset([test_thing.a.id])
}
TF
	refused 'Dynamic value in static context'
	config <<'TF'
resource "terraform_data" "a" {}
resource "test_thing" "a" { provider = test[terraform_data.a.id] }
provider "test" {
  for_each = toset(["us"])
}
TF
	refused 'The key of a provider instance must be known when planning'
	sed -i 's/terraform_data.a.id/sensitive("us")/' main.tf
	refused 'The key of a provider instance must not be sensitive'
	config <<'TF'
locals { one = test["us"] }
resource "test_thing" "a" { provider = local.one }
provider "test" {
  for_each = toset(["us"])
}
TF
	run -1 tf validate
	config <<'TF'
provider "test" {
  for_each = toset(["us"])
  count    = 1
}
TF
	refused 'Invalid combination of "count" and "for_each"'
	sed -i 's/for_each.*/alias = "a"/' main.tf
	refused 'Reserved argument name in provider block'
}

# bats test_tags=once
@test "a key that objects need may not go" {
	iterated
	sed -i 's/where = .*}$/where = { us = "U" } }/; s/b = "eu"//
		/^data/,/^}/d' main.tf
	refused 'test_thing.each["eu"] needs the provider instance'
	refused 'module.m["b"].test_thing.in needs the provider instance'
}

@test "a configuration in a module is iterated over with its own values" {
	mkdir m
	config <<<'module "m" {
  source = "./m"
  keys   = ["us"]
}'
	cat >m/main.tf <<'TF'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
variable "keys" {}
provider "test" {
  alias    = "by"
  for_each = toset(var.keys)
  prefix   = each.key
}
resource "test_thing" "in" {
  for_each = { k = "us" }
  provider = test.by[each.value]
  name     = "in"
}
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	[ "$(served)" = 'module.m.in[k] .by[us] uscomp of in' ]
	unchanged
	# and so is one without an alias
	sed -i '/alias/d; s/test.by/test/' m/main.tf
	tf apply -auto-approve >/dev/null
	[ "$(served)" = 'module.m.in[k] .us uscomp of in' ]
	unchanged
}

# bats test_tags=once
@test "ephemeral resources, imports, moves and validation choose by key and by alias" {
	config <<-'EOF'
	provider "test" {
	  for_each = { us = "us-east-1", eu = "eu-west-1" }
	  prefix   = "${each.value} "
	}
	resource "test_thing" "r" {
	  for_each = { us = "1", eu = "2" }
	  name     = each.key
	  provider = test[each.key]
	}
	ephemeral "test_token" "t" {
	  for_each = { us = "1", eu = "2" }
	  name     = each.key
	  provider = test[each.key]
	}
	resource "test_thing" "s" {
	  name     = "s"
	  value    = terraform_data.x.id
	  provider = test.us
	}
	resource "terraform_data" "x" {}
	EOF
	run -0 tf validate
	run -1 grep '^configure' calls
	works run_all ''
	grep '^open test_token us' calls
	jq -r '.resources[] | select(.name == "r").instances[] |
		"\(.index_key) = \"\(.attributes.id)\""' terraform.tfstate >ids
	jq -c '.resources |= map(select(.name != "r"))' terraform.tfstate >s
	cp s terraform.tfstate
	sed -i 's/"test_thing" "s"/"test_thing" "s2"/' main.tf
	cat >>main.tf <<-EOF
	import {
	  for_each = {
	$(cat ids)
	  }
	  to       = test_thing.r[each.key]
	  id       = each.value
	}
	moved {
	  from = test_thing.s
	  to   = test_thing.s2
	}
	EOF
	sed -i 's/test.us$/test.eu/' main.tf
	rm calls
	works run_all ''
	run -1 grep '^apply' calls
	served | grep -v '^x' >got
	diff - got <<-'EOF'
	r[eu] .eu eu-west-1 comp of eu
	r[us] .us us-east-1 comp of us
	s2 .eu us-east-1 comp of s
	EOF
}

#!/usr/bin/env bats
# provider-order.bats - the order of destroying and making where providers are
# configured with what is made
#
# In some OpenTofu finds a cycle, in the last ones what is gone: see DEVIATIONS of
# tf-apply(1).

load provider

setup() {
	need jq
	provider_setup
}

# What is done, in order.  What the test provider destroys takes its time.
order() {
	works run_all 'destroy:sleep=300'
	jq -r 'select(.type == "apply_complete") | .hook | .resource.resource_name +
		(.resource.resource_key // "" | tostring) + " " + .action' out |
		paste -sd,
}

# bats test_tags=once
@test "an object goes after what its provider is configured with is made, before the rest" {
	two() { # GENERATION
		cat <<-TF
		resource "terraform_data" "a" {
		  count            = 2
		  triggers_replace = $1
		}
		provider "test" {
		  alias  = "p"
		  prefix = terraform_data.a[1].id
		}
		TF
	}
	{
		two 1
		cat <<-'TF'
		resource "test_thing" "b" {
		  provider = test.p
		  value    = terraform_data.a[0].id
		}
		TF
	} | config
	works run_all ''
	two 2 | config
	run -0 order
	[ "$output" = 'a1 delete,a1 create,b delete,a0 delete,a0 create' ]
}

# bats test_tags=once
@test "what goes late does so where its provider needs what it depended on" {
	base() { # GENERATION
		cat <<-TF
		resource "terraform_data" "a" {
		  triggers_replace = $1
		}
		provider "test" {
		  alias  = "p"
		  prefix = terraform_data.a.id
		}
		TF
	}
	{
		base 1
		cat <<-'TF'
		resource "test_thing" "b" {
		  provider = test.p
		  lifecycle { create_before_destroy = true }
		}
		resource "terraform_data" "c" {
		  input = test_thing.b.id
		}
		TF
	} | config
	works run_all ''
	{
		base 2
		cat <<-'TF'
		resource "terraform_data" "c" {
		  input = terraform_data.a.id
		}
		TF
	} | config
	run -0 order
	[ "$output" = 'a delete,a create,c update,b delete' ]
}

# w goes late and depended on z, which is made again when its old object is gone,
# before g is updated: that is a circle, in which nothing needs a provider's
# configuration.  y, x and u are none.
# bats test_tags=once
@test "what goes late goes early rather than what is destroyed waits for nothing" {
	config <<-'TF'
	resource "terraform_data" "g" { input = 1 }
	resource "test_thing" "z" {
	  force = 1
	  value = terraform_data.g.id
	}
	resource "terraform_data" "w" {
	  input = [terraform_data.g.id, test_thing.z.id]
	  lifecycle { create_before_destroy = true }
	}
	resource "terraform_data" "y" { triggers_replace = 1 }
	resource "terraform_data" "x" {
	  input = terraform_data.y.id
	  lifecycle { create_before_destroy = true }
	}
	resource "terraform_data" "u" { input = terraform_data.x.id }
	TF
	works run_all ''
	config <<-'TF'
	resource "terraform_data" "g" { input = 2 }
	resource "test_thing" "z" {
	  force = 2
	  value = terraform_data.g.id
	}
	resource "terraform_data" "y" { triggers_replace = 2 }
	resource "terraform_data" "u" { input = null }
	TF
	run -0 order
	[ "$(tr , '\n' <<<"$output" | grep '^[gzw]' | paste -sd,)" = \
		'w delete,z delete,g update,z create' ]
	[ "$(tr , '\n' <<<"$output" | grep '^[xyu]' | paste -sd,)" = \
		'u update,x delete,y delete,y create' ]
}

# Of w only the second depended on z, for which c, that is no longer of w, waits.
# bats test_tags=once
@test "of two objects that go late, only that goes early which a circle asks for" {
	config <<-'TF'
	resource "test_thing" "z" { force = 1 }
	resource "terraform_data" "w" {
	  count = 2
	  input = test_thing.z.id
	  lifecycle { create_before_destroy = true }
	}
	resource "terraform_data" "c" { input = terraform_data.w[*].id }
	TF
	works run_all ''
	jq '(.resources[] | select(.name == "w").instances[0].dependencies) = []' \
		terraform.tfstate >edited
	cp edited terraform.tfstate
	config <<-'TF'
	resource "test_thing" "z" { force = 2 }
	resource "terraform_data" "c" { input = test_thing.z.id }
	TF
	run -0 order
	[ "$output" = 'w1 delete,z delete,z create,c update,w0 delete' ]
}

# bats test_tags=once
@test "what is made again waits for what depended on it where the old one cannot" {
	base() { # GENERATION
		cat <<-TF
		resource "terraform_data" "t" {
		  triggers_replace = $1
		  lifecycle { create_before_destroy = true }
		}
		provider "test" {
		  alias  = "p"
		  prefix = terraform_data.t.id
		}
		resource "terraform_data" "h" {
		  triggers_replace = terraform_data.t.id
		}
		TF
	}
	{
		base 1
		cat <<-'TF'
		resource "test_thing" "g" {
		  provider = test.p
		  value    = terraform_data.h.id
		  lifecycle { create_before_destroy = true }
		}
		TF
	} | config
	works run_all ''
	base 2 | config
	run -0 order
	[ "$output" = 'h delete,t create,g delete,h create,t delete' ]
}

# w goes early, so f is in no circle: only p is, which n's provider is configured
# with.
# bats test_tags=once
@test "what is no circle any more, since something went early, waits as ever" {
	base() { # GENERATION VALUE
		cat <<-TF
		resource "terraform_data" "p" { triggers_replace = $1 }
		provider "test" {
		  alias  = "p"
		  prefix = terraform_data.p.id
		}
		resource "terraform_data" "f" { input = terraform_data.p.id }
		resource "test_thing" "n" {
		  provider = test.p
		  force    = $1
		  value    = $2
		}
		TF
	}
	{
		base 1 terraform_data.f.id
		cat <<-'TF'
		resource "terraform_data" "w" {
		  input = terraform_data.f.id
		  lifecycle { create_before_destroy = true }
		}
		TF
	} | config
	works run_all ''
	# without w, neither p nor f is to create before destroying
	base 2 1 | config
	run -0 order
	[ "$output" = 'w delete,p delete,p create,n delete,f update,n create' ]
}

# bats test_tags=once
@test "what refers to something since now need not wait until it is gone, in a circle" {
	base() { # COUNT INPUT
		cat <<-TF
		resource "terraform_data" "a" { count = $1 }
		resource "terraform_data" "b" { input = $2 }
		provider "test" {
		  alias  = "p"
		  prefix = terraform_data.b.output[0]
		}
		TF
	}
	{
		base 2 '["x"]'
		cat <<-'TF'
		resource "test_thing" "c" {
		  provider = test.p
		  value    = terraform_data.a[0].id
		}
		TF
	} | config
	works run_all ''
	base 1 'terraform_data.a[*].id' | config
	run -0 order
	[ "$output" = 'b update,c delete,a1 delete' ]
}

# Z is made by a provider whose ephemeral password depends on D, a data source.
serving() { # [COUNT]
	cat <<-TF
	resource "terraform_data" "b" { input = "t" }
	data "terraform_remote_state" "d" {
	  backend    = "local"
	  config     = { path = "other.tfstate" }
	  defaults   = { v = "t" }
	  depends_on = [terraform_data.b]
	}
	ephemeral "test_token" "t" {
	  name = data.terraform_remote_state.d.outputs.v
	}
	provider "test" {
	  alias = "p"
	  auth { password = ephemeral.test_token.t.token }
	}
	resource "test_thing" "z" {
	  ${1+count = $1}
	  provider = test.p
	}
	TF
}

other_state() {
	echo '{"version": 4, "serial": 1, "lineage": "x", "resources": []}' \
		>other.tfstate
}

# bats test_tags=once
@test "when all goes, what a provider needs that serves nobody is not opened" {
	other_state
	serving 0 | config
	works run_all ''
	: >calls
	works run_all '' -destroy -refresh=false
	run -1 grep open calls
}

# bats test_tags=once
@test "when all goes, data that a provider needs is there, whatever the state says" {
	other_state
	serving | config
	works run_all ''
	jq '.resources[].instances[].dependencies = []' terraform.tfstate >state
	mv state terraform.tfstate
	: >calls
	works run_all '' -destroy -refresh=false
	grep -q '^open test_token t' calls
}

# bats test_tags=once
@test "when all goes, what is only forgotten is there for a provider that needs it" {
	{
		serving
		echo 'resource "terraform_data" "f" {'
		echo '  input = 1'
		echo '  lifecycle { destroy = false }'
		echo '}'
	} | sed 's/^  name = data.*/  name = terraform_data.f.id/' | config
	other_state
	works run_all ''
	: >calls
	run -1 run_all '' -destroy -refresh=false
	run -0 grep '^error' messages
	[ "${#lines[@]}" = 1 ]
	[[ $output = 'error: Destroy was successful but left behind'* ]]
	grep -q '^open test_token' calls
}

# bats test_tags=once
@test "when all goes, what the provider of something forgotten needs is there for it" {
	config <<-'TF'
	resource "terraform_data" "a" { input = 1 }
	ephemeral "test_token" "t" { name = terraform_data.a.id }
	provider "test" {
	  alias = "p"
	  auth { password = ephemeral.test_token.t.token }
	}
	resource "test_thing" "z" {
	  provider = test.p
	  lifecycle { destroy = false }
	}
	TF
	works run_all ''
	: >calls
	run -1 run_all '' -destroy -refresh=false
	run -0 grep '^error' messages
	[ "${#lines[@]}" = 1 ]
	[[ $output = 'error: Destroy was successful but left behind'* ]]
	run -0 "$cli" state list
	[ -z "$output" ]
}

# bats test_tags=once
@test "when all goes, what something forgotten refers to needs something there for it" {
	config <<-'TF'
	resource "terraform_data" "a" { input = 1 }
	ephemeral "test_token" "t" { name = terraform_data.a.id }
	provider "test" {
	  alias = "p"
	  auth { password = ephemeral.test_token.t.token }
	}
	resource "test_thing" "none" {
	  count    = 0
	  provider = test.p
	}
	resource "terraform_data" "f" {
	  input = test_thing.none[*].id
	  lifecycle { destroy = false }
	}
	TF
	works run_all ''
	run -1 run_all '' -destroy -refresh=false
	run -0 grep '^error' messages
	[ "${#lines[@]}" = 1 ]
	[[ $output = 'error: Destroy was successful but left behind'* ]]
}

# The reference names an instance; the dependency is on the resource.
# bats test_tags=once
@test "what is new waits until all old instances are gone of what it names one of" {
	many() { # KEYS GENERATION
		cat <<-TF
		resource "test_thing" "e" {
		  for_each = toset([$1])
		  name     = each.key
		  force    = $2
		}
		TF
	}
	many '"x", "y"' 1 | config
	works run_all ''
	{
		many '"x"' 2
		echo 'resource "test_thing" "n" {'
		echo '  value = test_thing.e["x"].id'
		echo '}'
	} | config
	run -1 run_all 'y@destroy:error=no'
	[ "$($cli state list | paste -sd,)" = \
		'test_thing.e["x"],test_thing.e["y"]' ]
}

# bats test_tags=once
@test "when all goes, what goes late is there for a provider that needs it" {
	config <<-'TF'
	resource "test_thing" "a" {
	  name = "a"
	  lifecycle { create_before_destroy = true }
	}
	ephemeral "test_token" "t" {
	  name = test_thing.a.id
	}
	provider "test" {
	  alias = "p"
	  auth { password = ephemeral.test_token.t.token }
	}
	resource "test_thing" "z" { provider = test.p }
	TF
	works run_all ''
	jq '.resources[].instances[].dependencies = []' terraform.tfstate >state
	mv state terraform.tfstate
	: >calls
	works run_all 'open:sleep=300' -destroy -refresh=false
	# of both providers, before anything goes
	run -0 grep -e '^configure$' -e '^destroy ' calls
	[ "${lines[*]: -4:2}" = 'configure configure' ]
}

@test "when all goes, what a provider needs of an object that is not there is an error" {
	config <<-'TF'
	resource "terraform_data" "a" {}
	ephemeral "test_token" "t" { name = terraform_data.a.id }
	provider "test" {
	  alias = "p"
	  auth { password = ephemeral.test_token.t.token }
	}
	resource "test_thing" "z" { provider = test.p }
	TF
	works $cli apply -auto-approve
	works $cli state rm terraform_data.a
	run -1 $cli destroy -no-color -auto-approve
	[[ $output == *'Error: Incomplete configuration for ephemeral resource'* ]]
	[ "$($cli state list)" = test_thing.z ]
}

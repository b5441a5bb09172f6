#!/usr/bin/env bats
# moves.bats - statements that follow one another, and what they find
#
# TF_TEST_CLI names another OpenTofu command to run the tests with, for
# comparison.

load provider

setup() {
	provider_setup
	mkdir m
}

applied() {
	$cli init >/dev/null
	$cli apply -auto-approve >/dev/null
}

# What becomes of each object that moves or goes: "ACTION OLD NEW", sorted.
plans() { # LINE...
	$cli init >/dev/null
	$cli plan -json >out
	diff <(jq -r 'select(.type == "planned_change").change |
		"\(.action) \(.previous_resource.addr // "-") \(.resource.addr)"' out |
		LC_ALL=C sort) <(printf '%s\n' "$@")
}

# bats test_tags=once
@test "of calls, instances of modules, resources and instances, written in any order" {
	cat >m/main.tf <<-'END'
	resource "terraform_data" "x" {
	  for_each = toset(["p", "q"])
	}
	resource "terraform_data" "one" {}
	END
	cat >main.tf <<-'END'
	module "a" {
	  source = "./m"
	  count  = 2
	}
	module "other" {
	  source = "./m"
	}
	resource "terraform_data" "z" {}
	END
	applied
	cat >m/main.tf <<-'END'
	resource "terraform_data" "single" {}
	moved {
	  from = terraform_data.one
	  to   = terraform_data.single
	}
	END
	cat >main.tf <<-'END'
	module "b" {
	  source   = "./m"
	  for_each = { k = 1, l = 2 }
	}
	module "last" {
	  source = "./m"
	}
	resource "terraform_data" "out" {
	  for_each = toset(["q"])
	}
	resource "terraform_data" "final" {}
	resource "terraform_data" "z" {
	  count = 1
	}
	moved {
	  from = terraform_data.out["p"]
	  to   = terraform_data.final
	}
	moved {
	  from = module.b["k"].terraform_data.x
	  to   = terraform_data.out
	}
	moved {
	  from = module.a[0]
	  to   = module.a["k"]
	}
	moved {
	  from = module.a
	  to   = module.b
	}
	moved {
	  from = module.b[1]
	  to   = module.b["l"]
	}
	moved {
	  from = module.other
	  to   = module.last
	}
	END
	plans 'delete module.a[1].terraform_data.x["p"] module.b["l"].terraform_data.x["p"]' \
		'delete module.a[1].terraform_data.x["q"] module.b["l"].terraform_data.x["q"]' \
		'delete module.other.terraform_data.x["p"] module.last.terraform_data.x["p"]' \
		'delete module.other.terraform_data.x["q"] module.last.terraform_data.x["q"]' \
		'move module.a[0].terraform_data.one module.b["k"].terraform_data.single' \
		'move module.a[0].terraform_data.x["p"] terraform_data.final' \
		'move module.a[0].terraform_data.x["q"] terraform_data.out["q"]' \
		'move module.a[1].terraform_data.one module.b["l"].terraform_data.single' \
		'move module.other.terraform_data.one module.last.terraform_data.single' \
		'move terraform_data.z terraform_data.z[0]'
}

@test "of a module within another, into it and out of it" {
	mkdir m/n m/n/j
	echo 'resource "terraform_data" "d" {}' >m/n/j/main.tf
	cat >m/n/main.tf <<-'END'
	module "j" {
	  source = "./j"
	}
	resource "terraform_data" "a" {}
	END
	cat >m/main.tf <<-'END'
	module "n" {
	  source = "./n"
	  count  = 2
	}
	resource "terraform_data" "b" {}
	END
	cat >main.tf <<-'END'
	module "m" {
	  source = "./m"
	}
	resource "terraform_data" "in" {}
	END
	applied
	cat >m/main.tf <<-'END'
	module "k" {
	  source = "./n"
	}
	moved {
	  from = module.n
	  to   = module.k
	}
	moved {
	  from = module.k[1]
	  to   = module.k
	}
	moved {
	  from = terraform_data.b
	  to   = module.k.terraform_data.b
	}
	END
	echo >m/n/j/main.tf
	cat >m/n/main.tf <<-'END'
	module "j" {
	  source = "./j"
	}
	resource "terraform_data" "a" {}
	resource "terraform_data" "b" {}
	resource "terraform_data" "c" {}
	END
	cat >main.tf <<-'END'
	module "x" {
	  source   = "./m"
	  for_each = toset(["e"])
	}
	resource "terraform_data" "out" {}
	resource "terraform_data" "deep" {}
	moved {
	  from = module.x["e"].module.k[0].module.j.terraform_data.d
	  to   = terraform_data.deep
	}
	moved {
	  from = module.x["e"].module.k[0].terraform_data.a
	  to   = terraform_data.out
	}
	moved {
	  from = terraform_data.in
	  to   = module.x["e"].module.k.terraform_data.c
	}
	moved {
	  from = module.m
	  to   = module.x["e"]
	}
	END
	plans 'delete module.m.module.n[1].module.j.terraform_data.d module.x["e"].module.k.module.j.terraform_data.d' \
		'move module.m.module.n[0].module.j.terraform_data.d terraform_data.deep' \
		'move module.m.module.n[0].terraform_data.a terraform_data.out' \
		'move module.m.module.n[1].terraform_data.a module.x["e"].module.k.terraform_data.a' \
		'move module.m.terraform_data.b module.x["e"].module.k.terraform_data.b' \
		'move terraform_data.in module.x["e"].module.k.terraform_data.c'
}

# bats test_tags=once
@test "an object that is to move is destroyed, with all others or alone" {
	local before='resource "terraform_data" "old" {}
	resource "terraform_data" "other" {
	  count = 2
	}'

	echo "$before" >main.tf
	applied
	cp terraform.tfstate before
	sed 's/"old"/"new"/' >main.tf <<<"$before"
	cat >>main.tf <<-'END'
	moved {
	  from = terraform_data.old
	  to   = terraform_data.new
	}
	END
	while IFS='|' read -r options left; do
		cp before terraform.tfstate
		# shellcheck disable=SC2086 # options are words
		run -0 $cli plan -destroy $options -out=plan
		[[ $output == *'# terraform_data.'* ]]
		run -0 $cli apply plan
		[ "$($cli state list | paste -sd ' ')" = "$left" ]
	done <<-'END'
	|
	-refresh=false|
	-target=terraform_data.old -target=terraform_data.new|terraform_data.other[0] terraform_data.other[1]
	END
	cp before terraform.tfstate
	run -0 $cli destroy -auto-approve
	[[ $output == *'3 destroyed'* ]]
}

@test "an instance of which there is but a deposed object" {
	cat >main.tf <<-'END'
	resource "terraform_data" "b" {}
	moved {
	  from = terraform_data.a
	  to   = terraform_data.b
	}
	END
	cat >terraform.tfstate <<-'END'
	{"version": 4, "terraform_version": "1.12.0", "serial": 1, "lineage": "x",
	"outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data",
	"name": "a", "provider": "provider[\"terraform.io/builtin/terraform\"]",
	"instances": [{"deposed": "00000001", "schema_version": 0,
	"attributes": {"id": "one", "input": null, "output": null,
	"triggers_replace": null}}]}]}
	END
	plans "create terraform_data.a terraform_data.b" \
		"delete terraform_data.a terraform_data.b"
	applied
	[ "$($cli state list)" = terraform_data.b ]
	jq -e '[.resources[].instances[].attributes.id] != ["one"]' \
		terraform.tfstate
}

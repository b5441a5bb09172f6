#!/usr/bin/env bats
# What validation finds in bodies, and what it leaves to whoever expands them.

load provider

setup() {
	provider_setup
}

found() {
	("$cli" validate -json || :) | jq -c '[.diagnostics[] |
		select(.summary | startswith("Provider dev") | not) |
		[.summary, .range.start.line]] | sort'
}

# Whoever has no element for a block need not have what it is made of.
# bats test_tags=once
@test "the content of a dynamic block counts when it is expanded" {
	local elements=('[]' var.none terraform_data.u.output) ref summary
	while IFS='|' read -r ref summary; do
		for list in "${elements[@]}" '[1]'; do
			config <<-EOF
			variable "none" { default = [] }
			resource "terraform_data" "u" {}
			resource "test_all" "a" {
			  dynamic "block" {
			    for_each = $list
			    content { name = $ref }
			  }
			}
			EOF
			run -0 found
			[ "$list" = '[1]' ] && expect="[[\"$summary\",11]]" ||
				expect='[]'
			[ "$output" = "$expect" ] ||
				{ echo "$ref in $list"; false; }
		done
	done <<-'EOF'
	var.nope|Reference to undeclared input variable
	local.nope|Reference to undeclared local value
	data.nope.x.y|Reference to undeclared resource
	module.m.x|Reference to undeclared module
	each.value|each.value cannot be used in this context
	self.id|Invalid \"self\" reference
	path.foo|Invalid \"path\" attribute
	EOF
}

@test "the elements of a dynamic block count wherever it stands" {
	config <<-'EOF'
	resource "test_all" "a" {
	  dynamic "block" {
	    for_each = []
	    content {
	      name = var.nope
	      dynamic "inner" {
	        for_each = each.value
	        content { name = var.nope }
	      }
	    }
	  }
	}
	EOF
	run -0 found
	[ "$output" = '[["each.value cannot be used in this context",12]]' ]
}

@test "tf-parse leaves the content of dynamic blocks to whoever expands it" {
	config <<-'EOF'
	resource "test_all" "a" {
	  dynamic "block" {
	    for_each = []
	    content {
	      name = var.nope
	    }
	  }
	}
	EOF
	run -0 --separate-stderr tf-parse
	sed -i 's/name = .*/dynamic "inner" {\n for_each = var.nope\n content {}\n}/' \
		main.tf
	run -1 --separate-stderr tf-parse
	[[ $output = *'Reference to undeclared input variable'* ]]
}

# What is not in a schema is no reference, so it hides nothing either.
@test "resources that are wrong do not hide one another's errors" {
	config <<-'EOF'
	resource "test_nope" "a" {}
	resource "test_nope" "b" {
	  name = test_nope.a.id
	}
	resource "test_all" "c" {
	  name = test_nope.b.id
	  nope = 1
	}
	resource "test_all" "d" {
	  name = "d"
	  nope = 1
	}
	resource "test_all" "e" {
	  nope = test_all.d.id
	}
	resource "test_all" "f" {
	  name = test_all.d.id
	  nope = 1
	}
	resource "test_all" "g" {
	  block { nope = test_all.d.id }
	}
	EOF
	run -0 found
	[ "$output" = '[["Invalid resource type",6],["Invalid resource type",7],["Unsupported argument",16],["Unsupported argument",19],["Unsupported argument",26]]' ]
}

@test "attributes that a variable's type drops: said where they stand" {
	mkdir m
	cat >m/main.tf <<-'EOF'
	variable "a" {
	  type = object({ x = number })
	  default = {
	    x = 1
	    y = 2
	  }
	}
	variable "b" {
	  type    = map(list(object({ x = number })))
	  default = {}
	}
	variable "c" {
	  type    = tuple([object({ x = number }), object({ x = number })])
	  default = [({ x = 1, y = 2 }), { x = 1, z = 3 }]
	}
	EOF
	cat >main.tf <<-'EOF'
	variable "x" { default = "x" }
	module "m" {
	  source = "./m"
	  a = {
	    "x" = 1
	    ("p") = 2
	    (var.x) = 3
	    1 = 4
	  }
	  b = { k = [{
	    x = 1 }, {
	    x = 1
	    q = 2
	  }] }
	  c = [{ x = 1,
	    r = 1 }, { x = 2 }]
	}
	EOF
	"$cli" init >/dev/null
	run -0 bash -o pipefail -c "'$cli' validate -json | jq -c '[.diagnostics[].range |
		select(.) | [.filename, (.start, .end | .line, .column)]] |
		sort'"
	[ "$output" = "$(jq -nc '[
		["m/main.tf",5,5,5,6], ["m/main.tf",14,43,14,44],
		["main.tf",6,5,6,10], ["main.tf",8,5,8,6],
		["main.tf",13,5,13,6], ["main.tf",16,5,16,6]] | sort')" ]
}

@test "a module made to be called is valid without what it expects of its caller" {
	expecting() { # ALIAS BLOCK
		mkdir -p m
		cat >m/main.tf <<-'EOF'
		terraform {
		  required_providers {
		    test = {
		      source                = "hashicorp/test"
		      configuration_aliases = [test.inner]
		    }
		  }
		}
		resource "test_thing" "a" { provider = test.inner }
		EOF
		cat >main.tf <<-EOF
		terraform {
		  required_providers {
		    test = {
		      source                = "hashicorp/test"
		      configuration_aliases = [test.x]
		    }
		  }
		}
		$2
		resource "test_thing" "a" { provider = test.$1 }
		module "m" {
		  source    = "./m"
		  providers = { test.inner = test.$1 }
		}
		EOF
		"$cli" init >/dev/null || :
	}
	expecting x
	run -0 found
	[ "$output" = '[]' ]
	run -1 "$cli" plan -no-color
	[[ $output == *'hashicorp/test"].x'* ]]
	expecting x 'provider "test" { alias = "other" }'
	run -0 found
	[ "$output" = '[]' ]
	# Whoever configures the provider is no such module.
	expecting x 'provider "test" {}'
	run -0 found
	[[ $output == *'missing provider provider['*'].x'* ]]
	expecting y
	run -0 found
	[ "$output" != '[]' ]
}

# bats test_tags=once
@test "of a resource validation knows names, not that it is an object" {
	cat >main.tf <<-'EOF'
	resource "terraform_data" "r" {}
	locals {
	  a = [for x in terraform_data.r : x.id]
	  b = { for k, v in terraform_data.r : k => v }.nope
	}
	EOF
	run -0 "$cli" validate
	echo 'output "o" { value = [terraform_data.r.nope, upper(terraform_data.r)] }' >>main.tf
	run -1 "$cli" validate
	[[ $output == *"Unsupported attribute"* ]]
	run -1 "$cli" plan
	sed -i '$d' main.tf
	run -1 "$cli" plan
	[[ $output == *"Unsupported attribute"* ]]
}

# The attributes of a type that has nothing sensitive, too.
@test "what uses a whole object uses what is deprecated in it" {
	config <<-'EOF'
	resource "test_old" "r" {
	  old = "x"
	}
	output "o" {
	  value = test_old.r
	}
	EOF
	run -0 found
	[ "$output" = '[["Value derived from a deprecated source",10]]' ]
}

@test "what is deprecated within what is deprecated as a whole warns, too" {
	config <<-'EOF'
	data "test_retired" "d" {}
	output "o" {
	  value = data.test_retired.d
	}
	EOF
	run -0 found
	[ "$(jq -c '[.[] | select(.[1] == 8)]' <<<"$output")" = \
		'[["Value derived from a deprecated source",8],["Value derived from a deprecated source",8]]' ]
}

@test "what a module is given that is deprecated warns once" {
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	config <<-'EOF'
	resource "test_old" "r" {}
	module "m" {
	  source = "./m"
	  v      = test_old.r.old
	}
	EOF
	"$cli" init >/dev/null || "$cli" get
	run -0 found
	[ "$output" = '[["Value derived from a deprecated source",9]]' ]
}

@test "validate -json answers in one document, also of a directory that is not there" {
	run -1 --separate-stderr ${TF_TEST_CLI:-tf} validate -json nope
	jq -e '.format_version == "1.0" and .valid == false and
		.error_count == 1 and any(.diagnostics[];
		.severity == "error" and
		.summary == "Failed to read module directory")
	' <<<"$output"
	run -1 ${TF_TEST_CLI:-tf} validate -json a b
	[[ $output == *'Too many command line arguments'* ]]
	[[ $output != *'{'* ]]
}

@test "a connection over WinRM is deprecated, whoever has it" {
	config <<-'EOF'
	variable "type" { default = "winrm" }
	resource "terraform_data" "a" {
	  connection {
	    type = "winrm"
	    host = "h"
	  }
	  provisioner "remote-exec" {
	    inline = ["true"]
	  }
	  provisioner "remote-exec" {
	    inline = ["true"]
	    connection {
	      type = "ssh"
	      host = "h"
	    }
	  }
	}
	resource "terraform_data" "b" {
	  provisioner "remote-exec" {
	    inline = ["true"]
	    connection {
	      type = var.type
	      host = "h"
	    }
	  }
	  provisioner "remote-exec" {
	    inline = ["true"]
	    connection {
	      type = "winrm"
	      host = "h"
	    }
	  }
	}
	EOF
	run -0 found
	[ "$output" = '[["WinRM connection type is deprecated",9],["WinRM connection type is deprecated",34]]' ]
}

# bats test_tags=once
@test "a provider configuration that a module is to get must be there" {
	local of='registry.opentofu.org/hashicorp/test' required module
	required='terraform {
	  required_providers {
	    test = { source = "hashicorp/test" }
	  }
	}'
	mkdir m n
	echo "$required" >m/main.tf
	# the module block with PROVIDERS, and what stands before it
	call() {
		printf '%s\nmodule "m" {\n  source = "%s"\n  providers = { test = %s }\n}\n' \
			"${3-}" "$2" "$1"
	}
	missing() { # the errors, or nothing
		"$cli" get >out
		found | jq -r '.[][0] | select(startswith("missing"))'
	}
	call test ./m >main.tf
	[ "$(missing)" = "missing provider provider[\"$of\"]" ]
	call test ./m "$required" >main.tf
	run -0 missing
	[ -z "$output" ]
	call test.x ./m "$required" >main.tf
	[ "$(missing)" = "missing provider provider[\"$of\"].x" ]
	call test.x ./m 'provider "test" {
	  alias = "x"
	}' >main.tf
	run -0 missing
	[ -z "$output" ]
	call test ../m "$required" >n/main.tf
	printf '%s\nmodule "n" { source = "./n" }\n' "$required" >main.tf
	[ "$(missing)" = "missing provider module.n.provider[\"$of\"]" ]
	call test ./n "$required" | sed 's/"m"/"n"/' >main.tf
	run -0 missing
	[ -z "$output" ]
	# an alias that the caller of this very module has to give
	call test.x ./m 'terraform {
	  required_providers {
	    test = {
	      source                = "hashicorp/test"
	      configuration_aliases = [test.x]
	    }
	  }
	}' >main.tf
	run -0 missing
	[ -z "$output" ]
	run -1 "$cli" plan -no-color
	[[ $output = *"missing provider provider[\"$of\"].x"* ]]
}

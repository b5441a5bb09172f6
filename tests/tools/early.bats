#!/usr/bin/env bats
# early.bats - what is evaluated before anything else: sources and versions of
# modules, arguments of the backend, instances of providers
#
# Each command evaluates it again, with the values that it is given.  See
# modules.bash for TF_TEST_CLI.

load common
load modules

setup() {
	modules_setup
	for m in a b; do
		mkdir -p "mods/$m"
		echo "output \"me\" { value = \"$m\" }" >"mods/$m/main.tf"
	done
	echo 'variable "w" { default = "a" }' >main.tf
}

# A call of the module x of a registry, of which 1.2.3 is installed.
installed() { # VERSION
	mkdir -p .terraform/modules
	cat >.terraform/modules/modules.json <<-END
	{"Modules":[{"Key":"","Source":"","Dir":"."},
	 {"Key":"m","Source":"registry.opentofu.org/x/y/z","Version":"1.2.3",
	  "Dir":"mods/a"}]}
	END
	cat >>main.tf <<-END
	module "m" {
	  source  = "x/y/z"
	  version = $1
	}
	END
}

# --- sources and versions ---

# bats test_tags=once
@test "a source is evaluated again by every command, whatever it is made of" {
	echo a >which
	printf '${x}' >t.tpl
	echo 'locals { far = lower(var.w) }' >>main.tf
	cp main.tf head
	while IFS= read -r source; do
		{
			cat head
			echo "module \"m\" { source = $source }"
		} >main.tf
		rm -rf .terraform
		run -0 $cli init -no-color
		run -1 $cli plan -no-color -var w=b
		flat
		[[ $output = *'Error: Module source has changed'*'"./mods/a"'*'"./mods/b"'* ]] ||
			{ echo "$source: $output"; return 1; }
	done <<-'END'
	format("./mods/%s", var.w)
	join("/", [".", "mods", var.w])
	trimspace(" ./mods/${var.w} ")
	"./mods/${local.far}"
	var.w == "a" ? "./mods/a" : "./mods/b"
	lookup({ a = "./mods/a" }, var.w, "./mods/b")
	templatefile("t.tpl", { x = "./mods/${var.w}" })
	[for m in ["a", "b"] : "./mods/${m}" if m == var.w][0]
	"./mods/${substr("${chomp(file("which"))}${var.w}", 1, 1)}"
	END
	for command in 'validate -no-color' graph providers console; do
		TF_VAR_w=b run -1 $cli $command </dev/null
		[[ $output = *'Module source has changed'* ]] ||
			{ echo "$command: $output"; return 1; }
	done
	# what changes is not the variable alone
	echo 'module "m" { source = "./mods/${chomp(file("which"))}" }' >main.tf
	run -0 $cli init -no-color
	echo b >which
	run -1 $cli plan -no-color
	[[ $output = *'Module source has changed'* ]]
	echo 'module "m" { source = format("./mods/%s", terraform.workspace) }' >main.tf
	cp -r mods/a mods/default
	run -0 $cli init -no-color
	TF_WORKSPACE=b run -1 $cli plan -no-color
	[[ $output = *'Module source has changed'* ]]
}

# bats test_tags=once
@test "the source of a module's module goes by what the module is called with" {
	mkdir mods/in
	cat >mods/in/main.tf <<-'END'
	variable "w" {}
	module "m" { source = format("../%s", var.w) }
	END
	cat >>main.tf <<-'END'
	module "in" {
	  source = "./mods/in"
	  w      = lower(upper(var.w))
	}
	END
	run -0 $cli init -no-color
	run -1 $cli plan -no-color -var w=b
	flat
	[[ $output = *'Module source has changed'*'mods/in/main.tf line 2'* ]]
	run -0 $cli plan -no-color -var w=a
}

# bats test_tags=once
@test "a module that is called twice is looked at with what each call gives" {
	mkdir mods/in mods/deep
	cat >mods/in/main.tf <<-'END'
	variable "w" {}
	module "deep" {
	  source = "../deep"
	  v      = lower(var.w)
	}
	output "me" { value = module.deep.me }
	END
	cat >mods/deep/main.tf <<-'END'
	variable "v" {}
	module "m" { source = "../${var.v}" }
	output "me" { value = module.m.me }
	END
	for w in a b; do
		cat >>main.tf <<-END
		module "$w" {
		  source = "./mods/in"
		  w      = "$w"
		}
		output "$w" { value = module.$w.me }
		END
	done
	run -0 $cli init -no-color
	[ "$(jq -r '.Modules[] | select(.Key == "b.deep.m") | .Source' \
		.terraform/modules/modules.json)" = ../b ]
	run -0 $cli apply -no-color -auto-approve
	[ "$($cli output -raw a)$($cli output -raw b)" = ab ]
}

@test "a module may call itself as often as its variables say" {
	mkdir mods/in
	cat >mods/in/main.tf <<-'END'
	variable "n" { type = number }
	module "m" {
	  source = var.n > 0 ? "../in" : "../end"
	  n      = var.n - 1
	}
	output "depth" { value = module.m.depth }
	END
	mkdir mods/end
	cat >mods/end/main.tf <<-'END'
	variable "n" {}
	output "depth" { value = var.n }
	END
	cat >>main.tf <<-'END'
	module "in" {
	  source = "./mods/in"
	  n      = 2
	}
	output "depth" { value = module.in.depth }
	END
	run -0 $cli init -no-color
	run -0 $cli apply -no-color -auto-approve
	[ "$($cli output -raw depth)" = -1 ]
}

# bats test_tags=once
@test "a plan has the source that was evaluated" {
	cat >>main.tf <<-'END'
	module "m" { source = format("./mods/%s", var.w) }
	output "me" { value = module.m.me }
	END
	run -0 $cli init -no-color -var w=b
	run -0 $cli plan -no-color -var w=b -out=p
	$cli show -json p >plan.json
	[ "$(jq -r .configuration.root_module.module_calls.m.source plan.json)" = ./mods/b ]
	[ "$(jq -r .output_changes.me.after plan.json)" = b ]
}

@test "a version is evaluated again: null is none, what is not known allows all" {
	installed 'var.w == "a" ? "~> 1.0" : format(">= %s", "2.0")'
	run -0 $cli plan -no-color -out=p
	$cli show -json p >plan.json
	[ "$(jq -r .configuration.root_module.module_calls.m.version_constraint plan.json)" = '~> 1.0' ]
	run -1 $cli plan -no-color -var w=b
	[[ $output = *'Error: Module version requirements have changed'* ]]
	echo 'variable "w" { default = "a" }' >main.tf
	installed 'var.w == "a" ? null : "nope"'
	run -0 $cli validate
	run -1 $cli validate -no-color -var w=b
	[[ $output = *'Error: Invalid version constraint'* ]]
	: >main.tf
	installed 'plantimestamp()'
	run -0 $cli validate
}

@test "a version that is sensitive or no string is no version constraint" {
	for version in 'sensitive("~> 1.0")' '["1.0"]' '"nope"' 'upper("x")'; do
		: >main.tf
		installed "$version"
		run -1 $cli validate -no-color
		[[ $output = *'Error: Invalid version constraint'*'line 3'* ]] ||
			{ echo "$version: $output"; return 1; }
	done
}

@test "only what configurations can call is called early" {
	echo 'module "m" { source = type("a") }' >main.tf
	run -1 $cli init -no-color
	[[ $output = *'Error: Call to unknown function'* ]]
	echo 'module "m" { source = plantimestamp() }' >main.tf
	run -1 $cli init -no-color
	[[ $output = *'Error: Unsuitable value type'* ]]
}

@test "init says what is wrong with the values that are given" {
	cat >>main.tf <<-'END'
	module "m" { source = "./mods/${{ b = "b" }[var.w]}" }
	END
	run -1 $cli init -no-color
	[[ $output = *'Error: Invalid index'* ]]
	run -0 $cli init -no-color -var w=b
	# a value that does not fit says enough
	cat >main.tf <<-'END'
	variable "n" { type = number }
	module "m" { source = "./mods/${var.n}" }
	END
	run -1 $cli init -no-color -var n=x
	[[ $output = *'Error: Invalid value for input variable'* ]]
	[[ $output != *'Unable to compute static value'* ]]
}

@test "stages of one pipe must go by the same source" {
	only_ours
	cat >>main.tf <<-'END'
	module "m" { source = format("./mods/%s", var.w) }
	END
	run -0 tf init -no-color
	tf-parse >parsed
	for stage in tf-eval tf-plan; do
		run -1 --separate-stderr $stage -var w=b <parsed
		[[ $stderr = *'Error: Module source has changed'*'"./mods/b"'* ]]
		run -0 --separate-stderr $stage -var w=a <parsed
		run -1 --separate-stderr $stage -C . -var w=b
		[[ $stderr = *'Error: Module source has changed'* ]]
	done
	# what stands in a file that is gone is taken as it was
	echo 'module "m" { source = "./mods/${chomp(file("which"))}" }' >main.tf
	echo a >which
	tf-parse >parsed
	rm which
	run -0 --separate-stderr tf-eval <parsed
}

# --- the backend ---

# bats test_tags=once
@test "a backend's arguments are evaluated again, with their functions" {
	cat >>main.tf <<-'END'
	terraform {
	  backend "local" {
	    path = format("%s.tfstate", var.w)
	  }
	}
	END
	run -0 $cli init -no-color
	run -0 $cli plan -no-color
	run -1 $cli plan -no-color -var w=b
	[[ $output = *'Error: Backend initialization required: please run'* ]]
	run -1 $cli state list -var w=b
	[[ $output = *'Backend initialization required'* ]]
}

# bats test_tags=once
@test "a backend that changed is told instead of what is wrong in modules, but not in the root" {
	cat >>main.tf <<-'END'
	terraform {
	  backend "local" {
	    path = format("%s.tfstate", var.w)
	  }
	}
	END
	cp main.tf head
	echo 'module "m" { source = "./mods/a" }' >>main.tf
	run -0 $cli init -no-color
	only() { # ERROR
		for command in plan graph console; do
			run -1 $cli $command -no-color -var w=b </dev/null
			[[ $output = *"Error: $1"* ]]
			[ "$(grep -c '^Error' <<<"$output")" = "${2-1}" ]
		done
	}
	echo 'output "x" {' >mods/a/main.tf
	only 'Backend initialization required'
	rm mods/a/main.tf
	only 'Backend initialization required'
	for source in '"./mods/b"' '"./none"' terraform_data.x.id; do
		{
			cat head
			echo "module \"m\" { source = $source }"
		} >main.tf
		only 'Backend initialization required'
	done
	echo 'output "x" {' >>main.tf
	only 'Unclosed configuration block' 2
}

@test "what a backend's argument depends on is told of the backend's block" {
	cat >main.tf <<-'END'
	variable "w" {}
	terraform {
	  backend "local" {
	    path = upper(var.w)
	  }
	}
	END
	run -1 $cli init -no-color -input=false
	[[ $output = *'Unable to compute static value'*'main.tf line 3'* ]]
	sed -i 's/upper(var.w)/plantimestamp()/' main.tf
	run -1 $cli init -no-color -input=false
	[[ $output = *'Error: Unknown values within backend definition'* ]]
}

# --- instances of providers ---

@test "instances of providers are looked at before anything is installed" {
	while read -r value; do
		cat >main.tf <<-END
		variable "w" { default = "a" }
		variable "s" {
		  default   = { a = 1 }
		  sensitive = true
		}
		provider "terraform" {
		  alias    = "x"
		  for_each = $value
		}
		END
		run -1 $cli init -no-color
		[[ $output = *'Error: Invalid for_each argument'* ]] ||
			{ echo "$value: $output"; return 1; }
	done <<-'END'
	[var.w]
	var.w
	null
	toset([1])
	toset([null, "a"])
	var.s
	toset([plantimestamp()])
	toset([tobool(var.w)])
	toset([[var.w][1]])
	END
	# not where that cannot be evaluated at all
	sed -i 's/for_each = .*/for_each = toset([var.nope])/' main.tf
	run -1 $cli init -no-color
	[[ $output = *'Error: Undefined variable'* ]]
	[[ $output != *'Invalid for_each argument'* ]]
}

# --- destroying ---

# bats test_tags=once
@test "destroying looks at the types of what was given, with nothing to destroy too" {
	cat >main.tf <<-'END'
	variable "n" {
	  type    = number
	  default = 1
	}
	resource "terraform_data" "r" {}
	END
	run -1 $cli destroy -no-color -auto-approve -var n=x
	[[ $output = *'Error: Invalid value for input variable'* ]]
	run -0 $cli apply -no-color -auto-approve
	run -1 $cli plan -no-color -destroy -refresh=false -var n=x
	[[ $output = *'Error: Invalid value for input variable'* ]]
	run -0 $cli destroy -no-color -auto-approve -var n=2
}

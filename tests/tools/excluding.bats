#!/usr/bin/env bats
# excluding.bats - -exclude and -target: the examples of the RFC, and patterns
#
# a is what b and c depend on, d depends on these two; e stands alone where the
# RFC says so.

load common

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR"
	cat >main.tf <<-'TF'
	resource "terraform_data" "a" {
	}
	resource "terraform_data" "b" {
	  triggers_replace = { a = terraform_data.a.id }
	}
	resource "terraform_data" "c" {
	  triggers_replace = { a = terraform_data.a.id }
	}
	resource "terraform_data" "d" {
	  triggers_replace = {
	    b = terraform_data.b.id
	    c = terraform_data.c.id
	  }
	}
	TF
}

# What is changed, in the order of addresses.
planned() { # OPTION...
	tf-plan -C . "$@" >plan 2>said
	jq -r 'select(.record == "resource_change" and
		.change.actions != ["no-op"]) | .address |
		ltrimstr("terraform_data.")' plan | sort >addresses
	[ ! -s addresses ] || paste -sd' ' addresses
}

@test "-exclude=d: whatever is not d" {
	[ "$(planned -exclude=terraform_data.d)" = 'a b c' ]
}

@test "-exclude=a: an empty plan, since all depend on a" {
	planned -exclude=terraform_data.a >changed
	[ ! -s changed ]
	[ "$(jq -r 'select(.record == "plan") | .applyable' plan)" = false ]
}

@test "-exclude=b: b, and d which depends on it" {
	[ "$(planned -exclude=terraform_data.b)" = 'a c' ]
}

@test "-exclude=b -exclude=c: both, and d" {
	[ "$(planned -exclude=terraform_data.b -exclude=terraform_data.c)" = a ]
}

@test "-exclude=a -exclude=b: an empty plan, since all depend on a" {
	planned -exclude=terraform_data.a -exclude=terraform_data.b >changed
	[ ! -s changed ]
}

@test "-exclude=e, which does not exist: a full plan" {
	[ "$(planned -exclude=terraform_data.e)" = 'a b c d' ]
	run -1 grep 'matches nothing' said
}

@test "where instances are known only after apply, the option that leaves them out is named" {
	mkdir m
	echo 'resource "terraform_data" "in" {}' >m/main.tf
	cat >main.tf <<-'EOF'
	resource "terraform_data" "a" {}
	resource "terraform_data" "b" { for_each = toset([terraform_data.a.id]) }
	module "m" {
	  source = "./m"
	  count  = length(terraform_data.a.id)
	}
	EOF
	tf get >/dev/null
	run -1 tf plan -no-color
	[[ $output == *"-exclude='terraform_data.b'."* ]]
	[[ $output == *"-exclude='module.m'."* ]]
	run -0 tf plan -no-color -exclude=terraform_data.b -exclude=module.m
}

# bats test_tags=once
@test "people are told that an address means no resource, programs are not" {
	for option in -target=terraform_data.a1 -exclude=terraform_data.a1; do
		run -0 tf plan -no-color "$option"
		[[ $output == *"$option means no resource. Did you mean terraform_data.a?"* ]]
		run -0 --separate-stderr tf plan -json "$option"
		[[ $output != *'means no resource'* ]]
	done
	run -0 tf plan -destroy -no-color -target=module.nowhere
	[ "$(grep -c 'module.nowhere means no resource.$' <<<"$output")" = 1 ]
	run -0 tf plan -no-color -target=terraform_data.a
	[[ $output != *'means no resource'* ]]
}

@test "-target=e, which does not exist: an empty plan" {
	planned -target=terraform_data.e >changed
	[ ! -s changed ]
}

@test "-destroy -exclude=b: c and d go" {
	tf apply -auto-approve >/dev/null
	[ "$(planned -destroy -exclude=terraform_data.b)" = 'c d' ]
}

@test "what depends on it through a local is excluded, too" {
	cat >main.tf <<-'TF'
	locals {
	  b = terraform_data.a.id
	}
	resource "terraform_data" "a" {
	}
	resource "terraform_data" "c" {
	  triggers_replace = { b = local.b }
	}
	resource "terraform_data" "x" {
	}
	TF
	[ "$(planned -exclude=terraform_data.a)" = x ]
}

@test "-exclude with -target: what is excluded stays out" {
	[ "$(planned -target=terraform_data.d)" = 'a b c d' ]
	[ "$(planned -target=terraform_data.b -target=terraform_data.c \
		-exclude=terraform_data.c)" = 'a b' ]
	planned -target=terraform_data.d -exclude=terraform_data.b >changed
	[ ! -s changed ]
}

modules() {
	mkdir m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "web" {
	}
	resource "terraform_data" "web_2" {
	}
	resource "terraform_data" "db" {
	}
	TF
	cat >main.tf <<-'TF'
	module "app" {
	  source   = "./m"
	  for_each = toset(["x", "y"])
	}
	module "api" {
	  source = "./m"
	}
	resource "terraform_data" "web" {
	  count = 2
	}
	TF
	tf init >/dev/null
}

# bats test_tags=once
@test "patterns: * is any part of a name, [*] any key" {
	modules
	[ "$(planned '-exclude=module.*.terraform_data.*')" = 'web[0] web[1]' ]
	[ "$(planned '-exclude=module.*')" = 'web[0] web[1]' ]
	[ "$(planned '-target=module.ap*["y"].*.web*')" = \
		'module.app["y"].terraform_data.web module.app["y"].terraform_data.web_2' ]
	[ "$(planned '-target=module.a*i.*.*b')" = \
		'module.api.terraform_data.db module.api.terraform_data.web' ]
	[ "$(planned '-target=*.web[*]')" = 'web[0] web[1]' ]
	[ "$(planned '-target=module.app*[*].terraform_data.db')" = \
		'module.app["x"].terraform_data.db module.app["y"].terraform_data.db' ]
}

# bats test_tags=once
@test "patterns are part of the stream, and of what is applied" {
	modules
	tf-parse | tf-graph '-exclude=module.app[*].*.*' | tf-plan >plan
	[ "$(jq -r 'select(.record == "options") | .excludes[]' plan)" = \
		'module.app[*].*.*' ]
	tf-apply <plan >/dev/null
	run -0 tf state list
	[ "${#lines[@]}" = 5 ]
	tf apply -auto-approve >/dev/null
	tf destroy -auto-approve '-target=module.*[*].*.web*' >/dev/null
	run -0 tf state list
	[ "${#lines[@]}" = 5 ]
}

@test "a pattern that means nothing is warned of, one that is none refused" {
	modules
	planned '-exclude=module.*.aws_*.*' >/dev/null
	grep -q 'Pattern matches nothing' said
	grep -qF -- '-exclude=module.*.aws_*.*' said
	run -1 tf-plan -C . '-target=module.*.web'
	[[ $output = *'Invalid target "module.*.web"'* ]]
	run -1 tf-plan -C . '-target=terraform_data.web[*]'
	[[ $output = *'Invalid target "terraform_data.web[*]"'* ]]
	run -1 tf-plan -C . '-replace=*.web[0]'
}

@test "a pattern takes along nothing for the sake of what has no such instance" {
	cat >main.tf <<-'TF'
	variable "n" { default = 2 }
	resource "terraform_data" "u" {}
	resource "terraform_data" "single" { input = terraform_data.u.id }
	resource "terraform_data" "few" {
	  count = 2
	  input = terraform_data.u.id
	}
	resource "terraform_data" "v" { count = 1 }
	resource "terraform_data" "enough" {
	  count = 4
	  input = terraform_data.v[*].id
	}
	resource "terraform_data" "keyed" {
	  for_each = { a = 1, b = 2 }
	  input    = terraform_data.u.id
	}
	TF
	[ "$(planned '-target=*.*[3]')" = 'enough[3] v[0]' ]
	[ "$(planned '-target=*.*["b"]')" = 'keyed["b"] u' ]
	[ "$(planned '-exclude=*.*["b"]')" = \
		"enough[0] enough[1] enough[2] enough[3] few[0] few[1] \
keyed[\"a\"] single u v[0]" ]
	planned '-target=*.*["c"]' >/dev/null
	grep -q 'Pattern matches nothing' said
	# what it was is in the state
	tf apply -auto-approve >/dev/null
	sed -i 's/count = 4/count = 3/' main.tf
	[ "$(planned '-target=*.*[3]')" = 'enough[3]' ]
	# and how many there are may not be told yet
	sed -i 's/count = 3/count = var.n/' main.tf
	[ "$(planned '-target=*.*[4]' -var n=5)" = 'enough[4]' ]
}

# --- a dependency that names an instance ---

by_key() {
	cat >main.tf <<-'TF'
	variable "v" { default = 1 }
	resource "terraform_data" "e" {
	  for_each = toset(["a", "b"])
	  input    = var.v
	}
	locals {
	  a = terraform_data.e["a"].output
	}
	resource "terraform_data" "d" {
	  input = local.a
	}
	resource "terraform_data" "all" {
	  input = [for x in terraform_data.e : x.id]
	}
	output "a" { value = terraform_data.e["a"].output }
	output "b" { value = terraform_data.e["b"].output }
	output "all" { value = [for x in terraform_data.e : x.output] }
	TF
}

outputs() {
	jq -r 'select(.record == "output_change") | .address |
		ltrimstr("output.")' plan | sort | paste -sd' '
}

# bats test_tags=once
@test "-target=d, which uses e[a] through a local, takes e[a] alone" {
	by_key
	[ "$(planned -target=terraform_data.d)" = 'd e["a"]' ]
	[ "$(outputs)" = a ]
	[ "$(planned -target=terraform_data.all)" = 'all e["a"] e["b"]' ]
	[ "$(planned -target=terraform_data.d -target=terraform_data.all)" = \
		'all d e["a"] e["b"]' ]
	[ "$(outputs)" = 'a all b' ]
}

# bats test_tags=once
@test "-target=d: the other instance, and what it goes into, stay as they are" {
	by_key
	tf apply -auto-approve >/dev/null
	tf apply -auto-approve -var v=2 -target=terraform_data.d >/dev/null
	run -0 tf output -json
	[ "$(jq -c 'map_values(.value)' <<<"$output")" = \
		'{"a":"2","all":[1,1],"b":1}' ]
}

@test "-target: a number and its digits are one key" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "n" {
	  count = 2
	}
	resource "terraform_data" "m" {
	  for_each = toset(["0", "1"])
	}
	resource "terraform_data" "d" {
	  input = [terraform_data.n["1"].id, terraform_data.m[0].id]
	}
	TF
	[ "$(planned -target=terraform_data.d)" = 'd m["0"] n[1]' ]
	# whatever digits they are
	sed -i 's/n\["1"\]/n["01"]/' main.tf
	[ "$(planned -target=terraform_data.d)" = 'd m["0"] n[1]' ]
}

@test "-target: depends_on a module, and a whole resource, take all instances" {
	mkdir m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "e" {
	  count = 2
	}
	resource "terraform_data" "f" {
	  input = terraform_data.e[0].id
	}
	TF
	cat >main.tf <<-'TF'
	module "m" {
	  source = "./m"
	}
	resource "terraform_data" "d" {
	  depends_on = [module.m]
	}
	TF
	tf init >/dev/null
	[ "$(planned -target=terraform_data.d)" = "d module.m.terraform_data.e[0] \
module.m.terraform_data.e[1] module.m.terraform_data.f" ]
	[ "$(planned -target=module.m.terraform_data.f)" = \
		'module.m.terraform_data.e[0] module.m.terraform_data.f' ]
}

@test "-target=d, which uses the only instance of c: outputs may show all of c" {
	cat >main.tf <<-'TF'
	variable "n" { default = 1 }
	resource "terraform_data" "c" {
	  count = var.n
	  input = var.n
	}
	resource "terraform_data" "d" {
	  input = terraform_data.c[0].output
	}
	output "ids" { value = [for x in terraform_data.c : x.input] }
	output "made" { value = [for x in terraform_data.c : x.id != ""] }
	output "one" { value = one(terraform_data.c[*].id) != null }
	TF
	[ "$(planned -target=terraform_data.d)" = 'c[0] d' ]
	[ "$(outputs)" = 'ids made one' ]
	tf apply -auto-approve -target=terraform_data.d >/dev/null
	run -0 tf output -json
	[ "$(jq -c 'map_values(.value)' <<<"$output")" = \
		'{"ids":[1],"made":[true],"one":true}' ]
	sed -i '/^output "\(one\|made\)"/d' main.tf
	planned -var n=2 -target=terraform_data.d >changed
	[ "$(cat changed)" = 'c[0] d' ]
	run -0 outputs
	[ -z "$output" ]
}

# bats test_tags=once
@test "-target: an output of a module that shows what is left out is no error" {
	mkdir m
	cat >main.tf <<-'TF'
	module "m" { source = "./m" }
	output "all" { value = module.m.all }
	output "other" { value = module.m.other }
	output "used" { value = module.m.used }
	TF
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "e" { for_each = toset(["a", "b"]) }
	resource "terraform_data" "d" { input = terraform_data.e["a"].id }
	output "all" { value = [for k, x in terraform_data.e : x.id != "" ? k : k] }
	output "other" {
	  value = terraform_data.e["b"].id
	  precondition {
	    condition     = terraform_data.e["b"].id != ""
	    error_message = "No."
	  }
	}
	output "used" { value = terraform_data.e["a"].id != "" }
	TF
	tf get >/dev/null
	planned -target=module.m.terraform_data.d >changed
	[ "$(cat changed)" = \
		'module.m.terraform_data.d module.m.terraform_data.e["a"]' ]
	[ "$(outputs)" = used ]
	tf apply -auto-approve -target=module.m.terraform_data.d >/dev/null
	[ "$(tf output -json | jq -c 'map_values(.value)')" = '{"used":true}' ]
	# what is there is shown
	tf apply -auto-approve >/dev/null
	tf state rm 'module.m.terraform_data.d' >/dev/null
	tf apply -auto-approve -target=module.m.terraform_data.d >/dev/null
	[ "$(tf output -json | jq -c keys)" = '["all","other","used"]' ]
}

@test "-target: values on the way from what is left out to an output are no error" {
	mkdir m
	cat >main.tf <<-'TF'
	resource "terraform_data" "e" { for_each = toset(["a", "b"]) }
	resource "terraform_data" "d" { input = terraform_data.e["a"].id }
	locals { b = { id = terraform_data.e["b"].id, size = 1 } }
	module "m" {
	  source = "./m"
	  v      = terraform_data.e["b"].id
	}
	output "size" { value = local.b.size }
	output "v" { value = module.m.v }
	output "used" { value = terraform_data.e["a"].id != "" }
	TF
	cat >m/main.tf <<-'TF'
	variable "v" {}
	output "v" { value = var.v }
	TF
	tf get >/dev/null
	[ "$(planned -target=terraform_data.d)" = 'd e["a"]' ]
	[ "$(outputs)" = used ]
	tf apply -auto-approve -target=terraform_data.d >/dev/null
	[ "$(tf output -json | jq -c keys)" = '["used"]' ]
}

# bats test_tags=once
@test "-target: refreshing looks at all instances of what a target depends on" {
	by_key
	tf apply -auto-approve >/dev/null
	tf plan -json -target=terraform_data.d -refresh-only >events
	tf plan -json -target=terraform_data.d -destroy >>events
	run -0 jq -r 'select(.type == "refresh_complete") |
		.hook.resource.resource_key // empty' events
	[ "$(sort <<<"$output" | xargs)" = 'a a b b' ]
}

# What `all` has of e, whose one instance is a target as well.
all_of() { # REPETITION ADDRESS KEY
	cat >main.tf <<-TF
	resource "terraform_data" "r" {}
	data "terraform_remote_state" "d" {
	  $1
	  backend    = "local"
	  config     = { path = "other.tfstate" }
	  depends_on = [terraform_data.r]
	}
	resource "terraform_data" "e" {
	  $1
	}
	resource "terraform_data" "all" {
	  count = 1
	  input = [for x in $2 : x != null]
	}
	TF
	rm -rf terraform.tfstate*
	"${TF_TEST_CLI:-tf}" init >/dev/null
	"${TF_TEST_CLI:-tf}" apply -auto-approve \
		-target=terraform_data.all[0] -target="$2[$3]" >/dev/null
	jq -c '.resources[] | select(.name == "all") |
		.instances[].attributes.input.value' terraform.tfstate
}

# bats test_tags=once
@test "-target: all of a data source is without what stays out, as all of a resource is" {
	echo '{"version": 4, "serial": 1, "lineage": "other", "resources": [],
		"terraform_version": "1.6.0", "outputs": {}}' >other.tfstate
	for of in data.terraform_remote_state.d terraform_data.e; do
		[ "$(all_of 'for_each = toset(["a", "b"])' $of '"b"')" = \
			'[true]' ]
		[ "$(all_of 'count = 2' $of 0)" = '[true]' ]
		[ "$(all_of 'for_each = toset(["a"])' $of '"a"')" = '[true]' ]
	done
}

# --- instances that the configuration does not ask for any more ---

shrinking() { # N
	mkdir -p m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "r" {
	}
	output "id" { value = terraform_data.r.id }
	TF
	cat >main.tf <<-TF
	module "n" {
	  source = "./m"
	  count  = $1
	}
	resource "terraform_data" "c" {
	  count = $1
	}
	resource "terraform_data" "z" {
	  input = [module.n[0].id, terraform_data.c[*].id, "$1"]
	}
	TF
	tf init >/dev/null
}

# bats test_tags=once
@test "-target: what a target depends on loses no instances" {
	shrinking 3
	tf apply -auto-approve >/dev/null
	shrinking 1
	[ "$(planned -target=terraform_data.z)" = z ]
	[ "$(planned -target=terraform_data.c)" = 'c[1] c[2]' ]
	[ "$(planned -target=terraform_data.c[2])" = 'c[2]' ]
}

# bats test_tags=once
@test "-target and -exclude name single orphaned instances of modules" {
	shrinking 3
	tf apply -auto-approve >/dev/null
	shrinking 1
	[ "$(planned -target=module.n)" = \
		'module.n[1].terraform_data.r module.n[2].terraform_data.r' ]
	[ "$(planned -target=module.n[2])" = 'module.n[2].terraform_data.r' ]
	[ "$(planned -exclude=module.n[2])" = \
		'c[1] c[2] module.n[1].terraform_data.r' ]
	[ "$(planned -exclude=module.n)" = 'c[1] c[2]' ]
}

# bats test_tags=once
@test "-exclude of one module instance, and what depends on another" {
	mkdir m
	cat >m/main.tf <<-'TF'
	variable "name" {}
	resource "terraform_data" "first" {
	  input = var.name
	}
	resource "terraform_data" "lone" {
	}
	output "out" { value = terraform_data.first.output }
	TF
	cat >main.tf <<-'TF'
	module "service" {
	  source   = "./m"
	  for_each = toset(["web", "api"])
	  name     = each.key
	}
	resource "terraform_data" "api" {
	  input = module.service["api"].out
	}
	resource "terraform_data" "free" {
	}
	output "api" { value = module.service["api"].out }
	TF
	tf init >/dev/null
	[ "$(planned -exclude='module.service["web"]')" = "free \
module.service[\"api\"].terraform_data.first \
module.service[\"api\"].terraform_data.lone" ]
	[ "$(planned -exclude='module.service["none"]')" = "free \
module.service[\"api\"].terraform_data.first \
module.service[\"api\"].terraform_data.lone \
module.service[\"web\"].terraform_data.first \
module.service[\"web\"].terraform_data.lone" ]
}

nested_modules() { # in m: c uses what is in b, w what is in c
	mkdir -p m/b m/c
	cat >m/main.tf <<-'TF'
	module "b" { source = "./b" }
	module "c" {
	  source = "./c"
	  v      = module.b.o
	}
	resource "terraform_data" "w" { input = module.c.o }
	output "o" { value = terraform_data.w.id }
	TF
	cat >m/b/main.tf <<-'TF'
	resource "terraform_data" "r" {}
	output "o" { value = terraform_data.r.id }
	TF
	cat >m/c/main.tf <<-'TF'
	variable "v" {}
	resource "terraform_data" "s" { input = var.v }
	output "o" { value = terraform_data.s.id }
	TF
}

short() { # OPTION...; what is planned, without words that say the kind
	planned "$@" | sed 's/module\.//g; s/terraform_data\.//g'
}

# bats test_tags=once
@test "-destroy in an instance of a module takes what is in the same, not what is beside it" {
	nested_modules
	cat >main.tf <<-'TF'
	module "m" {
	  source   = "./m"
	  for_each = toset(["x", "y"])
	}
	resource "terraform_data" "z" { input = module.m["y"].o }
	TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	[ "$(short -destroy '-target=module.m["x"].module.b')" = \
		'm["x"].b.r m["x"].c.s m["x"].w z' ]
	[ "$(short -destroy '-exclude=module.m["x"].module.c')" = \
		'm["x"].w m["y"].b.r m["y"].c.s m["y"].w z' ]
}

@test "-target of an instance of a module takes what is in the same, not what is beside it" {
	nested_modules
	sed -i 's/= module.b.o/= "${var.g} ${module.b.o}"/
		1i variable "g" {}' m/main.tf
	cat >main.tf <<-'TF'
	module "m" {
	  source   = "./m"
	  for_each = toset(["x", "y"])
	  g        = terraform_data.n[each.key].id
	}
	resource "terraform_data" "n" {
	  for_each = toset(["x", "y", "z"])
	}
	TF
	tf init >/dev/null
	[ "$(short '-target=module.m["x"]')" = \
		'm["x"].b.r m["x"].c.s m["x"].w n["x"] n["y"] n["z"]' ]
	# by the key of the module
	set -- '-target=module.m["x"]' '-target=terraform_data.n["z"]'
	[ "$(short "$@")" = 'm["x"].b.r m["x"].c.s m["x"].w n["x"] n["z"]' ]
	# what is beside it has no n to begin with, and needs none
	tf apply -auto-approve "$@" >/dev/null
	[ "$(short '-target=module.m["x"]')" = 'n["y"]' ]
	# what is not named is needed everywhere
	[ "$(short '-target=module.m["y"].module.c')" = \
		'm["y"].b.r m["y"].c.s n["y"]' ]
	rm terraform.tfstate
	[ "$(short '-target=module.m["y"].module.c')" = \
		'm["x"].b.r m["y"].b.r m["y"].c.s n["x"] n["y"] n["z"]' ]
}

# --- outputs when a part is destroyed ---

# bats test_tags=once
@test "destroying a part: outputs that depend on it are what refreshing found" {
	cat >main.tf <<-'TF'
	variable "pick" { default = "a" }
	resource "terraform_data" "a" {
	  input = "a"
	}
	resource "terraform_data" "b" {
	  input = "b"
	}
	locals {
	  picked = var.pick == "a" ? terraform_data.a.output : "other"
	}
	output "local" { value = local.picked }
	output "b" { value = "${terraform_data.b.output}${var.pick}" }
	TF
	local values='map_values(.value)'
	tf apply -auto-approve >/dev/null
	tf destroy -auto-approve -var pick=x -exclude=terraform_data.a >/dev/null
	run -0 tf output -json
	[ "$(jq -c "$values" <<<"$output")" = '{"b":"bx","local":"a"}' ]
	tf apply -auto-approve >/dev/null
	tf destroy -auto-approve -var pick=x -target=terraform_data.a >/dev/null
	run -0 tf output -json
	[ "$(jq -c "$values" <<<"$output")" = '{"b":"ba","local":"other"}' ]
	tf apply -auto-approve >/dev/null
	tf destroy -auto-approve -var pick=x -refresh=false \
		-target=terraform_data.a >/dev/null
	run -0 tf output -json
	[ "$(jq -c "$values" <<<"$output")" = '{"b":"ba","local":"a"}' ]
}

# --- variables of modules with validations ---

# bats test_tags=once
@test "variables with validations are looked at when all behind them is there" {
	mkdir m
	cat >m/main.tf <<-'TF'
	variable "a" {
	  validation {
	    condition     = var.a != "bad"
	    error_message = "It is bad."
	  }
	}
	variable "ab" {
	  validation {
	    condition     = length(var.ab) == 2
	    error_message = "It is short."
	  }
	}
	resource "terraform_data" "x" {
	}
	TF
	cat >main.tf <<-'TF'
	variable "a" { default = "a" }
	resource "terraform_data" "a" {
	  input = var.a
	}
	resource "terraform_data" "b" {
	}
	module "m" {
	  source = "./m"
	  a      = terraform_data.a.input
	  ab     = [terraform_data.a.id, terraform_data.b.id]
	}
	TF
	tf init >/dev/null
	checks='[.check_results[] | "\(.config_addr) \(.status)"] | sort |
		join(", ")'
	tf apply -auto-approve -target=terraform_data.a >/dev/null
	[ "$(jq -r "$checks" terraform.tfstate)" = \
		'module.m.var.a pass, module.m.var.ab unknown' ]
	run -1 tf plan -var a=bad -target=terraform_data.a
	[[ $output == *'Invalid value for variable'* ]]
	tf plan -var a=bad -target=terraform_data.b >/dev/null
	tf apply -auto-approve -exclude=module.m >/dev/null
	[ "$(jq -r "$checks" terraform.tfstate)" = \
		'module.m.var.a pass, module.m.var.ab pass' ]
}

# --- check blocks ---

# bats test_tags=once
@test "a check whose data source is looked at has all its instances" {
	mkdir m
	cat >m/main.tf <<-'TF'
	variable "path" {}
	check "k" {
	  data "terraform_remote_state" "d" {
	    backend = "local"
	    config  = { path = var.path }
	  }
	  assert {
	    condition     = data.terraform_remote_state.d.outputs == {}
	    error_message = "There are outputs."
	  }
	}
	TF
	cat >main.tf <<-'TF'
	module "m" {
	  source = "./m"
	  count  = 2
	  path   = "none.tfstate"
	}
	TF
	echo '{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[]}' \
		>none.tfstate
	tf init >/dev/null
	planned -target=module.m[0] >changed
	run -0 jq -r 'select(.record == "check_result") | .instances[] |
		"\(.address.to_display) \(.status)"' plan
	[ "$(sort <<<"$output" | paste -sd,)" = \
		'module.m[0].check.k unknown,module.m[1].check.k unknown' ]

	# and with none it holds
	sed -i 's/count  = 2/count = 0/' main.tf
	planned -exclude=terraform_data.other >changed
	run -0 jq -r 'select(.record == "check_result") | .status' plan
	[ "$output" = pass ]
}

# bats test_tags=once
@test "-target: data sources that are no longer asked for are forgotten" {
	cat >main.tf <<-'TF'
	variable "n" { default = 2 }
	data "terraform_remote_state" "d" {
	  count   = var.n
	  backend = "local"
	  config  = { path = "none.tfstate" }
	}
	resource "terraform_data" "u" {
	  input = data.terraform_remote_state.d[0].outputs
	}
	TF
	echo '{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[]}' \
		>none.tfstate
	tf apply -auto-approve >/dev/null
	tf plan -out=p -var n=1 -target=terraform_data.u >/dev/null
	run -0 tf show -json p
	[ "$(jq -r '[.prior_state.values.root_module.resources[].address] |
		join(" ")' <<<"$output")" = \
		'data.terraform_remote_state.d[0] terraform_data.u' ]
}

@test "-target: what another target depends on is not less for being named in part" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input    = each.key
}
resource "terraform_data" "b" { input = [for a in terraform_data.a : a.id] }
TF
	run -0 tf apply -auto-approve -no-color \
		-target='terraform_data.a["x"]' -target=terraform_data.b
	[[ $output == *'3 added'* ]]
	[ "$(tf state list | wc -l)" = 3 ]
}

in_parts() { # TARGET...; prints what is made, in modules m
	tf apply -auto-approve -json "${@/#/-target=module.}" >events
	jq -r 'select(.type == "apply_complete") | .hook.resource.addr |
		ltrimstr("module.") | sub("terraform_data."; "")' events |
		sort | xargs
	rm terraform.tfstate*
}

# bats test_tags=once
@test "-target: named in part is chosen in that instance of the module alone" {
	mkdir m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "s" {
	  count = 2
	}
	resource "terraform_data" "t" {
	  input = terraform_data.s[0].id
	}
	resource "terraform_data" "q" {
	  for_each = toset(["a", "b"])
	  input    = terraform_data.t.id
	}
	output "q" { value = terraform_data.q["a"].id }
	TF
	cat >main.tf <<-'TF'
	module "m" {
	  source = "./m"
	  count  = 3
	}
	resource "terraform_data" "z" { input = module.m[1].q }
	TF
	tf init >/dev/null
	run -0 in_parts 'm[1].terraform_data.q["b"]' 'm[0].terraform_data.t'
	[ "$output" = \
		'm[0].s[0] m[0].t m[1].q[b] m[1].s[0] m[1].t m[2].s[0]' ]
	run -0 in_parts 'm[1].terraform_data.q["b"]' 'm[0]'
	[ "$output" = "m[0].q[a] m[0].q[b] m[0].s[0] m[0].s[1] m[0].t \
m[1].q[b] m[1].s[0] m[1].t" ]
	# what is needed of a part needs the same
	run -0 in_parts 'm[1].terraform_data.q["b"]' 'm[0].terraform_data.t' \
		'm[2].terraform_data.s[1]'
	[ "$output" = 'm[0].s[0] m[0].t m[1].q[b] m[1].s[0] m[1].t m[2].s[1]' ]
	# a part that others need, too, needs all that it depends on
	tf apply -auto-approve -target=terraform_data.z \
		-target='module.m[0].terraform_data.q["b"]' \
		-target='module.m[0].terraform_data.t' >/dev/null
	run -0 tf state list
	[ "$(grep -c 't$' <<<"$output")" = 3 ]
}

# bats test_tags=once
@test "-target: what is chosen in an instance of a module is not added to" {
	mkdir m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "t" {
	  count = 2
	}
	resource "terraform_data" "q" {
	  input = terraform_data.t[*].id
	}
	TF
	cat >main.tf <<-'TF'
	module "m" {
	  source = "./m"
	  count  = 2
	}
	TF
	tf init >/dev/null
	run -0 in_parts 'm[1].terraform_data.q' 'm[1].terraform_data.t[0]'
	[ "$output" = 'm[1].q m[1].t[0]' ]
	run -0 in_parts '*[1].terraform_data.q' '*.terraform_data.t[0]'
	[ "$output" = 'm[0].t[0] m[1].q m[1].t[0]' ]
}

# bats test_tags=once
@test "-target: what is chosen of a count leaves no holes in the whole" {
	cat >main.tf <<-'TF'
	variable "v" { default = 1 }
	resource "terraform_data" "n" {
	  count = 4
	  input = var.v
	}
	resource "terraform_data" "d" {
	  count = 2
	  input = [for n in terraform_data.n : n.id]
	}
	TF
	set -- -target='terraform_data.d[0]' -target='terraform_data.n[2]'
	[ "$(planned "$@")" = 'd[0] n[0] n[1] n[2]' ]
	tf apply -auto-approve "$@" >/dev/null
	# what is there is left as it is
	[ "$(planned -var v=2 "$@")" = 'n[2]' ]
	tf apply -auto-approve >/dev/null
	[ "$(planned -var v=2 "$@" -replace='terraform_data.n[2]')" = \
		'd[0] n[2]' ]
}

# bats test_tags=once
@test "-target: one that names user and used leaves no holes in the whole, either" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "n" {
	  count = 4
	}
	resource "terraform_data" "d" {
	  count = 4
	  input = terraform_data.n[*].id
	}
	TF
	set -- '-target=*.*[1]'
	[ "$(planned "$@")" = 'd[1] n[0] n[1]' ]
	tf apply -auto-approve "$@" >/dev/null
	# nor below what is there
	tf apply -auto-approve '-target=terraform_data.n[3]' >/dev/null
	set -- '-target=*.d[2]' '-target=terraform_data.n[0]'
	[ "$(planned "$@")" = 'd[2] n[2]' ]
	tf apply -auto-approve "$@" >/dev/null
	[ "$(planned)" = 'd[0] d[1] d[3]' ]
}

@test "-target: nothing is chosen of what has no such instance" {
	users() { # OF
		cat >>main.tf <<-TF
		resource "terraform_data" "d" {
		  for_each = toset(["a", "b"])
		  input    = terraform_data.n$1.id
		}
		TF
	}
	echo 'resource "terraform_data" "n" {}' >main.tf
	users
	[ "$(planned '-target=*.*["a"]')" = 'd["a"] n' ]
	# which may have had it
	cat >main.tf <<-'TF'
	resource "terraform_data" "n" {
	  for_each = toset(["a"])
	}
	TF
	users '["a"]'
	tf apply -auto-approve -target=terraform_data.n >/dev/null
	echo 'resource "terraform_data" "n" { count = 2 }' >main.tf
	users '[0]'
	[ "$(planned '-target=*.*["a"]')" = 'd["a"] n["a"] n[0]' ]
	sed -i 's/n\[0\].id/n[*].id/' main.tf
	set -- '-target=*.*["a"]'
	[ "$(planned "$@")" = 'd["a"] n["a"] n[0] n[1]' ]
	tf apply -auto-approve "$@" >/dev/null
}

# bats test_tags=once
@test "-target: what is kept above a hole that nothing fills is not seen" {
	fewer() { # N
		cat >main.tf <<-TF
		resource "terraform_data" "n" {
		  count = $1
		  input = "kept"
		}
		resource "terraform_data" "d" {
		  input = [$1, terraform_data.n[*].input]
		}
		TF
	}
	fewer 5
	tf apply -auto-approve >/dev/null
	tf state rm 'terraform_data.n[3]' >/dev/null
	fewer 2
	tf apply -auto-approve -target=terraform_data.d >/dev/null
	run -0 tf state list
	[[ $output = *'n[4]'* ]]
	run -0 jq -c '.resources[] | select(.name == "d") |
		.instances[0].attributes.input.value[1]' terraform.tfstate
	[ "$output" = '["kept","kept","kept"]' ]
}

# bats test_tags=once
@test "-target: an instance that a reference names is there, whatever is chosen" {
	cat >main.tf <<-'TF'
	resource "terraform_data" "n" {
	  count = 3
	}
	resource "terraform_data" "d" {
	  count = 2
	  input = terraform_data.n[1].id
	}
	TF
	[ "$(planned -target='terraform_data.d[0]' \
		-target='terraform_data.n[2]')" = 'd[0] n[1] n[2]' ]
	mkdir m
	mv main.tf m
	cat >main.tf <<-'TF'
	module "m" {
	  source = "./m"
	  count  = 2
	}
	TF
	tf init >/dev/null
	run -0 in_parts 'm[1].terraform_data.d[0]' 'm[*].terraform_*.n[2]'
	[ "$output" = 'm[0].n[2] m[1].d[0] m[1].n[1] m[1].n[2]' ]
}

@test "-target: the instance that a target picks by its own key is there, whatever is chosen" {
	users() { # KEYS OF-N PICKS
		cat >main.tf <<-TF
		locals { m = { x = "y", y = "x", z = "z" } }
		resource "terraform_data" "n" {
		  $2
		}
		resource "terraform_data" "d" {
		  $1
		  input = terraform_data.n[$3].id
		}
		TF
	}
	users 'count = 4' 'count = 4' count.index
	[ "$(planned '-target=*.d[2]' '-target=*.n[1]')" = 'd[2] n[1] n[2]' ]
	# nobody sees the others
	[ "$(planned '-target=*.*[2]')" = 'd[2] n[2]' ]
	users 'for_each = toset(["x", "y"])' 'for_each = local.m' each.key
	[ "$(planned '-target=*.*["y"]')" = 'd["y"] n["y"]' ]
	set -- '-target=*.d["x"]' '-target=*.n["z"]'
	[ "$(planned "$@")" = 'd["x"] n["x"] n["z"]' ]
	users 'for_each = toset(["x", "y"])' 'for_each = local.m' each.value
	[ "$(planned "$@")" = 'd["x"] n["x"] n["z"]' ]
	# which it is nobody knows: what is not there
	users 'for_each = toset(["x", "y"])' 'for_each = local.m' \
		'local.m[each.key]'
	[ "$(planned "$@")" = 'd["x"] n["x"] n["y"] n["z"]' ]
	tf apply -auto-approve '-target=*.n' >/dev/null
	[ "$(planned "$@" -replace='terraform_data.n["z"]')" = 'd["x"] n["z"]' ]
}

# bats test_tags=once
@test "an instance that a selection leaves in the state is seen in applying, too" {
	for kind in each count; do
		rm -f terraform.tfstate*
		[ $kind = each ] && keys='for_each = toset(var.k)' ||
			keys='count = length(var.k)'
		cat >main.tf <<TF
variable "k" {
  type    = list(string)
  default = ["x", "y"]
}
variable "n" { default = 0 }
resource "terraform_data" "a" {
  $keys
  input = var.n
}
resource "terraform_data" "b" {
  input = "\${length([for a in terraform_data.a : a.id])} \${var.n}"
}
TF
		tf apply -auto-approve >/dev/null
		run -0 tf apply -auto-approve -no-color -var n=1 \
			-var 'k=["x"]' -target='terraform_data.a["x"]' \
			-target='terraform_data.a[0]' -target=terraform_data.b
		run -0 tf state show -no-color terraform_data.b
		[[ $output == *'input  = "2 1"'* ]]
	done
}

# bats test_tags=once
@test "a module that is left out whole is declared nowhere: others may move from it" {
	mkdir m
	cat >m/main.tf <<-'TF'
	resource "terraform_data" "x" {}
	resource "terraform_data" "y" {}
	TF
	cat >main.tf <<-'TF'
	module "m" { source = "./m" }
	module "n" { source = "./m" }
	moved {
	  from = module.m
	  to   = module.n
	}
	TF
	"${TF_TEST_CLI:-tf}" init
	refused() { # OPTION...
		run -1 "${TF_TEST_CLI:-tf}" plan -no-color "$@"
		[[ $output == *'Error: Moved object still exists'* ]]
	}
	refused
	refused -exclude=module.n
	refused -exclude=module.m.terraform_data.x -refresh-only
	for mode in "" -refresh-only; do
		run -0 "${TF_TEST_CLI:-tf}" plan -exclude=module.m $mode
		run -0 "${TF_TEST_CLI:-tf}" plan $mode \
			-exclude=module.m.terraform_data.x \
			-exclude=module.m.terraform_data.y
	done
}

@test "a module that is needed as a whole brings no variable but what must hold" {
	mkdir m
	cat >m/main.tf <<-'END'
	variable "given" {}
	variable "held" {
	  validation {
	    condition     = var.held != 2
	    error_message = "no"
	  }
	}
	resource "terraform_data" "r" {}
	END
	cat >main.tf <<-'END'
	resource "terraform_data" "left" {}
	module "m" {
	  count  = 1
	  source = "./m"
	  given  = terraform_data.left.id
	  held   = 1
	}
	output "n" {
	  value = length(module.m)
	}
	END
	${TF_TEST_CLI:-tf} init >/dev/null
	${TF_TEST_CLI:-tf} apply -auto-approve -target=module.m >/dev/null
	# (by chance OpenTofu does not see the instance)
	jq -e '(.outputs.n.value | type) == "number" and
		.check_results[0].status == "pass" and
		[.resources[] | select(.instances != []).name] == ["r"]
	' terraform.tfstate
}

# bats test_tags=once
@test "outputs that rely on objects without configuration stay out with them" {
	mkdir -p m/n
	cat >m/n/main.tf <<-'END'
	resource "terraform_data" "gone" { for_each = toset(["a", "b"]) }
	output "o" { value = 1 }
	END
	cat >m/main.tf <<-'END'
	module "n" { source = "./n" }
	resource "terraform_data" "r" {}
	output "o" { value = module.n.o }
	END
	cat >main.tf <<-'END'
	module "m" {
	  count  = 1
	  source = "./m"
	}
	output "all" { value = module.m[*].o }
	END
	${TF_TEST_CLI:-tf} init >/dev/null
	${TF_TEST_CLI:-tf} apply -auto-approve >/dev/null
	sed -i '/gone/d; s/1/2/' m/n/main.tf
	while read -r option outputs; do
		${TF_TEST_CLI:-tf} plan -out=p "$option" >/dev/null
		[ "$(${TF_TEST_CLI:-tf} show -json p |
			jq -r '.output_changes // {} | keys[]')" = "$outputs" ]
	done <<-'END'
	-exclude=terraform_data.other all
	-exclude=module.m[0].module.n
	-exclude=module.m[0].module.n.terraform_data.gone["a"]
	-target=module.m[0] all
	-target=module.m[0].module.n
	-target=module.m[0].terraform_data.r
	END
}

@test "an object that moved is told to have moved also where it is left out" {
	cat >main.tf <<-'END'
	resource "terraform_data" "left" {}
	resource "terraform_data" "old" { input = terraform_data.left.id }
	END
	${TF_TEST_CLI:-tf} apply -auto-approve >/dev/null
	sed -i 's/"old"/"new"/' main.tf
	cat >>main.tf <<-'END'
	moved {
	  from = terraform_data.old
	  to   = terraform_data.new
	}
	END
	moved() { # OPTION...: is the one thing that is told
		run -0 ${TF_TEST_CLI:-tf} plan -no-color -refresh-only -out=p "$@"
		[[ $output == *'# terraform_data.old has moved to terraform_data.new'* ]]
		[ "$(${TF_TEST_CLI:-tf} show -json p | jq -c '.resource_drift[] |
			[.address, .previous_address, .change.actions[]]')" = \
			'["terraform_data.new","terraform_data.old","no-op"]' ]
	}
	moved
	moved -exclude=terraform_data.left
	# by name it may not be
	run -1 ${TF_TEST_CLI:-tf} plan -no-color -exclude=terraform_data.new
	[[ $output == *'Moved resource instances excluded by targeting'* ]]
}

#!/usr/bin/env bats
# destroying.bats - the order of destroying and making
#
# The tests of worked orders have the names that destroying.md gives them.  A, B
# and C are terraform_data.a, b and c; B depends on A and C on B.

load common

without_leak_checks

setup() {
	need jq
	cd "$BATS_TEST_TMPDIR"
}

# A resource: its name, what it refers to, a value that replaces it, one that
# updates it, whether it creates before destroying.
resource() { # NAME REFERENCE REPLACED UPDATED [cbd]
	printf 'resource "terraform_data" "%s" {\n' "$1"
	printf '  triggers_replace = %s\n  input = [%s, %s]\n' "$3" "$4" \
		"${2:-null}"
	if [ -n "${5-}" ]; then
		printf '  lifecycle {\n    create_before_destroy = true\n  }\n'
	fi
	printf '}\n'
}

config() {
	cat >main.tf
}

apply() { # OPTION...
	tf-plan -C . "$@" | tf-apply -parallelism=10 >events
}

# What has been done, in order; with a beginning of addresses only there.
order() { # [BEGINNING]
	jq -r --arg at "${1-}" 'select(.record == "event" and
			.type == "apply_complete") |
		select(.hook.resource.addr | startswith($at)) |
		(.hook.resource.resource_name | ascii_upcase) + " " +
		{create: "created", update: "updated", delete: "destroyed",
		read: "read"}[.hook.action]' events | paste -sd,
}

# From the configuration of the first functions, applied, to the second.
from() { # CONFIG...
	"$@" | config
	apply
}

to() {
	"$@" | config
	apply
}

a_b_c() {
	resource a '' 1 1
	resource b terraform_data.a.id 1 1
	resource c terraform_data.b.id 1 1
}

@test "Simple Resource Creation" {
	from a_b_c
	[ "$(order)" = 'A created,B created,C created' ]
}

@test "Resource Updates" {
	without_a() {
		resource b null 1 1
		resource c terraform_data.b.id 1 1
	}
	updated() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 2
		resource c terraform_data.b.output 1 2
	}
	from without_a
	to updated
	[ "$(order)" = 'A created,B updated,C updated' ]
}

@test "Simple Resource Destruction" {
	from a_b_c
	apply -destroy
	[ "$(order)" = 'C destroyed,B destroyed,A destroyed' ]
}

a_b() { # REPLACED-A UPDATED-A [cbd]
	resource a '' "$@"
	resource b terraform_data.a.id 1 1
}

@test "Resource Replacement: Replace All" {
	replaced() {
		resource a '' 2 1
		resource b terraform_data.a.id 2 1
	}
	from a_b 1 1
	to replaced
	[ "$(order)" = 'B destroyed,A destroyed,A created,B created' ]
}

@test "Resource Replacement: Replace Dependency" {
	from a_b 1 1
	to a_b 2 1
	[ "$(order)" = 'A destroyed,A created,B updated' ]
}

@test "Resource Replacement: an update of A while only destroying B" {
	from a_b 1 1
	to resource a '' 1 2
	[ "$(order)" = 'B destroyed,A updated' ]
}

@test "Create Before Destroy: Replace all, dependency is create_before_destroy" {
	replaced() {
		resource a '' 2 1 cbd
		resource b terraform_data.a.id 2 1
	}
	from a_b 1 1 cbd
	to replaced
	[ "$(order)" = 'B destroyed,A created,B created,A destroyed' ]
}

@test "Create Before Destroy: Replace dependency, dependency is create_before_destroy" {
	from a_b 1 1 cbd
	to a_b 2 1 cbd
	[ "$(order)" = 'A created,B updated,A destroyed' ]
}

@test "Create Before Destroy: Update a destroyed create_before_destroy dependency" {
	from a_b 1 1 cbd
	to resource b null 1 1
	[ "$(order)" = 'B updated,A destroyed' ]
}

@test "Forced Create Before Destroy: Correct create_before_destroy replacement" {
	forcing() {
		resource a '' "$1" 1
		resource b terraform_data.a.id "$1" 1 cbd
	}
	from forcing 1
	to forcing 2
	[ "$(order)" = 'A created,B created,B destroyed,A destroyed' ]
}

# --- beyond the worked orders ---

@test "an old create_before_destroy object waits for dependents that are new" {
	with_new() {
		resource b terraform_data.z.id 1 1
		resource z '' "$1" 1 cbd
	}
	from resource z '' 1 1 cbd
	to with_new 2
	[ "$(order)" = 'Z created,B created,Z destroyed' ]
}

@test "an old create_before_destroy object waits for dependents with other keys" {
	keyed() { # REPLACED REPETITION
		resource a '' "$1" 1 cbd
		resource b terraform_data.a.id 1 1 | sed "2i $2"
	}
	from keyed 1 'count = 1'
	to keyed 2 'for_each = toset(["x"])'
	[ "$(order)" = 'B destroyed,A created,B created,A destroyed' ]
}

@test "what something with create_before_destroy depended on goes as late" {
	before() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1
	}
	from before
	# B creates before destroying now, and does not need A any more
	to resource b null 2 1 cbd
	[ "$(order)" = 'B created,B destroyed,A destroyed' ]
}

@test "what goes late for the sake of another goes after all that needed it" {
	before() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1
		resource c terraform_data.a.id 1 1
	}
	after() {
		resource b null 2 1 cbd
		resource c null 1 1
	}
	from before
	to after
	[[ ,$(order), = *,'C updated',*'A destroyed',* ]]
	[[ ,$(order), = *,'B destroyed','A destroyed',* ]]
}

@test "what goes late for the sake of another does so where it only has moved, too" {
	before() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1
		resource c terraform_data.a.id 1 1
	}
	after() {
		resource b null 2 1 cbd
		resource c null 1 1
		printf 'moved {\n  from = terraform_data.a\n'
		printf '  to = terraform_data.x\n}\n'
	}
	from before
	to after
	[[ ,$(order), = *,'C updated',*'X destroyed',* ]]
	[[ ,$(order), = *,'B destroyed','X destroyed',* ]]
}

@test "what goes late for the sake of another makes what it depended on go late" {
	keyed() { # WHAT KEYS
		resource c "$1" 1 1 | sed "2i for_each = toset($2)"
	}
	before() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1
		keyed terraform_data.b.id '["k", "o"]'
	}
	after() { # UPDATED REPLACED
		resource a '' 1 "$1"
		keyed terraform_data.a.id '["k"]'
		resource d '[for c in terraform_data.c : c.id]' "$2" 1 cbd
	}
	from before
	# of the new D the state says that it depends on A and C, not on B
	after 1 1 | config
	apply -target=terraform_data.d
	to after 2 2
	[ "$(order)" = \
		'A updated,D created,D destroyed,C destroyed,B destroyed' ]
}

@test "users need not wait until what they used is gone, where that is a circle" {
	before() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1 cbd
		resource c "[terraform_data.a.id, terraform_data.b.id]" 1 1
	}
	after() {
		resource a '' 2 1
		resource b null 2 1 cbd
		resource c terraform_data.b.id 1 1
	}
	from before
	to after
	[ "$(order)" = 'B created,C updated,B destroyed,A destroyed,A created' ]
}

# bats test_tags=once
@test "what goes late is removed while what it depended on is replaced" {
	cbd_b() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1 cbd
	}
	from cbd_b
	to resource a '' 2 1
	[ "$(order)" = 'B destroyed,A destroyed,A created' ]
	# and stays late for those who used it
	used_b() {
		cbd_b
		resource c terraform_data.b.id 1 1
	}
	from used_b
	unused_b() {
		resource a '' 3 1
		resource c null 1 1
	}
	to unused_b
	[ "$(order)" = 'C updated,B destroyed,A destroyed,A created' ]
}

@test "what goes late goes early where a user of its module waits for the rest of it" {
	mkdir m
	before() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1 cbd
	}
	before >m/main.tf
	{
		printf 'module "m" {\n  source = "./m"\n}\n'
		resource c '' 1 1 | sed '2i depends_on = [module.m]'
	} >main.tf
	tf init >/dev/null
	apply
	resource a '' 2 1 >m/main.tf
	sed -i 's/input = \[1/input = [2/' main.tf
	apply
	[ "$(order)" = 'B destroyed,A destroyed,A created,C updated' ]
}

@test "what goes early all the same holds nothing up, where that is a circle" {
	used_b() {
		resource a '' 1 1
		resource c '' 1 1
		resource b "[terraform_data.a.id, terraform_data.c.id]" 1 1
		resource d terraform_data.b.id 1 1 cbd
		resource k "[terraform_data.a.id, terraform_data.b.id]" 1 1
	}
	without_b() {
		resource a '' 2 1
		resource c '' 1 2
		resource d '' 2 1 cbd
		resource k terraform_data.a.id 1 1
	}
	from used_b
	# B, late because of D, goes before A is made again, which K waits for; D
	# goes before it, but not before C is updated
	to without_b
	[[ ,$(order), = *,'C updated',* ]]
	[[ $(order) = *'D destroyed,B destroyed,A destroyed,A created,K updated' ]]
}

# bats test_tags=once
@test "a whole module is what it does, not what it is given, where that is a circle" {
	mkdir m
	version() { # N REFERENCE
		resource a '' "$1" 1
		printf 'module "m" {\n  source = "./m"\n  v = %s\n}\n' \
			terraform_data.a.id
		resource c '' 1 "$1" | sed '2i depends_on = [module.m]'
		{ echo 'variable "v" {}'; resource b "$2" "$1" 1 cbd; } >m/main.tf
	}
	version 1 var.v >main.tf
	tf init >/dev/null
	apply
	# B does not use the variable any more
	to version 2 null
	[ "$(order)" = 'B created,C updated,B destroyed,A destroyed,A created' ]
	# where it is no circle C waits for all of it
	to version 3 null
	[[ ,$(order), = *,'A created,'*'C updated',* ]]
}

@test "what goes late does not wait for what is new, where that is a circle" {
	c_late() {
		resource a '' 1 1
		resource b terraform_data.a.id 1 1
		resource c terraform_data.b.id 1 1 cbd
	}
	from c_late
	b_by_key() {
		resource a '' 2 1
		resource b terraform_data.a.id 1 1 | sed '2i for_each = toset(["k"])'
		resource c null 2 1 cbd
	}
	to b_by_key
	[ "$(order)" = 'C created,C destroyed,B destroyed,A destroyed,A created,B created' ]
}

@test "what goes late does not wait for what is only read" {
	echo '{"version": 4, "serial": 1, "lineage": "other", "resources": [],
		"terraform_version": "1.6.0", "outputs":
		{"v": {"value": "v", "type": "string"}}}' >other.tfstate
	read_of_a() {
		resource a '' "$1" 1
		cat <<-'END'
		data "terraform_remote_state" "w" {
		  backend  = "local"
		  config   = { path = "other.tfstate" }
		  defaults = { a = terraform_data.a.id }
		}
		END
		resource b "$2" "$1" 1 cbd
	}
	from read_of_a 1 data.terraform_remote_state.w.outputs
	# B, which needs it no more, is gone before A is, after which it is read
	to read_of_a 2 null
	[ "$(order)" = 'B created,B destroyed,A destroyed,A created,W read' ]
}

@test "a reference of one instance waits for that" {
	two_a() { # REPLACED-OF-THE-SECOND
		resource a '' "[count.index, count.index * $1]" 1 |
			sed '2i count = 2'
	}
	b_and_c() {
		two_a 1
		resource b 'terraform_data.a[1].id' 1 1 cbd
		resource c '[terraform_data.a[0].id, terraform_data.b.id]' 1 1
	}
	from b_and_c
	c_alone() {
		two_a 2
		resource c 'terraform_data.a[0].id' 1 1
	}
	to c_alone
	[ "$(order)" = 'C updated,B destroyed,A destroyed,A created' ]
}

@test "in a circle what goes late does not wait for what did not depend on it so far" {
	{
		resource g '' 1 1 cbd
		resource t '' 1 1
		resource h '[terraform_data.g.id, terraform_data.t.id]' 1 1 cbd
	} | config
	apply
	{
		resource g '' 2 1 cbd
		resource t '' 2 1
		resource h '[terraform_data.g.id, terraform_data.t.id]' 1 1 |
			sed '2i\  for_each = toset(["x"])'
		resource m 'terraform_data.h["x"].id' 1 1
	} | config
	apply
	run -0 order
	[ "$output" = "$(paste -sd, <<-'END'
	G created
	H destroyed
	T destroyed
	T created
	H created
	M created
	G destroyed
	END
	)" ]
}

@test "in a circle what goes late does not wait for what a check reads" {
	{
		resource s '' 1 1
		resource k terraform_data.s.id 1 1 cbd
		resource u terraform_data.k.id 1 1
	} | config
	apply
	cp terraform.tfstate other.tfstate
	{
		resource s '' 2 1
		resource k '' 1 1 cbd | sed '2i\  for_each = toset(["x"])'
		resource u 'terraform_data.k["x"].id' 1 1
		cat <<-'TF'
		check "c" {
		  data "terraform_remote_state" "d" {
		    backend  = "local"
		    config   = { path = "other.tfstate" }
		    defaults = { k = terraform_data.k["x"].id }
		  }
		  assert {
		    condition     = data.terraform_remote_state.d.outputs != null
		    error_message = "none"
		  }
		}
		TF
	} | config
	apply
	run -0 order
	[ "$output" = \
		'K created,U updated,K destroyed,S destroyed,S created,D read' ]
}

@test "what a module around it has: only in the same instance" {
	mkdir -p m/n
	resource b '' 'var.w' 1 >m/main.tf
	cat >>m/main.tf <<'TF'
variable "w" {}
module "n" {
  source = "./n"
  b      = terraform_data.b.id
}
output "b" { value = terraform_data.b.id }
TF
	{ echo 'variable "b" {}'; resource d var.b 1 1 cbd; } >m/n/main.tf
	main() { # KEYS W
		printf 'module "m" {\n source = "./m"\n for_each = toset(%s)\n' "$1"
		printf ' w = "%s"\n}\n' "$2"
		resource c '[for m in module.m : m.b]' 1 "$2"
	}
	main '["x", "y"]' 1 >main.tf
	tf init >/dev/null
	apply
	# one instance goes, with what is late; the other is made again
	main '["x"]' 2 >main.tf
	echo 'variable "b" {}' >m/n/main.tf
	apply
	run -0 order
	[[ $output == *'C updated,D destroyed'* ]]
}

@test "what goes late in an instance of a module: only for users below the same" {
	mkdir -p a/b a/c
	printf 'module "a" {\n source = "./a"\n for_each = toset(["x", "y"])\n}\n' \
		>main.tf
	cat >a/main.tf <<-'TF'
	module "c" { source = "./c" }
	module "b" {
	  source = "./b"
	  v      = module.c.o
	}
	TF
	version() { # N REFERENCE [cbd]
		{
			resource e '' 1 "$1"
			[ "$2" = null ] || resource d terraform_data.e.id 1 1
			echo "output \"o\" { value = $2 }"
		} >a/c/main.tf
		{
			echo 'variable "v" {}'
			resource f var.v 1 1 "${3-}"
		} >a/b/main.tf
	}
	version 1 terraform_data.d.id
	tf init >/dev/null
	apply
	# D goes, what used it creates before destroying in one instance
	version 2 null cbd
	apply -replace='module.a["x"].module.b.terraform_data.f'
	[[ $(order 'module.a["x"]') = *'F destroyed,D destroyed' ]]
	[[ $(order 'module.a["y"]') = 'D destroyed,'*'F updated'* ]]
}

@test "an instance of a module without a key is not all that have one" {
	mkdir m
	version() { # COUNT VALUE OF-S
		resource s '' "$2" 1
		printf 'module "m" {\n source = "./m"\n v = %s\n %s\n}\n' "$3" "$1"
	}
	{
		echo 'variable "v" {}'
		resource b var.v 1 1 cbd
		resource c '[var.v, terraform_data.b.id]' 1 1
	} >m/main.tf
	version 'count = 2' 1 terraform_data.s.id >main.tf
	tf init >/dev/null
	apply
	# m[0] is m now and needs S no more; the object of m[1] goes late
	version '' 2 null >main.tf
	apply
	run -0 order
	[ "$output" = 'C destroyed,B destroyed,S destroyed,S created,B updated,C updated' ]
}

@test "what is read for a module waits for what that is given, by way of nothing, too" {
	mkdir m
	echo '{"version": 4, "serial": 1, "lineage": "x", "resources": []}' \
		>other.tfstate
	read_other() { # NAME LINE
		printf 'data "terraform_remote_state" "%s" {\n' "$1"
		printf '  backend = "local"\n'
		printf '  config  = { path = "other.tfstate" }\n  %s\n}\n' "$2"
	}
	version() { # VALUE
		resource c '' "$1" 1 | sed '$d'
		printf '  provisioner "local-exec" { command = "sleep 0.3" }\n}\n'
		read_other none 'count = 0' | sed '$d'
		printf '  depends_on = [terraform_data.c]\n}\n'
		printf 'module "m" {\n  source = "./m"\n'
		printf '  v      = data.terraform_remote_state.none[*].outputs\n}\n'
		read_other d 'depends_on = [module.m]'
	}
	printf 'variable "v" {}\nlocals {\n  v = var.v\n}\n' >m/main.tf
	version 1 >main.tf
	tf init >/dev/null
	apply
	version 2 >main.tf
	apply
	[ "$(order)" = 'C destroyed,C created,D read' ]
}

@test "what has moved goes after what depended on it by its old name" {
	from a_b 1 1
	config <<-END
	moved {
	  from = terraform_data.a
	  to   = terraform_data.a2
	}
	END
	apply
	[ "$(order)" = 'B destroyed,A2 destroyed' ]
}

@test "what has moved in one instance of a module has not in the others" {
	mkdir m
	version() { # COUNT-OF-S VALUE [B]
		resource s '' "$2" 1 | sed "2i\\  count = $1"
		if [ -n "${3-}" ]; then
			resource a '' 1 1 cbd
			resource b terraform_data.a.id 1 1 cbd
			resource c terraform_data.b.id 1 1
		else
			resource c 'terraform_data.s[*].id' 1 1
		fi
	}
	printf 'module "m" {\n source = "./m"\n count = 2\n v = count.index\n}\n' \
		>main.tf
	echo 'variable "v" {}' >m/main.tf
	version '1 - var.v' 1 B >>m/main.tf
	tf init >/dev/null
	apply
	echo 'variable "v" {}' >m/main.tf
	version 1 2 >>m/main.tf
	cat >>main.tf <<-END
	moved {
	  from = module.m[1].terraform_data.a
	  to   = module.m[1].terraform_data.s[0]
	}
	END
	apply
	run -0 order 'module.m[0]'
	[ "$output" = 'S destroyed,S created,C updated,B destroyed,A destroyed' ]
	# here S is the old A, which B depended on: B cannot wait for C
	run -0 order 'module.m[1]'
	[ "$output" = 'B destroyed,S destroyed,S created,C updated' ]
}

# Two instances of a module, each with an A and a B that takes its time to go; then
# without A, with another name for B, and what has moved between them.
moved_between() { # NAME-OF-B FROM TO
	mkdir m
	slow() { # NAME VALUE REFERENCE
		resource "$1" "$3" "$2" 1 | sed '$d'
		printf '  provisioner "local-exec" {\n    when    = destroy\n'
		printf '    command = "sleep 0.3"\n  }\n}\n'
	}
	printf 'module "m" {\n source = "./m"\n count = 2\n}\n' >main.tf
	{
		resource a '' 1 1
		slow b 1 terraform_data.a.id
	} >m/main.tf
	tf init >/dev/null
	apply
	slow "$1" 2 '' >m/main.tf
	printf 'moved {\n from = module.%s\n to = module.%s\n}\n' "$2" "$3" \
		>>main.tf
	apply
	jq -r 'select(.type? == "apply_complete").hook |
		select(.action == "delete").resource |
		"\(.module[-2:-1])\(.resource_name)"' events >gone
}

@test "what has moved to another instance of a module goes after what used it in the old" {
	moved_between b 'm[1].terraform_data.a' 'm[0].terraform_data.a2'
	[ "$(grep -e 1b -e a2 gone | paste -sd,)" = 1b,0a2 ]
	[ "$(grep -e 0b -e '0a$' gone | paste -sd,)" = 0b,0a ]
}

@test "what has moved to another instance of a module goes before what it used in the old" {
	moved_between b2 'm[1].terraform_data.b' 'm[0].terraform_data.b2'
	[ "$(grep -e b2 -e 1a gone | paste -sd,)" = 0b2,1a ]
}

@test "what has moved to another instance of a module depended on nothing in the old" {
	# its A was taken out of the state
	mkdir m
	echo 'variable "v" {}' >m/main.tf
	{
		resource a '' var.v 1
		resource b terraform_data.a.id var.v 1
	} >>m/main.tf
	main() { # VALUE KEYS
		printf 'module "m" {\n source = "./m"\n v = %s\n' "$1"
		printf ' for_each = toset(["%s"])\n}\n' "$2"
	}
	main 1 'o", "n' >main.tf
	tf init >/dev/null
	apply
	tf state rm 'module.m["o"].terraform_data.a' 'module.m["n"].terraform_data.b'
	{
		main 2 n
		printf 'moved {\n from = module.m["o"].terraform_data.b\n'
		printf ' to = module.m["n"].terraform_data.b\n}\n'
	} >main.tf
	apply
	run -0 order
	[ "$output" = 'B destroyed,A destroyed,A created,B created' ]
}

@test "what has moved out of one instance of a module hurries nothing in the others" {
	mkdir m
	main() { # VALUE
		resource s '' "$1" 1 cbd
		printf 'module "m" {\n source = "./m"\n count = 2\n'
		printf ' s = terraform_data.s.id\n}\n'
	}
	main 1 >main.tf
	{
		echo 'variable "s" {}'
		resource a var.s 1 1
		resource b terraform_data.a.id 1 1 cbd
	} >m/main.tf
	tf init >/dev/null
	apply
	echo 'variable "s" {}' >m/main.tf
	{
		main 2
		resource v '' 2 1
		cat <<-END
		moved {
		  from = module.m[1].terraform_data.a
		  to   = terraform_data.v
		}
		END
	} >main.tf
	apply
	# V goes before S is made again, and what used it goes before V
	run -0 order
	[[ $output = 'B destroyed,V destroyed,S created,'* ]]
	[[ $output = *',B destroyed,A destroyed,S destroyed' ]]
}

@test "what used it by its old name does not wait for it, where that is a circle" {
	before() {
		resource s '' 1 1
		resource a terraform_data.s.id 1 1
		resource b 'terraform_data.s.id, terraform_data.a.id' 1 1 cbd
	}
	# V, the old A, is to go before S is made, S before the new B, after
	# which the old B goes, which used A
	after() {
		resource s '' 2 1
		resource v '' 2 1
		resource b terraform_data.s.id 2 1 cbd
		printf 'moved {\n  from = terraform_data.a\n'
		printf '  to   = terraform_data.v\n}\n'
	}
	from before
	to after
	run -0 order
	[ "${output/,V created/}" = \
		'V destroyed,S created,B created,B destroyed,S destroyed' ]
}

@test "what has moved from two instances of a module goes before what it used in each" {
	mkdir m
	slow() { # NAME VALUE REFERENCE
		resource "$1" "$3" "$2" 1 | sed '$d'
		printf '  provisioner "local-exec" {\n    when    = destroy\n'
		printf '    command = "sleep 0.%s"\n  }\n}\n' 3
	}
	printf 'module "m" {\n source = "./m"\n count = 2\n}\n' >main.tf
	{
		resource a '' 1 1
		slow b 1 terraform_data.a.id
	} >m/main.tf
	tf init >/dev/null
	apply
	sed -i 's/count = 2/count = 3/' main.tf
	slow c 2 '' | sed '2i\  count = 2' >m/main.tf
	for i in 0 1; do
		printf 'moved {\n from = module.m[%s].terraform_data.b\n' $i
		printf ' to   = module.m[2].terraform_data.c[%s]\n}\n' $i
	done >>main.tf
	apply
	jq -r 'select(.type? == "apply_complete").hook |
		select(.action == "delete").resource |
		"\(.module[-2:-1])\(.resource_name)\(.resource_key // "")"' \
		events >gone
	[ "$(grep -e c0 -e 0a gone | paste -sd,)" = 2c0,0a ]
	[ "$(grep -e c1 -e 1a gone | paste -sd,)" = 2c1,1a ]
}

# What follows from the function, where an old B of it was not destroyed.
with_old_b() { # CONFIG...
	"$@" | config
	apply
	deposed b
}

deposed() { # NAME: a copy of its object
	jq --arg name "$1" '(.resources[] | select(.name == $name).instances) |=
		. + map(.deposed = "0123abcd")' terraform.tfstate >state
	mv state terraform.tfstate
}

@test "what a deposed object depended on goes as late" {
	before() {
		a_b 1 1
		resource c terraform_data.a.id 1 1
	}
	after() {
		resource b '' 1 1
		resource c '' 1 1
	}
	with_old_b before
	to after
	[ "$(order)" = 'B updated,C updated,B destroyed,A destroyed' ]
}

@test "what only the present object depends on does not hold a deposed one in a circle" {
	with_old_b a_b 1 1
	deposed a
	{
		resource a terraform_data.c.id 1 1
		resource c '' 1 1
		printf 'moved {\n  from = terraform_data.b\n  to = terraform_data.c\n}\n'
	} | config
	apply
	[ "$(order | tr , '\n' | grep destroyed | paste -sd,)" = 'C destroyed,A destroyed' ]
}

@test "what has moved goes after a deposed object that used it by its old name" {
	with_old_b a_b 1 1
	config <<-END
	$(resource b '' 1 1)
	moved {
	  from = terraform_data.a
	  to   = terraform_data.a2
	}
	END
	apply
	[ "$(order)" = 'B updated,B destroyed,A2 destroyed' ]
}

@test "an old object that is deposed waits for what is new and needs it" {
	after() {
		a_b 1 1
		resource c terraform_data.b.id 1 1
	}
	with_old_b a_b 1 1
	to after
	[ "$(order)" = 'C created,B destroyed' ]
}

@test "in a circle what goes late waits where it is in none" {
	mkdir m
	main() { # VALUE-OF-THE-SECOND-S K
		printf 'module "m" {\n source = "./m"\n count = 2\n'
		printf ' v = count.index * %s\n}\n' "$1"
		printf '%s\n' "$2"
	}
	main 1 '' >main.tf
	{
		echo 'variable "v" {}'
		resource s '' var.v 1
		resource a terraform_data.s.id 1 1 cbd
		echo 'output "o" { value = [terraform_data.a, terraform_data.s] }'
	} >m/main.tf
	tf init >/dev/null
	apply
	main 2 "$(resource k 'module.m[*].o[*].id' 1 1)" >main.tf
	{
		echo 'variable "v" {}'
		resource s '' var.v 1
		resource a '' 2 1 cbd
		echo 'output "o" { value = [terraform_data.a, terraform_data.s] }'
	} >m/main.tf
	apply
	run -0 order
	[ "$output" = "$(paste -sd, <<-'END'
	A created
	A created
	A destroyed
	S destroyed
	S created
	K created
	A destroyed
	END
	)" ]
}

@test "random changes of random configurations keep every rule" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	run -0 "$TF_TEST_SRC/tests/order/run" --work "$PWD/work" --count $((100 / FEWER))
	[[ ${lines[-1]} = $((100 / FEWER))' passed, 0 failed, 0 skipped' ]]
}

@test "tf-canon writes the same of the same random plans" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	run -0 "$TF_TEST_SRC/tests/order/run" --work "$PWD/work" --seed 5000 \
		--count $((25 / FEWER)) --lines
	[[ ${lines[-1]} = $((25 / FEWER))' passed, 0 failed, 0 skipped' ]]
}

# bats test_tags=once
@test "what cannot go late in a circle goes late nowhere" {
	# y7 is made when what u6 was is gone, for n9 does not wait for y7
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	run -0 "$TF_TEST_SRC/tests/order/run" --work "$PWD/work" --seed 600459 \
		--count 1 --harsh
	[[ ${lines[-1]} = '1 passed, 0 failed, 0 skipped' ]]
}

# bats test_tags=once
@test "each circle is broken for itself, by what gives way the soonest in it" {
	# in one it is an order between two providers, in the other x5 goes early
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	run -0 "$TF_TEST_SRC/tests/order/run" --work "$PWD/work" --seed 102122 \
		--count 1
	[[ ${lines[-1]} = '1 passed, 0 failed, 0 skipped' ]]
}

@test "what cannot go late in a circle does not go late for what is new either" {
	keyed() { # KEYS REFERENCE UPDATED
		resource a "$2" 1 "$3" cbd | sed "2i for_each = toset([$1])"
	}
	one() {
		resource z '' 1 1
		resource w terraform_data.z.id 1 1
		keyed '"k", "gone"' terraform_data.w.id 1
	}
	# the old W goes before Z is updated, and A["gone"] before that: did this wait
	# for X, A["k"] could not wait for the old W
	two() {
		resource z '' 1 2
		resource w '' 2 1
		keyed '"k"' '' 2
		resource x 'terraform_data.a["k"].id' 1 1
	}
	from one
	to two
	[[ $(order) = *'W destroyed'*'A updated'* ]]
}

# bats test_tags=once
@test "an order that breaks a rule is seen" {
	need python3
	export PYTHONDONTWRITEBYTECODE=1
	mkdir bin
	# two events change places: what is done first is told last
	cat >bin/tf-apply <<-END
	#!/bin/sh
	"$(command -v tf-apply)" "\$@" |
	    awk '/"type":"apply_(start|complete)"/ { e[n++] = \$0; next }
	        /"record":"end"/ { while (n) print e[--n] } { print }'
	END
	chmod +x bin/tf-apply
	PATH=$PWD/bin:$PATH
	run -1 "$TF_TEST_SRC/tests/order/run" --work "$PWD/work" --count 5
	[[ $output = *'seed 1: '* ]]
}

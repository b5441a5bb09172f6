#!/usr/bin/env bats
# tf-plan: what it takes, what it passes on, what it refuses

load common

jq_itself

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >main.tf <<'TF'
variable "v" { default = "x" }
resource "terraform_data" "a" { input = var.v }
resource "terraform_data" "b" { input = terraform_data.a.output }
output "o" { value = terraform_data.b.output }
TF
}

actions() {
	jq -r 'select(.record == "planned") | .address + " " + .action'
}

applied() {
	tf-plan -C . "$@" | tf-apply >/dev/null
}

@test "the input is passed on byte for byte" {
	tf-parse | tf-eval | tf-graph >in
	tf-plan <in >out
	sed '$d' in >passed
	n=$(wc -l <passed)
	head -n $n out | cmp - passed
	[ "$(sed -n "$((n + 1))p" out | jq -r .tool)" = tf-plan ]
}

@test "stages that were left out are done here, with the same result" {
	tf-parse | tf-eval -var v=y | tf-graph -target=terraform_data.a |
		tf-plan | jq -c 'select(.planned)' >1
	tf-parse | tf-plan -var v=y -target=terraform_data.a |
		jq -c 'select(.planned)' >2
	mkdir elsewhere
	(cd elsewhere &&
		tf-plan -C .. -var v=y -target=terraform_data.a) |
		jq -c 'select(.planned)' >3
	grep -q '"input":"y"' 1
	cmp 1 2
	cmp 1 3
}

@test "without its files, a configuration that was parsed is planned" {
	tf-parse >in
	rm main.tf
	[ "$(tf-plan <in | actions | tr '\n' ' ')" = \
		'terraform_data.a create terraform_data.b create ' ]
}

@test "each change is said twice, and its plan once" {
	applied
	tf-plan -C . -var v=y -replace=terraform_data.b >out
	diff <(actions <out) - <<'X'
terraform_data.a update
terraform_data.b delete-then-create
X
	jq -r 'select(.record == "resource_change") | .address + " " +
		(.change.actions | join(",")) + " " + (.action_reason // "")' \
		out >got
	diff got - <<'X'
terraform_data.a update 
terraform_data.b delete,create replace_by_request
X
	[ "$(jq -c 'select(.record == "plan") |
		[.mode, .applyable, .errored, .complete, .variables.v.value]' \
		out)" = '["normal",true,false,true,"y"]' ]
}

@test "equal plans are equal bytes but for the time" {
	applied
	for i in 1 2; do
		tf-plan -C . -parallelism=$i -var v=y >$i
		# so that there is another time to tell, and to seal
		sleep 1
	done
	run -1 cmp -s 1 2
	for i in 1 2; do
		sed 's/"@*timestamp":"[^"]*"//; s/"options":\[[^]]*\]//
			/^{"record":"seal",/s/"plan":\(\[1,\)*"[^"]*"//g
			s/"plan":{"names":\[[^]]*\],"bits":"[^"]*"}//' $i >$i.rest
	done
	cmp 1.rest 2.rest
}

# bats test_tags=once
@test "-destroy, -refresh-only, -detailed-exitcode" {
	run -2 --separate-stderr tf-plan -C . -detailed-exitcode
	applied
	run -0 --separate-stderr tf-plan -C . -detailed-exitcode
	[ "$(tf-plan -C . -destroy | actions | tr '\n' ' ')" = \
		'terraform_data.a delete terraform_data.b delete ' ]
	[ "$(tf-plan -C . -refresh-only -var v=y | actions |
		grep -vc no-op)" = 0 ]
	run -1 --separate-stderr tf-plan -C . -destroy -refresh-only
	[[ $stderr == *'Error: Incompatible plan mode options'* ]]
}

@test "an empty input is an error that names -C" {
	run -1 --separate-stderr tf-plan </dev/null
	[[ $stderr == *'Error: No input'* ]]
	[[ $stderr == *-C* ]]
}

# bats test_tags=once
@test "what is no stream, no whole one, or a later version is refused" {
	tf-parse >in
	while IFS='|' read -r how what; do
		eval "$how" <in >bad
		run -1 --separate-stderr tf-plan <bad
		[[ $stderr == *"Error: $what"* ]] ||
			{ echo "$how: $stderr"; false; }
		run -1 grep -q '"record":"plan"' <<<"$output"
	done <<'X'
head -n 3|Incomplete input stream
head -c 300|Incomplete input stream
tail -n +2|Invalid input stream
sed 's/"version":1}/"version":2}/'|Invalid input stream
cat main.tf #|Invalid input stream
cat in in #|Invalid input stream
X
}

@test "a failed stream is passed on in silence, and fails again" {
	echo 'output "x" { value = nope.x.y }' >bad.tf
	tf-parse >in 2>err || true
	[ -s err ]
	run -1 --separate-stderr tf-plan <in
	[ -z "$stderr" ]
	sed '$d' in >passed
	head -n "$(wc -l <passed)" <<<"$output" | cmp - passed
	[ "$(tail -n 1 <<<"$output")" = '{"record":"end","failed":true}' ]
	run -1 grep -q '"record":"plan"' <<<"$output"
}

@test "the configuration is checked while the state is still being read" {
	echo 'resource "terraform_data" "c" { nothing = 1 }' >>main.tf
	tf-parse | tf-graph >in
	
	# As checked early, so checked late.
	run --separate-stderr tf-plan <in
	[ "$status" -eq 1 ]
	[[ $stderr == *'Unsupported argument'* ]]
	[ "$(grep -c 'Unsupported argument' <<<"$stderr")" -eq 1 ]
	# What was found counts only if nothing before has failed.
	sed '$d' in >failed
	echo '{"record":"end","failed":true}' >>failed
	run --separate-stderr tf-plan <failed
	[ "$status" -eq 1 ]
	[ -z "$stderr" ]
	echo '{' >terraform.tfstate
	tf-parse >in
	run -1 tf-graph <in
	run -1 --separate-stderr bash -o pipefail -c 'tf-graph <in | tf-plan'
	[[ $stderr == *'Unsupported state file format'* ]]
	[[ $stderr != *'Unsupported argument'* ]]
}

@test "a configuration that goes on after the selectors is refused" {
	tf-parse | tf-graph >in
	grep -v '"address":"terraform_data.b","module"' in >less
	late=$(grep '"record":"resource","address":"terraform_data.b"' in)
	sed '$d' less >late
	printf '%s\n' "$late" '{"record":"end"}' >>late
	run --separate-stderr tf-plan <late
	[ "$status" -eq 1 ]
	[[ $stderr == *'Invalid stream'*'comes after those of tf-graph'* ]]
}

@test "a plan with errors is a whole stream that says so" {
	echo 'resource "terraform_data" "c" { input = var.v + 1 }' >c.tf
	run -1 --separate-stderr tf-plan -C . -json
	[ -z "$stderr" ]
	[ "$(jq -c 'select(.record == "plan") | [.errored, .applyable,
		.complete]' <<<"$output")" = '[true,false,false]' ]
	[ "$(jq -r 'select(.record == "diagnostic") | .severity + " " +
		.range.filename' <<<"$output")" = 'error c.tf' ]
	[[ $(actions <<<"$output") == *'terraform_data.a create'* ]]
	[ "$(tail -n 1 <<<"$output")" = '{"record":"end","failed":true}' ]
}

@test "a second pass, and options that conflict with earlier stages" {
	tf-parse | tf-eval -var v=y | tf-graph >in
	tf-plan <in >out
	run -1 --separate-stderr tf-plan <out
	[[ $stderr == *'Error: Stage has run already'* ]]
	for option in -destroy -target=terraform_data.a \
		-replace=terraform_data.a -state=x -var=v=z; do
		run -1 --separate-stderr tf-plan "$option" <in
		[[ $stderr == *'Error: Conflicting options'* ]] ||
			{ echo "$option: $stderr"; false; }
	done
	run -0 --separate-stderr tf-plan -refresh=false -var=v=y <in
}

@test "-validate: against schemas, without variables, state and a plan" {
	sed -i 's/ { default = "x" }/ {}/' main.tf
	echo 'no state' >terraform.tfstate
	run -0 --separate-stderr tf-plan -C . -validate
	run -1 grep -qE '"record":"(plan|planned|state)"' <<<"$output"
	echo 'resource "terraform_data" "c" { inptu = 1 }' >c.tf
	run -1 --separate-stderr tf-plan -C . -validate
	[[ $stderr == *'Error: Unsupported argument'* ]]
	[[ $stderr == *'on c.tf line 1'* ]]
}

@test "-validate: files of variables are read, arguments of modules checked" {
	mkdir m
	cat >m/main.tf <<'TF'
variable "x" {
  type = string
  validation {
    condition     = var.x == "z"
    error_message = "Not z."
  }
}
output "o" { value = upper(var.x) }
TF
	cat >main.tf <<'TF'
module "a" {
  source = "./m"
  x      = "z"
}
TF
	tf init >/dev/null
	tf-plan -C . -validate >/dev/null
	printf 'v = "x"\nv = "y"\n' >terraform.tfvars
	run -1 --separate-stderr tf-plan -C . -validate
	[[ $stderr == *'Error: Attribute redefined'* ]]
	rm terraform.tfvars
	run -1 --separate-stderr tf-plan -C . -validate -var v
	[[ $stderr == *'Error: Invalid -var option'* ]]
	sed -i 's/"z"/"q"/' main.tf
	run -1 --separate-stderr tf-plan -C . -validate
	[[ $stderr == *'Error: Invalid value for variable'*'Not z.'* ]]
}

@test "on a terminal, what is secret is not shown unless asked for" {
	need script
	cat >main.tf <<'TF'
variable "v" { sensitive = true }
locals { l = { inner = var.v } }
resource "terraform_data" "a" { triggers_replace = local.l }
output "o" {
  value     = var.v
  sensitive = true
}
TF
	export TF_VAR_v=top-secret
	TF_VAR_v=most-secret applied
	for stages in 'tf-plan -C . -records' 'tf-graph -C .' 'tf-parse | tf-eval'; do
		TF_VAR_v=top-secret script -qec "$stages" /dev/null >out </dev/null
		grep -q '"record":"end","failed":false' out ||
			{ cat out; false; }
		run -1 grep -E 'top-secret|most-secret' out
	done
	script -qec 'tf-plan -C . -records -show-sensitive' /dev/null >out </dev/null
	grep -q top-secret out
	grep -q most-secret out
	# into pipes and files it goes whole
	tf-plan -C . | grep -c '"planned":.*top-secret'
}

@test "an object that may not be destroyed keeps what it stands on" {
	cat >main.tf <<'TF'
resource "terraform_data" "base" {}
resource "terraform_data" "safe" {
  input = terraform_data.base.id
  lifecycle { prevent_destroy = true }
}
resource "terraform_data" "top" { input = terraform_data.safe.id }
TF
	applied
	run -1 --separate-stderr tf-plan -C . -destroy
	[[ $stderr == *"Resource instance cannot be destroyed"* ]]
	[ "$(echo "$output" | actions | tr '\n' ' ')" = \
		'terraform_data.safe delete terraform_data.top delete ' ]
}

@test "what is read while planning is told" {
	echo 'output "v" { value = "far" }' >main.tf
	applied
	mv terraform.tfstate far.tfstate
	cat >main.tf <<'TF'
data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "far.tfstate" }
}
TF
	[ "$(tf-plan -C . | jq -r 'select(.record == "event") | .type +
		" " + ."@message"' | sed 's/ after [0-9]*s/ after/')" = "$(printf '%s\n' \
		'apply_start data.terraform_remote_state.r: Refreshing...' \
		'apply_complete data.terraform_remote_state.r: Refresh complete after')" ]
}

@test "no configuration at all is planned only for destroying" {
	mkdir empty
	cd empty
	run -1 tf-plan -C .
	[[ $output = *'Error: No configuration files'* ]]
	run -1 tf-plan -C . -refresh-only
	[[ $output = *'Error: No configuration files'* ]]
	run -0 tf-plan -C . -destroy
	: >main.tf
	run -0 tf-plan -C .
}

@test "providers: what for_each cannot be, a configuration that is not there" {
	cat >main.tf <<'TF'
resource "terraform_data" "u" {}
provider "terraform" {
  alias    = "by"
  for_each = toset([terraform_data.u.id])
}
TF
	run tf-plan -C .
	[ "$status" = 1 ]
	[[ $output == *"Error: Dynamic value in static context"* ]]
	echo 'resource "terraform_data" "u" { provider = terraform.nope }' >main.tf
	run tf-plan -C .
	[ "$status" = 1 ]
	[[ $output == *"Error: Provider configuration not present"* ]]
	[[ $output == *'"terraform.io/builtin/terraform"'*.nope* ]]
}

@test "more instances than anyone means are refused" {
	echo 'resource "terraform_data" "a" { count = 1e9 }' >main.tf
	run -1 --separate-stderr tf-plan -C .
	[[ $stderr == *"Invalid count argument"* ]]
}

@test "a provisioner that cannot be run is refused before anything is done" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  provisioner "remote-exec" {
    inline = ["true"]
    connection {
      host = "example.com"
      type = "winrm"
    }
  }
}
TF
	run -1 --separate-stderr tf-plan -C .
	[[ $stderr == *"Unsupported connection type"* ]]
	[[ $stderr == *"main.tf line 6"* ]]
	tf-plan -C . -validate >/dev/null
}

@test "the plan says which providers it was made with" {
	[ "$(tf-plan -C . | jq -c 'select(.record == "plan").providers')" = \
		'{"terraform.io/builtin/terraform":null}' ]
}

# bats test_tags=once
@test "what is deprecated is told by validation and by the plan" {
	cat >main.tf <<'TF'
variable "old" {
  default    = "x"
  deprecated = "use new"
}
module "a" {
  source = "./m"
  old    = "given"
}
output "d" { value = module.a.dep }
TF
	mkdir m
	cat >m/main.tf <<'TF'
variable "old" {
  default    = "1"
  deprecated = "do not"
}
output "dep" {
  value      = var.old
  deprecated = "gone soon"
}
TF
	tf init >/dev/null
	tf-parse -json | tf-eval -json -var old=y | tf-graph -json |
		tf-plan -json | jq -r 'select(.record == "diagnostic") |
			"\(.summary) \(.range.start.line)"' | sort >told
	diff - told <<'EOT'
Deprecated variable used from the root module 1
Value derived from a deprecated source 9
Variable marked as deprecated by the module author 7
Variable marked as deprecated by the module author 7
EOT
	# a default is nobody's use of the variable
	tf-parse | tf-eval | tf-graph | tf-plan -json |
		jq -r 'select(.record == "diagnostic") | .range.start.line' |
		sort >told
	[ "$(cat told)" = $'7\n7\n9' ]
}

@test "a zero has no sign in a plan, nor what is applied of it" {
	echo 'output "zero" { value = [-0, { b = 0 * -1 }] }' >main.tf
	tf apply -auto-approve >/dev/null
	[ "$(tf output -json zero)" = '[0,{"b":0}]' ]
	tf plan | grep 'No changes'
}

@test "outputs in the prior state: the old value while the new one is unknown" {
	cat >main.tf <<'TF'
variable "v" { default = 1 }
resource "terraform_data" "a" { input = var.v }
output "o" { value = terraform_data.a.output }
output "n" { value = var.v }
output "gone" { value = 7 }
TF
	tf-plan -C . | tf-apply >/dev/null
	sed -i '/gone/d' main.tf
	tf-plan -C . -var v=2 | tf-show -json >plan.json
	[ "$(jq -cS '.prior_state.values.outputs|map_values(.value)' plan.json)" = \
		'{"gone":7,"n":"2","o":1}' ]
	# destroying deletes what the state has, declared or not
	tf-plan -C . -destroy | tf-show -json >plan.json
	[ "$(jq -c '.output_changes|map_values(.actions[0])' plan.json)" = \
		'{"gone":"delete","n":"delete","o":"delete"}' ]
}

@test "conditions of what has no instances pass" {
	mkdir m
	cat >m/main.tf <<'TF'
variable "v" {
  validation {
    condition     = var.v > 0
    error_message = "v"
  }
}
resource "terraform_data" "a" {
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "id"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = var.v > 0
    error_message = "o"
  }
}
TF
	cat >main.tf <<'TF'
module "m" {
  source = "./m"
  count  = 0
  v      = 1
}
TF
	tf init >/dev/null
	tf-plan -C . >plan
	[ "$(tf-show -json plan | jq -c '[.checks[].status]')" = \
		'["pass","pass","pass"]' ]
	tf-apply <plan >/dev/null
	[ "$(jq -c '[.check_results[].status]' terraform.tfstate)" = \
		'["pass","pass","pass"]' ]
}

@test "refresh-only: what is in no state is in no splat, and conditions hold" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  count = 2
  lifecycle {
    postcondition {
      condition     = self.id != ""
      error_message = "id"
    }
  }
}
resource "terraform_data" "b" { for_each = toset(["x"]) }
output "o" { value = [terraform_data.a[*].input, keys(terraform_data.b)] }
resource "terraform_data" "c" {
  lifecycle { enabled = true }
}
data "terraform_remote_state" "d" {
  count   = 1
  backend = "local"
  config  = { path = terraform_data.e.id }
}
resource "terraform_data" "e" {}
output "p" {
  value = [terraform_data.c == null, data.terraform_remote_state.d[*].outputs]
}
TF
	tf-plan -C . -target='terraform_data.a[0]' | tf-apply >/dev/null
	tf-plan -C . -refresh-only >plan
	[ "$(tf-show -json plan | jq -c .planned_values.outputs.o.value)" = \
		'[[null],[]]' ]
	[ "$(tf-show -json plan | jq -c .planned_values.outputs.p.value)" = \
		'[true,[]]' ]
	tf-apply <plan >/dev/null
	[ "$(jq -c '[.check_results[0].objects[].status]' terraform.tfstate)" = \
		'["pass","unknown"]' ]
}

@test "attributes that a module's output gives are relevant" {
	mkdir m
	cat >m/main.tf <<'TF'
resource "terraform_data" "a" {}
output "o" { value = terraform_data.a.id }
TF
	echo 'module "m" { source = "./m" }' >main.tf
	tf init >/dev/null
	tf-plan -C . | tf-show -json | jq -e '.relevant_attributes ==
		[{"resource": "module.m.terraform_data.a", "attribute": ["id"]}]'
}

@test "what an instance of a module had is relevant when it is destroyed" {
	mkdir -p m/inner
	cat >m/inner/main.tf <<'TF'
variable "v" {}
resource "terraform_data" "c" { input = var.v }
output "o" { value = terraform_data.c.id }
TF
	cat >m/main.tf <<'TF'
resource "terraform_data" "a" {}
module "inner" {
  source = "./inner"
  v      = terraform_data.a.id
}
resource "terraform_data" "b" { input = module.inner.o }
TF
	cat >main.tf <<'TF'
variable "apps" {
  type    = set(string)
  default = ["web", "api"]
}
module "m" {
  source   = "./m"
  for_each = var.apps
}
TF
	tf init >/dev/null
	applied
	TF_VAR_apps='["api"]' tf-plan -C . | tf-show -json | jq -c \
		'.relevant_attributes[] | [.resource, .attribute[]]' |
		diff - <(cat <<'END'
["module.m[\"api\"].module.inner.terraform_data.c","id"]
["module.m[\"web\"].module.inner.terraform_data.c","id"]
["module.m[\"web\"].terraform_data.a","id"]
END
)
}

@test "-exclude: outputs of what is not excluded are kept up to date" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" { input = terraform_data.a.id }
TF
	applied
	cat >>main.tf <<'TF'
output "a" { value = terraform_data.a.output }
output "b" { value = terraform_data.b.output }
TF
	applied -exclude=terraform_data.b
	[ "$(jq -c '.outputs|map_values(.value)' terraform.tfstate)" = '{"a":1}' ]
}

@test "moves: nothing that targeting leaves out, or destroying, is declared" {
	moved() { printf 'moved {\n  from = %s\n  to = %s\n}\n' "$@"; }
	applied
	moved terraform_data.a terraform_data.b >m.tf
	run -1 tf plan
	[[ $output = *'Error: Moved object still exists'* ]]
	run -0 tf plan -no-color -exclude=terraform_data.a
	[[ $output = *'Warning: Unresolved resource instance address changes'* ]]
	run -0 tf plan -destroy -refresh=false
	run -1 tf plan -destroy
	moved terraform_data.x terraform_data.x >m.tf
	for destroy in -destroy '-destroy -refresh=false' -target=terraform_data.a
	do
		run -1 tf plan $destroy
		[[ $output = *'Error: Redundant move statement'* ]]
	done
	[[ $output = *'Warning: Resource targeting is in effect'* ]]
}

# bats test_tags=once
@test "moves: all objects of an instance move along a chain, and stay nowhere else" {
	cat >main.tf <<'TF'
resource "terraform_data" "a" {
  count = 2
  lifecycle { create_before_destroy = true }
}
TF
	tf apply -auto-approve >/dev/null
	# each has a deposed object, too
	jq '.serial += 1 | .resources[0].instances |=
		([.[], .[] + {deposed: "12345678"}])' terraform.tfstate >new
	mv new terraform.tfstate
	cat >main.tf <<'TF'
resource "terraform_data" "c" { count = 2 }
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
TF
	tf-plan -C . >plan
	[ "$(jq -r 'select(.record == "prior_state" and .gone).address' plan |
		sort -u | xargs)" = 'terraform_data.a[0] terraform_data.a[1]' ]
	tf-apply <plan >/dev/null
	[ "$(jq -c '[.resources[] | [.name, (.instances | length)]]' \
		terraform.tfstate)" = '[["c",2]]' ]
	tf plan -detailed-exitcode >/dev/null
}

# bats test_tags=once
@test "what a check asserts is evaluated by a plan, and not with -target" {
	cat >main.tf <<'TF'
locals { x = 1 }
resource "terraform_data" "a" {}
check "c" {
  assert {
    condition     = anytrue([2, local.x == 1])
    error_message = "It must hold."
  }
}
TF
	tf validate >/dev/null
	tf plan -target=terraform_data.a >/dev/null
	run -1 tf plan
	[[ $output == *'Invalid function argument'* ]]
}

#!/usr/bin/env bats
# tf-apply: what it refuses, what it does when things fail or are interrupted

load common

jq_itself

setup() {
	graph=()
	cd "$BATS_TEST_TMPDIR"
	unset TFPIPE_TEST_BUILTIN_DELAY TFPIPE_LOCK_TOKEN
}

config() {
	cat >main.tf
}

plan() {
	tf-parse | tf-eval | tf-graph "${graph[@]}" | tf-plan "$@"
}

ids() { # of a resource in the state
	jq -r --arg n "$1" '.resources[] | select(.name==$n) | .instances[] |
		select(.deposed|not) | .attributes.id' terraform.tfstate
}

three() {
	config <<'TF'
resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "b" { input = terraform_data.a.id }
resource "terraform_data" "c" { input = terraform_data.b.id }
output "c" { value = terraform_data.c.output }
TF
}

messages() {
	jq -r 'select(.record=="event") | .["@message"]' "$@"
}

# bats test_tags=once
@test "applies in order, passes the plan on, ends cleanly" {
	three
	plan >p
	tf-apply <p >out
	sed '$d' p >passed
	head -n "$(wc -l <passed)" out | cmp - passed
	[ "$(tail -n 1 out)" = '{"record":"end","failed":false}' ]
	messages out | grep -o '^terraform_data[^ ]* [A-Z][a-z]*' >got
	diff got - <<'X'
terraform_data.a: Creating
terraform_data.a: Creation
terraform_data.b: Creating
terraform_data.b: Creation
terraform_data.c: Creating
terraform_data.c: Creation
X
	a=$(ids a) b=$(ids b)
	[[ $a == ????????-* && $b == ????????-* && $a != "$b" ]]
	[ "$(jq -r .outputs.c.value terraform.tfstate)" = "$b" ]
	[ "$(jq -r '.resources[]|select(.name=="b").instances[0].attributes.input.value' terraform.tfstate)" = "$a" ]
}

# bats test_tags=once
@test "events have the members of the -json user interface stream" {
	three
	plan | tf-apply >out
	jq -c 'select(.record=="event" and .type=="apply_complete") |
		del(.record) | keys_unsorted' out | sort -u >got
	echo '["@level","@message","@module","@timestamp","hook","type"]' |
		diff got -
	jq -c 'select(.type=="apply_complete").hook | keys_unsorted' out |
		sort -u >got
	echo '["resource","action","id_key","id_value","elapsed_seconds"]' |
		diff got -
	jq -s -e 'map(select(.type=="change_summary"))[-1].changes == {add:3,change:0,
		import:0,remove:0,forget:0,operation:"apply"}' out
	jq -r 'select(.record=="event")["@timestamp"]' out >times
	[ -s times ]
	run -1 grep -vE '^[0-9-]+T[0-9:]+\.[0-9]{6}(Z|[+-][0-9:]+)$' times
}

@test "a stale plan is refused" {
	three
	plan >p
	tf-apply <p >/dev/null
	run tf-apply <p
	[ "$status" = 1 ]
	[[ $output == *'Saved plan is stale'* ]]
}

@test "a plan of another lineage is refused" {
	three
	plan | tf-apply >/dev/null
	plan >p
	sed -i 's/"lineage": "[^"]*"/"lineage": "other"/' terraform.tfstate
	run tf-apply <p
	[ "$status" = 1 ]
	[[ $output == *'Saved plan does not match the given state'* ]]
}

@test "what is no whole plan is refused, and nothing is done" {
	three
	plan >p
	head -n -1 p >cut
	run tf-apply <cut
	[ "$status" = 1 ]
	run tf-apply </dev/null
	[ "$status" = 1 ]
	tf-parse >parsed
	run tf-apply <parsed
	[ "$status" = 1 ]
	[[ $output == *'Not a plan'* ]]
	[ ! -e terraform.tfstate ]
}

@test "a plan with errors is refused" {
	config <<'TF'
variable "x" { default = 1 }
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.x == 2
      error_message = "never"
    }
  }
}
TF
	plan >p 2>/dev/null || true
	run tf-apply -json <p
	[ "$status" = 1 ]
	[ ! -e terraform.tfstate ]
	# the stage that failed has said why; this one is silent
	tf-apply -json <p 2>err >out || true
	[ ! -s err ]
	grep -q '"errored":true' p
	grep -v '"record":"end"' p >forced
	echo '{"record":"end","failed":false}' >>forced
	run tf-apply <forced
	[ "$status" = 1 ]
	[[ $output == *'Cannot apply incomplete plan'* ]]
}

@test "a plan without seal, edited in one of two places, is refused" {
	three
	plan >sealed
	grep -v '"record":"seal"' sealed >p
	jq -c 'if .record=="resource_change" and .address=="terraform_data.a"
		then .change.after.input="y" else . end' p >edited
	run tf-apply <edited
	[ "$status" = 1 ]
	[[ $output == *'Inconsistent plan'* ]]
	grep -v '"record":"planned","address":"terraform_data.c"' p >edited
	run tf-apply <edited
	[ "$status" = 1 ]
	[[ $output == *terraform_data.c* ]]
	# a change that is taken out of both is no contradiction
	grep -v '"address":"terraform_data.c","mode"' edited >edited2
	tf-apply <edited2 >/dev/null
	[ "$(jq -c '[.resources[].name]' terraform.tfstate)" = '["a","b"]' ]
}

# bats test_tags=once
@test "what depends on a failure is left out, the rest is done; failed objects are tainted" {
	config <<'TF'
resource "terraform_data" "bad" {
  provisioner "local-exec" { command = "exit 3" }
}
resource "terraform_data" "after" { input = terraform_data.bad.id }
resource "terraform_data" "free" {}
output "after" { value = terraform_data.after.id }
output "free" { value = terraform_data.free.id }
TF
	plan >p
	run tf-apply <p
	[ "$status" = 1 ]
	[[ $output == *'local-exec provisioner error'* ]]
	[[ $output == *'exit status 3'* ]]
	[ "$(jq -r '.resources[]|.name+" "+(.instances[0].status//"")' terraform.tfstate)" = 'bad tainted
free ' ]
	[ "$(jq -r '.outputs|keys|join(" ")' terraform.tfstate)" = free ]
	sed -i 's/exit 3/exit 0/' main.tf
	plan | tf-apply >out
	jq -s -e 'map(select(.type=="change_summary"))[-1].changes|.add==2 and .remove==1' out
	[ "$(jq -r '[.resources[].instances[].status]|map(select(.))|length' terraform.tfstate)" = 0 ]
}

@test "a reader that goes away stops nothing" {
	config <<'TF'
resource "terraform_data" "a" { count = 300 }
TF
	plan >p
	export TFPIPE_TEST_BUILTIN_DELAY=1
	run -0 bash -o pipefail -c 'tf-apply <p | head -n 2'
	[ "$(jq '.resources[0].instances|length' terraform.tfstate)" = 300 ]
}

# bats test_tags=once
@test "interrupted once: what runs is finished, nothing is started, all is recorded" {
	config <<'TF'
resource "terraform_data" "a" { count = 400 }
TF
	plan >p
	TFPIPE_TEST_BUILTIN_DELAY=40 tf-apply -json -parallelism=4 <p >out 3>&- &
	pid=$!
	until grep -q apply_complete out; do sleep 0.05; done
	kill -INT $pid
	status=0
	wait $pid || status=$?
	[ $status = 1 ]
	n=$(jq '.resources[0].instances|length' terraform.tfstate)
	[ "$n" -gt 0 ]
	[ "$n" -lt 400 ]
	[ "$(grep -c apply_start out)" = "$n" ]
	[ "$(grep -c apply_complete out)" = "$n" ]
	grep -q '"summary":"execution halted"' out
	plan | tf-apply >/dev/null
	[ "$(jq '.resources[0].instances|length' terraform.tfstate)" = 400 ]
}

@test "interrupted twice: it ends at once, with what is known" {
	config <<'TF'
resource "terraform_data" "a" {
  count = 3
}
resource "terraform_data" "slow" {
  input = terraform_data.a[0].id
  provisioner "local-exec" { command = "trap '' INT; touch ready; sleep 30; true" }
}
TF
	plan >p
	tf-apply -json <p >out 3>&- &
	pid=$!
	until [ -e ready ]; do sleep 0.05; done
	kill -INT $pid
	until grep -q 'Stopping operation' out; do sleep 0.05; done
	kill -0 $pid
	kill -INT $pid
	SECONDS=0
	wait $pid || true
	[ $SECONDS -lt 10 ]
	[ "$(jq '[.resources[].instances[]]|length' terraform.tfstate)" -ge 3 ]
	# the one whose provisioner did not end can be found again
	tf-state list | grep terraform_data.slow
}

@test "local-exec: environment, interpreter, directory, quiet, order" {
	mkdir sub
	config <<'TF'
resource "terraform_data" "a" {
  input = "in"
  provisioner "local-exec" {
    command     = "echo $X-${self.input}-$(basename $PWD) >>$LOG; cat"
    environment = { X = "ex", LOG = "../log" }
    working_dir = "sub"
  }
  provisioner "local-exec" {
    command     = "open my $f, '>>', 'log'; print $f \"perl\\n\""
    interpreter = ["perl", "-e"]
  }
  provisioner "local-exec" {
    command    = "echo fails; exit 1"
    on_failure = continue
  }
  provisioner "local-exec" {
    command = "echo ' shown '; echo quiet >>log"
    quiet   = true
  }
}
TF
	plan | tf-apply >out
	diff log - <<'X'
ex-in-sub
perl
quiet
X
	messages out | grep local-exec >got
	grep -qF 'terraform_data.a: (local-exec): fails' got
	grep -qF 'terraform_data.a: (local-exec) Provisioning errored' got
	grep -qF 'terraform_data.a: (local-exec): local-exec: Executing: Suppressed by quiet=true' got
	grep -qxF 'terraform_data.a: (local-exec):  shown' got
	grep -qF 'Executing: ["/bin/sh" "-c" "echo fails; exit 1"]' got
}

@test "what a provisioner prints of secrets is not shown" {
	config <<'TF'
variable "pw" {
  default   = "hunter2"
  sensitive = true
}
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "echo ${var.pw}; exit 1" }
}
TF
	plan >p
	status=0
	tf-apply <p >out 2>err || status=$?
	[ "$status" = 1 ]
	grep -v '"record":"\(variable\|plan\|local\|resource\|source\)' out >mine
	run -1 grep -q hunter2 mine err
	grep -qF '(output suppressed due to sensitive value in config)' mine
	grep -q 'local-exec provisioner error' err
}

# bats test_tags=once
@test "destroy-time provisioners run before, and stop it when they fail" {
	config <<'TF'
resource "terraform_data" "a" {
  for_each = { k = "v" }
  input    = each.value
  provisioner "local-exec" {
    when    = destroy
    command = "test -e ok && echo ${self.output} ${each.key} >gone"
  }
}
TF
	plan | tf-apply >/dev/null
	graph=(-destroy)
	plan >p
	run tf-apply <p
	[ "$status" = 1 ]
	[ "$(jq '.resources|length' terraform.tfstate)" = 1 ]
	touch ok
	plan | tf-apply >/dev/null
	[ "$(cat gone)" = 'v k' ]
	[ "$(jq '.resources|length' terraform.tfstate)" = 0 ]
}

@test "a provisioner has no standard input and dies with the run" {
	config <<'TF'
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "cat >got; echo end >>got" }
}
TF
	plan | tf-apply >/dev/null
	[ "$(cat got)" = end ]
}

# bats test_tags=once
@test "create_before_destroy: a new object that fails is tainted, the old one deposed" {
	config <<'TF'
variable "v" { default = 1 }
resource "terraform_data" "a" {
  triggers_replace = var.v
  lifecycle { create_before_destroy = true }
  provisioner "local-exec" { command = "test ${var.v} = 1" }
}
TF
	plan | tf-apply >/dev/null
	old=$(ids a)
	sed -i 's/default = 1/default = 2/' main.tf
	plan >p
	run tf-apply <p
	[ "$status" = 1 ]
	# the new one is there, tainted; the old one is kept as deposed
	[ "$(jq -r '.resources[].instances[]|select(.deposed).attributes.id' terraform.tfstate)" = "$old" ]
	[ "$(jq -r '.resources[].instances[]|select(.deposed|not).status' terraform.tfstate)" = tainted ]
	sed -i 's/= 1"/= 2"/' main.tf
	plan | tf-apply >/dev/null
	[ "$(jq '.resources[].instances|length' terraform.tfstate)" = 1 ]
	new=$(ids a)
	[ -n "$old" ]
	[ -n "$new" ]
	[ "$new" != "$old" ]
}

@test "ephemeral variables are given again; others must be the same" {
	config <<'TF'
variable "token" {
  type      = string
  ephemeral = true
}
variable "name" { default = "n" }
resource "terraform_data" "a" {
  input = var.name
  provisioner "local-exec" { command = "printf %s ${var.token} >token" }
}
TF
	tf-parse | tf-eval -var=token=t1 -var=name=x | tf-graph |
		tf-plan -var=token=t1 >p
	run -1 grep -q t1 p
	run tf-apply <p
	[ "$status" = 1 ]
	[[ $output == *'No value for required variable'* ]]
	run tf-apply -var=token=t2 -var=name=y <p
	[ "$status" = 1 ]
	[[ $output == *'Mismatch between input and plan variable value'* ]]
	tf-apply -var=token=t2 -var=name=x <p >/dev/null
	[ "$(cat token)" = t2 ]
}

@test "a plan that is refused leaves nothing behind" {
	echo '{"version":4,"serial":1,"lineage":"l","outputs":{}}' >given
	config <<'TF'
variable "name" { default = "n" }
data "terraform_remote_state" "d" {
  backend = "local"
  config  = { path = "given" }
}
TF
	plan >p
	grep -q '"record":"prior_state"' p
	before=$(ls -A)
	run -1 tf-apply -var=name=y <p
	[[ $output == *'Mismatch between input and plan variable value'* ]]
	[ "$(ls -A)" = "$before" ]
}

@test "the lock is respected, and can be handed down" {
	three
	plan >p
	tf-state with-lock -- sh -c 'env -u TFPIPE_LOCK_TOKEN tf-apply <p >/dev/null 2>err; echo $?' >got
	[ "$(cat got)" = 1 ]
	grep -q 'Error acquiring the state lock' err
	tf-state with-lock -- tf-apply <p >/dev/null
	[ -n "$(ids c)" ]
}

@test "conditions are evaluated again, check blocks last" {
	config <<'TF'
resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "b" {
  input = 1
  lifecycle {
    postcondition {
      condition     = self.output == 1 && terraform_data.a.output == "x"
      error_message = "post"
    }
    precondition {
      condition     = terraform_data.a.output != "bad"
      error_message = "pre"
    }
  }
}
check "c" {
  assert {
    condition     = terraform_data.a.output == "y"
    error_message = "a is ${terraform_data.a.output}"
  }
}
TF
	plan >p
	run tf-apply -json <p
	[ "$status" = 0 ]
	[[ $output == *'a is x'* ]]
	[ "$(jq -r '.check_results[]|.config_addr+" "+.status' terraform.tfstate)" = 'check.c fail
terraform_data.b pass' ]
	# b does not change, but its conditions must still hold
	sed -i 's/input = "x"/input = "bad"/' main.tf
	plan >p
	run tf-apply -json <p
	[ "$status" = 1 ]
	[[ $output == *'Resource precondition failed'* ]]
	[ "$(jq -r '.check_results[]|select(.config_addr=="terraform_data.b").status' terraform.tfstate)" = fail ]
}

# bats test_tags=once
@test "a variable is validated once its value is known" {
	mkdir m
	cat >m/main.tf <<'TF'
variable "v" {
  validation {
    condition     = length(var.v) == 3
    error_message = "three, please"
  }
}
output "v" { value = var.v }
TF
	config <<'TF'
resource "terraform_data" "a" {}
module "m" {
  source = "./m"
  v      = terraform_data.a.id
}
resource "terraform_data" "b" { input = module.m.v }
TF
	tf get >/dev/null
	plan >p
	run -1 tf-apply <p
	[[ $output == *'Invalid value for variable'*'three, please'* ]]
	[ "$(jq -r '.resources[].name' terraform.tfstate)" = a ]
	[ "$(jq -r '.check_results[0] | "\(.config_addr) \(.status)"' \
		terraform.tfstate)" = 'module.m.var.v fail' ]
}

@test "what must hold of a module's output is looked at where it is needed" {
	mkdir m
	cat >m/main.tf <<'TF'
resource "terraform_data" "z" {}
output "o" {
  value = 1
  precondition {
    condition     = length(terraform_data.z.id) == 3
    error_message = "three, please"
  }
}
TF
	config <<'TF'
module "m" { source = "./m" }
output "r" {
  value = 2
  precondition {
    condition     = path.module != ""
    error_message = "no"
  }
}
TF
	status_of() { # of what is checked, by address
		jq -r '.check_results[] | .config_addr + " " + .status + " " +
			([.objects[]?.status] | join(","))' terraform.tfstate
	}
	tf get >/dev/null
	tf apply -auto-approve >/dev/null
	[ "$(status_of | sort)" = 'module.m.output.o unknown unknown
output.r pass pass' ]
	# destroying checks nothing, but says what there is to check
	tf destroy -auto-approve >/dev/null
	[ "$(status_of | sort)" = 'module.m.output.o unknown 
output.r unknown unknown' ]
	echo 'resource "terraform_data" "b" { input = module.m.o }' >>main.tf
	run -1 tf apply -auto-approve -no-color
	[[ $output = *'Module output value precondition failed'*three* ]]
	[ "$(jq -r '.resources[].name' terraform.tfstate)" = z ]
}

# bats test_tags=once
@test "create_before_destroy is forced by what is worked on as well" {
	config <<'TF'
variable "n" { default = 0 }
variable "i" { default = 1 }
resource "terraform_data" "a" { input = var.i }
resource "terraform_data" "b" { input = terraform_data.a.id }
resource "terraform_data" "c" {
  count = var.n
  input = terraform_data.b.id
  lifecycle { create_before_destroy = true }
}
TF
	first() { # what the state says after tf apply
		tf apply -auto-approve "$@" >/dev/null &&
			jq -r '[.resources[] | .name + "=" +
				(.instances[].create_before_destroy | tostring)] |
				join(" ")' terraform.tfstate
	}
	[ "$(first)" = 'a=null b=null' ]
	[ "$(first -var n=1)" = 'a=true b=true c=true' ]
	[ "$(first -var n=0 -var i=2)" = 'a=null b=true' ]
	[ "$(first -var n=1 -var i=3)" = 'a=true b=true c=true' ]
	[ "$(first -var n=0 -var i=4)" = 'a=null b=true' ]
}

# bats test_tags=once
@test "with -target only variables that something needs are looked at" {
	config <<'TF'
variable "v" {
  default = 1
  validation {
    condition     = var.v != 3
    error_message = "no"
  }
}
variable "w" {
  default = 1
  validation {
    condition     = var.w != 3
    error_message = "no"
  }
}
data "terraform_remote_state" "d" {
  count   = var.v
  backend = "local"
  config  = { path = "given" }
}
resource "terraform_data" "a" { input = var.w }
TF
	echo '{"version":4,"serial":1,"lineage":"x","outputs":{},"resources":[]}' \
		>given
	looked_at() { # what the state says after tf apply
		tf apply -auto-approve "$@" >/dev/null &&
			jq -r '[.check_results[] | .config_addr + "=" +
				([.objects[]?.status] | join(","))] |
				sort | join(" ")' terraform.tfstate
	}
	[ "$(looked_at)" = 'var.v=pass var.w=pass' ]
	[ "$(looked_at -target=terraform_data.a)" = 'var.v= var.w=unknown' ]
	[ "$(looked_at -target=terraform_data.a -var w=2)" = \
		'var.v= var.w=pass' ]
	[ "$(looked_at -target=data.terraform_remote_state.d)" = \
		'var.v=unknown var.w=' ]
	[ "$(looked_at -exclude=terraform_data.a)" = 'var.v=unknown var.w=' ]
}

# bats test_tags=once
@test "with -target an output counts what else names its resources" {
	mkdir m
	cat >m/main.tf <<'TF'
resource "terraform_data" "s" { input = "s" }
output "s" { value = terraform_data.s.input }
TF
	config <<'TF'
resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" { input = "b" }
resource "terraform_data" "c" { input = "c" }
locals { a = terraform_data.a.input }
module "m" { source = "./m" }
check "k" {
  assert {
    condition     = terraform_data.b.input == "b"
    error_message = "no"
  }
}
output "a" { value = local.a }
output "ac" { value = [terraform_data.a.input, terraform_data.c.input] }
output "b" { value = terraform_data.b.input }
output "bc" { value = [terraform_data.b.input, terraform_data.c.input] }
output "c" { value = terraform_data.c.input }
output "cm" { value = [terraform_data.c.input, module.m.s] }
TF
	stored() { # the outputs that a first tf apply leaves
		rm -f terraform.tfstate
		tf apply -auto-approve "$@" >/dev/null &&
			jq -r '.outputs | keys | join(" ")' terraform.tfstate
	}
	tf get >/dev/null
	# c is nobody's but the outputs': not there, it does not matter
	[ "$(stored -target=terraform_data.a)" = 'a ac' ]
	[ "$(stored -target=terraform_data.b)" = 'b bc' ]
	# a is the local value's, b the check's, s that of the module's output
	[ "$(stored -target=terraform_data.c)" = 'c' ]
	[ "$(stored -exclude=terraform_data.a)" = 'b bc c cm' ]
	# what is not there yet is there for a plan that changes nothing
	[ "$(stored -refresh-only -target=terraform_data.a)" = 'a ac' ]
	run -0 stored -refresh-only -target=terraform_data.c
	[ -z "$output" ]
}

# bats test_tags=once
@test "-refresh-only: what has only moved is stored, but is no change" {
	config <<'TF'
resource "terraform_data" "a" {}
TF
	tf apply -auto-approve >/dev/null
	sed -i 's/"a"/"b"/' main.tf
	printf '%s\n' 'moved {' 'from = terraform_data.a' \
		'to = terraform_data.b' '}' >>main.tf
	run -0 tf plan -refresh-only -detailed-exitcode
	run -2 tf plan -detailed-exitcode
	run -0 tf apply -refresh-only </dev/null
	[ "$(jq -r '.resources[].name' terraform.tfstate)" = b ]
}

# bats test_tags=once
@test "instances left out by -target are not there for references" {
	config <<'TF'
resource "terraform_data" "a" {
  for_each = toset(["p", "q"])
  input    = each.key
}
output "a" {
  value = { for k, v in terraform_data.a : k => v.output }
}
TF
	tf apply -auto-approve -no-color -target='terraform_data.a["p"]'
	[ "$(jq -c .outputs.a.value terraform.tfstate)" = '{"p":"p"}' ]
	tf apply -auto-approve -no-color
	[ "$(jq -c .outputs.a.value terraform.tfstate)" = '{"p":"p","q":"q"}' ]
}

@test "-state and -backup say where the state is" {
	three
	graph=(-state=s.tfstate)
	plan >p
	tf-apply -state=s.tfstate -backup=- <p >/dev/null
	[ -s s.tfstate ]
	[ ! -e terraform.tfstate ]
	run -1 compgen -G '*backup*'
}

# bats test_tags=once
@test "what completes out of order is recorded as it completes" {
	config <<'TF'
resource "terraform_data" "a" { count = 20 }
resource "terraform_data" "b" {
  count = 20
  input = terraform_data.a[count.index].id
}
TF
	plan >p
	TFPIPE_TEST_BUILTIN_DELAY=3,shuffle tf-apply <p >out
	messages out | grep 'a\[.*complete' >completed
	[ "$(wc -l <completed)" = 20 ]
	run -1 sort -V -c completed
	[ "$(jq '[.resources[].instances[]]|length' terraform.tfstate)" = 40 ]
	jq -e '[.resources[]|select(.name=="a").instances[].attributes.id] as $a |
		[.resources[]|select(.name=="b").instances[].attributes.input.value] == $a' \
		terraform.tfstate
}

# bats test_tags=once
@test "tf-graph -apply shows the order, and tf-apply takes its output" {
	three
	plan | tf-apply >/dev/null
	graph=(-replace=terraform_data.b)
	plan >p
	tf-graph -apply -format=dot -plain <p >dot
	grep -qF '"terraform_data.b" -> "terraform_data.b (destroy)"' dot
	graph=(-destroy)
	plan >p
	tf-graph -apply <p >g
	grep -qF '"from":"terraform_data.a (destroy)","to":"terraform_data.b (destroy)","phase":"apply"' g
	[ "$(tf-graph -apply -why='terraform_data.a (destroy),terraform_data.c (destroy)' <p | wc -l)" = 2 ]
	tf-apply <g >/dev/null
	[ "$(jq '.resources|length' terraform.tfstate)" = 0 ]
	run tf-graph -apply -destroy <p
	[ "$status" = 1 ]
	[[ $output == *'With -apply the plan says what is selected'* ]]
}

@test "-brief does not pass the plan on" {
	echo 'resource "terraform_data" "a" { input = 1 }' >main.tf
	tf-plan -C . >p
	tf-apply -brief <p >out
	jq -rs '[.[].record] | unique | join(" ")' out |
		grep -x 'end event header operations stage state_written'
	jq -r 'select(.record == "stage") | .tool' out | tail -n 1 |
		grep -x tf-apply
	[ "$(jq -r 'select(.type == "change_summary").changes.operation' out)" \
		= apply ]
}

bats_require_minimum_version 1.5.0

@test "a lock token that is none, or another's, does not stand for the lock" {
	three
	plan >p
	run -1 --separate-stderr tf-state with-lock -- \
		env TFPIPE_LOCK_TOKEN=other tf-apply -brief <p
	[[ $stderr == *'Error acquiring the state lock'* ]]
	[ ! -s terraform.tfstate ]
}

# bats test_tags=once
@test "destroying that leaves forgotten objects behind is an error unless told" {
	config <<'TF'
resource "terraform_data" "a" {
  lifecycle { destroy = false }
}
TF
	plan | tf-apply -brief >out
	graph=(-destroy)
	plan >p
	cp terraform.tfstate before
	run -1 --separate-stderr tf-apply -brief <p
	[[ $stderr == *'left behind forgotten instances'* ]]
	[ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
	cp before terraform.tfstate
	tf-apply -brief -suppress-forget-errors <p
}

@test "a plan that has been applied is not applied again" {
	three
	plan | tf-apply >done
	cp terraform.tfstate before
	run -1 --separate-stderr tf-apply -brief <done
	[[ $stderr == *'Plan already applied'* ]]
	cmp before terraform.tfstate
}

@test "destroy-time provisioners run while what their module is repeated for is gone" {
	repeated() { # GENERATION
		config <<TF
resource "terraform_data" "q" {
  for_each         = toset(["k"])
  triggers_replace = $1
  lifecycle { destroy = false }
}
module "m" {
  source   = "./m"
  for_each = terraform_data.q
}
TF
		mkdir -p m
		cat >m/main.tf <<TF
resource "terraform_data" "b" {
  triggers_replace = $1
  provisioner "local-exec" {
    when    = destroy
    command = "echo \${path.module} \${self.triggers_replace} >>$PWD/gone"
  }
}
TF
	}
	repeated 1
	tf-init
	plan | tf-apply -brief
	repeated 2
	plan | tf-apply -brief
	[ "$(cat gone)" = 'm 1' ]
}

# bats test_tags=once
@test "the destroy-time provisioners of a tainted object do not run" {
	config <<'TF'
resource "terraform_data" "a" {
  provisioner "local-exec" { command = "exit 1" }
  provisioner "local-exec" {
    when    = destroy
    command = "touch destroying"
  }
}
TF
	plan >p
	run -1 tf-apply -brief <p
	[ "$(jq -r '.resources[0].instances[0].status' terraform.tfstate)" = tainted ]
	graph=(-destroy)
	plan | tf-apply -brief >out
	[ "$(jq '.resources | length' terraform.tfstate)" = 0 ]
	[ ! -e destroying ]
}

# --- resources without instances ---

empty() {
	jq -c '[.resources[] | select(.instances == []) |
		[.module, .mode, .type, .name] | map(values) | join(" ")]' \
		terraform.tfstate
}

@test "a failed apply leaves what it expanded in the state, one that ends well clears it" {
	mkdir m
	cat >m/main.tf <<-'EOF'
	variable "in" { default = null }
	resource "terraform_data" "unused" { count = 0 }
	resource "terraform_data" "used" { count = 0 }
	resource "terraform_data" "reader" { input = [terraform_data.used, var.in] }
	resource "terraform_data" "seen" { count = 0 }
	output "seen" { value = terraform_data.seen }
	EOF
	cat >main.tf <<-'EOF'
	variable "fail" { default = true }
	resource "terraform_data" "bad" {
	  lifecycle {
	    postcondition {
	      condition     = !var.fail || self.id == ""
	      error_message = "bad"
	    }
	  }
	}
	module "m" { source = "./m" }
	module "later" {
	  source = "./m"
	  in     = terraform_data.bad.id
	}
	resource "terraform_data" "seen" { count = 0 }
	output "root" { value = terraform_data.seen }
	output "m" { value = module.m.seen }
	EOF
	cat >expect <<-'EOF'
	["module.later managed terraform_data used","module.m managed terraform_data seen","module.m managed terraform_data used"]
	EOF
	"${TF_TEST_CLI:-tf}" init
	run -1 "${TF_TEST_CLI:-tf}" apply -auto-approve
	empty | diff expect -
	# Nothing of them is shown but the modules they are in.
	run -0 "${TF_TEST_CLI:-tf}" state list
	[ "$output" = "$(printf '%s\n' terraform_data.bad \
		module.m.terraform_data.reader)" ]
	[ "$("${TF_TEST_CLI:-tf}" show -json | jq -c '.values.root_module |
		.child_modules[] | select(.address == "module.later")')" = \
		'{"address":"module.later"}' ]
	# A change of something else keeps them.
	"${TF_TEST_CLI:-tf}" state rm terraform_data.bad
	empty | diff expect -
	run -1 "${TF_TEST_CLI:-tf}" apply -auto-approve
	empty | diff expect -
	serial=$(jq .serial terraform.tfstate)
	run -0 "${TF_TEST_CLI:-tf}" apply -auto-approve -var fail=false
	[ "$(empty)" = '[]' ]
	[ "$(jq .serial terraform.tfstate)" -gt "$serial" ]
}

@test "a plan that cannot be read is told of in the stream it began" {
	three
	plan | sed '/^{"record":"plan"/s/"normal"/"sideways"/' >p
	run -1 sh -c 'tf-apply <p >s'
	[ "$(jq -r 'select(.record == "diagnostic") | .detail |
		test("the mode is not known.*a record plan")' s)" = true ]
	[ "$(grep -c '^{"record":"header"' s)" = 1 ]
	[ ! -e terraform.tfstate ]
}

# bats test_tags=once
@test "an output waits for what failed only through what needs it" {
	cat >main.tf <<-'EOF'
	variable "x" { default = 1 }
	resource "terraform_data" "bad" {
	  triggers_replace = [var.x]
	  provisioner "local-exec" { command = "test ${var.x} = 1" }
	}
	resource "terraform_data" "good" { triggers_replace = [var.x] }
	resource "terraform_data" "same" { depends_on = [terraform_data.bad] }
	resource "terraform_data" "used" { depends_on = [terraform_data.bad] }
	resource "terraform_data" "changed" {
	  triggers_replace = [var.x]
	  depends_on       = [terraform_data.bad]
	}
	locals { used = terraform_data.used.id }
	output "same" { value = [terraform_data.same.id, terraform_data.good.id] }
	output "used" { value = [local.used, terraform_data.good.id] }
	output "changed" { value = [terraform_data.good.id, terraform_data.changed] }
	output "bad" { value = [terraform_data.good.id, terraform_data.bad.id] }
	EOF
	"${TF_TEST_CLI:-tf}" init
	"${TF_TEST_CLI:-tf}" apply -auto-approve
	run -1 "${TF_TEST_CLI:-tf}" apply -auto-approve -var x=2
	[ "$(jq -c '(.resources[] | select(.name == "good") |
		.instances[0].attributes.id) as $now | [.outputs | to_entries[] |
		select(.value.value | index($now) != null) | .key]' \
		terraform.tfstate)" = '["same"]' ]
}

@test "how often the state is written can be told, and is a number of seconds" {
	echo 'resource "terraform_data" "a" {
	}' >main.tf
	[ -z "${TF_TEST_CLI-}" ] || skip 'OpenTofu panics'
	tf init
	for n in 19 x '' 20s; do
		TF_STATE_PERSIST_INTERVAL=$n run -1 tf apply -auto-approve
		[[ $output = *TF_STATE_PERSIST_INTERVAL* ]]
		[ ! -e terraform.tfstate ]
	done
	TF_STATE_PERSIST_INTERVAL=20 run -0 tf apply -auto-approve
}

# bats test_tags=once
@test "an output sees what a resource has that nothing happens to" {
	holds() { # VALUE OF THE SECOND ELEMENT, REPETITION: what "idle" has
		cat >main.tf <<-EOF
		variable "n" { default = 0 }
		resource "terraform_data" "slow" { triggers_replace = var.n }
		resource "terraform_data" "deep" {
		  input      = var.n
		  depends_on = [terraform_data.slow]
		}
		resource "terraform_data" "other" { triggers_replace = var.n }
		resource "terraform_data" "idle" {
		  $2
		}
		output "o" {
		  value = [terraform_data.other.id, terraform_data.idle]
		}
		EOF
		rm -f terraform.tfstate
		"${TF_TEST_CLI:-tf}" init
		"${TF_TEST_CLI:-tf}" apply -auto-approve
		jq -e ".outputs.o.value[1] == $1" terraform.tfstate
	}
	holds '[]' 'count = terraform_data.deep.input'
	holds '{}' 'for_each = { for x in range(terraform_data.deep.input) : x => x }'
	holds null 'lifecycle {
	  enabled = terraform_data.deep.input == 1
	}'
	# one that goes is not seen any more, though it takes its time
	holds '[]' 'count = terraform_data.deep.input
	  provisioner "local-exec" {
	    when    = destroy
	    command = "sleep 0.3"
	  }'
	"${TF_TEST_CLI:-tf}" apply -auto-approve -var n=2
	"${TF_TEST_CLI:-tf}" apply -auto-approve -var n=1
	jq -e '.outputs.o.value[1] | length == 1' terraform.tfstate
}

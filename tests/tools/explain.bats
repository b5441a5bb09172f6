#!/usr/bin/env bats
# Why a plan has a change: tf explain, tf why.

load provider

jq_itself

setup() {
	provider_setup
}

# A configuration without providers, applied; what follows is changed in it.
applied() {
	cat >main.tf
	tf init >/dev/null
	tf apply -auto-approve "$@" >/dev/null
}

# The plan in p.
planned() {
	tf plan -out=p "$@" >/dev/null
}

# Is that the explanation?
explains() { # ADDRESS; the text on stdin
	diff - <(tf explain "$1" p)
}

modules() {
	mkdir m
	cat >m/m.tf <<'TF'
variable "arg" {}
variable "other" { default = "o" }
resource "terraform_data" "in" { input = var.arg }
output "out" { value = upper(terraform_data.in.output) }
output "more" { value = "${terraform_data.in.id}${var.other}" }
TF
	applied <<'TF'
variable "size" { default = "s" }
locals {
  name = "web-${var.size}"
}
module "m" {
  source = "./m"
  count  = 2
  arg    = local.name
}
resource "terraform_data" "x" {
  count = 2
  input = "${module.m[count.index].out}-${count.index}"
}
TF
}

@test "explain: from an attribute through outputs, arguments and locals to a variable" {
	modules
	planned -var size=l
	explains 'terraform_data.x[1]' <<'TXT'
terraform_data.x[1] will be updated in-place

input: "WEB-S-1" -> (known after apply)
  main.tf:12  "${module.m[count.index].out}-${count.index}"
  module.m[1].output.out
    m/m.tf:4  upper(terraform_data.in.output)
    module.m[1].terraform_data.in.output: "web-s" -> (known after apply), is
        updated, planned by the provider
      input: "web-s" -> "web-l"
        m/m.tf:3  var.arg
        module.m[1].var.arg = "web-l"
          main.tf:8  local.name
          local.name = "web-l"
            main.tf:3  "web-${var.size}"
            var.size = "l", given by -var
              main.tf:1
TXT
}

# bats test_tags=once
@test "explain: the same as a document" {
	modules
	planned -var size=l
	run -0 tf explain -json 'terraform_data.x[1]' p
	[ "$(jq -c '[.format_version, .address, .actions, .says]' <<<"$output")" = \
		'["1.0","terraform_data.x[1]",["update"],"terraform_data.x[1] will be updated in-place"]' ]
	[ "$(jq -c '.causes[0] | [.kind, .name, .before, .after_unknown, .at]' <<<"$output")" = \
		'["attribute","input","WEB-S-1",true,"main.tf:12"]' ]
	[ "$(jq -c '[.. | objects | select(.kind == "variable") | [.name, .value, .says]]' \
		<<<"$output")" = \
		'[["module.m[1].var.arg","web-l",null],["var.size","l","given by -var"]]' ]
}

@test "explain: where the value of a variable was given" {
	applied <<'TF'
variable "a" { default = "0" }
resource "terraform_data" "r" { input = var.a }
TF
	from() { # WORDS...
		planned "$@"
		tf explain terraform_data.r p | grep -F 'var.a = ' -A 1
	}
	[ "$(from -var a=1)" = $'  var.a = "1", given by -var\n    main.tf:1' ]
	[ "$(TF_VAR_a=1 from)" = \
		$'  var.a = "1", from the environment (TF_VAR_)\n    main.tf:1' ]
	printf '\na = "1"\n' >v.tfvars
	[ "$(from -var-file v.tfvars)" = $'  var.a = "1", from a file\n    v.tfvars:2' ]
	sed -i 's/"0"/"1"/' main.tf
	[ "$(from)" = $'  var.a = "1", the default\n    main.tf:1' ]
}

@test "explain: what was edited, where nothing it refers to changes" {
	applied <<'TF'
resource "terraform_data" "a" { input = "1" }
resource "terraform_data" "b" { input = "x-${terraform_data.a.id}" }
TF
	sed -i 's/x-/y-/' main.tf
	planned
	run -0 tf explain terraform_data.b p
	[[ ${output//$'\n    '/ } = *'was edited: nothing it refers to changes'*$'\n  main.tf:2  "y-${terraform_data.a.id}"' ]]
}

@test "explain: of an object only the argument that changes is followed" {
	applied <<'TF'
variable "v" { default = 1 }
variable "w" { default = 1 }
locals {
  all = {
    a = { size = 1 }
    b = { size = 1 }
  }
}
resource "terraform_data" "r" { input = { v = var.v, w = var.w } }
resource "terraform_data" "e" {
  for_each = local.all
  input    = each.value.size
}
TF
	sed -i '5s/1/2/' main.tf
	planned -var w=2
	run -0 tf explain terraform_data.r p
	[[ $output = *'input.w: 1 -> '*'var.w = "2"'* ]]
	[[ $output != *var.v* ]]
	explains 'terraform_data.e["a"]' <<'TXT'
terraform_data.e["a"] will be updated in-place

input: 1 -> 2
  main.tf:12  each.value.size
  for_each
    main.tf:11  local.all
    local.all.a.size = 2
      main.tf:5  2
TXT
}

@test "explain: parts of values are named as tf-diff and the forms name them" {
	applied <<'TF'
variable "v" { default = "1" }
locals { l = { "a b" = [var.v, { "0c" = var.v }] } }
resource "terraform_data" "r" { input = local.l }
TF
	planned -var v=2
	run -0 tf explain -json terraform_data.r p
	[ "$(jq -c '[.causes[] | [.name, .from[0].name]]' <<<"$output")" = \
		'[["input[\"a b\"][0]","local.l[\"a b\"][0]"],["input[\"a b\"][1][\"0c\"]","local.l[\"a b\"][1][\"0c\"]"]]' ]
	tf-show -format=tsv p | cut -f 2 | grep input | sort -u >names
	diff names <(jq -r '.causes[].name' <<<"$output")
	tf plan -out=q >/dev/null
	run -1 tf-diff p q
	diff names <(printf '%s\n' "$output" | cut -f 2 | grep input)
}

# bats test_tags=once
@test "explain: what forces a replacement comes first" {
	applied <<'TF'
variable "v" { default = "1" }
resource "terraform_data" "r" {
  input            = var.v
  triggers_replace = "t${var.v}"
}
TF
	planned -var v=2
	explains terraform_data.r <<'TXT'
terraform_data.r must be replaced

triggers_replace: "t1" -> "t2", forces replacement
  main.tf:4  "t${var.v}"
  var.v = "2", given by -var
    main.tf:1

input: "1" -> "2"
  main.tf:3  var.v
  var.v = "2", given by -var
    main.tf:1
TXT
}

@test "explain: rules replace without an attribute: -replace, taint, triggers" {
	applied <<'TF'
variable "v" { default = 1 }
resource "terraform_data" "a" { input = var.v }
resource "terraform_data" "b" {
  lifecycle { replace_triggered_by = [terraform_data.a.output] }
}
resource "terraform_data" "c" {}
resource "terraform_data" "d" {}
TF
	tf taint terraform_data.d
	planned -var v=2 -replace=terraform_data.c
	run -0 tf explain terraform_data.b p
	[[ $output = *$'\nreplace_triggered_by\n  main.tf:4  terraform_data.a.output\n  terraform_data.a.output: '*'var.v = '* ]]
	explains terraform_data.c <<'TXT'
terraform_data.c will be replaced, as requested

-replace=terraform_data.c was given
TXT
	explains terraform_data.d <<'TXT'
terraform_data.d is tainted, so it must be replaced

the state marks the object as tainted: its creation failed, or somebody ran
    taint
TXT
}

@test "explain: create_before_destroy, and whose it is" {
	applied <<'TF'
variable "v" { default = 1 }
resource "terraform_data" "a" { triggers_replace = var.v }
resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "c" {
  lifecycle { create_before_destroy = true }
}
TF
	planned -var v=2
	run -0 tf explain terraform_data.a p
	[[ ${output//$'\n    '/ } = *'created first: create_before_destroy of terraform_data.b needs that'*'main.tf:6'* ]]
	run -0 tf explain terraform_data.b p
	[[ $output = *$'its replacement is created first: create_before_destroy\n  main.tf:6'* ]]
}

@test "explain: why an instance is there, or goes" {
	applied <<'TF'
variable "n" { default = 2 }
variable "names" {
  type    = list(string)
  default = ["a", "b"]
}
resource "terraform_data" "c" { count = var.n }
resource "terraform_data" "e" { for_each = toset(var.names) }
resource "terraform_data" "gone" {}
TF
	sed -i /gone/d main.tf
	planned -var n=1 -var 'names=["a","c"]'
	explains 'terraform_data.c[1]' <<'TXT'
terraform_data.c[1] will be destroyed
  (because index [1] is out of range for count)

count
  main.tf:6  var.n
  var.n = "1", given by -var
    main.tf:1
TXT
	run -0 tf explain 'terraform_data.e["b"]' p
	[[ $output = *'key ["b"] is not in for_each map'*$'\nfor_each\n  main.tf:7  toset(var.names)\n  var.names = ["a","c"]'* ]]
	run -0 tf explain 'terraform_data.e["c"]' p
	[[ $output = *'the configuration has it, and the state does not'*'var.names'* ]]
	explains terraform_data.gone <<'TXT'
terraform_data.gone will be destroyed
  (because terraform_data.gone is not in configuration)

the state has it, and the configuration does not
TXT
	planned -destroy
	run -0 tf explain 'terraform_data.c[0]' p
	[[ $output = *$'\n-destroy: all that is managed goes' ]]
}

# An object of the test provider, of which something is changed outside.
thing() {
	config <<-EOF
	variable "v" { default = "v" }
	resource "test_thing" "r" {
	  name  = "r"
	  value = var.v
	}
	resource "terraform_data" "d" { input = test_thing.r.value }
	EOF
	tf apply -auto-approve >/dev/null
	jq -c "$1" objects/test_thing.1.json >changed
	mv changed objects/test_thing.1.json
}

@test "explain: what somebody changed outside, and the configuration did not" {
	thing '.value = "other"'
	planned
	run -0 tf explain test_thing.r p
	[[ ${output//$'\n    '/ } = *'value: "other" -> "v", was changed outside, the configuration says what it said'* ]]
	[[ $output != *edited* ]]
	[ "$(tf explain -json test_thing.r p | jq -r '.causes[0].kind')" = drift ]
}

# Objects that refer to data and to other objects, applied.
referring() {
	config <<-'EOF'
	variable "n" { default = "n" }
	data "test_thing" "d" { name = var.n }
	resource "test_thing" "r" { name = "r" }
	resource "terraform_data" "data" { input = "x-${data.test_thing.d.comp}" }
	resource "terraform_data" "value" { input = data.test_thing.d.value }
	resource "terraform_data" "drift" { input = "x-${test_thing.r.comp}" }
	resource "terraform_data" "file" { input = "x-${file("f.txt")}" }
	EOF
	echo 1 >f.txt
	tf apply -auto-approve >/dev/null
}

# bats test_tags=once
@test "explain: a data source that answers otherwise is no edit" {
	referring
	TEST_PROVIDER_DO='read-data:set:value="new"' planned
	explains terraform_data.value <<'TXT'
terraform_data.value will be updated in-place

input: null -> "new"
  main.tf:10  data.test_thing.d.value
  data.test_thing.d.value: null -> "new", was read anew, and answers otherwise
TXT
}

@test "explain: a data source that was asked something else, and for the first time" {
	referring
	planned -var n=m
	explains terraform_data.data <<'TXT'
terraform_data.data will be updated in-place

input: "x-comp of n" -> "x-comp of m"
  main.tf:9  "x-${data.test_thing.d.comp}"
  data.test_thing.d.comp: "comp of n" -> "comp of m", was read anew, and answers
      otherwise
    name: "n" -> "m"
      main.tf:7  var.n
      var.n = "m", given by -var
        main.tf:6
TXT
	[ "$(tf explain -json terraform_data.data p | jq -r '.causes[0].from[0].kind')" = data ]
	sed -i 's/"d"/"e"/; s/thing.d.comp/thing.e.comp/; s/thing.d.value/thing.e.value/' main.tf
	planned -var n=m
	run -0 tf explain terraform_data.data p
	[[ $output = *'data.test_thing.e.comp: null -> "comp of m", was read for the first'* ]]
}

@test "explain: what it refers to was changed outside" {
	referring
	jq -c '.comp = "other"' objects/test_thing.1.json >changed
	mv changed objects/test_thing.1.json
	planned
	explains terraform_data.drift <<'TXT'
terraform_data.drift will be updated in-place

input: "x-comp of r" -> "x-other"
  main.tf:11  "x-${test_thing.r.comp}"
  test_thing.r.comp: "comp of r" -> "other", was changed outside
TXT
}

@test "explain: a function that looks elsewhere may answer otherwise" {
	referring
	echo 2 >f.txt
	planned
	run -0 tf explain terraform_data.file p
	[[ ${output//$'\n    '/ } = *'was edited, or a function in it answers otherwise: nothing it refers to changes'* ]]
	[ "$(tf explain -json terraform_data.file p | jq -r '.causes[0].kind')" = elsewhere ]
}

# bats test_tags=once
@test "explain: an edit is one where data and objects stay the same" {
	referring
	sed -i 's/x-/y-/' main.tf
	planned
	for r in data drift; do
		[ "$(tf explain -json terraform_data.$r p |
			jq -c '[.causes[0].kind, .causes[0].from]')" = '["edited",null]' ]
	done
}

@test "explain: what a data source answers may be a secret" {
	config <<-'EOF'
	data "test_all" "d" { name = "n" }
	resource "terraform_data" "r" { input = nonsensitive(substr(data.test_all.d.secret, 5, 1)) }
	resource "terraform_data" "c" { input = data.test_all.d.comp }
	EOF
	TEST_PROVIDER_DO='read-data:set:secret="hush-1"' tf apply -auto-approve >/dev/null
	TEST_PROVIDER_DO='read-data:set:secret="hush-2"' planned
	run -0 tf explain terraform_data.r p
	[[ $output = *'data.test_all.d.secret: (sensitive value), was read anew'* ]]
	run -0 tf explain -json terraform_data.r p
	[ "$(jq -c '.causes[0].from[0] | [.sensitive, .before, .after]' <<<"$output")" = \
		'[true,null,null]' ]
	# the schema is out of the plan: nobody knows what is secret
	jq -c 'select(.record != "schema" or .mode != "data")' p >q
	run -0 tf-show -explain=terraform_data.r q
	[[ $output != *hush-1* ]]
}

@test "explain: what was changed outside and in the configuration" {
	thing '.value = "other"'
	planned -var v=w
	run -0 tf explain test_thing.r p
	[[ $output = *'value: "other" -> "w", was changed outside as well'*'var.v = "w"'* ]]
}

@test "explain: what was deleted outside" {
	thing .
	rm objects/*
	planned
	run -0 tf explain test_thing.r p
	[[ $output = *'the object was deleted outside; the state had it'* ]]
}

# bats test_tags=once
@test "explain: what a provider plans anew by itself" {
	thing .
	TEST_PROVIDER_DO='plan:set:comp="new"' planned
	run -0 tf explain test_thing.r p
	[[ ${output//$'\n    '/ } = *'-> "new", planned by the provider, not in the configuration'* ]]
}

@test "explain: what was not read" {
	thing .
	planned -refresh=false -var v=w
	run -0 tf explain test_thing.r p
	[[ $output = *'not read: an option left it out'* ]]
}

@test "explain: no change, and what ignore_changes hides" {
	applied <<'TF'
resource "terraform_data" "i" {
  input = "1"
  lifecycle { ignore_changes = [input] }
}
resource "terraform_data" "n" { input = "1" }
TF
	sed -i '2s/1/2/' main.tf
	planned
	run -0 tf explain terraform_data.i p
	[[ ${output//$'\n    '/ } = 'terraform_data.i does not change'*'input = "1", as it is: ignore_changes (main.tf:3), the configuration says otherwise'*'main.tf:2  "2"' ]]
	explains terraform_data.n <<<'terraform_data.n does not change'
}

# Nothing of the secrets that all contain "hush".
@test "explain: no secret, in values, texts and what comes of them" {
	applied <<'TF'
variable "p" {
  default   = "hush-1"
  sensitive = true
}
locals {
  token = sensitive("hush-2")
  plain = "hush-3"
  later = "${sensitive("hush-6")}${terraform_data.r.id}"
}
resource "terraform_data" "a" { input = "${var.p}${local.token}" }
resource "terraform_data" "b" { input = sensitive("hush-4") }
resource "terraform_data" "c" { input = sensitive(local.plain) }
resource "terraform_data" "d" { input = terraform_data.a.output }
resource "terraform_data" "e" { input = { s = sensitive("hush-5"), t = "x" } }
resource "terraform_data" "f" { input = { k = sensitive("hush-7") } }
resource "terraform_data" "g" { input = length(nonsensitive(local.later)) }
resource "terraform_data" "r" { triggers_replace = "x" }
TF
	sed -i 's/hush-/hush-new-/; s/"x"/"y"/; /"f"/s/= {.*/= "open" }/' main.tf
	planned
	for r in a b c d e f g; do
		run -0 tf explain terraform_data.$r p
		[[ $output != *hush* ]]
		run -0 tf explain -json terraform_data.$r p
		[[ $output != *hush* ]]
		run -0 tf explain -show-sensitive terraform_data.$r p
		[[ $r = [dfg] || $output = *hush-new* ]]
	done
	run -0 tf explain terraform_data.g p
	[[ $output = *'local.later'*'(sensitive value)'*'terraform_data.r.id: '* ]]
	run -0 tf explain terraform_data.e p
	[[ $output = *'input.t: "x" -> "y"'*'"y"'* ]]
}

@test "explain: a secret argument hides what it is from" {
	config <<-'EOF'
	variable "v" { default = "hush-1" }
	locals { l = "hush-a${var.v}" }
	resource "test_all" "r" {
	  name   = "n"
	  secret = local.l
	}
	EOF
	tf apply -auto-approve >/dev/null
	planned -var v=hush-2
	run -0 tf explain test_all.r p
	[[ $output = *'secret: (sensitive value)'*'local.l = (sensitive value)'*'var.v = (sensitive value)'* ]]
	[[ $output != *hush* ]]
}

# bats test_tags=once
@test "explain: no control character reaches the terminal" {
	applied <<'TF'
resource "terraform_data" "r" { input = "a" }
TF
	printf 'resource "terraform_data" "r" { input = "b\033]0;x\007" }\n' >main.tf
	planned
	run -0 tf explain terraform_data.r p
	[[ $output != *$'\033'* ]]
	[[ $output = *'b'* ]]
}

@test "explain: locals that name each other are followed once" {
	{
		echo 'variable "v" { default = "1" }'
		echo 'locals {'
		echo '  l0 = var.v'
		for i in {1..11}; do
			p=local.l$((i - 1))
			echo "  l$i = substr(join(\"\", [$p, \"\${$p}\", upper($p), lower($p), trimspace($p), $p]), 0, 5)"
			echo "  m$i = \"\${local.l$i}\${$p}\""
		done
		echo '}'
		echo 'resource "terraform_data" "r" { input = "${local.l11}${local.m11}${local.l10}" }'
		echo 'resource "terraform_data" "many" {'
		echo '  count = 30'
		echo '  input = var.v'
		echo '}'
		echo 'resource "terraform_data" "all" { input = terraform_data.many[*].input }'
	} | applied
	planned -var v=2
	run -0 tf explain terraform_data.r p
	[[ $output = *'local.l10 = "22222", explained above'* ]]
	[[ $output = *'var.v = "2", given by -var'* ]]
	[[ $output != *'and so on'* ]]
	[ "${#lines[@]}" -lt 100 ]
	run -0 tf explain terraform_data.all p
	[[ $output = *'and 10 more'* ]]
}

@test "explain: a chain that is cut is no edit" {
	{
		echo 'variable "v" { default = "1" }'
		echo 'locals {'
		echo '  l0 = var.v'
		for i in {1..40}; do
			echo "  l$i = \"\${local.l$((i - 1))}\""
		done
		echo '}'
		echo 'resource "terraform_data" "r" { input = local.l40 }'
	} | applied
	planned -var v=2
	run -0 tf explain terraform_data.r p
	[[ $output = *'and so on' ]]
	[[ $output != *edited* ]]
}

# bats test_tags=once
@test "explain: no line is longer than 80 columns" {
	long=$(printf 'a%.0s' {1..200})
	applied <<TF
variable "v" { default = 1 }
resource "terraform_data" "r" { input = "\${var.v}$long" }
resource "terraform_data" "s" { input = terraform_data.r.output }
TF
	planned -var v=2
	run -0 tf explain terraform_data.s p
	[[ $output = *'"...'* || $output = *'aaa...'* ]]
	for line in "${lines[@]}"; do
		[ ${#line} -le 80 ]
	done
}

@test "explain: an address that the plan does not have" {
	applied <<'TF'
resource "terraform_data" "first" { count = 1 }
TF
	planned
	run -1 tf explain 'terraform_data.frist[0]' p
	[[ ${output//$'\n'/ } = *'No such object in the plan'*'Did you mean "terraform_data.first[0]"?'* ]]
	run -1 tf explain terraform_data.first p
	[[ ${output//$'\n'/ } = *'explain one of them, such as terraform_data.first[0].'* ]]
}

@test "explain: without a plan one is made, as tf plan makes it" {
	applied <<'TF'
variable "v" { default = "1" }
resource "terraform_data" "r" { input = var.v }
TF
	run -0 tf explain -var v=2 terraform_data.r
	[[ $output = *'input: "1" -> "2"'*'given by -var'* ]]
	run -0 tf explain -replace terraform_data.r terraform_data.r
	[[ $output = *'-replace=terraform_data.r was given'* ]]
	tf-plan -C . -var v=2 | tf-show -explain=terraform_data.r >shown
	grep -F 'input: "1" -> "2"' shown
	echo 'output "o" { value = nothing.at.all }' >>main.tf
	run -1 tf explain terraform_data.r
	[[ $output = *'undeclared resource'* ]]
}

@test "explain: what has no effect is refused" {
	applied <<'TF'
resource "terraform_data" "r" {}
TF
	planned
	run -1 tf explain -target=terraform_data.r terraform_data.r p
	[[ $output = *'-target is for a new plan'* ]]
	run -1 tf explain
	run -1 tf explain a b c
	run -1 tf-show -explain=terraform_data.r -current
	run -1 tf-show -explain=terraform_data.r -select=true p
	run -1 tf-show -explain=terraform_data.r -summary p
	run -1 tf-show -explain=terraform_data.r -detailed-exitcode p
	tf-parse -C . >parsed
	run -1 tf-show -explain=terraform_data.r parsed
	[[ $output = *'No plan in the stream'* ]]
}

@test "why: how one object depends on another" {
	applied <<'TF'
variable "v" { default = 1 }
locals { l = var.v }
resource "terraform_data" "r" { input = local.l }
TF
	run -0 tf why terraform_data.r var.v
	[ "$output" = $'terraform_data.r  (main.tf:3,41)\nlocal.l  (main.tf:2,14)\nvar.v' ]
	run -1 tf why var.v terraform_data.r
	[ "$output" = 'var.v does not depend on terraform_data.r' ]
	run -1 tf why var.v
}

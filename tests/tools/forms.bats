#!/usr/bin/env bats
# The forms of a plan beside text and JSON: -summary, and -format=flat, tsv, md, html.

load provider

jq_itself
without_leak_checks

setup() {
	cd "$BATS_TEST_TMPDIR"
}

forms='-summary -format=flat -format=tsv -format=md -format=html'

# A configuration of all that forms tell apart.
sample() {
	cat >main.tf <<'EOF'
variable "pw" {
  sensitive = true
  default   = "SecretOne"
}
variable "size" { default = 4 }
variable "word" { default = "old" }
resource "terraform_data" "many" {
  count = var.size
  input = var.word
}
resource "terraform_data" "named" {
  for_each = toset(["a", "b"])
  input    = "${each.key}-${var.word}"
}
resource "terraform_data" "secret" {
  count            = 2
  triggers_replace = "${count.index}${var.pw}"
}
resource "terraform_data" "forced" {
  count            = 2
  triggers_replace = var.word
}
resource "terraform_data" "first" {
  triggers_replace = var.word
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "triggered" {
  lifecycle { replace_triggered_by = [terraform_data.first] }
}
resource "terraform_data" "asked" {}
resource "terraform_data" "tainted" {}
module "m" {
  source = "./m"
  count  = 2
  word   = var.word
}
output "word" { value = var.word }
output "pw" {
  value     = var.pw
  sensitive = true
}
EOF
	mkdir -p m
	cat >m/main.tf <<'EOF'
variable "word" {}
resource "terraform_data" "in" {
  for_each = toset(["p", "q"])
  input    = var.word
}
EOF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf taint terraform_data.tainted >/dev/null
	tf plan -out=p -var=size=2 -var=word=new -var=pw=SecretTwo \
		-replace=terraform_data.asked "$@" >/dev/null
}

line() { # ADDRESS: what the summary says of it
	awk -v addr="$1" '{ sub(/^ +/, ""); rest = $0; sub(/^[^ ]+ /, "", rest) }
		rest == addr || index(rest, addr ":") == 1 { print }' <<<"$output"
}

@test "tf plan writes a form, and tells all else on standard error" {
	sample
	export TF_VAR_size=2 TF_VAR_word=new TF_VAR_pw=SecretTwo
	for form in flat tsv md html; do
		run -2 bash -c "tf plan -format=$form -out=q -detailed-exitcode >of-plan 2>said"
		tf-show -format="$form" q >of-show
		cmp of-plan of-show
		grep -c 'Saved the plan to: q' said
		tf plan -format="$form" >of-plan 2>/dev/null
		cmp of-plan of-show
	done
	run -1 bash -c 'tf plan -format=md -var nothing=1 >of-plan 2>said'
	grep -q nothing said
	[ ! -s of-plan ]
	tf plan -format=md -max-size=2000 >of-plan 2>/dev/null
	[ "$(wc -c <of-plan)" -le 2000 ]
	run -1 tf plan -format=xml
	[[ $output == *'not "xml"'* ]]
	run -1 tf plan -format=md -json
	[[ $output == *'different forms'* ]]
	run -1 tf plan -format=md -show-sensitive
	[[ $output == *'given away'* ]]
	run -1 tf plan -format=flat -max-size=3000
	[[ $output == *'no effect'* ]]
	run -1 tf plan -format=md -out=-
	[[ $output == *'the same place'* ]]
}

# bats test_tags=once
@test "the summary has a line a change with its reason, by module, type and action" {
	sample
	run -0 tf-show -summary p
	echo "$output"
	[ "${lines[0]}" = 'Plan: 8 to add, 8 to change, 10 to destroy.' ]
	[ "${lines[1]}" = 'root module' ]
	[ "${lines[2]}" = '  terraform_data: 2 to destroy, 8 to replace, 4 to change' ]
	[ "$(line 'terraform_data.many[2..3]')" = '- terraform_data.many[2..3]: 2 alike, but for id; because index [2..3] is out of range for count' ]
	[ "$(line 'terraform_data.forced[0..1]')" = '-/+ terraform_data.forced[0..1]: 2 alike, but for id; because of triggers_replace' ]
	[ "$(line terraform_data.first)" = '+/- terraform_data.first: because of triggers_replace, created before it is destroyed' ]
	[[ "$(line terraform_data.triggered)" = '-/+ terraform_data.triggered: because of changes in replace_triggered_by' ]]
	[ "$(line terraform_data.asked)" = '-/+ terraform_data.asked: as requested by -replace' ]
	[ "$(line terraform_data.tainted)" = '-/+ terraform_data.tainted: because it is tainted' ]
	[[ $output = *$'\nmodule.m\n  terraform_data: 4 to change\n    ~ module.m[0..1].terraform_data.in["p", "q"]: 4 alike; changes input, output\n'* ]]
	[[ $output = *$'\nOutputs\n    ~ pw\n    ~ word\n'* ]]
	[ "${lines[-1]}" = 'Exit status with -detailed-exitcode: 2, there is something to apply' ]
	# what is destroyed comes before what is replaced, and that before the rest
	run -0 awk '/^module/ { exit } $1 ~ /^[-+~\/]+$/ { print $1 }' <<<"$output"
	[ "$(uniq <<<"${output//+\/-/-/+}" | tr '\n' ' ')" = '- -/+ ~ ' ]
}

# bats test_tags=once
@test "changes are one where nothing but keys tells them apart" {
	sample
	run -0 tf-show -summary p
	[ "$(line 'terraform_data.many[0..1]')" = '~ terraform_data.many[0..1]: 2 alike; changes input, output' ]
	# other values of an update
	[ "$(line 'terraform_data.named["a"]')" = '~ terraform_data.named["a"]: changes input, output' ]
	[ "$(line 'terraform_data.named["b"]')" = '~ terraform_data.named["b"]: changes input, output' ]

}

# bats test_tags=once
@test "what is imported, moved or replaced for something else is not like others" {
	provider_setup
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {}
resource "terraform_data" "y" {}
resource "terraform_data" "w" { count = 1 }
EOF
	tf apply -auto-approve >/dev/null
	cat >main.tf <<'EOF'
resource "terraform_data" "w" {
  count = 2
  input = "new"
}
import {
  to = terraform_data.w[1]
  id = "given"
}
resource "terraform_data" "z" {
  count = 3
  input = "new"
}
moved {
  from = terraform_data.x
  to   = terraform_data.z[0]
}
moved {
  from = terraform_data.y
  to   = terraform_data.z[1]
}
import {
  to = terraform_data.z[2]
  id = "given"
}
EOF
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	[ "$(line 'terraform_data.w[0]')" = '~ terraform_data.w[0]: changes input, output' ]
	[ "$(line 'terraform_data.w[1]')" = '~ terraform_data.w[1]: changes input, output; imported' ]
	[ "$(line 'terraform_data.z[0]')" = '~ terraform_data.z[0]: changes input, output; moved from terraform_data.x' ]
	[ "$(line 'terraform_data.z[1]')" = '~ terraform_data.z[1]: changes input, output; moved from terraform_data.y' ]
	[ "$(line 'terraform_data.z[2]')" = '~ terraform_data.z[2]: changes input, output; imported' ]

	rm terraform.tfstate*
	config <<'EOF'
variable "value" { default = "old" }
resource "test_all" "r" {
  count = 3
  name  = "n${count.index}"
  obj   = { a = var.value, b = 1 }
  dyn   = var.value
}
EOF
	tf apply -auto-approve >/dev/null
	TEST_PROVIDER_DO='n0@plan:replace:dyn;n1@plan:replace:obj;n2@plan:replace:dyn' \
		tf plan -out=p -var=value=new >/dev/null
	run -0 tf-show -summary p
	echo "$output"
	[[ "$(line 'test_all.r[0, 2]')" = '-/+ test_all.r[0, 2]: 2 alike'*'; because of dyn' ]]
	[ "$(line 'test_all.r[1]')" = '-/+ test_all.r[1]: because of obj' ]
}

# bats test_tags=once
@test "values that differ within like changes are named" {
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {
  count = 12
  input = { name = "n${count.index}", size = 1, "a b" = count.index }
}
EOF
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	[ "$(line 'terraform_data.x[0..11]')" = '+ terraform_data.x[0..11]: 12 alike, but for input["a b"], input.name' ]
	# in one of them alone
	sed -i 's/"n${count.index}"/count.index == 5 ? "y" : "x"/; s/, "a b".*}/ }/' main.tf
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	[ "$(line 'terraform_data.x[0..11]')" = '+ terraform_data.x[0..11]: 12 alike, but for input.name' ]
	# no more attributes in one than in the others
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {
  count = 12
  input = { for k in ["name", "size"] : k => "v" if k == "name" || count.index != 5 }
}
EOF
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	[[ $output = *'terraform_data.x[0..4, 6..11]: 11 alike'* ]]
	[[ $output = *'+ terraform_data.x[5]'* ]]
}

# Plans at random, and the rule written a second time.
@test "folds of random plans hold what is alike, and name what is not" {
	run "$TF_TEST_SRC/tests/folds" --count 12
	echo "$output"
	[ "$status" = 0 ]
	[ "${lines[-1]}" = '12 passed, 0 failed, 0 skipped' ]
}

# bats test_tags=once
@test "an address with keys in brackets means every combination of them" {
	cat >main.tf <<'EOF'
module "m" {
  source   = "./m"
  for_each = { a = 2, b = 2, c = 3 }
  n        = each.value
}
EOF
	mkdir m
	cat >m/main.tf <<'EOF'
variable "n" {}
resource "terraform_data" "x" { count = var.n }
EOF
	tf init >/dev/null
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	echo "$output"
	[[ $output = *'module.m["a"].terraform_data.x[0..1]: 2 alike'* ]]
	[[ $output = *'module.m["b"].terraform_data.x[0..1]: 2 alike'* ]]
	[[ $output = *'module.m["c"].terraform_data.x[0..2]: 3 alike'* ]]
	sed -i 's/c = 3/c = 2/' main.tf
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	[[ $output = *'module.m["a", "b", "c"].terraform_data.x[0..1]: 6 alike'* ]]
}

@test "whether two secrets are the same is not told" {
	sample
	run -0 tf-show -summary p
	[[ "$(line 'terraform_data.secret[0..1]')" = '-/+ terraform_data.secret[0..1]: 2 alike, but for id; because of triggers_replace' ]]
	run -0 tf-show -summary -show-sensitive p
	[[ $output != *'secret[0..1]'* ]]
}

@test "like warnings are one, with their number" {
	cat >main.tf <<'EOF'
resource "terraform_data" "a" {}
removed { from = terraform_data.b }
removed { from = terraform_data.c }
removed { from = terraform_data.d }
EOF
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	[[ $output = *'Warning: Missing lifecycle from the removed block on main.tf line 2 (and 2 alike)'* ]]
	run -0 tf-show -format=md p
	[[ $output = *'<p>Warning: <code>Missing lifecycle from the removed block</code> (and 2 alike)</p>'* ]]
}

# bats test_tags=once
@test "tsv has four columns and a name for each, flat the same lines" {
	sample
	run -0 --separate-stderr tf-show -format=tsv p
	[ "${lines[0]}" = $'address\tattribute\told\tnew' ]
	awk -F'\t' 'NF != 4 { exit 1 }' <<<"$output"
	tsv=$(sed 1d <<<"$output")
	[ "$(wc -l <<<"$tsv")" -gt 40 ]
	run -0 --separate-stderr tf-show -format=flat p
	[ "$(awk -F'\t' '{ print $1 ($2 ~ /^[^[]/ ? "." : "") $2 ": " $3 " -> " $4 }' \
		<<<"$tsv")" = "$output" ]
	[[ $output = *$'\nterraform_data.many[0].input: "old" -> "new"\n'* ]]
	[[ $output = *$'\nterraform_data.many[0].output: "old" -> unknown\n'* ]]
	[[ $output = *$'\nterraform_data.many[3].(action): absent -> delete\n'* ]]
	[[ $output = *$'\nterraform_data.many[3].input: "old" -> absent\n'* ]]
	[[ $output = *$'\nterraform_data.secret[0].triggers_replace: sensitive -> sensitive\n'* ]]
	[[ $output = *$'\noutput.pw: sensitive -> sensitive\n'* ]]
	[[ $output = *$'\noutput.word: "old" -> "new"'* ]]
}

# bats test_tags=once
@test "each change is in each form" {
	sample
	tf-show -json p | jq -r '.resource_changes[] | select(.change.actions != ["no-op"]).address' |
		sort >wanted
	[ "$(wc -l <wanted)" = 18 ]
	tf-show -format=tsv p | awk -F'\t' '$2 == "(action)" && $1 !~ /^output/ { print $1 }' |
		sort | diff wanted -
	tf-show -format=html p | sed -n 's/.*id="plan">\(.*\)<\/script>/\1/p' |
		jq -r '.changes[].members[][0]' | sort | diff wanted -
	# folds: their numbers
	for form in -summary -format=md; do
		run -0 tf-show $form p
		n=$(grep -E '^ +[-+~/]+ [tm]|^<summary><code>' <<<"$output" |
			awk '{ n += match($0, /[0-9]+ alike/) ? substr($0, RSTART) + 0 : 1 }
				END { print n }')
		[ "$n" = 18 ] || { echo "$form: $n of $output"; false; }
	done
}

@test "no value looks like a word, and none begins a line or a column" {
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {
  input = {
    a = "unknown", b = "sensitive", c = "absent", d = "null", e = null
    f = "one\ttwo\nthree\\", "g\th.(action)" = 1, h = "\u007f\u0085\u202e\u001b[1m"
  }
}
EOF
	tf plan -out=p >/dev/null
	run -0 tf-show -format=tsv p
	echo "$output"
	awk -F'\t' 'NF != 4 { exit 1 }' <<<"$output"
	for word in 'a:"unknown"' 'b:"sensitive"' 'c:"absent"' 'd:"null"' \
		'f:"one\ttwo\nthree\\"' 'h:"\u007f\u0085\u202e\u001b[1m"'; do
		[[ $output = *$'\t'"input.${word%%:*}"$'\tabsent\t'"${word#*:}"$'\n'* ]] ||
			{ echo "$word"; false; }
	done
	[[ $output = *$'\tinput["g\\th.(action)"]\tabsent\t1\n'* ]]
	# what it says is JSON
	tf-show -format=tsv p | sed 1d | cut -f4 | grep -vxE 'create|unknown' | jq . >/dev/null
}

@test "of lists the places are named, of what becomes unknown each part" {
	cat >main.tf <<'EOF'
variable "list" {
  type    = list(string)
  default = ["a", "b", "c"]
}
resource "terraform_data" "x" { input = var.list }
EOF
	tf apply -auto-approve >/dev/null
	tf plan -out=p '-var=list=["a","x","c","d"]' >/dev/null
	run -0 tf-show -format=flat p
	echo "$output"
	[[ $output = *$'\nterraform_data.x.input[1]: "b" -> "x"\n'* ]]
	[[ $output = *$'\nterraform_data.x.input[3]: absent -> "d"\n'* ]]
	[[ $output = *$'\nterraform_data.x.output[2]: "c" -> unknown'* ]]
	tf plan -out=p '-var=list=["b","c"]' >/dev/null
	run -0 tf-show -format=flat p
	[[ $output = *$'\nterraform_data.x.input[0]: "a" -> absent\n'* ]]
	[[ $output != *'input[1]'* ]]
}

# Blocks and nested attributes of every nesting, lists, sets, maps, a secret.
@test "each value of an object is a line, whatever it is in" {
	provider_setup
	everything
	tf plan -out=p >/dev/null
	leaves() { # COLUMN FORM: the values of the lines and of the JSON, sorted
		tf-show -format=tsv p | sed 1d | cut -f"$1" |
			grep -vxE 'create|delete|unknown|absent|sensitive|write-only|null|{}|\[\]|"delete_.*"' |
			jq -c . | sort >lines
		tf-show -json p | jq -c ".resource_changes[0].change.$2 |
			[.. | scalars | select(. != null and . != \"hidden\")][]" | sort >json
		[ "$(wc -l <json)" -gt 20 ]
		diff json lines
	}
	leaves 4 after
	run -0 tf-show -format=tsv p
	[[ $output = *$'\tsecret\tabsent\tsensitive\n'* ]]
	[[ $output = *$'\two\tabsent\twrite-only\n'* ]]
	[[ $output = *$'\tset[]\tabsent\t"y"\n'* ]]
	[[ $output = *$'\tnested_list[0].deep[0].name\tabsent\t"d0"\n'* ]]
	[[ $output = *$'\tblock[0].name\tabsent\t"b0"\n'* ]]
	tf apply -auto-approve >/dev/null
	tf plan -destroy -out=p >/dev/null
	leaves 3 before
}

@test "moved and imported objects have their lines" {
	cat >main.tf <<'EOF'
resource "terraform_data" "a" { count = 2 }
EOF
	tf apply -auto-approve >/dev/null
	cat >main.tf <<'EOF'
resource "terraform_data" "b" { count = 2 }
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
resource "terraform_data" "i" {}
import {
  to = terraform_data.i
  id = "given"
}
EOF
	tf plan -out=p >/dev/null
	run -0 tf-show -summary p
	echo "$output"
	[[ $output = *'terraform_data.b[0..1]: 2 alike; moved from terraform_data.a'* ]]
	[[ $output = *'terraform_data: 3 moved or imported'* ]]
	[[ $output = *'terraform_data.i: imported'* ]]
	run -0 tf-show -format=flat p
	[[ $output = *'terraform_data.b[1].(address): "terraform_data.a[1]" -> "terraform_data.b[1]"'* ]]
	[[ $output = *'terraform_data.i.(import): absent -> "given"'* ]]
}

@test "what was changed outside is told in each form" {
	provider_setup
	config <<'EOF'
resource "test_thing" "a" {
  name  = "a"
  value = "is"
}
EOF
	tf apply -auto-approve >/dev/null
	TEST_PROVIDER_DO='read:set:value="drifted"' tf plan -refresh-only -out=p >/dev/null
	for form in $forms; do
		run -0 tf-show $form p
		[[ $output = *drifted* || $form = -summary ]] || { echo "$form: $output"; false; }
	done
	run -0 tf-show -format=flat p
	[[ $output = *'test_thing.a.(drift).value: "is" -> "drifted"'* ]]
	run -0 tf-show -summary p
	[[ $output = *$'\nChanged outside\n    ~ test_thing.a: changes value'* ]]
}

# bats test_tags=once
@test "no form shows a secret" {
	sample
	for form in $forms; do
		run -0 tf-show $form p
		[[ $output != *Secret* ]] || { echo "$form"; false; }
	done
	run -0 tf-show -format=tsv -show-sensitive p
	[[ $output = *$'terraform_data.secret[1]\ttriggers_replace\t"1SecretOne"\t"1SecretTwo"'* ]]
	for form in md html; do
		run -1 tf-show -format=$form -show-sensitive p
		[[ $output = *'Error: Incompatible command line options'* ]]
	done
}

# bats test_tags=once
@test "input that is empty, cut, failed or no plan fails in each form" {
	sample
	: >empty
	sed '$d' p >cut
	head -c 20000 p >torn
	sed -i 's/var.word$/var.nothing/' main.tf
	tf-plan -C . >failed || :
	tf-parse -C . >parsed || :
	for form in $forms; do
		for input in empty cut torn failed parsed terraform.tfstate; do
			run -1 --separate-stderr tf-show $form $input
			[[ $stderr = *'Error: '* ]] || { echo "$form $input"; false; }
			run -1 bash -c "tf-show $form <$input"
		done
	done
	run -1 --separate-stderr tf-show -summary terraform.tfstate
	[[ $stderr = *'Error: No plan to show'* ]]
	[ -z "$output" ]
	run -1 --separate-stderr tf-show -format=flat cut
	[ -z "$output" ]
}

@test "a plan that failed is shown as far as it got, with status 1" {
	cat >main.tf <<'EOF'
resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" {
  input = 2
  lifecycle {
    precondition {
      condition     = terraform_data.a.input == 2
      error_message = "Not two."
    }
  }
}
EOF
	tf-plan -C . >p || :
	for form in $forms; do
		run -1 --separate-stderr tf-show $form p
		[[ $output = *terraform_data.a* ]] || { echo "$form: $output"; false; }
		[[ $stderr = *'Not two.'* ]] || { echo "$form: $stderr"; false; }
	done
	run -1 --separate-stderr tf-show -summary p
	[[ $output = 'Planning failed. Plan: '* ]]
	[[ $output = *'-detailed-exitcode: 1, planning failed'* ]]
}

# bats test_tags=once
@test "the exit status is that of the plan" {
	sample
	for form in $forms; do
		run -2 tf-show -detailed-exitcode $form p
	done
	run -2 tf plan -summary -detailed-exitcode
	[[ $output = *'many[0..1]'* || $output = *'terraform_data.tainted: because it is tainted'* ]]
	tf untaint terraform_data.tainted >/dev/null
	run -0 tf plan -summary -detailed-exitcode -out=p
	[[ $output = *'Exit status with -detailed-exitcode: 0, there is nothing to apply'* ]]
	for form in $forms; do
		run -0 tf-show -detailed-exitcode $form p
	done
	run -0 tf show -summary p
	[ "${lines[0]}" = 'No changes.' ]
}

@test "one form is asked for, of a plan" {
	sample
	for options in '-summary -json' '-summary -format=md' '-json -format=tsv' \
		'-format=xml' '-format=' '-summary -current' '-format=md -outputs' \
		'-format=tsv -max-size=9000' '-max-size=9000' \
		'-format=md -max-size=1999' '-summary -json-into=x'; do
		run -1 tf-show $options p
		[[ $output = *'Error: '* ]] || { echo "$options"; false; }
	done
	run -1 tf plan -summary -json
	[[ $output = *'Invalid output format'* ]]
	run -0 tf show -format=flat p
	[[ $output = *'terraform_data.asked.(action): absent -> delete,create'* ]]
}

# bats test_tags=once
@test "Markdown keeps its size and leaves out whole elements, the mildest first" {
	cat >main.tf <<'EOF'
variable "gone" {
  type    = number
  default = 100
}
resource "terraform_data" "gone" {
  count = var.gone
  input = "${count.index}-${"x"}"
}
resource "terraform_data" "new" {
  for_each = { for i in range(300) : "k${i}" => { for j in range(i + 1) : "a${j}" => "v" } if var.gone == 0 }
  input    = each.value
}
EOF
	tf apply -auto-approve >/dev/null
	tf plan -out=p -var=gone=0 >/dev/null
	for size in 2000 3000 10000 65536 200000; do
		run -0 tf-show -format=md -max-size=$size p
		tf-show -format=md -max-size=$size p >md
		[ "$(wc -c <md)" -le $size ]
		awk '/^<details>$/ { n++ } /^<\/details>$/ { n-- } /^```diff$/ { f++ }
			/^```$/ { f-- } n < 0 || n > 1 || f < 0 || f > n { bad = 1 }
			END { exit bad || n || f }' md
		# whatever the size, all of them are counted
		lines=$(sed -n 's/^<summary>\(.*\)<\/summary>$/\1/p; s/^<p>\(.*\)<\/p>$/\1/p' md |
			awk '{ n += match($0, /[0-9]+ alike/) ? substr($0, RSTART) + 0 : 1 } END { print n + 0 }')
		left=$(sed -n 's/^> .*bytes: //p' md | tr , '\n' |
			awk '!/differences/ { n += $1 } END { print n + 0 }')
		[ $((lines + left)) = 400 ] || { echo "$size: $lines + $left"; cat md; false; }
		[[ $size = 200000 ]] || grep -q '^> \*\*Left out\*\*' md
		# nothing that is destroyed is left out for what is added
		! grep -q '^> .*to destroy' md || ! grep -q '<code>+ ' md || false
	done
	tf-show -format=md p >md
	tf-show -format=md -max-size=65536 p | cmp - md
	grep -q 'terraform_data.gone&#91;0..99&#93;' md
}

# As GitHub's own renderer reads it, without the filters that come after.
@test "Markdown of hostile names and values renders as text in code" {
	need cmark-gfm python3
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {
  for_each = toset(["@team", "a|b", "`tick`", "</code><img src=x>", "</summary></details>", "#1 http://x.example www.x.example a@x.example", "*b* [l](u)", "$x$", ":tada:", "a\\", "<!--"])
  input    = { (each.key) = "x\n```\n\n</details>\n````\n@team <b>${each.key}</b>\n<!-- http://x.example\n" }
}
EOF
	tf plan -out=p >/dev/null
	tf-show -format=md p >md
	cmark-gfm --unsafe -e table -e autolink -e strikethrough md >md.html
	run -0 python3 - <<'EOF'
import html.parser

OURS = "h3 table thead tbody tr th td details summary code pre".split()

class Reader(html.parser.HTMLParser):
    within, outside, codes = [], [], []
    def handle_starttag(self, tag, attrs):
        assert tag in OURS, tag
        self.within.append(tag)
        if tag == 'code':
            self.codes.append('')
    def handle_endtag(self, tag):
        assert self.within.pop() == tag, tag
    def handle_comment(self, data):
        assert False, data
    def handle_data(self, data):
        if 'code' in self.within:
            self.codes[-1] += data
        else:
            self.outside.append(data.strip())

r = Reader()
r.feed(open('md.html').read())
assert not r.within, r.within
assert not [t for t in r.outside if '@' in t or 'http' in t or 'x' in t], r.outside
for key in ('@team', 'a|b', '`tick`', '</code><img src=x>', '*b* [l](u)', ':tada:', '<!--'):
    assert sum(c == f'+ terraform_data.x["{key}"]' for c in r.codes) == 1, key
print(len(r.codes))
EOF
	[ "$output" = 23 ]
}

# Code is between tags or backticks, and none of these are in it.
@test "nothing in a plan gets out of the code of Markdown" {
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {
  for_each = toset(["@team", "a|b", "`tick`", "</code><img src=x>", "</summary></details>", "#1 http://x.example", "*b* [l](u)"])
  input    = "x\n```\n\n</details>\n````\n@team <b>${each.key}</b>\n"
}
EOF
	tf plan -out=p >/dev/null
	tf-show -format=md p >md
	jq -c 'select(.record != "seal")' p >unsealed
	# tags: none but ours
	sed '/^````*diff$/,/^````*$/d' md >outside
	run -0 grep -oE '<[^>]*>' outside
	[ "$(sort -u <<<"$output" | tr '\n' ' ')" = '</code> </details> </summary> <code> <details> <summary> ' ]
	run -1 grep -E '[@#*[`].*</summary>' <(sed 's/&#[0-9]*;//g' outside)
	# fences: longer than what is in them
	awk '/^`+diff$/ { fence = $0; sub(/diff$/, "", fence); open = 1; next }
		open && $0 == fence { open = 0; n++; next }
		open && /^ *`/ { s = $0; gsub(/[^`]/, "", s); if (length(s) >= length(fence)) bad = 1 }
		END { exit bad || open || !n }' md
	# a cell of a table is one, whatever a stream calls a type
	sed 's/"type":"terraform_data"/"type":"a|b`c"/g; s/terraform_data\./a|b`c./g' unsealed >e
	run -0 --separate-stderr tf-show -format=md e
	[[ $output = *$'\n| root | `` a\\|b`c `` | 7 | | | | |\n'* ]]
}

# bats test_tags=once
@test "a value does not look like a line that changes" {
	cat >main.tf <<'EOF'
variable "tail" { default = "1" }
resource "terraform_data" "x" {
  input = "first\n  - rm -rf /\n+ added\n${var.tail}\n"
}
EOF
	tf apply -auto-approve >/dev/null
	tf plan -out=p -var=tail=2 >/dev/null
	run -0 tf-show -format=md p
	echo "$output"
	[[ $output = *$'\n-           1\n+           2\n'* ]]
	run -1 grep -E '^[-+!].*(rm -rf|added)' <<<"$output"
}

@test "the page of HTML is whole in itself, and its text is no markup" {
	cat >main.tf <<'EOF'
resource "terraform_data" "x" {
  for_each = toset(["</script><script>alert(1)</script>", "<!--", "<script", "&lt;"])
  input    = "</script><img src=x onerror=alert(1)>\u2028${each.key}"
}
EOF
	tf plan -out=p >/dev/null
	tf-show -format=html p >page.html
	[ "$(grep -oi '<script\|<!--\|<img' page.html | sort | uniq -c | tr -s ' \n' ' ')" = ' 2 <script ' ]
	[ "$(grep -oi '</script' page.html | wc -l)" = 2 ]
	# the policy has the digests of what is in the page
	python3 - <<'EOF'
import base64, hashlib, re
page = open('page.html', encoding='utf-8').read()
policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
assert "default-src 'none'" in policy and 'unsafe' not in policy, policy
for tag, name in ('<style>', 'style'), ('<script>', 'script'):
    text = page.split(tag)[1].split('</' + name)[0]
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    assert f"{name}-src 'sha256-{digest}'" in policy, (name, digest, policy)
assert not re.search(r'https?://(?!www\.w3\.org/2000/svg)', page)
assert not re.search(r'innerHTML|outerHTML|insertAdjacent|document\.write|eval\(', page)
EOF
}

browse() { # WORD...: of page.py
	timeout 120 python3 "$TF_TEST_SRC/tests/page.py" "$@"
}

later='new Promise(r => setTimeout(r, 400)).then(() =>'

# bats test_tags=once
@test "Chromium shows the page: changes, differences, search, graph, light and dark" {
	need chromium python3
	sample
	cat >>main.tf <<'EOF'
resource "terraform_data" "markup" { input = "</script><img src=x onerror=document.title=1> <b>" }
resource "terraform_data" "after" { input = terraform_data.markup.output }
EOF
	tf plan -out=p -var=size=2 -var=word=new >/dev/null
	tf-show -format=html p >page.html
	run -0 browse --shot light.png page.html 'document.title' \
		'document.querySelector("h1").textContent' \
		'document.querySelectorAll("#changes details").length' \
		'document.querySelectorAll("#changes pre").length' \
		'document.querySelectorAll("#changes > details").forEach(d => d.open = true)' \
		"$later document.querySelectorAll('#changes pre').length > 3)" \
		'document.querySelectorAll("img, #changes b").length' \
		'document.body.textContent.includes("<img src=x onerror=")' \
		'document.querySelectorAll("svg g").length > 5' \
		'(() => { const s = document.querySelector("input"); s.value = "markup onerror"; s.dispatchEvent(new Event("input")) })()' \
		"$later [...document.querySelectorAll('#changes summary')].map(s => s.textContent).join())" \
		'document.querySelector(".count").textContent' \
		'getComputedStyle(document.body).backgroundColor'
	echo "$output"
	[ "${lines[0]}" = '"Plan"' ]
	[[ ${lines[1]} = '"Plan: '*' to add, '* ]]
	[ "${lines[2]}" = "$(sed -n 's/.*id="plan">\(.*\)<\/script>/\1/p' page.html | jq '.changes | length')" ]
	[ "${lines[3]}" = 0 ]
	[ "${lines[5]} ${lines[6]} ${lines[7]} ${lines[8]}" = 'true 0 true true' ]
	[ "${lines[10]}" = '"+terraform_data.markup"' ]
	[ "${lines[11]}" = '"1 change found"' ]
	[ "${lines[12]}" = '"rgb(255, 255, 255)"' ]
	run -0 browse --dark --size 420x800 --shot dark.png page.html \
		'getComputedStyle(document.body).backgroundColor' \
		'document.documentElement.scrollWidth <= innerWidth'
	[ "${lines[0]}" = '"rgb(20, 23, 27)"' ]
	[ "${lines[1]}" = true ]
	run -1 cmp -s light.png dark.png
}

# Of 10,000 unlike changes; the limits are far above what it takes.
# bats test_tags=once
@test "Chromium opens and searches a page of 10,000 changes without a stutter" {
	need chromium python3
	cat >main.tf <<'EOF'
variable "word" { default = "old" }
resource "terraform_data" "x" {
  count = 10000
  input = "${var.word}-${count.index}"
}
EOF
	tf apply -auto-approve >/dev/null
	tf plan -out=p -var=word=new >/dev/null
	tf-show -format=html p >page.html
	run -0 browse page.html \
		'Math.round(performance.timing.loadEventEnd - performance.timing.navigationStart)' \
		'document.querySelectorAll("#changes details").length' \
		'(() => { const s = document.querySelector("input"), t = performance.now(); s.value = "new-7777"; s.dispatchEvent(new Event("input")); return new Promise(r => { const o = new MutationObserver(() => { o.disconnect(); requestAnimationFrame(() => r(Math.round(performance.now() - t))); }); o.observe(document.querySelector("#changes"), { childList: true }); }) })()' \
		'document.querySelector(".count").textContent'
	echo "$output"
	[ "${lines[0]}" -lt 10000 ]
	[ "${lines[1]}" -lt 1000 ]
	[ "${lines[2]}" -lt 5000 ]
	[ "${lines[3]}" = '"1 change found"' ]
}

@test "a part of a plan, and what was not read, is told in each form for people" {
	sample
	for form in -summary -format=md -format=html; do
		run -0 tf-show $form -select='action == "delete"' p
		[[ $output = *'Note: This is a part: 2 of '*' changes, those for which this is true: action '* ]] ||
			{ echo "$form: $output"; false; }
		[[ $output = *'many[2..3]'* || $output = *'many&#91;2..3&#93;'* ]]
		[[ $output != *terraform_data.asked* || $form = -format=html ]]
	done
	run -0 tf-show -format=flat -select='action == "delete"' p
	[[ $output = *'terraform_data.many[2].(action): absent -> delete'* ]]
	[[ $output != *terraform_data.asked* ]]
	run -0 tf-show -summary -select=false p
	[ "${lines[0]}" = 'None of the changes that are selected does anything.' ]
	tf plan -minimal-refresh -out=p >/dev/null
	for form in -summary -format=md -format=html; do
		run -0 tf-show $form p
		[[ $output = *'not read again, because of -minimal-refresh: what has'* ]] ||
			{ echo "$form: $output"; false; }
	done
}

#!/usr/bin/env bats
# tf-graph: pictures: clusters, colours, reduction, folding, the layout of SVG

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# The edges of a picture, by the labels of the boxes.
ways() {
	python3 - "$1" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
names = dict(re.findall(r'^ *(n\d+) \[label="((?:[^"\\]|\\.)*)"', text, re.M))
for a, b in sorted(re.findall(r"^ *(n\d+) -> (n\d+)", text, re.M)):
    print(names[a], ">", names[b])
PY
}

# Is it XML; lies no box on another, nor on the title of a module; runs no edge
# under one?
sound() {
	python3 "$TF_TEST_SRC/tests/picture.py" "$1"
}

# All that can be done to a resource: of each action one, in a module or not.
changes() {
	mkdir m
	cat >m/main.tf <<'TF'
variable "in" {}
resource "terraform_data" "kept" { input = var.in }
resource "terraform_data" "changed" {
  count = 3
  input = terraform_data.kept.id
}
output "o" { value = terraform_data.changed[*].id }
TF
	cat >main.tf <<'TF'
resource "terraform_data" "base" { input = 1 }
resource "terraform_data" "replaced" { triggers_replace = 1 }
resource "terraform_data" "gone" { input = terraform_data.base.id }
resource "terraform_data" "forgotten" {}
module "m" {
  source = "./m"
  in     = terraform_data.base.id
}
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	sed -i '/"gone"\|"forgotten"/d; s/triggers_replace = 1/triggers_replace = 2/' main.tf
	sed -i 's/count = 3/count = 4/; s/input = terraform_data.kept.id/input = "x"/' m/main.tf
	cat >>main.tf <<'TF'
removed {
  from = terraform_data.forgotten
  lifecycle { destroy = false }
}
resource "terraform_data" "new" { input = module.m.o }
data "terraform_remote_state" "read" {
  backend = "local"
  config  = { path = terraform_data.new.id }
}
TF
	tf plan -out=P >/dev/null
}

@test "an edge that others say as well is left out, and values are gone through" {
	mkdir m
	cat >m/main.tf <<'TF'
variable "in" {}
resource "terraform_data" "x" { input = var.in }
output "o" { value = terraform_data.x.id }
TF
	cat >main.tf <<'TF'
resource "terraform_data" "a" {}
locals { l = terraform_data.a.id }
resource "terraform_data" "b" { input = local.l }
resource "terraform_data" "c" { input = [terraform_data.b.id, local.l] }
module "m" {
  source = "./m"
  in     = terraform_data.c.id
}
resource "terraform_data" "d" {
  input = [module.m.o, terraform_data.a.id, terraform_data.c.id]
}
TF
	tf init >/dev/null
	tf-graph -C . -format=dot >dot
	ways dot | sort | diff - <(cat <<'X'
terraform_data.b > terraform_data.a
terraform_data.c > terraform_data.b
terraform_data.d > terraform_data.x
terraform_data.x > terraform_data.c
X
	)
	run -0 grep -c -- '-->' <(tf-graph -C . -format=mermaid)
	[ "$output" = 4 ]
	run -0 grep -c '<path class="w"' <(tf-graph -C . -format=svg)
	[ "$output" = 4 ]
}

@test "the reduction is that of a plain one, also in graphs of many words" {
	python3 - <<'PY'
import random
random.seed(7)
n = 700  # more boxes than are worked out at a time
with open("main.tf", "w") as f, open("want", "w") as want:
    below, out = [], []
    for i in range(n):
        to = sorted(random.sample(range(max(0, i - 40), i), min(i, 4)))
        far = set().union(set(), *(below[k] for k in to))
        below.append(far | set(to))
        out += [f"terraform_data.r{i} > terraform_data.r{k}" for k in to if k not in far]
        refs = ", ".join(f"terraform_data.r{k}.id" for k in to)
        f.write(f'resource "terraform_data" "r{i}" {{ input = [{refs}] }}\n')
    want.write("\n".join(sorted(out)) + "\n")
PY
	tf-graph -C . -format=dot -max-nodes=0 >dot
	ways dot | LC_ALL=C sort | diff - <(LC_ALL=C sort want)
}

@test "modules are clusters; one that has nothing but another is none" {
	mkdir -p outer/middle/inner
	echo 'resource "terraform_data" "root" {}
module "outer" { source = "./outer" }' >main.tf
	echo 'resource "terraform_data" "o" {}
module "middle" { source = "./middle" }' >outer/main.tf
	echo 'module "inner" { source = "./inner" }' >outer/middle/main.tf
	echo 'resource "terraform_data" "i" {}' >outer/middle/inner/main.tf
	tf init >/dev/null
	tf-graph -C . -format=dot >dot
	sed -n '/subgraph/,$p' dot | grep -v '^}' |
		sed 's/\[label="\([^"]*\)".*/\1/; s/cluster_[0-9]*/cluster/' >got
	diff got - <<'X'
  subgraph cluster {
    label="module.outer"
    n1 terraform_data.o
    subgraph cluster {
      label="module.middle.module.inner"
      n2 terraform_data.i
    }
  }
X
	tf-graph -C . -format=mermaid | grep subgraph >got
	diff got - <<'X'
  subgraph m1["module.outer"]
    subgraph m3["module.middle.module.inner"]
X
	tf-graph -C . -format=svg >svg
	[ "$(grep -c 'class="m"' svg)" = 2 ]
	sound svg
}

# bats test_tags=once
@test "-plan: each box has the colour of what is done, and the legend counts" {
	changes
	tf-graph -plan=P -format=svg >svg
	sound svg
	grep -o '<g class="o [a-z r]*"><title>.*</title>' svg |
		sed 's/<[^>]*"o \([a-z]*\).*<title>\(.*\)<.title>/\1 \2/' |
		LC_ALL=C sort >got
	diff got - <<'X'
add terraform_data.new: to add
change module.m.terraform_data.changed ×4 ~3 +1: to change
destroy terraform_data.gone: to destroy
forget terraform_data.forgotten: to forget
read data.terraform_remote_state.read: to read
replace terraform_data.replaced: to replace
same module.m.terraform_data.kept: unchanged
same terraform_data.base: unchanged
X
	for said in '- 1 to destroy' '-/+ 1 to replace' '. 1 to forget' \
		'~ 3 to change' '+ 2 to add' '&lt;= 1 to read' '2 unchanged'; do
		grep -qF ">$said</text>" svg
	done
	tf-graph -plan=P -format=dot >dot
	grep -q 'label="- terraform_data.gone".*color="#c4322b"' dot
	grep -qF 'label="1 to destroy, 1 to replace, 1 to forget, 3 to change' dot
	tf-graph -plan=P -format=mermaid >mermaid
	grep -q '"- terraform_data.gone"\]:::destroy$' mermaid
	grep -q 'classDef destroy stroke:#c4322b' mermaid
}

@test "-plan takes a file or a pipe; tf graph draws the same; all have the same bytes" {
	changes
	for form in dot mermaid svg; do
		tf-graph -plan=P -format=$form >1
		tf-graph -plan=- -format=$form <P | cmp 1 -
		tf graph -plan=P -format=$form | cmp 1 -
		tf-graph -C . -format=$form >2
		tf graph -format=$form | cmp 2 -
		run -1 cmp -s 1 2
	done
	run -0 tf-graph -plan=P -why=module.m.terraform_data.kept,terraform_data.base
	run -1 tf-graph -format=svg -plan=- < <(tf-parse)
	[[ $output == *'Error: No plan'* ]]
}

@test "-apply -format=svg: the order of applying, what goes beside what comes" {
	changes
	tf-graph -apply -format=svg -plan=P >svg
	sound svg
	grep -q '<g class="o replace"><title>terraform_data.replaced (destroy)' svg
	grep -q '<g class="o forget"><title>terraform_data.forgotten (forget)' svg
	grep -qF '>-/+ 1 to replace</text>' svg
	grep -q '<title>module.m.terraform_data.changed\[3\]: to add' svg
	tf-graph -apply -format=svg -plan=P -max-nodes=8 >svg
	grep -q '<title>module.m.terraform_data.changed ×4 ~3 +1' svg
}

# Four modules of ten, of two types, one of them with a change.
many() {
	mkdir m
	cat >main.tf <<'TF'
module "a" { source = "./m" }
module "b" { source = "./m" }
module "c" { source = "./m" }
module "d" {
  source = "./m"
  in     = "x"
}
TF
	echo 'variable "in" { default = null }' >m/main.tf
	for i in 0 1 2 3 4 5 6 7; do
		echo "resource \"terraform_data\" \"r$i\" {}" >>m/main.tf
	done
	cat >>m/main.tf <<'TF'
resource "terraform_data" "last" { input = var.in }
data "terraform_remote_state" "s" {
  backend = "local"
  config  = { path = "../s" }
}
TF
	tf init >/dev/null
	echo '{"version":4,"serial":1,"lineage":"x","outputs":{},"resources":[]}' >../s
}

@test "-max-nodes folds by type, then modules, then modules together" {
	many
	boxes() {
		tf-graph -C . -format=dot "$@" >dot
		sed -n 's/^ *n[0-9]* \[label="\([^"]*\)".*/\1/p' dot | tr '\n' ';'
		sed -n 's/^.*labelloc=t label="\(.*\)"/\1/p' dot
	}
	run -0 boxes -max-nodes=40
	[[ $output != *folded* && $output != *resources* ]]
	run -0 boxes -max-nodes=0
	[[ $output != *folded* ]]
	run -0 boxes -max-nodes=38
	[[ $output == *'terraform_data\n3 resources;'*'3 of 40 resources are folded into 1 box' ]]
	run -0 boxes -max-nodes=8
	[[ $output == *'data.terraform_remote_state.s;terraform_data\n9 resources;'* ]]
	[[ $output == *'36 of 40 resources are folded into 4 boxes' ]]
	run -0 boxes -max-nodes=4
	[ "$output" = 'module.a\n10 resources;module.b\n10 resources;module.c\n10 resources;module.d\n10 resources;40 of 40 resources are folded into 4 boxes' ]
	run -0 boxes -max-nodes=2
	[ "$output" = '3 modules\n30 resources;module.a\n10 resources;40 of 40 resources are folded into 2 boxes' ] ||
		[ "$output" = 'module.a\n10 resources;3 modules\n30 resources;40 of 40 resources are folded into 2 boxes' ]
	run -0 boxes -max-nodes=1
	[ "$output" = '4 modules\n40 resources;40 of 40 resources are folded into 1 box' ]
}

@test "-max-nodes keeps what changes, and says in each form what was folded" {
	many
	tf apply -auto-approve >/dev/null
	sed -i 's/"x"/"y"/' main.tf
	tf plan -out=P >/dev/null
	for form in dot mermaid svg; do
		tf-graph -plan=P -format=$form -max-nodes=5 >out
		grep -qF '39 of 40 resources are folded into 4 boxes' out
		grep -q 'terraform_data.last' out
		grep -q 'others' out
	done
	sound out
}

@test "names and keys are text in each form, whatever is in them" {
	cat >main.tf <<'TF'
resource "terraform_data" "größe" {
  for_each = toset(["</text><script>x</script>", "a\"b", "x\ny", "日本語", "]b[",
    "&amp;", "back\\slash", "#quot;", "\u001b[31m", "`code`", "-->", "]]>"])
}
resource "terraform_data" "z" { input = terraform_data.größe["a\"b"].id }
TF
	tf-plan -C . >plan
	tf-graph -apply -plan=plan -format=svg >svg
	sound svg
	python3 - <<'PY'
import xml.etree.ElementTree as E
titles = [t.text for t in E.parse("svg").iter("{http://www.w3.org/2000/svg}title")]
assert E.parse("svg").find(".//{http://www.w3.org/2000/svg}script") is None
for key in ["</text><script>x</script>", 'a\\"b', "x\\ny", "日本語", "]b[", "&amp;", "back\\\\slash"]:
    assert any(f'größe["{key}"]' in t for t in titles), (key, titles)
PY
	echo "resource \"terraform_data\" \"a$(printf 'é%.0s' {1..200})z\" {}" >>main.tf
	tf-graph -C . -format=svg >long
	sound long
	grep -qF 'ééé…ééé' long
	[ "$(sed -n 's/^<svg.* width="\([0-9]*\)".*/\1/p' long)" -lt 1000 ]
	tf-graph -apply -plan=plan -format=mermaid >mermaid
	run -1 grep '[<`&]\|#quot;[^"]*[[]"' <(sed 's/<br>//g; s/#[0-9]*;//g' mermaid)
	grep -qF 'größe[#34;a#92;#34;b#34;]"]:::add' mermaid
	[ "$(grep -c 'n[0-9]*\["' mermaid)" = 13 ]
	tf-graph -apply -plan=plan -format=dot >dot
	grep -qF 'größe[\"a\\\"b\"]"' dot
	[ "$(grep -c '^ *n[0-9]* \[label=' dot)" = 13 ]
	if command -v dot >/dev/null; then
		dot -Tsvg dot >drawn
		grep -q 'a\\&quot;b' drawn
	fi
}

@test "boxes, titles and edges of a picture keep clear of each other" {
	python3 - <<'PY'
import os, random
random.seed(3)
root = ""
for m in range(6):
    os.makedirs(f"m{m}/sub", exist_ok=True)
    text = 'variable "in" {}\n'
    for where, n in ((f"m{m}", 14), (f"m{m}/sub", 6)):
        body = 'variable "in" {}\n'
        for i in range(n):
            refs = [f"terraform_data.r{random.randrange(i)}.id" for _ in range(i and random.randrange(3))]
            refs += ["var.in"] if i == 0 else []
            body += f'resource "terraform_data" "r{i}" {{ input = [{", ".join(refs)}] }}\n'
        body += f'output "o" {{ value = terraform_data.r{random.randrange(n)}.id }}\n'
        if where == f"m{m}":
            body += 'module "sub" {\n  source = "./sub"\n  in = terraform_data.r3.id\n}\n'
        open(where + "/main.tf", "w").write(body)
    to = f"module.m{random.randrange(m)}.o" if m else "terraform_data.base.id"
    root += f'module "m{m}" {{\n  source = "./m{m}"\n  in = [{to}, terraform_data.base.id]\n}}\n'
root += 'resource "terraform_data" "base" {}\n'
root += "".join(f'resource "terraform_data" "alone{i}" {{}}\n' for i in range(30))
open("main.tf", "w").write(root)
PY
	tf init >/dev/null
	for n in 0 90 60 40 20 5; do
		tf-graph -C . -format=svg -max-nodes=$n >svg
		sound svg
		tf-graph -C . -format=svg -max-nodes=$n | cmp svg -
	done
}

@test "10,000 resources are drawn in less than a second of CPU" {
	python3 - <<'PY'
import random
random.seed(1)
with open("main.tf", "w") as f:
    for i in range(10000):
        refs = ", ".join(f"terraform_data.r{random.randrange(max(0, i - 200), i)}.id" for _ in range(min(i, 5)))
        f.write(f'resource "terraform_data" "r{i}" {{ input = [{refs}] }}\n')
PY
	tf-parse >stream
	cpu() {
		python3 - "$@" <<'PY'
import os, subprocess, sys
subprocess.run(sys.argv[1:], stdin=open("stream"), stdout=open("out", "w"), check=True)
t = os.times()
print(t.children_user + t.children_system)
PY
	}
	plain=$(cpu tf-graph -format=dot -plain)
	drawn=$(cpu tf-graph -format=svg)
	echo "plain $plain, drawn $drawn"
	sanitized tf-graph || python3 -c "assert $drawn - $plain < 1"
}

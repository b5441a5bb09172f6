#!/usr/bin/env bats
# Completion: what TAB makes of a line, in shells at a terminal.
bats_require_minimum_version 1.5.0
load common

setup() {
	mkdir "$BATS_TEST_TMPDIR/w"
	cd "$BATS_TEST_TMPDIR/w" || return 1
	mkdir -p modules/app
	cat >modules/app/main.tf <<'TF'
resource "terraform_data" "odd" {
  for_each = toset(["a b", "it's", "q\"d$"])
}
resource "terraform_data" "xyz" {}
TF
	cat >main.tf <<'TF'
module "app" {
  source   = "./modules/app"
  for_each = toset(["api"])
}
resource "terraform_data" "one" {}
output "alpha" { value = 1 }
output "beta" { value = 2 }
TF
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	sed -i 's/toset(\["api"\])/toset(["api", "web"])/' main.tf
	echo 'resource "terraform_data" "later" {}' >>main.tf
}

# Types each line of standard input and TAB into a shell, and prints the words
# that it then has.
typed() { # SHELL
	need "$1"
	cat >typed.py <<'PY'
import os, pty, sys, threading, time

name, source = sys.argv[1:]
shells = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], f". {source}/tf.bash"),
    "zsh": (["zsh", "-f", "-i"],
            f"fpath=({source} $fpath); autoload -U compinit; compinit -u -d zc;"
            " setopt noautomenu; bindkey -e"),
    "fish": (["fish", "--no-config", "-i"], f"source {source}/tf.fish"),
}
command, setup = shells[name]
with open("words", "w") as f:
    f.write('#!/bin/sh\nfor a; do printf "<%s>" "$a"; done >answer.new\n'
            "mv answer.new answer\n")
os.chmod("words", 0o755)
lines = sys.stdin.read().splitlines()
here = os.getcwd()
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", HOME=here, LC_ALL="C.UTF-8")
    os.execvp(command[0], command)

def swallow():
    try:
        while os.read(fd, 65536):
            pass
    except OSError:
        pass

threading.Thread(target=swallow, daemon=True).start()

def answer(keys):
    os.write(fd, keys.encode())
    for _ in range(15000): # zsh reads all its completions, perhaps beside others
        if os.path.exists("answer"):
            break
        time.sleep(0.02)
    else:
        sys.exit(f"{name} does not answer: {keys!r}")
    with open("answer") as f:
        text = f.read()
    os.remove("answer")
    return text

answer(f"{setup}; ./words ready\r")
for line in lines:
    print(answer(line + "\t\x01./words \r"))
os.kill(pid, 9)
PY
	python3 typed.py "$1" "$TF_TEST_SRC/completions"
}

# Lines, an empty one, and what is to come of them.
becomes() { # SHELL
	sed '/^$/,$d' lines >given
	sed '1,/^$/d' lines >wanted
	typed "$1" <given >got
	diff wanted got
}

same_everywhere() {
	cat >lines <<'LINES'
tf work
tf state sh
tf prov
tf providers lo
tf plan -auto
tf apply -auto
tf state show terr
tf state show 'module.app["api"].terraform_data.x
tf state show "module.app[\"api\"].terraform_data.x
tf state show module.app\[\"api\"\].terraform_data.x
tf state show 'module.app["api"].terraform_data.odd["a
tf state show "module.app[\"api\"].terraform_data.odd[\"a
tf state show module.app\[\"api\"\].terraform_data.odd\[\"a
tf state show 'module.app["api"].terraform_data.odd["it
tf state show "module.app[\"api\"].terraform_data.odd[\"it
tf state show module.app\[\"api\"\].terraform_data.odd\[\"it
tf state show 'module.app["api"].terraform_data.odd["q
tf state show "module.app[\"api\"].terraform_data.odd[\"q
tf state show module.app\[\"api\"\].terraform_data.odd\[\"q
tf plan -target='module.app["api"].terraform_data.odd["it
tf plan -target="module.app[\"api\"].terraform_data.odd[\"it
tf state rm terraform_data.one 'module.app["api"].terraform_data.x
tf taint 'module.app["api"].terraform_data.x
tf plan -target=terraform_data.l
tf plan -target terraform_data.l
tf plan -exclude='module.app["api"].terraform_data.x
tf apply -replace=terraform_data.l
tf import module.app.terraform_data.x
tf workspace select de
tf output al
tf -chdir=modules/.. output be
tf plan -out=mai
tf show mai

<tf><workspace>
<tf><state><show>
<tf><providers>
<tf><providers><lock>
<tf><plan><-auto>
<tf><apply><-auto-approve>
<tf><state><show><terraform_data.one>
<tf><state><show><module.app["api"].terraform_data.xyz>
<tf><state><show><module.app["api"].terraform_data.xyz>
<tf><state><show><module.app["api"].terraform_data.xyz>
<tf><state><show><module.app["api"].terraform_data.odd["a b"]>
<tf><state><show><module.app["api"].terraform_data.odd["a b"]>
<tf><state><show><module.app["api"].terraform_data.odd["a b"]>
<tf><state><show><module.app["api"].terraform_data.odd["it's"]>
<tf><state><show><module.app["api"].terraform_data.odd["it's"]>
<tf><state><show><module.app["api"].terraform_data.odd["it's"]>
<tf><state><show><module.app["api"].terraform_data.odd["q\"d$"]>
<tf><state><show><module.app["api"].terraform_data.odd["q\"d$"]>
<tf><state><show><module.app["api"].terraform_data.odd["q\"d$"]>
<tf><plan><-target=module.app["api"].terraform_data.odd["it's"]>
<tf><plan><-target=module.app["api"].terraform_data.odd["it's"]>
<tf><state><rm><terraform_data.one><module.app["api"].terraform_data.xyz>
<tf><taint><module.app["api"].terraform_data.xyz>
<tf><plan><-target=terraform_data.later>
<tf><plan><-target><terraform_data.later>
<tf><plan><-exclude=module.app["api"].terraform_data.xyz>
<tf><apply><-replace=terraform_data.later>
<tf><import><module.app.terraform_data.xyz>
<tf><workspace><select><default>
<tf><output><alpha>
<tf><-chdir=modules/..><output><beta>
<tf><plan><-out=main.tf>
<tf><show><main.tf>
LINES
}

@test "bash completes commands, options, addresses, workspaces, outputs and files" {
	same_everywhere
	becomes bash
}

@test "zsh completes the same" {
	same_everywhere
	becomes zsh
}

@test "fish completes the same" {
	same_everywhere
	becomes fish
}

@test "bash quotes what it inserts, and puts quotes that the shell would eat right" {
	cat >lines <<'LINES'
tf state show module.app["api"].terraform_data.x
tf state show module.app[api].terraform_data.x
tf plan -target=module.app["api"].terraform_data.x
tf state show 'module.app["api"].terraform_data.odd["it
tf state show "module.app[\"api\"].terraform_data.odd[\"q
tf state show module.app\[\"api\"\].terraform_data.odd\[\"q

<tf><state><show><module.app["api"].terraform_data.xyz>
<tf><state><show><module.app["api"].terraform_data.xyz>
<tf><plan><-target=module.app["api"].terraform_data.xyz>
<tf><state><show><module.app["api"].terraform_data.odd["it's"]>
<tf><state><show><module.app["api"].terraform_data.odd["q\"d$"]>
<tf><state><show><module.app["api"].terraform_data.odd["q\"d$"]>
LINES
	becomes bash
}

@test "bash completes within a word as at its end: what stands behind is there once" {
	left=$'\x1b[D'
	cat >lines <<LINES
tf state show 'module.app["api"].terraform_data.x'$left
tf state show 'module.app["api"].terraform_data.odd["it"]'$left$left$left
tf state show "module.app[\"api\"].terraform_data.odd[\"it"$left
tf state show module.app\[\"api\"\].terraform_data.odd\[\"a\"\]$left$left$left$left
tf sta list$left$left$left$left$left

<tf><state><show><module.app["api"].terraform_data.xyz>
<tf><state><show><module.app["api"].terraform_data.odd["it's"]>
<tf><state><show><module.app["api"].terraform_data.odd["it's"]>
<tf><state><show><module.app["api"].terraform_data.odd["a b"]>
<tf><state><list>
LINES
	becomes bash
}

@test "what is offered is what the command can mean" {
	offered() { tf -complete "$@" | cut -f1 | tr '\n' ' '; }
	nothing() {
		run -0 tf -complete "$@"
		[ -z "$output" ]
	}
	[ "$(offered state show '' | grep -c module.app)" = 1 ]
	[[ "$(offered state rm '')" = 'module.app["api"] '* ]]
	[[ "$(offered plan -target=)" = *'-target=module.app -target=module.app.'* ]]
	[[ "$(offered plan -target=)" = *'-target=module.app["api"] '* ]]
	[[ "$(offered plan -target=)" = *'-target=terraform_data.later '* ]]
	nothing untaint ''
	tf taint terraform_data.one >/dev/null
	[ "$(offered untaint '')" = 'terraform_data.one ' ]
	[[ "$(offered import '')" = *terraform_data.later* ]]
	nothing import terraform_data.later ''
	nothing state show terraform_data.one ''
	nothing taint -state=none ''
	tf workspace new blue >/dev/null
	[ "$(offered workspace select '')" = 'blue default ' ]
	nothing output ''
	[ "$(offered providers '')" = 'lock mirror schema ' ]
	run -1 tf -complete plan -out=
	run -1 tf -complete show ''
	nothing workspace new ''
}

@test "completion says nothing of what is wrong, and writes nothing" {
	quiet() {
		run -0 --separate-stderr tf -complete "$@"
		[ -z "$stderr" ]
	}
	contents() {
		find . -type f ! -name 'separate-stderr-*' \
			-exec sha256sum {} + | sort
	}
	echo 'resource "broken" {' >broken.tf
	# what an interrupted run leaves behind, which reading would take in
	echo '{}' >.terraform.tfstate.journal
	contents >../before
	quiet plan -target=
	quiet state show ''
	[ -z "$output" ]
	quiet workspace select ''
	[ "$output" = default ]
	contents >../after
	diff ../before ../after
	rm .terraform.tfstate.journal
	echo broken >terraform.tfstate
	quiet output ''
	quiet -chdir=/nonexistent output ''
	TF_WORKSPACE=../x quiet state show ''
}

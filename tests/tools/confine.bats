#!/usr/bin/env bats
# confine.bats - what a stage cannot do even when somebody takes it over: it
# starts no program, talks to nobody, writes to no file but those that are named.
# tests/fault/escape.c tries that within it.

load common

setup() {
	need cc
	cd "$BATS_TEST_TMPDIR"
	mkdir other work
	reset
	cat >work/main.tf <<'EOF2'
variable "v" {
  default = "x"
}
resource "terraform_data" "a" {
  input = file("${path.module}/main.tf")
}
output "o" {
  value = var.v
}
EOF2
	cc -shared -fPIC -o escape.so "$TF_TEST_SRC/tests/fault/escape.c"
	preload=$PWD/escape.so
	if sanitized tf-parse; then
		preload="$(cc -print-file-name=libasan.so) $preload"
		# leaks are looked for by attaching to a process
		export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	fi
	export TFPIPE_ESCAPE=$PWD/other TFPIPE_ESCAPE_LOG=$PWD/log
	export TFPIPE_CONFINE=1
	# no package brings these: without them nobody can try
	tf version -json >version
	[ "$(jq .landlock version)" -ge 3 ] || skip 'the kernel has no Landlock'
	[ "$(jq .seccomp version)" = true ] || skip 'the kernel has no seccomp'
	cd work
}

reset() {
	rm -rf "$BATS_TEST_TMPDIR/other"
	mkdir "$BATS_TEST_TMPDIR/other"
	echo text >"$BATS_TEST_TMPDIR/other/file"
	echo text >"$BATS_TEST_TMPDIR/other/more"
	rm -f "$BATS_TEST_TMPDIR/log"
}

taken() { # COMMAND...: as if taken over
	LD_PRELOAD=$preload "$@"
}

did() { # TRY...: just these were done
	sed -n 's/ 0$//p' "$TFPIPE_ESCAPE_LOG" | tr '\n' ' ' >"$BATS_TEST_TMPDIR/did"
	[ "$(cat "$BATS_TEST_TMPDIR/did")" = "$* " ] || {
		echo "done: $(cat "$BATS_TEST_TMPDIR/did")"
		return 1
	}
	reset
}

# bats test_tags=once
@test "tf-parse, tf-eval and tf-graph can only read" {
	taken tf-parse >../1
	did read
	taken tf-eval <../1 >../2
	did read
	taken tf-graph <../2 >../3
	did read
	tf-plan <../3 >../4
	jq -e 'select(.record == "end") | .failed | not' ../4
}

# bats test_tags=once
@test "tf-graph can only read what it draws, and a plan" {
	taken tf-graph -C . -format=dot >../dot
	grep -q terraform_data.a ../dot
	did read
	tf-plan -C . >../plan
	taken tf-graph -apply <../plan >../graph
	did read
	taken tf-graph -plan=../plan -format=svg >../svg
	grep -q terraform_data.a ../svg
	did read
	tf-parse | tf-eval >../2
	TFPIPE_LOCK_TOKEN=x taken tf-graph <../2 >../3
	did read
}

# bats test_tags=once
@test "tf-select, tf-diff and tf-canon can only read" {
	tf-plan -C . >../plan
	taken tf-select true ../plan >../part
	run -0 grep -c '"record":"selection"' ../part
	did read
	taken tf-select -c true <../plan >../count
	did read
	echo '{"version":4,"serial":1,"lineage":"x","outputs":{},"resources":[]}' \
		>../none
	run -1 taken tf-diff ../plan ../none
	did read
	taken tf-canon ../plan >../lines
	grep -q terraform_data.a ../lines
	did read
	taken tf-canon ../none
	did read
}

# bats test_tags=once
@test "tf-show and tf-ui can only read" {
	tf-plan -C . >../plan
	taken tf-show <../plan >../shown
	grep -q 'terraform_data.a will be created' ../shown
	did read
	for form in -json -summary -format=flat -format=tsv -format=md -format=html \
		-explain=terraform_data.a; do
		taken tf-show $form ../plan >../shown
		grep -q terraform_data.a ../shown || [ $form = -summary ]
		did read
	done
	taken tf-ui -op=plan <../plan >../shown
	grep -q 'terraform_data.a will be created' ../shown
	did read
	tf apply -auto-approve
	taken tf-show -outputs -current >../shown
	did read
}

# bats test_tags=once
@test "tf-ui writes the files of its options, and nothing else" {
	tf-plan -C . >../plan
	mkdir plans
	taken tf-ui -op=plan -out=plans/new -json-into=../into <../plan >../shown
	did read
	[ -s plans/new ]
	export TFPIPE_ESCAPE=$PWD/plans
	echo text >plans/file
	echo text >plans/more
	taken tf-ui -op=plan -out=plans/new <../plan >../shown
	grep -q '^write 13' ../log
	grep -q '^truncate 13' ../log
	export TFPIPE_ESCAPE=$BATS_TEST_TMPDIR/other
	reset
	[ -s ../into ]
	mkfifo ../feed
	cat ../feed >../fed 3>&- &
	taken tf-ui -op=plan -feed=../feed <../plan >../shown
	wait $!
	[ -s ../fed ]
	did read
}

@test "tf-fmt writes what is named, and where links in that lead" {
	mkdir ../common sub
	printf 'a   = 1\n' >../common/c.tfvars
	printf 'a   = 1\n' >sub/d.tfvars
	printf 'a   = 1\n' >e.tfvars
	ln -s ../../common/c.tfvars sub/c.tfvars
	taken tf-fmt -check sub >../said || [ $? = 3 ]
	did read
	taken tf-fmt -recursive . >../said
	grep -q '^a = 1' ../common/c.tfvars
	grep -q '^a = 1' sub/d.tfvars
	grep -q '^a = 1' e.tfvars
	did chmod read
	printf 'a   = 1\n' >e.tfvars
	taken tf-fmt e.tfvars >../said
	grep -q '^a = 1' e.tfvars
	did chmod read
	printf 'a   = 1\n' >e.tfvars
	tf-fmt -diff e.tfvars >../said
	grep -q '^+a = 1' ../said
	echo 'a=1' | taken tf-fmt - >../said
	did read
}

# bats test_tags=once
@test "completing words in a shell can only read" {
	tf apply -auto-approve
	taken tf-state names state config >../names
	grep -q terraform_data.a ../names
	did read
}

# bats test_tags=once
@test "tf-fetch has the network, the files that it makes, and no others" {
	mkdir ../mine
	ask='{"id":1,"url":"http://127.0.0.1:1/","to":"../mine/x"}'
	taken tf-fetch "-below=$BATS_TEST_TMPDIR/mine" <<<"$ask" >../answer
	jq -e .error ../answer
	did socket unix
	TFPIPE_ESCAPE=$BATS_TEST_TMPDIR/mine
	echo text >../mine/file
	echo text >../mine/more
	taken tf-fetch "-below=$BATS_TEST_TMPDIR/mine" <<<"$ask" >../answer
	did socket unix write make truncate mkdir symlink link rename unlink read
}

# bats test_tags=once
@test "TFPIPE_CONFINE=0 lets a stage do all that its user may" {
	TFPIPE_CONFINE=0 taken tf-parse >../1
	did start socket unix write make truncate mkdir symlink link rename \
		unlink chmod signal ptrace read
}

# bats test_tags=once
@test "version tells what holds" {
	run -0 tf version
	[[ $output == *'stages confined by Landlock (version '*') and seccomp'* ]]
	export TFPIPE_CONFINE=0
	run -0 tf version
	[[ $output == *'stages not confined: TFPIPE_CONFINE says so'* ]]
	tf version -json | jq -e '.landlock == 0 and .seccomp == false'
}

@test "a kernel that lacks one confines by the other, and version says so once" {
	export TFPIPE_ESCAPE_LACKS=landlock
	taken tf-parse >../1
	did write make truncate mkdir symlink link rename unlink read
	run -0 taken tf version
	[ "$(grep -c confined <<<"$output")" = 1 ]
	[[ $output == *'stages confined by seccomp; the kernel has no Landlock'* ]]
	reset
	TFPIPE_ESCAPE_LACKS=seccomp
	taken tf-parse >../2
	did start socket unix chmod signal ptrace read
	run -0 taken tf version
	[[ $output == *'stages confined by Landlock (version '*'); the kernel has no seccomp'* ]]
	reset
	TFPIPE_ESCAPE_LACKS='landlock seccomp'
	taken tf-parse >../3
	did start socket unix write make truncate mkdir symlink link rename \
		unlink chmod signal ptrace read
	run -0 taken tf version
	[[ $output == *'stages not confined: the kernel has no Landlock and no seccomp'* ]]
	cmp ../1 ../3
}

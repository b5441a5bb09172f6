#!/usr/bin/env bats
# The driver: what is typed is neither run by a shell nor expanded, and nobody
# has to be at a terminal.
bats_require_minimum_version 1.5.0
load provider

setup() {
	provider_setup
	echo 'resource "terraform_data" "a" { input = "x" }' >main.tf
}

# --- words ---

@test "parts of the driver and paths are no commands" {
	tf-parse | tf-plan >p
	for word in run-apply apply.sh common parts/apply ../parts/apply /bin/ls \
		./main.tf; do
		run tf "$word" <p
		[ "$status" = 1 ]
		[[ $output == "There is no command \"$word\""* ]]
	done
	[ ! -e terraform.tfstate ]
}

@test "tf-NAME on PATH is the command NAME" {
	mkdir bin
	printf '#!/bin/sh\nprintf "[%%s]" "$@"\n' >bin/tf-hello
	chmod +x bin/tf-hello
	PATH=$PWD/bin:$PATH run tf hello 'a  b' '$x' "it's"
	[ "$status" = 0 ]
	[ "$output" = "[a  b][\$x][it's]" ]
}

# bats test_tags=once
@test "usage speaks of the command that was typed, and of its own options" {
	usage() { # USAGE WORD...
		run -0 "${@:2}" -help
		[ "${lines[0]}" = "Usage: $1" ]
	}
	usage 'tf state mv [options] SOURCE DESTINATION' tf state mv
	[[ $output != *-C=* ]]
	usage 'tf init [options]' tf init
	[[ $output == *-upgrade* && $output != *-get-only* &&
		$output != *-missing-file* ]]
	usage 'tf vendor [options] [DIR]' tf vendor
	[[ $output == *-platform=* && $output != *-make-vendor* ]]
	usage 'tf modules lock [options]' tf modules lock
	[[ $output != *-backend* && $output != *-lock-modules* ]]
	usage 'tf providers lock [options] [PROVIDER...]' tf providers lock
	[[ $output == *-fs-mirror* && $output != *-json* ]]
	run -1 tf vendor a b
	[[ $output == *'At most one operand'* ]]
	run -1 tf taint -state-ot=x a.b
	[[ $output == *'Did you mean -state-out?'* ]]
	# a stage has its own name, and all of its options
	usage 'tf-state mv [options] SOURCE DESTINATION' tf-state mv
	[[ $output == *-C=* ]]
	usage 'tf-init [options] [DIR]' tf-init
	[[ $output == *-make-vendor* ]]
	run -0 bash -c 'tf state list -help >/dev/null; env'
	[[ $output != *TFPIPE_TYPED* ]]
}

@test "unknown commands and options get the nearest name" {
	run tf aply
	[ "$status" = 1 ]
	[[ $output == *'Did you mean "apply"?'* ]]
	run tf state lst
	[ "$status" = 1 ]
	[[ $output == *'"state lst". Did you mean "list"?'* ]]
	run -1 tf providers lok
	[[ $output == *'Did you mean "lock"?'* ]]
	run tf workspace lst
	[[ $output == *'Did you mean "list"?'* ]]
	run tf plan -targte=a
	[ "$status" = 1 ]
	[[ $output == *'flag provided but not defined: -targte'*'Did you mean -target?'* ]]
	[[ $output == *'tf plan -help'* ]]
	run tf-plan -detailed-exitcodes
	[[ $output == *'Did you mean -detailed-exitcode?'* ]]
	# of what is cut short, the one name that begins so
	while read -r cut whole; do
		for plan in 'tf plan' tf-plan; do
			run -1 $plan "$cut"
			[[ $output == *"Did you mean $whole?"* ]] ||
				{ echo "$plan $cut: $output"; return 1; }
		done
	done <<-'END'
	-detailed -detailed-exitcode
	-par=3 -parallelism
	-gen=x -generate-config-out
	-hel -help
	END
	run -1 tf plan -d
	[[ $output != *'Did you mean'* ]]
	run -1 tf prov
	[[ $output == *'Did you mean "providers"?'* ]]
	run -1 tf state rep
	[[ $output == *'Did you mean "replace-provider"?'* ]]
	run -1 tf modules loc
	[[ $output == *'Did you mean "lock"?'* ]]
	run -1 tf modules other
	[[ $output == *'tf modules takes no operands.'* ]]
	run -1 tf providers schema other
	[[ $output == *'tf providers schema takes no operands'* ]]
	run -1 tf test other
	[[ $output == *'tf test takes no operands.'* ]]
	run -1 tf-test other
	[[ $output == *'tf-test takes no operands.'* ]]
}

# bats test_tags=once
@test "what an apply makes and runs has the mask of its caller" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  provisioner "local-exec" {
	    command = "umask >>masks; touch made"
	  }
	}
	END
	umask 022
	tf apply -auto-approve >out
	[ "$(stat -c %a made)" = 644 ]
	# a new state is the user's alone, whatever the umask
	[ "$(stat -c %a terraform.tfstate)" = 600 ]
	rm terraform.tfstate
	umask 077
	tf apply -auto-approve >out
	[ "$(stat -c %a terraform.tfstate)" = 600 ]
	# that of others stays theirs, and so does what it was before
	chmod 664 terraform.tfstate
	tf apply -auto-approve -replace=terraform_data.a >out
	[ "$(stat -c %a terraform.tfstate)" = 664 ]
	[ "$(stat -c %a terraform.tfstate.backup)" = 664 ]
	[ "$(tr '\n' ' ' <masks)" = '0022 0077 0077 ' ]
}

@test "output that cannot be written is an error, and nothing is applied" {
	for words in plan 'plan -json' 'apply -auto-approve' 'show' output init \
		validate graph 'workspace list' providers version \
		'metadata functions -json'; do
		run -1 sh -c "tf $words 2>&1 >/dev/full"
		[[ $output == *'Error: Failed to write the output'* ]]
		[[ $output == *'Standard output: No space left on device.'* ]]
		[ ! -e terraform.tfstate ]
	done
}

# bats test_tags=once
@test "descriptors that are closed are as good as /dev/null" {
	tf plan >&-
	tf apply -auto-approve <&- >&- 2>&-
	[ "$(tf state list)" = terraform_data.a ]
	tf taint terraform_data.a >&-
	run -2 tf plan -detailed-exitcode <&-
	[[ $output == *'1 to add, 0 to change, 1 to destroy'* ]]
	run -1 sh -c 'tf-plan -C . 2>&1 >&-'
	[[ $output == *'Error: Failed to write the output'* ]]
}

@test "env is workspace by its old name, and told so" {
	run -0 tf env new other
	[[ $output = *'Warning: The "tf env" family of commands is deprecated'* ]]
	[[ $output = *'Created and switched to workspace "other"!'* ]]
	[ "$(tf workspace show)" = other ]
	run -1 tf env bogus
	[[ $output = *'There is no command "workspace bogus".'* ]]
	run -0 tf env -help
	[[ $output = 'Usage: tf workspace '* ]]
	run -0 tf env list -json
	run -0 jq -r .type <<<"$output"
	[ "${lines[*]}" = 'version workspace_list' ]
}

# bats test_tags=once
@test "a saved plan is for the workspace that it was made for" {
	tf apply -auto-approve >out
	tf plan -out=p -replace=terraform_data.a >out
	tf workspace new other >out
	run -1 env TF_WORKSPACE=default tf-state with-lock -- \
		env -u TFPIPE_LOCK_TOKEN -u TF_WORKSPACE tf apply p
	[[ $output == *'Error acquiring the state lock'* ]]
	run -0 tf apply p
	[[ $output == *'1 added, 0 changed, 1 destroyed'* ]]
	[ ! -e terraform.tfstate.d/other/terraform.tfstate ]
	[ "$(TF_WORKSPACE=default tf state list)" = terraform_data.a ]
}

# bats test_tags=once
@test "-lock=false waits for nobody, in any command" {
	tf apply -auto-approve >out
	locked=(tf-state with-lock -- env -u TFPIPE_LOCK_TOKEN)
	for words in 'plan' 'refresh' 'apply -auto-approve -replace=terraform_data.a' \
		'destroy -auto-approve' 'import terraform_data.a x'; do
		run -1 "${locked[@]}" tf $words
		[[ $output == *'Error acquiring the state lock'* ]]
		run -0 "${locked[@]}" tf ${words%% *} -lock=false \
			$(sed 's/^[a-z]* *//' <<<"$words")
	done
	run -1 tf plan -lock=false -lock-timeout=soon
	[[ $output == *'Failed to parse command-line flags'* ]]
}

@test "programs are told of the lock by messages" {
	tf apply -auto-approve >out
	locked='env -u TFPIPE_LOCK_TOKEN tf plan -lock-timeout=900ms'
	run -1 --separate-stderr tf-state with-lock -- $locked -json
	[ -z "$stderr" ]
	jq -s -e 'map(.type) == ["version", "state_lock_acquire", "diagnostic"] and
		.[2].diagnostic.summary == "Error acquiring the state lock"' \
		<<<"$output"
	run -1 tf-state with-lock -- $locked -json-into=into
	[[ $output == *'Acquiring state lock.'*'Error acquiring the state lock'* ||
		$output == *'Error acquiring the state lock'*'Acquiring state lock.'* ]]
	jq -s -e 'map(.type) == ["version", "state_lock_acquire", "diagnostic"]' into
	# who waits long enough goes on where the messages end
	for to in -json -json-into=into; do
		rm -f ready go out into
		tf-state with-lock -- sh -c 'touch ready
			until [ -e go ]; do sleep 0.05; done' 3>&- &
		holder=$!
		until [ -e ready ]; do sleep 0.05; done
		tf plan -lock-timeout=60s $to >out 3>&- &
		until grep -qs state_lock_acquire out into; do sleep 0.05; done
		touch go
		wait $!
		wait $holder
		[ $to = -json ] || mv into out
		jq -s -e 'map(.type) | .[:2] == ["version", "state_lock_acquire"] and
			(.[2:] | index("change_summary") and
				all(. != "version"))' out
	done
}

@test "a saved plan is applied under a lock that is taken when the plan is there" {
	for n in 1 2 3; do
		tf plan -out=- -replace=terraform_data.a | tf apply - >out
		grep -c 'Apply complete!' out
	done
	tf plan -out=p >out
	run -1 tf-state with-lock -- env -u TFPIPE_LOCK_TOKEN tf apply p
	[[ $output == *'Error acquiring the state lock'* ]]
	run -0 tf-state with-lock -- env -u TFPIPE_LOCK_TOKEN tf apply -lock=false p
	tf plan -out=p -replace=terraform_data.a >out
	run -1 tf-state with-lock -- env -u TFPIPE_LOCK_TOKEN \
		tf apply -json -lock-timeout=900ms p
	jq -s -e '[.[] | select(."@level" != "warn").type] ==
		["version", "state_lock_acquire", "diagnostic"]' <<<"$output"
	# who is asked to stop does not wait on
	mkfifo held
	tf-state with-lock -- cat held >/dev/null 3>&- &
	holder=$!
	until [ -s .terraform.tfstate.lock.info ]; do sleep 0.05; done
	tf-apply -lock-timeout=600s <p >out 2>err 3>&- &
	waiting=$!
	until grep -q state_lock_acquire out; do sleep 0.05; done
	kill -INT $waiting
	status=0
	wait $waiting || status=$?
	[ "$status" = 1 ]
	grep -c 'Error acquiring the state lock' err
	echo >held
	wait $holder
	tf apply p >out
}

@test "exit codes of wrong command lines" {
	run -127 tf
	run -0 tf -help
	run -0 tf plan -help
	run -0 tf state -help
	run -1 tf state
	run -1 tf nothing
	run -1 tf plan -nothing
	run -1 tf plan operand
	run -1 tf -nothing plan
	run -1 tf -chdir=nowhere plan
	[[ $output == *nowhere*'No such file'* && $output != *' cd: '* ]]
	run -1 tf plan -refresh=perhaps
	[[ $output == *'invalid boolean value "perhaps" for -refresh'* ]]
	run -1 tf plan -parallelism=many
	run -1 tf plan -parallelism=-1
	[[ $output == *'Invalid parallelism value'* ]]
	tf plan -parallelism=0 -out=p >/dev/null
	run -1 tf-apply -parallelism=-1 <p
	[[ $output == *'Invalid parallelism value'* ]]
	run -1 tf plan -target
	[[ $output == *'flag needs an argument: -target'* ]]
	run -1 tf apply -destroy -refresh-only
	[[ $output == *'Incompatible plan mode options'* ]]
	run -1 tf destroy -refresh-only
	[[ $output == *'Invalid mode option'*-refresh-only* ]]
	run -1 tf destroy -destroy -auto-approve
	[[ $output == *'Invalid mode option'*-destroy* ]]
	run -1 tf destroy -refresh-only -refresh=false
	[[ $output == *'Incompatible refresh options'* ]]
	run -1 tf apply -auto-approve -json -json-into=x
	run -1 tf apply -json
	[[ $(jq -r 'select(.diagnostic).diagnostic.summary' <<<"$output") == 'Plan file or auto-approve required' ]]
}

# bats test_tags=once
@test "words of the command line reach the stages as they are" {
	cat >main.tf <<'TF'
variable "größe" {}
output "o" { value = var.größe }
TF
	local odd="a'b \"c\" \$HOME \`id\` * [x] ; & | \\ é"
	tf apply -auto-approve -var "größe=$odd" >/dev/null
	[ "$(tf output -raw o)" = "$odd" ]
	mkdir 'a b' "it's"
	cp main.tf 'a b'
	cp main.tf "it's"
	for dir in 'a b' "it's"; do
		tf -chdir="$dir" apply -auto-approve -var größe=1 >/dev/null
		[ "$(tf -chdir="$dir" output -raw o)" = 1 ]
	done
	printf 'größe = "from a file"\n' >'values of mine.tfvars'
	tf apply -auto-approve -var-file 'values of mine.tfvars' >/dev/null
	[ "$(tf output -raw o)" = 'from a file' ]
}

@test "TF_CLI_ARGS: words as in a shell, of which nothing is run or expanded" {
	cat >main.tf <<'TF'
variable "x" {}
output "o" { value = var.x }
TF
	word=no
	export word
	for value in 'pa$word' '`touch owned`' '$(touch owned)' 'a[0]*' '~'; do
		TF_CLI_ARGS_apply="-auto-approve -var x=$value" tf apply >/dev/null
		[ "$(tf output -raw o)" = "$value" ]
	done
	[ ! -e owned ]
	TF_CLI_ARGS_apply='-auto-approve -var "x=a  b"' tf apply >/dev/null
	[ "$(tf output -raw o)" = 'a  b' ]
	TF_CLI_ARGS_apply='-auto-approve; touch owned' run tf apply
	[ "$status" = 1 ]
	[[ $output == *'TF_CLI_ARGS_apply'*"';' has to be quoted"* ]]
	TF_CLI_ARGS="'open" run tf plan
	[ "$status" = 1 ]
	[[ $output == *'TF_CLI_ARGS'*'is not closed'* ]]
	[ ! -e owned ]
}

@test "TF_CLI_ARGS count once, what is typed last, for every command" {
	TF_CLI_ARGS_plan=-destroy tf plan -out=p >/dev/null
	jq -es 'any(.[]; .record == "options" and .mode == "destroy")' p
	TF_CLI_ARGS='-no-color -input=false' TF_CLI_ARGS_plan='-refresh=false' \
		tf plan -refresh=true -out=p >/dev/null
	jq -es 'all(.[]; .record != "options" or .refresh)' p
	tf apply -auto-approve >/dev/null
	TF_CLI_ARGS_state_list=-id=none run -0 tf state list
	[ -z "$output" ]
	TF_CLI_ARGS_show=-json tf show | jq -e .values
	TF_CLI_ARGS_output=-json tf output | jq -e .
	TF_CLI_ARGS_fmt=-list=false tf fmt
	TF_CLI_ARGS_validate=-json tf validate | jq -e .valid
	TF_CLI_ARGS_version=-json tf version | jq -e .terraform_version
	TF_CLI_ARGS_workspace_list=-nonsense run -1 tf workspace list
	[[ $output == *'not defined: -nonsense'* ]]
}

# bats test_tags=once
@test "values of variables are in no argument list" {
	cat >main.tf <<'TF'
variable "with-dash" {}
variable "x" {}
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "env >env; ps -eo args >args"
  }
}
TF
	printf 'hunter2\nhunter3\n' | tf apply -auto-approve >/dev/null
	grep -q 'tf-apply' args
	run -1 grep hunter args env
	rm terraform.tfstate
	TF_CLI_ARGS_apply='-var=with-dash=hunter2 -var=x=hunter3' \
		tf apply -auto-approve >/dev/null
	run -1 grep hunter args
	run -1 grep TFPIPE_INPUT env
}

# bats test_tags=once
@test "no file in /tmp is believed" {
	cat >main.tf <<'TF'
variable "x" { default = 1 }
output "o" { value = var.x }
TF
	need strace
	run strace -o none true
	[ "$status" = 0 ] || cannot 'strace may not trace here'
	mkdir tmp
	chmod 1777 tmp
	strace -f -qq -e trace=openat,open,mkdir,mkdirat,mknod,mknodat -o trace \
		env TMPDIR="$PWD/tmp" ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" \
		tf apply -auto-approve >/dev/null
	# one directory of a random name, private, is all there ever is
	grep -o "$PWD/tmp/[^/\"]*" trace | sort -u >names
	[ "$(grep -c . names)" = 1 ]
	grep -q "mkdir.*$(cat names)\", 0700" trace
	run -0 ls -A tmp
	[ -z "$output" ]
}

@test "tf can be a link, and in a folder with spaces" {
	mkdir 'my bin'
	ln -s "$(command -v tf)" 'my bin/tf'
	run "$PWD/my bin/tf" validate
	[ "$status" = 0 ]
	cd 'my bin'
	run ./tf -chdir=.. validate
	[ "$status" = 0 ]
}

@test "path.cwd is where tf was started" {
	mkdir sub
	echo 'output "o" { value = path.cwd }' >sub/main.tf
	tf -chdir=sub apply -auto-approve >/dev/null
	[ "$(tf -chdir=sub output -raw o)" = "$PWD" ]
	[ "$(cd sub && echo path.cwd | tf console)" = "\"$PWD/sub\"" ]
}

# bats test_tags=once
@test "more than a pipe holds may pass tf-apply before it is told to go on" {
	long=$(printf '%0400d' 0)
	for i in $(seq 400); do
		echo "check \"c$i\" {
  assert {
    condition     = terraform_data.a.input != \"x\"
    error_message = \"$long\"
  }
}"
	done >checks.tf
	timeout 60 tf apply -auto-approve -compact-warnings >out
	grep -q 'Apply complete' out
	rm terraform.tfstate
	timeout 60 tf apply >out <<<yes
	grep -q 'Apply complete' out
	rm terraform.tfstate
	status=0
	timeout 60 tf apply >out <<<no || status=$?
	[ "$status" = 1 ]
	grep -q 'Apply cancelled' out
}

# --- standard input ---

# bats test_tags=once
@test "- is standard input wherever a file is read" {
	tf plan -out=p >/dev/null
	tf show - <p | grep -c 'Plan: 1 to add'
	tf show -json - <p | jq -e '.resource_changes | length == 1'
	echo terraform_data.b >targets
	echo 'resource "terraform_data" "b" {}' >>main.tf
	tf plan -target-file=- <targets | grep -c 'terraform_data.b will be'
	tf plan -exclude-file=- <targets >shown
	run -1 grep -q 'terraform_data.b will be' shown
	tf graph -plan=- <p | grep -c digraph
	tf apply - <p | grep -c '1 added'
	tf show - <terraform.tfstate | grep -c terraform_data.a
}

@test "what is to be replaced may be a list, which must not be empty" {
	printf '%s\n' 'resource "terraform_data" "b" {}' \
		'resource "terraform_data" "c" {}' >>main.tf
	tf apply -auto-approve >/dev/null
	tf state list -select='name != "b"' | tf plan -replace-file=- -out=p >shown
	tf-select -p '[address, reason]' 'action == "replace"' p >got
	diff - got <<-'END'
	terraform_data.a	replace_by_request
	terraform_data.c	replace_by_request
	END
	printf '# those\n\nterraform_data.b\n' >list
	run -0 tf plan -replace=terraform_data.c -replace-file=list
	[[ $output == *'Plan: 2 to add, 0 to change, 2 to destroy.'* ]]
	cp terraform.tfstate before
	run -1 tf apply -auto-approve -replace-file=- </dev/null
	[[ $output == *'The list for -replace-file is empty'* ]]
	cmp before terraform.tfstate
	: >list
	run -1 tf apply -auto-approve -replace-file=list
	[[ ${output//$'\n'/ } == *'Leave the option out to plan without it'* ]]
	cmp before terraform.tfstate
	echo terraform_data.b >list
	run -0 tf apply -replace-file=list p
	[[ ${output//$'\n'/ } == *'No effect: -replace-file.'* ]]
	run -1 tf explain -replace-file=list terraform_data.a p
	[[ $output == *'-replace-file is for a new plan'* ]]
}

@test "a value for no variable is warned of once, and again when a saved plan is applied" {
	echo 'undeclared = 1' >terraform.tfvars
	warnings() {
		grep -c 'Value for undeclared variable'
	}
	[ "$(tf apply -auto-approve | warnings)" = 1 ]
	[ "$(tf apply -auto-approve -json | warnings)" = 1 ]
	tf plan -out=p >/dev/null
	[ "$(tf apply p | warnings)" = 1 ]
}

@test "what cannot be read as a plan is said before anything is done" {
	run -1 tf apply nothing
	[[ $output == *'Failed to load "nothing" as a plan file'*'No such file'* ]]
	run -1 tf apply .
	[[ $output == *'directory'* ]]
	run -1 tf apply main.tf
	[[ $output == *'no saved plan'* ]]
	run -1 tf graph -plan=nothing
	[[ $output == *'Failed to load "nothing" as a plan file'*'No such file'* ]]
	tf plan -out=p >/dev/null
	run -1 tf destroy p
	[[ $output == *"Destroy can't be called with a plan file"* ]]
	[ ! -e terraform.tfstate ]
}

# bats test_tags=once
@test "options of planning given with a saved plan are ignored, and that is said" {
	echo terraform_data.x >addresses
	tf plan -out=p >/dev/null
	run -0 tf apply -refresh=false -target=terraform_data.x \
		-target=terraform_data.y -exclude-file=addresses p
	[[ $output == *'Planning options are ignored'* ]]
	[[ ${output//$'\n'/ } == *'No effect: -refresh, -target, -exclude-file.'* ]]
	[ "$(tf state list)" = terraform_data.a ]
	tf plan -out=p -exclude=terraform_data.x >/dev/null
	run -0 tf apply -exclude=terraform_data.a -replace=terraform_data.a p
	[[ ${output//$'\n'/ } == *'No effect: -exclude, -replace.'* ]]
	[ "$(tf state list)" = terraform_data.a ]
	tf plan -out=p >/dev/null
	run -0 tf apply -json -destroy p
	[ "$(jq -r '.diagnostic | values |
		select(.summary == "Planning options are ignored").detail' \
		<<<"$output")" = \
		'A saved plan is applied as it was made. No effect: -destroy.' ]
	tf plan -out=p >/dev/null
	run -0 tf apply p
	[[ $output != *ignored* ]]
}

@test "files to write: what is no regular file is written through, never replaced" {
	tf apply -auto-approve >/dev/null
	mkfifo fifo
	mkdir dir sub
	ln -s sub/there link
	cp terraform.tfstate before
	cat fifo >read 3>&- &
	tf apply -auto-approve -replace=terraform_data.a -backup=fifo >/dev/null
	wait $!
	[ -p fifo ]
	cmp read before
	cp terraform.tfstate before
	tf apply -auto-approve -replace=terraform_data.a "-backup=$PWD/link" >/dev/null
	[ -L link ]
	cmp sub/there before
	tf apply -auto-approve -replace=terraform_data.a "-backup=$PWD/link" >/dev/null
	[ -L link ]
	cp sub/there before
	# a link at a relative path may be somebody else's
	tf apply -auto-approve -replace=terraform_data.a -backup=link >/dev/null
	[ ! -L link ]
	cmp sub/there before
	run -1 tf apply -auto-approve -replace=terraform_data.a -backup=dir
	[[ $output == *'dir'*'Is a directory'* ]]
	for option in -state-out=dir -json-into=dir -out=dir \
		-generate-config-out=dir; do
		case $option in
		-state-out*) run -1 tf apply -auto-approve $option ;;
		*) run -1 tf plan $option ;;
		esac
		[[ $output == *'dir'* ]]
	done
	cat fifo >read 3>&- &
	tf plan -json-into=fifo >/dev/null
	wait $!
	[ "$(jq -rs '.[0].type' read)" = version ]
	rmdir dir
	run -0 ls -A sub
	[ "$output" = there ]
}

# --- signals ---

wait_for() { # TEXT FILE
	local i
	for i in $(seq 200); do
		! grep -qs "$1" "$2" || return 0
		sleep 0.05
	done
	echo "never seen in $2: $1"
	return 1
}

# The command in the background, with the orders to the provider, until the call
# is made.
begin() { # ORDERS, CALL, WORDS…
	rm -f calls
	TEST_PROVIDER_DO=$1 setsid env --default-signal=INT,QUIT \
		tf "${@:3}" >out 2>err </dev/null 3>&- &
	pid=$!
	wait_for "^$2" calls
}

ended() { # the exit status into status
	status=0
	wait "$pid" || status=$?
	cat out err
	[ ! -e .terraform.tfstate.lock.info ]
	rmdir tmp
	mkdir tmp
}

signals_setup() {
	config <<'TF'
resource "test_all" "r0" { name = "r0" }
resource "test_all" "r1" {
  name       = "r1"
  depends_on = [test_all.r0]
}
TF
	mkdir tmp
	export TMPDIR=$PWD/tmp
}

# bats test_tags=once
@test "a signal while the words are read is heard when they are" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf init >/dev/null
	cat >slow <<-E
		#!/bin/sh
		: >reading
		sleep 1
		'$(dirname "$(command -v tf)")/words' "\$@"
		status=\$?
		: >read
		exit \$status
	E
	chmod +x slow
	sed "s|^text=\$(\"[^\"]*\"|text=\$('$PWD/slow'|; s|^here=\$0|here='$(command -v tf)'|" \
		"$(command -v tf)" >tf
	grep -qF "'$PWD/slow'" tf
	mkdir tmp
	export TMPDIR=$PWD/tmp
	for command in 'apply -auto-approve' 'plan -lock=false' 'state list' init; do
		rm -f reading read
		sh ./tf $command >out 2>&1 3>&- &
		while [ ! -e reading ]; do sleep 0.02; done
		kill -TERM $!
		status=0
		wait $! || status=$?
		[ "$status" != 0 ]
		while [ ! -e read ]; do sleep 0.02; done
		run -0 ls tmp
		[ -z "$output" ]
		run -1 grep 'not found' out
	done
	[ ! -e terraform.tfstate ]
}

# bats test_tags=once
@test "a signal to tf alone stops gracefully: plan" {
	signals_setup
	for sig in INT TERM HUP; do
		begin 'r0@plan:finish' plan plan
		kill -$sig "$pid"
		ended
		[ "$status" = 1 ]
		grep -q 'Interrupt received' out err
		grep -q 'execution halted' err
		run -1 grep 'plan test_all r1' calls
		begin 'r0@plan:finish' plan plan -lock=false
		kill -$sig "$pid"
		ended
		[ "$status" = 1 ]
		grep -q 'execution halted' err
	done
}

# bats test_tags=once
@test "a signal to tf alone stops gracefully: apply and destroy" {
	signals_setup
	for sig in INT TERM HUP; do
		for lock in true false; do
			rm -rf terraform.tfstate* objects/*
			begin 'r0@apply:finish' apply \
				apply -auto-approve -lock=$lock
			kill -$sig "$pid"
			ended
			[ "$status" = 1 ]
			grep -q 'Gracefully shutting down' out err
			[ "$(tf state list)" = test_all.r0 ]
			[ "$(ls objects | wc -l)" = 1 ]
		done
	done
	tf apply -auto-approve >/dev/null
	begin 'r1@destroy:finish' destroy destroy -auto-approve
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
	[ "$(tf state list)" = test_all.r0 ]
	[ "$(ls objects | wc -l)" = 1 ]
}

# bats test_tags=once
@test "a signal to tf alone stops gracefully: a saved plan" {
	signals_setup
	tf plan -out=p >/dev/null
	begin 'r0@apply:finish' apply apply p
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
	[ "$(tf state list)" = test_all.r0 ]
}

# bats test_tags=once
@test "a signal to tf alone stops gracefully: refresh, import, validate" {
	signals_setup
	begin 'import:finish' import import test_all.r0 r0
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
	[ ! -e terraform.tfstate ]
	tf apply -auto-approve >/dev/null
	cp terraform.tfstate before
	begin 'r0@read:finish' read refresh
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
	cmp terraform.tfstate before
	begin 'validate:finish' validate validate
	kill -TERM "$pid"
	ended
	[ "$status" != 0 ]
}

@test "what is asked of a provider when a validation is stopped harms nobody" {
	signals_setup
	tf-parse >parsed
	for ms in 300 700 3000; do
		rm -f calls
		TEST_PROVIDER_DO=validate:sleep=$ms tf-plan -validate \
			<parsed >out 2>err 3>&- &
		wait_for '^validate' calls
		kill -TERM $!
		status=0
		wait $! || status=$?
		[ "$status" = 1 ]
	done
}

# bats test_tags=once
@test "two signals to tf alone: at once" {
	signals_setup
	begin 'r0@apply:sleep=60000' apply apply -auto-approve
	kill -TERM "$pid"
	wait_for '^stop' calls
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
	grep -q 'Two interrupts received' out err
	begin 'r0@plan:sleep=60000' plan plan
	kill -INT "$pid"
	wait_for '^stop' calls
	kill -INT "$pid"
	ended
	[ "$status" = 1 ]
}

@test "a terminal that is closed is one request, however often it is told" {
	signals_setup
	for lock in true false; do
		rm -rf terraform.tfstate* objects/*
		begin 'r0@apply:sleep=1500' apply apply -auto-approve -lock=$lock
		kill -HUP -- "-$pid" # by the kernel,
		wait_for '^stop' calls
		kill -HUP -- "-$pid" # and by the shell
		ended
		[ "$status" = 1 ]
		[ "$(tf state list)" = test_all.r0 ]
		run -1 grep 'Two interrupts' out err
	done
	# but not if somebody asks for more
	begin 'r0@plan:sleep=60000' plan plan
	kill -HUP "$pid"
	wait_for '^stop' calls
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
}

@test "one Ctrl-C is one request, though everybody hears of it" {
	signals_setup
	begin 'r0@apply:sleep=1500' apply apply -auto-approve
	kill -INT -- "-$pid"
	ended
	[ "$status" = 1 ]
	[ "$(tf state list)" = test_all.r0 ]
	run -1 grep 'Two interrupts' out err
}

# bats test_tags=once
@test "a signal when the go-ahead is given is one request" {
	need strace
	run strace -o none true
	[ "$status" = 0 ] || cannot 'strace may not trace here'
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  provisioner "local-exec" {
	    command = "trap '' INT; kill -INT $(cut -d' ' -f4 /proc/$PPID/stat); sleep 3"
	  }
	}
	END
	# the runner dwells on what gives it, and on what it does next
	status=0
	ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" strace -qq -o none \
		-e trace=close,rt_sigprocmask -e inject=close:delay_exit=300000 \
		-e inject=rt_sigprocmask:delay_enter=100000 \
		tf apply -auto-approve >out 2>&1 || status=$?
	[ "$status" = 1 ]
	grep 'Interrupt received' out
	grep 'terraform_data.a: Creation complete' out
	run -1 grep 'Two interrupts' out
}

@test "a signal at the question: nothing is done" {
	signals_setup
	mkfifo answers
	exec 4<>answers
	setsid env --default-signal=INT,QUIT tf apply >out 2>err <&4 4<&- 3>&- &
	pid=$!
	wait_for 'Enter a value' out
	kill -INT "$pid"
	ended
	exec 4<&-
	[ "$status" = 1 ]
	[ ! -e terraform.tfstate ]
	rmdir objects
}

# bats test_tags=once
@test "at a terminal a line says what is running, also without colours and with -concise" {
	need python3
	signals_setup
	cat >at.py <<-'END'
	import os, pty, sys
	status = pty.spawn(sys.argv[1:])
	sys.exit(os.waitstatus_to_exitcode(status))
	END
	export TERM=xterm
	for words in '' -concise -no-color; do
		rm -rf terraform.tfstate* objects/*
		TEST_PROVIDER_DO='r0@apply:sleep=2500' python3 at.py \
			tf apply -auto-approve $words >seen </dev/null
		grep -c 'test_all.r0 creating 1s' seen
		case $words in
		'') grep -c $'\e\\[2mapplying 0/2' seen ;;
		-concise) run -1 grep 'Creating...' seen ;;
		-no-color) run -1 grep $'\e\\[[0-9;]*m' seen ;;
		esac
	done
}

# A program at a terminal of 100 columns, which has 40 as soon as a line says that
# something is at work; the lines of both times go to wide and narrow.
resized() {
	cat >at.py <<-'END'
	import fcntl, os, pty, re, struct, sys, termios
	def size(fd, columns):
	    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
	child, fd = pty.fork()
	if not child:
	    size(0, 100)
	    os.execvp(sys.argv[1], sys.argv[1:])
	seen, narrow = "", None
	while True:
	    try:
	        got = os.read(fd, 65536).decode(errors="replace")
	    except OSError:
	        break
	    if not got:
	        break
	    seen += got
	    if narrow is None and "\x1b[2m" in seen:
	        size(fd, 40)
	        narrow = len(seen)
	for name, text in ("wide", seen[:narrow]), ("narrow", seen[narrow:]):
	    with open(name, "w") as f:
	        for line in re.findall(r"\x1b\[2m([^\x1b]*)\x1b\[0m", text):
	            f.write(line + "\n")
	with open("seen", "w") as f:
	    f.write(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen).replace("\r\n", "\n"))
	END
	TERM=xterm python3 at.py "$@" </dev/null
}

# bats test_tags=once
@test "at a terminal planning is counted by phase, in a window of any size" {
	need python3 jq
	signals_setup
	config <<-'EOF'
	resource "test_thing" "r" {
	  count = 3
	  name  = "r${count.index}"
	}
	resource "terraform_data" "d" {
	  count = 4
	  input = test_thing.r[0].id
	}
	EOF
	tf apply -auto-approve >/dev/null
	export TEST_PROVIDER_DO='read:sleep=1300'
	resized tf plan -parallelism=1 -out=p
	grep -qE '^refreshing [01]/7  (test_thing|terraform_data)' wide
	grep -qE '^refreshing [1-6]/7, planning [1-6]/[3-7]  ' narrow
	run -1 grep -E '^.{40}' narrow
	# what was slowest, on the terminal and in the plan
	sed '1,/^Slowest:/d' seen | sed -n 1,3p >named
	[ "$(sed 's/^ *[0-9]*s  //; s/\[.\]//' named | sort -u)" = 'test_thing.r (refreshing)' ]
	jq -c 'select(.record == "slowest") | .phase, (.operations | length),
		(.operations[] | [.action, .milliseconds >= 1300])' p >slowest
	[ "$(sort -u slowest | tr '\n' ' ')" = '"plan" 3 ["refresh",true] ' ]
	jq -e -s 'map(select(.record == "progress")) | length > 0 and all(.[];
		.planning.done <= .planning.known and .refreshing.done <= .refreshing.known)' p
	# a part: what is known is what was met
	resized tf plan -parallelism=1 -target='test_thing.r[0]' -target='test_thing.r[1]'
	grep -qE '^refreshing [0-2]/[12], planning [0-2]/2  ' narrow
	# none of it is shown again, nor in the way of the plan
	run -0 tf show p
	[[ $output != *Slowest* ]]
	run -0 tf show -json p
	[[ $output != *slowest* ]]
	unset TEST_PROVIDER_DO
	run -0 tf apply p
	[[ $output != *Slowest* ]]
}

@test "what an apply took longest for is in its stream, and shown of it" {
	signals_setup
	config <<-'EOF'
	resource "test_thing" "r" {
	  count = 2
	  name  = "r${count.index}"
	}
	EOF
	TEST_PROVIDER_DO='r1@apply:sleep=1200' tf-plan -C . >p
	TEST_PROVIDER_DO='r1@apply:sleep=1200' tf-apply <p >applied
	grep '"record":"slowest"' applied | sed 's/:1[2-9][0-9][0-9]}/:MS}/' >slowest
	[ "$(cat slowest)" = '{"record":"slowest","phase":"apply","operations":[{"address":"test_thing.r[1]","action":"create","milliseconds":MS}]}' ]
	run -0 tf-show applied
	[ "${lines[-2]}" = Slowest: ]
	[[ ${lines[-1]} = *'s  test_thing.r[1] (creating)' ]]
	run -0 tf-ui -op=apply -json <applied
	[[ $output != *slowest* ]]
	# quick ones are not told
	run -1 bash -o pipefail -c 'tf-plan -C . -destroy | tf-apply | grep slowest'
}

# --- one table for help, manual and completion ---

# bats test_tags=once
@test "tf COMMAND -help lists what the command takes, nothing of its stages" {
	for command in plan apply destroy refresh import validate show output \
		graph console get version; do
		run -0 tf "$command" -help
		[[ ${lines[0]} == "Usage: tf $command "* ]]
		run -1 grep -E -- '-(feed|op|continued|ui|missing-file|brief)\b' \
			<<<"$output"
	done
}

@test "the nearest name is told of what is not there" {
	near() { # TEXT WORD...
		run -1 "${@:2}"
		[[ "$(tr '\n' ' ' <<<"$output")" = *"Did you mean $1?"* ]]
	}
	echo 'output "alpha" { value = 1 }' >>main.tf
	mkdir service
	echo 'resource "terraform_data" "x" {}' >service/main.tf
	cat >>main.tf <<-'END'
	variable "region" { default = 1 }
	module "service" { source = "./service" }
	END
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	tf workspace new blue >/dev/null
	tf workspace select default >/dev/null
	near '"blue"' tf workspace select blu
	near '"blue"' tf workspace delete bleu
	near '"alpha"' tf output alhpa
	near '"alpha"' tf output al
	near '"blue"' tf workspace select b
	near '"terraform_data.a"' tf state list terraform_data.b
	near '"terraform_data.a"' tf state show terraform_data.b
	near '"terraform_data.a"' tf state mv terraform_data.b terraform_data.c
	near '"terraform_data.a"' tf state rm terraform_data.b
	near '"terraform_data.a"' tf taint terraform_data.b
	near '"terraform_data.a"' tf untaint terraform_date.a
	near '"terraform_data.a"' tf import terraform_data.b x
	near '"module.service"' tf import module.servce.terraform_data.x x
	near '"module.service"' tf state list module.servic
	near '"module.service"' tf state mv module.servic module.b
	near '"module.service"' tf console -scope=module.serv
	near '"region"' tf plan -var regoin=1
	far() { # TEXT WORD...
		run -0 "${@:2}"
		[[ "$(tr '\n' ' ' <<<"$output")" = *"Did you mean $1?"* ]]
	}
	far terraform_data.a tf plan -replace=terraform_data.b
	[[ $output = *'-replace=terraform_data.b means no resource.'* ]]
	far module.service tf plan -target=module.servce
	far module.service.terraform_data.x \
		tf plan -replace=module.servce.terraform_data.x
	echo 'regoin = 1' >terraform.tfvars
	far '"region"' tf plan
	rm terraform.tfvars
	near '"terraform_data.a"' tf console <<<terraform_data.b
	near 'the managed resource terraform_data.a' \
		tf console <<<data.terraform_data.a
	near -chdir tf -chdr=x plan
	near '"list"' tf-state lst
	near '"select"' tf-state workspace selct
	run -1 tf workspace select entirely-different
	[[ $output != *'Did you mean'* ]]
}

@test "of a key whose quotes the shell took the diagnostic says so" {
	hint() { # ADDRESS WORD...
		run -1 "${@:2}"
		[[ "$(tr -s '\n ' ' ' <<<"$output")" = *"the whole: '$1'"* ]]
	}
	wanted='module.app["api"].terraform_data.x'
	hint "$wanted" tf plan -target=module.app[api].terraform_data.x
	hint "$wanted" tf plan -exclude=module.app[api].terraform_data.x
	hint "$wanted" tf plan -replace=module.app[api].terraform_data.x
	hint "$wanted" tf taint module.app[api].terraform_data.x
	hint "$wanted" tf import module.app[api].terraform_data.x id
	tf apply -auto-approve >/dev/null
	hint "$wanted" tf state show module.app[api].terraform_data.x
	hint "$wanted" tf state rm module.app[api].terraform_data.x
	hint 'a.b["c d"]' tf state list 'a.b[c d]'
	hint 'module.m[0].a.b["10.0.0.0/8"]' tf state list 'module.m[0].a.b[10.0.0.0/8]'
	run -1 tf state list 'a.b["c"].d'
	[[ $output != *shell* ]]
}

# bats test_tags=once
@test "a level of the log that there is not is told once, and is trace" {
	told() { # VARIABLE=LEVEL
		env "$1" tf plan 2>&1 >/dev/null |
			awk '/Invalid log level/ { n++ } END { print n + 0 }'
	}
	for name in TF_LOG TF_LOG_CORE TF_LOG_PROVIDER; do
		[ "$(told $name=bogus)" = 1 ]
		for level in '' trace Debug INFO warn ERROR off json; do
			[ "$(told "$name=$level")" = 0 ]
		done
	done
}

@test "the help of logout is not that of login" {
	run -0 tf logout -help
	[[ $output = *'Removes the token'* && $output != *Obtains* ]]
	run -0 tf login -help
	[[ $output = *'Obtains a token'* ]]
}

@test "what cannot be done is said in our words, with the names that were typed" {
	run -1 tf -chdir=/nonexistent plan
	[ "$output" = 'Error handling -chdir option: /nonexistent: No such file or directory.' ]
	run -1 tf console -e 1+1
	[[ $output = *'flag provided but not defined: -e'* ]]
	run -1 tf-eval -console -e 1+1
	[[ $output = *'-e has no effect with -console.'* ]]
	run -1 tf plan -no-color -out=/nonexistent/p
	[[ $output = *'The plan cannot be saved to /nonexistent/p: No such file'* ]]
	[[ $output != *tmp* && $output != *'Saved the plan'* ]]
}

@test "shellcheck has nothing to say about the shell scripts" {
	need shellcheck
	cd "$TF_TEST_SRC"
	shellcheck -x tools/tf.in completions/tf.bash
}

# bats test_tags=once
@test "what is evaluated early has its locals in the pipe of tf" {
	mkdir m
	echo 'output "o" { value = 1 }' >m/main.tf
	cat >main.tf <<-'END'
	locals {
	  path   = "x.tfstate"
	  source = "./m"
	}
	resource "terraform_data" "a" {}
	END
	cp main.tf locals
	printf 'terraform {\n  backend "local" { path = local.path }\n}\n' >>main.tf
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	run -0 tf plan
	[[ $output = *'No changes'* ]]
	# and what says where a module comes from
	rm -r .terraform
	{ cat locals; echo 'module "m" { source = local.source }'; } >main.tf
	tf init >/dev/null
	run -0 tf plan
	[[ $output = *'1 to add'* ]]
}

# bats test_tags=once
@test "what the environment encrypts with has its locals in the pipe of tf" {
	export TF_ENCRYPTION='
	key_provider "pbkdf2" "k" {
	  passphrase = local.p
	  iterations = 200000
	}
	method "aes_gcm" "m" {
	  keys = key_provider.pbkdf2.k
	}
	state {
	  method = method.aes_gcm.m
	}'
	cat >main.tf <<-'END'
	locals { p = "correct horse battery staple" }
	resource "terraform_data" "a" {}
	END
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	grep -q encrypted_data terraform.tfstate
	run -0 tf plan
	[[ $output = *'No changes'* ]]
}

# bats test_tags=once
@test "a stage that a signal has ended is named, where nobody asked to stop" {
	cat >main.tf <<-'END'
	resource "terraform_data" "a" {
	  provisioner "local-exec" {
	    command = "kill -9 $PPID"
	  }
	}
	END
	run -1 tf apply -auto-approve
	[[ $output = *'Error: A stage was ended by a signal'*'tf-apply: Killed.'* ]]
	run -1 tf apply -auto-approve -json
	run -0 grep '"type":"diagnostic"' <<<"$output"
	[[ $output = *'tf-apply: Killed.'* ]]
}

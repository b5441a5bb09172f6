# tf-fmt.bats - tf-fmt(1): files, directories, options, exit statuses

load common

setup() {
	cd "$BATS_TEST_TMPDIR"
	printf 'a=1\nbcd=2\n' >bad.tf
	printf 'a   = 1\nbcd = 2\n' >good.tf
	cp good.tf want
}

@test "standard input goes to standard output" {
	run tf-fmt - <bad.tf
	[ "$status" -eq 0 ]
	[ "$output" = "$(cat want)" ]
}

@test "files are rewritten and listed when they change" {
	run tf-fmt bad.tf good.tf
	[ "$status" -eq 0 ]
	[ "$output" = bad.tf ]
	cmp bad.tf want
}

@test "a rewritten file keeps its mode, a link its target" {
	chmod 640 bad.tf
	mkdir d
	ln -s ../bad.tf d/link.tf
	tf-fmt d
	[ -L d/link.tf ]
	cmp bad.tf want
	[ "$(stat -c %a bad.tf)" = 640 ]
}

@test "the working directory is the default; other files are left alone" {
	cp bad.tf x.tofu
	cp bad.tf x.tfvars
	cp bad.tf x.tftest.hcl
	cp bad.tf x.tofutest.hcl
	cp bad.tf other.hcl
	cp bad.tf x.tf.json
	cp bad.tf .hidden.tf
	cp bad.tf '#x.tf#'
	cp bad.tf x.tf~
	run tf-fmt
	[ "$status" -eq 0 ]
	[ "$output" = "bad.tf
x.tftest.hcl
x.tfvars
x.tofu
x.tofutest.hcl" ]
	for f in other.hcl x.tf.json .hidden.tf '#x.tf#' x.tf~; do
		grep -q '^a=1' "$f"
	done
}

@test "-recursive goes below, but not into hidden directories" {
	mkdir -p sub/deep .git
	mv bad.tf sub/deep/bad.tf
	cp sub/deep/bad.tf .git/bad.tf
	run -0 tf-fmt
	[ -z "$output" ]
	run tf-fmt -recursive
	[ "$output" = sub/deep/bad.tf ]
	grep -q '^a=1' .git/bad.tf
}

@test "-check writes nothing and exits with 3" {
	run tf-fmt -check
	[ "$status" -eq 3 ]
	[ "$output" = bad.tf ]
	grep -q '^a=1' bad.tf
	run tf-fmt -check good.tf
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	run tf-fmt -check -list=false
	[ "$status" -eq 3 ]
	[ -z "$output" ]
	run tf-fmt -check - <bad.tf
	[ "$status" -eq 3 ]
	[ -z "$output" ]
	run tf-fmt -check - <good.tf
	[ "$status" -eq 0 ]
}

@test "-diff shows the change" {
	run tf-fmt -diff -write=false -list=false bad.tf
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = '--- old/bad.tf' ]
	[ "${lines[1]}" = '+++ new/bad.tf' ]
	[ "${lines[3]}" = '-a=1' ]
	grep -q '^a=1' bad.tf
	run tf-fmt -diff - <bad.tf
	[ "${lines[0]}" = '--- old/<stdin>' ]
}

@test "-write=false -list=false puts the text out" {
	run tf-fmt -write=false -list=false bad.tf
	[ "$output" = "$(cat want)" ]
	grep -q '^a=1' bad.tf
}

@test "names are shown relative to the working directory" {
	mkdir sub
	cd sub
	run tf-fmt "$PWD/../bad.tf"
	[ "$output" = ../bad.tf ]
}

@test "a file with errors is left alone, the others are formatted" {
	printf 'a = [\n' >worse.tf
	run tf-fmt
	[ "$status" -eq 2 ]
	[[ "$output" == *bad.tf* ]]
	[[ "$output" == *'Error: Missing expression'* ]]
	[[ "$output" == *'on worse.tf line 2'* ]]
	cmp bad.tf want
	[ "$(cat worse.tf)" = 'a = [' ]
}

@test "what cannot be formatted is an error" {
	run tf-fmt nothing.tf
	[ "$status" -eq 2 ]
	[[ "$output" == *'Invalid file or directory path'* ]]
	run tf-fmt want
	[ "$status" -eq 2 ]
	[[ "$output" == *'Invalid file extension'* ]]
	run tf-fmt -nonsense
	[ "$status" -eq 1 ]
}

@test "output that cannot be written is an error" {
	[ -e /dev/full ] || skip 'the system has no /dev/full'
	run sh -c 'tf-fmt - <bad.tf >/dev/full'
	[ "$status" -eq 2 ]
}

@test "the example of the manual" {
	run sh -c "printf 'a=1\nbcd = \"\${e}\"\n' | tf-fmt -"
	[ "$output" = 'a   = 1
bcd = e' ]
}

#!/usr/bin/env bats
# modules-ssh.bats - modules of git repositories with programs as people have them:
# a server of ssh, submodules, large files (LFS)
#
# See modules.bash for TF_TEST_CLI.

load common
load modules

setup() {
	modules_setup
	git_setup
}

teardown() {
	if [ -e "$here/sshd.pid" ]; then
		kill "$(cat "$here/sshd.pid")"
	fi
}

# A server of ssh for this user at $at, that lets in whoever has the key "$here/id".
ssh_server() {
	local sshd port user
	need ssh-keygen
	sshd=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v sshd) ||
		cannot 'sshd is not installed'
	user=$(id -un)
	[ "$user" != root ] || mkdir -p /run/sshd
	ssh-keygen -q -t ed25519 -N '' -f "$here/host"
	ssh-keygen -q -t ed25519 -N '' -f "$here/id"
	cp "$here/id.pub" "$here/authorized"
	for _ in {1..20}; do
		port=$((20000 + RANDOM % 12000))
		cat >"$here/sshd_config" <<-END
		ListenAddress 127.0.0.1
		Port $port
		HostKey $here/host
		AuthorizedKeysFile $here/authorized
		PidFile $here/sshd.pid
		PasswordAuthentication no
		KbdInteractiveAuthentication no
		PermitRootLogin yes
		StrictModes no
		UsePAM no
		END
		rm -f "$here/sshd.log"
		"$sshd" -f "$here/sshd_config" -E "$here/sshd.log" 3>&- || return 1
		for _ in {1..600}; do
			[ ! -s "$here/sshd.pid" ] || break 2
			if grep -q 'Cannot bind' "$here/sshd.log"; then
				break # another has that port, which nothing else tells
			fi
			sleep 0.1
		done
	done
	[ -s "$here/sshd.pid" ]
	at=$user@127.0.0.1:$port
	echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$here/host.pub")" >"$here/known"
	ssh="ssh -F none -o UserKnownHostsFile=$here/known -o IdentityAgent=none"
	export GIT_SSH_COMMAND="$ssh -o IdentitiesOnly=yes -i $here/id"
}

# bats test_tags=once
@test "repositories of a server of ssh" {
	ssh_server
	repository r1
	repository r2
	calls "a=git::ssh://$at$here/r1//m?ref=v1" "b=git::ssh://$at$here/r2?ref=dev"
	run -0 $cli init -no-color
	grep -q v1 .terraform/modules/a/m/main.tf
	grep -q dev .terraform/modules/b/m/main.tf
}

@test "the key of an address lets in" {
	ssh_server
	repository r1
	export GIT_SSH_COMMAND="$ssh -o IdentitiesOnly=yes"
	calls "a=git::ssh://$at$here/r1?ref=v1&sshkey=$(base64 -w0 "$here/id")"
	run -0 $cli init -no-color
	grep -q v1 .terraform/modules/a/m/main.tf
	ssh-keygen -q -t ed25519 -N '' -f "$here/other"
	calls "b=git::ssh://$at$here/r1?ref=v1&sshkey=$(base64 -w0 "$here/other")"
	run -1 $cli init -no-color
	flat
	[[ $output = *'Permission denied'* ]]
	[ ! -e .terraform/modules/b ]
}

# bats test_tags=once
@test "a server of ssh that is not known is not trusted, and nobody is asked" {
	ssh_server
	repository r1
	repository r2
	: >"$here/known"
	calls "a=git::ssh://$at$here/r1" "b=git::ssh://$at$here/r2"
	run -1 timeout 60 $cli init -no-color -input=false </dev/null
	flat
	[[ $output = *'Host key verification failed'* ]]
	[ ! -e .terraform/modules/a ]
	[ ! -s "$here/known" ]
}

# bats test_tags=once
@test "submodules with relative addresses come from the same server" {
	ssh_server
	repository r1
	repository r2
	git -C "$here/r1" submodule --quiet add ../r2 sub
	git -C "$here/r1" commit -q -m sub
	calls "a=git::ssh://$at$here/r1" "b=git::ssh://$at$here/r1?ref=main" \
		"c=git::ssh://$at$here/r2?ref=dev"
	run -0 $cli init -no-color
	for m in a b; do
		grep -q main ".terraform/modules/$m/sub/m/main.tf"
		run -0 git -C ".terraform/modules/$m" submodule status
		[[ $output = ' '*' sub '* ]]
	done
}

# bats test_tags=once
@test "large files of git are there, for each ref" {
	need git-lfs
	git lfs install --skip-repo >/dev/null
	repository r1
	repository r2
	for r in r1 r2; do
		git -C "$here/$r" lfs track '*.bin' >/dev/null
		echo "large $r" >"$here/$r/m/x.bin"
		edit "$r" main
		git -C "$here/$r" tag v2
		echo "larger $r" >"$here/$r/m/x.bin"
		edit "$r" main
	done
	calls "a=git::file://$here/r1" "b=git::file://$here/r1?ref=v2" \
		"c=git::file://$here/r2?ref=v2"
	run -0 $cli init -no-color
	[ "$(cat .terraform/modules/a/m/x.bin)" = 'larger r1' ]
	[ "$(cat .terraform/modules/b/m/x.bin)" = 'large r1' ]
	[ "$(cat .terraform/modules/c/m/x.bin)" = 'large r2' ]
}

#!/usr/bin/env bats
# ssh.bats - provisioners on other machines: file and remote-exec, with servers of
# OpenSSH that the tests start
#
# TF_TEST_CLI=tofu runs what both programs do the same way with OpenTofu.

load common

setup() {
	need ssh ssh-keygen
	cd "$BATS_TEST_TMPDIR"
	cli=${TF_TEST_CLI:-tf}
	here=$PWD
	: >rc
	export TF_CLI_CONFIG_FILE=$PWD/rc CHECKPOINT_DISABLE=1
	unset SSH_AUTH_SOCK TFPIPE_SSH_CONFIG
	user=$(id -un)
	# What is left there would show.
	mkdir w k there tmp
	export TMPDIR=$here/tmp
	ssh-keygen -q -t ed25519 -N '' -f k/host
	ssh-keygen -q -t ed25519 -N '' -f k/id
	cd w
}

teardown() {
	local pid
	for pid in "$here"/*.pid; do
		if [ -e "$pid" ]; then
			kill "$(cat "$pid")"
		fi
	done
	return 0
}

only_ours() {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
}

# A server named $1 at $port, for this user with the key k/id; more lines of its
# configuration may follow, of which those count that come first.
sshd_start() { # NAME [LINE...]
	local sshd name=$1
	shift
	sshd=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v sshd) ||
		cannot 'sshd is not installed'
	[ "$user" != root ] || mkdir -p /run/sshd
	# It leaves its caller before it has a port, so a port that another has is
	# told in its log alone.
	for _ in {1..20}; do
		port=${again:-$((20000 + RANDOM % 12000))}
		{
			printf '%s\n' "$@"
			cat <<-END
			ListenAddress 127.0.0.1
			Port $port
			HostKey $here/k/host
			AuthorizedKeysFile $here/k/id.pub
			PidFile $here/$name.pid
			PasswordAuthentication no
			KbdInteractiveAuthentication no
			PermitRootLogin yes
			StrictModes no
			UsePAM no
			MaxStartups 200
			LogLevel VERBOSE
			END
		} >"$here/$name.conf"
		rm -f "$here/$name.log"
		"$sshd" -f "$here/$name.conf" -E "$here/$name.log" 3>&- || return 1
		for _ in {1..600}; do
			[ ! -s "$here/$name.pid" ] || return 0
			if grep -q 'Cannot bind' "$here/$name.log"; then
				break
			fi
			sleep 0.1
		done
	done
	cat "$here/$name.log"
	return 1
}

sshd_stop() { # NAME
	kill "$(cat "$here/$1.pid")"
	for _ in {1..100}; do
		[ -e "$here/$1.pid" ] || return 0
		sleep 0.1
	done
	return 1
}

# The arguments of a connection to the server at $port, with more lines.
connection() { # [LINE...]
	cat <<-END
	connection {
	  host = "127.0.0.1"
	  port = $port
	  user = "$user"
	  timeout = "${timeout-120s}"
	  $([[ " $*" == *" password"* || " $*" == *" private_key"* || " $*" == *" agent=true"* ]] ||
		echo "private_key = file(\"$here/k/id\")")
	  $(printf '%s\n' "$@")
	}
	END
}

# A resource with that connection and the blocks of stdin.
resource() { # [LINE OF CONNECTION...]
	{
		echo 'resource "terraform_data" "a" {'
		echo '  input = "x"'
		connection "$@"
		cat
		echo '}'
	} >main.tf
	$cli init -no-color >/dev/null
}

apply() { # ARGUMENT...
	timeout 300 $cli apply -no-color -auto-approve -lock=false "$@"
}

# Without the line breaks of messages.
flat() {
	output=$(tr -s '\n│ ' '   ' <<<"$output")
}

# --- file ---

# bats test_tags=once
@test "a file has its content, or what its source has" {
	sshd_start s
	printf 'from a file\0\xff' >source
	chmod 755 source
	: >empty
	resource <<-END
	provisioner "file" {
	  content     = "id: \${self.id}"
	  destination = "$here/there/content"
	}
	provisioner "file" {
	  source      = "source"
	  destination = "$here/there/it's a \$file"
	}
	provisioner "file" {
	  source      = "empty"
	  destination = "$here/there/empty"
	}
	provisioner "file" {
	  content     = ""
	  destination = "$here/there/nothing"
	}
	END
	echo before >"$here/there/content"
	run -0 apply
	[[ "$(cat ../there/content)" == 'id: '* ]]
	cmp source "../there/it's a \$file"
	[ "$(stat -c %a "../there/it's a \$file")" = 644 ]
	[ ! -s ../there/empty ]
	[ -e ../there/nothing ]
	[ ! -s ../there/nothing ]
	[[ "$output" != *Connecting* ]]
}

# bats test_tags=once
@test "a directory is taken whole, or what is in it" {
	sshd_start s
	mkdir -p d/sub/empty
	echo 1 >d/a
	head -c 1500000 /dev/urandom >d/sub/b
	mkdir ../there/whole ../there/part
	resource <<-END
	provisioner "file" {
	  source      = "d"
	  destination = "$here/there/whole"
	}
	provisioner "file" {
	  source      = "d/"
	  destination = "$here/there/part"
	}
	END
	run -0 apply
	cmp d/sub/b ../there/whole/d/sub/b
	cmp d/sub/b ../there/part/sub/b
	[ -d ../there/part/sub/empty ]
	[ ! -e ../there/part/d ]
}

@test "links in a directory are followed" {
	only_ours # OpenTofu's upload fails
	sshd_start s
	mkdir -p d/sub ../there/d
	echo 1 >d/a
	echo 2 >d/sub/b
	ln -s sub d/link
	ln -s a d/linked
	resource <<-END
	provisioner "file" {
	  source      = "d/"
	  destination = "$here/there/d"
	}
	END
	run -0 apply
	cmp d/sub/b ../there/d/link/b
	cmp d/a ../there/d/linked
	[ ! -L ../there/d/linked ]
}

@test "a source may lie in the home directory" {
	sshd_start s
	mkdir ../home
	echo h >../home/f
	resource <<-END
	provisioner "file" {
	  source      = "~/f"
	  destination = "$here/there/f"
	}
	END
	export HOME=$here/home
	run -0 apply
	[ "$(cat ../there/f)" = h ]
}

@test "what cannot be put there is an error that says why" {
	only_ours
	sshd_start s
	mkdir d
	mkfifo d/fifo
	for row in 'x|/no/such/x|No such file' "none|$here/there/x|none: No such file" \
		"d|$here/there|d/fifo: it is a pipe" \
		"x|$here/there/none/y|No such file"; do
		IFS='|' read -r source destination why <<<"$row"
		echo x >x
		resource <<-END
		provisioner "file" {
		  source      = "$source"
		  destination = "$destination"
		}
		END
		run -1 apply
		flat
		[[ "$output" = *'file provisioner error'*"$why"* ]]
		run -0 $cli state list
		[ "$output" = terraform_data.a ]
		run -0 $cli show -no-color
		[[ "$output" = *'(tainted)'* ]]
		rm terraform.tfstate
	done
	[ ! -e ../there/none ]
}

# --- remote-exec ---

@test "scripts and lines run there, one after the other, and nothing of them stays" {
	sshd_start s
	printf 'echo script $0 "$@"\n' >script
	printf '#!/bin/bash\n[[ one = o* ]] && echo bash' >second
	resource <<-END
	provisioner "remote-exec" {
	  inline = ["x=1", "echo x is \$x; echo err >&2", "printf end"]
	}
	provisioner "remote-exec" {
	  script = "script"
	}
	provisioner "remote-exec" {
	  scripts = ["second", "script"]
	  connection {
	    script_path = "$here/there/own path_%RAND%.sh"
	  }
	}
	END
	[ -z "${TF_TEST_CLI-}" ] || sed -i 's/own path/ownpath/' main.tf
	run -0 apply
	grep '(remote-exec)' <<<"$output" >said
	grep -c 'Connecting to remote host via SSH...' said | grep -x 3
	grep -q 'Host: 127.0.0.1$' said
	grep -q 'Private key: true$' said
	grep -q 'Checking Host Key: false$' said
	grep -q 'Connected!$' said
	grep -q 'x is 1$' said
	grep -q 'err$' said
	grep -q 'end$' said
	grep -qE 'script /tmp/terraform_[0-9]+\.sh$' said
	grep -qE "script $here/there/own ?path_[0-9]+\.sh\$" said
	[ "$(grep -n 'bash$' said | cut -d: -f1)" -lt "$(grep -n 'own.*path' said | cut -d: -f1)" ]
	run -0 cat ../there/own*
	[ -z "$output" ]
}

# bats test_tags=once
@test "a script that fails taints, unless it may" {
	sshd_start s
	resource <<-END
	provisioner "remote-exec" {
	  inline = ["echo early", "exit 7", "echo late"]
	}
	END
	run -1 apply
	[[ "$output" = *early* ]]
	[[ "$output" != *late* ]]
	flat
	[[ "$output" = *'remote-exec provisioner error'*7* ]]
	run -0 $cli show -no-color
	[[ "$output" = *'(tainted)'* ]]
	sed -i 's/inline = /on_failure = continue\ninline = /' main.tf
	run -0 apply
	run -0 $cli show -no-color
	[[ "$output" != *'(tainted)'* ]]
}

@test "scripts that cannot be are errors before anybody is asked" {
	only_ours
	port=1
	: >nothing
	for row in 'script = "none"|Failed to open script: none' \
		'script = "nothing"|a script is empty: nothing' \
		'inline = []|a script is empty' 'inline = ["x", ""]|empty text'; do
		resource <<<"provisioner \"remote-exec\" {
		  ${row%%|*}
		}"
		run -1 apply
		[[ "$output" != *Connecting* ]]
		flat
		[[ "$output" = *"${row#*|}"* ]]
		rm terraform.tfstate
	done
}

# bats test_tags=once
@test "when an object goes its provisioners have what it was, and its connection" {
	sshd_start s
	resource <<-END
	provisioner "remote-exec" {
	  when   = destroy
	  inline = ["echo \${self.output} >$here/there/gone"]
	}
	END
	run -0 apply
	run -0 timeout 300 $cli destroy -no-color -auto-approve
	[ "$(cat ../there/gone)" = x ]
	run -0 apply
	{
		echo 'removed {
		  from = terraform_data.a
		  lifecycle {
		    destroy = true
		  }
		  provisioner "file" {
		    when        = destroy
		    content     = self.id
		    destination = "'"$here"'/there/removed"'
		connection
		printf '}\n}\n'
	} >main.tf
	run -0 apply
	[ -s ../there/removed ]
	run -0 $cli state list
	[ -z "$output" ]
}

@test "a provisioner's connection counts over that of its resource" {
	sshd_start s
	resource <<-END
	provisioner "file" {
	  content     = "x"
	  destination = "$here/there/x"
	  connection {
	    port = self.input == "x" ? $port : 1
	  }
	}
	END
	sed -i "0,/port = $port/s//port = 1/" main.tf
	run -0 apply
	[ -e ../there/x ]
	echo 'resource "terraform_data" "b" {
	  provisioner "file" {
	    content     = "x"
	    destination = "/x"
	  }
	}' >main.tf
	run -1 apply
	flat
	[[ "$output" = *'file provisioner error'*'Missing connection configuration for provisioner.'* ]]
}

@test "of a sensitive configuration nothing is shown, and of a sensitive host neither" {
	only_ours
	sshd_start s
	cat >vars.tf <<-END
	variable "s" {
	  default   = "hunter2"
	  sensitive = true
	}
	variable "host" {
	  default   = "127.0.0.1"
	  sensitive = true
	}
	END
	resource <<-'END'
	provisioner "remote-exec" {
	  inline = ["echo said ${var.s}", "exit 3"]
	}
	END
	run -1 apply
	[[ "$output" != *hunter2* ]]
	[[ "$output" != *Connecting* ]]
	[[ "$output" = *'(output suppressed due to sensitive value in config)'* ]]
	flat
	[[ "$output" = *'exit status 3. More is not shown'* ]]
	resource <<-'END'
	provisioner "remote-exec" {
	  inline = ["echo said", "exit 3"]
	  connection {
	    host = var.host
	  }
	}
	END
	run -1 apply
	[[ "$output" = *'Host: (sensitive value)'* ]]
	[[ "$output" = *'(remote-exec): said'* ]]
	[[ "$output" != *127.0.0.1* ]]
}

# --- who may ---

# bats test_tags=once
@test "the key of the host is looked at where it is given" {
	sshd_start s
	resource 'host_key = file("../k/host.pub")' <<-END
	provisioner "remote-exec" {
	  inline = ["echo fine"]
	}
	END
	run -0 apply
	[[ "$output" = *'Checking Host Key: true'* ]]
	# It changes.
	sshd_stop s
	rm ../k/host ../k/host.pub
	cp main.tf keep
	echo "$(cut -d' ' -f1,2 ../k/id.pub)" >../k/host.pub
	ssh-keygen -q -t ed25519 -N '' -f ../k/other
	mv ../k/other ../k/host
	sshd_start s
	sed "s/port = [0-9]*/port = $port/; s/120s/4s/" keep >main.tf
	run -1 apply -replace=terraform_data.a
	[[ "$output" != *fine* ]]
	flat
	[[ "$output" = *'timeout - last error'* ]]
	[ -n "${TF_TEST_CLI-}" ] || [[ "$output" = *'Host key verification failed'* ]]
}

@test "the key may be that of who vouches for the host" {
	ssh-keygen -q -t ed25519 -N '' -f ../k/ca
	ssh-keygen -q -s ../k/ca -I host -h -n 127.0.0.1 ../k/host.pub
	sshd_start s "HostCertificate $here/k/host-cert.pub"
	resource 'host_key = file("../k/ca.pub")' <<-END
	provisioner "file" {
	  content     = "x"
	  destination = "$here/there/x"
	}
	END
	run -0 apply
	[ -e ../there/x ]
	# Not for this host.
	only_ours
	sshd_stop s
	ssh-keygen -q -s ../k/ca -I host -h -n other.test ../k/host.pub
	again=$port sshd_start s "HostCertificate $here/k/host-cert.pub"
	sed -i 's/120s/4s/' main.tf
	run -1 apply -replace=terraform_data.a
}

# bats test_tags=once
@test "a wrong key is tried until the time is over" {
	sshd_start s
	ssh-keygen -q -t ed25519 -N '' -f ../k/wrong
	timeout=4s resource 'private_key = file("../k/wrong")' <<-END
	provisioner "remote-exec" {
	  inline = ["echo never"]
	}
	END
	run -1 apply
	[[ "$output" != *'(remote-exec): never'* ]]
	[ "$(grep -c 'Connecting to' <<<"$output")" -gt 1 ]
	flat
	[[ "$output" = *'timeout - last error'* ]]
	[ -n "${TF_TEST_CLI-}" ] || [[ "$output" = *'Permission denied'* ]]
}

@test "a key that is none is an error at once, and is not shown" {
	port=1
	ssh-keygen -q -t ed25519 -N secret -f ../k/locked
	printf -- '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0Cg==\n-----END OPENSSH PRIVATE KEY-----\n' >../k/broken
	echo hunter2 >../k/text
	for key in locked broken text; do
		resource "private_key = file(\"../k/$key\")" <<-END
		provisioner "remote-exec" {
		  inline = ["echo never"]
		}
		END
		run -1 apply
		[[ "$output" != *hunter2* ]]
		[[ "$output" != *c2VjcmV0Cg* ]]
		[[ "$output" != *Connecting* ]]
		rm terraform.tfstate
	done
	only_ours
	resource 'private_key = file("../k/locked")' <<<'provisioner "remote-exec" {
	  inline = ["echo never"]
	}'
	run -1 apply
	flat
	[[ "$output" = *'the private key is protected by a password'* ]]
}

# bats test_tags=once
@test "kinds of keys, and layouts of them" {
	sshd_start s "AuthorizedKeysFile $here/k/all"
	ssh-keygen -q -t rsa -b 2048 -m PEM -N '' -f ../k/rsa
	ssh-keygen -q -t rsa -b 2048 -m PKCS8 -N '' -f ../k/rsa8
	ssh-keygen -q -t ecdsa -N '' -f ../k/ecdsa
	cat ../k/*.pub >../k/all
	for key in rsa rsa8 ecdsa; do
		resource "private_key = chomp(file(\"../k/$key\"))" <<-END
		provisioner "file" {
		  content     = "x"
		  destination = "$here/there/$key"
		}
		END
		[ "$key" != ecdsa ] || sed -i 's/$/\r/' ../k/ecdsa
		run -0 apply -replace=terraform_data.a
		[ -e "../there/$key" ]
	done
}

@test "certificates" {
	ssh-keygen -q -t ed25519 -N '' -f ../k/ca
	ssh-keygen -q -s ../k/ca -I me -n "$user" ../k/id.pub
	sshd_start s "TrustedUserCAKeys $here/k/ca.pub" 'AuthorizedKeysFile none'
	resource 'private_key = file("../k/id")' 'certificate = file("../k/id-cert.pub")' <<-END
	provisioner "remote-exec" {
	  inline = ["echo fine"]
	}
	END
	run -0 apply
	[[ "$output" = *'Certificate: true'*'(remote-exec): fine'* ]]
	# One that is none, and one of another key.
	ssh-keygen -q -t ed25519 -N '' -f ../k/other
	ssh-keygen -q -s ../k/ca -I me -n "$user" ../k/other.pub
	for c in id.pub other-cert.pub; do
		sed -i "s/certificate = .*/certificate = file(\"..\/k\/$c\")/" main.tf
		run -1 apply -replace=terraform_data.a
		[[ "$output" != *Connecting* ]]
	done
}

# An agent with the keys named.
agent_start() { # FILE...
	need ssh-agent ssh-add
	eval "$(ssh-agent -a "$here/agent" 3>&-)" >/dev/null
	echo "$SSH_AGENT_PID" >"$here/agent.pid"
	ssh-add -q "$@"
}

# bats test_tags=once
@test "an agent has the keys, and goes along" {
	sshd_start s
	agent_start ../k/id
	resource agent=true <<-'END'
	provisioner "remote-exec" {
	  inline = ["test -S $SSH_AUTH_SOCK && echo along"]
	}
	END
	run -0 apply
	[[ "$output" = *'SSH Agent: true'*along* ]]
	sed -i 's/agent=true/agent=false/' main.tf
	sed -i 's/120s/3s/' main.tf
	run -1 apply -replace=terraform_data.a
	flat
	[[ "$output" = *'SSH Agent: false'*'timeout - last error'* ]]
}

# bats test_tags=once
@test "an agent goes along with a key that is given, too" {
	sshd_start s
	ssh-keygen -q -t ed25519 -N '' -f ../k/other
	agent_start ../k/other
	resource <<-'END'
	provisioner "remote-exec" {
	  inline = ["test -S $SSH_AUTH_SOCK && echo along"]
	}
	END
	run -0 apply
	[[ "$output" = *'SSH Agent: true'*along* ]]
}

@test "an agent that is wanted has to be there" {
	port=1
	resource agent=true <<-'END'
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	run -1 apply
	[[ "$output" != *Connecting* ]]
	[[ "$output" = *SSH_AUTH_SOCK* ]]
	export SSH_AUTH_SOCK=$here/none
	run -1 apply
	[[ "$output" != *Connecting* ]]
}

@test "of many keys of an agent the one that is meant is tried first" {
	sshd_start s 'MaxAuthTries 2'
	for i in 1 2 3 4 5; do
		ssh-keygen -q -t ed25519 -N '' -C "number $i" -f "../k/$i"
	done
	ssh-keygen -q -c -C 'the/right one' -f ../k/id >/dev/null
	agent_start ../k/[1-5] ../k/id
	timeout=4s resource agent=true <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	run -1 apply
	sed -i 's/4s/120s/' main.tf
	cp main.tf keep
	for id in ../k/id ../k/id.pub 'the/right one' 'right one'; do
		sed "s|agent=true|agent=true\nagent_identity = \"$id\"|" keep >main.tf
		run -0 apply -replace=terraform_data.a
	done
}

# A server that takes the password hunter2.
password_server() { # [METHOD]
	python3 -c 'import asyncssh' 2>/dev/null ||
		cannot 'python3 has no asyncssh'
	mkdir "$here/pw"
	cp "$here/k/host" "$here/pw/"
	printf hunter2 >"$here/pw/password"
	mkfifo "$here/pw/in"
	python3 "$TF_TEST_SRC/tests/servers/ssh.py" "$here/pw" "$@" \
		<"$here/pw/in" 3>&- >"$here/pw/log" 2>&1 &
	echo $! >"$here/pw.pid"
	exec 7>"$here/pw/in"
	for _ in {1..300}; do
		[ ! -e "$here/pw/port" ] || break
		sleep 0.1
	done
	port=$(cat "$here/pw/port")
}

# bats test_tags=once
@test "passwords, and questions that they answer" {
	password_server
	resource 'password = "hunter2"' <<-END
	provisioner "file" {
	  content     = "x"
	  destination = "$here/there/x"
	}
	END
	run -0 apply
	[ -e ../there/x ]
	[ "$(cat ../pw/asked)" = password ]
}

# bats test_tags=once
@test "a password answers questions, too" {
	password_server keyboard-interactive
	resource 'password = "hunter2"' <<-END
	provisioner "file" {
	  content     = "x"
	  destination = "$here/there/x"
	}
	END
	run -0 apply
	[ -e ../there/x ]
	[ "$(cat ../pw/asked)" = keyboard-interactive ]
}

# bats test_tags=once
@test "a wrong password is no password, and is not shown" {
	password_server
	timeout=4s resource 'password = "swordfish"' <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	run -1 apply
	[[ "$output" = *'Password: true'* ]]
	[[ "$output" != *swordfish* ]]
	flat
	[[ "$output" = *'timeout - last error'* ]]
}

# --- the way there ---

# bats test_tags=once
@test "a bastion is gone through, with what the target has or with its own" {
	sshd_start bastion
	first=$port
	sshd_start s
	resource "bastion_host = \"127.0.0.1\"" "bastion_port = $first" <<-END
	provisioner "remote-exec" {
	  inline = ["echo fine"]
	}
	END
	run -0 apply
	[[ "$output" = *'Using configured bastion host...'*'(remote-exec): fine'* ]]
	grep -q 'Accepted publickey' ../bastion.log
	# Its own key.
	ssh-keygen -q -t ed25519 -N '' -f ../k/other
	sshd_stop bastion
	again=$first sshd_start bastion "AuthorizedKeysFile $here/k/other.pub"
	sed -i 's|bastion_port|bastion_private_key = file("../k/other")\nbastion_port|' main.tf
	run -0 apply -replace=terraform_data.a
}

# bats test_tags=once
@test "the key of a bastion is looked at where it is given" {
	only_ours
	sshd_start bastion
	first=$port
	sshd_start s
	ssh-keygen -q -t ed25519 -N '' -f ../k/other
	resource "bastion_host = \"127.0.0.1\"" "bastion_port = $first" \
		'bastion_host_key = file("../k/host.pub")' <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	run -0 apply
	sed -i 's|k/host.pub|k/other.pub|; s/120s/4s/' main.tf
	run -1 apply -replace=terraform_data.a
	flat
	[[ "$output" = *'Host key verification failed'* ]]
}

@test "a bastion may want a password, and the target another" {
	only_ours
	password_server
	target=$port
	sshd_start bastion
	port=$target resource 'password = "hunter2"' "bastion_host = \"127.0.0.1\"" \
		"bastion_port = $port" 'bastion_private_key = file("../k/id")' \
		'bastion_password = "swordfish"' <<-END
	provisioner "file" {
	  content     = "x"
	  destination = "$here/there/x"
	}
	END
	run -0 apply
	[ -e ../there/x ]
}

tunnel_start() { # [LOGIN]
	need python3
	mkdir "$here/tunnel"
	if [ -n "${1-}" ]; then
		echo "$1" >"$here/tunnel/login"
	fi
	mkfifo "$here/tunnel/in"
	python3 "$TF_TEST_SRC/tests/servers/tunnel.py" "$here/tunnel" \
		<"$here/tunnel/in" 3>&- >"$here/tunnel/log" 2>&1 &
	echo $! >"$here/tunnel.pid"
	exec 8>"$here/tunnel/in"
	for _ in {1..300}; do
		[ ! -e "$here/tunnel/port" ] || break
		sleep 0.1
	done
	proxy=$(cat "$here/tunnel/port")
}

@test "proxies of HTTP and of SOCKS, to the target and to a bastion" {
	tunnel_start 'some user:pass:word'
	sshd_start bastion
	first=$port
	sshd_start s
	for scheme in http socks5; do
		resource "proxy_scheme = \"$scheme\"" 'proxy_host = "127.0.0.1"' \
			"proxy_port = $proxy" 'proxy_user_name = "some user"' \
			'proxy_user_password = "pass:word"' <<-END
		provisioner "remote-exec" {
		  inline = ["echo fine"]
		}
		END
		rm -f terraform.tfstate
		run -0 apply
		[[ "$output" = *'Using configured proxy host...'*'(remote-exec): fine'* ]]
		[[ "$output" != *pass:word* ]]
	done
	[ "$(cat ../tunnel/asked)" = "connect 127.0.0.1 $port
socks 127.0.0.1 $port" ]
	sed -i "s/proxy_port/bastion_host = \"127.0.0.1\"\nbastion_port = $first\nproxy_port/" main.tf
	run -0 apply -replace=terraform_data.a
	[ "$(sed -n '3p' ../tunnel/asked)" = "socks 127.0.0.1 $first" ]
	only_ours
	sed -i 's/pass:word/wrong/; s/120s/3s/' main.tf
	run -1 apply -replace=terraform_data.a
	flat
	[[ "$output" = *'the proxy does not let us in'* ]]
	[[ "$output" != *wrong* ]]
}

@test "a configuration of ssh counts where it is named" {
	only_ours
	sshd_start s
	cat >../config <<-END
	Host name
	  HostName 127.0.0.1
	  Port $port
	  IdentityFile $here/k/id
	  StrictHostKeyChecking no
	  UserKnownHostsFile /dev/null
	END
	echo 'resource "terraform_data" "a" {
	  provisioner "remote-exec" {
	    inline = ["echo fine"]
	    connection {
	      host    = "name"
	      user    = "'"$user"'"
	      timeout = "120s"
	    }
	  }
	}' >main.tf
	$cli init >/dev/null
	export TFPIPE_SSH_CONFIG=$here/config
	run -0 apply
	[[ "$output" = *'(remote-exec): fine'* ]]
	unset TFPIPE_SSH_CONFIG
	sed -i 's/120s/3s/' main.tf
	run -1 apply -replace=terraform_data.a
}

# --- time ---

# Somebody listens at $port, and says nothing.
silent_start() {
	need python3
	python3 - "$here/silent" 3>&- <<-'END' &
	import socket, sys, time
	s = socket.create_server(("127.0.0.1", 0))
	open(sys.argv[1] + ".new", "w").write(str(s.getsockname()[1]))
	import os
	os.rename(sys.argv[1] + ".new", sys.argv[1])
	kept = []
	while True:
	    kept.append(s.accept())
	END
	echo $! >"$here/silent.pid"
	for _ in {1..300}; do
		[ ! -e "$here/silent" ] || break
		sleep 0.1
	done
	port=$(cat "$here/silent")
}

# bats test_tags=once
@test "a server that says nothing is given up when the time is over" {
	silent_start
	timeout=2s resource <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	run -1 apply
	flat
	[[ "$output" = *'timeout - last error'* ]]
	run -1 pgrep -f "$here"/tmp/tfpipe-ssh
	run -0 ls -A ../tmp
	[ -z "$output" ]
}

# bats test_tags=once
@test "a server that comes later is waited for" {
	sshd_start s
	sshd_stop s
	resource <<-END
	provisioner "remote-exec" {
	  inline = ["echo fine"]
	}
	END
	apply >out 3>&- &
	for _ in {1..300}; do
		grep -q 'Connecting to' out && break
		sleep 0.1
	done
	sleep 1
	again=$port sshd_start s
	wait $!
	grep -q 'remote-exec): fine' out
	[ "$(grep -c 'Connecting to' out)" -gt 1 ]
}

@test "a connection that breaks is an error that says so" {
	only_ours
	sshd_start s
	resource <<-END
	provisioner "remote-exec" {
	  inline = ["echo \$PPID >$here/there/pid", "sleep 100"]
	}
	END
	apply >out 2>&1 3>&- &
	for _ in {1..300}; do
		[ ! -s ../there/pid ] || break
		sleep 0.1
	done
	# The server's process is above that of the shell.
	kill "$(cat ../there/pid)"
	status=0
	wait $! || status=$?
	[ "$status" = 1 ]
	output=$(<out)
	flat
	[[ "$output" = *'the connection is lost'* ]]
}

# Starts an apply of its own session whose script waits; sets pid.
begin_waiting() {
	sshd_start s
	resource <<-END
	provisioner "remote-exec" {
	  inline = [
	    "trap 'echo asked >$here/there/asked; exit 3' INT",
	    "echo \$\$ >$here/there/pid",
	    "n=0; while [ \$n -lt 600 ]; do sleep 0.1; n=\$((n+1)); done",
	    "echo done >$here/there/done",
	  ]
	}
	provisioner "remote-exec" {
	  inline = ["echo second"]
	}
	END
	tf-plan -C . >plan
	tf-apply -json <plan >out 2>err 3>&- &
	pid=$!
	for _ in {1..600}; do
		[ ! -s ../there/pid ] || break
		sleep 0.1
	done
	[ -s ../there/pid ]
}

# bats test_tags=once
@test "interrupted once: the script is asked to end, and that is waited for" {
	only_ours
	begin_waiting
	kill -INT $pid
	status=0
	wait $pid || status=$?
	[ "$status" = 1 ]
	[ -e ../there/asked ]
	[ ! -e ../there/done ]
	run -1 grep -q "remote-exec): second" out
	[ "$(jq -r '.resources[].instances[].status' terraform.tfstate)" = tainted ]
	run -0 ls -A ../tmp
	[ -z "$output" ]
}

@test "interrupted twice: it ends at once, and so does what runs there" {
	only_ours
	begin_waiting
	kill -INT $pid
	kill -INT $pid
	status=0
	wait $pid || status=$?
	[ "$status" = 1 ]
	for _ in {1..300}; do
		kill -0 "$(cat ../there/pid)" 2>/dev/null || break
		sleep 0.1
	done
	run -1 kill -0 "$(cat ../there/pid)"
	run -0 ls -A ../tmp
	[ -z "$output" ]
	run -0 tf-state list
	[ "$output" = terraform_data.a ]
}

@test "interrupted while it connects: nothing more is tried" {
	only_ours
	silent_start
	resource <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	tf-plan -C . >plan
	tf-apply -json <plan >out 2>err 3>&- &
	pid=$!
	for _ in {1..600}; do
		! grep -q 'Connecting to' out || break
		sleep 0.1
	done
	kill -INT $pid
	status=0
	wait $pid || status=$?
	[ "$status" = 1 ]
	grep -q interrupted out err
	run -0 ls -A ../tmp
	[ -z "$output" ]
}

# bats test_tags=once
@test "fifty at once" {
	sshd_start s
	resource <<-END
	count = 50
	provisioner "remote-exec" {
	  inline = ["echo \${count.index}"]
	}
	END
	sed -i 's/^  input/  triggers_replace/' main.tf
	run -0 apply -parallelism=50
	grep -c 'Connected!' <<<"$output" | grep -x 50
	[[ "$output" = *'50 added'* ]]
	run -0 ls -A ../tmp
	[ -z "$output" ]
}

# --- secrets ---

# bats test_tags=once
@test "no key and no password is in an argument list or in a file" {
	only_ours
	password_server
	target=$port
	sshd_start bastion
	port=$target resource 'password = "hunter2"' "bastion_host = \"127.0.0.1\"" \
		"bastion_port = $port" 'bastion_private_key = file("../k/id")' <<-END
	provisioner "file" {
	  content     = "sword\${self.output}fish"
	  destination = "$here/there/y"
	}
	provisioner "remote-exec" {
	  inline = ["echo secret words", "touch $here/there/x", "sleep 3"]
	}
	END
	apply >out 3>&- &
	secrets='hunter2|swordxfish|secret words|PRIVATE KEY'
	: >seen
	for _ in {1..600}; do
		cat /proc/[0-9]*/cmdline >>raw 2>/dev/null || echo gone >>raw
		# files come and go
		! grep -srE "$secrets" ../tmp >>found || break
		[ ! -e ../there/x ] || break
		sleep 0.05
	done
	wait $!
	tr '\0' ' ' <raw >seen
	run -1 grep -aE "$secrets" seen
	grep -aq 'ssh -F /proc/' seen
	[ ! -s found ]
	run -1 grep -E 'hunter2|PRIVATE KEY' out
}

# --- what is not there ---

@test "WinRM is refused, when planning if it is known by then" {
	only_ours
	port=1
	resource 'type = "winrm"' <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	run -1 $cli plan -no-color
	flat
	[[ "$output" = *'Unsupported connection type'*'main.tf line'*winrm* ]]
	sed -i 's/type = "winrm"/type = self.output == "x" ? "winrm" : ""/' main.tf
	run -1 apply
	flat
	[[ "$output" = *'connections of type winrm are not supported'* ]]
	sed -i 's/"winrm"/"telnet"/' main.tf
	run -1 apply
	flat
	[[ "$output" = *'there is no such type of connections: telnet'* ]]
}

@test "without the program ssh there is an error that says so" {
	only_ours
	port=1
	resource agent=false <<-END
	provisioner "remote-exec" {
	  inline = ["true"]
	}
	END
	mkdir ../bin
	for c in bash sh env timeout cat sed mkdir rm; do
		ln -s "$(command -v $c)" ../bin/
	done
	tf-plan -C . >plan
	run -1 --separate-stderr env "PATH=$here/bin" "$(command -v tf-apply)" <plan
	[[ "$stderr" = *'the program ssh'*'cannot be started'* ]]
}

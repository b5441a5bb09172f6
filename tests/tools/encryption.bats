#!/usr/bin/env bats
# encryption.bats - states and plans encrypted; with OpenTofu, where it is on PATH,
# in both directions

load common
load servers

teardown() {
	stop_servers
}

setup() {
	no_clouds
	cd "$BATS_TEST_TMPDIR"
	mkdir w
	cd w
	export TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	export CHECKPOINT_DISABLE=1
	: >"$TF_CLI_CONFIG_FILE"
	unset TF_ENCRYPTION
}

# A key is derived by some 200 programs here.
ROUNDS='
      iterations    = 200000
      hash_function = "sha256"'

# A passphrase's key and method, by a name.
key() { # NAME PASSPHRASE
	cat <<END
    key_provider "pbkdf2" "$1" {
      passphrase = "$2"
      $ROUNDS
    }
    method "aes_gcm" "$1" {
      keys = key_provider.pbkdf2.$1
    }
END
}

# A resource, an output, and an encryption block of what is on standard input.
configure() { # VALUE
	{
		printf 'terraform {\n  encryption {\n'
		cat
		printf '  }\n}\n'
		cat <<END
variable "secret" {
  default = "none"
}
resource "terraform_data" "a" {
  input = "$1"
}
resource "terraform_data" "s" {
  input = var.secret
}
output "o" {
  value = terraform_data.a.output
}
END
	} >main.tf
}

main() { # TARGETS...
	key main 0123456789abcdef-main
	targets method.aes_gcm.main "$@"
}

targets() { # METHOD TARGET...
	local method=$1 t
	shift
	for t; do
		printf '    %s {\n      method = %s\n' "$t" "$method"
		[ ! -s ../fallback ] || cat ../fallback
		printf '    }\n'
	done
}

fallback() { # METHOD
	printf '      fallback {\n        method = %s\n      }\n' "$1" >../fallback
}

is_sealed() { # FILE
	jq -e '.encryption_version == "v0" and (.encrypted_data | length > 100)' \
		"$1" >/dev/null
}

# bats test_tags=once
@test "a state is encrypted, and read by every command" {
	main state | configure x
	tf apply -auto-approve >/dev/null
	is_sealed terraform.tfstate
	[ "$(jq .serial terraform.tfstate)" = 1 ]
	[ "$(jq -r '.meta | keys[]' terraform.tfstate)" = key_provider.pbkdf2.main ]
	run -1 grep -r terraform_data terraform.tfstate
	[ "$(tf output -raw o)" = x ]
	tf state list | grep -x terraform_data.a
	tf state pull | jq -e '.resources | length == 2'
	tf show | grep -F 'input  = "x"'
	run -0 tf plan -detailed-exitcode
	tf state mv terraform_data.a terraform_data.b
	is_sealed terraform.tfstate
	for f in terraform.tfstate.*.backup; do
		is_sealed "$f"
	done
	tf state list | grep -x terraform_data.b
}

# bats test_tags=once
@test "a key that is wrong is said so, and nothing is changed" {
	main state | configure x
	tf apply -auto-approve >/dev/null
	cp terraform.tfstate before
	{
		key main 0123456789abcdef-other
		targets method.aes_gcm.main state
	} | configure x
	run -1 tf plan
	[[ $output == *'Error acquiring the state lock'* ]]
	[[ $output == *'decryption failed for all provided methods'* ]]
	[[ $output != *0123456789abcdef* ]]
	run -1 tf output
	[[ $output == *'decryption failed for all provided methods'* ]]
	run -1 tf apply -auto-approve
	run -1 tf state rm terraform_data.a
	cmp terraform.tfstate before
	rm main.tf
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -1 tf plan
	[[ $output == *'Error acquiring the state lock'*'encrypted'* ]]
	run -1 tf state list
	cmp terraform.tfstate before
}

# bats test_tags=once
@test "plain text counts only where unencrypted is a fallback, and an apply encrypts it" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf apply -auto-approve >/dev/null
	cp terraform.tfstate before
	main state | configure x
	run -1 tf plan
	[[ $output == *'unencrypted payload without unencrypted method'* ]]
	cmp terraform.tfstate before
	fallback method.unencrypted.u
	{
		main state
		echo 'method "unencrypted" "u" {}'
	} >../block
	configure x <../block
	run -0 tf plan
	[[ $output == *'Unencrypted method configured'* ]]
	tf apply -auto-approve >/dev/null
	is_sealed terraform.tfstate
	is_sealed terraform.tfstate.backup # of what was plain
	# and back
	{
		key main 0123456789abcdef-main
		echo 'method "unencrypted" "u" {}'
		fallback method.aes_gcm.main
		targets method.unencrypted.u state
	} >../block
	configure x <../block
	tf apply -auto-approve >/dev/null
	[ "$(jq .version terraform.tfstate)" = 4 ]
	[ "$(tf output -raw o)" = x ]
}

# bats test_tags=once
@test "a new key takes the place of the one that is a fallback, also without changes" {
	main state | configure x
	tf apply -auto-approve >/dev/null
	fallback method.aes_gcm.main
	{
		key main 0123456789abcdef-main
		key next 0123456789abcdef-next
		targets method.aes_gcm.next state
	} >../block
	configure x <../block
	run -0 tf plan -detailed-exitcode
	[ "$(jq -r '.meta | keys[]' terraform.tfstate)" = key_provider.pbkdf2.main ]
	run -0 tf apply -auto-approve
	[[ $output == *'0 added, 0 changed'* ]]
	[ "$(jq -r '.meta | keys[]' terraform.tfstate)" = key_provider.pbkdf2.next ]
	[ "$(jq .serial terraform.tfstate)" = 1 ]
	rm ../fallback
	{
		key next 0123456789abcdef-next
		targets method.aes_gcm.next state
	} | configure x
	run -0 tf plan -detailed-exitcode
}

@test "enforced forbids what is unencrypted, as method and as fallback" {
	{
		key main 0123456789abcdef-main
		echo 'method "unencrypted" "u" {}'
		printf 'state {\n method = method.aes_gcm.main\n enforced = true\n'
		printf ' fallback {\n  method = method.unencrypted.u\n }\n}\n'
	} >../block
	configure x <../block
	for words in plan 'apply -auto-approve' output 'state list' init; do
		# shellcheck disable=SC2086
		run -1 tf $words
		[[ $output == *'Unencrypted method is forbidden'* ]]
	done
	[ ! -e terraform.tfstate ]
	run -0 tf init -backend=false
	run -0 tf validate
}

@test "a saved plan is encrypted as a whole, shown and applied" {
	main state plan | configure x
	tf plan -out=p >/dev/null
	is_sealed p
	run -1 grep -a terraform_data p
	tf show p | grep -F 'terraform_data.a will be created'
	tf show -json p | jq -e '.resource_changes | length == 2'
	run -0 tf apply p
	[ "$(tf output -raw o)" = x ]
	is_sealed terraform.tfstate
	{
		key main 0123456789abcdef-other
		targets method.aes_gcm.main plan
	} | configure x
	run -1 tf show p
	[[ $output == *'decryption failed for all provided methods'* ]]
	run -1 tf apply p
	[[ $output == *'Failed to load "p" as a plan file'* ]]
	[[ $output == *'decryption failed for all provided methods'* ]]
	echo >main.tf
	run -1 tf apply p
	[[ $output == *'Failed to load "p" as a plan file'*encrypted* ]]
	run -1 tf show p
	[[ $output == *encrypted* ]]
}

# bats test_tags=once
@test "an encrypted plan is asked, compared and drawn" {
	main state plan | configure x
	tf plan -out=p >/dev/null
	[ "$(tf-select -l 'type == "terraform_data"' p | wc -l)" = 2 ]
	[ "$(tf-select -c true <p)" = 2 ]
	tf-select 'name == "a"' p | tf-show -summary | grep -F terraform_data.a
	run -0 tf-graph -plan=p -format=mermaid -plain
	[[ $output == *terraform_data.a* ]]
	run -0 tf-graph -plan=p -apply -format=dot -plain
	[[ $output == *terraform_data.a* ]]
	run -0 tf-graph -apply -format=dot -plain <p
	[[ $output == *terraform_data.a* ]]
	[ "$(tf-state open-plan <p | tf-select -c true)" = 2 ]
	run -0 tf-diff p p
	run -0 tf explain terraform_data.a p
	tf plan -out=q -var secret=other >/dev/null
	run -1 tf-diff p q
	[ "$(tf-diff p q | cut -f 1,2)" = "$(printf 'terraform_data.s\tinput')" ]
	tf apply p >/dev/null
	is_sealed terraform.tfstate
	run -0 tf-diff terraform.tfstate <(tf-state pull)
	run -1 tf-diff terraform.tfstate q
	# by no key, by another one, and through a pipe
	cat >wrong <<-'END'
	for cmd in 'tf-select true p' 'tf-select -c true p' 'tf-diff p q' \
		'tf-graph -plan=p -format=dot' 'tf-graph -apply -plan=p'; do
		$cmd >out 2>&1 && exit
		grep -q "$1" out || { echo "$cmd"; cat out; exit 1; }
		! grep -q terraform_data out || exit
	done
	END
	{
		key main 0123456789abcdef-other
		targets method.aes_gcm.main plan
	} | configure x
	run -0 bash -e wrong 'decryption failed for all provided'
	echo >main.tf
	run -0 bash -e wrong 'is encrypted, and can not be read'
	run -2 bash -o pipefail -c 'cat p | tf-select -c true'
	[[ $output == *'not a record, but encrypted'* ]]
}

@test "a key of a variable opens what is asked and compared" {
	{
		cat <<-'END'
		    key_provider "pbkdf2" "k" {
		      passphrase = var.pass
		      iterations = 200000
		    }
		    method "aes_gcm" "m" {
		      keys = key_provider.pbkdf2.k
		    }
		END
		targets method.aes_gcm.m plan
	} | configure x
	echo 'variable "pass" { sensitive = true }' >>main.tf
	pass=0123456789abcdef-pass
	tf plan -out=p -var "pass=$pass" >/dev/null
	[ "$(tf-select -c -var "pass=$pass" true p)" = 2 ]
	run -0 tf-diff -var "pass=$pass" p p
	echo "pass = \"$pass\"" >v.tfvars
	[ "$(tf-select -c -var-file v.tfvars true p)" = 2 ]
	run -2 tf-select -c true p
	[[ $output == *'var.pass'* && $output != *"$pass"* ]]
}

# bats test_tags=once
@test "the least that a key may be made of" {
	local cli=${TF_TEST_CLI:-tf}
	echo 'resource "terraform_data" "a" {}' >main.tf
	while IFS='|' read -r args wanted; do
		[[ $args == *passphrase* ]] || args+='; passphrase = "0123456789abcdef"'
		export TF_ENCRYPTION='key_provider "pbkdf2" "k" {
			'${args//; /$'\n'}'
		}
		method "aes_gcm" "m" {
			keys = key_provider.pbkdf2.k
		}
		state {
			method = method.aes_gcm.m
		}'
		rm -rf terraform.tfstate*
		if [ -z "$wanted" ]; then
			"$cli" apply -auto-approve
			grep -q encrypted_data terraform.tfstate
			continue
		fi
		run -1 "$cli" apply -no-color -auto-approve
		[[ $(tr -s ' \n' ' ' <<<"$output") == *"$wanted"* ]]
		[ ! -e terraform.tfstate ]
	done <<-'ROWS'
		passphrase = "0123456789abcde"|too short (minimum 16 characters)
		iterations = 200000|
		iterations = 199999|dangerously low (<200000)
		key_length = 16|
		key_length = 24|
		key_length = 0|must be larger than zero
		key_length = 31|16, 24
		salt_length = 1|
		salt_length = 0|must be larger than zero
		hash_function = "sha256"|
		hash_function = "md5"|hash function
		hash_function = ""|hash function
	ROWS
}

# bats test_tags=once
@test "a plain state that moves away leaves a sealed backup" {
	local cli=${TF_TEST_CLI:-tf}
	resource='resource "terraform_data" "a" { input = "sesame" }'
	echo "$resource" >main.tf
	"$cli" apply -auto-approve
	printf 'terraform {\n  backend "local" { path = "moved" }\n}\n%s\n' "$resource" >main.tf
	export TF_ENCRYPTION='key_provider "pbkdf2" "k" {
		passphrase = "0123456789abcdef"
		'$ROUNDS'
	}
	method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
	method "unencrypted" "u" {}
	state {
		method = method.aes_gcm.m
		fallback { method = method.unencrypted.u }
	}'
	"$cli" init -input=false -migrate-state -force-copy
	grep -q encrypted_data terraform.tfstate.backup
	grep -q encrypted_data moved
	[ ! -s terraform.tfstate ]
}

@test "a number of a key that is not whole is refused, which OpenTofu drops" {
	local name
	[ -z "${TF_TEST_CLI-}" ] || skip 'our promise'
	echo 'resource "terraform_data" "a" {}' >main.tf
	for name in iterations key_length salt_length; do
		export TF_ENCRYPTION='key_provider "pbkdf2" "k" {
			passphrase = "0123456789abcdef"
			'$name' = 200000.5
		}
		method "aes_gcm" "m" { keys = key_provider.pbkdf2.k }
		state { method = method.aes_gcm.m }'
		run -1 tf apply -no-color -auto-approve
		[[ $(tr -s ' \n' ' ' <<<"$output") == *"\"$name\" of key_provider.pbkdf2.k is not suitable: a whole number is required"* ]]
	done
}

# bats test_tags=once
@test "a plain plan is refused where plans are encrypted" {
	echo 'resource "terraform_data" "a" {}' >main.tf
	tf plan -out=p >/dev/null
	main plan | configure x
	run -1 tf apply p
	[[ $output == *'unencrypted payload without unencrypted method'* ]]
	run -1 tf show p
	[[ $output == *'unencrypted payload without unencrypted method'* ]]
	run -2 tf-select -c true p
	[[ $output == *'unencrypted payload without unencrypted method'* ]]
	run -2 tf-diff p p
	[[ $output == *'unencrypted payload without unencrypted method'* ]]
	[ ! -e terraform.tfstate ]
}

@test "TF_ENCRYPTION: HCL and JSON, laid over the block; blank is none" {
	main state | configure x
	tf apply -auto-approve >/dev/null
	echo 'output "o" { value = 1 }' >main.tf
	run -1 tf output
	export TF_ENCRYPTION=$' \t\n'
	run -1 tf output
	TF_ENCRYPTION=$(main state)
	[ "$(tf output -raw o)" = x ]
	TF_ENCRYPTION='{"key_provider": {"pbkdf2": {"main": {
		"passphrase": "0123456789abcdef-main"}}},
		"method": {"aes_gcm": {"main": {"keys": "${key_provider.pbkdf2.main}"}}},
		"state": {"method": "method.aes_gcm.main"}}'
	[ "$(tf output -raw o)" = x ]
	# the block has all but the passphrase, which is another one there
	{
		key main 0123456789abcdef-other
		targets method.aes_gcm.main state
	} | configure x
	TF_ENCRYPTION='key_provider "pbkdf2" "main" {
		passphrase = "0123456789abcdef-main"
	}'
	run -0 tf plan -detailed-exitcode
	TF_ENCRYPTION='key_provider "pbkdf2" "hunter2" {'
	run -1 tf plan
	[[ $output != *hunter2* ]]
}

@test "keys of external programs: a chain, and a method" {
	cat >kp <<'END'
#!/bin/sh
in=$(cat)
echo '{"magic":"OpenTofu-External-Key-Provider","version":1}'
k=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
[ "$in" = null ] || d=",\"decryption_key\":\"$k\""
echo "{\"keys\":{\"encryption_key\":\"$k\"$d},\"meta\":{\"external_data\":{\"a\":1}}}"
END
	cat >method <<'END'
#!/bin/sh
echo '{"magic":"OpenTofu-External-Encryption-Method","version":1}'
cat
END
	chmod +x kp method
	cat >../block <<END
key_provider "external" "x" {
  command = ["./kp"]
}
key_provider "pbkdf2" "c" {
  chain = key_provider.external.x
  $ROUNDS
}
method "aes_gcm" "c" {
  keys = key_provider.pbkdf2.c
}
state {
  method = method.aes_gcm.c
}
END
	configure x <../block
	tf apply -auto-approve >/dev/null
	[ "$(jq -r '.meta | keys | join(" ")' terraform.tfstate)" = \
		"key_provider.external.x key_provider.pbkdf2.c" ]
	[ "$(tf output -raw o)" = x ]
	echo 'exit 3' >kp
	run -1 tf output
	[[ $output == *'Unable to fetch encryption key data'* ]]
	# a stage has no program started once it reads what others wrote: only here
	rm terraform.tfstate*
	cat >../block <<'END'
method "external" "m" {
  encrypt_command = ["./method"]
  decrypt_command = ["./method"]
}
state {
  method = method.external.m
}
END
	configure x <../block
	tf apply -auto-approve >/dev/null
	[ "$(jq -c .meta terraform.tfstate)" = '{}' ]
	[ "$(tf output -raw o)" = x ]
	run -0 tf plan -detailed-exitcode
}

@test "a key of two: xor" {
	{
		for n in a b; do
			printf 'key_provider "pbkdf2" "%s" {\n' $n
			printf ' passphrase = "0123456789abcdef-%s"\n %s\n}\n' $n "$ROUNDS"
		done
		cat <<'END'
key_provider "xor" "both" {
  a = key_provider.pbkdf2.a
  b = key_provider.pbkdf2.b
}
method "aes_gcm" "m" {
  keys = key_provider.xor.both
}
END
		targets method.aes_gcm.m state plan
	} >../block
	configure x <../block
	tf apply -auto-approve >/dev/null
	[ "$(jq -r '.meta | keys | join(" ")' terraform.tfstate)" = \
		"key_provider.pbkdf2.a key_provider.pbkdf2.b" ]
	[ "$(tf output -raw o)" = x ]
	# of a plan and of a state it is made of other salts
	tf plan -var secret=y -out=p >/dev/null
	run -0 tf apply p
}

# bats test_tags=once
@test "a run asks once for the key of a state, and once for a new one; no child gets them" {
	cat >kp <<'END'
#!/bin/sh
in=$(cat)
echo "$in" >>asked
echo '{"magic":"OpenTofu-External-Key-Provider","version":1}'
k=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
[ "$in" = null ] || d=",\"decryption_key\":\"$k\""
echo "{\"keys\":{\"encryption_key\":\"$k\"$d},\"meta\":{\"external_data\":{\"a\":1}}}"
END
	chmod +x kp
	cat >../block <<'END'
key_provider "external" "x" {
  command = ["./kp"]
}
method "aes_gcm" "c" {
  keys = key_provider.external.x
}
state {
  method = method.aes_gcm.c
}
END
	configure x <../block
	cat >>main.tf <<'END'
resource "terraform_data" "look" {
  triggers_replace = var.secret
  provisioner "local-exec" {
    command = "ls -l /proc/self/fd >fds; cat /proc/$PPID/cmdline >parent"
  }
}
END
	tf apply -auto-approve >/dev/null
	rm asked fds
	run -0 tf apply -auto-approve -var secret=y
	[ "$(jq -rs 'map(tojson) | sort | join(" ")' asked)" = \
		'null {"external_data":{"a":1}}' ]
	run -1 grep memfd fds
	grep -a tf-apply parent
}

# bats test_tags=once
@test "a passphrase comes from a variable, which no message shows" {
	{
		cat <<END
key_provider "pbkdf2" "k" {
  passphrase = var.secret
  $ROUNDS
}
method "aes_gcm" "m" {
  keys = key_provider.pbkdf2.k
}
END
		targets method.aes_gcm.m state
	} >../block
	configure x <../block
	export TF_VAR_secret=hunter2-is-short
	tf apply -auto-approve >/dev/null
	[ "$(tf output -raw o)" = x ]
	unset TF_VAR_secret
	[ "$(tf output -raw -var secret=hunter2-is-short o)" = x ]
	run -1 tf output -var secret=hunter2
	[[ $output == *'Unable to build encryption key data'* ]]
	[[ $output != *hunter2* ]]
	sed -i 's/= var.secret$/= "hunter2" + var.secret/' main.tf
	run -1 tf output -var secret=hunter3
	[[ $output == *'in terraform'*'key_provider "pbkdf2" "k"'* ]]
	[[ $output != *hunter* ]]
}

# What terraform_remote_state reads has targets of its own.
@test "states that data sources read: by default, and by name" {
	main state | configure x
	tf apply -auto-approve >/dev/null
	mkdir reader
	cd reader
	cat >data.tf <<'END'
data "terraform_remote_state" "r" {
  backend = "local"
  config = {
    path = "../terraform.tfstate"
  }
}
output "read" {
  value = data.terraform_remote_state.r.outputs.o
}
END
	enc() { # TARGET
		{
			printf 'terraform {\n encryption {\n'
			key main 0123456789abcdef-main
			printf 'remote_state_data_sources {\n'
			targets method.aes_gcm.main "$1"
			printf '}\n }\n}\n'
		} >main.tf
	}
	run -1 tf plan
	enc default
	tf apply -auto-approve >/dev/null
	[ "$(tf output -raw read)" = x ]
	enc 'remote_state_data_source "r"'
	run -0 tf plan -detailed-exitcode
	enc 'remote_state_data_source "other"'
	run -1 tf plan
}

# bats test_tags=once
@test "a stage tells when it writes what is encrypted to a file" {
	main state | configure x
	tf apply -auto-approve >/dev/null
	tf-parse | tf-graph >stream 2>said
	grep -F 'Stream holds the state as plain text' said
	grep -F terraform_data.a stream >found
	grep -qF previous_run_state found
	tf-parse | tf-graph | tf-plan >stream 2>said
	[ "$(grep -c 'Stream holds' said)" = 1 ]
	tf-parse | tf-graph 2>said | tf-plan 2>>said | tf-show >shown
	run -1 grep 'Stream holds' said
}

# --- key services ---

# Applies twice with the key provider on standard input, and notes what was asked.
service() { # TYPE PROGRAM
	{
		cat
		cat <<-END
		method "aes_gcm" "m" {
		  keys = key_provider.$1.k
		}
		state {
		  method = method.aes_gcm.m
		}
		END
	} >../block
	configure x <../block
	"$2" init >/dev/null
	"$2" apply -auto-approve >/dev/null
	is_sealed terraform.tfstate
	[ "$("$2" output -raw o)" = x ]
}

# What was asked, in one order, each once: OpenTofu makes more keys.
asked() {
	jq -c 'del(.[2].authorization) | if .[3] | test("ciphertext"; "i") then
			.[3] = (.[3] | fromjson | map_values(type)) else . end' \
		"$keys_dir/requests.jsonl" | sort -u
	rm "$keys_dir/requests.jsonl"
}

openbao() { # NAME
	cat <<-END
	key_provider "openbao" "k" {
	  address  = "http://127.0.0.1:$keys_port"
	  token    = "a-token"
	  key_name = "$1"
	}
	END
}

@test "openbao: keys that a transit engine makes and decrypts" {
	start_keys
	openbao main | service openbao tf
	run -0 asked
	[ "$output" = '["PUT","/v1/transit/datakey/plaintext/main",{"x-vault-request":"true","x-vault-token":"a-token"},"{\"bits\":256}"]
["PUT","/v1/transit/decrypt/main",{"x-vault-request":"true","x-vault-token":"a-token"},{"ciphertext":"string"}]' ]
	# another key is refused, which is no key of ours
	openbao other >../provider
	sed '/^ *key_provider/,/^ *}/d' ../block >../rest
	cat ../provider ../rest | configure x
	run -1 tf output
	[[ $output == *'Unable to fetch encryption key data'*'it is of another key'* ]]
	[[ $output != *a-token* ]]
	openbao main >../provider
	cat ../provider ../rest | configure y
	: >"$keys_dir/refuse"
	cp terraform.tfstate before
	run -1 tf apply -auto-approve
	[[ $output == *'permission denied'* ]]
	cmp before terraform.tfstate
}

@test "openbao: OpenTofu asks the same" {
	need_peer
	start_keys
	openbao main | service openbao tofu
	run -0 asked
	local peer=$output
	run -0 tf plan -detailed-exitcode
	sed -i 's/"x"/"y"/' main.tf
	tf apply -auto-approve >/dev/null
	run -0 asked
	[ "$output" = "$peer" ]
	[ "$(tofu output -raw o)" = y ]
}

aws_kms() { # NAME
	cat <<-END
	key_provider "aws_kms" "k" {
	  kms_key_id = "$1"
	  key_spec   = "AES_256"
	  region     = "us-east-1"
	  access_key = "tests"
	  secret_key = "testsecret"
	  skip_credentials_validation = true
	  skip_requesting_account_id  = true
	}
	END
}

@test "aws_kms: keys that the service makes and decrypts" {
	start_keys
	export AWS_ENDPOINT_URL_KMS=http://127.0.0.1:$keys_port
	aws_kms alias/main | service aws_kms tf
	run -0 asked
	[ "$output" = '["POST","/",{"content-type":"application/x-amz-json-1.1","x-amz-target":"TrentService.Decrypt"},{"CiphertextBlob":"string","KeyId":"string"}]
["POST","/",{"content-type":"application/x-amz-json-1.1","x-amz-target":"TrentService.GenerateDataKey"},"{\"KeyId\":\"alias/main\",\"KeySpec\":\"AES_256\"}"]' ]
	aws_kms alias/other >../provider
	sed '/^ *key_provider/,/^ *}/d' ../block >../rest
	cat ../provider ../rest | configure x
	run -1 tf output
	[[ $output == *'Unable to fetch encryption key data'*InvalidCiphertext* ]]
	[[ $output != *testsecret* ]]
	sed -i 's/AES_256/AES_512/' main.tf
	run -1 tf output
	[[ $output == *'Unable to build encryption key data'* ]]
}

@test "aws_kms: an account that is not allowed gets no key" {
	local line
	start_keys
	export AWS_ENDPOINT_URL_KMS=http://127.0.0.1:$keys_port
	export AWS_ENDPOINT_URL_STS=$AWS_ENDPOINT_URL_KMS
	export AWS_ENDPOINT_URL_IAM=$AWS_ENDPOINT_URL_KMS
	aws_kms alias/main | service aws_kms tf
	for line in 'allowed_account_ids = ["123456789012"]' \
		'forbidden_account_ids = ["1"]'; do
		sed "/key_spec/a $line" ../block >../with
		sed -i /skip_requesting/d ../with
		configure x <../with
		run -0 tf output -raw o
		[ "$output" = x ]
	done
	for line in 'allowed_account_ids = ["1"]' \
		'forbidden_account_ids = ["123456789012"]'; do
		sed "/key_spec/a $line" ../block >../with
		configure x <../with
		run -0 tf output -raw o
		sed -i /skip_requesting/d ../with
		configure x <../with
		: >"$keys_dir/requests.jsonl"
		run -1 tf output
		[[ $output == *'the account 123456789012 is not allowed'* ]]
		run -1 grep -F Decrypt "$keys_dir/requests.jsonl"
	done
	sed -i '/key_spec/a allowed_account_ids = ["2"]' ../with
	configure x <../with
	run -1 tf output
	[[ $output == *'only one of allowed_account_ids'* ]]
}

# The forms that the service of roles got, a field a line, in one order.
roles() {
	jq -r '.[3] | select(test("Action=AssumeRole")) | split("&") | sort[]' \
		"$keys_dir/requests.jsonl" | grep -v RoleSessionName= | sort -u
	rm "$keys_dir/requests.jsonl"
}

role_everything() {
	cat <<-'END'
	assume_role = {
	  role_arn            = "arn:aws:iam::123456789012:role/r"
	  duration            = "1h30m"
	  external_id         = "outside"
	  session_name        = "s"
	  policy              = "{}"
	  policy_arns         = ["arn:aws:iam::123456789012:policy/p", "arn:aws:iam::aws:policy/q"]
	  tags                = { team = "a", size = 2 }
	  transitive_tag_keys = ["team"]
	}
	END
}

@test "aws_kms: a role is asked for with all that it is to be" {
	start_keys
	export AWS_ENDPOINT_URL_KMS=http://127.0.0.1:$keys_port
	export AWS_ENDPOINT_URL_STS=$AWS_ENDPOINT_URL_KMS
	role_everything >../role
	aws_kms alias/main | sed '/key_spec/r ../role' | service aws_kms "${TF_TEST_CLI:-tf}"
	run -0 roles
	[ "$output" = 'Action=AssumeRole
DurationSeconds=5400
ExternalId=outside
Policy=%7B%7D
PolicyArns.member.1.arn=arn%3Aaws%3Aiam%3A%3A123456789012%3Apolicy%2Fp
PolicyArns.member.2.arn=arn%3Aaws%3Aiam%3A%3Aaws%3Apolicy%2Fq
RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fr
Tags.member.1.Key=size
Tags.member.1.Value=2
Tags.member.2.Key=team
Tags.member.2.Value=a
TransitiveTagKeys.member.1=team
Version=2011-06-15' ]
}

@test "aws_kms: a role that cannot be is refused before anybody is asked" {
	local cli=${TF_TEST_CLI:-tf} arn='role_arn = "arn:aws:iam::123456789012:role/r"'
	local web=assume_role_with_web_identity what wrong
	start_keys
	export AWS_ENDPOINT_URL_KMS=http://127.0.0.1:$keys_port
	export AWS_ENDPOINT_URL_STS=$AWS_ENDPOINT_URL_KMS
	aws_kms alias/main | service aws_kms "$cli"
	rm "$keys_dir/requests.jsonl"
	while IFS='|' read -r wrong what; do
		sed "/key_spec/a $what" ../block | configure x
		run -1 "$cli" output -no-color
		[[ $output == *"$wrong"* && $output != *testsecret* ]]
		[ ! -e "$keys_dir/requests.jsonl" ]
	done <<-END
	Unsupported argument|assume_role = { $arn, bogus = 1 }
	Unsupported argument|assume_role = { $arn, web_identity_token = "x" }
	Unsupported argument|$web = { $arn, external_id = "x" }
	Missing required argument|assume_role = { policy = "{}" }
	Unsuitable value type|assume_role = { $arn, tags = ["x"] }
	Unsuitable value type|assume_role = { $arn, tags = { a = null } }
	Unsuitable value type|assume_role = { $arn, session_name = [] }
	Unsuitable value type|assume_role = { $arn, external_id = null }
	Unsuitable value type|assume_role = { $arn, policy_arns = "x" }
	Unable to build encryption key data|assume_role = { $arn, policy_arns = ["x"] }
	Unable to build encryption key data|assume_role = { $arn, policy_arns = ["arn:aws:iam::1:role/x"] }
	Unable to build encryption key data|assume_role = { $arn, duration = "1m" }
	Unable to build encryption key data|assume_role = { role_arn = "" }
	Unable to build encryption key data|$web = { $arn, web_identity_token = "t", web_identity_token_file = "f" }
	END
}

@test "aws_kms: a web identity comes from variables, and keys go before it" {
	local cli=${TF_TEST_CLI:-tf}
	start_keys
	export AWS_ENDPOINT_URL_KMS=http://127.0.0.1:$keys_port
	export AWS_ENDPOINT_URL_STS=$AWS_ENDPOINT_URL_KMS
	aws_kms alias/main | sed '/key_spec/a assume_role_with_web_identity = {}' |
		service aws_kms "$cli"
	run -0 roles
	[ -z "$output" ]
	export AWS_ROLE_ARN=arn:aws:iam::123456789012:role/w AWS_WEB_IDENTITY_TOKEN=t0ken
	sed -i '/access_key\|secret_key/d' ../block
	configure x <../block
	run -0 "$cli" output -raw o
	[ "$output" = x ]
	run -0 roles
	[ "$output" = 'Action=AssumeRoleWithWebIdentity
RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fw
Version=2011-06-15
WebIdentityToken=t0ken' ]
}

@test "aws_kms: OpenTofu asks the same" {
	need_peer
	start_keys
	export AWS_ENDPOINT_URL_KMS=http://127.0.0.1:$keys_port
	aws_kms alias/main | service aws_kms tofu
	run -0 asked
	local peer=$output
	run -0 tf plan -detailed-exitcode
	sed -i 's/"x"/"y"/' main.tf
	tf apply -auto-approve >/dev/null
	run -0 asked
	[ "$output" = "$peer" ]
	[ "$(tofu output -raw o)" = y ]
}

gcp_kms() { # NAME
	cat <<-END
	key_provider "gcp_kms" "k" {
	  kms_encryption_key = "projects/p/locations/l/keyRings/r/cryptoKeys/$1"
	  key_length         = 32
	  access_token       = "a-token"
	}
	END
}

# OpenTofu asks the service by gRPC, at no other address.
@test "gcp_kms: keys that the service encrypts and decrypts" {
	start_keys
	export CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS=http://127.0.0.1:$keys_port/
	gcp_kms main | service gcp_kms tf
	[ "$(jq -c '[.[0], .[1], .[2].authorization, (.[3] | fromjson | keys[])]' \
		"$keys_dir/requests.jsonl" | sort -u)" = \
		'["POST","/v1/projects/p/locations/l/keyRings/r/cryptoKeys/main:decrypt","Bearer a-token","ciphertext"]
["POST","/v1/projects/p/locations/l/keyRings/r/cryptoKeys/main:encrypt","Bearer a-token","plaintext"]' ]
	gcp_kms other >../provider
	sed '/^ *key_provider/,/^ *}/d' ../block >../rest
	cat ../provider ../rest | configure x
	run -1 tf output
	[[ $output == *'Unable to fetch encryption key data'*'it is of another key'* ]]
	[[ $output != *a-token* ]]
	sed -i 's/= 32$/= 1025/' main.tf
	run -1 tf output
	[[ $output == *'Unable to build encryption key data'* ]]
}

# --- nothing plain on the disk ---

# The secret is in no file before: it is typed.
MARK=plain-text-of-a-secret

azure_vault() { # NAME [LINE...]
	cat <<-END
	key_provider "azure_vault" "k" {
	  vault_uri      = "https://tests.vault.azure.net/"
	  vault_key_name = "$1"
	  key_length     = 32
	  tenant_id      = "tests"
	  client_id      = "me"
	  client_secret  = "testsecret"
	  $(shift; printf '%s\n' "$@")
	}
	END
}

# A vault is at a host of Microsoft's, as is who gives tokens for it.
start_vault() {
	start_keys
	start_proxy keys
	export HTTPS_PROXY=http://127.0.0.1:$keys_proxy_port
	export SSL_CERT_FILE=$keys_dir/ca.pem
}

# What the vault was asked, in one order; all keys differ, and which request finds
# out whom tokens are for does not matter.
asked_vault() {
	jq -c 'select(.[1] | startswith("/keys/")) | if .[3] == "" then .[1] = "" else
		.[3] |= (fromjson | .value |= type) end' \
		"$keys_dir/requests.jsonl" | sort -u
	rm "$keys_dir/requests.jsonl"
}

@test "azure_vault: keys that the vault encrypts and decrypts" {
	start_vault
	azure_vault main | service azure_vault tf
	run -0 asked_vault
	[ "$output" = '["POST","",{},""]
["POST","/keys/main/encrypt?api-version=7.6",{"authorization":"Bearer a-token","content-type":"application/json"},{"alg":"RSA-OAEP-256","value":"string"}]
["POST","/keys/main/v7/decrypt?api-version=7.6",{"authorization":"Bearer a-token","content-type":"application/json"},{"alg":"RSA-OAEP-256","value":"string"}]' ]
	azure_vault other >../provider
	sed '/^ *key_provider/,/^ *}/d' ../block >../rest
	cat ../provider ../rest | configure x
	run -1 tf output
	[[ $output == *'Unable to fetch encryption key data'*'it is of another key'* ]]
	[[ $output != *testsecret* && $output != *a-token* ]]
	azure_vault main 'symmetric = true' >../provider
	cat ../provider ../rest | configure x
	run -1 tf output
	[[ $output == *'Unable to build encryption key data'*symmetric_key_size* ]]
}

@test "azure_vault: no token goes to a vault that wants one for another domain" {
	start_vault
	printf https://graph.microsoft.com >"$keys_dir/resource"
	{
		azure_vault main
		printf 'method "aes_gcm" "m" {\n  keys = key_provider.azure_vault.k\n}\n'
		targets method.aes_gcm.m state
	} >../block
	configure x <../block
	tf init >/dev/null
	run -1 tf apply -auto-approve
	[[ $output == *'which is not its domain'* ]]
	run -1 grep -F a-token "$keys_dir/requests.jsonl"
}

@test "azure_vault: OpenTofu asks the same, with keys of both kinds" {
	local peer
	need_peer
	start_vault
	for line in '' 'symmetric = true; symmetric_key_size = 256'; do
		rm -f terraform.tfstate
		azure_vault main "${line//; /$'\n'}" | service azure_vault tofu
		run -0 asked_vault
		peer=$output
		run -0 tf plan -detailed-exitcode
		sed -i 's/"x"/"y"/' main.tf
		tf apply -auto-approve >/dev/null
		run -0 asked_vault
		diff <(echo "$peer") <(echo "$output")
		[ "$(tofu output -raw o)" = y ]
		rm "$keys_dir/requests.jsonl"
	done
}

# bats test_tags=once
@test "no byte of an encrypted state or plan is written plain" {
	build_injector "$BATS_TEST_TMPDIR"
	main state plan | configure x
	export TFPIPE_WRITTEN=$BATS_TEST_TMPDIR/written
	LD_PRELOAD=$INJECT tf plan -var secret=$MARK -out=p >/dev/null
	LD_PRELOAD=$INJECT tf apply p >/dev/null
	LD_PRELOAD=$INJECT tf apply -auto-approve -var secret=$MARK-2 >/dev/null
	LD_PRELOAD=$INJECT tf state mv terraform_data.s terraform_data.t >/dev/null
	LD_PRELOAD=$INJECT tf state rm terraform_data.t >/dev/null
	LD_PRELOAD=$INJECT tf destroy -auto-approve >/dev/null
	run -0 grep -ac encryption_version "$TFPIPE_WRITTEN"
	[ "$output" -gt 5 ]
	grep -aqF '"record":"sealed"' "$TFPIPE_WRITTEN"
	run -1 grep -aF $MARK "$TFPIPE_WRITTEN"
	run -1 grep -aF terraform_data "$TFPIPE_WRITTEN"
	run -1 grep -raF $MARK .
}

@test "killed at any write, nothing plain was written, and the journal is recovered" {
	build_injector "$BATS_TEST_TMPDIR"
	main state | configure x
	export TFPIPE_WRITTEN=$BATS_TEST_TMPDIR/written TFPIPE_FAULT_UNDER=$PWD/
	local n=1 died=0
	while [ $n -lt 12 ]; do
		rm -f terraform.tfstate* .terraform.tfstate*
		TFPIPE_FAULT=die:$n LD_PRELOAD=$INJECT tf apply -auto-approve \
			-var secret=$MARK 2>&1 | cat >/dev/null || died=$((died + 1))
		run -1 grep -raF $MARK .
		run -0 tf apply -auto-approve -var secret=$MARK
		[ "$(tf state list | grep -c terraform_data)" = 2 ]
		is_sealed terraform.tfstate
		n=$((n + 1))
	done
	[ $died -ge 3 ]
	run -1 grep -aF $MARK "$TFPIPE_WRITTEN"
}

# bats test_tags=once
@test "errored.tfstate is encrypted, and can be pushed" {
	build_injector "$BATS_TEST_TMPDIR"
	main state | configure x
	mkdir state
	echo 'terraform {
  backend "local" {
    path = "state/terraform.tfstate"
  }
}' >backend.tf
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	main state | configure y
	echo 'resource "terraform_data" "many" { count = 100 }' >many.tf
	TFPIPE_FAULT=full:20000 TFPIPE_FAULT_UNDER=$PWD/state/ LD_PRELOAD=$INJECT \
		run -1 tf apply -auto-approve -var secret=$MARK
	is_sealed errored.tfstate
	run -1 grep -aF $MARK errored.tfstate
	tf state push errored.tfstate
	tf state list | grep -F 'terraform_data.many[0]'
	is_sealed state/terraform.tfstate
}

# bats test_tags=once
@test "a journal that is encrypted needs its key" {
	build_injector "$BATS_TEST_TMPDIR"
	main state | configure x
	tf apply -auto-approve >/dev/null
	main state | configure y
	export TFPIPE_FAULT_UNDER=$PWD/
	local n=1
	until [ -s .terraform.tfstate.journal ] || [ -s terraform.tfstate.journal ] ||
		[ $n = 12 ]; do
		TFPIPE_FAULT=die:$n LD_PRELOAD=$INJECT tf apply -auto-approve \
			>/dev/null 2>&1 || true
		n=$((n + 1))
	done
	rm main.tf
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -1 tf plan
	main state | configure y
	run -0 tf apply -auto-approve
	[ "$(tf output -raw o)" = y ]
}

# --- both programs ---

@test "what OpenTofu has encrypted is read, and the other way round" {
	need_peer
	main state plan | configure x
	tofu init >/dev/null
	tofu apply -auto-approve >/dev/null
	is_sealed terraform.tfstate
	[ "$(tf output -raw o)" = x ]
	run -0 tf plan -detailed-exitcode
	main state plan | configure y
	tf apply -auto-approve >/dev/null
	[ "$(tofu output -raw o)" = y ]
	run -0 tofu plan -detailed-exitcode
	# a plan is of the program that made it, but its envelope is not
	tofu plan -out=p >/dev/null
	run -1 tf show p
	[[ $output == *"It is a plan of OpenTofu's"* ]]
	run -1 tf apply p
	[[ $output == *"It is a plan of OpenTofu's"* ]]
	tf plan -out=p >/dev/null
	run -1 tofu show p
	[[ $output != *'decryption failed'* ]]
	[[ $output == *zip* ]]
}

@test "a key is rotated by one program and by the other" {
	need_peer
	main state | configure x
	tofu init >/dev/null
	tofu apply -auto-approve >/dev/null
	fallback method.aes_gcm.main
	{
		key main 0123456789abcdef-main
		key next 0123456789abcdef-next
		targets method.aes_gcm.next state
	} >../block
	configure x <../block
	tf apply -auto-approve >/dev/null
	[ "$(jq -r '.meta | keys[]' terraform.tfstate)" = key_provider.pbkdf2.next ]
	rm ../fallback
	{
		key next 0123456789abcdef-next
		targets method.aes_gcm.next state
	} | configure x
	run -0 tofu plan -detailed-exitcode
	fallback method.aes_gcm.next
	{
		key next 0123456789abcdef-next
		key last 0123456789abcdef-last
		targets method.aes_gcm.last state
	} >../block
	configure x <../block
	tofu apply -auto-approve >/dev/null
	rm ../fallback
	{
		key last 0123456789abcdef-last
		targets method.aes_gcm.last state
	} | configure x
	run -0 tf plan -detailed-exitcode
}

#!/usr/bin/env bats
# oci.bats - tf init with providers from OCI registries; with TF_TEST_CLI=tofu the
# same on OpenTofu, but for what it asks for besides: /v2/ first, and a manifest by
# HEAD before GET.

load common
load oci

setup() {
	oci_setup
	configured <<<"$(method '${namespace}/${type}')"
	require one >main.tf
	top=$net/www/oci.test/v2/acme/one
}

teardown() {
	registry_ends
	serve_end
}

only_ours() {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
}

method() { # TEMPLATE
	cat <<-END
		provider_installation {
		  oci_mirror {
		    repository_template = "oci.test/$1"
		    include             = ["registry.opentofu.org/*/*"]
		  }
		}
	END
}

# A provider in the registry: push NAME VERSION...
push() {
	python3 "$TF_TEST_SRC/tests/net/oci.py" "$net" provider "oci.test/acme/$1" \
		"$@" >digests
	digest=$(tail -n 1 digests)
}

# required_providers of NAME[=CONSTRAINTS]...
require() {
	printf 'terraform {\n  required_providers {\n'
	for r; do
		printf '    %s = {\n      source = "acme/%s"\n' "${r%%=*}" "${r%%=*}"
		case $r in
		*=*) printf '      version = "%s"\n' "${r#*=}" ;;
		esac
		echo '    }'
	done
	printf '  }\n}\n'
}

installed() { # NAME VERSION
	[ -x ".terraform/providers/registry.opentofu.org/acme/$1/$2/$platform/terraform-provider-$1_v$2" ]
}

init_fails() { # SUMMARY TEXT
	run -1 cli init -no-color
	[[ $(said) = *"Error: $1"*acme/one*"$2"* ]] || {
		echo "$output"
		return 1
	}
	[ ! -e .terraform.lock.hcl ]
	run -0 find . -name 'terraform-provider-*'
	[ -z "$output" ]
}

# The manifest that a tag names, changed: index TAG FILTER
index() {
	local file=$top/manifests/$1 sum
	jq "$2" "$file" >"$net/changed"
	mv "$net/changed" "$file"
	sum=$(sha256sum <"$file")
	cp "$file" "$top/manifests/sha256:${sum%% *}"
}

# The manifest of this platform in the index of a tag, changed: image TAG FILTER
image() {
	local old new sum
	old=$top/manifests/$(jq -r '.manifests[0].digest' "$top/manifests/$1")
	jq "$2" "$old" >"$net/new"
	sum=$(sha256sum <"$net/new")
	sum=sha256:${sum%% *}
	new=$top/manifests/$sum
	mv "$net/new" "$new"
	index "$1" ".manifests[0] += {digest: \"$sum\", size: $(stat -c %s "$new")}"
}

# The digest of the archive for this platform.
layer() { # TAG
	jq -r '.layers[0].digest' "$top/manifests/$(jq -r '.manifests[0].digest' "$top/manifests/$1")"
}

# bats test_tags=once
@test "tags are versions, and the lock file has the archive's hashes" {
	push one 1.0.0 1.2.0 1.10.0-rc1
	run -0 cli init -no-color
	[[ $output = *'- Installing acme/one v1.2.0...
- Installed acme/one v1.2.0 (verified checksum)
'* ]]
	installed one 1.2.0
	zh=$(layer 1.2.0)
	grep -q "\"zh:${zh#sha256:}\"" .terraform.lock.hcl
	[ "$(grep -c '"zh:' .terraform.lock.hcl)" = 1 ]
	[ "$(grep -c '"h1:' .terraform.lock.hcl)" = 1 ]
	run -0 cli init -no-color
	[[ $output = *'Reusing previous version of acme/one'* ]]
}

# bats test_tags=once
@test "each thing is asked for once" {
	only_ours
	push one 1.0.0
	run -0 tf init
	[ "$(asked_at_all)" = 4 ]
	[ "$(asked 'GET oci.test/v2/acme/one/tags/list')" = 1 ]
	[ "$(asked 'GET oci.test/v2/acme/one/manifests/1.0.0')" = 1 ]
	[ "$(grep -c '/manifests/sha256:' "$net/log")" = 1 ]
	[ "$(asked "GET oci.test/v2/acme/one/blobs/$(layer 1.0.0)")" = 1 ]
	: >"$net/log"
	run -0 tf init
	[ "$(asked_at_all)" = 0 ]
}

@test "+ of a version is _ in a tag, and other tags are passed over" {
	push one 1.0.0+b1 0.9.0
	jq '.tags += ["latest", "v2.0.0", "1.x", "3.0.0.1", "3.0.0beta", "sha256-00.sig"]' "$top/tags/list" >list
	mv list "$top/tags/list"
	require one='>= 0.9.0' >main.tf
	run -0 cli init -no-color
	installed one 1.0.0+b1
	rm -r .terraform .terraform.lock.hcl
	ours || return 0 # OpenTofu asks for 4.0.0 then, and fails
	[ "$(asked 'GET oci.test/v2/acme/one/manifests/1.0.0_b1')" = 1 ]
	jq '.tags += ["4", "4.1", "04.0.0"]' "$top/tags/list" >list
	mv list "$top/tags/list"
	run -0 tf init
	installed one 1.0.0+b1
}

# bats test_tags=once
@test "tags come in pages" {
	push one 1.0.0 1.1.0
	rules '{"at": "oci.test/v2/acme/one/tags/list", "times": 1, "body": "{\"tags\": [\"1.0.0\"]}",
"headers": {"Link": "</v2/acme/one/tags/list?last=1.0.0&n=1>; rel=\"next\""}}'
	run -0 cli init -no-color
	installed one 1.1.0
	[ "$(asked 'GET oci.test/v2/acme/one/tags/list?last=1.0.0&n=1')" = 1 ]
}

@test "lists of tags that have no end, lead elsewhere, or are none" {
	push one 1.0.0
	at='"at": "oci.test/v2/acme/one/tags/list"'
	rules "{$at, \"body\": \"[]\"}"
	init_fails 'Failed to resolve provider packages' ''
	rules "{$at, \"body\": \"{\\\"tags\\\": 1}\"}"
	init_fails 'Failed to resolve provider packages' ''
	ours || return 0 # OpenTofu goes on for ever, or wherever it is sent
	rules "{$at, \"endless\": true}"
	init_fails 'Failed to resolve provider packages' 'larger than 4194304 bytes'
	rules "{$at, \"headers\": {\"Link\": \"<list>\"}}"
	init_fails 'Failed to resolve provider packages' 'the list of tags has no end'
	rules "{$at, \"headers\": {\"Link\": \"<https://other.test/v2/acme/one/tags/list>\"}}"
	init_fails 'Failed to resolve provider packages' 'not at the registry'
	run -1 grep -q other.test "$net/log"
	printf '{"at": "oci.test/v2/acme/one/tags/list", "times": 1, "headers": {"Link": "<?%d>"}}\n' \
		$(seq 1001) | paste -sd, >many
	rules "$(cat many)"
	init_fails 'Failed to resolve provider packages' 'the list of tags has no end'
	[ "$(grep -c 'tags/list?' "$net/log")" -le 1001 ]
	# few of them, but large
	head -c 4000000 /dev/zero | tr '\0' x | jq -R '{tags: [.]}' >"$net/large"
	printf '{"at": "oci.test/v2/acme/one/tags/list", "times": 1, "file": "large", "headers": {"Link": "<?%d>"}}\n' \
		$(seq 30) | paste -sd, >many
	rules "$(cat many)"
	: >"$net/log"
	init_fails 'Failed to resolve provider packages' 'the list of tags has no end'
	[ "$(asked_at_all)" = 17 ]
}

@test "a repository that is not there is a provider that is not there" {
	init_fails 'Failed to query available provider packages' ''
	rules '{"at": "oci.test/v2/acme/one/tags/list", "status": 400,
"body": "{\"errors\": [{\"code\": \"NAME_INVALID\"}]}"}'
	init_fails 'Failed to query available provider packages' ''
	rules '{"at": "oci.test/v2/acme/one/tags/list", "status": 404,
"body": "{\"errors\": [{\"code\": \"DENIED\", \"message\": \"go away\"}]}"}'
	init_fails 'Failed to resolve provider packages' 'go away'
	rules '{"at": "oci.test/v2/acme/one/tags/list", "status": 503}'
	init_fails 'Failed to resolve provider packages' 503
}

# --- who the user is ---

# bats test_tags=once
@test "a token that anybody gets" {
	push one 1.0.0
	rules "$(bearer acme/one)"
	run -0 cli init -no-color
	installed one 1.0.0
	[ "$(asked 'GET auth.test/token?scope=repository%3Aacme%2Fone%3Apull&service=oci.test')" = 1 ] ||
		[ "$(asked 'GET auth.test/token?service=oci.test&scope=repository%3Aacme%2Fone%3Apull')" = 1 ]
	run -1 grep -q 'auth.test.*Basic' "$net/log"
	if ours; then
		[ "$(grep -c auth.test "$net/log")" = 1 ]
	fi
}

# bats test_tags=once
@test "tokens of several repositories, each asked for once" {
	push one 1.0.0
	python3 "$TF_TEST_SRC/tests/net/oci.py" "$net" provider oci.test/acme/two two 1.0.0
	require one two >main.tf
	rules "$(bearer acme/one)"
	run -0 cli init -no-color
	installed one 1.0.0
	installed two 1.0.0
	if ours; then
		[ "$(grep -c '^GET auth.test/token?.*acme%2Fone' "$net/log")" = 2 ] # the rule names it
		[ "$(grep -c '^GET auth.test/token?.*acme%2Ftwo' "$net/log")" = 1 ]
	fi
}

# bats test_tags=once
@test "a token for a name and a password, which go to the realm alone" {
	push one 1.0.0
	rules "$(bearer acme/one "$basic")"
	init_fails 'Failed to' 401
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	: >"$net/log"
	run -0 cli init -no-color
	installed one 1.0.0
	grep -q "^GET auth.test/token?.* $basic$" "$net/log"
	run -1 grep -q "oci.test/.*Basic" "$net/log"
	run -1 grep -q 'auth.test/.*Bearer' "$net/log"
	run -0 cli init -no-color
	no_secrets
}

# bats test_tags=once
@test "a name and a password for the registry itself" {
	push one 1.0.0
	rules "$(named)"
	init_fails 'Failed to' ''
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	: >"$net/log"
	run -0 cli init -no-color
	installed one 1.0.0
	no_secrets
	if ours; then # asked for once, and then sent with each request
		[ "$(grep -vc "$basic" "$net/log")" = 1 ]
	fi
}

@test "a token of the configuration's is sent as it is" {
	push one 1.0.0
	rules "$(bearer acme/one)"
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  access_token  = "t0k3n"
		  refresh_token = "s3cr3t"
		}
	END
	run -0 cli init -no-color
	installed one 1.0.0
	no_secrets
	run -1 grep -q auth.test "$net/log"
}

# bats test_tags=once
@test "files as Docker's client writes them, and helpers" {
	push one 1.0.0
	rules "$(named)"
	mkdir -p "$HOME/.docker" "$BATS_TEST_TMPDIR/bin" "$HOME/.config/containers"
	# a repository's before a registry's, wherever they are
	echo '{"auths": {"oci.test": {"auth": "eDp5"}}}' >"$HOME/.config/containers/auth.json"
	echo '{"auths": {"oci.test/acme": {"auth": "dTpzM2NyM3Q="}}}' >"$HOME/.docker/config.json"
	run -0 cli init -no-color
	installed one 1.0.0
	rm -r .terraform .terraform.lock.hcl "$HOME/.config" "$HOME/.docker"
	cat >"$BATS_TEST_TMPDIR/bin/docker-credential-mine" <<-'END'
		#!/bin/sh
		read -r url
		echo "$* $url" >>"$HOME/asked"
		echo '{"ServerURL": "x", "Username": "u", "Secret": "s3cr3t"}'
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/docker-credential-mine"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	for block in 'oci_credentials "oci.test"' oci_default_credentials; do
		configured "$(method '${namespace}/${type}')" <<-END
			$block {
			  docker_credentials_helper = "mine"
			}
		END
		run -0 cli init -no-color
		installed one 1.0.0
		no_secrets
		rm -r .terraform .terraform.lock.hcl
		[ "$(sort -u "$HOME/asked")" = 'get https://oci.test' ]
		rm "$HOME/asked"
	done
	echo '{"credsStore": "mine"}' >"$BATS_TEST_TMPDIR/own.json"
	configured "$(method '${namespace}/${type}')" <<-END
		oci_default_credentials {
		  docker_style_config_files = ["own.json"]
		}
	END
	run -0 cli init -no-color
	installed one 1.0.0
	# what the user names has to be there
	rm -r .terraform .terraform.lock.hcl "$BATS_TEST_TMPDIR/own.json"
	init_fails 'Failed to' own.json
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  docker_credentials_helper = "none-such"
		}
	END
	init_fails 'Failed to' docker-credential-none-such
}

# bats test_tags=once
@test "the registry of Docker is at another host than its name" {
	push one 1.0.0
	mv "$net/www/oci.test" "$net/www/registry-1.docker.io"
	top=$net/www/registry-1.docker.io/v2/acme/one
	method '${namespace}/${type}' | sed 's/oci.test/docker.io/' >"$TF_CLI_CONFIG_FILE"
	run -0 cli init -no-color
	installed one 1.0.0
	[ "$(asked 'GET registry-1.docker.io/v2/acme/one/tags/list')" = 1 ]
	ours || return 0 # OpenTofu has no credentials for it
	rm -r .terraform .terraform.lock.hcl
	rules "$(named | sed s/oci.test/registry-1.docker.io/)"
	cat >>"$TF_CLI_CONFIG_FILE" <<-END
		oci_credentials "docker.io" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	run -0 tf init
	installed one 1.0.0
}

# bats test_tags=once
@test "what is secret is in no list of arguments" {
	only_ours
	need strace
	push one 1.0.0
	rules "$(bearer acme/one "$basic")"
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	# leaks are not looked for in what is traced
	ASAN_OPTIONS=detect_leaks=0 run -0 strace -f -qq -e trace=execve -s 9999 -o "$BATS_TEST_TMPDIR/execs" tf init
	installed one 1.0.0
	grep -q tf-fetch "$BATS_TEST_TMPDIR/execs"
	run -1 grep 's3cr3t\|t0k3n\|dTpzM2NyM3Q' "$BATS_TEST_TMPDIR/execs"
}

# bats test_tags=once
@test "blocks of credentials that are not in order are errors" {
	only_ours # OpenTofu says so and goes on
	push one 1.0.0
	for block in 'oci_credentials "oci.test" {}' 'oci_credentials "oci.test/x:1" { username = "u" password = "p" }' \
		'oci_default_credentials { docker_credentials_helper = "a/b" }'; do
		configured "$(method '${namespace}/${type}')" <<<"$block"
		run -1 tf init
		[[ $output = *"Error: Invalid ${block%%[ ]*} block"* ]]
	done
	[ "$(asked_at_all)" = 0 ]
}

# bats test_tags=once
@test "blobs are sent for elsewhere, without what proves who the user is" {
	push one 1.0.0
	mkdir -p "$net/www/blobs.test"
	mv "$top/blobs" "$net/www/blobs.test/b"
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "token": "t0k3n",
"redirect": "https://blobs.test/b/'"$(layer 1.0.0)"'?sig=1"}' "$(bearer acme/one)"
	run -0 cli init -no-color
	installed one 1.0.0
	[ "$(asked "GET blobs.test/b/$(layer 1.0.0)?sig=1")" = 1 ]
	rm -r .terraform .terraform.lock.hcl
	# another port is another server
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "token": "t0k3n", "times": 1,
"redirect": "https://oci.test:8443/b/'"$(layer 1.0.0)"'"}' \
		'{"at": "oci.test/b/*", "file": "www/blobs.test/b/'"$(layer 1.0.0)"'"}' "$(bearer acme/one)"
	: >"$net/log"
	run -0 cli init -no-color
	[ "$(asked "GET oci.test/b/$(layer 1.0.0)")" = 1 ]
}

@test "a host that blobs are redirected to is not told who the user is" {
	push one 1.0.0
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "redirect": "https://other.test/x"}' \
		'{"at": "other.test/x", "token": "x", "challenge": "Basic realm=\"r\""}' "$(named)"
	init_fails 'Failed to install provider' 401
	[ "$(grep -c other.test "$net/log")" = 1 ]
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "redirect": "https://other.test/x"}' \
		'{"at": "other.test/x", "redirect": "https://oci.test/v2/back"}' \
		'{"at": "oci.test/v2/back", "redirect": "https://oci.test/v2/again"}' "$(named)"
	: >"$net/log"
	init_fails 'Failed to install provider' ''
	run -1 grep -q 'again Basic' "$net/log"
	[ "$(asked 'GET oci.test/v2/back')" -ge 1 ]
	run -1 grep -q 'back Basic' "$net/log"
}

# bats test_tags=once
@test "tokens come from no realm without TLS, of this machine or its network" {
	push one 1.0.0
	configured "$(method '${namespace}/${type}')" <<-END
		oci_credentials "oci.test" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	for realm in http://auth.test/token https://127.0.0.1/t https://10.1.2.3/t \
		https://169.254.169.254/t 'https://[::1]/t' https://192.168.1.1:444/t \
		file:///etc/passwd; do
		rules "{\"at\": \"oci.test/v2/*\", \"token\": \"x\", \"challenge\": \"Bearer realm=\\\"$realm\\\"\"}"
		: >"$net/log"
		init_fails 'Failed to' ''
		run -1 grep -v '^GET oci.test/v2/[^ ]*$' "$net/log"
	done
}

@test "answers of a realm that are no tokens" {
	push one 1.0.0
	challenge='"challenge": "Bearer realm=\"https://auth.test/token\""'
	for body in '"body": "{}"' '"body": "no"' '"status": 403' '"body": "{\"token\": \"a\\u000ab\"}"'; do
		rules "{\"at\": \"auth.test/token\", $body}" "{\"at\": \"oci.test/v2/*\", \"token\": \"x\", $challenge}"
		init_fails 'Failed to' ''
	done
	rules '{"at": "auth.test/token", "body": "{\"token\": \"other\"}"}' \
		"{\"at\": \"oci.test/v2/*\", \"token\": \"x\", $challenge}"
	: >"$net/log"
	init_fails 'Failed to' 401
	if ours; then
		[ "$(grep -c auth.test "$net/log")" = 1 ]
	fi
	for challenge in 'Negotiate' 'Bearer' 'Bearer realm' ', =' '\"'; do
		rules "{\"at\": \"oci.test/v2/*\", \"token\": \"x\", \"challenge\": \"$challenge\"}"
		init_fails 'Failed to' ''
	done
	ours || return 0 # OpenTofu reads it as a token, or waits for the end
	rules '{"at": "auth.test/token", "endless": true}' \
		'{"at": "oci.test/v2/*", "token": "x", "challenge": "Bearer realm=\"https://auth.test/token\""}'
	init_fails 'Failed to' 'larger than'
}

# --- answers that are not what they ought to be ---

# bats test_tags=once
@test "an index without this platform" {
	push one 1.0.0
	index 1.0.0 'del(.manifests[0])'
	init_fails 'Incompatible provider version' "$platform"
	push one 1.0.0
	index 1.0.0 '.manifests[0].platform."os.version" = "7"'
	init_fails 'Incompatible provider version' "$platform"
}

@test "manifests of other kinds" {
	push one 1.0.0
	cp "$top/manifests/1.0.0" whole
	for change in '.mediaType = "application/vnd.oci.image.manifest.v1+json"' \
		'.mediaType = "application/vnd.docker.distribution.manifest.list.v2+json"' \
		'.artifactType = "application/vnd.opentofu.modulepkg"' \
		'.artifactType = "application/vnd.opentofu.provider-target"' \
		'del(.artifactType)' 'del(.mediaType)' '.manifests = []' '.manifests = 1' \
		'.manifests[0].mediaType = "application/vnd.oci.image.index.v1+json"' \
		'del(.manifests[].platform)' 'del(.manifests[].artifactType)' \
		'.manifests[1] = .manifests[0]' '.manifests[].artifactType = "x/y"'; do
		cp whole "$top/manifests/1.0.0"
		index 1.0.0 "$change"
		init_fails 'Failed to install provider' ''
	done
	for change in '.artifactType = "x/y"' '.mediaType = "x/y"' '.layers = []' \
		'.layers[0].mediaType = "application/x-tar"' '.layers += .layers' \
		'.layers[0].platform = {"os": "plan9", "architecture": "mips"}' \
		'.layers[0].digest = "md5:00"' '.layers[0].digest = "sha256:00"' \
		'.layers[0].digest |= sub("sha256"; "sha512")'; do
		cp whole "$top/manifests/1.0.0"
		image 1.0.0 "$change"
		init_fails 'Failed to install provider' ''
	done
	# what is not for us may be there, too
	cp whole "$top/manifests/1.0.0"
	image 1.0.0 '.layers = [{"mediaType": "text/plain", "digest": "x", "size": 1}] + .layers'
	index 1.0.0 '.manifests += [{"mediaType": "x/y", "artifactType": "x/y"}, {}]'
	run -0 cli init -no-color
	installed one 1.0.0
}

@test "content that is not what its digest says" {
	push one 1.0.0
	cp -r "$net/www" whole
	again() {
		rm -r "$net/www"
		cp -r whole "$net/www"
	}
	image=$(jq -r '.manifests[0].digest' "$top/manifests/1.0.0")
	# of the archive: other bytes, fewer, more
	blob=$top/blobs/$(layer 1.0.0)
	sed -i 's/none/NONE/' "$blob"
	dd if=/dev/zero of="$blob" bs=1 seek=20 count=4 conv=notrunc 2>/dev/null
	init_fails 'Failed to install provider' ''
	again
	truncate -s -1 "$blob"
	init_fails 'Failed to install provider' ''
	again
	printf x >>"$blob"
	init_fails 'Failed to install provider' ''
	again
	# of the manifests
	sed -i 's/"schemaVersion": 2/"schemaVersion": 3/' "$top/manifests/$image"
	init_fails 'Failed to install provider' ''
	again
	printf ' ' >>"$top/manifests/$image"
	init_fails 'Failed to install provider' ''
	again
	# an index whose digest the registry tells wrongly
	rules "{\"at\": \"oci.test/v2/acme/one/manifests/1.0.0\", \"headers\": {\"Docker-Content-Digest\": \"$image\"}}"
	init_fails 'Failed to install provider' ''
	rules '{"at": "oci.test/v2/acme/one/manifests/1.0.0", "headers": {"Docker-Content-Digest": "x"}}'
	init_fails 'Failed to install provider' digest
	rules
	rm "$blob"
	init_fails 'Failed to install provider' ''
	again
	run -0 cli init -no-color
	installed one 1.0.0
}

# bats test_tags=once
@test "bodies that never end, and sizes that nothing has" {
	push one 1.0.0
	cp "$top/manifests/1.0.0" whole
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "endless": true}'
	init_fails 'Failed to install provider' ''
	rules '{"at": "oci.test/v2/acme/one/manifests/*", "method": "GET", "endless": true,
"headers": {"Content-Type": "application/vnd.oci.image.index.v1+json"}}'
	init_fails 'Failed to install provider' ''
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "cut": 100}'
	init_fails 'Failed to install provider' ''
	rules
	for size in 0 -1 1 100000 99999999999 null '"1"'; do
		cp whole "$top/manifests/1.0.0"
		index 1.0.0 ".manifests[0].size = $size"
		init_fails 'Failed to install provider' ''
	done
	for size in 1 '(.layers[0].size + 1)' '(.layers[0].size - 1)'; do
		cp whole "$top/manifests/1.0.0"
		image 1.0.0 ".layers[0].size = $size"
		init_fails 'Failed to install provider' ''
	done
}

@test "redirects that have no end, or lead to what is no web address" {
	only_ours # OpenTofu follows them for ever
	push one 1.0.0
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "redirect": "x"}'
	init_fails 'Failed to install provider' 'stopped after 10 redirects'
	rules '{"at": "oci.test/v2/acme/one/blobs/*", "redirect": "file:///etc/passwd"}'
	init_fails 'Failed to install provider' ''
}

# --- the lock file, and other places ---

# bats test_tags=once
@test "a lock file that knows another archive" {
	push one 1.0.0
	run -0 cli init -no-color
	rm -r .terraform
	sed -i 's/"zh:..../"zh:0000/; s/"h1:..../"h1:0000/' .terraform.lock.hcl
	cp .terraform.lock.hcl before
	run -1 cli init -no-color
	[[ $(said) = *'Failed to install provider'*acme/one* ]]
	diff before .terraform.lock.hcl
	[ ! -e .terraform/providers/registry.opentofu.org/acme/one/1.0.0/$platform ]
}

# bats test_tags=once
@test "a lock file that knows the files alone" {
	push one 1.0.0
	run -0 cli init -no-color
	rm -r .terraform
	sed -i /zh:/d .terraform.lock.hcl
	if ours; then
		run -0 tf init
		installed one 1.0.0
	else # OpenTofu wants the archive's hash
		run -1 cli init -no-color
	fi
}

# bats test_tags=once
@test "with a plugin cache" {
	push one 1.0.0
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/plugins
	mkdir "$TF_PLUGIN_CACHE_DIR"
	run -0 cli init -no-color
	[ -L ".terraform/providers/registry.opentofu.org/acme/one/1.0.0/$platform" ]
	[ -d "$TF_PLUGIN_CACHE_DIR/registry.opentofu.org/acme/one/1.0.0/$platform" ]
	rm -r .terraform
	: >"$net/log"
	run -0 cli init -no-color
	installed one 1.0.0
	if ours; then
		[ "$(asked_at_all)" = 0 ]
	fi
}

# bats test_tags=once
@test "beside a directory and a network mirror, the newest counts" {
	push one 1.0.0 1.1.0
	d=$BATS_TEST_TMPDIR/m/registry.opentofu.org/acme/one/1.0.5/$platform
	mkdir -p "$d"
	printf '#!/bin/sh\n' >"$d/terraform-provider-one_v1.0.5"
	chmod +x "$d/terraform-provider-one_v1.0.5"
	method 'acme/${type}' | sed 's!^}!  filesystem_mirror {\n    path = "'"$BATS_TEST_TMPDIR"'/m"\n  }\n}!
s!registry.opentofu.org/\*!registry.opentofu.org/acme!' >"$TF_CLI_CONFIG_FILE"
	run -0 cli init -no-color
	installed one 1.1.0
	rm -r .terraform .terraform.lock.hcl
	if ours; then # OpenTofu asks the registry for what the directory has
		require one='< 1.1.0' >main.tf
		run -0 cli init -no-color
		installed one 1.0.5
		rm -r .terraform .terraform.lock.hcl
	fi
	sed -i 's/^    include .*/&\n    exclude = ["acme\/one"]/' "$TF_CLI_CONFIG_FILE"
	: >"$net/log"
	require one >main.tf
	run -0 cli init -no-color
	installed one 1.0.5
	[ "$(asked_at_all)" = 0 ]
}

# --- templates ---

@test "templates that can name no repository" {
	bad() { # TEMPLATE [INCLUDE]
		method x >"$TF_CLI_CONFIG_FILE"
		python3 - "$TF_CLI_CONFIG_FILE" "$@" <<-'P'
			import re, sys
			path, template, *include = sys.argv[1:]
			s = open(path).read().replace("oci.test/x", template)
			if include:
			    s = re.sub(r"include .*", "include = " + include[0], s)
			open(path, "w").write(s)
		P
		run -1 cli init -no-color
		[[ $(said) = *"$want"* ]] || {
			echo "$output"
			return 1
		}
		[ "$(asked_at_all)" = 0 ]
	}
	want='oci_mirror repository template'
	bad 'oci.test/${namespace}'
	bad 'oci.test/${type}'
	bad 'oci.test/x' '["registry.opentofu.org/acme/*"]'
	bad 'oci.test/${namespace}/${type}' '["*/*/*"]'
	bad 'oci.test/${namespace}/${type}' '["a.example/b/*", "c.example/b/*"]'
	bad 'oci.test/${namespace}/${type}/${version}'
	bad 'oci.test/${namespace}/${type}:latest'
	bad 'OCI TEST/${namespace}/${type}'
	bad 'oci.test/-${namespace}/${type}'
	want=Error
	bad 'oci.test/${namespace + 1}/${type}'
	bad 'oci.test/${upper(namespace)}/${type}'
	bad ''
	ours || return 0 # OpenTofu goes on without the file
	bad 'oci.test/${namespace}/${type'
}

# bats test_tags=once
@test "a template may be an expression, and all of an include" {
	push one 1.0.0
	mkdir -p "$net/www/oci.test/v2/p"
	mv "$top" "$net/www/oci.test/v2/p/registry.opentofu.org-one"
	method 'p/${hostname}-${namespace == "acme" ? type : namespace}' | sed 's/include .*/exclude = []/' >"$TF_CLI_CONFIG_FILE"
	run -0 cli init -no-color
	installed one 1.0.0
	rm -r .terraform .terraform.lock.hcl
	mv "$net/www/oci.test/v2/p/registry.opentofu.org-one" "$net/www/oci.test/v2/fixed"
	method fixed | sed 's/include .*/include = ["acme\/one"]/' >"$TF_CLI_CONFIG_FILE"
	run -0 cli init -no-color
	installed one 1.0.0
}

# --- a registry as people run it ---

# bats test_tags=once
@test "docker-registry: tags, manifests and blobs, for a name and a password" {
	registry_starts
	push one 1.0.0 1.1.0
	python3 "$TF_TEST_SRC/tests/net/oci.py" "$net" push oci.test/acme/one \
		"https://$registry/v2/a/b/one" u:s3cr3t
	method '' | sed "s!oci.test/!$registry/a/b/\${type}!; s!/\*/\*!/acme/*!" >"$TF_CLI_CONFIG_FILE"
	init_fails 'Failed to' "$registry"
	method '' | sed "s!oci.test/!$registry/a/b/\${type}!; s!/\*/\*!/acme/*!" >rc
	configured "$(cat rc)" <<-END
		oci_credentials "$registry/a" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	run -0 cli init -no-color
	installed one 1.1.0
	zh=$(layer 1.1.0)
	grep -q "\"zh:${zh#sha256:}\"" .terraform.lock.hcl
	no_secrets
	require none >main.tf
	run -1 cli init -no-color -lockfile=readonly
	[[ $(said) = *'Failed to query available provider packages'*acme/none* ]]
}

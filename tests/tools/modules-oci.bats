#!/usr/bin/env bats
# modules-oci.bats - modules from OCI registries
#
# See modules.bash for TF_TEST_CLI.

load common
load modules
load oci

setup() {
	modules_setup
	mkdir "$here/m" "$here/m/sub"
	echo 'module "sub" { source = "./sub" }' >"$here/m/main.tf"
	echo 'output "o" { value = 1 }' >"$here/m/sub/main.tf"
	cd "$here"
	rmdir w
	oci_setup
	top=$net/www/oci.test/v2/m/x
}

teardown() {
	registry_ends
	serve_end
}

# The module in the registry: push TAG
push() {
	digest=$(python3 "$TF_TEST_SRC/tests/net/oci.py" "$net" module oci.test/m/x "$1" "$here/m")
}

of_registry() { # SOURCE: calls it, and installs it
	calls "a=$1"
	rm -rf .terraform
	run $cli init -no-color
	[ "$status" = 0 ] || {
		echo "$output"
		return 1
	}
}

refused() { # SOURCE TEXT: why it is not installed
	calls "a=$1"
	rm -rf .terraform
	run -1 timeout 60 $cli init -no-color
	flat
	[[ $output = *'Error: Failed to download module'*"$2"* ]] || {
		echo "$output"
		return 1
	}
	# of OpenTofu something may stay
	[ -z "${TF_TEST_CLI-}" ] || return 0
	[ ! -e .terraform/modules/a ]
	run -0 find .terraform/modules -name '.a*'
	[ -z "$output" ]
}

# The manifest of a tag, changed: manifest TAG FILTER
manifest() {
	jq "$2" "$top/manifests/$1" >"$net/changed"
	mv "$net/changed" "$top/manifests/$1"
	cp "$top/manifests/$1" "$top/manifests/sha256:$(sha256sum <"$top/manifests/$1" | cut -d ' ' -f 1)"
}

layer() { # TAG
	jq -r '.layers[0].digest' "$top/manifests/$1"
}

# bats test_tags=once
@test "by a tag, by a digest, and the latest" {
	push v1
	of_registry 'oci://oci.test/m/x?tag=v1'
	[[ $output = *'Downloading oci://oci.test/m/x?tag=v1 for a...'*'- a in .terraform/modules/a'*'- a.sub in .terraform/modules/a/sub'* ]]
	[ "$(source_of a)" = 'oci://oci.test/m/x?tag=v1' ]
	diff -r "$here/m" .terraform/modules/a
	of_registry "oci://oci.test/m/x?digest=$digest"
	[ "$(source_of a)" = "oci://oci.test/m/x?digest=sha256%3A${digest#*:}" ] ||
		[ "$(source_of a)" = "oci://oci.test/m/x?digest=$digest" ]
	diff -r "$here/m" .terraform/modules/a
	refused oci://oci.test/m/x ''
	push latest
	of_registry oci://oci.test/m/x
	diff -r "$here/m" .terraform/modules/a
}

@test "a directory in the package" {
	push v1
	of_registry 'oci://oci.test/m/x//sub?tag=v1'
	[ "$(source_of a)" = 'oci://oci.test/m/x//sub?tag=v1' ]
	[ "$(records)" = 'a .terraform/modules/a/sub' ]
	calls 'a=oci://oci.test/m/x//other?tag=v1'
	run -1 $cli init -no-color
	flat
	[[ $output = *'subdir "other" not found'* ]]
}

# bats test_tags=once
@test "each thing is asked for once" {
	only_ours
	push v1
	calls 'a=oci://oci.test/m/x?tag=v1' 'b=oci://oci.test/m/x?tag=v1' 'c=oci://oci.test/m/x//sub?tag=v1'
	run -0 tf init
	[ "$(asked_at_all)" = 2 ]
	[ "$(asked 'GET oci.test/v2/m/x/manifests/v1')" = 1 ]
	[ "$(asked "GET oci.test/v2/m/x/blobs/$(layer v1)")" = 1 ]
}

# bats test_tags=once
@test "what another directory has fetched is not fetched again" {
	only_ours
	export TFPIPE_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	push v1
	push v2 # the same archive
	of_registry 'oci://oci.test/m/x?tag=v1'
	of_registry 'oci://oci.test/m/x?tag=v2'
	diff -r "$here/m" .terraform/modules/a
	[ "$(grep -c /blobs/ "$net/log")" = 1 ]
	# what was kept is looked at
	find "$TFPIPE_CACHE_DIR" -type f -size +100c -exec sh -c 'echo x >>"$1"' - {} \;
	of_registry 'oci://oci.test/m/x?tag=v1'
	diff -r "$here/m" .terraform/modules/a
	[ "$(grep -c /blobs/ "$net/log")" = 2 ]
}

# bats test_tags=once
@test "get, and -from-module" {
	push v1
	calls 'a=oci://oci.test/m/x?tag=v1'
	run -0 $cli get -no-color
	echo '# more' >>"$here/m/main.tf"
	push v1
	run -0 $cli get -no-color
	run -1 diff -r "$here/m" .terraform/modules/a
	run -0 $cli get -no-color -update
	diff -r "$here/m" .terraform/modules/a
	mkdir n
	cd n
	run -0 $cli init -no-color '-from-module=oci://oci.test/m/x?tag=v1'
	diff "$here/m/main.tf" main.tf
}

# bats test_tags=once
@test "the lock file of modules, and a directory that works offline" {
	only_ours
	push v1
	calls 'a=oci://oci.test/m/x?tag=v1'
	run -0 tf modules lock
	grep -q 'module "oci://oci.test/m/x?tag=v1"' .terraform.modules.lock
	run -0 tf vendor
	echo '# more' >>"$here/m/main.tf"
	push v1
	: >"$net/log"
	rm -r .terraform
	TFPIPE_VENDOR_DIR=$PWD/vendor run -0 tf init
	[ "$(asked_at_all)" = 0 ]
	rm -r .terraform
	run -1 tf init -no-color
	flat
	[[ $output = *'oci://oci.test/m/x?tag=v1'* ]]
}

@test "addresses that are none" {
	digest=sha256:$(printf x | sha256sum | cut -d ' ' -f 1)
	refused 'oci://oci.test/m/x?tag=' 'must not be empty'
	refused 'oci://oci.test/m/x?tag=a&tag=b' 'too many "tag" arguments'
	refused 'oci://oci.test/m/x?tag=a+b' 'invalid tag'
	refused 'oci://oci.test/m/x?tag=.a' 'invalid tag'
	refused 'oci://oci.test/m/x?digest=sha256:00' 'invalid digest'
	refused "oci://oci.test/m/x?digest=$digest&tag=a" 'cannot set both "tag" and "digest" arguments'
	refused 'oci://oci.test/m/x?ref=a' 'unsupported argument "ref"'
	refused 'oci://oci.test/m/x?archive=zip' 'the "archive" argument is not allowed for OCI sources'
	refused oci://oci.test/M/x 'invalid repository "M/x"'
	refused oci://oci.test/m..x 'invalid repository "m..x"'
	refused oci://oci.test 'invalid repository ""'
	refused 'oci::https://oci.test/m/x' 'oci source type only supports oci URL scheme'
	[ -n "${TF_TEST_CLI-}" ] || [ "$(asked_at_all)" = 0 ]
}

@test "manifests of other kinds, and layers that are none" {
	push v1
	cp "$top/manifests/v1" whole
	for change in '.mediaType = "application/vnd.oci.image.index.v1+json"' \
		'.mediaType = "application/vnd.docker.distribution.manifest.v2+json"' \
		'.artifactType = "application/vnd.opentofu.provider"' 'del(.artifactType)' \
		'.layers = []' '.layers[0].mediaType = "application/x-tar"' \
		'.layers += .layers' '.layers[0].digest = "sha256:00"' 'del(.layers)' \
		'.layers[0].size = 1' '.layers[0].size += 1'; do
		cp whole "$top/manifests/v1"
		manifest v1 "$change"
		refused 'oci://oci.test/m/x?tag=v1' ''
	done
	rules '{"at": "oci.test/v2/m/x/manifests/v1", "body": "{"}'
	refused 'oci://oci.test/m/x?tag=v1' ''
}

# bats test_tags=once
@test "what a registry says cannot write to the terminal" {
	push v1
	rules '{"at": "oci.test/v2/m/x/*", "status": 403, "body":
"{\"errors\": [{\"code\": \"DENIED\", \"message\": \"not\\u001b[31m\\u0007 you\"}]}"}'
	calls 'a=oci://oci.test/m/x?tag=v1'
	run -1 $cli init -no-color
	[[ $output = *403* ]]
	[[ $output != *[$'\e\a']* ]]
	[ -n "${TF_TEST_CLI-}" ] || [[ $output = *DENIED* ]]
}

@test "content that is not what its digest says" {
	push v1
	cp "$top/blobs/$(layer v1)" blob
	sed -i 's/main/MAIN/g' "$top/blobs/$(layer v1)"
	refused 'oci://oci.test/m/x?tag=v1' ''
	cp blob "$top/blobs/$(layer v1)"
	rules '{"at": "oci.test/v2/m/x/blobs/*", "endless": true}'
	refused 'oci://oci.test/m/x?tag=v1' ''
	rules '{"at": "oci.test/v2/m/x/blobs/*", "cut": 20}'
	refused 'oci://oci.test/m/x?tag=v1' ''
	rules
	printf ' ' >>"$top/manifests/$digest"
	refused "oci://oci.test/m/x?digest=$digest" ''
	rm "$top/blobs/$(layer v1)"
	refused 'oci://oci.test/m/x?tag=v1' ''
}

# bats test_tags=once
@test "digests of other algorithms" {
	push v1
	blob=$top/blobs/$(layer v1)
	for kind in sha384 sha512; do
		sum=$kind:$("${kind}sum" <"$blob" | cut -d ' ' -f 1)
		cp "$blob" "$top/blobs/$sum"
		manifest v1 ".layers[0].digest = \"$sum\""
		of_registry 'oci://oci.test/m/x?tag=v1'
		diff -r "$here/m" .terraform/modules/a
		sed -i 's/main/MAIN/g' "$top/blobs/$sum"
		refused 'oci://oci.test/m/x?tag=v1' ''
	done
}

@test "a name and a password, for a token" {
	push v1
	rules "$(bearer m/x "$basic")"
	refused 'oci://oci.test/m/x?tag=v1' 401
	configured <<-END
		oci_credentials "oci.test/m" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	of_registry 'oci://oci.test/m/x?tag=v1'
	diff -r "$here/m" .terraform/modules/a
	no_secrets
}

# bats test_tags=once
@test "where a registry or a web server says that a module is" {
	push v1
	echo '{"modules.v1": "/modules/"}' | page other.test/.well-known/terraform.json
	echo '{"modules": [{"versions": [{"version": "1.0.0"}]}]}' | page other.test/modules/a/b/c/versions
	rules '{"at": "other.test/modules/a/b/c/1.0.0/download", "status": 204,
"headers": {"X-Terraform-Get": "oci://oci.test/m/x?tag=v1"}}'
	of_registry other.test/a/b/c
	diff -r "$here/m" .terraform/modules/a
	[ -z "${TF_TEST_CLI-}" ] || return 0 # OpenTofu cannot do that
	rules '{"at": "other.test/x", "headers": {"X-Terraform-Get": "oci://oci.test/m/x?tag=v1"}, "body": ""}'
	of_registry https://other.test/x
	diff -r "$here/m" .terraform/modules/a
}

# bats test_tags=once
@test "an archive that leads out of its directory" {
	push v1
	printf '../evil=x\n' | python3 "$TF_TEST_SRC/tests/net/archive.py" zip evil.zip
	sum=sha256:$(sha256sum <evil.zip | cut -d ' ' -f 1)
	cp evil.zip "$top/blobs/$sum"
	manifest v1 ".layers[0] += {digest: \"$sum\", size: $(stat -c %s evil.zip)}"
	refused 'oci://oci.test/m/x?tag=v1' ''
	[ ! -e .terraform/modules/evil ]
}

# bats test_tags=once
@test "docker-registry: a module by its tag and its digest" {
	registry_starts
	push v1
	python3 "$TF_TEST_SRC/tests/net/oci.py" "$net" push oci.test/m/x \
		"https://$registry/v2/m/x" u:s3cr3t
	refused "oci://$registry/m/x?tag=v1" ''
	configured <<-END
		oci_credentials "$registry" {
		  username = "u"
		  password = "s3cr3t"
		}
	END
	of_registry "oci://$registry/m/x?tag=v1"
	diff -r "$here/m" .terraform/modules/a
	of_registry "oci://$registry/m/x?digest=$digest"
	diff -r "$here/m" .terraform/modules/a
	no_secrets
}

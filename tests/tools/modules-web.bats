#!/usr/bin/env bats
# modules-web.bats - modules that are archives, on web servers and on disk, and
# those of registries
#
# See modules.bash for TF_TEST_CLI.

load common
load modules
load net

setup() {
	need python3
	modules_setup
	net_hosts='files.test other.test registry.test'
	serve
	mkdir "$here/m" "$here/m/sub"
	echo 'module "sub" { source = "./sub" }' >"$here/m/main.tf"
	echo 'output "o" { value = 1 }' >"$here/m/sub/main.tf"
	echo hidden >"$here/m/.hidden"
}

teardown() {
	serve_end
}

# The module as an archive that files.test has: pack NAME
pack() {
	local to=$net/www/files.test/$1
	mkdir -p "$(dirname "$to")"
	case $1 in
	*.zip) python3 - "$here/m" "$to" <<-'P' ;;
		import sys, os, zipfile
		root, to = sys.argv[1:]
		with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
		    for d, _, files in sorted(os.walk(root)):
		        for f in sorted(files):
		            p = os.path.join(d, f)
		            z.write(p, os.path.relpath(p, root))
	P
	*gz) tar -C "$here/m" -czf "$to" . ;;
	*bz2) tar -C "$here/m" -cjf "$to" . ;;
	*xz) tar -C "$here/m" -cJf "$to" . ;;
	*zst) tar -C "$here/m" --zstd -cf "$to" . ;;
	esac
}

# An archive of entries that nobody makes by accident: odd FORMAT FILE, and on
# standard input NAME=TEXT, NAME->TARGET, NAME=>HARDLINK, NAME! (a device), one
# a line.
odd() {
	python3 "$TF_TEST_SRC/tests/net/archive.py" "$1" "$2"
}

of_web() { # NAME SOURCE: calls it, and installs it
	calls "$1=$2"
	rm -rf .terraform
	run $cli init -no-color
	[ "$status" = 0 ] || {
		echo "$output"
		return 1
	}
}

refused() { # SOURCE TEXT: why it is not installed
	calls "a=$1"
	run -1 $cli init -no-color
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

# --- archives ---

@test "an archive of each kind, by its name" {
	for kind in zip tar.gz tgz tar.bz2 tar.xz txz; do
		pack "m.$kind"
		of_web a "https://files.test/m.$kind"
		[[ $output = *"Downloading https://files.test/m.$kind for a..."*'- a in .terraform/modules/a'*'- a.sub in .terraform/modules/a/sub'* ]]
		[ "$(source_of a)" = "https://files.test/m.$kind" ]
		[ "$(asked "GET files.test/m.$kind")" = 1 ]
		diff -r "$here/m" .terraform/modules/a
	done
}

@test "an archive compressed with zstd" {
	only_ours # OpenTofu has no zstd
	need zstd
	pack m.tar.zst
	of_web a https://files.test/m.tar.zst
	diff -r "$here/m" .terraform/modules/a
}

@test "?archive= says what it is, and is taken off" {
	pack m.tar.gz
	mv "$net/www/files.test/m.tar.gz" "$net/www/files.test/m"
	of_web a 'https://files.test/m?archive=tar.gz&z=1&b=2'
	[ "$(source_of a)" = 'https://files.test/m?archive=tar.gz&z=1&b=2' ]
	[ "$(asked 'GET files.test/m?b=2&z=1')" = 1 ]
	# it says that it is none
	pack m.zip
	rules '{"at": "files.test/m.zip", "status": 204}'
	refused 'https://files.test/m.zip?archive=false' \
		'no source URL was returned'
	[ "$(asked 'GET files.test/m.zip?terraform-get=1')" = 1 ]
}

@test "a subdirectory of an archive, with a wildcard" {
	mkdir -p "$here/x/m-1.2"
	cp -r "$here/m/." "$here/x/m-1.2"
	mv "$here/x" "$here/m"
	rm "$here/m/main.tf"
	pack m.tar.gz
	of_web a 'https://files.test/m.tar.gz//x/m-*/sub'
	[ "$(records)" = 'a .terraform/modules/a/x/m-1.2/sub' ]
}

@test "one archive is fetched once, whoever calls it" {
	pack m.zip
	calls a=https://files.test/m.zip b=https://files.test/m.zip//sub
	run -0 $cli init -no-color
	[ "$(asked 'GET files.test/m.zip')" = 1 ]
	[ -e .terraform/modules/a/.hidden ]
	[ ! -e .terraform/modules/b/.hidden ]
	[ "$(records)" = 'a .terraform/modules/a
a.sub .terraform/modules/a/sub
b .terraform/modules/b/sub' ]
}

@test "checksums" {
	pack m.zip
	for kind in md5 sha1 sha256 sha512; do
		sum=$("${kind}sum" "$net/www/files.test/m.zip" | cut -d ' ' -f 1)
		of_web a "https://files.test/m.zip?checksum=$kind:$sum"
		of_web a "https://files.test/m.zip?checksum=$sum"
	done
	refused "https://files.test/m.zip?checksum=md5:${sum:0:32}" \
		'Checksums did not match'
	refused 'https://files.test/m.zip?checksum=crc32:00' \
		'unsupported checksum type: crc32'
	refused 'https://files.test/m?checksum=md5:00' \
		'checksum cannot be specified for directory download'
}

@test "checksums in a file, as two programs write them" {
	pack m.zip
	sum=$(sha256sum "$net/www/files.test/m.zip" | cut -d ' ' -f 1)
	printf '%064d  other.zip\n%s *m.zip\n' 0 "$sum" | page files.test/gnu
	printf 'SHA256 (other.zip) = %064d\nSHA256 (m.zip) = %s\n' 0 "$sum" |
		page files.test/bsd
	printf '%064d  m.zip\n' 0 | page files.test/wrong
	of_web a 'https://files.test/m.zip?checksum=file:https://files.test/gnu'
	of_web a 'https://files.test/m.zip?checksum=file:https://files.test/bsd'
	refused 'https://files.test/m.zip?checksum=file:https://files.test/wrong' \
		'Checksums did not match'
}

@test "an archive that is not there, is cut, or is none" {
	refused https://files.test/none.zip 'bad response code: 404'
	echo text | page files.test/text.zip
	refused https://files.test/text.zip ''
	pack m.tar.gz
	refused 'https://files.test/m.tar.gz?archive=zip' ''
	rules '{"at": "files.test/m.tar.gz", "cut": 60}'
	refused https://files.test/m.tar.gz ''
	echo text | gzip | page files.test/text.gz
	refused https://files.test/text.gz ''
}

@test "archives on disk" {
	pack m.tar.gz
	cp "$net/www/files.test/m.tar.gz" "$here/a.tar.gz"
	of_web a "$here/a.tar.gz"
	[ "$(source_of a)" = "file://$here/a.tar.gz" ]
	diff -r "$here/m" .terraform/modules/a
	cp "$here/a.tar.gz" "$here/b"
	of_web a "$here/b//sub?archive=tgz"
	[ "$(records)" = 'a .terraform/modules/a/sub' ]
	mkdir "$here/c.zip"
	refused "$here/c.zip" 'source path must be a file'
}

# --- archives that are up to something ---

@test "a path out of an archive is refused" {
	for kind in tar zip; do
		for name in ../x a/../../x ..; do
			printf 'main.tf=\n%s=out\n' "$name" |
				odd $kind "$here/a.$kind"
			mv "$here/a.$kind" "$here/a"
			refused "$here/a?archive=${kind/tar/tar.gz}" ''
			[ ! -e "$here/x" ]
			[ ! -e .terraform/x ]
			[ ! -e .terraform/modules/x ]
		done
	done
}

@test "an absolute path of an archive lies inside" {
	for kind in tar zip; do
		printf 'main.tf=\n%s/x=out\n' "$here" | odd $kind "$here/a"
		of_web a "$here/a?archive=${kind/tar/tar.gz}"
		[ ! -e "$here/x" ]
		[ "$(cat ".terraform/modules/a/$here/x")" = out ]
	done
}

@test "links of an archive are files, and nothing is written through them" {
	echo own >"$here/own"
	printf 'main.tf=\nl->%s\nd->%s\nd2/x=1\n' "$here/own" "$here" |
		odd zip "$here/a"
	of_web a "$here/a?archive=zip"
	[ ! -L .terraform/modules/a/l ]
	[ "$(cat .terraform/modules/a/l)" = "$here/own" ]
	printf 'main.tf=\nl->%s\nl=new\nh=>%s\n' "$here/own" "$here/own" |
		odd tar "$here/a"
	of_web a "$here/a?archive=tar.gz"
	[ ! -L .terraform/modules/a/l ]
	[ "$(cat .terraform/modules/a/l)" = new ]
	[ ! -s .terraform/modules/a/h ]
	[ "$(cat "$here/own")" = own ]
}

@test "names that move a terminal, devices, nothing at all" {
	only_ours # OpenTofu makes a file of each
	printf 'main.tf=\na\033[2Jb=1\n' | odd tar "$here/a"
	refused "$here/a?archive=tar.gz" 'leads elsewhere'
	printf 'main.tf=\nfifo!\n' | odd tar "$here/a"
	refused "$here/a?archive=tar.gz" 'something that is no file'
	printf '' | odd tar "$here/a"
	refused "$here/a?archive=tar.gz" 'it is empty'
}

@test "an archive that is too large is refused at the limit" {
	only_ours # OpenTofu has none
	head -c 3000000 /dev/zero >"$here/m/zeros"
	pack m.tar.gz
	TFPIPE_MAX_MODULE_SIZE=2 refused https://files.test/m.tar.gz \
		'it is too large'
	TFPIPE_MAX_MODULE_SIZE=4 of_web a https://files.test/m.tar.gz
}

# --- hosts that say where a module is ---

@test "a host says in a header where a module is" {
	pack m.zip
	rules '{"at": "files.test/where", "status": 204,
		"headers": {"X-Terraform-Get": "https://other.test/m.zip"}}'
	mkdir -p "$net/www/other.test"
	mv "$net/www/files.test/m.zip" "$net/www/other.test"
	of_web a https://files.test/where
	[ "$(source_of a)" = https://files.test/where ]
	[ "$(asked 'GET files.test/where?terraform-get=1')" = 1 ]
	diff -r "$here/m" .terraform/modules/a
	of_web a 'https://files.test/where//sub?x=1'
	[ "$(asked 'GET files.test/where?terraform-get=1&x=1')" = 1 ]
	[ "$(records)" = 'a .terraform/modules/a/sub' ]
}

@test "a host says in a page where a module is" {
	pack m.zip
	page files.test/where <<-'E'
		<!DOCTYPE html>
		<html><head><title>x</title>
		<!-- <meta name="terraform-get" content="https://other.test/no.zip"> -->
		<meta name="other" content="https://other.test/no.zip">
		<meta name="terraform-get" content="https://files.test/m.zip?a=1&amp;b=2" />
		</head><body>
		<meta name="terraform-get" content="https://other.test/no.zip">
		</body></html>
	E
	of_web a https://files.test/where
	[ "$(asked 'GET files.test/m.zip?a=1&b=2')" = 1 ]
	echo '<html><body><meta name="terraform-get" content="x"></body></html>' |
		page files.test/body
	refused https://files.test/body 'no source URL was returned'
}

@test "a host names a part of a package" {
	mkdir "$here/m/sub/deep"
	echo 'output "deep" { value = 1 }' >"$here/m/sub/deep/main.tf"
	pack m.zip
	rules '{"at": "files.test/where", "status": 204,
		"headers": {"X-Terraform-Get": "https://files.test/m.zip//s*"}}'
	of_web a https://files.test/where//deep
	[ "$(records)" = 'a .terraform/modules/a/deep' ]
	# that is all there is
	diff -r "$here/m/sub" .terraform/modules/a
	run -0 ls -A .terraform/modules
	[ "$output" = $'a\nmodules.json' ]
}

@test "hosts that send each other on have an end" {
	rules '{"at": "files.test/where", "status": 204,
		"headers": {"X-Terraform-Get": "https://files.test/where"}}'
	refused https://files.test/where \
		'too many X-Terraform-Get redirects: 11'
	[ "$(asked 'GET files.test/where?terraform-get=1')" = 10 ]
}

@test "a host names what is no address" {
	rules '{"at": "files.test/where", "status": 204,
		"headers": {"X-Terraform-Get": "./m.zip"}}'
	refused https://files.test/where 'invalid source string: ./m.zip'
}

@test "a name and password of the netrc file" {
	pack m.zip
	cat >"$here/netrc" <<-'E'
		machine other.test login no password no
		machine files.test
		  login someone
		  password hush
		default login no password no
	E
	export NETRC=$here/netrc
	of_web a https://files.test/m.zip
	[ "$(asked "GET files.test/m.zip Basic $(printf someone:hush | base64)")" = 1 ]
	# what the address says comes first
	of_web a https://me:mine@files.test/m.zip
	[ "$(asked "GET files.test/m.zip Basic $(printf me:mine | base64)")" = 1 ]
}

# --- registries ---

# registry.test, with NAMESPACE/NAME/SYSTEM in these versions, each in an archive
# of files.test: offer MODULE VERSION...
offer() {
	local module=$1 v
	shift
	echo '{"modules.v1": "/modules/"}' |
		page registry.test/.well-known/terraform.json
	printf '%s\n' "$@" | jq -nR '{modules: [{versions: [inputs | {version: .}]}]}' |
		page "registry.test/modules/$module/versions"
	for v; do
		echo "output \"version\" { value = \"$v\" }" >"$here/m/version.tf"
		pack "${module##*/}-$v.zip"
		echo "{\"location\": \"https://files.test/${module##*/}-$v.zip\"}" |
			page "registry.test/modules/$module/$v/download"
	done
}

versioned() { # NAME SOURCE [VERSION]
	printf 'module "%s" {\n  source = "%s"\n' "$1" "$2"
	if [ -n "${3-}" ]; then
		printf '  version = "%s"\n' "$3"
	fi
	echo '}'
}

version_of() { # KEY
	jq -r --arg k "$1" '.Modules[] | select(.Key == $k).Version' \
		.terraform/modules/modules.json
}

@test "a registry: the newest version that is allowed" {
	offer a/b/c 1.0.0 1.2.0 v1.3.0 2.0.0 2.1.0-beta1
	{
		versioned a registry.test/a/b/c
		versioned b registry.test/a/b/c '~> 1.0, != 1.3.0'
		versioned c Registry.test:443/a/b/c//sub '>= 1.3, < 2'
		versioned d registry.test/a/b/c '2.1.0-beta1'
		versioned e registry.test/a/b/c '>= 2.1.0-beta1'
	} >main.tf
	# a version that has a letter before it is asked for without it
	mv "$net/www/registry.test/modules/a/b/c/v1.3.0" \
		"$net/www/registry.test/modules/a/b/c/1.3.0"
	run -1 $cli init -no-color
	flat
	[[ $output = *'Downloading registry.test/a/b/c 2.0.0 for a...'*'- a in .terraform/modules/a'* ]]
	[[ $output = *'Downloading registry.test/a/b/c 1.2.0 for b...'* ]]
	[[ $output = *'Downloading registry.test/a/b/c 1.3.0 for c...'*'- c in .terraform/modules/c/sub'* ]]
	[[ $output = *'Downloading registry.test/a/b/c 2.1.0-beta1 for d...'* ]]
	[[ $output = *'Error: Unresolvable module version constraint'*'newest available version is 2.0.0'* ]]
	[ "$(version_of a)" = 2.0.0 ]
	[ "$(version_of c)" = 1.3.0 ]
	[ "$(source_of c)" = registry.test/a/b/c//sub ]
	grep -q '"1.2.0"' .terraform/modules/b/version.tf
	# each is asked for once
	[ "$(asked 'GET registry.test/.well-known/terraform.json')" = 1 ]
	[ "$(asked 'GET registry.test/modules/a/b/c/versions')" = 1 ]
	[ "$(asked 'GET registry.test/modules/a/b/c/2.0.0/download')" = 1 ]
}

@test "a registry: what is installed stays while it fits" {
	offer a/b/c 1.0.0 1.2.0
	versioned a registry.test/a/b/c '1.0.0' >main.tf
	run -0 $cli init -no-color
	asked=$(asked_at_all)
	versioned a registry.test/a/b/c '~> 1.0' >main.tf
	run -0 $cli init -no-color
	[[ $output != *Downloading* ]]
	[ "$(version_of a)" = 1.0.0 ]
	[ "$(asked_at_all)" = "$asked" ]
	run -0 $cli init -no-color -upgrade
	[ "$(version_of a)" = 1.2.0 ]
	versioned a registry.test/a/b/c '< 1.1' >main.tf
	run -1 $cli validate -no-color
	[[ $output = *'Error: Module version requirements have changed'* ]]
	run -0 $cli init -no-color
	[ "$(version_of a)" = 1.0.0 ]
	run -0 $cli validate -no-color
	# from a registry to a directory
	mkdir d
	versioned a ./d >main.tf
	run -0 $cli init -no-color
	[ ! -e .terraform/modules/a ]
	[ "$(version_of a)" = null ]
}

@test "a registry: where a package is, in a header, relative, with a part" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c//deep >main.tf
	mkdir -p "$here/m/sub/deep" "$net/www/registry.test/files"
	echo 'output "deep" { value = 1 }' >"$here/m/sub/deep/main.tf"
	pack c.zip
	mv "$net/www/files.test/c.zip" "$net/www/registry.test/files"
	rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
		"status": 204, "headers": {"X-Terraform-Get":
		"/files/c.zip//sub?archive=zip"}}'
	run -0 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a/sub/deep' ]
	rm -r .terraform
	rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
		"body": "{\"location\": \"../../../../../files/c.zip//sub\"}"}'
	run -0 $cli init -no-color
	[ "$(records)" = 'a .terraform/modules/a/sub/deep' ]
}

@test "a registry: a package of its own, with its token" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	export TF_TOKEN_registry_test=hush
	mkdir "$net/www/registry.test/files"
	tar -C "$here/m" -czf "$net/www/registry.test/files/c" .
	for with in true false; do
		rm -rf .terraform
		: >"$net/log"
		rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
			"body": "{\"location\": \"/files/c\", \"use_registry_credentials\": '$with'}"}'
		run -0 $cli init -no-color
		diff -r "$here/m" .terraform/modules/a
		token=' Bearer hush'
		[ "$(asked "GET registry.test/modules/a/b/c/versions$token")" = 1 ]
		[ "$(asked "GET registry.test/modules/a/b/c/1.0.0/download$token")" = 1 ]
		[ $with = true ] || token=
		[ "$(asked "GET registry.test/files/c$token")" = 1 ]
	done
	# another host gets no token
	rm -r .terraform
	rules '{"at": "registry.test/modules/a/b/c/1.0.0/download",
		"body": "{\"location\": \"https://files.test/c-1.0.0.zip\"}"}'
	run -0 $cli init -no-color
	[ "$(asked 'GET files.test/c-1.0.0.zip')" = 1 ]
}

@test "a registry: a git repository, and modules of registries in it" {
	need git
	offer a/b/c 1.0.0
	git config --global user.name Tests
	git config --global user.email tests@example.com
	git init -q "$here/r"
	mkdir "$here/r/x"
	versioned inner registry.test/a/b/c '~> 1.0' >"$here/r/x/main.tf"
	git -C "$here/r" add -A
	git -C "$here/r" commit -q -m 1
	offer d/e/f 0.1.0
	rules '{"at": "registry.test/modules/d/e/f/0.1.0/download", "body":
		"{\"location\": \"git::file://'"$here"'/r//x?ref=HEAD\"}"}'
	versioned outer registry.test/d/e/f >main.tf
	run -0 $cli init -no-color
	[ "$(records)" = 'outer .terraform/modules/outer/x
outer.inner .terraform/modules/outer.inner
outer.inner.sub .terraform/modules/outer.inner/sub' ]
	[ "$(version_of outer.inner)" = 1.0.0 ]
}

# What is said: said SUMMARY TEXT
said() {
	run -1 $cli init -no-color
	flat
	[[ $output = *"Error: $1"*"$2"* ]] || {
		echo "$output"
		return 1
	}
}

@test "a registry: what goes wrong" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	local at=registry.test/modules/a/b/c
	rules '{"at": "'$at'/versions", "status": 404}'
	said 'Module not found' 'a/b/c'
	rules '{"at": "'$at'/versions", "status": 403}'
	said 'Error accessing remote module registry' '403 Forbidden'
	rules '{"at": "'$at'/versions", "body": "{"}'
	said 'Error accessing remote module registry' ''
	rules '{"at": "'$at'/versions", "body": "{\"modules\": []}"}'
	said 'Invalid response from remote module registry' ''
	rules '{"at": "'$at'/versions", "body": "{\"modules\": [{}]}"}'
	said 'Module has no versions' ''
	rules '{"at": "'$at'/1.0.0/download", "status": 404}'
	said 'Error accessing remote module registry' 'not found'
	rules '{"at": "'$at'/1.0.0/download", "status": 204}'
	said 'Error accessing remote module registry' \
		'registry did not return a location'
	rules '{"at": "'$at'/1.0.0/download", "body": "{\"location\": \"x\"}"}'
	said 'Error accessing remote module registry' \
		'registry returned invalid package location "x"'
	rules '{"at": "'$at'/1.0.0/download", "body": "{\"location\": \"file:///x\", \"use_registry_credentials\": true}"}'
	said 'Error accessing remote module registry' ''
	rules '{"at": "files.test/c-1.0.0.zip", "status": 404}'
	said 'Failed to download module' 'bad response code: 404'
	rules
	versioned a registry.test/a/b/c//nowhere >main.tf
	said 'Module subdirectory not found' 'nowhere'
	versioned a other.test/a/b/c >main.tf
	said 'Error accessing remote module registry' 'other.test'
	# a version that is none is left out
	versioned a registry.test/a/b/c >main.tf
	rules '{"at": "'$at'/versions", "body": "{\"modules\": [{\"versions\": [{\"version\": \"x\"}, {\"version\": \"1.0.0\"}]}]}"}'
	rm -rf .terraform
	run -0 $cli init -no-color
	[[ $output = *'Warning: Invalid response from remote module registry'* ]]
	[ "$(version_of a)" = 1.0.0 ]
}

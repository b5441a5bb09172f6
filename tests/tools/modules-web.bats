#!/usr/bin/env bats
# modules-web.bats - modules that are archives, on web servers and on disk
#
# See modules.bash for TF_TEST_CLI.

load common
load modules
load net

setup() {
	modules_setup
	modules_web
}

teardown() {
	serve_end
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

# bats test_tags=once
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

# bats test_tags=once
@test "an archive compressed with zstd" {
	only_ours # OpenTofu has no zstd
	need zstd
	pack m.tar.zst
	of_web a https://files.test/m.tar.zst
	diff -r "$here/m" .terraform/modules/a
}

# bats test_tags=once
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
	# what fails refers to nothing, whatever it says
	rules '{"at": "files.test/sick", "status": 500,
		"headers": {"X-Terraform-Get": "https://files.test/m.zip"}}'
	refused https://files.test/sick 'bad response code: 500'
}

# bats test_tags=once
@test "a subdirectory of an archive, with a wildcard" {
	mkdir -p "$here/x/m-1.2"
	cp -r "$here/m/." "$here/x/m-1.2"
	mv "$here/x" "$here/m"
	rm "$here/m/main.tf"
	pack m.tar.gz
	of_web a 'https://files.test/m.tar.gz//x/m-*/sub'
	[ "$(records)" = 'a .terraform/modules/a/x/m-1.2/sub' ]
}

# bats test_tags=once
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

# bats test_tags=once
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

# bats test_tags=once
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

# bats test_tags=once
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

# bats test_tags=once
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

# bats test_tags=once
@test "files of an archive have its modes, whatever the umask, and can be written" {
	(
		cd "$here"
		touch main.tf program all mine
		chmod 755 program
		chmod 666 all
		chmod 400 mine
		tar -czf m.tar.gz main.tf program all mine
	)
	umask 077
	of_web a "$here/m.tar.gz"
	run -0 stat -c %a .terraform/modules/a/{program,all,mine}
	[ "$output" = $'755\n666\n600' ]
}

# bats test_tags=once
@test "of a file that comes twice in an archive the last counts, wholly" {
	printf 'main.tf=\nx=the first, which is longer\nx=last\n' | odd tar "$here/a"
	of_web a "$here/a?archive=tar.gz"
	[ "$(cat .terraform/modules/a/x)" = last ]
	# a hole in the last shows nothing of the first
	cd "$here"
	echo first >x
	tar -cf a.tar x
	truncate -s 0 x
	truncate -s 1M x
	echo end >>x
	tar -rSf a.tar x
	gzip a.tar
	cd "$OLDPWD"
	of_web a "$here/a.tar.gz"
	cmp "$here/x" .terraform/modules/a/x
}

# bats test_tags=once
@test "a file of an archive may end in a hole, or be one" {
	truncate -s 1M "$here/m/hole"
	echo begin >"$here/m/end"
	truncate -s 1M "$here/m/end"
	tar -C "$here/m" -cSzf "$here/a.tar.gz" .
	of_web a "$here/a.tar.gz"
	diff -r "$here/m" .terraform/modules/a
	only_ours # OpenTofu has no limit
	rm -r .terraform
	truncate -s 3M "$here/m/hole"
	tar -C "$here/m" -cSzf "$here/a.tar.gz" .
	TFPIPE_MAX_MODULE_SIZE=2 refused "$here/a.tar.gz" 'it is too large'
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

# patched NAME BYTES OFFSET N: $here/good.zip, with N added to the byte at an
# offset from the first of these bytes.
patched() {
	python3 - "$here/good.zip" "$here/$1" "$2" "$3" "$4" <<-'END'
	import sys
	data = bytearray(open(sys.argv[1], "rb").read())
	at = data.index(eval(sys.argv[3])) + int(sys.argv[4])
	data[at] = (data[at] + int(sys.argv[5])) % 256
	open(sys.argv[2], "wb").write(data)
	END
}

@test "a zip whose directory and bytes differ, or that is packed in other ways" {
	only_ours # the words are
	# libarchive, where it reads them, goes by what stands beside the bytes
	run -0 ldd "$(dirname "$(command -v tf-parse)")/archive.so"
	if [[ $output != *libisal* ]]; then
		skip 'zip archives are read by libarchive in this build'
	fi
	python3 - "$here" <<-'END'
	import sys, zipfile
	deflated = zipfile.ZIP_DEFLATED
	with zipfile.ZipFile(sys.argv[1] + "/good.zip", "w", deflated) as z:
	    z.writestr("main.tf", "# text\n" * 100)
	    z.writestr("stored", "as it is", zipfile.ZIP_STORED)
	with zipfile.ZipFile(sys.argv[1] + "/b.zip", "w", zipfile.ZIP_BZIP2) as z:
	    z.writestr("main.tf", "# text\n" * 100)
	END
	of_web a "$here/good.zip"
	[ "$(sort -u .terraform/modules/a/main.tf)" = '# text' ]
	[ "$(cat .terraform/modules/a/stored)" = 'as it is' ]
	patched text.zip 'b"as it is"' 1 1
	refused "$here/text.zip" 'it is damaged'
	# of main.tf in the directory: its checksum, its size either way
	patched sum.zip 'b"PK\x01\x02"' 16 1
	refused "$here/sum.zip" 'it is damaged'
	patched long.zip 'b"PK\x01\x02"' 24 1
	refused "$here/long.zip" 'it is damaged'
	patched short.zip 'b"PK\x01\x02"' 24 255
	refused "$here/short.zip" 'it is damaged'
	# what is deflated has no end, or is none
	patched cut.zip 'b"PK\x01\x02"' 20 255
	refused "$here/cut.zip" 'it is damaged'
	patched bits.zip 'b"main.tf"' 7 6
	refused "$here/bits.zip" 'it is damaged'
	patched locked.zip 'b"PK\x01\x02"' 8 1
	refused "$here/locked.zip" ''
	refused "$here/b.zip" 'its compression is none'
}

# bats test_tags=once
@test "an archive that is too large is refused at the limit" {
	only_ours # OpenTofu has none
	head -c 3000000 /dev/zero >"$here/m/zeros"
	pack m.tar.gz
	TFPIPE_MAX_MODULE_SIZE=2 refused https://files.test/m.tar.gz \
		'it is too large'
	TFPIPE_MAX_MODULE_SIZE=4 of_web a https://files.test/m.tar.gz
}

# --- hosts that say where a module is ---

# bats test_tags=once
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
	echo '<html><head></head><meta name="terraform-get" content="x"></html>' |
		page files.test/behind
	refused https://files.test/behind 'no source URL was returned'
}

# bats test_tags=once
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

@test "a part that a host names lies in the package" {
	# names that only begin as those above do
	mkdir "$here/m/..x"
	echo 'output "x" { value = 1 }' >"$here/m/..x/main.tf"
	pack m.zip
	rules '{"at": "files.test/where", "status": 204,
		"headers": {"X-Terraform-Get": "https://files.test/m.zip//..x"}}'
	of_web a https://files.test/where
	diff -r "$here/m/..x" .terraform/modules/a
	only_ours # OpenTofu takes what is above
	for part in .. ../x; do
		rules "{\"at\": \"files.test/where\", \"status\": 204,
			\"headers\": {\"X-Terraform-Get\": \"https://files.test/m.zip//$part\"}}"
		rm -rf .terraform
		refused https://files.test/where \
			'the subdirectory that the host names leads out of the package'
	done
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

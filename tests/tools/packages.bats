#!/usr/bin/env bats
# What others get: the archive of sources, the archive of programs.  scripts/deb tries
# the Debian packages, scripts/image the image.
bats_require_minimum_version 1.5.0
load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	build=$(dirname "$(command -v tf-plan)")
	[ -f "$build/Makefile" ] || cannot 'make packages without the build tree'
}

@test "make bindist: runs in any folder, also through a link, and finds all its parts" {
	! sanitized tf-plan || cannot 'move what loads sanitizers'
	run -0 make -s -C "$build" bindist BINDIST_XZ=-0 BINDIST_TO="$PWD"
	mkdir 'a b' c
	tar -xJf tfpipe-*.tar.xz -C 'a b'
	mv 'a b'/tfpipe-* 'a b/here'
	run -0 "$TF_TEST_SRC/tests/smoke" "a b/here/bin/tf"
	mv 'a b/here' c/there
	ln -s ../c/there/bin/tf 'a b/tofu'
	run -0 env -C 'a b' ./tofu version
	[[ $output = 'OpenTofu v'* ]]
	# nothing of the first place, or of where it was built, is there to be found
	run -0 env PATH=/usr/bin:/bin strace -f -o opened -e trace=openat,execve,access,readlink \
		"$TF_TEST_SRC/tests/smoke" c/there/bin/tf
	run -1 grep -F "$build/" opened
	grep -qF there/bin/../libexec/tfpipe/crypto.so opened
	grep -q '^libc.so.6: ' c/there/NEEDS
}

@test "make dist: the same bytes in another folder, of another user and umask, later" {
	export SOURCE_DATE_EPOCH=1700000000
	run -0 make -s -C "$build" dist
	file=$(echo "$build"/tfpipe-*.tar.gz)
	mv "$file" one
	(
		umask 077
		mkdir -p there/build
		# temporary files may lie in the sources
		tar -C "$TF_TEST_SRC" -c --exclude='./build*' --exclude=./.git \
			--exclude="./$(realpath --relative-to="$TF_TEST_SRC" "$PWD")" . |
			tar -C there -xm --no-same-permissions
		cp -r "$TF_TEST_SRC/build-aux" there
		cp "$build/Makefile" "$build/config.status" there/build
		sed -i "s|^\\(abs_[a-z_]*srcdir\\|srcdir\\|top_srcdir\\|VPATH\\) = .*|\1 = ..|" \
			there/build/Makefile
	)
	[ "$UID" != 0 ] || chown -R 65534:65534 there
	(umask 027 && run -0 make -s -C there/build dist)
	cmp one there/build/tfpipe-*.tar.gz
}

@test "configure.ac, NEWS, the Debian package and tf version name one version" {
	version=$(tf version | sed -n 's/^tfpipe v\([^,]*\),.*/\1/p')
	[ -n "$version" ]
	grep -qF "AC_INIT([tfpipe], [$version])" "$TF_TEST_SRC/configure.ac"
	[[ $(grep -m 1 '[0-9]' "$TF_TEST_SRC/NEWS") = "$version, "* ]]
	[ ! -d "$TF_TEST_SRC/debian" ] || # which is not in archives of sources
		[[ $(head -1 "$TF_TEST_SRC/debian/changelog") = "tfpipe ($version-"* ]]
}

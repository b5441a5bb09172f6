# lib.sh - shared by the scripts: packages and builds

# What the build needs, and what the tests need on top, on Debian 12.
build_packages='gcc make autoconf automake pkg-config libyajl-dev libmpfr-dev
libunistring-dev libmsgpack-dev libyaml-dev libpcre2-dev libssl-dev
zlib1g-dev libcrypt-dev libedit-dev libarchive-dev libprotobuf-c-dev protobuf-c-compiler
libnghttp2-dev'
test_packages='bats jq mandoc python3 python3-jsonschema procps git'

# What tests/fuzz/run needs.
fuzz_packages='clang libclang-rt-14-dev'

say() {
	printf '==> %s\n' "$*"
}

# Installs what is missing of the packages named; root, or sudo.
install_packages() {
	missing=
	for p; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null |
			grep -q 'ok installed' || missing="$missing $p"
	done
	[ -n "$missing" ] || return 0
	say "installing:$missing"
	sudo=
	[ "$(id -u)" = 0 ] || sudo=sudo
	export DEBIAN_FRONTEND=noninteractive
	$sudo apt-get update -q >/dev/null &&
		$sudo apt-get install -q -y --no-install-recommends $missing \
			>/dev/null
}

# build DIR [configure options]: configures once, then makes.
build() {
	dir=$1
	shift
	top=$PWD
	[ -x configure ] && [ configure -nt configure.ac ] || autoreconf -i
	mkdir -p "$dir"
	cd "$dir"
	[ -f Makefile ] || "$top/configure" -q "$@"
	make -s -j"$(nproc)"
	cd "$top"
}

# lib.sh - shared by the scripts: packages and builds

# What the build needs, and what the tests need on top, on Debian 12.
build_packages='gcc make autoconf automake pkg-config libyajl-dev libmpfr-dev
libunistring-dev libyaml-dev libpcre2-dev libssl-dev
zlib1g-dev libcrypt-dev libedit-dev libarchive-dev libzip-dev libisal-dev libprotobuf-c-dev
protobuf-c-compiler libnghttp2-dev libcurl4-openssl-dev libpq-dev'
test_packages='bats jq gojq mandoc python3 python3-jsonschema procps git shellcheck
	strace zsh fish openssl gpg gpg-agent gpgv mercurial docker-registry
	openssh-client openssh-server python3-asyncssh git-lfs python3-venv postgresql
	chromium cmark-gfm'

# What tests/fuzz/run needs beside -ci, and tests/analyze.
fuzz_packages='clang libclang-rt-14-dev'
analysis_packages='cppcheck clang-tidy clang-format clang musl-tools'

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
	sudo=
	if [ "$(id -u)" != 0 ]; then
		sudo=sudo
		command -v sudo >/dev/null || {
			say 'packages are missing, and neither root nor sudo is here; have this run:'
			echo "apt-get install --no-install-recommends$missing"
			return 1
		} >&2
	fi
	say "installing:$missing"
	export DEBIAN_FRONTEND=noninteractive
	$sudo apt-get update -q >/dev/null &&
		$sudo apt-get install -q -y --no-install-recommends $missing \
			>/dev/null
}

# The newest commit before what is new here: what TFPIPE_CI_BASE names, where the
# branch left origin's main, the newest tag, or the 21st back.  Prints nothing where so
# much of the history is not here.
landed() {
	for ref in ${TFPIPE_CI_BASE:-} origin/main \
		"$(git describe --tags --abbrev=0 HEAD^ 2>/dev/null)"; do
		base=$(git merge-base HEAD "$ref" 2>/dev/null) || continue
		[ "$base" != "$(git rev-parse HEAD)" ] || continue
		echo "$base"
		return 0
	done
	git rev-parse -q --verify HEAD~20 2>/dev/null || :
}

# (mawk would read 4 KB of a pipe at a time, so lines are read by the shell.)

# Reads what make says: its steps become a percentage of $1, all else goes on.
progress() {
	n=0 last=0
	while IFS= read -r line; do
		case $line in
		'  '[A-Z][A-Z]*' '*) ;;
		'make '* | 'make['*) continue ;;
		*)
			printf '%s\n' "$line"
			continue
			;;
		esac
		n=$((n + 1))
		percent=$((n * 100 / ($1 > 0 ? $1 : 1)))
		[ "$percent" -le 100 ] || percent=100
		if [ -t 1 ]; then
			printf '\r    %d %%' "$percent"
		elif [ "$percent" -ge $((last + 20)) ]; then
			last=$((percent - percent % 20))
			printf '    %d %%\n' "$last"
		fi
	done
	if [ -t 1 ] && [ "$n" -gt 0 ]; then
		echo
	fi
}

# Reads what make check says: a line for each program that has ended, $1 in all.
# On a terminal the lines of those that passed are written over one another.
tested() {
	n=0 over=
	while IFS= read -r line; do
		case $line in
		PASS:* | FAIL:* | SKIP:* | XPASS:* | XFAIL:* | ERROR:*) ;;
		*) continue ;;
		esac
		n=$((n + 1))
		if [ -t 1 ]; then
			printf '\r\033[K'
		fi
		printf '    %d of %d  %s' "$n" "$1" "$line"
		over=
		if [ -t 1 ] && [ "${line%%:*}" = PASS ]; then
			over=true
		else
			echo
		fi
	done
	[ -z "$over" ] || echo
}

# run_tests DIR LOG: make check, with all it says in LOG.  Tests wait half of their
# time, for servers and for what is tried again: twice as many as there are processors.
run_tests() {
	total=$(printf 'include Makefile\ntotal:\n\t@echo $(words $(TESTS))\n' |
		make -s --no-print-directory -C "$1" -f - total)
	{
		status=0
		make -s -j"$(($(nproc) * 2))" -C "$1" check 2>&1 || status=$?
		echo "$status" >"$1/checked"
	} | tee "$2" | tested "$total"
	status=$(cat "$1/checked")
	rm -f "$1/checked"
	return "$status"
}

# build DIR [configure options]: configures once, then makes $build_goal: all, or
# all-tested, which is all that the tests run.
build_goal=all
build() {
	dir=$1
	shift
	top=$PWD
	case $top in
	*[[:space:]]*)
		say "make cannot build in a path with a space: $top" >&2
		return 1
		;;
	esac
	[ -x configure ] && [ configure -nt configure.ac ] ||
		autoreconf -i >/dev/null 2>&1 || autoreconf -i
	mkdir -p "$dir"
	cd "$dir"
	# by a relative path the sources and what is built can be copied (mutants)
	configure=$top/configure
	[ ! ../configure -ef "$configure" ] || configure=../configure
	[ -f Makefile ] || "$configure" -q "$@"
	# none where all is built already, which is no failure of grep's
	total=$(make -n "$build_goal" | grep -c '^echo "  [A-Z]* *"') || :
	{
		status=0
		make -j"$(nproc)" --no-print-directory "$build_goal" 2>&1 || status=$?
		echo "$status" >made
	} | progress "$total"
	status=$(cat made)
	rm -f made
	cd "$top"
	return "$status"
}

# registry.bash - what tests of registries of providers share: a server, a key that
# signs, and a directory of its own for each test, in which it begins.

load net

setup_file() {
	signing_key
}

teardown_file() {
	signing_key_end
}

registry_setup() {
	serve
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/w"
	cd "$BATS_TEST_TMPDIR/w"
}

teardown() {
	serve_end
}

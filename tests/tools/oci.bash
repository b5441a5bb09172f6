# oci.bash - what tests of OCI registries share: a server that is one (oci.test),
# another that issues tokens (auth.test), and one that has blobs (blobs.test).

load net

oci_setup() {
	net_hosts='localhost registry-1.docker.io oci.test auth.test blobs.test other.test registry.opentofu.org'
	serve
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	export HOME=$BATS_TEST_TMPDIR/home XDG_CONFIG_HOME= XDG_RUNTIME_DIR=
	export TFPIPE_CACHE_DIR= TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/w"
	cd "$BATS_TEST_TMPDIR/w"
	: >"$TF_CLI_CONFIG_FILE"
	basic='Basic dTpzM2NyM3Q=' # u:s3cr3t
}

# A registry that wants a token of auth.test for a repository, of anybody, or only
# of those with this header: bearer NAME [HEADER]
bearer() {
	local who=
	[ -z "${2-}" ] || who="\"auth\": \"$2\", "
	echo "{\"at\": \"auth.test/token\", $who\"body\": \"{\\\"token\\\": \\\"t0k3n\\\"}\"},
{\"at\": \"oci.test/v2/*\", \"token\": \"t0k3n\", \"challenge\":
\"Bearer realm=\\\"https://auth.test/token\\\",service=\\\"oci.test\\\",scope=\\\"repository:$1:pull\\\"\"}"
}

# A registry that wants a name and a password.
named() {
	echo "{\"at\": \"oci.test/v2/*\", \"auth\": \"$basic\",
\"challenge\": \"Basic realm=\\\"r\\\"\"}"
}

# The CLI configuration: what is given, and standard input.
configured() {
	{
		printf '%s\n' "$@"
		cat
	} >"$TF_CLI_CONFIG_FILE"
}

# Neither what was said nor what was written has the secrets of these tests.
no_secrets() {
	[[ $output != *s3cr3t* ]]
	[[ $output != *t0k3n* ]]
	run -1 grep -rl 's3cr3t\|t0k3n\|dTpzM2NyM3Q' .
}

said() { # on one line
	tr -s ' \n│' ' ' <<<"$output"
}

# A registry as people run it, which u:s3cr3t may use: registry is HOST:PORT.
registry_starts() {
	need docker-registry
	printf 'u:%s\n' "$(tf-eval -e 'bcrypt("s3cr3t")' | tr -d '"')" >"$net/htpasswd"
	cat >"$net/registry.yml" <<-END
		version: 0.1
		log: {level: info}
		storage: {filesystem: {rootdirectory: $net/registry}}
		auth: {htpasswd: {realm: r, path: $net/htpasswd}}
		http:
		  addr: 127.0.0.1:0
		  tls: {certificate: $net/server.pem, key: $net/server.key}
	END
	docker-registry serve "$net/registry.yml" >"$net/registry.log" 2>&1 3>&- &
	registry_pid=$!
	for _ in $(seq 1200); do
		registry=localhost:$(sed -n 's/.*listening on 127.0.0.1:\([0-9]*\), tls.*/\1/p' "$net/registry.log")
		[ "$registry" = localhost: ] || return 0
		sleep 0.05
	done
	cat "$net/registry.log"
	return 1
}

registry_ends() {
	[ -z "${registry_pid-}" ] || kill "$registry_pid"
}

# net.bash - a server of the tests' own (tests/net/server.py), for files that
# load it: `serve` in setup, `serve_end` in teardown.  Hosts are made up; they are
# reached through the server as a proxy, with a CA made here.

net_hosts='registry.test mirror.test other.test files.test registry.opentofu.org
login.test app.terraform.io'

# A CA, and a certificate of it for hosts: certificates DIR NAME... (DNS:x or IP:x)
certificates() {
	local dir=$1 IFS=,
	shift
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-subj /CN=tests -days 2 -keyout "$dir/ca.key" -out "$dir/ca.pem" \
		2>/dev/null
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
		-subj /CN=server -keyout "$dir/server.key" -out "$dir/server.csr" \
		2>/dev/null
	openssl x509 -req -in "$dir/server.csr" -CA "$dir/ca.pem" \
		-CAkey "$dir/ca.key" -days 2 -out "$dir/server.pem" \
		-extfile <(echo "subjectAltName=$*") 2>/dev/null
}

# What a command makes in the directory that it is given, made once for the tests of a
# file and copied: made_once DIRECTORY COMMAND [ARGUMENT...]
made_once() {
	local to=$1 made
	shift
	made=${BATS_FILE_TMPDIR-$BATS_TEST_TMPDIR}/made.$(cksum <<<"$*" | tr ' ' .)
	if [ ! -d "$made" ]; then
		rm -rf "$made.new"
		mkdir "$made.new"
		"$1" "$made.new" "${@:2}"
		mv "$made.new" "$made"
	fi
	mkdir -p "$to"
	cp -a "$made/." "$to"
}

# Starts the server: net is its directory.
serve() {
	local names=()
	need python3 openssl || return 1
	net=$BATS_TEST_TMPDIR/net
	mkdir -p "$net/www"
	: >"$net/log"
	for h in $net_hosts; do
		names+=("DNS:$h")
	done
	made_once "$net" certificates "${names[@]}"
	mkfifo "$net/in"
	python3 "$TF_TEST_SRC/tests/net/server.py" "$net" \
		<"$net/in" >"$net/out" 2>&1 3>&- &
	exec {net_in}>"$net/in"
	for _ in $(seq 1200); do
		[ ! -e "$net/port" ] || break
		sleep 0.05
	done
	net_port=$(cat "$net/port")
	export HTTPS_PROXY=http://127.0.0.1:$net_port
	export HTTP_PROXY=$HTTPS_PROXY NO_PROXY=
	unset https_proxy http_proxy no_proxy
	export SSL_CERT_FILE=$net/ca.pem
}

serve_end() {
	[ -z "${net_in-}" ] || exec {net_in}>&-
}

# A file that a host serves: page HOST/PATH <CONTENT
page() {
	mkdir -p "$(dirname "$net/www/$1")"
	cat >"$net/www/$1"
}

# The exceptions of the server: rules JSON...
rules() {
	local IFS=,
	echo "[$*]" >"$net/rules.new"
	mv "$net/rules.new" "$net/rules.json"
}

# How many requests of a method and place there were: asked 'GET host/path'
asked() {
	awk -v line="$1" '$0 == line { n++ } END { print n + 0 }' "$net/log"
}

asked_at_all() {
	awk 'END { print NR }' "$net/log"
}

# A key for signatures, in a directory with a short name: sockets need that.
signing_key() { # [ALGORITHM]
	need gpg gpgv || return 1
	GNUPGHOME=$(mktemp -d /tmp/tfkey.XXXXXX)
	export GNUPGHOME
	gpg --batch --quiet --passphrase '' --quick-gen-key tests@test \
		"${1-ed25519}" sign never 2>/dev/null
	key_id=$(gpg --batch --with-colons -k | awk -F: '/^fpr/ { print substr($10, 25); exit }')
	export key_id
}

signing_key_end() {
	[ -n "${GNUPGHOME-}" ] || return 0
	gpgconf --kill all
	rm -rf "$GNUPGHOME"
}

# publish HOST NAMESPACE/TYPE VERSION...
publish() {
	gpg --batch --armor --export >"$net/key.asc"
	python3 "$TF_TEST_SRC/tests/net/registry.py" "$net" "$@"
}

# The JSON of a file that a host serves, changed: change HOST/PATH FILTER
change() {
	jq "$2" "$net/www/$1" >"$net/changed"
	mv "$net/changed" "$net/www/$1"
}

# The tests' program, or TF_TEST_CLI, with what differs between the two taken
# out of what they say.
cli() {
	timeout 60 "${TF_TEST_CLI-tf}" "$@" 2>&1 | sed 's/OpenTofu/tfpipe/g; s/"tofu /"tf /g'
}

ours() { # what follows is about tf alone
	[ -z "${TF_TEST_CLI-}" ]
}

# servers.bash - real servers (tests/servers), for files that load it
#
# start_server in setup_file or setup, stop_servers in teardown_file or teardown.  A
# server that cannot be had here skips the test, with a line that says why.

load net

# What a machine has set for its own clouds is nothing to the tests.
no_clouds() {
	local name names
	names=$(compgen -e)
	[ -n "$names" ]
	for name in $names; do
		case $name in
		AWS_* | ARM_* | AZURE_* | GOOGLE_* | GCE_* | STORAGE_EMULATOR_HOST | \
			PG[A-Z]* | TF_HTTP_* | KUBE* | CONSUL_* | TF_CLOUD_* | \
			TENCENTCLOUD_* | ALICLOUD_* | OSS_ENDPOINT)
			unset "$name"
			;;
		esac
	done
	export AWS_EC2_METADATA_DISABLED=true
	export AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_CONFIG_FILE=/dev/null
}

# Starts tests/servers/PROGRAM.py with its directory and arguments, which is not
# there yet but for what the caller has put into it; NAME_dir and NAME_port say
# where it is: start_program NAME PROGRAM [ARGUMENT...]
start_program() {
	local name=$1 dir=$servers_top/$1 program=$2 hold pid
	shift 2
	rm -f "$dir/port" "$dir/in"
	mkfifo "$dir/in"
	python3 "$TF_TEST_SRC/tests/servers/$program.py" "$@" \
		<"$dir/in" >"$dir/out" 2>&1 3>&- &
	pid=$!
	exec {hold}>"$dir/in"
	servers_held="${servers_held-} $hold"
	if ! wait_for_port; then
		cat "$dir/out"
		hold=0
		wait "$pid" || hold=$?
		return $((hold > 0 ? hold : 1))
	fi
	read -r hold <"$dir/port"
	export "${name}_dir=$dir" "${name}_port=$hold"
}

# Until the program $pid has written $dir/port; fails if it has ended instead.
wait_for_port() {
	for _ in $(seq 600); do
		[ ! -e "$dir/port" ] || break
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	[ -e "$dir/port" ]
}

# azurite, which setup_file has started, has nothing any more.
empty_server() { # NAME
	local dir=${1}_dir pid=$$
	dir=${!dir}
	rm "$dir/port"
	echo >"$dir/in"
	wait_for_port
}

# The fakes of key services.
start_keys() {
	need python3 || return 1
	server_dir keys
	start_program keys keys "$servers_top/keys"
}

# moto, versitygw, gcs, azurite, postgres: start_server NAME
start_server() {
	local status=0
	need python3 openssl || return 1
	server_dir "$1"
	start_program "$1" run "$1" "$servers_top/$1" || status=$?
	[ "$status" = 3 ] || return "$status"
	# what scripts/servers could not have is told by it
	if ls "${TFPIPE_TEST_SERVERS:-/nowhere}"/*.failed >/dev/null 2>&1; then
		skip "$(cat "$servers_top/$1/out")"
	fi
	cannot "$(cat "$servers_top/$1/out")"
}

# The store of the http backend: start_store [tls|mtls]
start_store() {
	start_fake store http_state "$@"
}

# What no registry has, as far as a backend asks it: start_fake NAME PROGRAM [...]
start_fake() {
	need python3 openssl || return 1
	server_dir "$1"
	start_program "$1" "$2" "$servers_top/$1" "${@:3}"
}

# The fake of the TFE API: start_tfe
start_tfe() {
	need python3 openssl || return 1
	server_dir tfe
	start_program tfe tfe "$servers_top/tfe"
}

# What passes on to a server that was started, with faults, and records requests;
# PROXY is NAME_proxy: start_proxy NAME [raw]
start_proxy() {
	local port=${1}_port
	server_dir "${1}_proxy"
	start_program "${1}_proxy" proxy "$servers_top/${1}_proxy" \
		"127.0.0.1:${!port}" "${@:2}"
}

server_dir() { # NAME
	local dir
	servers_top=${servers_top-${BATS_TEST_TMPDIR-$BATS_FILE_TMPDIR}/servers}
	dir=$servers_top/$1
	mkdir -p "$dir"
	if [ ! -e "$servers_top/ca.pem" ]; then
		made_once "$servers_top" certificates IP:127.0.0.1 DNS:localhost \
			DNS:tests.blob.core.windows.net DNS:tests.vault.azure.net \
			DNS:login.microsoftonline.com \
			DNS:tests-1.cos.ap-guangzhou.myqcloud.com \
			DNS:tests-1.cos.accelerate.myqcloud.com \
			'DNS:*.tencentcloudapi.com' \
			DNS:sts.test DNS:sts.cn-beijing.aliyuncs.com
	fi
	cp "$servers_top"/ca.pem "$servers_top"/server.{pem,key} "$dir"
}

stop_servers() {
	local hold
	for hold in ${servers_held-}; do
		exec {hold}>&-
	done
	servers_held=
}

# The faults of a proxy, from its next request on: faults PROXY JSON...
faults() {
	local dir=${1}_dir
	local IFS=,
	shift
	echo "[$*]" >"${!dir}/faults.new"
	mv "${!dir}/faults.new" "${!dir}/faults.json"
}

# What a proxy has passed on, a line each: METHOD PATH STATUS.  It forgets them.
requests() { # PROXY
	local dir=${1}_dir
	jq -r '"\(.method) \(.path) \(.status // "cut")"' "${!dir}/requests.jsonl"
	rm -f "${!dir}/requests.jsonl"
}

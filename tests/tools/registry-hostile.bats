#!/usr/bin/env bats
# registry-hostile.bats - answers and packages that nobody should send: an error
# that names host and package, nothing half installed, the directory as before;
# several inits at a time with one plugin cache; and those that are killed.

load common
load registry

without_leak_checks

setup() {
	registry_setup
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir -p "$TMPDIR"
	unset TF_CLI_CONFIG_FILE
	api=registry.test/v1/providers/acme/one
	zip=registry.test/files/acme/one/terraform-provider-one_1.0.0_$platform.zip
	cat >main.tf <<-'END'
	terraform {
	  required_providers {
	    one = {
	      source = "registry.test/acme/one"
	    }
	  }
	}
	END
}

# refused TEXT: init fails, names the package, and leaves nothing behind.
refused() {
	run -1 tf init -no-color
	flat=$(tr -s ' \n│' ' ' <<<"$output")
	[[ $flat = *registry.test/acme/one*"$1"* ]] || {
		echo "$output"
		return 1
	}
	run -0 find . "$TMPDIR" -type f
	[ "$output" = ./main.tf ]
	[ ! -e .terraform/providers ]
	run -0 find "$TMPDIR" -mindepth 1
	[ -z "$output" ]
}

@test "bodies that do not end, of each answer" {
	publish registry.test acme/one 1.0.0
	export TF_REGISTRY_DISCOVERY_RETRY=1
	rules "{\"at\":\"$api/versions\",\"endless\":true}"
	refused 'the answer is larger than'
	rules "{\"at\":\"$api/1.0.0/*\",\"endless\":true}"
	refused 'the answer is larger than'
	rules '{"at":"registry.test/files/acme/one/terraform-provider-one_1.0.0_SHA256SUMS","endless":true}'
	refused 'the answer is larger than'
	rules '{"at":"registry.test/files/acme/one/terraform-provider-one_1.0.0_SHA256SUMS.sig","endless":true}'
	refused 'the answer is larger than'
	rules '{"at":"registry.test/.well-known/terraform.json","endless":true}'
	refused 'the answer is larger than'
}

@test "bodies that are cut, lengths that are wrong" {
	publish registry.test acme/one 1.0.0
	echo 'registry_protocols {
  retry_count = 0
}
provider_installation {
  direct {
    download_retry_count = 0
  }
}' >"$HOME/.tofurc"
	rules "{\"at\":\"$api/versions\",\"cut\":20}"
	refused 'request failed: '
	rules "{\"at\":\"$zip\",\"cut\":100}"
	refused 'registry.test: '
	rules "{\"at\":\"$zip\",\"length\":100}"
	refused 'archive has incorrect checksum'
	rules "{\"at\":\"$zip\",\"length\":100000,\"cut\":90000}"
	refused 'registry.test: '
}

@test "redirects without end, and to what is not the web" {
	publish registry.test acme/one 1.0.0
	for at in "$api/versions" "$zip"; do
		rules "{\"at\":\"$at\",\"redirect\":\"https://$at\"}"
		refused 'redirects'
		rules "{\"at\":\"$at\",\"redirect\":\"file:///etc/passwd\"}"
		refused 'no web address'
	done
}

@test "JSON that nests deep, that is of another kind, that is not UTF-8" {
	publish registry.test acme/one 1.0.0
	for at in "$api/versions" "$api/1.0.0/download/${platform/_/\/}"; do
		cp "$net/www/$at" "$net/whole"
		python3 -c 'print("[" * 1000000)' | page "$at"
		refused 'JSON'
		printf '"\377"' | page "$at"
		refused 'JSON'
		cp "$net/whole" "$net/www/$at"
	done
	echo '{"versions":{"a":[]}}' | page "$api/versions"
	refused ''
	echo '{"versions":[[],1,null,{"version":{}}]}' | page "$api/versions"
	refused 'invalid version string'
	echo '{"providers.v1":["x"]}' | page registry.test/.well-known/terraform.json
	refused ''
	echo '{"providers.v1":"ftp://x/"}' | page registry.test/.well-known/terraform.json
	refused 'none of the web'
}

@test "each address of an answer is one of the web" {
	publish registry.test acme/one 1.0.0
	page=$api/1.0.0/download/${platform/_/\/}
	cp "$net/www/$page" "$net/good"
	for member in download_url shasums_url shasums_signature_url; do
		for address in ftp://registry.test/x file:///etc/passwd; do
			cp "$net/good" "$net/www/$page"
			change "$page" ".$member = \"$address\""
			refused 'an invalid address: it must be one of http or https'
		done
	done
	cp "$net/good" "$net/www/$page"
	run -0 tf init
}

@test "control characters do not reach the terminal" {
	publish registry.test acme/one 1.0.0
	change "$api/1.0.0/download/${platform/_/\/}" '.filename = "a\u001b]0;x\u0007.zip"'
	run -1 tf init -no-color
	[[ $(tr -s ' \n│' ' ' <<<"$output") = *'checksum list has no SHA-256 hash'* ]]
	run -1 grep -q $'[\033\007]' <<<"$output"
	change "$api/versions" '.warnings = ["look\u001b[31m here"]'
	run -1 tf init -no-color
	run -1 grep -q $'[\033\007]' <<<"$output"
}

@test "archives that climb, that link, that are none, that have no program" {
	for entry in '["../escaped","x","100644"]' '["/tmp/net-escaped","x","100644"]' \
		'["a/../../escaped","x","100644"]' '["link","/etc/passwd","120777"]' \
		'["a\\..\\b","x","100644"]' '["LICENSE","again","100644"]'; do
		ENTRIES=[$entry] publish registry.test acme/one 1.0.0
		refused ''
		[ ! -e ../escaped ]
		[ ! -e /tmp/net-escaped ]
	done
	PROGRAM=no publish registry.test acme/one 1.0.0
	refused 'has no program named terraform-provider-one'
	ENTRIES='[["bin/terraform-provider-one","x","100755"]]' PROGRAM=no \
		publish registry.test acme/one 1.0.0
	refused 'has no program named terraform-provider-one'
	# what is no archive, with all that vouches for it
	publish registry.test acme/one 1.0.0
	echo nonsense | page "$zip"
	sum=$(sha256sum "$net/www/$zip" | cut -d' ' -f1)
	sums=${zip%_linux*}_SHA256SUMS
	echo "$sum  ${zip##*/}" | page "$sums"
	gpg --batch --yes --detach-sign --output "$net/www/$sums.sig" "$net/www/$sums"
	change "$api/1.0.0/download/${platform/_/\/}" ".shasum = \"$sum\""
	refused ''
}

@test "an archive that is larger inside than it may be" {
	truncate -s 3M "$net/payload"
	PAYLOAD=$net/payload publish registry.test acme/one 1.0.0
	[ "$(stat -c %s "$net/www/$zip")" -lt 20000 ] # a thousandth of it
	TFPIPE_MAX_PROVIDER_SIZE=2 refused 'it is too large'
	TFPIPE_MAX_PROVIDER_SIZE=4 run -0 tf init
}

# A list of checksums in which the archive has these, signed.
checksums() { # SUM...
	local sums=${zip%_linux*}_SHA256SUMS
	printf "%s  ${zip##*/}\n" "$@" | page "$sums"
	gpg --batch --yes --detach-sign --output "$net/www/$sums.sig" "$net/www/$sums"
}

@test "hashes that contradict each other" {
	publish registry.test acme/one 1.0.0
	good=$(sha256sum "$net/www/$zip" | cut -d ' ' -f 1)
	bad=${good//[0-9]/0}
	checksums "$bad" "$good"
	refused 'checksum list has unexpected SHA-256 hash'
	checksums "$good"
	change "$api/1.0.0/download/${platform/_/\/}" \
		".packages = {\"$platform\": {\"hashes\": [\"zh:$bad\"]}}"
	refused 'acme/one'
	change "$api/1.0.0/download/${platform/_/\/}" 'del(.packages)'
	run -0 tf init
}

@test "a registry that changes its mind" {
	publish registry.test acme/one 1.0.0 1.1.0
	# a version that it has a moment ago, but not to download
	mv "$net/www/$api/1.1.0" "$net/gone"
	refused '1.1.0'
	mv "$net/gone" "$net/www/$api/1.1.0"
	cp -r "$net/www" "$net/www.was"
	run -0 tf init
	find . -type f -exec sha256sum {} + | sort >"$net/before"
	# another program under the version that is locked, well signed
	ENTRIES='[["more","x","100644"]]' publish registry.test acme/one 1.1.0
	mv .terraform "$net/installed"
	run -1 tf init -no-color
	[[ $(tr -s ' \n' ' ' <<<"$output") = *registry.test/acme/one*'the dependency lock file has'* ]]
	[ ! -e .terraform/providers ]
	mv "$net/installed" .terraform
	run -0 tf init -no-color -upgrade # it is there already
	find . -type f -exec sha256sum {} + | sort | diff - "$net/before"
	# it does not know the version any more
	change "$api/versions" '.versions |= map(select(.version != "1.1.0"))'
	rm -r "$net/www/$api/1.1.0"
	run -0 tf init
	mv .terraform "$net/installed"
	run -1 tf init -no-color
	[[ $(tr -s ' \n' ' ' <<<"$output") = *registry.test/acme/one* ]]
	[ ! -e .terraform/providers ]
	run -0 find "$TMPDIR" -mindepth 1
	[ -z "$output" ]
}

@test "a failed upgrade leaves what was there" {
	publish registry.test acme/one 1.0.0
	tf init >/dev/null
	find . -type f -exec sha256sum {} + | sort >"$net/before"
	ENTRIES='[["../escaped","x","100644"]]' publish registry.test acme/one 2.0.0
	run -1 tf init -upgrade -no-color
	find . -type f -exec sha256sum {} + | sort | diff - "$net/before"
	run -0 tf init
}

@test "inits beside one another share a plugin cache" {
	publish registry.test acme/one 1.0.0
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	mkdir "$TF_PLUGIN_CACHE_DIR"
	rules "{\"at\":\"$zip\",\"together\":5}"
	for i in 1 2 3 4 5; do
		mkdir ../w$i
		cp main.tf ../w$i
		tf -chdir=../w$i init -no-color >../out$i 2>&1 3>&- &
		pids[i]=$!
	done
	for i in 1 2 3 4 5; do
		wait "${pids[i]}"
		[ -x "../w$i/.terraform/providers/registry.test/acme/one/1.0.0/$platform/terraform-provider-one_v1.0.0" ]
		[ -L "../w$i/.terraform/providers/registry.test/acme/one/1.0.0/$platform" ]
	done
	run -0 find "$TF_PLUGIN_CACHE_DIR" -name '*tmp*'
	[ -z "$output" ]
	# what the lock names and the cache has needs no request
	before=$(asked_at_all)
	rm -r ../w1/.terraform
	run -0 tf -chdir=../w1 init -no-color
	[[ $output = *'in the shared cache directory'* ]]
	[ "$(asked_at_all)" = "$before" ]
	# without a lock it is fetched, and stays the one that others use
	inode=$(stat -c %i "$TF_PLUGIN_CACHE_DIR/registry.test/acme/one/1.0.0/$platform")
	rules
	run -0 tf init
	[ "$(stat -c %i "$TF_PLUGIN_CACHE_DIR/registry.test/acme/one/1.0.0/$platform")" = "$inode" ]
}

@test "a package in the cache that is not what was fetched is replaced" {
	publish registry.test acme/one 1.0.0
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	d=$TF_PLUGIN_CACHE_DIR/registry.test/acme/one/1.0.0/$platform
	mkdir -p "$d"
	echo bad >"$d/terraform-provider-one_v1.0.0"
	run -0 tf init
	run -1 grep -q bad "$d/terraform-provider-one_v1.0.0"
	run -0 find "$TF_PLUGIN_CACHE_DIR" -name '*tmp*'
	[ -z "$output" ]
}

@test "an interrupted init leaves no package behind" {
	publish registry.test acme/one 1.0.0
	rules "{\"at\":\"$zip\",\"slow\":3000}"
	# not INT, which whoever runs this may ignore
	timeout -s TERM 3 tf init >/dev/null 2>&1 || :
	for _ in $(seq 600); do
		run -0 find "$TMPDIR" -type f
		[ -n "$output" ] || break
		sleep 0.1
	done
	[ ! -e .terraform/providers ]
	run -0 find "$TMPDIR" -type f
	[ -z "$output" ]
	[ ! -e .terraform.lock.hcl ]
}

# One provider has been checked, which leaves files; the other never comes.
@test "a second signal does not interrupt the clearing away" {
	ours || return 0
	need strace
	run strace -o none true
	[ "$status" = 0 ] || cannot 'strace may not trace here'
	publish registry.test acme/one 1.0.0
	publish registry.test acme/two 1.0.0
	sed -i '/required_providers/a two = { source = "registry.test/acme/two" }' main.tf
	rules "{\"at\":\"$zip\",\"slow\":3000}"
	ASAN_OPTIONS=detect_leaks=0 strace -qq -o none -e trace=unlink,unlinkat \
		-e inject=unlink,unlinkat:delay_enter=300000 \
		tf-init >/dev/null 2>&1 3>&- &
	tracer=$!
	for _ in $(seq 600); do
		! compgen -G "$TMPDIR/tfpipe-init.*/1.gpg/document" >/dev/null || break
		sleep 0.05
	done
	pid=$(pgrep -P "$tracer" -x tf-init)
	kill -TERM "$pid"
	sleep 0.1
	kill -TERM "$pid" # in the middle of it
	wait "$tracer" || :
	run -0 find "$TMPDIR" -type f
	[ -z "$output" ]
}

@test "a signal to tf alone stops init, which leaves nothing" {
	ours || return 0
	publish registry.test acme/one 1.0.0
	rules "{\"at\":\"$zip\",\"slow\":3000}"
	tf init >said 2>&1 3>&- &
	pid=$!
	for _ in $(seq 600); do
		! compgen -G "$TMPDIR/tfpipe-init.*/0" >/dev/null || break
		sleep 0.05
	done
	kill -TERM "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 1 ]
	grep -F 'interrupt signal' said
	run -0 find "$TMPDIR" -mindepth 1
	[ -z "$output" ]
}

# A provider that takes a while to unpack, and an init of it, which is waited for
# until it unpacks: pid, and pid of the worker.
begin_unpacking() {
	truncate -s 100M "$net/payload"
	PAYLOAD=$net/payload publish registry.test acme/one 1.0.0
	tf-init -no-color >"$net/said" 2>&1 3>&- &
	pid=$!
	worker=
	for _ in $(seq 1000); do
		! compgen -G ".terraform/providers/*/*/*/*/*.tmp/payload" >/dev/null ||
			break
		sleep 0.01
	done
	worker=$(pgrep -P "$pid" -x tf-init)
}

ended() { # the init: status
	status=0
	wait "$pid" || status=$?
}

nothing_left() {
	run -0 find . "$TMPDIR" -mindepth 1
	[ "${output/$'\n'.\/.terraform/}" = ./main.tf ] || {
		echo "$output"
		return 1
	}
}

@test "a worker that is killed leaves nothing behind" {
	begin_unpacking
	kill -KILL "$worker"
	ended
	[ "$status" = 1 ]
	[[ $(tr -s ' \n│' ' ' <"$net/said") = *registry.test/acme/one*'the process that checks and unpacks it has ended'* ]]
	nothing_left
	run -0 tf-init
}

@test "an init that is interrupted, or killed, while it unpacks leaves nothing behind" {
	begin_unpacking
	kill -TERM "$pid"
	ended
	[ "$status" = 1 ]
	nothing_left
	begin_unpacking
	kill -KILL "$pid"
	ended
	[ "$status" = 137 ]
	while kill -0 "$worker" 2>/dev/null; do
		sleep 0.05
	done
	nothing_left
	run -0 tf-init
}

@test "what an init left behind that was killed goes with the next" {
	ours || return 0
	publish registry.test acme/one 1.0.0
	rules "{\"at\":\"$zip\",\"slow\":3000}"
	local pids=()
	for i in 1 2; do
		tf-init >/dev/null 2>&1 3>&- &
		pids+=($!)
		for _ in $(seq 600); do
			files=("$TMPDIR"/tfpipe-init.*/0)
			[ ! -e "${files[i - 1]-}" ] || break
			sleep 0.05
		done
	done
	kill -KILL "${pids[0]}"
	wait "${pids[0]}" || :
	run -0 find "$TMPDIR" -mindepth 1 -maxdepth 1
	[ "${#lines[@]}" = 2 ]
	for _ in $(seq 600); do # its tf-fetch ends, too
		files=("$TMPDIR"/tfpipe-init.*/0)
		[ "${#files[@]}" -gt 1 ] || break
		sleep 0.05
	done
	mkdir "$TMPDIR/tfpipe-init.young" "$TMPDIR/tfpipe.init" "$HOME/kept"
	ln -s "$HOME/kept" "$TMPDIR/tfpipe-init.link"
	touch "$TMPDIR/tfpipe-init.file" "$HOME/kept/file"
	touch -d '2 minutes ago' "$HOME/kept" "$TMPDIR"/tfpipe-init.??????
	rules
	mkdir other
	cp main.tf other
	cd other
	run -0 tf-init
	# the other is at work, whatever the time
	run -0 find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'tfpipe-init.??????'
	[ "${#lines[@]}" = 1 ]
	[ -e "$TMPDIR/tfpipe-init.young" ]
	[ -e "$TMPDIR/tfpipe.init" ]
	[ -e "$TMPDIR/tfpipe-init.file" ]
	[ -e "$HOME/kept/file" ]
	kill -0 "${pids[1]}"
	kill -TERM "${pids[1]}"
	wait "${pids[1]}" || :
	# also by an init that fetches nothing
	touch -d '2 minutes ago' "$TMPDIR/tfpipe-init.young"
	run -0 tf-init
	[ ! -e "$TMPDIR/tfpipe-init.young" ]
}

@test "packages are unpacked beside one another" {
	[ "$(nproc)" -gt 1 ] || skip 'there is one processor'
	need strace
	truncate -s 30M "$net/payload"
	for p in one two; do
		PAYLOAD=$net/payload publish registry.test acme/$p 1.0.0
	done
	rules "{\"at\":\"registry.test/files/acme/*.zip\",\"together\":2}"
	sed -i 's|^    one.*|    two = { source = "registry.test/acme/two" }\n&|' main.tf
	# a worker makes its directory, and shuts its half of the socket at the end;
	# where there is much to do one may be done before the other begins
	for _ in {1..5}; do
		rm -rf .terraform .terraform.lock.hcl
		ASAN_OPTIONS=detect_leaks=0 strace -f -q -o "$net/trace" \
			-e trace=shutdown,mkdir tf-init >/dev/null
		run -0 awk '/mkdir\(".*\.tmp"/ { at[$1] }
			/shutdown\(.*SHUT_WR/ { delete at[$1] }
			length(at) > most { most = length(at) }
			END { print most }' "$net/trace"
		[ "$output" != 2 ] || break
	done
	[ "$output" = 2 ]
}

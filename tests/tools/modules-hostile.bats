#!/usr/bin/env bats
# modules-hostile.bats - answers and packages of modules that nobody should send, of
# this program alone: OpenTofu has no limits.  Others are in modules-web.bats.

load common
load modules
load net

without_leak_checks

setup() {
	only_ours
	modules_setup
	modules_web
	export TMPDIR=$here/tmp
	mkdir "$TMPDIR"
}

teardown() {
	serve_end
}

# Init fails, names the module and says this; the directory is as before.
refused() { # TEXT
	run -1 tf init -no-color
	flat
	[[ $output = *'"a"'*"$1"* || $output = *registry.test/a/b/c*"$1"* ]] || {
		echo "$output"
		return 1
	}
	[ ! -e .terraform/modules/a ]
	run -0 find . "$TMPDIR" -type f ! -name main.tf ! -name modules.json
	[ -z "$output" ]
}

refused_from() { # SOURCE TEXT
	calls "a=$1"
	refused "$2"
}

@test "an archive without end, with another length" {
	pack m.zip
	rules '{"at": "files.test/m.zip", "endless": true}'
	# and if it does not keep to that, the disk is not filled
	(ulimit -f 20000 && TFPIPE_MAX_MODULE_SIZE=2 refused_from https://files.test/m.zip 'larger than 2097152 bytes')
	rules '{"at": "files.test/m.zip", "length": 100}'
	refused_from https://files.test/m.zip 'the archive cannot be unpacked'
	rules '{"at": "files.test/m.zip", "length": 100000, "cut": 90000}'
	refused_from https://files.test/m.zip ''
}

@test "an archive that is elsewhere without end, and on no web" {
	rules '{"at": "files.test/m.zip", "redirect": "https://files.test/m.zip"}'
	refused_from https://files.test/m.zip 'redirects'
	rules '{"at": "files.test/m.zip", "redirect": "file:///etc/passwd"}'
	refused_from https://files.test/m.zip 'no web address'
	rules '{"at": "files.test/where", "endless": true}'
	refused_from https://files.test/where 'larger than'
}

@test "a hole in a file counts, a thousand times what was sent" {
	truncate -s 3M "$here/m/hole"
	echo end >>"$here/m/hole"
	mkdir -p "$net/www/files.test"
	tar -C "$here/m" --sparse -czf "$net/www/files.test/m.tar.gz" .
	[ "$(stat -c %s "$net/www/files.test/m.tar.gz")" -lt 1000 ]
	TFPIPE_MAX_MODULE_SIZE=2 refused_from https://files.test/m.tar.gz 'it is too large'
	rm "$here/m/hole"
	truncate -s 200M "$here/m/zeros"
	for kind in xz tar.gz; do
		pack "n.${kind/#xz/tar.xz}"
		TFPIPE_MAX_MODULE_SIZE=2 refused_from "https://files.test/n.${kind/#xz/tar.xz}" 'it is too large'
	done
}

@test "more entries than anybody has" {
	python3 - "$here/many.tar.gz" <<-'P'
	import gzip, sys, tarfile
	e = tarfile.TarInfo("d")
	e.type = tarfile.DIRTYPE
	block = e.tobuf() * 1000
	with gzip.open(sys.argv[1], "wb", 1) as f:
	    for _ in range(1001):
	        f.write(block)
	    f.write(bytes(1024))
	P
	refused_from "$here/many.tar.gz" 'it holds too many files'
}

@test "a registry whose answers do not end, nest deep, or are no text" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	export TF_REGISTRY_DISCOVERY_RETRY=1
	for at in registry.test/modules/a/b/c/versions \
		registry.test/modules/a/b/c/1.0.0/download \
		registry.test/.well-known/terraform.json; do
		rules "{\"at\": \"$at\", \"endless\": true}"
		refused 'larger than'
		cp "$net/www/$at" "$net/whole"
		rules
		python3 -c 'print("[" * 1000000)' | page "$at"
		refused ''
		printf '"\377"' | page "$at"
		refused ''
		cp "$net/whole" "$net/www/$at"
		rules "{\"at\": \"$at\", \"redirect\": \"https://$at\"}"
		refused 'redirects'
	done
}

@test "control characters of a registry do not reach the terminal" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	for location in 'x\u001b[31m' 'https://files.test/\u001b]0;x\u0007.zip' 'git::https://files.test/\u001b[2J?ref=\u0007'; do
		echo "{\"location\": \"$location\"}" |
			page registry.test/modules/a/b/c/1.0.0/download
		refused ''
		tf init -no-color >said 2>&1 || true
		run -1 grep -q $'[\033\007]' said
		rm said
	done
	printf '{"modules": [{"versions": [{"version": "1.0.0\\u001b[31m"}]}]}' |
		page registry.test/modules/a/b/c/versions
	refused ''
	tf init -no-color >said 2>&1 || true
	run -1 grep -q $'[\033\007]' said
}

@test "a registry that changes its mind" {
	offer a/b/c 1.0.0 1.1.0
	versioned a registry.test/a/b/c >main.tf
	# a version that it had a moment ago
	rm "$net/www/registry.test/modules/a/b/c/1.1.0/download"
	refused 1.1.0
	offer a/b/c 1.0.0 1.1.0
	run -0 tf init
	run -0 tf modules lock
	cp .terraform.modules.lock "$here/lock"
	# other files under the version that is locked
	echo 'output "evil" { value = 1 }' >"$here/m/evil.tf"
	offer a/b/c 1.0.0 1.1.0
	rm -r .terraform
	run -1 tf init -no-color
	flat
	[[ $output = *'Module package does not match the lock file'*registry.test/a/b/c* ]]
	[ ! -e .terraform/modules/a ]
	cmp .terraform.modules.lock "$here/lock"
}

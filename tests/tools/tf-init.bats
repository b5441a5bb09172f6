#!/usr/bin/env bats
# tf-init.bats - tf-init(1): modules, providers from directories, the lock
# file, the plugin cache, development overrides, backends

load common

jq_itself

# A package of acme/NAME: package DIR NAME VERSION [text]
package() {
	local d=$1/registry.opentofu.org/acme/$2/$3/$platform
	mkdir -p "$d"
	printf '#!/bin/sh\necho %s\nexit 1\n' "${4-$3}" \
		>"$d/terraform-provider-$2_v$3"
	chmod +x "$d/terraform-provider-$2_v$3"
}

# The CLI configuration: mirrors of the directories given.
mirrors() {
	echo 'provider_installation {'
	for d; do
		printf '  filesystem_mirror {\n    path = "%s"\n  }\n' "$d"
	done
	echo '}'
}

# required_providers of the arguments: NAME=CONSTRAINTS
require() {
	printf 'terraform {\n  required_providers {\n'
	for r; do
		printf '    %s = {\n      source = "acme/%s"\n' "${r%%=*}" "${r%%=*}"
		case $r in
		*=*) printf '      version = "%s"\n' "${r#*=}" ;;
		esac
		echo '    }'
	done
	printf '  }\n}\n'
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
	mkdir m
	package m one 1.0.0
	package m one 1.2.0
	package m one 2.0.0
	package m two 0.3.1
	mkdir w
	cd w
	mirrors "$BATS_TEST_TMPDIR/m" >../rc
	export TF_CLI_CONFIG_FILE=$BATS_TEST_TMPDIR/rc
	export HTTPS_PROXY=http://127.0.0.1:1 # no host can be reached
}

installed() { # NAME VERSION
	[ -x ".terraform/providers/registry.opentofu.org/acme/$1/$2/$platform/terraform-provider-$1_v$2" ]
}

locked() { # NAME: its locked version
	sed -n "/acme\/$1\"/,/}/s/^ *version *= \"\(.*\)\"/\1/p" \
		.terraform.lock.hcl
}

# --- modules ---

@test "an empty directory, an empty configuration" {
	run -0 tf init -no-color
	[[ $output = 'tfpipe initialized in an empty directory!'* ]]
	[ ! -e .terraform ]
	: >main.tf
	run -0 tf init -no-color
	[[ $output = *'tfpipe has been successfully initialized!'* ]]
	[[ $output != *'Initializing modules'* ]]
	[ ! -e .terraform.lock.hcl ]
}

# bats test_tags=once
@test "local modules, nested, and what modules.json says of them" {
	mkdir -p a/b
	echo 'module "a" { source = "./a" }' >main.tf
	echo 'module "b" { source = "./b" }' >a/main.tf
	echo 'output "o" { value = 1 }' >a/b/main.tf
	run -0 tf init -no-color
	[[ $output = *'Initializing modules...'*'- a in a'*'- a.b in a/b'* ]]
	run -0 jq -r '.Modules[] | .Key + "=" + .Dir' .terraform/modules/modules.json
	[ "$(sort <<<"$output")" = $'=.\na.b=a/b\na=a' ]
	# nothing new: nothing said
	run -0 tf init -no-color
	[[ $output != *'- a in a'* ]]
	run -0 tf init -no-color -upgrade
	[[ $output = *'Upgrading modules...'*'- a in a'* ]]
	# tf get: only this
	rm -r .terraform
	run -0 tf get
	[ "$output" = $'- a in a\n- a.b in a/b' ]
}

@test "a module that is not there, or comes from elsewhere" {
	echo 'module "a" { source = "./a" }' >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Unreadable module directory'* ]]
	echo 'module "a" { source = "git::https://example.com/a.git" }' >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to download module'* ]]
	[[ $output = *'main.tf line 1'* ]]
	# a command that needs it says what to do
	run -1 tf plan -no-color
	[[ $output = *"Error: Module not installed"* ]]
}

@test "a configuration with errors is told with all of them" {
	printf 'resource "x" {}\nvariable "v" {\n  type = strin\n}\n' >main.tf
	run -1 tf init -no-color
	[[ $output = *'tfpipe encountered problems during initialization'* ]]
	[[ $output = *'Error: Missing name for resource'* ]]
	[[ $output = *'Error: Invalid type specification'* ]]
}

# --- providers ---

@test "the newest allowed version is installed and locked" {
	require one='>= 1.0, < 2' two >main.tf
	run -0 tf init -no-color
	[[ $output = *'- Finding acme/one versions matching ">= 1.0.0, < 2.0.0"...'* ]]
	[[ $output = *'- Finding latest version of acme/two...'* ]]
	[[ $output = *'- Installing acme/one v1.2.0...'* ]]
	[[ $output = *'- Installed acme/one v1.2.0 (unauthenticated)'* ]]
	[[ $output = *'tfpipe has created a lock file .terraform.lock.hcl'* ]]
	[[ $output = *'Warning: Incomplete lock file information for providers'* ]]
	installed one 1.2.0
	installed two 0.3.1
	[ "$(locked one)" = 1.2.0 ]
	grep -q 'constraints = ">= 1.0.0, < 2.0.0"' .terraform.lock.hcl
	[ "$(grep -c 'h1:' .terraform.lock.hcl)" = 2 ]
}

# bats test_tags=once
@test "again: what is locked stays, -upgrade chooses anew" {
	require one='~> 1.0' >main.tf
	tf init >/dev/null
	sed -i 's/1\.2\.0/1.0.0/; /h1:/d; /hashes/,/\]/d' .terraform.lock.hcl
	rm -r .terraform
	run -0 tf init -no-color
	[[ $output = *'- Reusing previous version of acme/one from the dependency lock file'* ]]
	[[ $output = *'- Installed acme/one v1.0.0'* ]]
	[[ $output = *'tfpipe has made some changes to the provider dependency'* ]]
	[ "$(locked one)" = 1.0.0 ]
	cp .terraform.lock.hcl before
	run -0 tf init -no-color
	[[ $output = *'- Using previously-installed acme/one v1.0.0'* ]]
	cmp before .terraform.lock.hcl
	run -0 tf init -no-color -upgrade
	[[ $output = *'- Finding acme/one versions'*'- Installed acme/one v1.2.0'* ]]
	[ "$(locked one)" = 1.2.0 ]
	run -0 tf init -no-color -upgrade
	[[ $output = *'- Using previously-installed acme/one v1.2.0'* ]]
}

# bats test_tags=once
@test "a lock that the constraints, the mirror or the hash contradict" {
	require one='~> 1.0' >main.tf
	tf init >/dev/null
	cp .terraform.lock.hcl good
	rm -r .terraform
	sed -i 's/1\.2\.0/2.0.0/' .terraform.lock.hcl
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'* ]]
	[[ $output = *'init -upgrade'* ]]
	sed 's/1\.2\.0/1.1.0/' good >.terraform.lock.hcl
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'* ]]
	[[ $output = *'1.1.0'* ]]
	sed 's/h1:.*=/h1:AAAA=/' good >.terraform.lock.hcl
	run -1 tf init -no-color
	[[ $output = *'- Installing acme/one v1.2.0...'* ]]
	[[ $output = *'Error: Failed to install provider'* ]]
	run -1 installed one 1.2.0
	# an installed package that was changed is not used either
	cp good .terraform.lock.hcl
	tf init >/dev/null
	package ../m one 1.2.0 changed
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to install provider'* ]]
}

@test "a broken lock file is shown at its place" {
	require one >main.tf
	printf 'provider "registry.opentofu.org/acme/one" {\n  version = "1"\n}\n' \
		>.terraform.lock.hcl
	run -1 tf init -no-color
	[[ $output = *'Error: Invalid provider version number'* ]]
	[[ $output = *'on .terraform.lock.hcl line 2'*'version = "1"'* ]]
	echo 'provider {' >.terraform.lock.hcl
	run -1 tf init -no-color
	[[ $output = *'.terraform.lock.hcl line 1'* ]]
	[ ! -e .terraform/providers ]
}

@test "-lockfile=readonly" {
	require one='~> 1.0' >main.tf
	run -1 tf init -no-color -lockfile=readonly
	[[ $output = *'Error: Provider dependency changes detected'* ]]
	[ ! -e .terraform.lock.hcl ]
	tf init >/dev/null
	cp .terraform.lock.hcl before
	require one='>= 1.0' >main.tf
	run -0 tf init -no-color -lockfile=readonly
	[[ $output != *Warning* ]]
	sed -i 's/"h1:/"zh:0",\n    "h1:/; s/h1:.*=/h1:AAA=/' .terraform.lock.hcl
	run -1 tf init -no-color -lockfile=readonly
	sed -i '/h1:/d; /zh:/d; /hashes/,/\]/d' .terraform.lock.hcl
	cp .terraform.lock.hcl before
	run -0 tf init -no-color -lockfile=readonly
	[[ $output = *'Warning: Provider lock file not updated'* ]]
	cmp before .terraform.lock.hcl
	run -1 tf init -no-color -lockfile=readonly -upgrade
	[[ $output = *'The -upgrade flag conflicts with -lockfile=readonly.'* ]]
	# That is found behind a lock file that cannot be read.
	sed -i 's/constraints = .*/constraints = ">=1.0"/' .terraform.lock.hcl
	run -1 tf init -no-color -lockfile=readonly -upgrade
	[[ $output = *'Error: Invalid provider version constraints'* ]]
	[[ $output != *'-upgrade flag conflicts'* ]]
}

# bats test_tags=once
@test "constraints in a lock file are in normal form" {
	require one='>= 1.0, != 1.1' >main.tf
	tf init >/dev/null
	grep -q 'constraints = ">= 1.0.0, != 1.1.0"' .terraform.lock.hcl
	for text in '>= 1.0.0,!= 1.1.0' '!= 1.1.0, >= 1.0.0' '>= 1.0, != 1.1.0' \
		'>= 1.0.0, >= 1.0.0' '= 1.0.0'; do
		sed -i "s/constraints = .*/constraints = \"$text\"/" .terraform.lock.hcl
		run -1 tf init -no-color
		[[ $output = *'Error: Invalid provider version constraints'* ]]
		[[ $output = *'on .terraform.lock.hcl line 6'* ]]
	done
	for text in '>= 1.0.0, != 1.1.0' 1.0.0 '~> 1.0' '~> 1.0.0' '~> 1' '' \
		'> 0.9.0-beta1, >= 1.0.0'; do
		sed -i "s/constraints = .*/constraints = \"$text\"/" .terraform.lock.hcl
		run -0 tf init -no-color
	done
}

@test "what no directory has, what no version satisfies" {
	require one=3 none two='< 0.3' >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to query available provider packages'*acme/none* ]]
	# no registry was asked
	[[ $output != *registry\ does\ not\ know* ]]
	[[ $output = *'Error: Failed to resolve provider packages'*acme/one* ]]
	[[ $output = *acme/two* ]]
	[[ $output = *"$BATS_TEST_TMPDIR/m"* ]]
	[ ! -e .terraform.lock.hcl ]
}

@test "several mirrors, include and exclude, -plugin-dir" {
	package ../n one 1.9.0
	mirrors "$BATS_TEST_TMPDIR/m" "$BATS_TEST_TMPDIR/n" >../rc
	require one='~> 1.0' >main.tf
	tf init >/dev/null
	[ "$(locked one)" = 1.9.0 ]
	rm -r .terraform*
	cat >../rc <<-END
	provider_installation {
	  filesystem_mirror {
	    path    = "$BATS_TEST_TMPDIR/n"
	    include = ["acme/two"]
	  }
	  filesystem_mirror {
	    path    = "$BATS_TEST_TMPDIR/m"
	    exclude = ["acme/two"]
	  }
	}
	END
	tf init >/dev/null
	[ "$(locked one)" = 1.2.0 ]
	require two >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to query available provider packages'* ]]
	tf init -plugin-dir=../m >/dev/null
	installed two 0.3.1
}

# bats test_tags=once
@test "places that cannot be asked are errors, not passed over" {
	require one >main.tf
	mirror="filesystem_mirror { 
	  path = \"$BATS_TEST_TMPDIR/m\" 
	}"
	asked() { # METHOD...
		printf '%s\n' 'provider_installation {' "$@" '}' >../rc
		rm -rf .terraform .terraform.lock.hcl
		run tf init -no-color
	}
	error='Failed to resolve provider packages' # nobody answers
	for method in 'direct {
	}' 'network_mirror {
	  url = "https://mirror.example.com/p/"
	}' 'oci_mirror {
	  repository_template = "mirror.example.com/${namespace}/${type}"
	  include = ["registry.opentofu.org/*/*"]
	}'; do
		# also where a directory has the provider
		asked "$method" "$mirror"
		[ "$status" = 1 ]
		[[ $output = *"Error: $error"* ]]
		asked "$mirror" "$method"
		[ "$status" = 1 ]
		[[ $output = *"Error: $error"* ]]
		[[ $output = *acme/one* ]]
		[ ! -e .terraform ]
		# not where another provider is meant
		asked "${method%\}} exclude = [\"acme/*\"]
		}" "$mirror"
		[ "$status" = 0 ]
	done
	# A version that is locked is known.
	asked "$mirror"
	[ "$status" = 0 ]
	rm -rf .terraform
	printf '%s\n' 'provider_installation {' "$mirror" 'direct {' '}' '}' >../rc
	run -0 tf init
	run -1 tf init -upgrade
	run -0 tf init -upgrade -plugin-dir=../m
}

@test "by default the registry counts for what no directory has" {
	unset TF_CLI_CONFIG_FILE
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME/.local/share/terraform"
	cp -r ../m "$HOME/.local/share/terraform/plugins"
	require one >main.tf
	run -0 tf init
	require three >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to resolve provider packages'* ]]
	[[ $output = *'connect'*registry.opentofu.org* ]]
}

@test "-chdir: the CLI configuration is named from where tf was started" {
	require one >main.tf
	cd ..
	export TF_CLI_CONFIG_FILE=rc
	run -0 tf -chdir=w init
	[[ $output != *'Unable to open CLI configuration file'* ]]
	# none at all is none
	require >w/main.tf
	TF_CLI_CONFIG_FILE=/dev/null run -0 tf -chdir=w init
	[[ $output != *CLI* ]]
}

# bats test_tags=once
@test "packed packages" {
	need python3
	mkdir -p ../z/registry.opentofu.org/acme/one
	python3 - ../z/registry.opentofu.org/acme/one \
		../m/registry.opentofu.org/acme/one/1.2.0/"$platform" "$platform" <<-'END'
	import sys, zipfile, os
	dest, src, platform = sys.argv[1:]
	z = zipfile.ZipFile(f"{dest}/terraform-provider-one_1.2.0_{platform}.zip",
	                    "w", zipfile.ZIP_DEFLATED)
	z.write(f"{src}/terraform-provider-one_v1.2.0",
	        "terraform-provider-one_v1.2.0")
	bad = zipfile.ZipFile(
	    f"{dest}/terraform-provider-one_1.3.0_{platform}.zip", "w")
	bad.writestr("../escaped", "x")
	END
	require one >main.tf
	tf init >/dev/null
	grep h1: .terraform.lock.hcl >unpacked
	rm -r .terraform*
	mirrors "$BATS_TEST_TMPDIR/z" >../rc
	require one=1.2.0 >main.tf
	tf init >/dev/null
	installed one 1.2.0
	[ ! -L ".terraform/providers/registry.opentofu.org/acme/one/1.2.0/$platform" ]
	# one way or the other, the files hash to the same
	package ../m one 1.2.0
	rm -r .terraform
	mirrors "$BATS_TEST_TMPDIR/m" >../rc
	run -0 tf init -no-color -lockfile=readonly
	# a name that leads out of the package
	rm -r .terraform*
	mirrors "$BATS_TEST_TMPDIR/z" >../rc
	require one=1.3.0 >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to install provider'* ]]
	run -0 find .. -name 'escaped*' -o -name '*.tmp'
	[ -z "$output" ]
}

# Packages of zeros in ../z, packed: zeros MIB NAME...
zeros() {
	local mib=$1
	shift
	python3 - ../z "$platform" "$mib" "$@" <<-'END'
	import os, sys, zipfile
	dest, platform, mib = sys.argv[1:4]
	for name in sys.argv[4:]:
	    d = f"{dest}/registry.opentofu.org/acme/{name}"
	    os.makedirs(d)
	    path = f"{d}/terraform-provider-{name}_1.0.0_{platform}.zip"
	    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
	        z.writestr(f"terraform-provider-{name}_v1.0.0",
	                   bytes(int(mib) << 20))
	END
	mirrors "$BATS_TEST_TMPDIR/z" >../rc
	require "$@" >main.tf
}

@test "packed packages are unpacked beside one another" {
	need python3 strace
	[ "$(nproc)" -gt 1 ] || skip 'there is one processor'
	run strace -o none true
	[ "$status" = 0 ] || cannot 'strace may not trace here'
	zeros 30 one two three
	ASAN_OPTIONS=detect_leaks=0 strace -f -q -o ../trace \
		-e trace=shutdown,mkdir tf-init -no-color >../said
	run -0 awk '/mkdir\(".*\.tmp"/ { at[$1] }
		/shutdown\(.*SHUT_WR/ { delete at[$1] }
		length(at) > most { most = length(at) }
		END { print most }' ../trace
	[ "$output" -ge 2 ]
	for name in one two three; do
		[ -s ".terraform/providers/registry.opentofu.org/acme/$name/1.0.0/$platform/terraform-provider-${name}_v1.0.0" ]
		grep -Fx -- "- Installed acme/$name v1.0.0 (unauthenticated)" ../said
	done
	cp .terraform.lock.hcl ../lock
	# without a temporary directory, one after the other
	rm -r .terraform .terraform.lock.hcl
	TMPDIR=/none run -0 tf-init
	cmp .terraform.lock.hcl ../lock
	# one that is wrong does not keep the others from being looked at
	rm -r .terraform .terraform.lock.hcl
	echo none >../z/registry.opentofu.org/acme/two/*.zip
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to install provider'*acme/two* ]]
	[[ $output = *'Installed acme/three'* ]]
	[ ! -e .terraform.lock.hcl ]
	[ ! -e .terraform/providers/registry.opentofu.org/acme/two ]
}

# bats test_tags=once
@test "an init that is interrupted while it unpacks a packed package" {
	need python3
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
	zeros 200 one
	tf-init >../said 2>&1 3>&- &
	pid=$!
	for _ in $(seq 1000); do
		! compgen -G ".terraform/providers/*/*/*/*/*.tmp/*" >/dev/null || break
		sleep 0.01
	done
	kill -TERM "$pid"
	status=0
	wait "$pid" || status=$?
	[ "$status" = 1 ]
	run -0 find .terraform "$TMPDIR" -mindepth 1 ! -path '.terraform/modules*'
	[ -z "$output" ]
}

@test "the plugin cache" {
	require one='~> 1.0' >main.tf
	mkdir ../cache
	export TF_PLUGIN_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	run -0 tf init -no-color
	[[ $output = *'- Installing acme/one v1.2.0 to the shared cache directory...'* ]]
	[[ $output = *'- Using acme/one v1.2.0 from the shared cache directory'* ]]
	installed one 1.2.0
	[ -d "../cache/registry.opentofu.org/acme/one/1.2.0/$platform" ]
	rm -r .terraform
	run -0 tf init -no-color
	[[ $output = *'- Detected previously-installed acme/one v1.2.0 in the shared cache directory'* ]]
	installed one 1.2.0
	# what the lock file does not vouch for is installed again
	rm -r .terraform .terraform.lock.hcl
	run -0 tf init -no-color
	[[ $output = *'- Installing acme/one v1.2.0 to the shared cache'* ]]
}

@test "development overrides are not installed, and warned about" {
	mkdir ../dev
	cat >../rc <<-END
	provider_installation {
	  dev_overrides {
	    "acme/one" = "$BATS_TEST_TMPDIR/dev"
	  }
	  filesystem_mirror {
	    path = "$BATS_TEST_TMPDIR/m"
	  }
	}
	END
	require one two >main.tf
	run -0 tf init -no-color
	[[ $output = *'Warning: Provider development overrides are in effect'* ]]
	[[ $output = *"acme/one in $BATS_TEST_TMPDIR/dev"* ]]
	installed two 0.3.1
	[ ! -e .terraform/providers/registry.opentofu.org/acme/one ]
	[ "$(locked two)" = 0.3.1 ]
	run -0 locked one
	[ -z "$output" ]
	# methods before them, though they count first
	cat >../rc <<-END
	provider_installation {
	  direct {}
	  dev_overrides {
	    "acme/one" = "$BATS_TEST_TMPDIR/dev"
	  }
	}
	END
	run -1 tf init -no-color
	[[ $output = *'Error: Invalid provider_installation method block'*dev_overrides* ]]
}

@test "what only the state still needs is installed, too" {
	: >main.tf
	cat >terraform.tfstate <<-'END'
	{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"l",
	 "outputs":{},"resources":[{"mode":"managed","type":"two_x","name":"a",
	 "provider":"provider[\"registry.opentofu.org/acme/two\"]",
	 "instances":[]}]}
	END
	tf init >/dev/null
	installed two 0.3.1
}

@test "a CLI configuration that is wrong, or missing" {
	require one >main.tf
	echo 'provider_installation { bogus {} }' >../rc
	run -1 tf init -no-color
	[[ $output = *Error:* ]]
	rm ../rc
	run -1 tf init -no-color
	[[ $output = *'Warning: Unable to open CLI configuration file'* ]]
}

# The lines that an error shows, and where it is.
shown() { # COMMAND...
	run -1 tf "$@" -no-color || return 1
	grep -A 2 '^  on ' <<<"$output" | tr -s ' \n' ' '
}

@test "errors show the lines of files that are no part of the configuration" {
	require one='~> 1.0' >main.tf
	echo 'host "a.test" { services { "x.v1" = 1 } }  ; y = 1' >../rc
	[[ $(shown init) == *'rc line 1, in host "a.test": 1: host "a.test" { services { "x.v1" = 1 } } ; y = 1 ^'* ]]
	# as it is written, though it is parsed otherwise
	[[ $(tf init -json | jq -c 'select(.diagnostic).diagnostic | [.summary, .range.start.column]') == *'["Invalid character",44]'* ]]
	printf '{\n  "credentials": { },\n  "plugin_cache_dir": [1]\n}\n' >../rc
	[[ $(tf init -json | jq -c 'select(.diagnostic).diagnostic.range.start | [.line, .column]') == *'[3,23]'* ]]
	rm -rf .terraform
	printf 'terraform {\n  backend "local" {}\n}\n' >main.tf
	echo 'path = ' >be
	echo >../rc
	[[ $(shown init -backend-config=be) == *'on be line 1: 1: path = ^'* ]]
	require one='~> 1.0' >main.tf
	echo 'provider "x" { version = [ }' >.terraform.lock.hcl
	[[ $(shown plan) == *'.terraform.lock.hcl line 1, in provider "x": 1: provider'* ]]
}

# bats test_tags=once
@test "no error shows a line of the CLI configuration that may have credentials" {
	require one >main.tf
	printf 'credentials "a.test" "b" {\n  token = "hidden"\n}\nhost "a" "b" {}\n' >../rc
	run -1 tf init -no-color
	[[ $output == *'rc line 1:'*'rc line 4, in host "a" "b":'*'host "a" "b" {}'* ]]
	[[ $output != *'credentials "a.test"'* ]]
	for text in 'credentials "a.test" { token = "hidden }' \
		'{"credentials": {"a.test": {"token": "hidden"}}, "host": {"a": 1}}' \
		'credentials = { "a.test" = { token = "hidden" } } ; x = 1'; do
		echo "$text" >../rc
		run -1 tf init -no-color
		[[ $output == *'rc line 1'* && $output != *hidden* ]]
	done
}

# bats test_tags=once
@test "-json: messages, one a line" {
	require one='~> 1.0' >main.tf
	mkdir a
	echo 'module "a" { source = "./a" }' >>main.tf
	echo 'output "o" { value = 1 }' >a/main.tf
	tf init -json >out
	[ "$(head -n 1 out | jq -r .type)" = version ]
	[ "$(jq -r '."@message"' out | sed -n 2,3p)" = \
	  $'Initializing the backend...\nInitializing modules...' ]
	jq -e -s 'all(."@module" == "tofu.ui" and has("@timestamp"))' out
	jq -r '."@message"' out |
		grep -x 'Installed acme/one v1.2.0 (unauthenticated)'
	jq -e -s 'any(.diagnostic.summary ==
		"Incomplete lock file information for providers" and
		."@level" == "warn")' out
	echo 'x' >bad.tf
	run -1 --separate-stderr tf init -json
	[ -z "$stderr" ]
	jq -e -s 'any(.diagnostic.range.filename == "bad.tf")' <<<"$output"
}

# --- backends ---

backend() { # PATH
	printf 'terraform {\n  backend "local" {\n    path = "%s"\n  }\n}\n' "$1"
	echo 'resource "terraform_data" "a" {}'
}

# bats test_tags=once
@test "a backend is remembered, and a changed one asked about" {
	backend one.tfstate >main.tf
	run -0 tf init -no-color
	[[ $output = *'Successfully configured the backend "local"!'* ]]
	[ "$(jq -r .backend.config.path .terraform/terraform.tfstate)" = one.tfstate ]
	tf apply -auto-approve >/dev/null
	[ -s one.tfstate ]
	run -0 tf init -no-color
	[[ $output != *Successfully\ configured* ]]
	backend two.tfstate >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Backend configuration changed'* ]]
	run -0 tf init -no-color -migrate-state -force-copy
	jq -e .resources one.tfstate >one
	jq -e .resources two.tfstate | cmp - one
	grep -q terraform_data one
	backend three.tfstate >main.tf
	run -0 tf init -no-color -reconfigure
	[ ! -e three.tfstate ]
	# no backend block any more
	echo 'resource "terraform_data" "a" {}' >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Backend configuration changed'* ]]
	run -0 tf init -no-color -migrate-state
	[[ $output = *'Successfully unset the backend "local"'* ]]
}

@test "-backend-config: arguments and files" {
	backend x >main.tf
	sed -i '/path/d' main.tf
	tf init -backend-config=path=here.tfstate >/dev/null
	[ "$(jq -r .backend.config.path .terraform/terraform.tfstate)" = here.tfstate ]
	rm -r .terraform
	echo 'path = "there.tfstate"' >b.hcl
	tf init -backend-config=b.hcl >/dev/null
	[ "$(jq -r .backend.config.path .terraform/terraform.tfstate)" = there.tfstate ]
	echo '{"path": "elsewhere.tfstate"}' >b.json
	tf init -reconfigure -backend-config=b.json >/dev/null
	[ "$(jq -r .backend.config.path .terraform/terraform.tfstate)" = elsewhere.tfstate ]
	run -1 tf init -no-color -backend-config=nowhere.hcl -reconfigure
	[[ $output = *'Error: Failed to read file'* ]]
	run -1 tf init -no-color -backend-config=colour=red -reconfigure
	[[ $output = *'Error: Invalid backend configuration argument'* ]]
	# what is no text is an expression, told once where it is none
	sed 's/"local"/"s3"/' main.tf >s3.tf
	rm main.tf
	run -1 tf init -no-color -backend-config='endpoints={' -reconfigure
	[ "$(grep -c Error: <<<"$output")" = 1 ]
	rm s3.tf
	echo >main.tf
	rm -r .terraform
	run -0 tf init -no-color -backend-config=path=x
	[[ $output = *'Warning: Missing backend configuration'* ]]
}

@test "other kinds of backends, and two" {
	printf 'terraform {\n  backend "magic" {\n  }\n}\n' >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Unsupported backend type'*'main.tf line 2'* ]]
	backend x >main.tf
	backend y | sed '/resource/d' >two.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Duplicate backend configuration'* ]]
}

@test "modules are got, and what is wrong in them is told, without a backend" {
	mkdir sub
	printf 'module "sub" {\n  source = "./sub"\n}\n' >main.tf
	touch sub/main.tf
	printf 'terraform {\n  backend "magic" {\n  }\n}\n' >backend.tf
	run -1 tf init -no-color
	[[ $output = *$'\n- sub in sub\n'*'Error: Unsupported backend type'* ]]
	jq -e '.Modules[1].Key == "sub"' .terraform/modules/modules.json
	echo 'locals { a = }' >sub/main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Invalid expression'* ]]
	[[ $output != *backend\ type* ]]
	# nothing is got, so nothing of it is told
	run -1 tf init -no-color -get=false
	[[ $output = *'Error: Unsupported backend type'* ]]
	[[ $output != *Invalid\ expression* ]]
}

warnings() { # $1...: options of init
	tf init -json "$@" | jq -r 'select(.diagnostic.severity == "warning") |
		.diagnostic.range.filename' | sort | xargs
}

# bats test_tags=once
@test "programs are told of files as often as OpenTofu reads them" {
	quoted='resource "terraform_data" "a" {
	  depends_on = ["terraform_data.a2"]
	}
	resource "terraform_data" "a2" {}'
	mkdir sub
	echo "$quoted" | tee sub/sub.tf >main.tf
	[ "$(warnings)" = "main.tf main.tf" ]
	echo 'module "sub" { source = "./sub" }' >call.tf
	[ "$(warnings)" = "main.tf main.tf main.tf sub/sub.tf sub/sub.tf" ]
	[ "$(warnings -get=false)" = "main.tf main.tf sub/sub.tf" ]
	[ "$(warnings -backend=false)" = "main.tf main.tf main.tf sub/sub.tf sub/sub.tf" ]
	run -0 tf init -no-color -consolidate-warnings=false
	[ "$(grep -c '^Warning: Quoted' <<<"$output")" = 2 ]
	printf 'terraform {\n  backend "magic" {\n  }\n}\n' >backend.tf
	[ "$(warnings)" = "main.tf main.tf sub/sub.tf" ]
	[ "$(warnings -get=false)" = main.tf ]
}

@test "the default registry is a setting" {
	mv "$BATS_TEST_TMPDIR"/m/registry.{opentofu.org,acme.example}
	require one >main.tf
	run -1 tf init -no-color
	export TFPIPE_DEFAULT_REGISTRY=registry.acme.example
	run -0 tf init -no-color
	[[ $output = *'- Installed acme/one v2.0.0'* ]]
	grep -q '^provider "registry.acme.example/acme/one"' .terraform.lock.hcl
	[ "$(tf-parse | jq -r 'select(.record == "required_provider").provider')" = \
		registry.acme.example/acme/one ]
}

# bats test_tags=once
@test "states are locked while they are copied, unless -lock=false" {
	backend one.tfstate >main.tf
	tf init >/dev/null
	tf apply -auto-approve >/dev/null
	backend two.tfstate >main.tf
	mkfifo hold
	tf-state lock -state=one.tfstate <hold >id 3>&- &
	holder=$!
	exec 9>hold
	until [ -s id ]; do sleep 0.05; done
	run -1 tf init -no-color -migrate-state
	[[ $output = *'Error acquiring the state lock'* ]]
	[ ! -s two.tfstate ]
	run -0 tf init -no-color -migrate-state -lock=false <<<yes
	jq -e .resources one.tfstate >resources
	jq .resources two.tfstate | cmp resources -
	exec 9>&-
	wait "$holder"
}

@test "-json-into: messages to a file, text as usual" {
	require one >main.tf
	run -0 tf init -json-into=log
	[[ $output = *'has been successfully initialized!'* ]]
	[[ $output != *'"@message"'* ]]
	run -0 jq -r '.type // .["@message"]' log
	[ "${lines[0]}" = version ]
	[[ $output = *'tfpipe has been successfully initialized!'* ]]
	run -1 grep -q $'\033' log
	[ "$(stat -c %a log)" = 600 ]
	echo 'bad' >more.tf
	run -1 tf init -json-into=log
	run -0 jq -r 'select(.type == "diagnostic").diagnostic.severity' log
	[ "$output" = error ]
	rm more.tf
	run -0 tf get -json-into=log
	[ "$(jq -r .type log)" = version ]
	run -0 tf get -json
	[ "$(jq -r .type <<<"$output")" = version ]
	run -1 tf init -json -json-into=log
	[[ $output = *'exclude each other'* ]]
}

@test "warnings and errors are shown as asked for" {
	for i in 1 2; do
		cat >"$i.tf" <<EOF
provider "terraform" {
  alias   = "a$i"
  version = "1"
}
EOF
	done
	count() { grep -c "$1" <<<"$output"; }
	run -0 tf get
	[ "$(count 'Warning:')" = 1 ]
	printf 'variable "x" {\n  type = nope\n}\n' >v.tf
	printf 'variable "y" {\n  type = nope\n}\n' >w.tf
	run -1 tf init
	[ "$(count 'Error:')" = 2 ]
	run -1 tf init -consolidate-errors
	[ "$(count 'Error:')" = 1 ]
	run -1 tf init -consolidate-warnings=false
	[ "$(count 'Warning:')" = 2 ]
	rm ./*.tf
	require one >main.tf
	printf 'provider "one" {\n  version = "~> 1.0"\n}\n' >p.tf
	run -0 tf init
	[ "$(count 'Warning:')" -ge 1 ]
	run -0 tf init -compact-warnings
	[ "$(count 'Warning:')" = 0 ]
	[[ $output = *'without -compact-warnings'* ]]
}

@test "options that exclude each other, or have no such value" {
	require one >main.tf
	for words in '-backend -cloud' '-migrate-state -reconfigure' \
		-lockfile=readonyl -deprecation=module:some -update \
		-lock-timeout=soon; do
		# shellcheck disable=SC2086
		run -1 tf init $words
		[ ! -e .terraform/providers ]
	done
	run -1 tf-init -get-only -backend-config=x=y
	[[ $output = *'-backend-config has no effect'* ]]
}

@test "a package with a link in it is refused" {
	need python3
	mkdir -p ../z/registry.opentofu.org/acme/one
	python3 - ../z/registry.opentofu.org/acme/one "$platform" <<-'END'
	import sys, zipfile
	dest, platform = sys.argv[1:]
	z = zipfile.ZipFile(f"{dest}/terraform-provider-one_1.4.0_{platform}.zip",
	                    "w")
	z.writestr("terraform-provider-one_v1.4.0", "#!/bin/sh")
	link = zipfile.ZipInfo("link")
	link.create_system = 3
	link.external_attr = 0o120777 << 16
	z.writestr(link, "/etc/passwd")
	END
	mirrors "$BATS_TEST_TMPDIR/z" >../rc
	require one=1.4.0 >main.tf
	run -1 tf init -no-color
	[[ $output = *'Error: Failed to install provider'* ]]
	run -0 find . -name 'terraform-provider-one*' -o -name link
	[ -z "$output" ]
}

@test "a mirror of links to one program, with capitals in its folders" {
	mkdir ../store
	printf '#!/bin/sh\nexit 1\n' >../store/terraform-provider-all
	chmod +x ../store/terraform-provider-all
	linked() { # COMMAND HOST/NAMESPACE/TYPE VERSION
		local d=$BATS_TEST_TMPDIR/l/$2/$3
		mkdir -p "$d"
		$1 "$d/$platform" "terraform-provider-${2##*/}"
	}
	folder() { ln -s "$BATS_TEST_TMPDIR/store" "$1"; }
	file() {
		mkdir "$1"
		ln -s "$BATS_TEST_TMPDIR/store/terraform-provider-all" "$1/$2"
	}
	hard() {
		mkdir "$1"
		ln "$BATS_TEST_TMPDIR/store/terraform-provider-all" "$1/$2"
	}
	linked file registry.opentofu.org/acme/one 1.0.0
	linked hard registry.opentofu.org/acme/one 1.1.0
	linked hard registry.opentofu.org/Acme/two 1.0.0
	linked file Registry.OpenTofu.org/ACME/three 1.0.0
	cp -r ../store ../same
	mv ../same/terraform-provider-all ../store/terraform-provider-four
	linked folder registry.opentofu.org/acme/four 1.0.0
	mirrors "$BATS_TEST_TMPDIR/l" >../rc
	require one two three four >main.tf
	sed -i 's|acme/two|ACME/Two|' main.tf
	"${TF_TEST_CLI:-tf}" init
	for p in one/1.1.0 two/1.0.0 three/1.0.0 four/1.0.0; do
		[ -x ".terraform/providers/registry.opentofu.org/acme/$p/$platform/terraform-provider-${p%/*}" ]
	done
	[ "$(grep -c 'provider "registry.opentofu.org/acme/' \
		.terraform.lock.hcl)" = 4 ]
}

@test "-stream installs what a stream needs, and passes it on" {
	mkdir ../here
	{
		require one two=0.3.1
		cat <<-'END'
		terraform {
		  backend "local" {
		    path = var.path
		  }
		}
		variable "path" {
		  const = true
		}
		resource "two_thing" "x" {}
		END
	} >../here/main.tf
	(cd ../here && tf-parse -var path=x | tf-eval -var path=x) >stream
	tf-init -stream <stream >passed 2>told
	installed one 2.0.0
	installed two 0.3.1
	[ "$(locked two)" = 0.3.1 ]
	grep -c 'Installing acme/two v0.3.1' told
	[ "$(jq -r .backend.config.path .terraform/terraform.tfstate)" = x ]
	# all of it, and what it warns of
	jq -c 'select(.told | not)' passed | diff - <(jq -c . stream)
	# again: from what there is
	tf-init -stream <stream >passed
	diff passed stream
}

@test "-stream: what fails ends the stream as a failed stage does" {
	require one=3.0.0 >main.tf
	tf-parse >stream
	run -1 --separate-stderr tf-init -stream <stream
	[[ $stderr == *'Error: Failed to resolve provider packages'* ]]
	jq -se 'last.failed and any(.[]; .summary? ==
		"Failed to resolve provider packages")' <<<"$output"
	# after a stage that has failed nothing is done, nor said
	require one two >main.tf
	tf-parse | jq -c 'if .record == "end" then .failed = true else . end' >stream
	run -1 --separate-stderr tf-init -stream <stream
	[ -z "$stderr" ]
	diff stream <(echo "$output")
	[ ! -e .terraform ]
	run -1 tf-init -stream </dev/null
	[[ $output == *'Error: No input'* ]]
	head -n 2 stream >cut
	run -1 tf-init -stream <cut
	[[ $output == *'Error: Incomplete input stream'* ]]
	[ ! -e .terraform ]
	run -1 tf-init -stream -get=false <stream
	[[ $output == *'-get has no effect with -stream'* ]]
	run -1 tf init -stream <stream
	[[ $output == *'run tf-init -stream'* ]]
	tf-parse | tf-eval >stream
	run -1 tf-init -stream -var a=b <stream
	[[ $output == *'Conflicting options'* ]]
}

@test "a package is held to the lock file when another file of it changes" {
	export TFPIPE_CACHE_DIR=$BATS_TEST_TMPDIR/cache
	at=$BATS_TEST_TMPDIR/m/registry.opentofu.org/acme/one/2.0.0/$platform
	echo text >"$at/README"
	require one >main.tf
	run -0 tf init
	run -0 tf init
	[ -n "$(ls "$TFPIPE_CACHE_DIR/packages")" ]
	echo code >"$at/plugin.so"
	run -1 tf init
	[[ $output = *'none of those that the lock file allows'* ]]
	run -1 tf plan
	[[ $output = *'none of the checksums in the lock file'* ]]
	rm "$at/plugin.so"
	run -0 tf init
	echo TEXT >"$at/README"
	run -1 tf init
	[[ $output = *'none of those that the lock file allows'* ]]
	echo text >"$at/README"
	run -0 tf init
	mv "$at/README" "$at/readme"
	run -1 tf init
	mv "$at/readme" "$at/README"
	run -0 tf init
	mkdir "$at/empty" # no file, so no part of the hash
	run -0 tf init
}

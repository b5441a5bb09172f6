#!/usr/bin/env bats
# release-age.bats - minimum_release_age, of this program alone

load common
load modules
load net

setup_file() {
	signing_key
}

teardown_file() {
	signing_key_end
}

setup() {
	only_ours
	modules_setup
	modules_web
	export HOME=$here/home
	mkdir "$HOME"
	echo 'minimum_release_age = "7d"' >"$here/rc"
}

teardown() {
	serve_end
}

ago() { # DAYS
	date -u -d "$1 days ago" +%Y-%m-%dT%H:%M:%SZ
}

# The dates of the versions of a registry's list: dated HOST/PATH VERSION=DATE...
dated() {
	local list=$1 v
	shift
	for v; do
		change "$list" '(.. | objects | select(.version? == "'"${v%%=*}"'")).published_at = "'"${v#*=}"'"'
	done
}

@test "newer releases of a module are passed over" {
	offer a/b/c 1.0.0 1.1.0 1.2.0
	list=registry.test/modules/a/b/c/versions
	dated $list "1.0.0=$(ago 300)" "1.1.0=$(ago 8)" "1.2.0=$(ago 6)"
	versioned a registry.test/a/b/c >main.tf
	run -0 tf init -no-color
	[ "$(version_of a)" = 1.1.0 ]
	flat
	[[ $output = *'Warning: Release passed over'*'Version 1.2.0 of the module "a"'*'minimum_release_age (7d) ago'* ]]
	# in time it is old enough, where no date is told nothing is too new
	for row in 5d=1.2.0 150h=1.1.0 120h=1.2.0 8700m=1.1.0 0d=1.2.0; do
		echo "minimum_release_age = \"${row%=*}\"" >"$here/rc"
		run -0 tf init -no-color -upgrade
		[ "$(version_of a)" = "${row#*=}" ]
	done
	echo 'minimum_release_age = "7d"' >"$here/rc"
	late=$(date -u -d '8 days ago' +%Y-%m-%dT%H:%M:%S.123+00:30)
	for date in yesterday '' 2026 "$late"; do
		dated $list "1.2.0=$date"
		run -0 tf init -no-color -upgrade
		[ "$(version_of a)" = 1.2.0 ]
		[[ $output != *'passed over'* ]]
	done
	versioned a registry.test/a/b/c '1.2.0' >main.tf
	dated $list "1.2.0=$(ago 1)"
	run -1 tf init -no-color -upgrade
	[[ $output = *'Error: Unresolvable module version constraint'* ]]
}

@test "newer releases of a provider are passed over, but not what is locked" {
	publish registry.test acme/one 1.0.0 1.2.0
	list=$(cd "$net/www" && find registry.test -path '*acme/one/versions')
	dated "$list" "1.0.0=$(ago 300)" "1.2.0=$(ago 6)"
	printf 'terraform {\n  required_providers {\n    one = { source = "registry.test/acme/one" }\n  }\n}\n' >main.tf
	run -0 tf init -no-color
	flat
	[[ $output = *'Installed registry.test/acme/one v1.0.0'* ]]
	[[ $output = *'Warning: Release passed over'*'Version 1.2.0 of registry.test/acme/one'* ]]
	# somebody else has locked it
	rm -r .terraform .terraform.lock.hcl
	: >"$here/rc"
	run -0 tf init
	rm -r .terraform
	echo 'minimum_release_age = "7d"' >"$here/rc"
	run -0 tf init -no-color
	[[ $output = *'Installed registry.test/acme/one v1.2.0'* ]]
	[[ $output != *'passed over'* ]]
}

@test "an age that is none" {
	offer a/b/c 1.0.0
	versioned a registry.test/a/b/c >main.tf
	for age in 7 d 7w -1d 1.5h 9999999d '7d '; do
		echo "minimum_release_age = \"$age\"" >"$here/rc"
		run -1 tf init -no-color
		flat
		[[ $output = *'It is a number of days, hours or minutes'* ]]
	done
}

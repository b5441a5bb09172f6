#!/bin/bash
# install_world.sh DIR - hosts, repositories and directories for tests/compare/install
#
# Prints the environment that leads to them, then "ready", and stays until its
# standard input ends.  See tests/tools/net.bash and modules.bash.
# shellcheck disable=SC1091,SC2034,SC2154 # of the files that are read
set -eu
here=$1
tests=$(cd "$(dirname "$0")/.." && pwd)
export TF_TEST_SRC=${tests%/*} BATS_TEST_TMPDIR=$here
load() { :; }
need() {
	command -v "$@" >/dev/null
}
. "$tests/tools/net.bash"
. "$tests/tools/modules.bash"
cd "$here"
export GIT_CONFIG_GLOBAL=$here/gitconfig GIT_CONFIG_NOSYSTEM=1
git_setup
signing_key
trap signing_key_end EXIT
modules_hosts="mirror.test registry.opentofu.org" modules_web

MIRROR=mirror.test/m publish registry.test acme/one 1.0.0 1.2.0 2.0.0-beta1 2.0.0
MIRROR=mirror.test/m publish registry.test acme/two 0.1.0 0.2.0
MIRROR=mirror.test/m publish other.test beta/one 1.0.0 1.1.0
publish registry.opentofu.org acme/one 1.0.0 1.0.1
publish registry.opentofu.org hashicorp/null 3.0.0 3.1.0

# directories, packed and unpacked, which lack some of the versions
platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
for v in 1.0.0 1.2.0; do
	zip=$net/www/registry.test/files/acme/one/terraform-provider-one_${v}_$platform.zip
	mkdir -p packed/registry.test/acme/one
	cp "$zip" packed/registry.test/acme/one/
	to=unpacked/registry.test/acme/one/$v/$platform
	mkdir -p "$to"
	python3 -m zipfile -e "$zip" "$to"
	chmod +x "$to"/terraform-*
done
to=unpacked/registry.opentofu.org/hashicorp/null/3.0.0/$platform
mkdir -p "$to" dev
cp unpacked/registry.test/acme/one/1.0.0/"$platform"/terraform-* \
	"$to/terraform-provider-null_v3.0.0"
cp "$to"/* dev/

offer acme/net/x 1.0.0 1.1.0 2.0.0
offer acme/dns/x 0.1.0
for a in a.zip a.tar.gz a.tgz a.tar.xz a.tar.bz2 deep/b.zip; do
	pack $a
done
cp "$net/www/files.test/a.zip" "$net/www/files.test/plain"
page files.test/page <<-'END'
	<html><head><meta name="terraform-get" content="https://files.test/a.zip"></head></html>
END
page files.test/sub <<-'END'
	<html><head><meta name="terraform-get" content="./a.zip//sub"></head></html>
END
echo nothing | page files.test/none
rules '{"at": "files.test/header*", "status": 204,
	"headers": {"X-Terraform-Get": "https://files.test/a.tgz?archive=tgz"}}' \
	'{"at": "files.test/gone*", "status": 410}' \
	'{"at": "files.test/moved*", "redirect": "https://files.test/a.zip"}'
repository repo
cp -r m dir

printf '%s\n' "HTTPS_PROXY=$HTTPS_PROXY" "HTTP_PROXY=$HTTP_PROXY" NO_PROXY= \
	"SSL_CERT_FILE=$SSL_CERT_FILE" "GIT_CONFIG_GLOBAL=$GIT_CONFIG_GLOBAL" \
	GIT_CONFIG_NOSYSTEM=1 ready
cat >/dev/null

# modules.bash - what the tests of installing modules share
#
# TF_TEST_CLI=tofu runs them with OpenTofu, which has to say the same, make the
# same files and write the same modules.json; where it does not, the test says so.

load common

modules_setup() {
	need jq
	cd "$BATS_TEST_TMPDIR"
	cli=${TF_TEST_CLI:-tf}
	: >rc
	export TFPIPE_CACHE_DIR=
	export TF_CLI_CONFIG_FILE=$PWD/rc
	export GIT_CONFIG_GLOBAL=$PWD/gitconfig GIT_CONFIG_NOSYSTEM=1
	here=$PWD
	mkdir w
	cd w
}

# Only of this program: OpenTofu does less, or something else.
only_ours() {
	[ -z "${TF_TEST_CLI-}" ] || skip 'only of this program'
}

# The output without the line breaks of messages.
flat() {
	output=$(tr -s '\n ' '  ' <<<"$output")
}

calls() { # NAME=SOURCE...
	for c; do
		printf 'module "%s" {\n  source = "%s"\n}\n' "${c%%=*}" "${c#*=}"
	done >main.tf
}

records() { # KEY DIR of each module
	jq -r '.Modules[] | select(.Key != "") | .Key + " " + .Dir' \
		.terraform/modules/modules.json
}

source_of() { # KEY
	jq -r --arg k "$1" '.Modules[] | select(.Key == $k).Source' \
		.terraform/modules/modules.json
}

# A server with the hosts files.test, other.test and registry.test, and a module to
# serve, in m.
modules_web() {
	need python3
	net_hosts="files.test other.test registry.test ${modules_hosts-}"
	serve
	mkdir "$here/m" "$here/m/sub"
	echo 'module "sub" { source = "./sub" }' >"$here/m/main.tf"
	echo 'output "o" { value = 1 }' >"$here/m/sub/main.tf"
	echo hidden >"$here/m/.hidden"
}

# The module as an archive that files.test has: pack NAME
pack() {
	local to=$net/www/files.test/$1
	mkdir -p "$(dirname "$to")"
	case $1 in
	*.zip) python3 - "$here/m" "$to" <<-'P' ;;
		import sys, os, zipfile
		root, to = sys.argv[1:]
		with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as z:
		    for d, _, files in sorted(os.walk(root)):
		        for f in sorted(files):
		            p = os.path.join(d, f)
		            z.write(p, os.path.relpath(p, root))
	P
	*gz) tar -C "$here/m" -czf "$to" . ;;
	*bz2) tar -C "$here/m" -cjf "$to" . ;;
	*xz) tar -C "$here/m" -cJf "$to" . ;;
	*zst) tar -C "$here/m" --zstd -cf "$to" . ;;
	esac
}

# registry.test, with NAMESPACE/NAME/SYSTEM in these versions, each in an archive
# of files.test: offer MODULE VERSION...
offer() {
	local module=$1 v
	shift
	echo '{"modules.v1": "/modules/"}' |
		page registry.test/.well-known/terraform.json
	printf '%s\n' "$@" | jq -nR '{modules: [{versions: [inputs | {version: .}]}]}' |
		page "registry.test/modules/$module/versions"
	for v; do
		echo "output \"version\" { value = \"$v\" }" >"$here/m/version.tf"
		pack "${module##*/}-$v.zip"
		echo "{\"location\": \"https://files.test/${module##*/}-$v.zip\"}" |
			page "registry.test/modules/$module/$v/download"
	done
}

versioned() { # NAME SOURCE [VERSION]
	printf 'module "%s" {\n  source = "%s"\n' "$1" "$2"
	if [ -n "${3-}" ]; then
		printf '  version = "%s"\n' "$3"
	fi
	echo '}'
}

version_of() { # KEY
	jq -r --arg k "$1" '.Modules[] | select(.Key == $k).Version' \
		.terraform/modules/modules.json
}

git_setup() {
	need git
	git config --global user.name Tests
	git config --global user.email tests@example.com
	git config --global init.defaultBranch main
	git config --global protocol.file.allow always
}

# A repository with a module in the top, which calls its ./m, and one in ./m/n;
# tag v1 and branch dev differ from main in m.
repository() { # NAME
	git init -q "$here/$1"
	mkdir -p "$here/$1/m/n"
	echo 'module "inner" { source = "./m" }' >"$here/$1/main.tf"
	echo 'output "v" { value = "v1" }' >"$here/$1/m/main.tf"
	echo 'module "up" { source = "../n2" }' >"$here/$1/m/n/main.tf"
	mkdir "$here/$1/m/n2"
	echo 'output "n2" { value = path.module }' >"$here/$1/m/n2/main.tf"
	echo hidden >"$here/$1/.hidden"
	ln -s m "$here/$1/link"
	chmod +x "$here/$1/main.tf"
	edit "$1" v1
	git -C "$here/$1" tag v1
	git -C "$here/$1" checkout -q -b dev
	edit "$1" dev
	git -C "$here/$1" checkout -q main
	edit "$1" main
}

edit() { # REPOSITORY WHAT
	echo "output \"v\" { value = \"$2\" }" >"$here/$1/m/main.tf"
	git -C "$here/$1" add -A
	git -C "$here/$1" commit -q -m "$2"
}

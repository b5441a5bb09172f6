# tf version - ours, the version of OpenTofu whose behaviour it has, and the
# provider versions that the lock file selects
platform=linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
# "ADDRESS VERSION" of each
selections() {
	[ -f .terraform.lock.hcl ] || return 0
	sed -n 's/^provider "\(.*\)" {.*/\1/p
		s/^[ 	]*version[ 	]*= *"\(.*\)".*/\1/p' .terraform.lock.hcl |
		paste -d ' ' - -
}

for opt; do
	case $opt in
	-json | --json) ;;
	-help | --help | -h) exec "$TF_SELF" -help ;;
	-*) bad_flags "flag provided but not defined: $opt" ;;
	esac
done
case " $* " in
*" -json "* | *" --json "*)
	printf '{\n  "terraform_version": "1.12.6",\n  "platform": "%s",\n' \
		"$platform"
	printf '  "provider_selections": {'
	selections | awk '
		{ printf "%s\n    \"%s\": \"%s\"", (NR > 1 ? "," : ""), $1, $2 }
		END { printf "%s", (NR ? "\n  " : "") }'
	printf '}\n}\n'
	;;
*)
	echo "tfpipe v$TF_VERSION (OpenTofu v1.12.6 compatible)"
	echo "on $platform"
	selections | sed 's/^/+ provider /; s/ \([^ ]*\)$/ v\1/'
	;;
esac

# tf version - ours, and the version of OpenTofu whose behaviour it has
case " $* " in
*" -json "* | *" --json "*)
	printf '{\n  "terraform_version": "1.12.6",\n  "platform": "%s",\n  "provider_selections": {}\n}\n' \
		"linux_$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')"
	;;
*)
	echo "tfpipe v$TF_VERSION (OpenTofu v1.12.6 compatible)"
	;;
esac

#!/usr/bin/env bats
# The name that tf is called by is the name that it speaks with (product.h).
load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	unset TF_IN_AUTOMATION
	cat >main.tf <<'TF'
resource "terraform_data" "a" { input = 1 }
TF
	mkdir links
	ln -s "$(command -v tf)" links/tofu
	ln -s "$(command -v tf)" links/terraform
}

# Everything that a day says: to people, in order.
day() { # COMMAND
	"$1" -help
	"$1" plan -help
	"$1" init -no-color
	"$1" plan -no-color -out=p
	"$1" apply -no-color p
	"$1" plan -no-color -var nothing=1
	echo yes | "$1" destroy -no-color
	"$1" version
	"$1" no-such
	"$1" plan -no-such
	"$1" state show terraform_data.gone
	printf '%s\n' 'terraform {' 'backend "http" {' \
		'address = "http://127.0.0.1:1"' '}' '}' >b.tf
	"$1" plan -no-color
	rm b.tf
	mkdir empty
	"$1" -chdir=empty init -no-color
	rm -r empty
	rm -rf .terraform* terraform.tfstate*
}

# The lines without what has no other name: programs, types, providers, sources and
# ids.
said() { # FILE
	sed -E -e 's/\btf-[A-Za-z]+//g; s/terraform_data//g; /^ +(on .*)?[0-9]+: /d' \
		-e 's|terraform\.io/builtin/terraform||; s/, in terraform://; s/\bb\.tf//' \
		-e 's/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}//g' "$1"
}

# bats test_tags=once
@test "called by a name, every line has that name" {
	day links/tofu >tofu.out 2>&1 || true
	day links/terraform >terraform.out 2>&1 || true
	day tf >tf.out 2>&1 || true
	said tofu.out >tofu.said
	run -1 grep -nwE 'tf|tfpipe|terraform|Terraform' tofu.said
	said terraform.out >terraform.said
	run -1 grep -nwE 'tf|tfpipe|tofu|OpenTofu' terraform.said
	grep -F 'OpenTofu will perform the following actions:' tofu.out
	grep -F 'Terraform will perform the following actions:' terraform.out
	grep -F 'please run "terraform init"' terraform.out
	grep -Fx 'OpenTofu v1.12.6' tofu.out
	grep -Fx 'Terraform v1.12.6' terraform.out
	grep -F 'tfpipe will perform the following actions:' tf.out
	# the names are all that differs, and where lines of their length end
	sed 's/Terraform/OpenTofu/g; s/\bterraform\b/tofu/g' terraform.said |
		tr -s ' \n' '\n' >got
	tr -s ' \n' '\n' <tofu.said | diff - got
}

@test "who cannot link sets TFPIPE_SPEAK_AS, which a name outdoes" {
	TFPIPE_SPEAK_AS=terraform tf plan -no-color >out
	grep -F 'Terraform will perform the following actions:' out
	TFPIPE_SPEAK_AS=tofu tf-parse | TFPIPE_SPEAK_AS=tofu tf-plan |
		TFPIPE_SPEAK_AS=tofu tf-ui -no-color >out
	grep -F 'OpenTofu will perform the following actions:' out
	TFPIPE_SPEAK_AS=terraform links/tofu plan -no-color >out
	grep -F 'OpenTofu will perform the following actions:' out
	TFPIPE_SPEAK_AS= tf plan -no-color >out
	grep -F 'tfpipe will perform the following actions:' out
	TFPIPE_SPEAK_AS=pulumi run -1 tf plan -no-color
	[[ $output = *'TFPIPE_SPEAK_AS is none of the names tf, tofu, terraform.'* ]]
}

@test "streams begin with the name, and a version says what its program says" {
	links/terraform plan -json >out
	head -n 1 out | jq -e '.["@message"] == "Terraform 1.12.6" and .terraform == "1.12.6"
		and (has("tofu") | not)'
	links/tofu plan -json >out
	head -n 1 out | jq -e '.["@message"] == "OpenTofu 1.12.6" and .tofu == "1.12.6"'
	links/terraform version -json |
		jq -e 'keys == ["format_version", "platform", "provider_selections",
			"terraform_outdated", "terraform_version"]'
	links/tofu version -json |
		jq -e 'keys == ["platform", "provider_selections", "terraform_version"]'
}

# bats test_tags=once
@test "what is removed from a state is told in Terraform's words" {
	tf apply -auto-approve >/dev/null
	echo 'removed {
		from = terraform_data.a
		lifecycle { destroy = false }
	}' >main.tf
	links/terraform plan -no-color >out
	grep -F 'will no longer be managed by Terraform, but will not be destroyed' out
	links/tofu plan -no-color >out
	grep -F 'will be removed from the OpenTofu state but will not be destroyed' out
}

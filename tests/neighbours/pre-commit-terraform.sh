# pre-commit-terraform: the commands of its hooks.
mkdir bad
printf 'resource "terraform_data" "x" {\ninput=1\n  depends_on = [terraform_data.y]\n}\n' >bad/main.tf
say() {
	"$@" >out 2>&1 && echo "$2 $3: 0" || echo "$2 $3: $?"
}
# terraform_validate: without init first, then again with it
say $CLI validate -no-color
say $CLI init -backend=false
say $CLI validate -no-color
$CLI validate -json | jq -rc '.valid, .error_count, (.diagnostics[] | .summary)'
for hook in bad; do
	cd $hook
	say $CLI init -backend=false
	$CLI validate -json 2>&1 |
		jq -rc '.valid, (.diagnostics[] | .severity, .summary, .range.filename,
			.range.start.line)' || true
	say $CLI validate -no-color
	cd ..
done
# terraform_fmt
say $CLI fmt bad
say $CLI fmt -check -diff bad
cat bad/main.tf
# terraform_providers_lock
cat >providers.tf <<'END'
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
END
say $CLI providers lock -platform=linux_amd64 "-fs-mirror=$(dirname "$TF_CLI_CONFIG_FILE")/mirror"
grep -c '^ *"h1:' .terraform.lock.hcl
grep '^provider' .terraform.lock.hcl

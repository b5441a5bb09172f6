# tfmigrate: states moved in files beside the remote one, and plans of what came of it.
say() {
	local status=0
	"$@" >out 2>&1 || status=$?
	echo "${*:2}: $status" | sed "s|$TMPDIR/|TMP/|g"
}
cat >backend.tf <<'END'
terraform {
  backend "local" {
    path = "store/state"
  }
}
END
say $CLI version
say $CLI init -input=false -no-color
say $CLI apply -input=false -no-color -auto-approve
say $CLI workspace show
$CLI workspace show
$CLI state pull >"$TMPDIR/now"
say $CLI state list -state="$TMPDIR/now"
cat out
# on a backend of its own, as it does
cat >_override.tf <<'END'
terraform {
  backend "local" {
  }
}
END
say $CLI init -input=false -no-color -reconfigure
say $CLI state mv -state="$TMPDIR/now" -state-out="$TMPDIR/next" -backup=/dev/null \
	'terraform_data.one' 'terraform_data.first'
say $CLI state rm -state="$TMPDIR/next" -backup=/dev/null 'terraform_data.zone["b"]'
say $CLI state list -state="$TMPDIR/next"
cat out
say $CLI plan -state="$TMPDIR/next" -out="$TMPDIR/plan" -input=false -no-color -detailed-exitcode
grep -E '^(Plan|No changes)' out || cat out
say $CLI state mv -state="$TMPDIR/now" -state-out="$TMPDIR/now" -backup=/dev/null \
	module.child module.infant
say $CLI state replace-provider -auto-approve -state="$TMPDIR/next" \
	registry.opentofu.org/-/test registry.opentofu.org/hashicorp/test
say $CLI import -state="$TMPDIR/next" -state-out="$TMPDIR/next" -backup=/dev/null \
	-input=false -no-color 'terraform_data.one' an-id
say $CLI plan -state="$TMPDIR/now" -refresh-only -input=false -no-color -detailed-exitcode
rm _override.tf
say $CLI init -input=false -no-color -reconfigure
say $CLI state push "$TMPDIR/next"
say $CLI state push -force "$TMPDIR/next"
say $CLI providers
cat out
say $CLI plan -input=false -no-color -detailed-exitcode
grep -E '^(Plan|No changes)' out || cat out

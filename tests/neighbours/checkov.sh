# checkov: policies about a plan, by its JSON, and about configurations.
mkdir checks
cat >checks/owner.yaml <<'END'
metadata:
  id: CKV2_OWN_1
  name: the input has a size
  category: GENERAL_SECURITY
definition:
  cond_type: attribute
  resource_types: [terraform_data]
  attribute: input.size
  operator: exists
END
report() {
	checkov --compact --quiet --skip-download --external-checks-dir checks -o json "$@" |
		jq -cr 'if type == "array" then .[] else . end | .check_type,
			.summary.passed, .summary.failed, .summary.resource_count,
			(.results.failed_checks[]? | .check_id + " " + .resource)'
}
$CLI init >/dev/null
$CLI plan -out=p >/dev/null
$CLI show -json p >p.json
report -f p.json --soft-fail
report -f p.json --soft-fail --repo-root-for-plan-enrichment .
$CLI apply p >/dev/null
sed -i 's/count  *= 2/count = 1/' main.tf
$CLI plan -out=p -var name=db >/dev/null
$CLI show -json p | jq . >p.json
report -f p.json || echo "status $?"

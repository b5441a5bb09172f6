# tf-peek: a report of what a plan changes, of its JSON.
facts() {
	grep -E '^(\||\*)'
}
$CLI init >/dev/null
$CLI apply -auto-approve >/dev/null
sed -i 's/count  *= 2/count = 1/; s/b = 2/c = 3/' main.tf
$CLI plan -out=p -var name=db >/dev/null
cat >config.yaml <<'END'
resources:
  - match_type: terraform_data
    tier: critical
END
$CLI show -json p | tf-peek - --show-sensitive | facts
$CLI show -json p >p.json
tf-peek p.json -c config.yaml --fail-on-critical >report || echo "status $?"
facts <report

# conftest: policies of the Open Policy Agent about a plan's JSON.
mkdir policy
cat >policy/plan.rego <<'END'
package main

import rego.v1

deny contains msg if {
	some c in input.resource_changes
	"delete" in c.change.actions
	msg := sprintf("%s would be destroyed (%s)", [c.address, object.get(c, "action_reason", "none")])
}

warn contains msg if {
	some c in input.resource_changes
	c.change.after_unknown.output
	msg := sprintf("%s: its output is not known", [c.address])
}

warn contains msg if {
	some name, o in input.configuration.root_module.outputs
	o.sensitive
	msg := sprintf("%s is sensitive: %v", [name, o.expression.references])
}

deny contains msg if {
	not startswith(input.format_version, "1.")
	msg := "another format"
}
END
report() {
	conftest test --no-color -o json "$1" |
		jq -r '.[] | .successes, (.warnings[]?, .failures[]? | .msg)' | sort ||
		echo "failed: $?"
}
$CLI init >/dev/null
$CLI plan -out=p >/dev/null
$CLI show -json p >p.json
report p.json
$CLI apply p >/dev/null
sed -i 's/b = 2/c = 3/' main.tf
$CLI plan -var name=db -out=p >/dev/null
$CLI show -json p >p.json
report p.json
$CLI show -json >state.json
conftest test --no-color state.json >/dev/null || echo "status $?"

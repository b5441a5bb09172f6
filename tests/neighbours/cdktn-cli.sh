# cdktn-cli: configurations made by a program, and what is done with them.
export TERRAFORM_BINARY_NAME=$CLI CI=1 CHECKPOINT_DISABLE=1 FORCE_COLOR=0
modules=$(dirname "$(dirname "$(command -v cdktn)")")
mkdir app
cd app
ln -s "$modules" node_modules
cat >cdktf.json <<'END'
{ "language": "typescript", "app": "node main.js", "projectId": "p",
  "sendCrashReports": "false" }
END
cat >main.js <<'END'
const { App, TerraformStack, TerraformOutput, TerraformVariable, DataResource } =
	require("cdktn");
const app = new App();
const stack = (name, value) => {
	const s = new TerraformStack(app, name);
	const d = new DataResource(s, "data", { input: value });
	new TerraformOutput(s, "answer", { value: d.output });
	new TerraformOutput(s, "secret", { value: "hidden", sensitive: true });
	return s;
};
stack("first", "one");
stack("second", "two").addDependency(app.node.children[0]);
app.synth();
END
said() {
	sed -E 's/\x1b\[[0-9;?]*[A-Za-z]//g; s/ +$//; s/^(first|second) +//; s/^ +//; s/id=.*\]/id]/' |
		grep -E '^ *(Plan|Apply complete|Destroy complete|No changes|Generated|Error)|will be|^ *(answer|secret) = ' |
		sort -u
}
cdktn synth 2>&1 | said
cdktn diff first 2>&1 | said
cdktn deploy --auto-approve first second --outputs-file out.json 2>&1 | said
cat out.json
echo
cdktn output first 2>&1 | said
cdktn diff second 2>&1 | said
cdktn destroy --auto-approve first second 2>&1 | said

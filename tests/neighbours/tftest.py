"""tftest: the fixture of pytest by which modules are tested."""
import os

import tftest

t = tftest.TerraformTest(".", binary=os.environ["CLI"])
print("init:", "successfully initialized" in t.setup(workspace_name="stage"))

plan = t.plan(output=True, tf_vars={"name": "db"})
print("version:", plan.format_version, plan.variables)
print("outputs:", plan.outputs)
for address, resource in sorted(plan.resources.items()):
    print(address, resource["values"])
for address, change in sorted(plan.resource_changes.items()):
    print(address, change["change"]["actions"])
for name, module in sorted(plan.modules.items()):
    print(name, sorted(module.resources))

out = t.apply(tf_vars={"name": "db"})
print([line for line in out.split("\n") if line.startswith("Apply")])
print("output:", t.output(), t.output(json_format=True)["sizes"])
state = t.state_pull()
print("state:", state.outputs.keys(), sorted(state.resources), state.query("version"))
try:
    t.plan(tf_vars={"nothing": 1})
except tftest.TerraformTestError as e:
    print("error:", "Value for undeclared variable" in str(e))
print([line for line in t.destroy().split("\n") if line.startswith("Destroy")])

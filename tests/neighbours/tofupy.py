"""tofupy: an interface to plans, states and events."""
import os

from tofupy import Tofu

t = Tofu(binary=os.environ["CLI"])
print(t.version, bool(t.platform), t.init())
v = t.validate()
print("valid:", v.valid, v.error_count, v.warning_count, v.diagnostics)

kinds = []
log, plan = t.plan(variables={"name": "db"},
                   event_handlers={"all": lambda e: kinds.append(e["type"])})
print(sorted(set(kinds)))
print(log.added, log.changed, log.removed, log.imported, log.errors, log.warnings)
for address, change in sorted(plan.resource_changes.items()):
    print(address, change.change.actions, change.change.after)
for name, change in sorted(plan.output_changes.items()):
    print(name, change.actions, change.after, change.after_sensitive)

kinds.clear()
log = t.apply(variables={"name": "db"},
              event_handlers={"all": lambda e: kinds.append(e["type"])})
print(sorted(set(kinds)))
print(log.added, log.changed, log.removed, log.operation, sorted(log.outputs))
for name, output in sorted(t.output().items()):
    print(name, output.type, output.value, output.sensitive)
state = t.state()
print(state.serial > 0, state.version, state.terraform_version, sorted(state.outputs))
print(sorted(state.root_module.resources), sorted(state.root_module.child_modules))
log = t.destroy()
print(log.added, log.changed, log.removed, log.operation)

with open("more.tf", "w") as f:
    f.write('output "x" {\n  value = var.gone\n}\n')
v = t.validate()
print("valid:", v.valid, v.error_count, [(d.severity, d.summary) for d in v.diagnostics])
log, plan = t.plan()
print(plan, [(e.severity, e.summary) for e in log.errors])

"""python-terraform: commands as methods, statuses and texts as what they return."""
import os

from python_terraform import IsFlagged, IsNotFlagged, Terraform


def lines(text, *words):
    return [line for line in text.split("\n") if line.startswith(words)]


t = Terraform(terraform_bin_path=os.environ["CLI"], variables={"name": "db"})
print("init:", t.init()[0])
status, out, err = t.plan(out="p")
print("plan:", status, lines(out, "Plan:"), err)
status, out, err = t.apply("p", var=None, var_file=None)
print("apply of a plan:", status, lines(out, "Apply complete"), err)
print("state:", t.tfstate.version, sorted(t.tfstate.outputs))
print("output:", t.output(), t.output("sizes", full_value=True))
status, out, err = t.plan()
print("plan again:", status, lines(out, "No changes."), err)
status, out, err = t.apply(skip_plan=True, var={"name": "web"})
print("apply:", status, lines(out, "Apply complete"), err)
print("workspaces:", t.create_workspace("w")[0], t.show_workspace()[1],
      t.set_workspace("default")[0], t.delete_workspace("w")[0])
status, out, err = t.cmd("state list")
print("cmd:", status, out, err)
status, out, err = t.cmd("taint", "terraform_data.one", allow_missing=IsFlagged)
print("taint:", status, out, err)
status, out, err = t.import_cmd("terraform_data.gone", "an-id", no_color=IsFlagged)
print("import:", status, lines(err, "Error:"))
status, out, err = t.destroy(auto_approve=True)
print("destroy -force:", status, lines(err, "Error:"))
status, out, err = t.destroy(force=IsNotFlagged, auto_approve=True)
print("destroy:", status, lines(out, "Destroy complete"), err)

# with an environment that has nothing in it
there = os.path.realpath(os.environ["PATH"].split(os.pathsep)[0])
t = Terraform(terraform_bin_path=os.path.join(there, os.environ["CLI"]),
              is_env_vars_included=False)
status, out, err = t.plan()
print("with no environment:", status, lines(out, "Plan:"), err)

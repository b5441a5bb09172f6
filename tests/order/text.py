"""text.py - the files of a configuration (model.py)"""
import json
import os

from model import (Call, Check, Ephemeral, Local, Provider, Resource, Switch,
                   key_text, modules)


def reference_text(module, r, keys):
    """keys: of who refers."""
    if r.kind in ("local", "var"):
        return "%s.%s" % (r.kind, r.name)
    if r.kind == "eph":
        return "ephemeral.test_token.%s.token" % r.name
    if r.kind == "res":
        used = module.find(Resource, r.name)
        head, tail = used.head, "outputs.v" if used.data else "id"
        there = used.keys
    else:
        head, tail = "module." + r.name, r.output
        there = module.find(Call, r.name).keys
    if there is None:
        return "%s.%s" % (head, tail)
    if r.own:
        return "%s[%s].%s" % (head, own_key(keys), tail)
    if r.key is not None:
        return "%s%s.%s" % (head, key_text(r.key), tail)
    if isinstance(there, (range, Switch)):
        return 'join(",", %s[*].%s)' % (head, tail)
    return 'join(",", [for v in %s : v.%s])' % (head, tail)


def own_key(keys):
    return "count.index" if isinstance(keys, range) else "each.key"


def tuple_text(module, refers, keys=None, *more):
    return "[%s]" % ", ".join(
        list(more) + [reference_text(module, r, keys) for r in refers])


def repetition(module, item):
    keys = item.keys
    if keys is None or isinstance(keys, Switch):
        return ""
    if isinstance(keys, range):
        return "  count = %d\n" % len(keys)
    if item.chain:
        return "  for_each = %s\n" % module.find(
            Resource, item.chain[0].name).head
    return "  for_each = %s\n" % set_text(keys)


def set_text(keys):
    return "toset([%s])" % ", ".join('"%s"' % k for k in keys)


def depends_text(module, refers):
    if not refers:
        return ""
    return "  depends_on = [%s]\n" % ", ".join(
        module.find(Resource, r.name).head if r.kind == "res" else
        "module." + r.name for r in refers)


TERRAFORM_DATA = """resource "terraform_data" "%s" {
%s  triggers_replace = %s
  input = %s
%s%s%s}
"""
THING = """resource "test_thing" "%s" {
%s  force = jsonencode(%s)
  value = jsonencode(%s)
%s%s%s}
"""
REQUIRED = """terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
"""
EPHEMERAL = """ephemeral "test_token" "%s" {
  name = jsonencode(%s)
}
"""
PROVIDER = """provider "test" {
  alias  = "%s"
%s  prefix = jsonencode(%s)
  auth { password = jsonencode(%s) }
}
output "prefix_%s" {
  value = jsonencode(%s)
}
"""
CHECK = """check "%s" {
  %s  assert {
    condition     = %s.outputs.v == "v"
    error_message = "no"
  }
}
"""
DATA = """data "terraform_remote_state" "%s" {
%s  backend  = "local"
  config   = { path = "${path.root}/other.tfstate" }
  defaults = { x = %s }
%s%s}
"""
CONDITION = """    %scondition {
      condition = length(%s) >= 0
      error_message = "no"
    }
"""
PROVISIONER = """  provisioner "local-exec" {
    command = "%s"
%s%s  }
"""
REMOVED = """removed {
  from = %s
  lifecycle {
    destroy = %s
  }
%s}
"""


def lifecycle_text(module, r):
    text = ""
    if r.cbd:
        text += "    create_before_destroy = true\n"
    elif r.name[1] in "024" and not r.data:  # may be forced all the same
        text += "    create_before_destroy = false\n"
    if r.stays:
        text += "    destroy = false\n"
    if isinstance(r.keys, Switch):
        text += "    enabled = %s\n" % str(r.keys.on).lower()
    if r.triggers:
        text += "    replace_triggered_by = [%s]\n" % ", ".join(
            trigger_text(module, r, x) for x in r.triggers)
    if r.conditions:
        text += CONDITION % ("post" if r.stays else "pre", tuple_text(
            module, r.conditions, r.keys))
    return text and "  lifecycle {\n%s  }\n" % text


def trigger_text(module, r, x):
    head = module.find(Resource, x.name).head
    if x.own:
        return "%s[%s]" % (head, own_key(r.keys))
    return head + ("" if x.key is None else key_text(x.key))


def resource_text(module, r):
    if r.data:
        return DATA % (r.name, repetition(module, r),
                       tuple_text(module, r.refers, r.keys),
                       depends_text(module, r.depends_on),
                       lifecycle_text(module, r))
    return (THING if r.plugin else TERRAFORM_DATA) % (
        r.name, repetition(module, r),
        tuple_text(module, r.replaced_by, r.keys, '"%d"' % r.generation),
        tuple_text(module, r.refers, r.keys, '"%d"' % r.edition),
        provider_text(r) + depends_text(module, r.depends_on),
        lifecycle_text(module, r), provisioner_text(module, r))


def provisioner_text(module, r):
    if not r.provisioner:
        return ""
    command, destroying = r.provisioner
    return PROVISIONER % (
        command, "    when = destroy\n" if destroying else "",
        "    environment = { T = %s }\n" % reference_text(
            module, r.tokens[0], None) if r.tokens and not destroying else "")


def configuration_text(item):
    """That of the test provider."""
    key = item.provider_key
    return "test.%s%s" % (item.provider, "" if key is None else
                          "[%s]" % own_key(item.keys) if key == "each" else
                          key_text(key))


def provider_text(r):
    return "  provider = %s\n" % configuration_text(r) if r.provider else ""


def other_text(module, i):
    """Of what is neither a resource nor a call."""
    refers = tuple_text(module, i.refers)
    if isinstance(i, Local):
        return "locals {\n  %s = %s\n}\n" % (i.name, refers)
    if isinstance(i, Ephemeral):
        return EPHEMERAL % (i.name, refers)
    if isinstance(i, Check):
        return CHECK % (i.name, DATA % (i.name, "", refers, "", ""), i.head)
    return PROVIDER % (
        i.name, "  for_each = %s\n" % set_text(i.keys) if i.keys else "",
        refers, tuple_text(module, i.tokens), i.name, refers)


def call_text(module, c):
    return 'module "%s" {\n  source = "./%s"\n%s%s%s%s%s}\n' % (
        c.name, c.name, repetition(module, c),
        "  lifecycle {\n    enabled = %s\n  }\n" % str(c.keys.on).lower()
        if isinstance(c.keys, Switch) else "",
        "  providers = { test = %s }\n" % configuration_text(c)
        if c.provider else "",
        "".join("  %s = %s\n" % (v, tuple_text(module, refers, c.keys))
                for v, refers in c.arguments.items()),
        depends_text(module, c.depends_on))


def statements(module):
    """Its moved, removed and import blocks."""
    text = ["moved {\n  from = %s\n  to = %s\n}\n" % pair
            for pair in module.moved]
    for address, destroys in module.removed:
        text.append(REMOVED % (
            address, str(destroys).lower(),
            PROVISIONER % ("true", "    when = destroy\n", "")
            if destroys and not address.split(".")[-2] == "module" else ""))
    for address in module.imported:
        text.append('import {\n  to = %s\n  id = "i"\n}\n' % address)
    return text


def files(module, directory="", variables=(), plugin=False):
    """File name -> text, of a module and those below it."""
    plugin = plugin or bool(module.all(Provider))
    text = [REQUIRED] * plugin + ["variable \"%s\" {}\n" % v for v in variables]
    found = {}
    for i in module.items:
        if isinstance(i, Resource):
            text.append(resource_text(module, i))
        elif not isinstance(i, Call):
            text.append(other_text(module, i))
        else:
            text.append(call_text(module, i))
            found.update(files(i.module, directory + i.name + "/",
                               i.arguments, plugin))
    for name, refers in module.outputs.items():
        text.append('output "%s" {\n  value = %s\n}\n' % (
            name, 'jsonencode(%s)' % tuple_text(module, refers)))
    found[directory + "main.tf"] = "\n".join(text + statements(module))
    return found


OTHER = {"version": 4, "terraform_version": "1.6.0", "serial": 1,
         "lineage": "other", "resources": [],
         "outputs": {"v": {"value": "v", "type": "string"}}}


def write(directory, root):
    """Makes a directory hold the configuration, and no other."""
    for path, below, names in os.walk(directory):
        if "versions" in below:
            below.remove("versions")
        for n in names:
            if n.endswith(".tf"):
                os.remove(os.path.join(path, n))
    for name, text in files(root).items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)
    installed = [{"Key": "", "Source": "", "Dir": "."}]
    for path, _ in modules(root)[1:]:
        names = [c.name for c in path]
        installed.append({"Key": ".".join(names), "Source": "./" + names[-1],
                          "Dir": "/".join(names)})
    with open(os.path.join(directory, "other.tfstate"), "w") as f:
        json.dump(OTHER, f)
    os.makedirs(os.path.join(directory, ".terraform/modules"), exist_ok=True)
    with open(os.path.join(directory, ".terraform/modules/modules.json"),
              "w") as f:
        json.dump({"Modules": installed}, f)

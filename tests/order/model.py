"""model.py - a configuration of terraform_data whose dependencies are known

A module holds resources, data sources (terraform_remote_state, of a file that
stays as it is), locals, checks, calls of modules and outputs; the root perhaps
configurations of the test provider and ephemeral resources for these.  Each refers only
to what stands before it in `items`, so there are no cycles; names are random, so
that the order of names says nothing.  What an instance depends on is worked out
here from the references themselves, by instance, without the program tested.
"""
import itertools


class Reference:
    """kind: res, local, var, eph or out.  key: of one instance, or None for all."""

    def __init__(self, kind, name, key=None, output=None):
        self.kind, self.name = kind, name
        self.key, self.output = key, output


class Resource:
    def __init__(self, name, data=False):
        self.name = name
        self.data = data
        self.plugin = False  # the test provider's
        self.provider = None  # in the root: that configuration of it
        self.keys = None  # None: one instance; range or list: count, for_each
        self.cbd = False
        self.generation = 1  # another one: replaced
        self.edition = 1  # another one: updated in place
        self.replaced_by = []  # references whose change replaces it
        self.refers = []  # those whose change updates it
        self.depends_on = []  # without attributes
        self.triggers = []  # replace_triggered_by: resources of the module
        self.conditions = []  # what a precondition looks at
        self.provisioner = None  # text in its block

    @property
    def head(self):
        return ("data.terraform_remote_state." if self.data else
                "test_thing." if self.plugin else
                "terraform_data.") + self.name

    def all_refers(self):
        """Every list of references in it."""
        return (self.replaced_by, self.refers, self.depends_on, self.triggers,
                self.conditions)

    def needs(self):
        return list(itertools.chain.from_iterable(self.all_refers()))


class Local:
    def __init__(self, name, refers):
        self.name, self.refers = name, refers


class Ephemeral:
    """Of the root, for configurations of providers."""

    def __init__(self, name, refers):
        self.name, self.refers = name, refers


class Provider:
    """Of the root: a configuration with an alias.  tokens: ephemeral ones."""

    def __init__(self, name, refers, tokens):
        self.name, self.refers, self.tokens = name, refers, tokens


class Check:
    """With a data source, which is read when all is done."""

    def __init__(self, name, refers):
        self.name, self.refers = name, refers

    @property
    def head(self):
        return "data.terraform_remote_state." + self.name


class Call:
    def __init__(self, name, module):
        self.name, self.module = name, module
        self.provider = None  # in the root: the test provider's, for all in it
        self.keys = None
        self.arguments = {}  # variable -> references
        self.depends_on = []


class Module:
    def __init__(self):
        self.items = []
        self.outputs = {}  # name -> references
        self.moved = []  # (from, to)
        self.removed = []  # of the root: what is forgotten, without keys
        self.imported = []  # of the root: instances

    def all(self, kind):
        return [i for i in self.items if isinstance(i, kind)]

    def find(self, kind, name):
        return next((i for i in self.all(kind) if i.name == name), None)


def key_text(key):
    if key is None:
        return ""
    return "[%d]" % key if isinstance(key, int) else '["%s"]' % key


def key_list(keys):
    return [None] if keys is None else list(keys)


# --- text ---

def reference_text(module, r):
    if r.kind in ("local", "var"):
        return "%s.%s" % (r.kind, r.name)
    if r.kind == "eph":
        return "ephemeral.test_token.%s.token" % r.name
    if r.kind == "res":
        used = module.find(Resource, r.name)
        head, tail = used.head, "outputs.v" if used.data else "id"
        keys = used.keys
    else:
        head, tail = "module." + r.name, r.output
        keys = module.find(Call, r.name).keys
    if keys is None:
        return "%s.%s" % (head, tail)
    if r.key is not None:
        return "%s%s.%s" % (head, key_text(r.key), tail)
    if isinstance(keys, range):
        return 'join(",", %s[*].%s)' % (head, tail)
    return 'join(",", [for v in %s : v.%s])' % (head, tail)


def tuple_text(module, refers, *more):
    return "[%s]" % ", ".join(
        list(more) + [reference_text(module, r) for r in refers])


def repetition(keys):
    if keys is None:
        return ""
    if isinstance(keys, range):
        return "  count = %d\n" % len(keys)
    return "  for_each = toset([%s])\n" % ", ".join('"%s"' % k for k in keys)


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
  prefix = jsonencode(%s)
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


def lifecycle_text(module, r):
    text = ""
    if r.cbd:
        text += "    create_before_destroy = true\n"
    if r.triggers:
        text += "    replace_triggered_by = [%s]\n" % ", ".join(
            module.find(Resource, x.name).head +
            ("" if x.key is None else key_text(x.key)) for x in r.triggers)
    if r.conditions:
        text += ("    precondition {\n      condition = length(%s) >= 0\n"
                 '      error_message = "no"\n    }\n' %
                 tuple_text(module, r.conditions))
    return text and "  lifecycle {\n%s  }\n" % text


def resource_text(module, r):
    if r.data:
        return DATA % (r.name, repetition(r.keys),
                       tuple_text(module, r.refers),
                       depends_text(module, r.depends_on),
                       lifecycle_text(module, r))
    return (THING if r.plugin else TERRAFORM_DATA) % (
        r.name, repetition(r.keys),
        tuple_text(module, r.replaced_by, '"%d"' % r.generation),
        tuple_text(module, r.refers, '"%d"' % r.edition),
        provider_text(r) + depends_text(module, r.depends_on),
        lifecycle_text(module, r), r.provisioner or "")


def provider_text(r):
    return "  provider = test.%s\n" % r.provider if r.provider else ""


def other_text(module, i):
    """Of what is neither a resource nor a call."""
    refers = tuple_text(module, i.refers)
    if isinstance(i, Local):
        return "locals {\n  %s = %s\n}\n" % (i.name, refers)
    if isinstance(i, Ephemeral):
        return EPHEMERAL % (i.name, refers)
    if isinstance(i, Check):
        return CHECK % (i.name, DATA % (i.name, "", refers, "", ""), i.head)
    return PROVIDER % (i.name, refers, tuple_text(module, i.tokens), i.name,
                       refers)


def call_text(module, c):
    return 'module "%s" {\n  source = "./%s"\n%s%s%s%s}\n' % (
        c.name, c.name, repetition(c.keys),
        "  providers = { test = test.%s }\n" % c.provider if c.provider
        else "",
        "".join("  %s = %s\n" % (v, tuple_text(module, refers))
                for v, refers in c.arguments.items()),
        depends_text(module, c.depends_on))


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
    for pair in module.moved:
        text.append("moved {\n  from = %s\n  to = %s\n}\n" % pair)
    for address in module.removed:
        text.append("removed {\n  from = %s\n"
                    "  lifecycle {\n    destroy = false\n  }\n}\n" % address)
    for address in module.imported:
        text.append('import {\n  to = %s\n  id = "i"\n}\n' % address)
    found[directory + "main.tf"] = "\n".join(text)
    return found


# --- what is there, and what it depends on ---

class World:
    """The instances of a configuration: address -> addresses it depends on,
    directly or through others.  static: its blocks instead, without keys."""

    def __init__(self, root, static=False):
        self.static = static
        self.direct = {}
        self.resources = {}  # address -> that of the resource, without keys
        self.own = set()  # resources with create_before_destroy
        self.checks = set()  # addresses of their data sources
        self._root = root
        self._enter(root, "", "", [])
        self.depends = {}
        for address in self.direct:
            self._close(address)
        self.providers = {p.name: self._behind(p.refers + p.tokens)
                          for p in root.all(Provider)}
        self.ephemerals = {"ephemeral.test_token." + e.name:
                           self._behind(e.refers) for e in root.all(Ephemeral)}

    def _behind(self, refers):
        """What these of the root depend on, directly or through others."""
        found = self._all(self._root, "", [], refers)
        for address in list(found):
            found |= self.depends[address]
        return found

    def _configuration(self, alias):
        p = self._root.find(Provider, alias)
        return self._all(self._root, "", [], p.refers + p.tokens) \
            if p else set()

    def forced(self):
        """Of a static world: what creates before destroying, and what that
        depends on, which must do so, too."""
        found = set(self.own)
        for address in self.own:
            found |= self.depends[address]
        return found

    def _keys(self, keys, wanted=None):
        if self.static:
            return [None]
        return [k for k in key_list(keys) if wanted is None or k == wanted]

    def _enter(self, module, prefix, static, outer):
        for r in module.all(Resource):
            resource = static + r.head
            if r.cbd:
                self.own.add(resource)
            for key in self._keys(r.keys):
                address = prefix + r.head + key_text(key)
                self.resources[address] = resource
                self.direct[address] = self._all(
                    module, prefix, outer, r.needs()) | \
                    self._around(outer) | self._provider(outer, r)
        for i in module.all(Check):
            self.checks.add(prefix + i.head)
            self.direct[prefix + i.head] = self._all(
                module, prefix, outer, i.refers) | self._around(outer)
        for c in module.all(Call):
            for inner in self._instances(prefix, c):
                if inner is not None:
                    self._enter(c.module, inner,
                                "%smodule.%s." % (static, c.name),
                                outer + [(module, prefix, c)])

    @staticmethod
    def _inner(prefix, call, key):
        return "%smodule.%s%s." % (prefix, call.name, key_text(key))

    def _instances(self, prefix, call, wanted=None):
        """The prefixes of a call's instances.  None, where there are none: what
        is in it is not there, and whoever needs it needs what it would need."""
        if prefix is None or not key_list(call.keys) and not self.static:
            return [None]
        return [self._inner(prefix, call, k)
                for k in self._keys(call.keys, wanted)]

    def _provider(self, outer, r):
        """What its provider's configuration depends on."""
        return self._configuration(outer[0][2].provider if outer
                                   else r.provider) if r.plugin else set()

    def _around(self, outer):
        """depends_on of the calls around."""
        found = set()
        for n, (module, prefix, call) in enumerate(outer):
            found |= self._all(module, prefix, outer[:n], call.depends_on)
        return found

    def _all(self, module, prefix, outer, refers):
        found = set()
        for r in refers:
            found |= self._one(module, prefix, outer, r)
        return found

    def _one(self, module, prefix, outer, r):
        if r.kind in ("local", "eph"):
            return self._all(module, prefix, outer, module.find(
                Local if r.kind == "local" else Ephemeral, r.name).refers)
        if r.kind == "var":
            above, at, call = outer[-1]
            return self._all(above, at, outer[:-1], call.arguments[r.name])
        if r.kind == "res":
            return self._objects(module, prefix, outer,
                                 module.find(Resource, r.name), r.key)
        call = module.find(Call, r.name)
        found = self._all(module, prefix, outer, call.depends_on)
        one = r.output and (call.keys is None or r.key is not None)
        for inner in self._instances(prefix, call, r.key):
            around = outer + [(module, prefix, call)]
            found |= self._all(call.module, inner, around,
                               call.module.outputs[r.output]) if one \
                else self._whole(call.module, inner, around)
        return found

    def _objects(self, module, prefix, outer, used, wanted=None):
        keys = [] if prefix is None else self._keys(used.keys, wanted)
        return {prefix + used.head + key_text(k) for k in keys} or \
            self._all(module, prefix, outer, used.needs())

    def _whole(self, module, prefix, outer):
        """depends_on of a module, and module.m[*]: all that it has, and what
        its locals and outputs are made of."""
        found = set()
        for r in module.all(Resource):
            found |= self._objects(module, prefix, outer, r)
        for refers in [x.refers for x in module.all(Local)] + \
                list(module.outputs.values()):
            found |= self._all(module, prefix, outer, refers)
        for c in module.all(Call):
            if prefix is None:
                found |= self._all(module, prefix, outer, c.depends_on)
            for inner in self._instances(prefix, c):
                found |= self._whole(c.module, inner,
                                     outer + [(module, prefix, c)])
        return found

    def _close(self, address):
        if address not in self.depends:
            found = set(self.direct[address])
            for a in self.direct[address]:
                found |= self._close(a)
            self.depends[address] = found
        return self.depends[address]


def modules(root, path=()):
    """(path of calls, module), the root first."""
    return [(path, root)] + list(itertools.chain.from_iterable(
        modules(c.module, path + (c,)) for c in root.all(Call)))


# --- moves ---

def prefixes(path):
    """The beginnings of addresses in the instances of a module."""
    return ["".join("module.%s%s." % (c.name, key_text(k))
                    for c, k in zip(path, keys)) for keys in
            itertools.product(*(key_list(c.keys) for c in path))]


def goes_by_itself(call):
    """Where an instance of a call has gone whose `count` is new, or gone, and
    what it was; None if it does not."""
    if call.keys is None:
        return "[0]", ""
    return ("", "[0]") if isinstance(call.keys, range) else None


def named(call, instance, module):
    """Does a statement name a resource of the instance?  Then it stays."""
    own = [a for pair in call.module.moved for a in pair]
    outer = [a[len(instance) + 1:] for pair in module.moved for a in pair
             if a.startswith(instance + ".")]
    return any(not a.startswith("module.") for a in own + outer)


def ambiguous(root, there):
    """Has an instance of a module moved by a statement to where another, one of
    what is there, goes by itself?"""
    for path, module in modules(root):
        for call in module.all(Call):
            head = "module." + call.name
            pair = goes_by_itself(call)
            if pair and not named(call, head + pair[0], module) and any(
                    to == head + pair[1] and moved.startswith(head + "[")
                    and moved != head + pair[0]
                    for moved, to in module.moved) and any(
                        a.startswith(p + head + pair[0] + ".")
                        for p in prefixes(path) for a in there):
                return True
    return False

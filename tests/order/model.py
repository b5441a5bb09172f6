"""model.py - a configuration of terraform_data whose dependencies are known

A module holds resources, data sources (terraform_remote_state, of a file that
stays as it is), locals, checks, calls of modules and outputs; the root perhaps
configurations of the test provider and ephemeral resources.  Each refers only
to what stands before it in `items`, so there are no cycles; names are random, so
that the order of names says nothing.  What an instance depends on is worked out
here from the references themselves, by instance, without the program tested.
"""
import itertools


class Reference:
    """kind: res, local, var, eph or out.  key: of one instance, or None for all;
    own: of that with the key of who refers."""

    def __init__(self, kind, name, key=None, output=None):
        self.kind, self.name = kind, name
        self.key, self.output = key, output
        self.own = False


class Switch:
    """enabled: there is one instance without a key, or none."""

    def __init__(self, on):
        self.on = on


class Resource:
    def __init__(self, name, data=False):
        self.name = name
        self.data = data
        self.plugin = False  # the test provider's
        self.provider = None  # in the root: that configuration of it
        self.provider_key = None  # of its for_each: a key, or "each"
        self.keys = None  # None: one instance; range or list: count, for_each
        self.chain = []  # a list of keys: for_each is that resource
        self.cbd = False
        self.stays = False  # destroy = false
        self.generation = 1  # another one: replaced
        self.edition = 1  # another one: updated in place
        self.replaced_by = []  # references whose change replaces it
        self.refers = []  # those whose change updates it
        self.depends_on = []  # without attributes
        self.triggers = []  # replace_triggered_by: resources of the module
        self.conditions = []  # what a precondition looks at
        self.provisioner = None  # command, when destroying?
        self.tokens = []  # of the root: ephemeral, for the provisioner

    @property
    def head(self):
        return ("data.terraform_remote_state." if self.data else
                "test_thing." if self.plugin else
                "terraform_data.") + self.name

    def all_refers(self):
        """Every list of references in it."""
        return (self.replaced_by, self.refers, self.depends_on, self.triggers,
                self.conditions, self.chain, self.tokens)

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
    """Of the root: a configuration with an alias.  tokens: ephemeral ones; keys:
    of its for_each, or None."""

    def __init__(self, name, refers, tokens, keys=None):
        self.name, self.refers, self.tokens = name, refers, tokens
        self.keys = keys


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
        self.provider_key = None
        self.keys = None
        self.chain = []
        self.arguments = {}  # variable -> references
        self.depends_on = []

    def waits(self):
        """What all in it depends on."""
        return self.depends_on + self.chain


class Module:
    def __init__(self):
        self.items = []
        self.outputs = {}  # name -> references
        self.moved = []  # (from, to)
        self.removed = []  # of the root: without keys; is it destroyed?
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
    if isinstance(keys, Switch):
        return [None] if keys.on else []
    return [None] if keys is None else list(keys)


# --- what is there, and what it depends on ---

class World:
    """The instances of a configuration: address -> addresses it depends on,
    directly or through others.  static: its blocks instead, without keys; given:
    whoever needs a module by any key needs all of it, and what that is given."""

    def __init__(self, root, static=False, given=False):
        self.static, self.given = static, given
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
        self.outputs = {name: self._behind(refers)
                        for name, refers in root.outputs.items()}
        self.outputs.update(("prefix_" + p.name, self._behind(p.refers))
                            for p in root.all(Provider))
        self.ephemerals = {"ephemeral.test_token." + e.name:
                           self._behind(e.refers) for e in root.all(Ephemeral)}
        self.ephemeral_refers = self._all(
            root, "", [], [r for e in root.all(Ephemeral) for r in e.refers])

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
                    module, prefix, outer, r.needs(), key) | \
                    self._around(outer) | self._provider(outer, r)
        for i in module.all(Check):
            self.checks.add(prefix + i.head)
            self.direct[prefix + i.head] = self._all(
                module, prefix, outer, i.refers) | self._around(outer)
        for c in module.all(Call):
            for inner, key in self._instances(prefix, c):
                if inner is not None:
                    self._enter(c.module, inner,
                                "%smodule.%s." % (static, c.name),
                                outer + [(module, prefix, c, key)])

    @staticmethod
    def _inner(prefix, call, key):
        return "%smodule.%s%s." % (prefix, call.name, key_text(key))

    def _instances(self, prefix, call, wanted=None):
        """The prefixes of a call's instances, and their keys.  None, where there
        are none: what is in it is not there, and whoever needs it needs what it
        would need."""
        if prefix is None or not key_list(call.keys) and not self.static:
            return [(None, None)]
        return [(self._inner(prefix, call, k), k)
                for k in self._keys(call.keys, wanted)]

    def _provider(self, outer, r):
        """What its provider's configuration depends on."""
        return self._configuration(outer[0][2].provider if outer
                                   else r.provider) if r.plugin else set()

    def _around(self, outer):
        """depends_on of the calls around."""
        found = set()
        for n, (module, prefix, call, _) in enumerate(outer):
            found |= self._all(module, prefix, outer[:n], call.waits())
        return found

    def _all(self, module, prefix, outer, refers, key=None):
        """key: of the instance that refers."""
        found = set()
        for r in refers:
            found |= self._one(module, prefix, outer, r,
                               key if r.own else r.key)
        return found

    def _one(self, module, prefix, outer, r, key):
        if r.kind in ("local", "eph"):
            return self._all(module, prefix, outer, module.find(
                Local if r.kind == "local" else Ephemeral, r.name).refers)
        if r.kind == "var":
            above, at, call, own = outer[-1]
            return self._all(above, at, outer[:-1], call.arguments[r.name],
                             own)
        if r.kind == "res":
            return self._objects(module, prefix, outer,
                                 module.find(Resource, r.name), key)
        call = module.find(Call, r.name)
        found = self._all(module, prefix, outer, call.waits())
        one = r.output and (call.keys is None or r.key is not None or
                            r.own and not self.given)
        for inner, own in self._instances(prefix, call, key):
            around = outer + [(module, prefix, call, own)]
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
        if self.given and outer:
            above, at, call, _ = outer[-1]
            for refers in call.arguments.values():
                found |= self._all(above, at, outer[:-1], refers)
        for c in module.all(Call):
            if prefix is None:
                found |= self._all(module, prefix, outer, c.waits())
            for inner, key in self._instances(prefix, c):
                found |= self._whole(c.module, inner,
                                     outer + [(module, prefix, c, key)])
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
    if call.keys is None or isinstance(call.keys, Switch):
        return "[0]", ""
    return ("", "[0]") if isinstance(call.keys, range) else None


def named(call, instance, module):
    """Does a statement name a resource of the instance?  Then it stays."""
    own = [a for pair in call.module.moved for a in pair]
    outer = [a[len(instance) + 1:] for pair in module.moved for a in pair
             if a.startswith(instance + ".")]
    return any(not a.startswith("module.") for a in own + outer)


def ambiguous(root, there):
    """Has an instance of a module moved by a statement to where another goes by
    itself, which has something there, not in modules alone?"""
    for path, module in modules(root):
        for call in module.all(Call):
            head = "module." + call.name
            pair = goes_by_itself(call)
            if pair and not named(call, head + pair[0], module) and any(
                    to == head + pair[1] and moved.startswith(head + "[")
                    and moved != head + pair[0]
                    for moved, to in module.moved) and any(
                        a.startswith(p + head + pair[0] + ".") and
                        not a.startswith(p + head + pair[0] + ".module.")
                        for p in prefixes(path) for a in there):
                return True
    return False

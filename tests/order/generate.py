"""generate.py - random configurations"""
import itertools
import random

from model import (Call, Check, Ephemeral, Local, Module, Provider, Reference,
                   Resource, Switch, key_list)

KEYS = "ab", "abc", "bc", "c", "ad"
PROVIDER_KEYS = "abcd"


class Dice(random.Random):
    """And how often there is what makes order difficult."""

    def __init__(self, seed=None, harsh=False):
        super().__init__(seed)
        self.cbd = .6 if harsh else .3
        self.family = .6 if harsh else .3
        self.replaced = .5 if harsh else .25
        self.by_option = .6 if harsh else .3
        self.chosen = .2 if harsh else .12
        self.relocated = .4 if harsh else .2
        self.forgotten = .3
        self.stays = .06
        self.lost = .1
        self.imported = .1
        self.partly = .3 if harsh else .15
        self.again = .5 if harsh else .2
        self.fails = .5 if harsh else .3
        self.configured = .3 if harsh else .15


class Names:
    """Names whose order has nothing to do with that of what they name."""

    def __init__(self, rng):
        self.rng, self.used = rng, set()

    def new(self):
        while True:
            name = self.rng.choice("abcdefghjkmnpqrstuvwxyz") + \
                str(self.rng.randrange(10))
            if name not in self.used:
                self.used.add(name)
                return name


def random_keys(rng):
    n = rng.random()
    if n < .55:
        return None
    if n < .6:
        return Switch(rng.random() < .7)
    if n < .8:
        return range(rng.choice((0, 1, 1, 2, 2, 3)))
    return list(rng.choice(KEYS))


def managed(module):
    return [r for r in module.all(Resource) if not r.data]


def references_to(rng, module, before, variables):
    """What an item that stands behind `before` may refer to."""
    found = [Reference("var", v) for v in variables]
    for i in before:
        if isinstance(i, Local):
            found.append(Reference("local", i.name))
        if not isinstance(i, (Resource, Call)):
            continue
        keys = [k for k in key_list(i.keys) if k is not None]
        key = rng.choice(keys) if keys and rng.random() < .4 else None
        if isinstance(i, Resource):
            found.append(Reference("res", i.name, key))
        else:
            found += [Reference("out", i.name, key, o)
                      for o in i.module.outputs]
    return found


def some(rng, found, most=2):
    return rng.sample(found, min(len(found), rng.choice(
        (0,) + (1,) * 3 + tuple(range(1, most + 1)))))


def dependable(before):
    return [Reference("res" if isinstance(i, Resource) else "out", i.name)
            for i in before if isinstance(i, (Resource, Call))]


def triggers(found, before):
    """What may stand in replace_triggered_by: resources that are there."""
    names = [i.name for i in before
             if isinstance(i, Resource) and not i.data and key_list(i.keys)]
    return [x for x in found if x.kind == "res" and x.name in names]


def repeat(rng, item, before):
    """It has keys, perhaps those of what stands before it: then it is made for
    each of those."""
    chains = [i for i in before if isinstance(i, Resource) and
              isinstance(i.keys, list)]
    item.keys = random_keys(rng)
    if isinstance(item.keys, list) and chains and rng.random() < .5:
        used = rng.choice(chains)
        item.keys, item.chain = list(used.keys), [Reference("res", used.name)]


def is_owned(module, item, r):
    """Has what is referred to an instance for each key of the item?"""
    used = module.find(Resource if r.kind == "res" else Call, r.name)
    return used and type(used.keys) is type(item.keys) and \
        isinstance(used.keys, (range, list)) and \
        set(item.keys) <= set(used.keys)


def by_key(module, item):
    """The lists of references in which a key of its own may stand."""
    if isinstance(item, Resource):
        return (item.replaced_by, item.refers, item.triggers, item.conditions)
    return item.arguments.values() if isinstance(item, Call) else ()


def own(rng, module, item):
    """Some of its references are by its own key."""
    for r in itertools.chain.from_iterable(by_key(module, item)):
        if r.kind in ("res", "out") and rng.random() < .5 and \
                is_owned(module, item, r):
            r.own, r.key = True, None


def new_data(rng, names, found, module):
    r = Resource(names.new(), data=True)
    repeat(rng, r, module.items)
    r.refers = some(rng, found)
    if rng.random() < .3:
        r.depends_on = some(rng, dependable(module.items), 1)
    own(rng, module, r)
    return r


def new_resource(rng, names, found, module):
    r, before = Resource(names.new()), module.items
    repeat(rng, r, before)
    r.cbd = rng.random() < rng.cbd
    r.stays = rng.random() < rng.stays
    for reference in some(rng, found, 3):
        (r.replaced_by if rng.random() < .4 else r.refers).append(reference)
    if rng.random() < .1:
        r.depends_on = some(rng, dependable(before), 1)
    if rng.random() < .12:
        r.triggers = some(rng, triggers(found, before))
    if rng.random() < .12:
        r.conditions = some(rng, found)
    if rng.random() < .12:
        r.provisioner = "sleep 0.0%d" % rng.randrange(3), rng.random() < .5
    own(rng, module, r)
    return r


def fill(rng, names, depth, variables=(), most=5):
    module = Module()
    for _ in range(rng.randint(2, most)):
        append(rng, names, module, depth, variables)
    for i in some(rng, references_to(rng, module, module.items, ()), 2):
        module.outputs[names.new()] = [i]
    return module


def append(rng, names, module, depth, variables):
    found = references_to(rng, module, module.items, variables)
    n = rng.random()
    if n < .2 and depth:
        module.items.append(new_call(rng, names, module, depth, found))
    elif n < .3 and found:
        module.items.append(Local(names.new(), some(rng, found)))
    elif n < .38 and found:
        module.items.append(new_data(rng, names, found, module))
    elif n < .41 and found:
        module.items.append(Check(names.new(), some(rng, found)))
    else:
        module.items.append(new_resource(rng, names, found, module))


def new_call(rng, names, module, depth, found):
    variables = [names.new() for _ in range(rng.randrange(3))]
    c = Call(names.new(), fill(rng, names, depth - 1, variables, 3))
    repeat(rng, c, module.items)
    c.arguments = {v: some(rng, found) for v in variables}
    if rng.random() < .1:
        c.depends_on = some(rng, dependable(module.items), 1)
    own(rng, module, c)
    return c


def new(rng, names):
    if rng.random() >= rng.family:
        root = fill(rng, names, 2, most=7)
    else:
        root = fill(rng, names, 0, most=2)
        root.items.append(family(rng, names, root))
    if rng.random() < rng.configured:
        for _ in range(rng.choice((1, 1, 2))):
            configure(rng, names, root)
    return root


def configure(rng, names, root):
    """A configuration of the test provider, which what stands after it may
    use."""
    at = rng.randrange(len(root.items)) + 1
    found = references_to(rng, root, root.items[:at], ())
    p = Provider(names.new(), some(rng, found), [],
                 PROVIDER_KEYS if rng.random() < .4 else None)
    if rng.random() < .5:
        e = Ephemeral(names.new(), some(rng, found))
        p.tokens.append(Reference("eph", e.name))
        root.items.insert(at, e)
        at += 1
    root.items.insert(at, p)
    tokens = [i for i in root.items[:at] if isinstance(i, Ephemeral)]
    for i in root.items[at + 1:]:
        use(rng, i, p, tokens)


def use(rng, item, p=None, tokens=()):
    """Perhaps by that configuration, None below the root, and with one of the
    tokens."""
    if isinstance(item, Resource) and not item.data and \
            not item.plugin and rng.random() < .5:
        item.plugin = True
        serve(rng, item, p)
        if tokens and item.provisioner and rng.random() < .5 and \
                not item.provisioner[1]:
            item.tokens = [Reference("eph", rng.choice(tokens).name)]
    elif isinstance(item, Call) and not item.provider:
        if p and rng.random() < .7:
            serve(rng, item, p)
        for i in item.module.items:
            use(rng, i)


def serve(rng, item, p):
    if p:
        item.provider = p.name
        item.provider_key = p.keys and (
            "each" if isinstance(item.keys, list) and rng.random() < .7
            else rng.choice(p.keys))


def family(rng, names, root):
    """Instances of a module of modules that use one another."""
    common = Module()
    variables = [names.new()]
    for _ in range(rng.randint(2, 4)):
        found = references_to(rng, common, common.items, variables)
        if rng.random() < .3:
            common.items.append(new_resource(rng, names, found, common))
        else:
            common.items.append(sibling(rng, names, found))
    c = Call(names.new(), common)
    c.keys = range(2) if rng.random() < .5 else list(rng.choice(KEYS))
    c.arguments = {variables[0]: some(
        rng, references_to(rng, root, root.items, ()))}
    return c


def sibling(rng, names, found):
    variables = [names.new()]
    module = fill(rng, names, 0, variables, 2)
    last = managed(module)[-1] if managed(module) else None
    if last:
        last.cbd = rng.random() < rng.cbd + .1
        module.outputs[names.new()] = [Reference("res", last.name)]
    c = Call(names.new(), module)
    c.keys = random_keys(rng)
    c.arguments = {variables[0]: some(rng, found[1:] or found)}
    return c

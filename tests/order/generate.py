"""generate.py - random configurations, and random changes of them"""
import copy
import random
import re

from history import is_managed, resource_of
from model import (Call, Check, Ephemeral, Local, Module, Provider, Reference,
                   Resource, World, key_list, key_text, modules)

MODULES = r'(module\.\w+(\[("\w+"|\d+)\])?\.)*'
CHOOSING = "-target", "-exclude"
KEYS = "ab", "abc", "bc", "c", "ad"


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
    if n < .78:
        return range(rng.choice((0, 1, 1, 2, 2, 3)))
    return list(rng.choice(KEYS))


def references_to(rng, module, before, variables):
    """What an item that stands behind `before` may refer to."""
    found = [Reference("var", v) for v in variables]
    for i in before:
        if isinstance(i, Local):
            found.append(Reference("local", i.name))
        if not isinstance(i, (Resource, Call)):
            continue
        keys = list(i.keys) if i.keys is not None else []
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


def new_data(rng, names, found, before):
    r = Resource(names.new(), data=True)
    r.keys = random_keys(rng)
    r.refers = some(rng, found)
    if rng.random() < .3:
        r.depends_on = some(rng, dependable(before), 1)
    return r


def new_resource(rng, names, found, before):
    r = Resource(names.new())
    r.keys = random_keys(rng)
    r.cbd = rng.random() < rng.cbd
    for reference in some(rng, found, 3):
        (r.replaced_by if rng.random() < .4 else r.refers).append(reference)
    if rng.random() < .1:
        r.depends_on = some(rng, dependable(before), 1)
    if rng.random() < .12:
        r.triggers = some(rng, triggers(found, before))
    if rng.random() < .12:
        r.conditions = some(rng, found)
    if rng.random() < .12:
        r.provisioner = provisioner("sleep 0.0%d" % rng.randrange(3),
                                    rng.random() < .5)
    return r


def provisioner(command, destroying):
    return '  provisioner "local-exec" {\n    command = "%s"\n%s  }\n' % (
        command, "    when = destroy\n" if destroying else "")


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
        module.items.append(new_data(rng, names, found, module.items))
    elif n < .41 and found:
        module.items.append(Check(names.new(), some(rng, found)))
    else:
        module.items.append(new_resource(rng, names, found, module.items))


def new_call(rng, names, module, depth, found):
    variables = [names.new() for _ in range(rng.randrange(3))]
    c = Call(names.new(), fill(rng, names, depth - 1, variables, 3))
    c.keys = random_keys(rng)
    c.arguments = {v: some(rng, found) for v in variables}
    if rng.random() < .1:
        c.depends_on = some(rng, dependable(module.items), 1)
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
    p = Provider(names.new(), some(rng, found), [])
    if rng.random() < .5:
        e = Ephemeral(names.new(), some(rng, found))
        p.tokens.append(Reference("eph", e.name))
        root.items.insert(at, e)
        at += 1
    root.items.insert(at, p)
    for i in root.items[at + 1:]:
        use(rng, i, p.name)


def use(rng, item, alias):
    """Perhaps by that configuration; alias: None below the root."""
    if isinstance(item, Resource) and not item.data and \
            not item.plugin and rng.random() < .5:
        item.plugin, item.provider = True, alias
    elif isinstance(item, Call) and not item.provider:
        if alias and rng.random() < .7:
            item.provider = alias
        for i in item.module.items:
            use(rng, i, None)


def family(rng, names, root):
    """Instances of a module of modules that use one another."""
    common = Module()
    variables = [names.new()]
    for _ in range(rng.randint(2, 4)):
        found = references_to(rng, common, common.items, variables)
        if rng.random() < .3:
            common.items.append(new_resource(rng, names, found, common.items))
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


# --- changes ---

def all_refers(module):
    """Every list of references in a module."""
    for i in module.items:
        if isinstance(i, Resource):
            yield from i.all_refers()
        elif isinstance(i, Call):
            yield i.depends_on
            yield from i.arguments.values()
        else:
            yield i.refers
            if isinstance(i, Provider):
                yield i.tokens
    yield from module.outputs.values()


def forget(module, kind, name):
    """Takes out what refers to an item that goes."""
    for refers in all_refers(module):
        refers[:] = [r for r in refers
                     if (r.kind, r.name) != (kind, name)]


def forget_keys(module, kind, item):
    """References to instances that are gone become such to all."""
    for refers in all_refers(module):
        for r in refers:
            if (r.kind, r.name) == (kind, item.name) and (
                    item.keys is None or r.key not in item.keys):
                r.key = None


def remove(module, item):
    module.items.remove(item)
    forget(module, {Resource: "res", Call: "out", Local: "local",
                    Ephemeral: "eph", Check: "check"}[type(item)], item.name)


def leave(rng, root, path, module, item):
    """It is taken out, and with a removed block it is not destroyed."""
    remove(module, item)
    if not isinstance(item, (Resource, Call)) or \
            isinstance(item, Resource) and item.data or \
            rng.random() >= rng.forgotten:
        return
    root.removed.append("".join("module.%s." % c.name for c in path) +
                        head_of(item))


def head_of(item):
    return item.head if isinstance(item, Resource) else "module." + item.name


def managed(module):
    return [r for r in module.all(Resource) if not r.data]


def kind_of(item):
    return "res" if isinstance(item, Resource) else "out"


def rekey(rng, module, item):
    if has_moved(module, item):
        return
    old = key_list(item.keys)
    item.keys = random_keys(rng)
    forget_keys(module, kind_of(item), item)
    for r in module.all(Resource):
        r.triggers = triggers(r.triggers, module.items)
    if item not in managed(module) + module.all(Call) or rng.random() < .6:
        return
    new = key_list(item.keys)
    for before, after in zip([k for k in old if k not in new],
                             [k for k in new if k not in old]):
        module.moved.append((head_of(item) + key_text(before),
                             head_of(item) + key_text(after)))


def has_moved(module, item):
    return any(resource_of(pair[1]) == head_of(item) for pair in module.moved)


def rename(rng, names, module, item):
    """With a moved block."""
    old, before, item.name = item.name, head_of(item), names.new()
    for refers in all_refers(module):
        for r in refers:
            if (r.kind, r.name) == (kind_of(item), old):
                r.name = item.name
    module.moved.append((before, head_of(item)))


def one_of(rng, path):
    """The beginning of addresses in an instance of a module, None if it has
    none."""
    found = ""
    for call in path:
        keys = list(call.keys) if call.keys is not None else [None]
        if not keys:
            return None
        found += "module.%s%s." % (call.name, key_text(rng.choice(keys)))
    return found


def relocate(rng, names, root):
    """A resource moves to another module, from one instance into one: what is in
    the others goes, and comes."""
    path, module = rng.choice(modules(root))
    into, other = rng.choice(modules(root))
    before, after = one_of(rng, path), one_of(rng, into)
    if not managed(module) or other is module or \
            before is None or after is None:
        return
    item = rng.choice(managed(module))
    if has_moved(module, item):
        return
    before += item.head
    remove(module, item)
    item.name, item.provider = names.new(), None
    for refers in item.all_refers():
        refers.clear()
    other.items.insert(0, item)
    root.moved.append((before, after + item.head))


def rewire(rng, module, item):
    found = references_to(rng, module,
                          module.items[:module.items.index(item)], ())
    item.refers = some(rng, found) if rng.random() < .7 else []


def change(rng, names, root):
    """Another version of it."""
    before = World(root).resources
    root = copy.deepcopy(root)
    for _, m in modules(root):
        m.moved, m.removed, m.imported = [], [], []
    for _ in range(rng.randint(1, 5)):
        change_one(rng, names, root)
    if rng.random() < rng.relocated:
        relocate(rng, names, root)
    for _, m in modules(root):
        for i in m.all(Resource):
            if rng.random() < rng.replaced:
                i.generation += 1
            elif rng.random() < .15:
                i.edition += 1
    root.imported = [a for a in World(root).resources if a not in before and
                     "terraform_data." in a and rng.random() < rng.imported]
    return root


def change_one(rng, names, root):
    path, module = rng.choice(modules(root))
    if not module.items:
        return
    item = rng.choice(module.items)
    n = rng.random()
    if n < .2 and not isinstance(item, Provider):
        leave(rng, root, path, module, item)
    elif n < .3:
        append(rng, names, module, 1,
               path[-1].arguments if path else ())
        if root.all(Provider):
            alias = rng.choice(root.all(Provider)).name
            use(rng, module.items[-1], None if path else alias)
    elif not isinstance(item, (Resource, Call)):
        rewire(rng, module, item)
    elif n < .55:
        rekey(rng, module, item)
    elif n < .65 and not (isinstance(item, Resource) and item.data) and \
            not has_moved(module, item):
        rename(rng, names, module, item)
    elif isinstance(item, Resource):
        if n < .8 and not item.data:
            item.cbd = not item.cbd
        else:
            rewire(rng, module, item)


def fail_somewhere(rng, root):
    """Some operations of this version will fail; returns it."""
    root = copy.deepcopy(root)
    for _, m in modules(root):
        for i in managed(m):
            if rng.random() < .2:
                i.provisioner = provisioner("exit 1", rng.random() < .5)
    return root


def healed(root):
    """Without provisioners, for the next version."""
    for _, m in modules(root):
        for i in m.all(Resource):
            i.provisioner = None
    return root


def selectors(rng, root, addresses):
    """Options of the planning, the addresses being those of instances."""
    found = []
    if any(m.moved for _, m in modules(root)):
        return found  # half of a move is refused
    for option in CHOOSING:
        if rng.random() < rng.chosen and addresses:
            found += chosen(rng, addresses, option)
            break
    return found + replacing(rng, [a for a in addresses if is_managed(a)])


def chosen(rng, addresses, option):
    return ["%s=%s" % (option, cut(rng, a)) for a in
            rng.sample(addresses, min(len(addresses), rng.randint(1, 4)))]


def replacing(rng, addresses):
    if rng.random() >= rng.by_option:
        return []
    return ["-replace=" + a for a in rng.sample(
        addresses, min(len(addresses), rng.choice((1, 1, 2, 4))))]


def cut(rng, address):
    """The instance, its resource, a module around it, or all in the module
    that have its key."""
    n = rng.random()
    if n < .4:
        return address
    if n < .5:
        at = len(re.match(MODULES, address)[0])
        key = address.find("[", at)
        return address[:at] + ("*.*" if is_managed(address) else "data.*.*") + \
            (address[key:] if key > 0 else "")
    if n < .7 and address.endswith("]"):
        return address[:address.rindex("[")]
    at = len(re.match(MODULES, address)[0])
    return address[:at - 1] if at > 0 else address

"""change.py - random changes of configurations, and options of planning"""
import copy
import itertools
import re

from generate import (append, by_key, is_owned, managed, random_keys,
                      references_to, some, triggers, use)
from history import is_managed, resource_of
from model import (Call, Check, Ephemeral, Local, Provider, Resource, World,
                   key_list, key_text, modules)

MODULES = r'(module\.\w+(\[("\w+"|\d+)\])?\.)*'
CHOOSING = "-target", "-exclude"


def all_refers(module):
    """Every list of references in a module."""
    for i in module.items:
        if isinstance(i, Resource):
            yield from i.all_refers()
        elif isinstance(i, Call):
            yield i.depends_on
            yield i.chain
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
            if (r.kind, r.name) == (kind, item.name) and \
                    r.key not in key_list(item.keys):
                r.key = None


def settle(module):
    """What depends on the keys of others, after these have changed."""
    for i in module.items:
        if isinstance(i, (Resource, Call)):
            settle_one(module, i)


def settle_one(module, i):
    for r in i.chain:
        used = module.find(Resource, r.name)
        if not isinstance(used.keys, list):
            i.chain = []
        elif i.keys != used.keys:
            i.keys = list(used.keys)
            forget_keys(module, kind_of(i), i)
    if i.provider_key == "each" and not isinstance(i.keys, list):
        i.provider_key = "a"
    for r in itertools.chain.from_iterable(by_key(module, i)):
        r.own = r.own and is_owned(module, i, r)


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
    root.removed.append(("".join("module.%s." % c.name for c in path) +
                         head_of(item), rng.random() < .2))


def head_of(item):
    return item.head if isinstance(item, Resource) else "module." + item.name


def kind_of(item):
    return "res" if isinstance(item, Resource) else "out"


def rekey(rng, module, item):
    if has_moved(module, item):
        return
    old = key_list(item.keys)
    item.keys, item.chain = random_keys(rng), []
    forget_keys(module, kind_of(item), item)
    settle(module)
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
        keys = key_list(call.keys)
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
    item.name, item.provider, item.provider_key = names.new(), None, None
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
            p = rng.choice(root.all(Provider))
            use(rng, module.items[-1], None if path else p)
    elif not isinstance(item, (Resource, Call)):
        rewire(rng, module, item)
    elif n < .55:
        rekey(rng, module, item)
    elif n < .65 and not (isinstance(item, Resource) and item.data) and \
            not has_moved(module, item):
        rename(rng, names, module, item)
    elif isinstance(item, Resource):
        if n < .75 and not item.data:
            item.cbd = not item.cbd
        elif n < .8 and not item.data:
            item.stays = not item.stays
        else:
            rewire(rng, module, item)


def fail_somewhere(rng, root):
    """Some operations of this version will fail; returns it."""
    root = copy.deepcopy(root)
    for _, m in modules(root):
        for i in managed(m):
            if rng.random() < .2:
                i.provisioner, i.tokens = ("exit 1", rng.random() < .5), []
    return root


def healed(root):
    """Without provisioners, for the next version."""
    for _, m in modules(root):
        for i in m.all(Resource):
            i.provisioner, i.tokens = None, []
    return root


def selectors(rng, root, addresses):
    """Options of the planning, the addresses being those of instances."""
    found = []
    if any(m.moved for _, m in modules(root)):
        return found  # half of a move is refused
    for option in CHOOSING:
        if rng.random() < rng.chosen and addresses:
            found += chosen(rng, addresses, option)
            if rng.random() < .7:
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
    if n < .45 and address.startswith("module."):
        return re.sub(r'^module\.\w+(\[("\w+"|\d+)\])?', "module.*", address)
    if n < .55:
        at = len(re.match(MODULES, address)[0])
        key = address.find("[", at)
        return address[:at] + ("*.*" if is_managed(address) else "data.*.*") + \
            (address[key:] if key > 0 else "")
    if n < .7 and address.endswith("]"):
        return address[:address.rindex("[")]
    at = len(re.match(MODULES, address)[0])
    return address[:at - 1] if at > 0 else address

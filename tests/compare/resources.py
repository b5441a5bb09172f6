"""resource.py - resources of every mode: instances, arguments, lifecycle"""
import expr as ex
import expr_daily
from expr import EPHEMERAL, PLAIN, SENSITIVE, UNKNOWN, VOLATILE, Ref
from schema import ANY, INNER, LABELLED, ORDERS, SPECS
from tree import Attr, Block, Expr, Item


class Form:
    """How many instances there are: kind is "one", "count", "for_each" or
    "enabled"; keys those that are likely, extra what instances can name."""

    def __init__(self, kind="one", keys=(None,), extra=()):
        self.kind, self.keys, self.extra = kind, list(keys), list(extra)


def instance_form(w, m, b):
    kinds = ["one"] * 3
    for k in ("count", "for_each", "enabled"):
        if w.on(k):
            kinds += [k] * (1 if k == "enabled" else 2)
    return set_form(w, m, b, w.rng.choice(kinds))


def set_form(w, m, b, kind):
    """Gives the block the meta-arguments of this form."""
    for name in ("count", "for_each"):
        b.unset(name)
    ban = PLAIN
    if w.on("late", 0.3):
        ban = EPHEMERAL
    maker = w.maker(m, ban, b.meta.get("born"))
    if kind == "count":
        return count_form(w, b, maker)
    if kind == "for_each":
        return for_each_form(w, b, maker)
    if kind == "enabled":
        e = maker.make("bool", 1)
        life = lifecycle(b)
        life.set("enabled", e)
    return Form(kind)


def count_form(w, b, maker):
    n = w.rng.choice([0, 1, 2, 2, 3])
    e = Expr(str(n), "number", kind="lit")
    roll = w.rng.random()
    if roll < 0.15:
        e = ex.join(["length(", maker.make(("list", "string"), 1), ")"],
                    "number")
    elif roll < 0.3:
        e = ex.join([maker.make("bool", 1), " ? 1 : 0"], "number")
    b.set("count", e)
    return Form("count", range(n), [Ref("count.index", "number")])


def for_each_form(w, b, maker):
    keys = w.rng.sample(ex.KEYS, w.rng.choice([0, 1, 2, 2, 3]))
    roll = w.rng.random()
    value = "string"
    if roll < 0.2:
        e, extra = expr_daily.objects_by_name(maker, keys)
        b.set("for_each", e)
        return Form("for_each", keys, extra)
    if roll < 0.5:
        e = ex.join(["toset(["] + [Item(None, Expr(ex.quoted(k), "string",
                                                   kind="lit"))
                                   for k in keys] + ["])"],
                    ("set", "string"))
    elif roll < 0.8:
        value = w.rng.choice(["string", "number"])
        e = ex.join(["{ "] + [Item(ex.quoted(k), maker.make(value, 1))
                              for k in keys] + ["}"],
                    ("map", value), "object")
    else:
        e = maker.make(("map", "string"), 2)
        keys = ["a"]
    b.set("for_each", e)
    return Form("for_each", keys, [Ref("each.key", "string", 0, "each"),
                                   Ref("each.value", value, e.flags,
                                       "each")])


def forms_of(addr, form, name, t, flags):
    """How an attribute of all instances, or of one, can be named."""
    def ref(text, type=t, also=0):
        return Ref(text, type, flags | also, addr)
    if form.kind == "one":
        return [ref("%s.%s" % (addr, name))]
    if form.kind == "enabled":
        out = [ref("one(%s[*].%s)" % (addr, name))]
        if t == "string":
            out.append(ref('try(%s.%s, "off")' % (addr, name)))
        return out
    if form.kind == "count":
        out = [ref("%s[*].%s" % (addr, name), ("list", t)),
               ref("[for x in %s : x.%s]" % (addr, name), ("list", t)),
               Ref("length(%s)" % addr, "number", 0, addr)]
        for k in form.keys[:1]:
            out.append(ref("%s[%d].%s" % (addr, k, name)))
        return out
    out = [ref("values(%s)[*].%s" % (addr, name), ("list", t)),
           ref("{ for k, x in %s : k => x.%s }" % (addr, name), ("map", t)),
           Ref("keys(%s)" % addr, ("list", "string"), 0, addr)]
    for k in form.keys[:2]:
        out.append(ref("%s[%s].%s" % (addr, ex.quoted(k), name)))
    return out


# --- a resource ---

PREFIX = {"managed": "", "data": "data.", "ephemeral": "ephemeral."}
TYPE = {"managed": "resource", "data": "data", "ephemeral": "ephemeral"}


def add_resource(w, m, mode="managed"):
    specs = [s for s in SPECS if s.mode == mode and
             (s.provider == "terraform" or s.provider in w.features)]
    if not specs:
        return None
    spec = w.rng.choices(specs, [s.weight for s in specs])[0]
    name = m.name("r")
    b = Block(TYPE[mode], [spec.type, name], born=w.born)
    form = instance_form(w, m, b)
    b.meta.update(kind="resource", spec=spec, form=form)
    add_arguments(w, m, b, spec, form, mode)
    add_settings(w, m, b, spec, form, mode)
    from build import place
    place(w, m, b)
    learn_resource(w, m, b)
    return b


def address(b):
    if b.type == "module":
        return "module." + b.labels[0]
    prefix = {"resource": "", "data": "data.", "ephemeral": "ephemeral."}
    return "%s%s.%s" % (prefix[b.type], b.labels[0], b.labels[1])


def learn_resource(w, m, b):
    spec, form, addr = b.meta["spec"], b.meta["form"], address(b)
    late = UNKNOWN if spec.mode == "data" else 0
    for name, (t, flags) in spec.exports.items():
        for r in forms_of(addr, form, name, t, flags | late):
            w.learn(m, r)
    if spec.type == "terraform_data":
        e = b.attr("input")
        if e and e.value.type:
            flags = e.value.flags
            for r in forms_of(addr, form, "input", e.value.type, flags):
                w.learn(m, r)
            for r in forms_of(addr, form, "output", e.value.type,
                              flags | UNKNOWN):
                w.learn(m, r)
    e = b.attr("value")
    if e and spec.provider == "test":
        for r in forms_of(addr, form, "value", "string", e.value.flags):
            w.learn(m, r)


def add_settings(w, m, b, spec, form, mode):
    """What every resource can have beside its arguments."""
    if w.on("depends", 0.2):
        add_depends(w, m, b)
    if spec.provider == "test" and m.dir == "" and w.on("by_key", 0.5):
        b.body.append(Attr("provider", Expr(by_key(w, form))))
    elif spec.provider == "test" and w.on("aliases", 0.4):
        b.body.append(Attr("provider", Expr("test.other")))
        m.needs_alias = True
    if mode == "managed" and w.on("lifecycle", 0.5):
        add_lifecycle(w, m, b, spec)
    if w.on("conditions", 0.3):
        life = lifecycle(b)
        life.body.append(condition(w, m, "precondition", b.meta["born"],
                                   form.extra))
        if w.rng.random() < 0.5:
            life.body.append(postcondition(w, m, b, spec))
    if mode == "managed" and w.on("provisioners", 0.4):
        add_provisioner(w, m, b, form)


def self_refs(spec, b):
    refs = [Ref("self." + n, t, f, "self")
            for n, (t, f) in spec.exports.items()]
    e = b.attr("input")
    if e and e.value.type:
        refs.append(Ref("self.output", e.value.type, e.value.flags, "self"))
    return refs


def postcondition(w, m, b, spec):
    return condition(w, m, "postcondition", b.meta["born"],
                     self_refs(spec, b))


def lifecycle(b):
    for x in b.blocks("lifecycle"):
        return x
    x = Block("lifecycle")
    b.body.append(x)
    return x


def condition(w, m, type, before, extra=()):
    """A condition, which mostly holds."""
    maker = w.maker(m, EPHEMERAL if w.rng.random() < 0.9 else 0, before,
                    extra)
    e = maker.make("bool", 2)
    roll = w.rng.random()
    refs = [r for r in maker.scope.refs if not r.flags & maker.ban]
    if refs and roll < 0.95: # without any, it is an error
        e = ex.join(["anytrue([", e, ", ", w.rng.choice(refs).expr(),
                     ' != "never this"])'], "bool")
    message = maker.banning(SENSITIVE | EPHEMERAL).make("string", 1) \
        if w.rng.random() < 0.2 else Expr('"It must hold."')
    return Block(type, body=[Attr("condition", e),
                             Attr("error_message", message)])


def check_data(w, m):
    spec = w.rng.choice([s for s in SPECS if s.mode == "data" and (
        s.provider == "terraform" or s.provider in w.features)])
    name = m.name("r")
    b = Block("data", [spec.type, name], born=w.born)
    b.meta.update(kind="resource", spec=spec, form=Form())
    add_arguments(w, m, b, spec, Form(), "data")
    if w.on("depends", 0.2):
        add_depends(w, m, b)
    addr = address(b)
    return b, [Ref("%s.%s" % (addr, n), t, f | UNKNOWN, addr)
               for n, (t, f) in spec.exports.items()]


# --- arguments ---

def add_arguments(w, m, b, spec, form, mode):
    for name, (kind, chance) in spec.args.items():
        if w.rng.random() < chance and (kind != "order" or w.on("orders")):
            b.body.append(Attr(name, argument(w, m, b, form, kind, mode)))
    for name, (most, args) in spec.blocks.items():
        if w.rng.random() < 0.35:
            add_blocks(w, m, b, form, name, most, args)


def value_maker(w, m, b, form, mode="managed"):
    ban = 0 if mode == "ephemeral" else EPHEMERAL
    if w.rng.random() < 0.01:
        ban = 0 # to be refused
    return w.maker(m, ban, b.meta["born"], form.extra)


def argument(w, m, b, form, kind, mode):
    rng = w.rng
    maker = value_maker(w, m, b, form, mode)
    special = {
        "small": lambda: str(rng.randint(1, 3)),
        "pet": lambda: str(rng.randint(2, 3)), # too long to be a word
        "large": lambda: str(rng.randint(5, 9)),
        "long": lambda: str(rng.randint(9, 12)),
        "word": lambda: ex.quoted(rng.choice("abcdef")),
        "date": lambda: '"2021-01-0%dT00:00:00Z"' % rng.randint(1, 9),
        "algorithm": lambda: '"ED25519"',
        "local": lambda: '"local"',
        "statefile": lambda: '{ path = "given.tfstate" }',
        "given": lambda: '"given.txt"',
        "order": lambda: ex.quoted(rng.choice(ORDERS)).replace("\\\\", ""),
        "file": lambda: unique(m, b, form, "out/", ".txt"),
        "unique": lambda: unique(m, b, form, "", ""),
    }
    if kind in special:
        return Expr(special[kind](), "string", kind="lit")
    if kind == "secret":
        maker.ban = 0
        return maker.make("string", 1)
    if kind == ANY:
        if rng.random() < 0.04:
            return Expr("null", "string", kind="lit")
        return maker.make(ex.pick_type(rng), 3)
    return maker.make(kind, 2)


INDEX = {"count": "-${count.index}", "for_each": "-${each.key}"}


def unique(m, b, form, before, after):
    """A text that no other object has; modules are told where they are."""
    return '"%s%s%s%s%s"' % (before, "${var.at}" if m.dir else "",
                             b.labels[-1], INDEX.get(form.kind, ""), after)


def add_blocks(w, m, b, form, name, most, args):
    n = w.rng.randint(1, most)
    if w.on("dynamic", 0.4):
        b.body.append(dynamic(w, m, b, form, name, args, most))
        return
    keys = w.rng.sample(ex.KEYS, n)
    for i in range(n):
        labels = [keys[i]] if name in LABELLED else []
        b.body.append(Block(name, labels,
                            block_body(w, m, b, form, args)))


def block_body(w, m, b, form, args):
    body = []
    for name, (kind, chance) in args.items():
        if w.rng.random() < chance:
            body.append(Attr(name, argument(w, m, b, form, kind, "")))
    if "oc" in args and w.rng.random() < 0.3:
        inner = Block("x")
        add_inner(w, m, b, form, inner)
        body += inner.body
    return body


def add_inner(w, m, b, form, outer):
    """Blocks within a block, which may be dynamic as well."""
    if w.on("dynamic", 0.6):
        outer.body.append(dynamic(w, m, b, form, "inner", INNER, 2))
        return
    for _ in range(w.rng.randint(1, 2)):
        outer.body.append(Block("inner", (),
                                block_body(w, m, b, form, INNER)))


def dynamic(w, m, b, form, name, args, most):
    each = value_maker(w, m, b, form).banning(
        0 if w.rng.random() < 0.3 else PLAIN)
    kind = w.rng.choice([("map", "string"), ("list", "string")])
    d = Block("dynamic", [name], [Attr("for_each", each.make(kind, 1))])
    if most == 1:
        d.set("for_each", Expr("[1]", ("list", "number")))
    it = name
    if w.rng.random() < 0.3:
        it = w.rng.choice(["it", "each", name])
        d.body.append(Attr("iterator", Expr(it)))
    inner = Form("dynamic", (), list(form.extra) + [
        Ref(it + ".value", "string", d.attr("for_each").value.flags,
            "each"), Ref(it + ".key", "string", 0, "each")])
    if name in LABELLED:
        d.body.append(Attr("labels", Expr(
            '["l-${%s.key}"]' % it, ("list", "string"))))
    d.body.append(Block("content", (), block_body(w, m, b, inner, args)))
    return d


# --- lifecycle, provisioners, dependencies, providers ---

def earlier(w, m, b, types):
    """Addresses of what was there before the block."""
    born = b.meta.get("born", w.born)
    return [address(x) for x in m.blocks() if x.type in types
            and x.meta.get("born", born) < born]


def add_depends(w, m, b):
    names = earlier(w, m, b, ("resource", "data", "module"))
    if names:
        some = w.rng.sample(names, min(len(names), w.rng.randint(1, 2)))
        b.set("depends_on", ex.join(
            ["["] + [Item(None, Expr(n, root=n, kind="ref"))
                     for n in some] + ["]"], None, "list"))


def add_lifecycle(w, m, b, spec):
    life = lifecycle(b)
    roll = w.rng.random
    if roll() < 0.45:
        life.set("create_before_destroy",
                 Expr(w.rng.choice(["true", "true", "false"])))
    if roll() < 0.08:
        life.set("prevent_destroy", Expr("true"))
    if roll() < 0.1:
        life.set("destroy", Expr(w.rng.choice(["true", "false"])))
    if roll() < 0.25:
        names = [a.name for a in b.body if isinstance(a, Attr)
                 and a.name in spec.args]
        life.set("ignore_changes", Expr("all") if roll() < 0.15 or not names
                 else listed(Expr(w.rng.choice(names) + within(w))))
    if roll() < 0.3:
        add_triggers(w, m, b, life)


def within(w):
    """A step into an argument, which may have none such."""
    if w.rng.random() < 0.6:
        return ""
    return w.rng.choice(['["a"]', "[0]", ".name", ".k", '["x-y"].name',
                         ".tags[0]"])


def listed(e):
    """[e], which the JSON syntax has as a list as well."""
    return ex.join(["[", Item(None, e), "]"], None, "list")


def add_triggers(w, m, b, life):
    blocks = [x for x in m.blocks() if x.type == "resource"
              and x.meta.get("born", b.meta["born"]) < b.meta["born"]]
    if not blocks:
        return
    x = w.rng.choice(blocks)
    text, form = address(x), x.meta["form"]
    mine = b.attr("count"), b.attr("for_each")
    if form.kind == "count":
        text += w.rng.choice(["", "[0]"] + ["[count.index]"] * bool(mine[0]))
    elif form.kind == "for_each":
        text += w.rng.choice(["", '["a"]'] + ["[each.key]"] * bool(mine[1]))
    if x.labels[0] == "terraform_data" and text[-1] in "]" + "0123456789":
        if form.kind == "one" or text[-1] == "]":
            text += w.rng.choice(["", ".input", ".output", ".id"])
    life.set("replace_triggered_by",
             listed(Expr(text, root=address(x), kind="ref")))


def add_provisioner(w, m, b, form):
    p = Block("provisioner", ["local-exec"])
    what = w.maker(m, EPHEMERAL | VOLATILE, b.meta["born"],
                   form.extra).make("string", 1)
    if w.rng.random() < 0.4:
        p.body.append(Attr("when", Expr("destroy")))
        what = Expr("self.id") if w.rng.random() < 0.3 else Expr('"x"')
    else:
        p.body.append(Attr("environment", ex.join(["{ A = ", what, " }"],
                                                  None)))
    command = "echo hello"
    if w.rng.random() < 0.15:
        command = "exit 3"
    p.body.append(Attr("command", Expr(ex.quoted(command))))
    if w.rng.random() < 0.2:
        p.body.append(Attr("on_failure", Expr("continue")))
    b.body.append(p)


PROVIDER_KEYS = ["a", "b", "k1"]


def by_key(w, form):
    """An instance of the provider configuration that has for_each: mostly one
    that there is."""
    if form.kind == "for_each" and (w.rng.random() < 0.1 or
                                    set(form.keys) <= set(PROVIDER_KEYS)):
        return "test.by[each.key]"
    keys = PROVIDER_KEYS + ["gone"] * (w.rng.random() < 0.05)
    return "test.by[%s]" % ex.quoted(w.rng.choice(keys))


def add_provider_blocks(w, m):
    """Configurations of the test provider; in modules, seldom."""
    if "providerfns" in w.features and not getattr(m, "needs_alias", False):
        m.add(Block("terraform", (), [Block("required_providers", (), [
            Attr("terraform",
                 Expr('{ source = "terraform.io/builtin/terraform" }'))])]))
    if "test" not in w.features:
        return
    if m.dir == "":
        if w.rng.random() < 0.4:
            m.add(Block("provider", ["test"], [Attr("prefix", w.maker(
                m, PLAIN).make("string", 1))]))
        if w.on("by_key"):
            m.add(Block("provider", ["test"], [
                Attr("alias", Expr('"by"')),
                Attr("for_each", ex.join(
                    ["toset(["] + [Item(None, Expr(ex.quoted(k)))
                                   for k in PROVIDER_KEYS] + ["])"], None)),
                Attr("prefix", Expr("each.key"))]))
        if w.on("aliases"):
            m.add(Block("provider", ["test"], [
                Attr("alias", Expr('"other"')),
                Attr("prefix", w.maker(m, EPHEMERAL).make("string", 1))]))
    elif getattr(m, "needs_alias", False):
        m.add(Block("terraform", (), [Block("required_providers", (), [
            Attr("test", Expr('{ source = "hashicorp/test", '
                              'configuration_aliases = [test.other] }'))])]))


def passed(w, m, form):
    if m.dir == "" and "by_key" in w.features and \
            form.kind == "for_each" and set(form.keys) <= set(PROVIDER_KEYS):
        return "test.by[each.key]"
    if m.dir == "" and w.on("by_key", 0.5):
        return "test.by[%s]" % ex.quoted(w.rng.choice(PROVIDER_KEYS))
    return "test.other"


def add_providers_argument(w, m, b, form):
    child = w.modules["mods/" + b.attr("source").value.parts[0]
                      .strip('"').split("/")[-1]]
    if getattr(child, "needs_alias", False) or \
            "test" in w.features and w.on("aliases", 0.2):
        m.needs_alias = True
        b.body.append(Attr("providers", ex.join(
            ["{ ", Item("test.other", Expr(passed(w, m, form))), "}"], None)))

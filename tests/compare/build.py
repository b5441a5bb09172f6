"""build.py - modules, and the objects in them

A World is one version of a configuration: its modules and other files.  It is
copied whole to be changed, so that nodes keep their numbers (tree.py).
"""
import expr as ex
import expr_daily
import expr_more
import resources as res
from expr import EPHEMERAL, PLAIN, SENSITIVE, UNKNOWN, VOLATILE, Ref
from schema import GIVEN_STATE
from tree import Attr, Block, Expr, File, Item, Text

expr_more.add_forms()

# A case has some of these, not all: rare things meet more often that way.
FEATURES = {
    "modules": 0.6, "providers": 0.4, "data": 0.4, "count": 0.6,
    "for_each": 0.6, "enabled": 0.2, "lifecycle": 0.6, "conditions": 0.4,
    "provisioners": 0.2, "checks": 0.25, "sensitive": 0.4,
    "ephemeral": 0.25, "dynamic": 0.5, "json": 0.15, "override": 0.12,
    "import": 0.15, "validation": 0.3, "tfvars": 0.4, "depends": 0.4,
    "aliases": 0.3, "deprecated": 0.1, "orders": 0.3, "late": 0.12,
    "providerfns": 0.1, "by_key": 0.25, "stuck": 0.2, "optional": 0.3,
    "const": 0.1,
}


def constant(rng, t):
    """A value written out without any function: for defaults and tfvars."""
    if t[0] == "set":
        t = ("list", t[1])
    m = ex.Maker(rng, ex.Scope())
    m.make = lambda t, depth=0: constant(rng, t)
    return m.literal(t, 1)


def text(s):
    return Expr(ex.quoted(s), "string", kind="lit")


class Module:
    def __init__(self, dir):
        self.dir = dir
        self.files = {}
        self.scope = ex.Scope()
        self.variables, self.outputs = [], []
        self.names = 0
        self.calls = []  # directories of the modules called

    def path(self, name):
        return self.dir + "/" + name if self.dir else name

    def file(self, name):
        return self.files.setdefault(name, File([]))

    def add(self, block, name="main.tf"):
        self.file(name).body.append(block)
        return block

    def blocks(self):
        return [b for f in self.files.values() for b in f.body
                if isinstance(b, Block)]

    def name(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)


class World:
    """modules by directory; the root module is in ""."""

    def __init__(self, rng, features):
        self.rng, self.features = rng, features
        self.modules = {}
        self.other = {}  # path: File
        self.values = {} # of root variables: name: Expr
        self.born = 0

    def on(self, feature, chance=1.0):
        return feature in self.features and self.rng.random() < chance

    @property
    def root(self):
        return self.modules[""]

    def version(self):
        """{path: File}."""
        out = {m.path(n): f for m in self.modules.values()
               for n, f in m.files.items()}
        out.update(self.other)
        if self.values:
            out["terraform.tfvars"] = File(
                [Attr(n, e) for n, e in sorted(self.values.items())])
            out["terraform.tfvars"].id = -1
        return out

    def learn(self, module, ref):
        """A reference that is possible from now on; not before."""
        self.born += 1
        n = len(module.scope.refs)
        module.scope.add(ref)
        for r in module.scope.refs[n:]:
            r.born = self.born

    def scope(self, module, before=None):
        s = ex.Scope()
        s.refs = [r for r in module.scope.refs
                  if before is None or r.born <= before]
        return s

    def maker(self, module, ban=0, before=None, extra=()):
        s = self.scope(module, before)
        if extra:
            s = s.plus(extra)
        return ex.Maker(self.rng, s, ban, self.features)


def make_world(rng, providers=()):
    features = {f for f, p in sorted(FEATURES.items()) if rng.random() < p}
    if "providers" in features:
        features |= {p for p in ("random", "local", "time", "tls", "test")
                     if rng.random() < (0.75 if p == "test" else 0.3)
                     and p in providers}
    w = World(rng, features)
    make_module(w, "", 0)
    w.other["given.tfstate"] = File(text=GIVEN_STATE)
    w.other["given.txt"] = File(text="given\n")
    w.other["given.tftpl"] = File(text=expr_daily.TEMPLATE)
    return w


def make_module(w, dir, depth):
    m = w.modules[dir] = Module(dir)
    if dir:
        m.add(Block("variable", ["at"], [Attr("type", Expr("string"))]))
    for _ in range(w.rng.randint(0, 3)):
        add_variable(w, m)
    for _ in range(w.rng.randint(2, 9) if depth == 0
                   else w.rng.randint(1, 4)):
        add_object(w, m, depth)
    for _ in range(w.rng.randint(0, 3) if depth == 0
                   else w.rng.randint(1, 3)):
        add_output(w, m)
    if w.on("override", 0.5):
        add_override(w, m)
    if dir == "" or w.rng.random() < 0.3:
        res.add_provider_blocks(w, m)
    return m


def add_object(w, m, depth=0):
    kinds = ["resource"] * 6 + ["local"] * 2
    if w.on("modules") and depth < 2:
        kinds += ["call"] * 3
    if w.on("data"):
        kinds += ["data"] * 2
    if w.on("ephemeral"):
        kinds += ["ephemeral"]
    if w.on("checks"):
        kinds += ["check"]
    kind = w.rng.choice(kinds)
    if kind == "local":
        add_local(w, m)
    elif kind == "call":
        add_call(w, m, depth)
    elif kind == "check":
        add_check(w, m)
    else:
        res.add_resource(w, m, {"resource": "managed"}.get(kind, kind))


def place(w, m, block):
    """Puts a block into one of the module's files."""
    name = "main.tf"
    if w.rng.random() < 0.2:
        name = "more.tf"
    if w.on("json", 0.4):
        name = "extra.tf.json"
    return m.add(block, name)


# --- variables, locals, outputs ---

# What a variable of a module may be given: nothing but what is known and
# told, also what is unknown, anything.
POLICIES = [PLAIN, SENSITIVE | EPHEMERAL, EPHEMERAL]


def add_variable(w, m):
    name, t = m.name("v"), ex.pick_type(w.rng)
    policy = PLAIN if m.dir == "" else w.rng.choice(POLICIES)
    b = Block("variable", [name])
    flags = (UNKNOWN | VOLATILE | SENSITIVE) & ~policy
    typed = w.rng.random() < 0.85
    if typed:
        kind = ex.type_text(t)
        if t[0] == "object" and w.on("optional"):
            kind = optional(w, b, t)
        elif w.rng.random() < 0.05:
            kind = "any"
        b.body.append(Attr("type", Expr(kind)))
    if m.dir == "" or w.rng.random() < 0.5:
        b.body.append(Attr("default", fewer(w, b, constant(w.rng, t))))
    if w.on("sensitive", 0.3):
        b.body.append(Attr("sensitive", Expr("true")))
        flags |= SENSITIVE
    if w.on("ephemeral", 0.3):
        b.body.append(Attr("ephemeral", Expr("true")))
        flags |= EPHEMERAL
    if w.rng.random() < 0.1:
        b.body.append(Attr("nullable", Expr("false")))
    if w.rng.random() < 0.1:
        b.body.append(Attr("description", text("what it is for")))
    if w.on("deprecated", 0.3):
        b.body.append(Attr("deprecated", text("use another")))
    while w.on("validation", 0.4):
        b.body.append(validation(w, name, t))
    if m.dir == "" and b.attr("default") and w.on("const", 0.3):
        b.body.append(Attr("const", Expr("true")))
    place(w, m, b)
    m.variables.append((name, t, policy, b))
    if m.dir == "" and w.on("tfvars", 0.5):
        w.values[name] = fewer(w, b, constant(w.rng, t))
    # without its type, a list is a tuple, which is near enough
    w.learn(m, Ref("var." + name, t, flags))


def optional(w, b, t):
    """An object type some of whose attributes may be left out, and what has
    objects within."""
    names, parts = set(), []
    for n, x in t[1]:
        text = within(w, x)
        if w.rng.random() < 0.6:
            names.add(n)
            # without a default it is null
            default = ", " + Text({}).expr(constant(w.rng, x)) \
                if w.rng.random() < 0.7 else ""
            text = "optional(%s%s)" % (text, default)
        parts.append("%s = %s" % (n, text))
    b.meta["optional"] = names
    return "object({%s})" % ", ".join(parts)


def within(w, t):
    """The type as a constraint, objects in it with optional attributes that
    have defaults."""
    if isinstance(t, str) or t[0] == "set":
        return ex.type_text(t)
    if t[0] != "object":
        return "%s(%s)" % (t[0], within(w, t[1]))
    return "object({%s})" % ", ".join(
        "%s = optional(%s, %s)" % (n, within(w, x),
                                   Text({}).expr(constant(w.rng, x)))
        if w.rng.random() < 0.5 else "%s = %s" % (n, within(w, x))
        for n, x in t[1])


def fewer(w, b, e):
    """The object without some of what the variable's type lets be left out."""
    names = b.meta.get("optional", ())
    e.parts = [p for p in e.parts if not (
        isinstance(p, Item) and p.key in names and w.rng.random() < 0.5)]
    return e


def validation(w, name, t):
    scope = ex.Scope([Ref("var." + name, t)])
    condition = ex.Maker(w.rng, scope).make("bool", 2)
    parts = ["var.%s == null || " % name, condition]
    if w.rng.random() < 0.85:
        parts = ["var.%s != 3.14159 || " % name, condition]
    return Block("validation", body=[
        Attr("condition", ex.join(parts, "bool")),
        Attr("error_message", text("The value must be right."))])


def add_local(w, m):
    b = Block("locals")
    for _ in range(w.rng.randint(1, 2)):
        name, t = m.name("l"), ex.pick_type(w.rng)
        e = w.maker(m, EPHEMERAL if w.rng.random() < 0.8 else 0).make(t, 3)
        b.body.append(Attr(name, e))
        w.learn(m, Ref("local." + name, t, e.flags))
    b.meta["born"] = w.born
    place(w, m, b)


def add_output(w, m):
    name, t = m.name("o"), ex.pick_type(w.rng)
    ban = EPHEMERAL if m.dir == "" or not w.on("ephemeral") else 0
    e = w.maker(m, ban).make(t, 2)
    refs = [r for r in m.scope.refs if not r.flags & ban]
    if refs and w.rng.random() < 0.5:
        e = w.rng.choice(refs).expr()
        t = e.type
    b = Block("output", [name], [Attr("value", e)], born=w.born)
    flags = e.flags
    if flags & SENSITIVE and w.rng.random() < 0.96 or w.on("sensitive", 0.1):
        b.body.append(Attr("sensitive", Expr("true")))
        flags |= SENSITIVE
    if flags & EPHEMERAL and w.rng.random() < 0.96:
        b.body.append(Attr("ephemeral", Expr("true")))
    if w.on("conditions", 0.2):
        b.body.append(res.condition(w, m, "precondition", w.born))
    if w.on("depends", 0.15):
        res.add_depends(w, m, b)
    # a deprecated one is not sensitive to OpenTofu (see tf-plan.1)
    if w.on("deprecated", 0.2) and m.dir and not flags & SENSITIVE:
        b.body.append(Attr("deprecated", text("use another")))
    place(w, m, b)
    m.outputs.append((name, t, flags, b))


# --- module calls ---

def calls(w, dir, other):
    """Is the other module the one in dir, or called by it, anyhow?"""
    return dir == other or any(calls(w, d, other)
                               for d in w.modules[dir].calls)


def pick_module(w, m, depth):
    """A module that is there and does not call this one, or a new one."""
    ready = [d for d in w.modules if d and not calls(w, d, m.dir) and
             getattr(w.modules[d], "ready", False)]
    if ready and w.rng.random() < 0.4:
        return w.modules[w.rng.choice(ready)]
    dir = "mods/m%d" % len(w.modules)
    child = make_module(w, dir, depth + 1)
    child.ready = True
    return child


def where(m, b):
    """What a module is told: a text that no other instance gets."""
    return Expr('"%s%s%s."' % (
        "${var.at}" if m.dir else "", b.labels[0],
        res.INDEX.get(b.meta["form"].kind, "")), "string")


def add_call(w, m, depth):
    child = pick_module(w, m, depth)
    born = w.born
    source = "../" + child.dir[5:] if m.dir else "./" + child.dir
    name = m.name("c")
    b = Block("module", [name], [Attr("source", text(source))], born=born)
    form = res.instance_form(w, m, b)
    b.meta["form"] = form
    b.body.append(Attr("at", where(m, b)))
    for vname, t, policy, var in child.variables:
        if var.attr("default") and w.rng.random() < 0.3:
            continue
        ban = policy
        if var.attr("ephemeral"):
            ban &= ~EPHEMERAL
        e = w.maker(m, ban, born, form.extra).make(t, 2)
        b.body.append(Attr(vname, fewer(w, var, e)))
    if w.on("depends", 0.25):
        res.add_depends(w, m, b)
    res.add_providers_argument(w, m, b, form)
    place(w, m, b)
    m.calls.append(child.dir)
    b.meta.update(kind="call", form=form, child=child.dir)
    learn_outputs(w, m, b, child)


def learn_outputs(w, m, b, child):
    addr = "module." + b.labels[0]
    for oname, t, flags, _ in child.outputs:
        for r in res.forms_of(addr, b.meta["form"], oname, t, flags):
            w.learn(m, r)


# --- checks and overrides ---

def add_check(w, m):
    b = Block("check", [m.name("k")], born=w.born)
    extra = []
    if w.on("data", 0.5):
        data, refs = res.check_data(w, m)
        b.body.append(data)
        extra = refs
    for _ in range(w.rng.randint(1, 2)):
        b.body.append(res.condition(w, m, "assert", w.born, extra))
    place(w, m, b)


def add_override(w, m):
    """Another value for an argument of a variable, local, output or
    resource."""
    blocks = [b for b in m.blocks() if b.type in ("variable", "output",
                                                  "resource")]
    if not blocks:
        return
    b = w.rng.choice(blocks)
    values = [a for a in b.body if isinstance(a, Attr)
              and a.name in ("default", "value", "input", "name")]
    if not values:
        return
    a = w.rng.choice(values)
    new = constant(w.rng, a.value.type or "string")
    m.add(Block(b.type, b.labels, [Attr(a.name, new)], override=True),
          "x_override.tf")

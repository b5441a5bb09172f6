"""mutate.py - how a configuration changes between two steps

Each change is a function of a World that is its own copy; it may do nothing
where there is nothing to do.
"""
import copy
import re

import build
import expr as ex
import resources as res
from expr import PLAIN
from tree import Attr, Block, Expr, exprs, walk


def mutate(w, rng):
    """A changed copy of the world."""
    w = copy.deepcopy(w)
    w.rng = rng
    for _ in range(rng.choice([1, 1, 2, 3])):
        change = rng.choices([c for c, _ in CHANGES],
                             [n for _, n in CHANGES])[0]
        change(w, rng.choice(list(w.modules.values())))
    return w


def chosen(w, m, *types):
    """A block of one of these types that has nothing wrong with it."""
    blocks = [b for b in m.blocks() if b.type in types
              and "override" not in b.meta]
    return w.rng.choice(blocks) if blocks else None


# --- values ---

def change_literal(w, m):
    lits = [e for b in m.blocks() for e in exprs(b)
            if e.kind == "lit" and e.type in ex.PRIMITIVES
            and "$" not in e.parts[0]]
    if lits:
        e = w.rng.choice(lits)
        e.parts = ex.Maker(w.rng, ex.Scope()).literal(e.type).parts


def change_variable(w, m):
    if w.root.variables:
        name, t, _, b = w.rng.choice(w.root.variables)
        w.values[name] = build.fewer(w, b, build.constant(w.rng, t))


def change_expression(w, m):
    """Another expression for an argument of a resource or output."""
    b = chosen(w, m, "resource", "output", "module", "data")
    if not b:
        return
    attrs = [a for a in b.body if isinstance(a, Attr) and a.value.type
             and a.name not in ("count", "for_each", "source", "name",
                                "filename")]
    if attrs:
        a = w.rng.choice(attrs)
        form = b.meta.get("form")
        maker = w.maker(m, ex.EPHEMERAL, b.meta.get("born"),
                        form.extra if form else ())
        if b.type == "module":
            maker = maker.banning(PLAIN)
        a.value = maker.make(a.value.type, 2)


# --- objects ---

def rewrite(m, root, replace):
    """Changes what refers to root: replace makes the new parts of an
    expression, or leaves it (None)."""
    for b in m.blocks():
        for e in exprs(b):
            if e.kind == "ref" and e.root == root:
                parts = replace(e)
                if parts is not None:
                    e.parts = parts
                    e.kind = "lit" if e.type else "ref"


def forget(w, m, root):
    """Nothing refers to root any more."""
    m.scope.refs = [r for r in m.scope.refs if r.root != root]
    maker = ex.Maker(w.rng, ex.Scope())
    for b in m.blocks():
        for n in walk(b):
            if hasattr(n, "parts"):
                n.parts = [p for p in n.parts if not (
                    hasattr(p, "key") and p.value.root == root
                    and p.value.type is None)]
    rewrite(m, root,
            lambda e: maker.literal(e.type).parts if e.type else None)


def remove(w, m, b):
    for f in m.files.values():
        f.body = [x for x in f.body if x is not b]


def drop_object(w, m):
    b = chosen(w, m, "resource", "resource", "data", "module", "output")
    if not b:
        return
    remove(w, m, b)
    if b.type == "output":
        return drop_output(w, m, b)
    if w.rng.random() < 0.95:
        forget(w, m, res.address(b))
    if w.on("removed", 0.5) or w.rng.random() < 0.2:
        add_removed(w, m, b)


def drop_output(w, m, b):
    m.outputs = [o for o in m.outputs if o[3] is not b]
    for other in w.modules.values():
        for c in other.blocks():
            if c.meta.get("child") == m.dir and m.dir:
                name = "%s.%s" % (res.address(c), b.labels[0])
                other.scope.refs = [r for r in other.scope.refs
                                    if not r.text.startswith(name)]
                rewrite(other, res.address(c), lambda e: ex.Maker(
                    w.rng, ex.Scope()).literal(e.type).parts
                    if b.labels[0] in e.parts[0] else None)


def add_removed(w, m, b):
    if b.type == "data":
        return
    r = Block("removed", (), [Attr("from", Expr(res.address(b)))])
    roll = w.rng.random()
    if roll < 0.7:
        r.body.append(Block("lifecycle", (), [
            Attr("destroy", Expr("true" if roll < 0.2 else "false"))]))
    if roll < 0.15 and b.type == "resource":
        r.body.append(Block("provisioner", ["local-exec"], [
            Attr("when", Expr("destroy")), Attr("command",
                                                Expr('"echo gone"'))]))
    m.add(r)


def add_something(w, m):
    depth = 1 if m.dir else 0
    if w.rng.random() < 0.3:
        build.add_output(w, m)
    else:
        build.add_object(w, m, depth)


def rename(w, m):
    """Another name, mostly with a moved block."""
    b = chosen(w, m, "resource", "resource", "module")
    if not b:
        return
    old = res.address(b)
    b.labels[-1] = m.name(b.labels[-1][0])
    new = res.address(b)
    moved_refs(m, old, new)
    if w.rng.random() < 0.75:
        add_moved(w, m, old, new)


def moved_refs(m, old, new):
    pattern = re.compile(re.escape(old) + r"(?![\w-])")
    rewrite_text(m, old, lambda s: pattern.sub(new, s))
    for e in [e for b in m.blocks() for e in exprs(b)]:
        if e.root == old:
            e.root = new
    for r in m.scope.refs:
        if r.root == old:
            r.root, r.text = new, pattern.sub(new, r.text)


def rewrite_text(m, root, change):
    for b in m.blocks():
        for e in exprs(b):
            if e.kind == "ref" and e.root == root:
                e.parts = [change(p) if isinstance(p, str) else p
                           for p in e.parts]


def add_moved(w, m, old, new):
    m.add(Block("moved", (), [Attr("from", Expr(old)),
                              Attr("to", Expr(new))]))


def change_form(w, m):
    """Other instances: count, for_each or none, with or without moves."""
    b = chosen(w, m, "resource", "resource", "module", "data")
    if not b or "form" not in b.meta:
        return
    was, addr = b.meta["form"], res.address(b)
    kind = w.rng.choice(["one", "count", "for_each"])
    refs = [r for r in m.scope.refs if r.root == addr]
    b.meta["form"] = res.set_form(w, m, b, kind)
    reform(w, m, b, was, refs)
    rename_objects(w, m, b)
    if b.type != "data" and w.rng.random() < 0.4 and was.keys \
            and b.meta["form"].keys:
        add_moved(w, m, addr + key_text(w.rng.choice(was.keys)),
                  addr + key_text(w.rng.choice(b.meta["form"].keys)))


def rename_objects(w, m, b):
    """Each instance has a name of its own: of two with one name it depends on
    who comes first what their objects are called."""
    if b.type == "module":
        b.set("at", build.where(m, b))
        return
    for a in b.body:
        kind = b.meta["spec"].args.get(a.name, [None])[0] \
            if isinstance(a, Attr) else None
        if kind in ("unique", "file"):
            a.value = res.argument(w, m, b, b.meta["form"], kind, "")


def reform(w, m, b, was, refs):
    """References to the block as its instances are now."""
    addr, form = res.address(b), b.meta["form"]
    m.scope.refs = [r for r in m.scope.refs if r.root != addr]
    if b.type == "module":
        build.learn_outputs(w, m, b, w.modules[b.meta["child"]])
    else:
        res.learn_resource(w, m, b)
    born = b.meta.get("born", 0) + 1
    now = [r for r in m.scope.refs if r.root == addr]
    for r in now:
        r.born = min([r.born] + [x.born for x in refs] or [born])
    if w.rng.random() < 0.1:
        return # what refers to it is wrong now
    maker = ex.Maker(w.rng, ex.Scope())

    def again(e):
        same = [r for r in now if r.type == e.type]
        if same:
            e.parts = [w.rng.choice(same).text]
            return None
        return maker.literal(e.type).parts if e.type else None
    rewrite(m, addr, again)
    names = {"count": "count.index", "for_each": "each.key"}
    for e in exprs(b):
        for kind, name in names.items():
            if kind != form.kind and kind == was.kind:
                reindex(e, name, names.get(form.kind))


def reindex(e, old, new):
    """Where count.index, each.key or each.value was named."""
    if e.kind == "ref" and e.root in ("each", "count.index") and not new:
        e.parts, e.kind = ['"none"' if e.type == "string" else
                           "false" if e.type == "bool" else "0"], "lit"
        return
    new = new or '"none"'
    e.parts = [p.replace("${%s}" % old, "${%s}" % new)
               .replace("[%s]" % old, "[%s]" % new)
               if isinstance(p, str) else p for p in e.parts]
    if e.kind == "ref" and new == "count.index" and \
            (e.parts[0] == old or str(e.parts[0]).startswith("each.value")):
        e.parts = ['"v${count.index}"' if e.type == "string" else
                   "count.index == 0" if e.type == "bool" else "count.index"]


def key_text(key):
    if key is None:
        return ""
    return "[%s]" % (key if isinstance(key, int) else ex.quoted(key))


def change_count(w, m):
    """Fewer or more instances of the same form."""
    b = chosen(w, m, "resource", "module")
    if not b or "form" not in b.meta or b.meta["form"].kind == "one":
        return
    was, addr = b.meta["form"], res.address(b)
    refs = [r for r in m.scope.refs if r.root == addr]
    b.meta["form"] = res.set_form(w, m, b, was.kind)
    reform(w, m, b, was, refs)


def change_lifecycle(w, m):
    b = chosen(w, m, "resource")
    if not b or "spec" not in b.meta:
        return
    for x in b.blocks("lifecycle"):
        if x.body:
            x.body.remove(w.rng.choice(x.body))
    if w.rng.random() < 0.8:
        res.add_lifecycle(w, m, b, b.meta["spec"])


def into_module(w, m):
    """Moves a resource into a module that is called without instances."""
    b = chosen(w, m, "resource")
    calls = [c for c in m.blocks() if c.type == "module"
             and c.meta["form"].kind == "one"]
    if not b or not calls or "form" not in b.meta:
        return
    call = w.rng.choice(calls)
    child = w.modules[call.meta["child"]]
    remove(w, m, b)
    forget(w, m, res.address(b))
    inner = copy.copy(b)
    inner.body = [x for x in b.body if isinstance(x, Attr)
                  and not any(e.kind == "ref" for e in exprs(x))
                  and x.name not in ("count", "for_each", "provider")]
    inner.meta = dict(b.meta, form=res.Form())
    for e in exprs(inner):
        reindex(e, "count.index", None)
        reindex(e, "each.key", None)
    rename_objects(w, child, inner)
    child.add(inner)
    add_moved(w, m, res.address(b), "%s.%s" % (res.address(call),
                                               res.address(b)))


def move_instance(w, m):
    """A moved block between two likely addresses, of modules and instances
    within modules as well; seldom of the same type."""
    from case import addresses
    known = sorted(a for a, _ in addresses(w) if not a.startswith("data.")
                   and ".data." not in a and "ephemeral." not in a)
    if not known:
        return
    a = w.rng.choice(known)
    last = re.compile(r"(\[[^]]*\])?$")
    kind = re.sub(r"\[[^]]*\]", "", a).split(".")[-2:]
    same = [x for x in known if x != a and kind[0] ==
            re.sub(r"\[[^]]*\]", "", x).split(".")[-2:][0]]
    b = w.rng.choice(same) if same and w.rng.random() < 0.6 else \
        last.sub(w.rng.choice(["", "[0]", "[5]", '["a"]', '["z"]']), a, 1)
    if a != b:
        add_moved(w, w.root, a, b)


def add_import(w, m):
    b = chosen(w, m, "resource")
    if not b or "form" not in b.meta:
        return
    to = res.address(b)
    if m.dir: # the block stands in the root module
        calls = [c for c in w.root.blocks() if c.meta.get("child") == m.dir]
        if not calls:
            return
        call = w.rng.choice(calls)
        to = res.address(call) + key_text(w.rng.choice(
            call.meta["form"].keys or [None])) + "." + to
        m = w.root
    each = to + "[each.key]"
    to += key_text(w.rng.choice(b.meta["form"].keys or [0]))
    body = [Attr("to", Expr(to)), Attr("id", Expr('"imported"'))]
    if w.rng.random() < (0.6 if b.meta["form"].kind == "for_each" else 0.1):
        body.append(Attr("for_each", Expr(w.rng.choice(
            ['toset(["a", "b"])', '{ a = "x", k1 = "y" }', "toset([])"]))))
        body[0].value = Expr(each)
        body[1].value = Expr('"imported-${each.value}"')
    m.add(Block("import", (), body))


def forget_blocks(w, m):
    """moved, removed and import blocks have done their work."""
    for f in m.files.values():
        f.body = [x for x in f.body if not isinstance(x, Block)
                  or x.type not in ("moved", "removed", "import")]


def mistake(w, m):
    import mistakes
    mistakes.mistake(w, m)


CHANGES = [
    (change_literal, 8), (change_variable, 4), (change_expression, 5),
    (drop_object, 5), (add_something, 6), (rename, 4), (change_form, 4),
    (change_count, 5), (change_lifecycle, 5), (into_module, 2),
    (add_import, 2), (move_instance, 2), (forget_blocks, 3), (mistake, 3),
]

"""tree.py - configurations as trees whose parts can be taken out

A version of a configuration is {path: File}.  Nodes carry a number that stays
the same from version to version, so that a reduction, which is a dict
{number: edit}, applies to all of them.  An edit is one of

    DROP            the block, argument or element is left out
    ("sub", number) one of the parts of an expression stands in its place
    ("lit", text)   another text does
"""
import itertools
import json

DROP = ("drop",)

# Arguments that hold addresses, not expressions.
STATIC = {"depends_on", "ignore_changes", "replace_triggered_by", "provider",
          "providers", "from", "to", "type", "source", "when",
          "on_failure"}


class Node:
    numbers = itertools.count(1)

    def __init__(self):
        self.id = next(Node.numbers)


class Expr(Node):
    """An expression: text and smaller ones; `flags` say what its value may be
    (see expr.py), `root` what it refers to, if it is a reference."""

    def __init__(self, parts, type=None, flags=0, root=None, kind=None):
        super().__init__()
        self.parts = parts if isinstance(parts, list) else [parts]
        self.type, self.flags = type, flags
        self.root, self.kind = root, kind


class Item(Node):
    """An element of a collection that is written out, with its comma; key is
    None in a list."""

    def __init__(self, key, value):
        super().__init__()
        self.key, self.value = key, value


class Attr(Node):
    def __init__(self, name, value):
        super().__init__()
        self.name, self.value = name, value


class Block(Node):
    """meta is the generator's own: what it has to know to change it later."""

    def __init__(self, type, labels=(), body=(), **meta):
        super().__init__()
        self.type, self.labels = type, list(labels)
        self.body, self.meta = list(body), meta

    def attr(self, name):
        for b in self.body:
            if isinstance(b, Attr) and b.name == name:
                return b
        return None

    def blocks(self, type):
        return [b for b in self.body
                if isinstance(b, Block) and b.type == type]

    def set(self, name, value):
        """Gives the argument a value: adds it, or puts the value in place."""
        a = self.attr(name)
        if a:
            a.value = value
        else:
            self.body.insert(0, Attr(name, value))

    def unset(self, name):
        self.body = [b for b in self.body
                     if not (isinstance(b, Attr) and b.name == name)]


class File(Node):
    """Blocks and arguments, or plain text."""

    def __init__(self, body=None, text=None):
        super().__init__()
        self.body, self.text = body, text


def walk(node):
    """All nodes from this one down."""
    yield node
    for n in children(node):
        yield from walk(n)


def children(node):
    if isinstance(node, Expr):
        return [p for p in node.parts if isinstance(p, Node)]
    if isinstance(node, (Item, Attr)):
        return [node.value]
    return [b for b in (node.body or []) if isinstance(b, Node)]


def exprs(node):
    return (n for n in walk(node) if isinstance(n, Expr))


# --- HCL ---

class Text:
    """Writes nodes as HCL."""

    def __init__(self, edits):
        self.edits = edits

    def dropped(self, node):
        return self.edits.get(node.id) == DROP

    def resolve(self, e):
        """The expression that stands there after the edits, or its text."""
        while e.id in self.edits:
            edit = self.edits[e.id]
            if edit[0] == "lit":
                return edit[1]
            found = [n for n in walk(e) if n.id == edit[1]]
            if not found or found[0] is e:
                break
            e = found[0]
        return e

    def expr(self, e):
        e = self.resolve(e)
        if isinstance(e, str):
            return e
        return "".join(self.part(p) for p in e.parts)

    def part(self, p):
        if isinstance(p, str):
            return p
        if isinstance(p, Expr):
            return self.expr(p)
        if self.dropped(p):
            return ""
        key = "" if p.key is None else p.key + " = "
        return key + self.expr(p.value) + ", "

    def body(self, body, indent=""):
        out = []
        for b in body:
            if self.dropped(b):
                continue
            if isinstance(b, Attr):
                out.append("%s%s = %s\n" % (indent, b.name,
                                            self.expr(b.value)))
            else:
                out.append(self.block(b, indent))
        return "".join(out)

    def block(self, b, indent=""):
        if hasattr(b, "text"):
            return b.text
        head = "".join(' "%s"' % label for label in b.labels)
        inner = self.body(b.body, indent + "  ")
        if not inner:
            return "%s%s%s {}\n" % (indent, b.type, head)
        return "%s%s%s {\n%s%s}\n" % (indent, b.type, head, inner, indent)

    def file(self, path, f):
        if f.text is not None:
            return f.text
        if path.endswith(".json"):
            return json.dumps(Json(self).body(f.body), indent=2) + "\n"
        return self.body(f.body)


# --- JSON syntax ---

class Json:
    """Makes the JSON of nodes; what it does not know becomes a template."""

    def __init__(self, text):
        self.text = text

    def body(self, body):
        out = {}
        for b in body:
            if self.text.dropped(b):
                continue
            if isinstance(b, Attr):
                out[b.name] = self.attr(b)
            else:
                self.add_block(out, b)
        return out

    def attr(self, a):
        if a.name in STATIC:
            return self.static(a.value)
        return self.value(a.value)

    def static(self, e):
        e = self.text.resolve(e)
        if isinstance(e, str):
            return e.strip('"')
        items = [p for p in e.parts if isinstance(p, Item)]
        keep = [i for i in items if not self.text.dropped(i)]
        if not items:
            return self.text.expr(e).strip('"')
        if items[0].key is None:
            return [self.static(i.value) for i in keep]
        return {i.key: self.static(i.value) for i in keep}

    def value(self, e):
        e = self.text.resolve(e)
        text = e if isinstance(e, str) else self.text.expr(e)
        if text in ("null", "true", "false") or text.isdigit():
            return json.loads(text)
        if not isinstance(e, str) and e.kind in ("list", "object"):
            keep = [p for p in e.parts if isinstance(p, Item)
                    and not self.text.dropped(p)]
            if e.kind == "list":
                return [self.value(i.value) for i in keep]
            return {self.key(i.key): self.value(i.value) for i in keep}
        if text.startswith('"') and text.endswith('"') \
                and '"' not in text[1:-1] and "\\" not in text:
            return text[1:-1]
        return "${%s}" % text

    @staticmethod
    def key(key):
        if key.startswith('"'):
            return key[1:-1]
        if key.startswith("("):
            return "${%s}" % key[1:-1]
        return key

    def add_block(self, out, b):
        at = out.setdefault(b.type, {} if b.labels else [])
        for label in b.labels[:-1]:
            at = at.setdefault(label, {})
        if b.labels:
            at = at.setdefault(b.labels[-1], [])
        at.append(self.body(b.body))


def render(version, edits=None):
    """{path: text} of a version."""
    text = Text(edits or {})
    return {path: text.file(path, f) for path, f in version.items()
            if not text.dropped(f)}

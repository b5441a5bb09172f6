"""expr.py - expressions of a type that was asked for

Types are "string", "number", "bool", ("list", T), ("set", T), ("map", T) and
("object", ((name, T), ...)).  Flags say what a value may be; what may not be
used at a place is banned there.
"""
from tree import Expr, Item

UNKNOWN, SENSITIVE, EPHEMERAL, VOLATILE = 1, 2, 4, 8
# What may not decide how many instances there are.
PLAIN = UNKNOWN | SENSITIVE | EPHEMERAL | VOLATILE

WORDS = ["a", "b", "red", "two words", "x-1", "", "ü", "Ab", "k", "z.z"]
KEYS = ["a", "b", "c", "k1", "x-y", "d e"]
NAMES = ["name", "size", "on", "tags", "k"]
PRIMITIVES = ["string", "number", "bool"]


class Ref:
    """Something that expressions can name."""

    def __init__(self, text, type, flags=0, root=None):
        self.text, self.type, self.flags = text, type, flags
        self.root = root or text

    def expr(self):
        return Expr(self.text, self.type, self.flags, self.root, "ref")


def below(ref, depth=2):
    """The reference and those to parts of it that are always there."""
    yield ref
    if depth and ref.type[0] == "object":
        for name, t in ref.type[1]:
            yield from below(Ref("%s.%s" % (ref.text, name), t, ref.flags,
                                 ref.root), depth - 1)


class Scope:
    """What can be referred to; scopes of instances add to their module's."""

    def __init__(self, refs=()):
        self.refs = []
        for r in refs:
            self.add(r)

    def add(self, ref):
        self.refs.extend(below(ref))

    def plus(self, refs):
        s = Scope(refs)
        s.refs = self.refs + s.refs * 3 # they are what is interesting here
        return s

    def find(self, type, ban):
        return [r for r in self.refs
                if r.type == type and not r.flags & ban]

    def collections(self, type, ban):
        return [r for r in self.refs if r.type[0] in ("list", "map")
                and r.type[1] == type and not r.flags & ban]


def pick_type(rng, depth=2):
    if depth == 0 or rng.random() < 0.5:
        return rng.choice(PRIMITIVES + ["string"])
    kind = rng.choice(["list", "set", "map", "object", "object"])
    if kind == "object":
        names = rng.sample(NAMES, rng.randint(1, 3))
        return kind, tuple((n, pick_type(rng, depth - 1))
                           for n in sorted(names))
    if kind == "set":
        return kind, "string"
    return kind, pick_type(rng, depth - 1)


def type_text(t):
    """The type as a type constraint."""
    if isinstance(t, str):
        return t
    if t[0] == "object":
        return "object({%s})" % ", ".join(
            "%s = %s" % (n, type_text(x)) for n, x in t[1])
    return "%s(%s)" % (t[0], type_text(t[1]))


def quoted(s):
    return '"%s"' % s.replace("\\", "\\\\").replace('"', '\\"')


def join(parts, type, kind=None):
    flags = 0
    for p in parts:
        if isinstance(p, Expr):
            flags |= p.flags
        elif isinstance(p, Item):
            flags |= p.value.flags
    return Expr(parts, type, flags, None, kind)


class Maker:
    """Makes expressions from what a scope has."""

    def __init__(self, rng, scope, ban=0, features=()):
        self.rng, self.scope, self.ban = rng, scope, ban
        self.features = features

    def banning(self, ban):
        return Maker(self.rng, self.scope, self.ban | ban, self.features)

    def make(self, t, depth=2):
        refs = self.scope.find(t, self.ban)
        if refs and self.rng.random() < 0.4:
            return self.rng.choice(refs).expr()
        if depth == 0 or self.rng.random() < 0.35:
            return self.literal(t, depth)
        how = self.rng.choice(FORMS.get(t if isinstance(t, str) else t[0]))
        return how(self, t, depth - 1) or self.literal(t, depth)

    # --- what is written out ---

    def literal(self, t, depth=0):
        if t == "string":
            return Expr(quoted(self.rng.choice(WORDS)), t, kind="lit")
        if t == "number":
            n = self.rng.choice([0, 1, 2, 3, 7, 10, -1, "1.5", 100])
            return Expr(str(n), t, kind="lit")
        if t == "bool":
            return Expr(self.rng.choice(["true", "false"]), t, kind="lit")
        return getattr(self, "new_" + t[0])(t, depth)

    def element(self, t, depth):
        return self.make(t, max(depth - 1, 0))

    def new_list(self, t, depth):
        n = self.rng.choice([0, 1, 2, 2, 3])
        items = [Item(None, self.element(t[1], depth)) for _ in range(n)]
        return join(["["] + items + ["]"], t, "list")

    def new_set(self, t, depth):
        e = self.banning(VOLATILE).new_list(("list", t[1]), depth)
        return join(["toset(", e, ")"], t)

    def new_map(self, t, depth):
        keys = self.rng.sample(KEYS, self.rng.choice([0, 1, 2, 2, 3]))
        items = [Item(quoted(k), self.element(t[1], depth)) for k in keys]
        return join(["{ "] + items + ["}"], t, "object")

    def new_object(self, t, depth):
        items = [Item(n, self.element(x, depth)) for n, x in t[1]]
        return join(["{ "] + items + ["}"], t, "object")

    # --- forms for every type ---

    def conditional(self, t, d):
        return join([self.make("bool", d), " ? ", self.make(t, d), " : ",
                     self.make(t, d)], t)

    def parenthesised(self, t, d):
        return join(["(", self.conditional(t, d), ")"], t)

    def attempt(self, t, d):
        return join(["try(", self.make(t, d), ", ", self.literal(t), ")"], t)

    def coalesced(self, t, d):
        return join(["coalesce(null, ", self.make(t, d), ", ",
                     self.literal(t), ")"], t)

    def marked(self, t, d):
        if self.ban & SENSITIVE:
            return None
        e = join(["sensitive(", self.make(t, d), ")"], t)
        e.flags |= SENSITIVE
        return e

    def unmarked(self, t, d):
        e = self.make(t, d)
        if not e.flags & SENSITIVE:
            return None
        e = join(["nonsensitive(", e, ")"], t)
        e.flags &= ~SENSITIVE
        return e

    def looked_up(self, t, d):
        return join(["lookup(", self.make(("map", t), d), ", ",
                     quoted(self.rng.choice(KEYS)), ", ", self.make(t, d),
                     ")"], t)

    def elem_of(self, t, d):
        refs = self.scope.collections(t, self.ban)
        if not refs:
            return None
        r = self.rng.choice(refs)
        if r.type[0] == "list":
            return join(["try(", r.expr(), "[%d], " % self.rng.randint(0, 2),
                         self.literal(t), ")"], t)
        return join(["try(", r.expr(), "[", quoted(self.rng.choice(KEYS)),
                     "], ", self.literal(t), ")"], t)

    def indexed(self, t, d):
        return join(["[", self.make(t, d), ", ", self.make(t, d), "][",
                     str(self.rng.randint(0, 1)), "]"], t)

    def attribute(self, t, d):
        return join(["{ k = ", self.make(t, d), ", n = ",
                     self.literal("string"), " }.k"], t)

    def decoded(self, t, d):
        return join(["jsondecode(jsonencode(", self.make(t, d), "))"], t)

    # --- strings ---

    def template(self, t, d):
        other = self.rng.choice(["string", "string", "number", "bool"])
        return join(['"', self.rng.choice(["", "p-", "v "]), "${",
                     self.make(other, d), "}",
                     self.rng.choice(["", "-s", "/"]), '"'], t)

    def directive(self, t, d):
        return join(['"%{ if ', self.make("bool", d), " }yes ${",
                     self.make("string", d), "}%{ else }no%{ endif }\""], t)

    def loop(self, t, d):
        return join(['"%{ for x in ', self.make(("list", "string"), d),
                     ' ~}[${x}]%{ endfor }"'], t)

    def formatted(self, t, d):
        return join(['format("%s:%v", ', self.make("string", d), ", ",
                     self.make("number", d), ")"], t)

    def joined(self, t, d):
        return join(['join(",", ', self.make(("list", "string"), d), ")"], t)

    def encoded(self, t, d):
        return join(["jsonencode(", self.make(pick_type(self.rng, 1), d),
                     ")"], t)

    def hashed(self, t, d):
        f = self.rng.choice(["upper(", "md5(", "title(", "trimspace(",
                             "base64encode(", "strrev(", "sha1("])
        return join([f, self.banning(VOLATILE).make("string", d), ")"], t)

    def replaced(self, t, d):
        text = self.banning(VOLATILE).make("string", d)
        return join(["replace(", text, ', "a", "o")'], t)

    def substring(self, t, d):
        return join(["substr(", self.banning(VOLATILE).make("string", d),
                     ", 0, 2)"], t)

    def to_text(self, t, d):
        return join(["tostring(", self.make("number", d), ")"], t)

    # --- numbers ---

    def sum(self, t, d):
        return join(["(", self.make(t, d),
                     self.rng.choice([" + ", " - ", " * "]),
                     self.make(t, d), ")"], t)

    def length(self, t, d):
        of = self.rng.choice([("list", "string"), ("map", "string"),
                              "string", ("set", "string")])
        return join(["length(", self.make(of, d), ")"], t)

    def extreme(self, t, d):
        return join([self.rng.choice(["max(", "min("]), self.make(t, d),
                     ", ", self.make(t, d), ")"], t)

    # --- conditions ---

    def compared(self, t, d):
        of = self.rng.choice(["string", "number", pick_type(self.rng, 1)])
        return join([self.make(of, d), self.rng.choice([" == ", " != "]),
                     self.make(of, d)], t)

    def ordered(self, t, d):
        return join([self.make("number", d),
                     self.rng.choice([" < ", " >= "]),
                     self.make("number", d)], t)

    def logical(self, t, d):
        return join(["(", self.make(t, d),
                     self.rng.choice([" && ", " || "]), self.make(t, d),
                     ")"], t)

    def negated(self, t, d):
        return join(["!(", self.make(t, d), ")"], t)

    def contains(self, t, d):
        return join(["contains(", self.make(("list", "string"), d), ", ",
                     self.make("string", d), ")"], t)

    def can(self, t, d):
        return join(["can(", self.make(pick_type(self.rng, 1), d), ")"], t)

    def of_word(self, t, d):
        return join([self.rng.choice(["startswith(", "strcontains("]),
                     self.banning(VOLATILE).make("string", d), ', "a")'], t)

    # --- collections ---

    def list_for(self, t, d):
        return join(["[for i, v in ", self.make(t, d), " : v",
                     self.rng.choice(["", "", " if i != 0"]), "]"], t)

    def list_from_map(self, t, d):
        return join(["values(", self.make(("map", t[1]), d), ")"], t)

    def list_concat(self, t, d):
        return join(["concat(", self.make(t, d), ", ", self.make(t, d),
                     ")"], t)

    def list_splat(self, t, d):
        of = ("list", ("object", (("k", t[1]),)))
        return join([self.make(of, d), "[*].k"], t)

    def list_of(self, t, d):
        return join(["tolist(", self.make(t, d), ")"], t)

    def list_made(self, t, d):
        if t[1] != "string":
            return None
        m = self.banning(VOLATILE)
        return self.rng.choice([
            lambda: join(['split("-", ', m.make("string", d), ")"], t),
            lambda: join(["keys(", m.make(("map", "string"), d), ")"], t),
            lambda: join(["distinct(", m.make(t, d), ")"], t),
            lambda: join(["compact(", m.make(t, d), ")"], t),
            lambda: join(["sort(", m.make(t, d), ")"], t),
            lambda: join(["tolist(", m.make(("set", "string"), d), ")"], t),
        ])()

    def map_for(self, t, d):
        return join(["{ for k, v in ", self.make(t, d), " : k => v",
                     self.rng.choice(["", "", ' if k != "a"']), " }"], t)

    def map_keyed(self, t, d):
        over = self.banning(VOLATILE).make(("set", "string"), d)
        value = self.make(t[1], d)
        return join(["{ for k in ", over, " : k => ", value, " }"], t)

    def map_grouped(self, t, d):
        if t[1] != ("list", "string"):
            return None
        return join(["{ for v in ", self.make(t[1], d), " : substr(v, 0, 1)"
                     " => v... }"], t)

    def map_merged(self, t, d):
        return join(["merge(", self.make(t, d), ", ", self.make(t, d), ")"],
                    t)

    def map_of(self, t, d):
        return join(["tomap(", self.make(t, d), ")"], t)

    def map_zip(self, t, d):
        v = self.make(t[1], d)
        return join(['zipmap(["a", "b"], [', v, ", ", self.make(t[1], d),
                     "])"], t)

    def set_ops(self, t, d):
        return join([self.rng.choice(["setunion(", "setsubtract("]),
                     self.make(t, d), ", ", self.make(t, d), ")"], t)

    def object_merged(self, t, d):
        return join(["merge(", self.make(t, d), ", ", self.make(t, d), ")"],
                    t)


ANY = [Maker.conditional, Maker.parenthesised, Maker.attempt,
       Maker.coalesced, Maker.marked, Maker.unmarked, Maker.looked_up,
       Maker.elem_of, Maker.elem_of, Maker.indexed, Maker.attribute,
       Maker.decoded]
FORMS = {
    "string": ANY + [Maker.template] * 4 + [
        Maker.directive, Maker.loop, Maker.formatted, Maker.joined,
        Maker.encoded, Maker.hashed, Maker.replaced, Maker.substring,
        Maker.to_text],
    "number": ANY + [Maker.sum, Maker.sum, Maker.length, Maker.extreme],
    "bool": ANY + [Maker.compared, Maker.compared, Maker.ordered,
                   Maker.logical, Maker.negated, Maker.contains, Maker.can,
                   Maker.of_word],
    "list": ANY + [Maker.new_list, Maker.new_list, Maker.list_for,
                   Maker.list_from_map, Maker.list_concat, Maker.list_splat,
                   Maker.list_of, Maker.list_made],
    "map": ANY + [Maker.new_map, Maker.new_map, Maker.map_for,
                  Maker.map_keyed, Maker.map_grouped, Maker.map_merged,
                  Maker.map_of, Maker.map_zip],
    "set": [Maker.new_set, Maker.new_set, Maker.set_ops, Maker.conditional,
            Maker.attempt, Maker.marked],
    "object": ANY + [Maker.new_object, Maker.new_object,
                     Maker.object_merged],
}

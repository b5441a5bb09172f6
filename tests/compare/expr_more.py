"""expr_more.py - forms of expressions that are rarer: see expr.py"""
from expr import FORMS, SENSITIVE, VOLATILE, join, pick_type, quoted
from tree import Expr


MORE = []


def form(*types):
    """The function makes expressions of these types; without any, of all but
    sets."""
    def add(f):
        MORE.append((f, types))
        return f
    return add


def add_forms():
    for f, types in MORE:
        for t in types or [t for t in FORMS if t != "set"]:
            FORMS[t] = FORMS[t] + [f]


def plain(m):
    return m.banning(VOLATILE)


# --- for every type ---

@form()
def only(m, t, d):
    return join(["one([", m.make(t, d), "])"], t)


@form()
def element(m, t, d):
    return join(["element([", m.make(t, d), ", ", m.make(t, d), "], ",
                 str(m.rng.randint(0, 3)), ")"], t)


@form()
def computed_key(m, t, d):
    key = plain(m).banning(SENSITIVE).make("string", 0)
    return join(["lookup({ (", key, ") = ", m.make(t, d), " }, ",
                 quoted(m.rng.choice(["a", "b"])), ", ", m.literal(t), ")"],
                t)


@form()
def as_null(m, t, d):
    return join(["ephemeralasnull(", m.make(t, d), ")"], t)


@form()
def secret_no_more(m, t, d):
    e = join(["nonsensitive(sensitive(", m.make(t, d), "))"], t)
    e.flags &= ~SENSITIVE
    return e


@form()
def of_provider(m, t, d):
    if "providerfns" not in m.features:
        return None
    text = join(["provider::terraform::encode_expr(", m.make(t, d), ")"],
                "string")
    if t == "string":
        return text
    return join(["try(jsondecode(", text, "), ", m.literal(t), ")"], t)


# --- strings ---

@form("string", "string")
def heredoc(m, t, d):
    strip = m.rng.choice(["", "-"])
    return join(["(<<", strip, "EOT\n  first ${", m.rng.choice(["", "~ "]),
                 m.make("string", d), m.rng.choice(["", " ~"]),
                 "} more\n    %{ if ", m.make("bool", d),
                 m.rng.choice([" ~}", " }"]), "\n    deep\n    ",
                 m.rng.choice(["%{ endif ~}", "%{ endif }", "%{~ endif }"]),
                 "\n  $${last} %%{x}\n  EOT\n)"], t)


@form("string")
def stripped(m, t, d):
    return join(['"a  ${~ ', m.make("string", d), ' ~}  b ${',
                 m.make("number", d), ' }"'], t)


@form("string")
def listed(m, t, d):
    return join(['"%{ for i, x in ', m.make(("list", "string"), d),
                 ' }${i}=${x};%{ endfor }"'], t)


@form("string")
def place(m, t, d):
    return Expr(m.rng.choice(["path.module", "terraform.workspace",
                              "basename(path.root)"]), t)


@form("string")
def matched(m, t, d):
    return join(['try(regex("[a-z]+", ', plain(m).make("string", d), '), ',
                 m.literal(t), ")"], t)


@form("string")
def changed(m, t, d):
    e = plain(m).make("string", d)
    return m.rng.choice([
        lambda: join(['trimprefix(', e, ', "a")'], t),
        lambda: join(['format("%-5s|%05d|%q", ', e, ", ",
                      m.literal("number"), ", ", m.literal(t), ")"], t),
        lambda: join(["yamlencode(", m.make(pick_type(m.rng, 1), d), ")"], t),
        lambda: join(["urlencode(", e, ")"], t),
        lambda: join(["indent(2, ", e, ")"], t),
    ])()


# --- numbers and conditions ---

@form("number")
def counted(m, t, d):
    e = m.make(t, d)
    return m.rng.choice([
        lambda: join(["-(", e, ")"], t),
        lambda: join(["(", e, " % 3)"], t),
        lambda: join(["(", e, " / 4)"], t),
        lambda: join(["ceil(", e, ")"], t),
        lambda: join(["abs(", e, ")"], t),
        lambda: join(["sum([", e, ", ", m.make(t, d), "])"], t),
        lambda: join(["try(parseint(", plain(m).make("string", d),
                      ", 16), 0)"], t),
    ])()


@form("bool")
def asked(m, t, d):
    return m.rng.choice([
        lambda: join(["issensitive(", m.make("string", d), ")"], t),
        lambda: join([m.make(pick_type(m.rng, 1), d),
                      m.rng.choice([" == null", " != null"])], t),
        lambda: join(["alltrue([", m.make(t, d), ", ", m.make(t, d), "])"],
                     t),
    ])()


# --- collections ---

@form("list", "list")
def rearranged(m, t, d):
    e = m.make(t, d)
    return m.rng.choice([
        lambda: join(["flatten([", e, ", [", m.make(t[1], d), "]])"], t)
        if isinstance(t[1], str) else None,
        lambda: join(["reverse(", e, ")"], t),
        lambda: join(["slice(", e, ", 0, 0)"], t),
        lambda: join(["coalescelist(", e, ", [", m.make(t[1], d), "])"], t),
        lambda: join(["[for k, v in ", m.make(("map", t[1]), d), " : v]"], t),
        lambda: join(["chunklist(concat(", e, ", ", m.make(t, d),
                      "), 9)[0]"], t),
        lambda: join([m.make(t[1], d), "[*]"], t)
        if isinstance(t[1], str) else None,
    ])()


@form("map")
def keyed(m, t, d):
    m2 = plain(m).banning(SENSITIVE)
    return m.rng.choice([
        lambda: join(["{ for i, v in ", m.make(("list", t[1]), d),
                      ' : "k${i}" => v }'], t),
        lambda: join(["{ (", m2.make("string", d), ") = ",
                      m.make(t[1], d), " }"], t),
    ])()

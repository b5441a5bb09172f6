"""expr_daily.py - forms of expressions that configurations have every day:
groups, products, templates in files, maps of objects to repeat over"""
from expr import KEYS, SENSITIVE, VOLATILE, Ref, join, quoted
from expr_more import form, plain
from tree import Item

TEMPLATE = "name=${name}\n%{ for x in list ~}\n- ${upper(x)}\n" \
    "%{ endfor ~}\nend\n"


# --- strings ---

@form("string", "string")
def put_together(m, t, d):
    m, strings = plain(m), ("list", "string")
    return m.rng.choice([
        lambda: join(['join(",", ', m.make(strings, d), ")"], t),
        lambda: join(['templatefile("${path.root}/given.tftpl", { name = ',
                      m.make(t, d), ", list = ", m.make(strings, d), " })"],
                     t),
        lambda: join(['file("${path.root}/given.txt")'], t),
        lambda: join(["format(\"%s-%v\", ", m.make(t, d), ", ",
                      m.make("number", d), ")"], t),
        lambda: join(["chomp(", m.make(t, d), ")"], t),
        lambda: join(['element(split(" ", ', m.make(t, d), "), 0)"], t),
        lambda: join(['cidrsubnet("10.0.0.0/8", 8, min(9, abs(',
                      "floor(", m.make("number", d), "))))"], t),
    ])()


# --- collections ---

@form("list")
def multiplied(m, t, d):
    if t[1] != "string":
        return None
    m = plain(m)
    a, b = m.make(t, d), m.make(t, d)
    return m.rng.choice([
        lambda: join(["[for p in setproduct(", a, ", ", b,
                      ') : "${p[0]}/${p[1]}"]'], t),
        lambda: join(["flatten([for k, v in ", m.make(("map", "string"), d),
                      ' : [for x in ', a, ' : "${k}-${x}-${v}"]])'], t),
        lambda: join(['formatlist("%s!", ', a, ")"], t),
        lambda: join(["[for i in range(2) : ", b, " == [] ? \"none\" : ",
                      '"n${i}"]'], t),
    ])()


@form("map", "map")
def grouped(m, t, d):
    m2 = plain(m).banning(SENSITIVE)
    if t[1] == ("list", "string"):
        return join(["{ for x in ", m2.make(("list", "string"), d),
                     " : substr(x, 0, 1) => x... }"], t)
    return m.rng.choice([
        lambda: join(["merge(", m.make(t, d), ", { ", Item(
            quoted(m.rng.choice(KEYS)), m.make(t[1], d)), " })"], t),
        lambda: join(["merge([for x in [", m.make(t, d), ", ", m.make(t, d),
                      "] : x]...)"], t),
        lambda: join(["{ for k, v in ", m.make(t, d),
                      ' : k => v if k != "b" }'], t),
    ])()


# --- repetition ---

OF_EACH = {"name": "string", "size": "number", "on": "bool"}


def objects_by_name(m, keys):
    """(for_each, what instances can name): a list of objects, by a name."""
    items = []
    for k in keys:
        parts = [Item("name", join([quoted(k)], "string"))]
        parts += [Item(n, m.banning(VOLATILE).make(t, 1))
                  for n, t in list(OF_EACH.items())[1:]]
        items.append(Item(None, join(["{ "] + parts + ["}"], None,
                                     "object")))
    each = join(["{ for o in ["] + items + ["] : o.name => o }"], None)
    return each, [Ref("each.key", "string", 0, "each")] + [
        Ref("each.value." + n, t, each.flags, "each")
        for n, t in OF_EACH.items()]

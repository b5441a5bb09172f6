"""lang_forms.py - expressions from the pools of lang_values.py

Each form is a function of a Forms; its name is the rule that what differs is
counted under, with the function's name for calls.
"""
from lang_values import (ANY, BOOLS, LISTS, MAPS, MARKED, NOT_CALLED, NULLS,
                         NUMBERS, POOLS, STRINGS, TFVARS, UNKNOWN)

BY_TYPE = {"string": STRINGS, "number": NUMBERS, "bool": BOOLS,
           "list": LISTS, "set": LISTS, "map": MAPS}
BINARY = "+ - * / % == != < <= > >= && ||".split()
CONVERSIONS = "tostring tonumber tobool tolist toset tomap".split()


class Forms:
    def __init__(self, rng, signatures):
        self.rng = rng
        self.functions = {n: f for n, f in sorted(signatures.items())
                          if "::" not in n and n not in NOT_CALLED}

    def one(self):
        """(the name of the form, the text)"""
        if self.rng.random() < 0.6:
            name = self.rng.choice(list(self.functions))
            return name, self.call(name)
        form = self.rng.choice(FORMS)
        return form.__name__, form(self)

    def pick(self, pool):
        return self.rng.choice(pool)

    def any(self, depth=1):
        """Any value, now and then one that is made from others."""
        x = self.rng.random()
        if depth and x < 0.25:
            return self.pick(FORMS)(self)
        if depth and x < 0.35:
            return self.call(self.pick(list(self.functions)))
        if x < 0.5:
            return self.pick(UNKNOWN + MARKED + NULLS)
        return self.pick(ANY)

    def of(self, pool):
        """A value of the pool; sometimes with something about it, sometimes
        another."""
        x = self.rng.random()
        if x < 0.72:
            return self.pick(pool)
        if x < 0.78:
            return "%s(%s)" % (self.pick(["sensitive"] * 4 + CONVERSIONS),
                               self.pick(pool))
        if x < 0.82:
            return "(local.ub ? %s : %s)" % (self.pick(pool), self.pick(pool))
        return self.any()

    def params(self, name):
        f = self.functions[name]
        kinds = [p["type"] for p in f.get("parameters", [])]
        rest = f.get("variadic_parameter")
        n = len(kinds)
        if rest:
            kinds += [rest["type"]] * self.pick([0, 1, 1, 1, 2, 2, 3])
        if self.rng.random() < 0.03:
            kinds = kinds[:-1] if self.rng.random() < 0.5 else \
                kinds + ["dynamic"]
        return kinds, n

    def call(self, name):
        kinds, _ = self.params(name)
        pools, args = POOLS.get(name), []
        for i, kind in enumerate(kinds):
            kind = kind if isinstance(kind, str) else kind[0]
            pool = pools[min(i, len(pools) - 1)] if pools else \
                BY_TYPE.get(kind, ANY)
            args.append(self.of(pool))
        last = "..." if args and self.rng.random() < 0.03 else ""
        return "%s(%s%s)" % (name, ", ".join(args), last)


def operator(f):
    op = f.pick(BINARY)
    pool = f.pick([NUMBERS, NUMBERS, STRINGS, BOOLS, LISTS, MAPS, ANY]) \
        if op in ("==", "!=") else f.pick([BOOLS, STRINGS[5:9]]) \
        if op in ("&&", "||") else f.pick([NUMBERS, NUMBERS, STRINGS[5:10]])
    return "(%s %s %s)" % (f.of(pool), op, f.of(pool))


def unary(f):
    return "(%s%s)" % (f.pick("!-"), f.of(f.pick([NUMBERS, BOOLS, STRINGS])))


def conditional(f):
    pool = f.pick([LISTS, MAPS, STRINGS, NUMBERS, ANY, ANY])
    return "(%s ? %s : %s)" % (
        f.of(BOOLS + ["local.ub", "sensitive(true)"]), f.of(pool), f.of(pool))


def index(f):
    return "%s[%s]" % (f.of(f.pick([LISTS, MAPS])),
                       f.of(f.pick(['"a" 0 1 -1 0.5 "0" "nope"'.split(),
                                    NUMBERS[:8]])))


def attribute(f):
    return "%s%s" % (f.of(f.pick([MAPS, MAPS, LISTS])), f.pick(
        [".a", ".b", ".a.b", ".0", ".nope", ".a[0]", ".c.d", '.a["b"]', ".id",
         ".a.0", ".0.a", ".0.0", ".a.nope"]))


def splat(f):
    return "%s%s" % (f.of(f.pick([LISTS, LISTS, MAPS, ANY])), f.pick(
        ["[*]", ".*", "[*].a", ".*.a", "[*].id", "[*][0]", ".*.id[0]",
         "[*].a.b", "[*][*]", "[*].a[*]", ".*.0", "[*].nope", ".*.a[0]"]))


def for_list(f):
    body = f.pick(["x", "[x]", "{ k = x }", '"${x}"', "x.a", "x == null",
                   "upper(x)", "x...", "k", "[k, x]"])
    return "[for %sx in %s : %s%s]" % (
        f.pick(["", "k, "]), f.of(f.pick([LISTS, MAPS])), body,
        f.pick(["", "", " if %s" % f.of(
            BOOLS + ["x != null", 'x != "a"', "x > 1", "x"])]))


def for_object(f):
    return "{for %sx in %s : %s => %s%s%s}" % (
        f.pick(["", "k, "]), f.of(f.pick([LISTS, MAPS])),
        f.pick(["x", "k", '"${x}"', "x.a", '"k"', "upper(x)", "local.us"]),
        f.pick(["x", "k", "[x]", "1", "x.a", "x.id"]),
        f.pick(["", "", "..."]),
        f.pick(["", "", " if %s" % f.of(BOOLS + ["x != null", 'x != "a"'])]))


def template(f):
    return f.pick(['"a${%s}b"', '"${%s}"', '"%%{ if %s }y%%{ else }n%%{ endif }"',
                   '"%%{ for x in %s }<${x}>%%{ endfor }"', '"${~ %s ~} x"',
                   '"%%{ for k, x in %s ~} ${k}=${x} %%{~ endfor }."']
                  ) % f.of(f.pick([STRINGS, NUMBERS, BOOLS, LISTS, MAPS]))


def heredoc(f):
    return f.pick(["<<EOT\n a ${%s}\n  b\nEOT\n", "<<-EOT\n    a ${%s}\n  b\n  EOT\n",
                   "<<-EOT\n  ${%s}\n $\n    x\n   EOT\n",
                   "<<EOT\n%%{ for x in %s ~}\n  - ${x}\n%%{ endfor ~}\nEOT\n",
                   "<<-E\n\t%%{ if %s }\n\t  y\n\t%%{~ endif }\n\tE\n"]
                  ) % f.of(f.pick([STRINGS, LISTS, BOOLS]))


def attempt(f):
    return "%s(%s)" % (f.pick(["try", "can", "try"]), ", ".join(
        f.any() for _ in range(f.pick([1, 1, 2, 3]))))


def conversion(f):
    return "%s(%s)" % (f.pick(CONVERSIONS), f.any(1))


def collection(f):
    parts = [f.any() for _ in range(f.pick([0, 1, 2, 2, 3]))]
    if f.rng.random() < 0.5:
        return "[%s]" % ", ".join(parts)
    return "{ %s }" % ", ".join(
        "%s = %s" % (f.pick(["a", "b", '"x y"', '"${1}"', "(%s)" % f.any(0),
                             "1", "null", "true", "a.b", "for"]), p)
        for p in parts)


def asked(f):
    return "%s(%s)" % (f.pick(["issensitive", "ephemeralasnull", "sensitive",
                               "nonsensitive", "length"]), f.any())


def provider_call(f):
    name, pool = f.pick([("encode_tfvars", MAPS), ("decode_tfvars", TFVARS),
                         ("encode_expr", ANY), ("encode_expr", STRINGS),
                         ("encode_expr", NUMBERS), ("nope", ANY)])
    who = f.pick(["provider::terraform::"] * 9 + [
        "provider::nope::", "core::", "provider::terraform::x::", "nope::"])
    args = [f.of(pool) for _ in range(f.pick([1] * 9 + [0, 2]))]
    return "%s%s(%s)" % (who, name, ", ".join(args))


def nested(f):
    name = f.pick(list(f.functions))
    pools = POOLS.get(name, [ANY])
    return "%s(%s)" % (name, ", ".join(
        f.any() if f.rng.random() < 0.4 else f.pick(p) for p in pools))


FORMS = [operator, operator, operator, unary, conditional, conditional, index,
         attribute, splat, for_list, for_object, template, template, heredoc,
         attempt, conversion, conversion, collection, asked, nested,
         provider_call]

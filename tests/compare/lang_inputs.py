"""lang_inputs.py - variables with type constraints, and values given to them"""
import json

from lang_batch import Entry
from lang_values import ANY, q

ATOMS = ["string", "number", "bool", "any", "string", "number"]
DEFAULTS = ['"d"', "1", "true", "null", "{}", "[]", '{ a = "x" }', '["q"]',
            '[{}]', '{ k = {} }', "1.5", '"5"', "[1, null]"]
TEXTS = ["", "a", "10", "1.5", "true", "null", "[]", "{}", '["a", 1]', "[1, 2,]",
         '{ a = 1 }', '{ a = "x", b = 2, c = {} }', "{ a = {}, nope = 1 }",
         '{"a": 1}', "[null]", '[{ a = 1 }, {}]', '{ k = { a = "1" } }', '"q"',
         "1 + 1", "upper(\"a\")", "var.x", "[", "{ a = ", "a b", " 5 ", "0x10",
         "1e3", "é", "-1", "yes", "[true, \"x\"]", "{ a = null, b = null }",
         "\n", "<<EOT\nx\nEOT\n", "[[1], []]", '{ a = [], c = "x" }',
         "{ b = [1, \"a\"] }", "True", "1_0", "'a'", "{ a = 1, a = 2 }",
         "{ \"a b\" = 1 }", "{ (a) = 1 }", "{ \"${1}\" = 2 }", "a.b", "-", "+5",
         "toset([1])", "[for x in [1] : x]", "1 == 1", '"a${1}b"', "{a=1,b=[{}]}",
         '[["a", 1], ["b", 2]]', '["x", "x", "y"]', "[1, \"1\", 1.0]",
         "99999999999999999999"]
JSONS = [None, True, 1, 1.5, "a", "5", "${x}", "$${x}", [], {}, [1, "a"], [None],
         {"a": 1}, {"a": "x", "b": 2, "c": {}}, [{"a": 1}, {}], {"a": None},
         {"k": {"a": "1", "nope": 2}}, [[1], []], "true", "%{ if", {"a b": 1},
         {"a": [], "c": "x"}, 1e400 and 10**30, "é", ["x", "x"], {"${x}": 1}]
CONDITIONS = ["var.v@ != null", "length(var.v@) > 0", 'var.v@ == "a"',
              "can(var.v@.a)", "var.v@ > 1", "true", "false", "null", '"x"',
              "sensitive(false)", "var.v@[0] == 1",
              "alltrue([for x in var.v@ : x != null])",
              "local.us == var.v@", "terraform_data.u.id != null", "nope"]
MESSAGES = ['"Wrong."', '"No: ${var.v@}"', '"x ${jsonencode(var.v@)}"', "null",
            '""', "1", '"${local.us}"', 'sensitive("s")', "[]", "var.e"]


def constraint(rng, depth=2):
    x = rng.random()
    if depth == 0 or x < 0.3:
        return rng.choice(ATOMS)
    if x < 0.55:
        return "%s(%s)" % (rng.choice(["list", "set", "map"]),
                           constraint(rng, depth - 1))
    if x < 0.63:
        return "tuple([%s])" % ", ".join(
            constraint(rng, depth - 1) for _ in range(rng.randint(0, 2)))
    if x < 0.66:
        return rng.choice([
            "list", "map", "set", "object", "object({})", "list()", "list(1)",
            "optional(string)", "strin", "list(string, number)", '"string"',
            "object({ a = optional() })", "object({ a = optional(string, 1, 2) })",
            "object([string])", "tuple(string)", "object({ (a) = string })",
            '"list"', '"map"', "null", "[string]", "object({ a = 1 })",
            "object({ a = optional(number, \"x\") })", "list(optional(string))",
            "string[]", "any()", "map(any, any)", "object({ \"a\" = string })",
            "object({ a = string, a = number })", "dynamic", "tuple()"])
    names = rng.sample("abckn", rng.randint(0, 3))
    return "object({ %s })" % ", ".join(
        "%s = %s" % (n, optional(rng, depth - 1)) for n in names)


def optional(rng, depth):
    t = constraint(rng, depth)
    x = rng.random()
    if x < 0.35:
        return t
    if x < 0.6:
        return "optional(%s)" % t
    return "optional(%s, %s)" % (t, rng.choice(DEFAULTS))


def validation(rng):
    lines = ["  validation {"]
    if rng.random() < 0.97:
        lines.append("    condition     = " + rng.choice(CONDITIONS))
    if rng.random() < 0.97:
        lines.append("    error_message = " + rng.choice(MESSAGES))
    return lines + ["  }"]


def variable(rng):
    """The block, without a value."""
    lines = ['variable "v@" {']
    if rng.random() < 0.9:
        lines.append("  type = " + constraint(rng))
    if rng.random() < 0.25:
        lines.append("  default = " + rng.choice(
            TEXTS[5:20] + ANY[:60] if rng.random() < 0.2 else TEXTS[5:20]))
    for name, chance, values in (
            ("nullable", 0.2, ["true", "false", "false", "null", '"x"']),
            ("sensitive", 0.1, ["true", "false", '"true"', "1"]),
            ("ephemeral", 0.06, ["true", "false"]),
            ("deprecated", 0.04, ['"old"', '""', "1", "null"]),
            ("description", 0.04, ['"d"', "1", "null", "var.s"])):
        if rng.random() < chance:
            lines.append("  %s = %s" % (name, rng.choice(values)))
    if rng.random() < 0.2:
        lines += validation(rng)
    return "\n".join(lines + ["}"]) + "\n"


def given(rng):
    """A variable that is given a value in one of the ways that there are."""
    block = variable(rng)
    files, args, env, how = {".tf": block}, [], {}, rng.choice(
        ["var", "env", "file", "json", "file", "none", "twice"])
    text = rng.choice(TEXTS)
    if how in ("var", "twice"):
        args = ["-var", "v@=" + text]
    if how in ("env", "twice"):
        env = {"TF_VAR_v@": text.replace("\0", "")}
    if how in ("file", "twice"):
        text = rng.choice([text, text, q(text), rng.choice(ANY)])
        files[".auto.tfvars"] = "v@ = %s\n" % text
    if how == "json":
        text = json.dumps({"v@": rng.choice(JSONS)})
        files[".auto.tfvars.json"] = text
    return Entry(how, "%s# %s: %s" % (block, how, text), files, "var.v@",
                 args, env)

"""lang_bodies.py - blocks in JSON syntax and in override files

Right ones and odd ones: what is written as an array or an object, comments,
expressions in strings, members twice, null where a block might stand.
"""
import json

from lang_batch import Entry
from lang_inputs import variable
from lang_values import ANY, MAPS, LISTS

STRINGS = ["a", "${1 + 1}", "${var.o}", "$${x}", "a${upper(\"b\")}c", "", "é",
           "%{ if true }y%{ endif }", "${local.us}", "${", "%{ if", "${nope.x}",
           "${var.s}", "${[1, \"a\"]}", "${{ a = 1 }}", "1", "true", "${null}",
           "x ${null}", "${\"${1}\"}", "line\n${1}", "${upper(\"${var.s}\")}",
           "${1}${2}", " ${1}", "var.s", "terraform_data.u", "string", "\\",
           "${toset([1])}", "${var.lo[*].id}", "${for}", "%{for x in [1]}${x}%{endfor}",
           "<<EOT", "${<<EOT\nx\nEOT\n}", "\u2028", "${file(\"a.txt\")}"]
ATOMS = [1, 0, -1, 1.5, 1e3, True, False, None, 12345678901234567890123]
NAMES = ["a", "b", "//", "${1}", "a b", "", "é", "value", "${local.us}", "a.b"]


def value(rng, depth=2):
    x = rng.random()
    if depth == 0 or x < 0.5:
        return rng.choice(STRINGS)
    if x < 0.65:
        return rng.choice(ATOMS)
    if x < 0.82:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {rng.choice(NAMES): value(rng, depth - 1)
            for _ in range(rng.randint(0, 3))}


def members(rng, possible, least=0):
    """An object of some of the members, now and then others."""
    out = {}
    for name, make in possible.items():
        if rng.random() < (0.8 if name in ("value", "type", "default")
                           else 0.35) or least > 0:
            out[name] = make()
            least -= 1
    if rng.random() < 0.1:
        out[rng.choice(["//", "//", "nope", "count", "for_each", ""])] = \
            value(rng)
    return out


def shaped(rng, body):
    """Bodies may be in arrays."""
    x = rng.random()
    if x < 0.75:
        return body
    return rng.choice([[body], [[body]], [body, {}], [], None, "x", 1, [None],
                       [body, body], [{"//": "c"}, body], True, {},
                       {"//": "c"}])


def json_text(rng, tree):
    text = json.dumps(tree, ensure_ascii=rng.random() < 0.5,
                      indent=rng.choice([None, 1, 2]))
    x = rng.random()
    if x < 0.03: # not quite JSON
        cut = rng.randrange(len(text))
        return text[:cut] + rng.choice(["", ",", "}", "\n//c\n", "'", "[", "\0",
                                        "\\", "1", "\ufeff"]) + text[cut:]
    return text


def in_json(rng, form, tree, ask):
    return Entry(form, json.dumps(tree), {".tf.json": json_text(rng, tree)},
                 ask)


def json_locals(rng):
    v = value(rng)
    return in_json(rng, "json_locals", {"locals": shaped(rng, {"x@": v})}
                   if rng.random() < 0.9 else
                   [{"locals": {"x@": v}}, {"//": 1}], "local.x@")


def json_variable(rng):
    def rules():
        return shaped(rng, members(rng, {
            "condition": lambda: rng.choice(
                ["${var.v@ != null}", True, "${false}", "x", "${var.v@}"]),
            "error_message": lambda: value(rng, 0)}, 2))
    body = members(rng, {
        "type": lambda: rng.choice(
            ["string", "number", "${string}", "list(string)", "any", "list",
             "${list(any)}", "object({a=optional(string,\"x\")})", "nope", 1,
             ["string"], "map(number)", "", None, "bool", "set(string)"]),
        "default": lambda: value(rng),
        "description": lambda: rng.choice(["d", "${1}", 1, None, "${x"]),
        "sensitive": lambda: rng.choice([True, "true", "${true}", 0, None]),
        "nullable": lambda: rng.choice([True, False, "false", "x"]),
        "validation": rules})
    return in_json(rng, "json_variable", {"variable": shaped(
        rng, {"v@": shaped(rng, body)})}, "var.v@")


def json_output(rng):
    body = members(rng, {
        "value": lambda: value(rng), "sensitive": lambda: value(rng, 0),
        "description": lambda: value(rng, 0),
        "depends_on": lambda: rng.choice(
            [["terraform_data.u"], "terraform_data.u", ["${terraform_data.u}"],
             [1], [], None, ["nope.x"], ["var.s"]]),
        "precondition": lambda: shaped(rng, {"condition": value(rng, 0),
                                             "error_message": "m"})})
    return in_json(rng, "json_output", {"output": shaped(
        rng, {"r@": shaped(rng, body)})}, "1")


def json_resource(rng):
    body = members(rng, {
        "input": lambda: value(rng), "triggers_replace": lambda: value(rng),
        "count": lambda: rng.choice([1, 0, "${1}", "1", "x", None, "${local.un}"]),
        "for_each": lambda: rng.choice([["a"], {"a": 1}, "${toset([\"a\"])}", []]),
        "depends_on": lambda: rng.choice([["terraform_data.u"], [], "x", ["x"]]),
        "provider": lambda: rng.choice(["terraform", "${terraform}", 1, "a.b.c"]),
        "lifecycle": lambda: shaped(rng, members(rng, {
            "ignore_changes": lambda: rng.choice(
                ["all", ["input"], ["${input}"], ["nope"], "${all}", 1, []]),
            "create_before_destroy": lambda: rng.choice([True, "true", "${true}", 1]),
            "replace_triggered_by": lambda: rng.choice(
                [["terraform_data.u"], ["terraform_data.u.id"], ["x"], "x"]),
            "prevent_destroy": lambda: rng.choice([True, "x"])})),
        "provisioner": lambda: shaped(rng, {"local-exec": shaped(
            rng, {"command": value(rng, 0)})}),
        "connection": lambda: shaped(rng, {"host": "h"})})
    return in_json(rng, "json_resource", {"resource": shaped(
        rng, {"terraform_data": shaped(rng, {"r@": shaped(rng, body)})})}, "1")


def json_others(rng):
    tree = rng.choice([
        lambda: {"check": shaped(rng, {"r@": shaped(rng, {"assert": shaped(
            rng, {"condition": value(rng, 0), "error_message": value(rng, 0)})})})},
        lambda: {"moved": shaped(rng, {"from": "terraform_data.r@",
                                       "to": value(rng, 0)})},
        lambda: {"import": shaped(rng, {"id": value(rng, 0),
                                        "to": "terraform_data.r@"}),
                 "resource": {"terraform_data": {"r@": {}}}},
        lambda: {"removed": shaped(rng, {
            "from": "terraform_data.r@",
            "lifecycle": shaped(rng, {"destroy": value(rng, 0)})})},
        lambda: {"data": shaped(rng, {"terraform_remote_state": shaped(
            rng, {"r@": shaped(rng, {"backend": "nope", "config": value(rng)})})})},
        lambda: {"terraform": shaped(rng, {"required_version": value(rng, 0)})},
        lambda: {"nope": shaped(rng, {"r@": {}})},
        lambda: {"provider": shaped(rng, {"terraform": shaped(rng, {"alias": "r@"})})},
        lambda: {"module": shaped(rng, {"r@": shaped(rng, {"source": value(rng, 0)})})},
        lambda: {"ephemeral": shaped(rng, {"terraform_data": {"r@": {}}})},
        lambda: value(rng),
    ])()
    return in_json(rng, "json_others", tree, "1")


def override(rng):
    """A block and what an override file says of it."""
    if rng.random() < 0.6:
        a, b = variable(rng), variable(rng)
        return Entry("override_variable", a + b,
                     {".tf": a, "_override.tf": b}, "var.v@")
    def local():
        return "locals {\n  x@ = %s\n}\n" % rng.choice(ANY + MAPS + LISTS)
    def output():
        return 'output "r@" {\n%s}\n' % "".join(
            "  %s = %s\n" % (n, rng.choice(v)) for n, v in (
                ("value", ["1", "local.us", "var.s", "var.e", '"x"']),
                ("sensitive", ["true", "false"]),
                ("description", ['"d"', '"e"']),
                ("ephemeral", ["true"]),
                ("depends_on", ["[terraform_data.u]", "[]"]))
            if rng.random() < (0.8 if n == "value" else 0.2))
    def resource():
        lines = [x for x in (
            "input = 1", 'input = "x"', "count = 1", 'for_each = toset(["a"])',
            "triggers_replace = 2", "nope = 1", "depends_on = [terraform_data.u]",
            "lifecycle {\n create_before_destroy = true\n}",
            "lifecycle {\n ignore_changes = [input]\n}", "provider = terraform",
            "lifecycle {\n precondition {\n condition = false\n"
            " error_message = \"m\"\n}\n}",
            'provisioner "local-exec" {\n command = "true"\n}',
            'connection {\n host = "h"\n}') if rng.random() < 0.2]
        return 'resource "terraform_data" "r@" {\n%s\n}\n' % "\n".join(lines)
    make = rng.choice([local, output, resource])
    a, b = make(), make()
    if rng.random() < 0.1:
        b += make()
    if rng.random() < 0.1:
        b = rng.choice([local, output, resource])()
    return Entry("override_" + make.__name__, a + b,
                 {".tf": a, "_override.tf": b},
                 "local.x@" if "x@" in a + b else "1")


FORMS = [json_locals, json_locals, json_variable, json_variable, json_output,
         json_resource, json_resource, json_others, override, override]


def body(rng):
    return rng.choice(FORMS)(rng)

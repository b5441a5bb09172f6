"""secret_places.py - the world of a configuration of tests/compare/secrets, and
a random expression in one of the places that keep values or show them"""
import re

import expr_more
from expr import EPHEMERAL, SENSITIVE, UNKNOWN, Maker, Ref, Scope, pick_type
from tree import Text

expr_more.add_forms()

STRINGS, MAP = ("list", "string"), ("map", "string")
OBJECT = ("object", (("k", "string"), ("name", "string"), ("size", "number")))

WORLD = """
terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
variable "e" {
  type      = object({ s = string, n = number, l = list(string),
    m = map(string), o = object({ k = string, name = string, size = number }) })
  ephemeral = true
}
variable "s" {
  type      = object({ s = string, n = number, l = list(string),
    m = map(string), o = object({ k = string, name = string, size = number }) })
  sensitive = true
}
resource "terraform_data" "u" { input = "later" }
resource "terraform_data" "doc" { input = "[\\"later\\"]" }
ephemeral "test_token" "known" { name = var.e.s }
ephemeral "test_token" "later" {
  name = "${terraform_data.u.output}-${var.e.s}"
}
locals {
  late_n = length(terraform_data.u.output)
  late_l = jsondecode(terraform_data.doc.output)
  e_s    = ephemeral.test_token.later.token
  e_n    = var.e.n + local.late_n
  e_l    = ["x", ephemeral.test_token.later.token]
  e_m    = { a = "x", b = ephemeral.test_token.later.token }
  e_any  = jsondecode(jsonencode(ephemeral.test_token.later.token))
  e_doc  = jsondecode("{\\"k\\":\\"${ephemeral.test_token.later.token}\\"}")
  e_o    = { k = local.e_s, name = terraform_data.u.output, size = local.e_n }
  s_s    = "${terraform_data.u.output}-${var.s.s}"
  s_n    = var.s.n + local.late_n
  s_l    = ["x", local.s_s]
  s_any  = jsondecode(jsonencode(local.s_s))
}
"""

E, S, U = EPHEMERAL, SENSITIVE, UNKNOWN
SCOPE = Scope([Ref(*x) for x in (
    ("var.e.s", "string", E), ("var.e.n", "number", E), ("var.e.l", STRINGS, E),
    ("var.e.m", MAP, E), ("var.e.o", OBJECT, E),
    ("ephemeral.test_token.known.token", "string", E),
    ("local.e_s", "string", E | U), ("local.e_n", "number", E | U),
    ("local.e_l", STRINGS, E | U), ("local.e_m", MAP, E | U),
    ("local.e_any", "string", E | U), ("local.e_doc.k", "string", E | U),
    ("local.e_doc", MAP, E | U), ("local.e_o", OBJECT, E | U),
    ("var.s.s", "string", S), ("var.s.n", "number", S),
    ("var.s.l", STRINGS, S), ("var.s.o", OBJECT, S),
    ("local.s_s", "string", S | U), ("local.s_n", "number", S | U),
    ("local.s_l", STRINGS, S | U), ("local.s_any", "string", S | U),
    ("terraform_data.u.output", "string", U), ("local.late_n", "number", U),
    ("local.late_l", STRINGS, U))])

# (type of the expression or None for any, text); N is the number, E the
# expression.
PLACES = [
    (None, 'resource "terraform_data" "rN" { input = E }'),
    (None, 'resource "terraform_data" "rN" { input = { a = ["x", E], b = 1 } }'),
    (None, 'resource "terraform_data" "rN" { triggers_replace = [E] }'),
    ("string", 'resource "test_all" "rN" { name = E }'),
    ("string", 'resource "test_all" "rN" { list = ["x", E] }'),
    ("string", 'resource "test_all" "rN" { set = ["x", E] }'),
    ("string", 'resource "test_all" "rN" { map = { k = E } }'),
    (STRINGS, 'resource "test_all" "rN" { list = E }'),
    (MAP, 'resource "test_all" "rN" { map = E }'),
    (None, 'resource "test_all" "rN" { dyn = E }'),
    ("string", 'resource "test_all" "rN" { wo = E }'),
    ("string", 'resource "test_all" "rN" { nested_list = [{ name = E }] }'),
    ("string", 'resource "test_all" "rN" { nested_set = [{ name = E }] }'),
    ("string", 'resource "test_all" "rN" { nested_map = { k = { name = E } } }'),
    ("string", 'resource "test_all" "rN" {\n  block { name = E }\n}'),
    ("string", 'resource "test_all" "rN" {\n  blockset { name = E }\n}'),
    (STRINGS, 'resource "test_all" "rN" {\n  dynamic "block" {\n'
     '    for_each = E\n    content { name = block.value }\n  }\n}'),
    (MAP, 'resource "test_all" "rN" {\n  dynamic "blockset" {\n'
     '    for_each = E\n    content { name = "x" }\n  }\n}'),
    ("string", 'data "test_thing" "rN" { value = E }'),
    ("string", 'ephemeral "test_token" "rN" { name = E }'),
    (None, 'output "rN" { value = E }'),
    (None, 'output "rN" {\n  value     = [E]\n  sensitive = true\n}'),
    (None, 'locals {\n  rN = { x = E }\n}\n'
     'resource "terraform_data" "rN" { input = local.rN.x }'),
    (None, 'module "rN" {\n  source = "./keeps-rN"\n  v      = E\n}'),
    (None, 'module "rN" {\n  source = "./hands-on-rN"\n  v      = E\n}\n'
     'resource "terraform_data" "rN" { input = module.rN.o }'),
    (None, 'module "rN" {\n  source = "./passes-rN"\n  v      = E\n}\n'
     'resource "test_all" "rN" { wo = try(tostring(module.rN.e), "x") }'),
    ("string", 'resource "terraform_data" "rN" {\n'
     '  provisioner "local-exec" {\n    command     = "echo $it"\n'
     '    environment = { it = E }\n  }\n}'),
    ("string", 'resource "terraform_data" "rN" {\n'
     '  provisioner "local-exec" { command = "true ${base64encode(E)}" }\n}'),
    # what a condition finds is kept and told: not the message
    ("string", 'check "rN" {\n  assert {\n    condition     = 1 == 2\n'
     '    error_message = "It is ${E}."\n  }\n}'),
    ("string", 'resource "terraform_data" "rN" {\n  lifecycle {\n'
     '    precondition {\n      condition     = 1 == 2\n'
     '      error_message = "It is ${E}."\n    }\n  }\n}'),
    (("set", "string"), 'resource "terraform_data" "rN" { for_each = E }'),
    ("bool", 'resource "terraform_data" "rN" { count = E ? 1 : 0 }'),
    ("bool", 'resource "terraform_data" "rN" {\n'
     '  lifecycle { enabled = E }\n}'),
]

# What is in the directory of each.
MODULES = {
    "keeps": 'variable "v" {}\n'
    'resource "terraform_data" "x" { input = var.v }\n',
    "hands-on": 'variable "v" { ephemeral = true }\n'
    'output "o" { value = try(var.v, "none") }\n',
    "passes": 'variable "v" { ephemeral = true }\n'
    'output "e" {\n  value     = var.v\n  ephemeral = true\n}\n',
}


def entry(rng, n):
    """The text of the n-th file.  How many instances there are is no secret: they are
    shown, as by OpenTofu, whatever count and enabled come from."""
    type, text = rng.choice(PLACES)
    wanted, no = (E, S) if type == "bool" else (E | S, 0)
    while True:
        made = Maker(rng, SCOPE).make(type or pick_type(rng), 3)
        e = Text({}).expr(made)
        if made.flags & wanted and not made.flags & no and \
                "nonsensitive(" not in e: # that shows it
            break
    text = text.replace("rN", "r%d" % n)
    return re.sub(r"\bE\b", lambda _: e, text) + "\n"


def outcome_names(ours, peer):
    return ours if ours == peer else "%s, the peer: %s" % (ours, peer)

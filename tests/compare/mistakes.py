"""mistakes.py - what is wrong with a configuration

Each mistake is a function of a World and one of its modules; it may do nothing
where there is nothing to do.  COMMON are those that a change brings now and
then, MISTAKES all that a case of mistakes is made of (case.py).
"""
import copy

import expr as ex
import resources as res
from mutate import add_moved, add_removed, chosen
from tree import Attr, Block, Expr, Item, exprs, walk


def mistake(w, m):
    w.rng.choice(COMMON)(w, m)


def some_mistakes(w):
    """One to four of all kinds."""
    for _ in range(w.rng.choice([1, 1, 2, 3, 4])):
        m = w.rng.choice(list(w.modules.values()))
        w.rng.choice(MISTAKES + COMMON)(w, m)


def some_block(w, m):
    return chosen(w, m, "resource", "output", "module", "data", "locals",
                  "check")


def undeclared(w, m):
    b = some_block(w, m)
    if b:
        wrong(w, b, w.rng.choice([
            "var.nope", "local.nope", "terraform_data.nope.id", "nope.x.y",
            "module.nope.o", "data.terraform_remote_state.nope.outputs",
            "each.value", "count.index", "self.id", "path.nope",
            "terraform.nope", "random_pet.nope[0].id"]))


def wrong(w, b, text):
    """Puts the text somewhere in the block."""
    found = [e for e in exprs(b) if e.type]
    if found:
        e = w.rng.choice(found)
        e.parts, e.kind = [text], "lit"


def wrong_type(w, m):
    b = some_block(w, m)
    if b:
        wrong(w, b, w.rng.choice(
            ['"text"', "[]", "{}", "null", "true", "1 / 0",
             'tonumber("x")', "[for x in 5 : x]", "{ a = 1 }.b",
             "file(\"missing\")", "nofunc(1)", "upper()", "[][0]",
             'lookup({}, "a")', "true + 1"]))


def wrong_argument(w, m):
    b = some_block(w, m)
    if b:
        b.body.append(Attr("nope", Expr(w.rng.choice(['"x"', "var.nope"]))))


def wrong_block(w, m):
    b = some_block(w, m)
    if b:
        b.body.append(Block(w.rng.choice(["nope", "lifecycle", "content"]),
                            (), [Attr("x", Expr("1"))]))


def twice(w, m):
    b = chosen(w, m, "resource", "output", "module", "variable", "locals",
               "check", "data", "provider")
    if b:
        m.add(copy.deepcopy(b), "more.tf")


def cycle(w, m):
    blocks = [b for b in m.blocks() if b.type == "resource"
              and b.attr("input")]
    if len(blocks) < 1:
        return
    a, b = w.rng.choice(blocks), w.rng.choice(blocks)
    for x, y in ((a, b), (b, a)):
        x.set("input", Expr(res.address(y), root=res.address(y),
                            kind="ref"))


def failing(w, m):
    b = chosen(w, m, "resource", "data", "output")
    if not b:
        return
    bad = Block("precondition", (), [
        Attr("condition", Expr(w.rng.choice(
            ["false", "1 == 2", "null", '"x"', "[]"]))),
        Attr("error_message", Expr('"It failed."'))])
    (b if b.type == "output" else res.lifecycle(b)).body.append(bad)


def missing(w, m):
    """An argument is left out."""
    b = chosen(w, m, "resource", "output", "module", "data", "variable",
               "check", "moved")
    if b and b.body:
        b.body.remove(w.rng.choice(b.body))


def wrong_move(w, m):
    b = chosen(w, m, "resource", "module")
    if b:
        a = res.address(b)
        w.rng.choice([
            lambda: add_moved(w, m, a, a),
            lambda: add_moved(w, m, a, a + "_x"),
            lambda: add_moved(w, m, a + "[0]", a + '["a"]'),
            lambda: add_moved(w, m, "data.x.y", a),
            lambda: add_moved(w, m, "terraform_data.gone", a),
            lambda: add_removed(w, m, b),
        ])()


COMMON = [undeclared, undeclared, wrong_type, wrong_type, wrong_argument,
          wrong_block, twice, cycle, failing, failing, missing, missing,
          wrong_move]

# --- those that a change does not bring ---

def one_of(*makers):
    """A mistake that adds one of some blocks, written as text."""
    def add(w, m):
        m.add(Raw(w.rng.choice(makers)), "wrong.tf")
    return add


class Raw(Block):
    """Blocks that are written as they stand."""

    def __init__(self, text):
        super().__init__("raw")
        self.text = text.strip("\n") + "\n"

    def __deepcopy__(self, memo):
        return self


variables = one_of("""
variable "w" {
  type    = string
  default = "x"
  validation {
    condition     = var.w == "y"
    error_message = "One."
  }
  validation {
    condition     = length(var.w) > 3
    error_message = "Two."
  }
}
""", """
variable "w" {
  default = 1
  validation {
    condition     = true
    error_message = "Always."
  }
}
""", """
variable "w" {
  default = 1
  validation {
    condition     = var.w == "a" ? 1 : "x"
    error_message = 5
  }
  validation {
    condition     = var.nope
    error_message = var.w
  }
}
""", """
variable "w" {
  type    = number
  default = "many"
}
""", """
variable "w" {
  type      = list
  default   = "many"
  sensitive = "maybe"
}
""", """
variable "source" {}
""", """
variable "w" {
  type = object({ a = optional(string, []), b = strin })
}
""", """
variable "w" {
  default  = null
  nullable = false
}
""", """
variable "w" {
  type        = string
  description = "no ${local.x}"
  default     = path.module
}
""")


terraform_blocks = one_of("""
terraform {
  required_version = ">= 99"
}
""", """
terraform {
  required_version = "~> 1.0, < 1.2"
}
terraform {
  required_version = "!= 1.12.6"
}
""", """
terraform {
  required_version = "one"
}
""", """
terraform {
  required_providers {
    x = { source = "a/b/c/d" }
    y = { version = "one" }
    z = "~> 1"
    Bad = {}
    w = { source = "terraform.io/builtin/terraform", nope = 1 }
  }
}
""", """
terraform {
  backend "local" {}
  backend "local" {}
}
""", """
terraform {
  backend "local" {
    nope = 1
  }
}
""", """
terraform {
  backend "nope" {}
}
""", """
terraform {
  experiments = [variable_validation]
  nope        = 1
}
""", """
terraform {
  wrong {}
  provider_meta "nope" {}
}
""")


refactorings = one_of("""
removed {
  from = terraform_data.gone
}
removed {
  from = terraform_data.gone
}
""", """
removed {
  from = terraform_data.gone[0]
}
""", """
removed {
  from = module.gone.data.test_thing.x
  lifecycle {
    destroy = "no"
  }
}
""", """
removed {
  from = var.x
}
removed {
  nope = 1
}
""", """
removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
    nope    = 1
  }
  provisioner "local-exec" {
    command = "echo"
  }
}
""", """
import {
  to = terraform_data.gone
  id = "x"
}
""", """
import {
  to = terraform_data.gone
}
import {
  id = "x"
}
""", """
import {
  to = data.terraform_remote_state.x
  id = "x"
}
""", """
import {
  to       = terraform_data.gone
  id       = null
  identity = { a = 1 }
}
""", """
import {
  to = module.nope.terraform_data.x
  id = var.nope
}
""", """
moved {
  from = terraform_data.a1
  to   = terraform_data.a2
}
moved {
  from = terraform_data.a2
  to   = terraform_data.a1
}
""", """
moved {
  from = terraform_data.a1
  to   = random_pet.a2
}
moved {
  from = module.a1
  to   = terraform_data.a2
}
""", """
moved {
  from = terraform_data.a1
  to   = terraform_data.a2
}
moved {
  from = terraform_data.a1
  to   = terraform_data.a3
}
moved {
  from = terraform_data.a4
  to   = terraform_data.a3
}
""")


calls = one_of("""
module "w" {
  source = "./nope"
}
""", """
module "w" {
  source  = "./mods/m1"
  version = "1"
}
""", """
module "w" {
}
""", """
module "w" {
  source = var.nope
}
""", """
module "w" {
  source = "a/b/c"
  version = "bad version"
}
""", """
module "w" {
  source     = "./mods/m1"
  depends_on = ["x", terraform_data.nope]
  count      = 1
  for_each   = {}
  nope       = 5
  providers  = { nope = nope }
}
""", """
module "9w" {
  source = "./mods/m1"
  at     = 5
  lifecycle {}
}
""", """
module "w" {
  source    = "./mods/m1"
  at        = "x"
  for_each  = ["a"]
  providers = { test = test.nope, test.other = terraform }
}
""")


bodies = one_of("""
resource "terraform_data" "w" {
  input = terraform_data.w2
}
resource "terraform_data" "w2" {
  input = terraform_data.w
}
resource "terraform_data" "w3" {
  input = terraform_data.w4
}
resource "terraform_data" "w4" {
  input = [terraform_data.w3, local.w5]
}
locals {
  w5 = local.w6
  w6 = local.w5
}
""", """
resource "terraform_data" "w" {
  input = var.nope
  nope  = local.nope
  block {
    x = local.nope
  }
}
""", """
resource "terraform_data" "w" {
  input            = local.nope
  triggers_replace = terraform_data.nope
  id               = "x"
  count            = terraform_data.nope.x
  depends_on       = [terraform_data.nope, "x.y", null]
  lifecycle {
    replace_triggered_by = [terraform_data.nope, var.nope]
    ignore_changes       = [nope, input.x]
    prevent_destroy      = var.nope
  }
}
""", """
resource "terraform_data" "w" {
  count    = "x"
  for_each = 5
  provider = "nope"
}
""", """
resource "terraform_data" "w" {
  for_each = [for x in ["a"] : x]
  input    = count.index
}
resource "terraform_data" "w2" {
  count = -1
  input = each.key
}
resource "terraform_data" "w3" {
  for_each = toset([1, null])
}
""", """
resource "terraform_data" "w" {
  provisioner "local-exec" {
    when = never
  }
  provisioner "nope" {
    x = self.y
  }
  provisioner "local-exec" {
    when       = destroy
    command    = terraform_data.nope.id
    on_failure = maybe
  }
}
""", """
resource "terraform_data" "w" {
  connection {
    type = "ssh"
    nope = 1
  }
  provisioner "file" {
    source = 5
  }
  provisioner "remote-exec" {
    inline = "x"
    script = "y"
    connection {
      host = var.nope
    }
  }
}
""", """
resource "terraform_data" "w" {
  dynamic "nope" {
    for_each = [1]
    content {
      x = local.nope
    }
  }
  dynamic "timeouts" {
    content {}
    labels = 1
  }
}
""", """
resource "terraform_data" "w" {
  lifecycle {
    create_before_destroy = "yes"
    prevent_destroy       = "x"
    ignore_changes        = [input, input, nope]
    nope                  = 1
    precondition {
      condition = 1
    }
    postcondition {
      condition     = self.id == var.nope
      error_message = []
    }
  }
  lifecycle {
    enabled = null
  }
}
""", """
resource "nope_thing" "w" {
  x = local.nope
}
resource "terraform_thing" "w" {
  x = local.nope
}
data "terraform_data" "w" {}
resource "terraform_remote_state" "w" {}
ephemeral "terraform_data" "w" {}
""", """
data "terraform_remote_state" "w" {
  x = 1
  lifecycle {
    ignore_changes  = all
    prevent_destroy = true
  }
}
""", """
data "terraform_remote_state" "w" {
  backend = local.nope
  config  = terraform_data.nope
}
data "terraform_remote_state" "w2" {
  config = {}
}
""", """
data "terraform_remote_state" "w" {
  backend = "nope"
}
data "terraform_remote_state" "w2" {
  backend = "local"
  config  = { nope = 1, path = ["x"] }
}
""")


others = one_of("""
output "w" {}
output "w2" {
  value     = local.nope
  sensitive = "x"
  nope      = 1
  precondition {
    condition     = var.nope
    error_message = "x"
  }
}
""", """
output "w" {
  value      = [var.nope, module.nope, data.nope.x, each.key, self.x]
  depends_on = [local.x, module.nope, terraform_data.nope]
}
""", """
check "w" {}
check "w2" {
  assert {
    condition = local.nope
  }
  data "terraform_remote_state" "w" {
    count   = 1
    backend = var.nope
    nope    = 1
  }
  nope {}
}
""", """
locals {
  w  = nope
  w2 = foo.bar
  w3 = local.w2.x + var.nope
  w4 = upper(1, 2)
  w5 = nope(1)
  w6 = provider::nope::f(1)
  w7 = provider::terraform::nope(1)
}
""", """
locals {
  w = local.w.x
  x = "${local.y}"
  y = [for k in [1] : local.x]
}
locals {
  w = 1
}
""", """
provider "nope" {
  x = var.nope
}
provider "terraform" {
  x = local.nope
}
provider "terraform" {
  alias = "x"
  alias2 = 1
}
""", """
provider "terraform" {
  alias   = var.x
  version = "1"
}
provider "terraform" {
  alias    = "y"
  for_each = terraform_data.nope
}
provider "terraform" {
  alias = "z"
  count = 2
}
""", """
nope "x" {}
y = 1
resource "x" {}
output {
  value = 1
}
""", """
resource "terraform_data" "w" {
  input = terraform_data.w.id
  lifecycle {
    precondition {
      condition     = self.id == "x"
      error_message = "no"
    }
  }
}
""", """
ephemeral "terraform_nope" "w" {
  x = var.nope
}
output "w" {
  value = ephemeral.terraform_nope.w.x
}
""", """
output "w" {
  value = "${
}
""", """
output "w" {
  value = upper("a",)
  value = 2
  x.y = 1
}
""", """
locals {
  a = 1 +
  b = "x
}
""", """
variable "e" {
  ephemeral = true
  default   = "x"
}
output "w" {
  value = var.e
}
resource "terraform_data" "w" {
  input = var.e
  count = length(var.e)
}
locals {
  e = var.e
}
""")


def leave_out_required(w, m):
    """An argument that the schema asks for."""
    bs = [b for b in m.blocks() if "spec" in b.meta]
    if not bs:
        return
    b = w.rng.choice(bs)
    names = [n for n, (t, c) in b.meta["spec"].args.items()
             if c == 1 or n == "name"]
    if names:
        b.unset(w.rng.choice(names))


def computed_given(w, m):
    """An argument that the provider decides."""
    bs = [b for b in m.blocks() if "spec" in b.meta]
    if bs:
        b = w.rng.choice(bs)
        name = w.rng.choice(["id", "comp", "output", "nope", "outputs"])
        if not b.attr(name):
            b.body.append(Attr(name, Expr(w.rng.choice(
                ['"x"', "var.nope", "null", "[]"]))))


def no_such_attribute(w, m):
    """Something of an object that it does not have."""
    bs = [b for b in m.blocks() if "form" in b.meta]
    b = some_block(w, m)
    if bs and b:
        x = w.rng.choice(bs)
        wrong(w, b, res.address(x) + w.rng.choice(
            [".nope", "[0].nope", '["a"].nope', "[*].nope", ".id.nope", "[0]",
             ".x[0].nope", "[each.key].id", "[count.index]", ""]))


def wrong_output(w, m):
    """An output of a module that it does not have."""
    cs = [b for b in m.blocks() if b.type == "module"]
    b = some_block(w, m)
    if cs and b:
        c = w.rng.choice(cs)
        wrong(w, b, res.address(c) + w.rng.choice(
            [".nope", "[0].nope", '["a"].nope', "[*].nope", "", "[0]"]))


def input_of_call(w, m):
    """A variable of a module is not given, or one that it does not have."""
    cs = [b for b in m.blocks() if b.type == "module"]
    if cs:
        c = w.rng.choice(cs)
        if w.rng.random() < 0.5:
            names = [b for b in c.body if isinstance(b, Attr)
                     and b.name != "source"]
            if names:
                c.body.remove(w.rng.choice(names))
        else:
            c.body.append(Attr("nope", Expr(w.rng.choice(
                ["1", "var.nope", "each.value", "terraform_data.nope"]))))


MISTAKES = [variables, variables, terraform_blocks, refactorings,
            refactorings, calls, bodies, bodies, bodies, others, others,
            leave_out_required, computed_given, no_such_attribute,
            no_such_attribute, wrong_output, input_of_call]

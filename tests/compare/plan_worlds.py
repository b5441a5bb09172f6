"""plan_worlds.py - saved plans that have a bit of everything, made with the programs

A world is a directory that holds a state and a plan made from it.  Names of objects
are unique, so that calls in the log of the test provider belong to one address.
"""
import os
import shutil
import subprocess

REQUIRED = """terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
"""

BOTH = """
resource "terraform_data" "same" { input = "same" }
resource "terraform_data" "up" { input = { a = var.v, l = ["x", "y"] } }
resource "terraform_data" "re" {
  input            = "re"
  triggers_replace = var.v
}
resource "terraform_data" "cbd" {
  input            = "cbd"
  triggers_replace = var.v
  lifecycle { create_before_destroy = true }
}
"""

BUILTIN = [(BOTH + """
variable "v" { default = "one" }
resource "terraform_data" "gone" { input = "gone" }
resource "terraform_data" "old" { input = "old" }
resource "terraform_data" "forgotten" { input = "forgotten" }
resource "terraform_data" "each" {
  for_each = toset(["p", "q"])
  input    = each.key
}
module "m" {
  source = "./m"
  w      = var.v
}
output "keep" { value = "kept" }
output "change" { value = var.v }
output "gone" { value = "g" }
output "secret" {
  value     = "s-${var.v}"
  sensitive = true
}
output "same" { value = terraform_data.same.output }
""", BOTH + """
variable "v" { default = "two" }
moved {
  from = terraform_data.old
  to   = terraform_data.new
}
resource "terraform_data" "new" { input = "old" }
removed {
  from = terraform_data.forgotten
  lifecycle { destroy = false }
}
resource "terraform_data" "each" {
  for_each = toset(["q", "r"])
  input    = each.key
}
resource "terraform_data" "made" { input = "made-${var.v}" }
resource "terraform_data" "dep" { input = terraform_data.made.id }
import {
  to = terraform_data.imported
  id = "imp"
}
resource "terraform_data" "imported" { }
module "m" {
  source = "./m"
  w      = var.v
}
output "keep" { value = "kept" }
output "change" { value = var.v }
output "new" { value = [var.v, 1, { a = true }] }
output "late" { value = terraform_data.made.id }
output "secret" {
  value     = "s-${var.v}"
  sensitive = true
}
output "same" { value = terraform_data.same.output }
""")]

QUIET = [("""
resource "terraform_data" "a" { input = "a" }
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output
}
output "o" { value = terraform_data.a.output }
output "p" { value = ["p"] }
""", None)]

TEST = [(REQUIRED + """
resource "test_thing" "keep" { name = "keep" }
resource "test_thing" "drift" { name = "drift" }
resource "test_thing" "lost" { name = "lost" }
resource "test_all" "up" {
  name   = "up"
  secret = "hidden"
  list   = ["x", "y"]
  set    = ["x", "y"]
  map    = { k = "v" }
}
resource "test_thing" "gone" { name = "gone" }
data "test_thing" "now" { name = "now" }
output "o" { value = data.test_thing.now.name }
""", REQUIRED + """
resource "test_thing" "keep" { name = "keep" }
resource "test_thing" "drift" { name = "drift" }
resource "test_thing" "lost" { name = "lost" }
resource "test_all" "up" {
  name   = "up"
  secret = "other"
  list   = ["y"]
  set    = ["x", "z"]
  map    = { k = "w" }
}
resource "test_thing" "made" { name = "made" }
data "test_thing" "now" { name = "now" }
data "test_all" "late" {
  name       = "late"
  list       = ["a", "b"]
  depends_on = [test_thing.made]
}
output "o" { value = data.test_thing.now.name }
output "late" { value = data.test_all.late.name }
""")]

MODULE = """
variable "w" {}
resource "terraform_data" "x" { input = var.w }
output "o" { value = terraform_data.x.output }
"""


class World:
    """name, the directory, the records of its plan, and what runs it."""

    def __init__(self, name, directory, env, calls):
        self.name, self.dir, self.env, self.calls = name, directory, env, calls
        with open(self.path("plan"), encoding="utf-8") as f:
            self.lines = f.read().splitlines()
        with open(self.path("terraform.tfstate"), "rb") as f:
            self.state = f.read()
        self.objects = {}
        for at in os.listdir(self.path("objects")):
            with open(self.path("objects", at), "rb") as f:
                self.objects[at] = f.read()

    def path(self, *parts):
        return os.path.join(self.dir, *parts)


def _write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def _run(where, env, *words):
    done = subprocess.run(words, cwd=where, env=env, capture_output=True,
                          check=False)
    if done.returncode:
        raise SystemExit("%s: %s" % (" ".join(words),
                                     done.stderr.decode(errors="replace")))


def _spoil(where):
    """What somebody does to the objects outside."""
    for name in os.listdir(os.path.join(where, "objects")):
        path = os.path.join(where, "objects", name)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if '"lost"' in text:
            os.remove(path)
        elif '"drift"' in text:
            _write(path, text.replace('"drift"', '"drifted"'))


def _make(work, name, texts, options, env, spoil=False):
    where = os.path.join(work, name)
    shutil.rmtree(where, ignore_errors=True)
    os.makedirs(os.path.join(where, "m"))
    os.makedirs(os.path.join(where, "objects"))
    env = dict(env, TEST_PROVIDER_DIR=os.path.join(where, "objects"),
               TEST_PROVIDER_LOG=os.path.join(where, "calls"))
    _write(os.path.join(where, "m", "main.tf"), MODULE)
    _write(os.path.join(where, "main.tf"), texts[0])
    _run(where, env, "tf", "init")
    _run(where, env, "tf", "apply", "-auto-approve")
    if texts[1]:
        _write(os.path.join(where, "main.tf"), texts[1])
        _run(where, env, "tf", "init")
    if spoil:
        _spoil(where)
    _run(where, env, "tf", "plan", "-out=plan", *options)
    return World(name, where, env, "test" in texts[0])


def worlds(work, provider):
    """All of them; those of the test provider only where that is."""
    env = dict(os.environ, TF_IN_AUTOMATION="1")
    out = [
        _make(work, "changes", BUILTIN[0], [], env),
        _make(work, "quiet", QUIET[0], [], env),
        _make(work, "destroyed", QUIET[0], ["-destroy"], env),
        _make(work, "targeted", BUILTIN[0], ["-target=terraform_data.up",
                                       "-target=terraform_data.old",
                                       "-target=terraform_data.new"], env),
    ]
    if not provider:
        return out
    rc = os.path.join(work, "rc")
    _write(rc, 'provider_installation {\n  dev_overrides {\n    '
           '"hashicorp/test" = "%s"\n  }\n  direct {}\n}\n' % provider)
    env = dict(env, TF_CLI_CONFIG_FILE=rc, TF_DISABLE_PLUGIN_TLS="1")
    return out + [
        _make(work, "outside", TEST[0], [], env, spoil=True),
        _make(work, "refreshed", TEST[0], ["-refresh-only"], env, spoil=True),
    ]

"""mistakes_text.py - mistakes that are blocks as they stand

Those of variables, of terraform blocks, of calls, and those about what becomes
of objects; mistakes_bodies.py has the others.
"""
from tree import Block


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

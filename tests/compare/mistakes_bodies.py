"""mistakes_bodies.py - mistakes in bodies, and wherever else, as they stand"""
from mistakes_text import one_of


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

terraform {
  required_version = ">= 1.0"
  backend "local" { path = "x" }
}
variable "v" {
  type    = object({ a = optional(string, "x") })
  default = {}
  validation {
    condition     = var.v.a != ""
    error_message = "Not empty."
  }
}
locals {
  a = var.v.a
  t = <<-EOT
    ${local.a}
  EOT
}
resource "terraform_data" "a" {
  for_each         = toset(["x"])
  input            = local.a
  triggers_replace = [each.key]
  depends_on       = [terraform_data.b]
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [input]
    precondition {
      condition     = each.key == "x"
      error_message = "No."
    }
  }
  provisioner "local-exec" {
    when    = destroy
    command = "true"
  }
}
resource "terraform_data" "b" { count = 2 }
check "c" {
  assert {
    condition     = terraform_data.b[0].id != ""
    error_message = "No."
  }
}
moved {
  from = terraform_data.old
  to   = terraform_data.a["x"]
}
removed {
  from = terraform_data.gone
  lifecycle { destroy = false }
}
output "o" {
  value     = terraform_data.a["x"].output
  sensitive = true
}

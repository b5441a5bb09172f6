variable "name" {
  type    = string
  default = "web"
}

variable "password" {
  type      = string
  default   = "hidden"
  sensitive = true
}

locals {
  zones = { a = 1, b = 2 }
}

resource "terraform_data" "one" {
  input = var.name
}

resource "terraform_data" "zone" {
  for_each = local.zones
  input    = { size = each.value, owner = terraform_data.one.output }
}

resource "terraform_data" "counted" {
  count            = 2
  input            = var.password
  triggers_replace = [var.name]
}

module "child" {
  source = "./child"
  name   = var.name
}

output "name" {
  value = terraform_data.one.output
}

output "sizes" {
  value = { for k, z in terraform_data.zone : k => z.output.size }
}

output "password" {
  value     = terraform_data.counted[0].output
  sensitive = true
}

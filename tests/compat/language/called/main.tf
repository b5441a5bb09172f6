terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = []
    }
  }
  backend "s3" {
  }
  encryption {
    state {
      enforced = true
    }
  }
}
variable "in" {
  type       = string
  deprecated = "Use nothing."
}
output "out" {
  value      = var.in
  deprecated = "Use nothing."
}
output "short" {
  value     = null
  ephemeral = true
}

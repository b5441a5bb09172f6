# Services of one environment: a module instance for each, as many replicas as
# it asks for, and checks that hold them together.
variable "environment" {
  type        = string
  default     = "staging"
  description = "Where this runs: staging or production."

  validation {
    condition     = contains(["staging", "production"], var.environment)
    error_message = "There are two environments: staging and production."
  }
}

variable "services" {
  type = map(object({
    port     = number
    replicas = optional(number, 1)
  }))
  default = {
    api = { port = 8080, replicas = 2 }
    web = { port = 8081 }
  }
  description = "What runs, by name: its port, and how many of it."
}

variable "db_password" {
  type        = string
  default     = "only-for-trying-it"
  sensitive   = true
  description = "The password of the database."
}

module "service" {
  source   = "./service"
  for_each = var.services

  name     = "${var.environment}-${each.key}"
  port     = each.value.port
  replicas = each.value.replicas
  database = "postgres://app:${var.db_password}@${terraform_data.database.id}/app"
}

resource "terraform_data" "database" {
  input = { environment = var.environment, size = local.size }

  lifecycle {
    precondition {
      condition     = var.environment != "production" || length(var.db_password) > 15
      error_message = "In production the password has 16 characters or more."
    }
  }
}

locals {
  size = { staging = "small", production = "large" }[var.environment]
}

check "ports" {
  assert {
    condition     = length(distinct([for s in var.services : s.port])) == length(var.services)
    error_message = "Two services have the same port."
  }
}

output "endpoints" {
  value = { for name, s in module.service : name => s.endpoints }
}

output "databases" {
  value     = { for name, s in module.service : name => s.database }
  sensitive = true
}

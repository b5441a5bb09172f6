# A service: its configuration, which another database replaces, and replicas,
# which another port replaces.
variable "name" {
  type = string
}

variable "port" {
  type = number
}

variable "replicas" {
  type = number
}

variable "database" {
  type      = string
  sensitive = true
}

resource "terraform_data" "config" {
  input            = { name = var.name, port = var.port }
  triggers_replace = sha256(var.database) # as sensitive as the value itself
}

resource "terraform_data" "replica" {
  count            = var.replicas
  input            = "${var.name}-${count.index}:${var.port}"
  triggers_replace = terraform_data.config.input.port
}

output "endpoints" {
  value = terraform_data.replica[*].output
}

output "database" {
  value = var.database
}

# A resource for each name, and an output made of all of them.
variable "names" {
  type        = set(string)
  default     = ["one", "two"]
  description = "Whom to greet."
}

resource "terraform_data" "greeting" {
  for_each = var.names
  input    = "hello, ${each.key}"
}

output "greetings" {
  value = [for g in terraform_data.greeting : g.output]
}

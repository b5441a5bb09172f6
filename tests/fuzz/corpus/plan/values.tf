locals {
  o = { a = [1, 2], b = { c = null } }
  s = sensitive("x")
}
resource "terraform_data" "a" {
  count = length(local.o.a)
  input = { i = count.index, s = local.s, l = local.o }
}
resource "terraform_data" "b" {
  input            = terraform_data.a[*].output
  triggers_replace = terraform_data.a[0].id
  lifecycle {
    postcondition {
      condition     = self.input != null
      error_message = "Set."
    }
  }
}
output "o" {
  value     = [for x in terraform_data.a : x.input.i]
}
output "p" {
  value     = terraform_data.b
  sensitive = true
}

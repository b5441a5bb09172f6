terraform {
  required_providers {
    t = { source = "terraform.io/builtin/terraform" }
  }
}
provider "t" {
  alias    = "x"
  for_each = { a = 1 }
}
data "terraform_remote_state" "s" {
  provider = t.x["a"]
  backend  = "local"
  config   = { path = "none" }
}
ephemeral "t_e" "e" { a = 1 }
variable "s" {
  sensitive = true
  ephemeral = true
  nullable  = false
}

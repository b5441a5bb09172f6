# Two real providers: a name by chance, and a file that has it.
terraform {
  required_providers {
    random = {
      source  = "hashicorp/random"
      version = "~> 3.5"
    }
    local = {
      source  = "hashicorp/local"
      version = "~> 2.4"
    }
  }
}

variable "words" {
  type        = number
  default     = 2
  description = "How many words the name has."
}

resource "random_pet" "name" {
  length = var.words
}

resource "local_file" "card" {
  filename        = "${path.root}/card.txt"
  file_permission = "0644"
  content         = "My name is ${random_pet.name.id}.\n"
}

output "name" {
  value = random_pet.name.id
}

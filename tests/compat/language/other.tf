terraform {
  required_version = ">= 99.0" # counts in .tofu files
  experiments      = [of_another_implementation]
  language         = TF2021
}

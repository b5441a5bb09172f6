resource "terraform_data" "b" {
  lifecycle {
    postcondition {
      condition     = self
      error_message = "No."
    }
  }
}

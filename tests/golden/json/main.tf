locals {
  text = "quote \" back \\ slash / tab \t nl \n cr \r <html> & é € 😀 ls   ps   del  esc \u0001."
  here = <<-EOT
    one	tab "quoted" \n raw
    two <b> & é 
  EOT
  deep = [[[[[[[[[[[[[[[[[[[[[[[["< >"]]]]]]]]]]]]]]]]]]]]]]]]
  numbers = [12345678901234567890123456789, 1e30, 1.5, -0.25, 1e-300, 1000000000000000, 999999999999999, 0.1]
}

resource "terraform_data" "same" {
  input = { text = local.text, here = local.here, json = local.json }
}

resource "terraform_data" "changed" {
  input = { "a<b>&\"c\"" = local.text, numbers = local.numbers, deep = local.deep }
}

resource "terraform_data" "keyed" {
  for_each = { "k \"é\" <&> \\   \t" = "v" }
  input    = each.value
}

output "text" {
  value = { "key <é >" = local.text, encoded = jsonencode(local.json) }
}

output "numbers" {
  value = local.numbers
}

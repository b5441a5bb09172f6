variable "text" {
  default = "overridden"
}

text = "c"

# manuals: one line each
dist_man_MANS += man/tf-fmt.1

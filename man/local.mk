# manuals: one line each

# One program a tool; all link the same libraries (LDADD) and --as-needed
# leaves out what a tool does not use. Each tool is one line pair here.

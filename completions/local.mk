# Completions of tf for shells, in the folders where these look for them.
bashcompdir = $(datadir)/bash-completion/completions
zshcompdir = $(datadir)/zsh/site-functions
fishcompdir = $(datadir)/fish/vendor_completions.d
dist_zshcomp_DATA = completions/_tf
dist_fishcomp_DATA = completions/tf.fish
EXTRA_DIST += completions/tf.bash

install-data-local:
	$(MKDIR_P) $(DESTDIR)$(bashcompdir)
	$(INSTALL_DATA) $(srcdir)/completions/tf.bash $(DESTDIR)$(bashcompdir)/tf

uninstall-local: uninstall-bashcomp
uninstall-bashcomp:
	rm -f $(DESTDIR)$(bashcompdir)/tf
.PHONY: uninstall-bashcomp

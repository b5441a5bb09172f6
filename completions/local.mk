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

# Other names that tf can be called by, with their manual and what shells complete for
# them; nothing that somebody else installed is replaced.
NAMES = tofu terraform
install-names:
	@for name in $(NAMES); do \
		to=$(DESTDIR)$(bindir)/$$name; \
		if [ -e "$$to" ] || [ -L "$$to" ]; then \
			[ "`readlink "$$to"`" = tf ] || { \
				echo "$$to is there already, and not ours" >&2; exit 1; }; \
			continue; \
		fi; \
		$(MKDIR_P) $(DESTDIR)$(bindir) $(DESTDIR)$(bashcompdir) \
			$(DESTDIR)$(zshcompdir) $(DESTDIR)$(fishcompdir) \
			$(DESTDIR)$(man1dir) && \
		ln -s tf "$$to" && \
		printf '.so man1/tf.1\n' >$(DESTDIR)$(man1dir)/$$name.1 && \
		ln -s -f tf $(DESTDIR)$(bashcompdir)/$$name && \
		printf '#compdef %s\n_tf "$$@"\n' $$name \
			>$(DESTDIR)$(zshcompdir)/_$$name && \
		printf 'complete -c %s -w tf\n' $$name \
			>$(DESTDIR)$(fishcompdir)/$$name.fish || exit 1; \
	done

uninstall-local: uninstall-names
uninstall-names:
	@for name in tofu terraform; do \
		to=$(DESTDIR)$(bindir)/$$name; \
		[ "`readlink "$$to"`" = tf ] || continue; \
		rm -f "$$to" $(DESTDIR)$(bashcompdir)/$$name \
			$(DESTDIR)$(man1dir)/$$name.1 \
			$(DESTDIR)$(zshcompdir)/_$$name \
			$(DESTDIR)$(fishcompdir)/$$name.fish; \
	done
.PHONY: install-names uninstall-names

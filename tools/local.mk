# One program a tool; all link the same libraries (LDADD) and --as-needed
# leaves out what a tool does not use. Each tool is one line pair here.

bin_PROGRAMS += tf-state
tf_state_SOURCES = tools/tf-state.c tools/tf-state.h \
	tools/tf-state-edit.c \
	tools/tf-state-taint.c \
	tools/tf-state-lock.c \
	tools/tf-state-names.c \
	tools/tf-state-show.c \
	tools/tf-state-workspace.c

bin_PROGRAMS += tf-fmt
tf_fmt_SOURCES = tools/tf-fmt.c

bin_PROGRAMS += tf-show
tf_show_SOURCES = tools/tf-show.c

bin_PROGRAMS += tf-select
tf_select_SOURCES = tools/tf-select.c

bin_PROGRAMS += tf-diff
tf_diff_SOURCES = tools/tf-diff.c

bin_PROGRAMS += tf-canon
tf_canon_SOURCES = tools/tf-canon.c

bin_PROGRAMS += tf-ui
tf_ui_SOURCES = tools/tf-ui.c

bin_PROGRAMS += tf-parse
tf_parse_SOURCES = tools/tf-parse.c

bin_PROGRAMS += tf-eval
tf_eval_SOURCES = tools/tf-eval.c

bin_PROGRAMS += tf-graph
tf_graph_SOURCES = tools/tf-graph.c

bin_PROGRAMS += tf-plan
tf_plan_SOURCES = tools/tf-plan.c

bin_PROGRAMS += tf-apply
tf_apply_SOURCES = tools/tf-apply.c

bin_PROGRAMS += tf-fetch
tf_fetch_SOURCES = tools/tf-fetch.c

bin_PROGRAMS += tf-ssh
tf_ssh_SOURCES = tools/tf-ssh.c

bin_PROGRAMS += tf-init
tf_init_SOURCES = tools/tf-init.c

bin_PROGRAMS += tf-login
tf_login_SOURCES = tools/tf-login.c

bin_PROGRAMS += tf-providers
tf_providers_SOURCES = tools/tf-providers.c

bin_PROGRAMS += tf-test
tf_test_SOURCES = tools/tf-test.c

# The driver: a script, and in pkglibexecdir what it runs.
EXTRA_DIST += tools/tf.in

pkglibexec_PROGRAMS += words
words_SOURCES = tools/words.c

pkglibexec_PROGRAMS += runner
runner_SOURCES = tools/runner.c

noinst_SCRIPTS = tf
CLEANFILES += tf tf.install

tf: tools/tf.in Makefile
	$(AM_V_GEN)sed -e 's|@TF_LIBEXEC@|$$here|' $(srcdir)/tools/tf.in >$@.tmp && \
	chmod +x $@.tmp && mv -f $@.tmp $@

install-exec-local:
	$(MKDIR_P) $(DESTDIR)$(bindir)
	case '$(libexec_from_bin)' in \
	../*) libexec='"$$here/$(libexec_from_bin)"' ;; \
	*) libexec='$(libexec_from_bin)' ;; \
	esac && \
	sed -e "s|@TF_LIBEXEC@|$$libexec|" $(srcdir)/tools/tf.in >tf.install
	$(INSTALL_SCRIPT) tf.install $(DESTDIR)$(bindir)/tf
	rm -f tf.install

uninstall-local: uninstall-tf
uninstall-tf:
	rm -f $(DESTDIR)$(bindir)/tf
.PHONY: uninstall-tf

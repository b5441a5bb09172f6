# The driver: ./tf of the build tree finds its parts in the source tree, the
# installed one in pkglibexecdir.
driver_parts = \
	tools/parts/apply.sh \
	tools/parts/common.sh \
	tools/parts/graph.sh \
	tools/parts/import.sh \
	tools/parts/init.sh \
	tools/parts/plan.sh \
	tools/parts/validate.sh
EXTRA_DIST += tools/tf.in
partsdir = $(pkglibexecdir)/parts
dist_parts_DATA = $(driver_parts)

pkglibexec_PROGRAMS += words
words_SOURCES = tools/words.c

noinst_SCRIPTS = tf
CLEANFILES += tf tf.install

tf: tools/tf.in Makefile
	$(AM_V_GEN)srcdir=`cd $(srcdir) && pwd` && \
	sed -e "s|@TF_WORDS@|`pwd`/words|" \
		-e "s|@TF_PARTS@|$$srcdir/tools/parts|" \
		$(srcdir)/tools/tf.in >$@.tmp && \
	chmod +x $@.tmp && mv -f $@.tmp $@

install-exec-local:
	$(MKDIR_P) $(DESTDIR)$(bindir)
	sed -e "s|@TF_WORDS@|$(pkglibexecdir)/words|" \
		-e "s|@TF_PARTS@|$(partsdir)|" $(srcdir)/tools/tf.in \
		>tf.install
	$(INSTALL_SCRIPT) tf.install $(DESTDIR)$(bindir)/tf
	rm -f tf.install

uninstall-local: uninstall-tf
uninstall-tf:
	rm -f $(DESTDIR)$(bindir)/tf
.PHONY: uninstall-tf

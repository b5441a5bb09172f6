# The driver: ./tf of the build tree finds its parts in the source tree, the
# installed one in pkglibexecdir.
driver_parts = $(srcdir)/tools/driver/*.sh
EXTRA_DIST += tools/tf.in tools/driver
tf_subst = sed -e 's|@PACKAGE_VERSIO[N]@|$(PACKAGE_VERSION)|g'

noinst_SCRIPTS = tf
CLEANFILES += tf

tf: tools/tf.in Makefile
	$(AM_V_GEN)srcdir=`cd $(srcdir) && pwd` && \
	$(tf_subst) -e "s|@TF_LIB@|$$srcdir/tools/driver|g" \
		$(srcdir)/tools/tf.in >$@.tmp && \
	chmod +x $@.tmp && mv -f $@.tmp $@

install-exec-local: install-driver
install-driver:
	$(MKDIR_P) $(DESTDIR)$(bindir) $(DESTDIR)$(pkglibexecdir)
	$(tf_subst) -e "s|@TF_LIB@|$(pkglibexecdir)|g" $(srcdir)/tools/tf.in \
		>tf.install
	$(INSTALL_SCRIPT) tf.install $(DESTDIR)$(bindir)/tf
	rm -f tf.install
	$(INSTALL_DATA) $(driver_parts) $(DESTDIR)$(pkglibexecdir)

uninstall-local:
	rm -f $(DESTDIR)$(bindir)/tf
	rm -rf $(DESTDIR)$(pkglibexecdir)
.PHONY: install-driver

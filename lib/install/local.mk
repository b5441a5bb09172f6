noinst_LIBRARIES += lib/libinstall.a
lib_libinstall_a_SOURCES =
# what packages are made of
lib_libinstall_a_SOURCES += \
	lib/install/package/copy_tree.c lib/install/package/copy_tree.h \
	lib/install/package/package_hash.c lib/install/package/hash.h \
	lib/install/package/kept.c lib/install/package/kept.h \
	lib/install/package/owned_dir.c lib/install/package/patterns.c \
	lib/install/package/tree_size.c lib/install/package/unpack.c \
	lib/install/package/unpack.h lib/install/package/workers.c \
	lib/install/package/package_int.h
# requests, and who may make them
lib_libinstall_a_SOURCES += \
	lib/install/hosts/browser.c lib/install/hosts/callback.c \
	lib/install/hosts/hosts.c lib/install/hosts/hosts_int.h \
	lib/install/hosts/login.c lib/install/hosts/login.h \
	lib/install/hosts/login_oauth.c lib/install/hosts/release_age.c \
	lib/install/hosts/token_store.c
# OCI registries
lib_libinstall_a_SOURCES += \
	lib/install/oci/oci.c lib/install/oci/oci.h \
	lib/install/oci/oci_address.c lib/install/oci/oci_auth.c \
	lib/install/oci/oci_credentials.c lib/install/oci/oci_int.h \
	lib/install/oci/oci_request.c lib/install/oci/oci_settings.c \
	lib/install/oci/oci_template.c
# settings
lib_libinstall_a_SOURCES += \
	lib/install/backend_init.c lib/install/backend_init.h \
	lib/install/backend_migrate.c lib/install/backend_migrate_int.h \
	lib/install/backend_move_in.c \
	lib/install/cli_config.c lib/install/cli_config.h
# providers
lib_libinstall_a_SOURCES += \
	lib/install/providers/check_work.c lib/install/providers/claim.c \
	lib/install/providers/fetch_packages.c lib/install/providers/find.c \
	lib/install/providers/gpgv.c lib/install/providers/install.c \
	lib/install/providers/installed.c lib/install/providers/installed.h \
	lib/install/providers/lock_mirror.c lib/install/providers/lockfile.c \
	lib/install/providers/net_mirror.c \
	lib/install/providers/oci_mirror.c lib/install/providers/packages.c \
	lib/install/providers/packed_mirror.c lib/install/providers/places.c \
	lib/install/providers/providers.c lib/install/providers/providers.h \
	lib/install/providers/providers_int.h \
	lib/install/providers/registry.c \
	lib/install/providers/remote_install.c \
	lib/install/providers/requirements.c \
	lib/install/providers/requirements.h lib/install/providers/verify.c
# modules
lib_libinstall_a_SOURCES += \
	lib/install/modules/ahead.c lib/install/modules/checksum.c \
	lib/install/modules/copies.c lib/install/modules/downloads.c \
	lib/install/modules/from_module.c lib/install/modules/git/git.c \
	lib/install/modules/git/git.h lib/install/modules/git/git_int.h \
	lib/install/modules/git/git_kept.c \
	lib/install/modules/git/git_progress.c \
	lib/install/modules/git/git_run.c lib/install/modules/module_bucket.c \
	lib/install/modules/module_gcs.c lib/install/modules/module_guard.c \
	lib/install/modules/module_hash.c lib/install/modules/module_hg.c \
	lib/install/modules/module_http.c lib/install/modules/module_locks.c \
	lib/install/modules/module_oci.c lib/install/modules/module_registry.c \
	lib/install/modules/module_s3.c lib/install/modules/module_store.c \
	lib/install/modules/modules.c lib/install/modules/modules_int.h \
	lib/install/modules/modules.h lib/install/modules/netrc.c \
	lib/install/modules/registry_ahead.c \
	lib/install/modules/registry_ask.c \
	lib/install/modules/registry_versions.c lib/install/modules/vendor.c
# all of it, one after another
lib_libinstall_a_SOURCES += \
	lib/install/init/copy.c lib/install/init/init.c \
	lib/install/init/init.h lib/install/init/init_int.h \
	lib/install/init/make_vendor.c lib/install/init/root.c

unit_tests += tests/unit/install_test
tests_unit_install_test_SOURCES = tests/unit/install_test.c tests/unit/test.h

unit_tests += tests/unit/hosts_test
tests_unit_hosts_test_SOURCES = tests/unit/hosts_test.c tests/unit/test.h

unit_tests += tests/unit/oci_test
tests_unit_oci_test_SOURCES = tests/unit/oci_test.c tests/unit/test.h

noinst_LIBRARIES += lib/libinstall.a
lib_libinstall_a_SOURCES = \
	lib/install/backend_init.c lib/install/backend_init.h \
	lib/install/callback.c lib/install/callback.h \
	lib/install/check_work.c \
	lib/install/checksum.c \
	lib/install/cli_config.c lib/install/cli_config.h \
	lib/install/cli_files.c lib/install/cli_files.h \
	lib/install/cli_hosts.c lib/install/cli_hosts.h \
	lib/install/copy_tree.c lib/install/copy_tree.h \
	lib/install/credentials.c \
	lib/install/fetch.c lib/install/fetch.h \
	lib/install/fetch_packages.c lib/install/fetch_packages.h \
	lib/install/find.c \
	lib/install/from_module.c lib/install/from_module.h \
	lib/install/git.c lib/install/git.h lib/install/git_int.h \
	lib/install/git_kept.c lib/install/git_progress.c \
	lib/install/gpgv.c \
	lib/install/hash.c \
	lib/install/hosts.c lib/install/hosts.h \
	lib/install/install.c \
	lib/install/installed.c lib/install/installed.h \
	lib/install/kept.c lib/install/kept.h lib/install/kept_int.h \
	lib/install/kept_trim.c \
	lib/install/lock_mirror.c lib/install/lock_mirror.h \
	lib/install/lockfile.c lib/install/lockfile.h \
	lib/install/module_guard.c lib/install/module_guard.h \
	lib/install/module_hash.c lib/install/module_hash.h \
	lib/install/aws.h lib/install/aws_keys.c lib/install/aws_sign.c \
	lib/install/module_bucket.c lib/install/module_bucket.h \
	lib/install/module_gcs.c lib/install/module_hg.c \
	lib/install/module_http.c lib/install/module_s3.c \
	lib/install/module_int.h \
	lib/install/module_locks.c lib/install/module_locks.h \
	lib/install/module_oci.c \
	lib/install/module_registry.c lib/install/module_registry.h \
	lib/install/module_store.c lib/install/module_store.h \
	lib/install/modules.c lib/install/modules.h \
	lib/install/net_mirror.c \
	lib/install/netrc.c \
	lib/install/oauth.c lib/install/oauth.h \
	lib/install/oci.c lib/install/oci.h lib/install/oci_int.h \
	lib/install/oci_address.c lib/install/oci_address.h \
	lib/install/oci_auth.c \
	lib/install/oci_credentials.c lib/install/oci_credentials.h \
	lib/install/oci_mirror.c \
	lib/install/oci_request.c \
	lib/install/oci_settings.c \
	lib/install/oci_template.c lib/install/oci_template.h \
	lib/install/packages.c lib/install/packages.h \
	lib/install/owned_dir.c lib/install/owned_dir.h \
	lib/install/packed_mirror.c lib/install/packed_mirror.h \
	lib/install/patterns.c lib/install/patterns.h \
	lib/install/places.c lib/install/places.h \
	lib/install/providers.c lib/install/providers.h \
	lib/install/providers_int.h \
	lib/install/registry.c \
	lib/install/registry_namespace.c \
	lib/install/release_age.c lib/install/release_age.h \
	lib/install/remote.h \
	lib/install/remote_install.c \
	lib/install/requirements.c lib/install/requirements.h \
	lib/install/services.c lib/install/services.h \
	lib/install/token_store.c lib/install/token_store.h \
	lib/install/unpack.c lib/install/unpack.h \
	lib/install/vendor.c lib/install/vendor.h \
	lib/install/verify.c lib/install/verify.h \
	lib/install/workers.c lib/install/workers.h

unit_tests += tests/unit/install_test
tests_unit_install_test_SOURCES = tests/unit/install_test.c tests/unit/test.h

unit_tests += tests/unit/hosts_test
tests_unit_hosts_test_SOURCES = tests/unit/hosts_test.c tests/unit/test.h

unit_tests += tests/unit/oci_test
tests_unit_oci_test_SOURCES = tests/unit/oci_test.c tests/unit/test.h

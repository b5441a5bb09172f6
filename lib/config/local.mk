noinst_LIBRARIES += lib/libconfig.a
lib_libconfig_a_SOURCES = \
	lib/config/config.h lib/config/config_int.h \
	lib/config/decode.c lib/config/decode_int.h \
	lib/config/decode_call.c lib/config/decode_call_int.h \
	lib/config/decode_check.c lib/config/decode_check_int.h \
	lib/config/decode_encryption.c lib/config/decode_encryption_int.h \
	lib/config/decode_lifecycle.c lib/config/decode_lifecycle_int.h \
	lib/config/decode_provider.c lib/config/decode_provider_int.h \
	lib/config/decode_provisioner.c lib/config/decode_provisioner_int.h \
	lib/config/decode_refactor.c lib/config/decode_refactor_int.h \
	lib/config/decode_required.c lib/config/decode_required_int.h \
	lib/config/decode_resource.c lib/config/decode_resource_int.h \
	lib/config/decode_terraform.c lib/config/decode_terraform_int.h \
	lib/config/decode_value.c lib/config/decode_value_int.h \
	lib/config/dropped.c lib/config/dropped.h \
	lib/config/files.c lib/config/files_int.h lib/config/files.h \
	lib/config/finish.c lib/config/finish.h \
	lib/config/import_target.c lib/config/import_target.h \
	lib/config/load.c lib/config/load.h \
	lib/config/manifest.c lib/config/manifest.h \
	lib/config/module.c lib/config/module_int.h lib/config/module.h \
	lib/config/module_address.c lib/config/module_address.h \
	lib/config/override.c lib/config/override_int.h \
	lib/config/provider_for.c lib/config/provider_for.h \
	lib/config/providers.c lib/config/providers_int.h \
	lib/config/providers_keys.c \
	lib/config/record_call.c lib/config/record_call_int.h lib/config/record_int.h \
	lib/config/record_common.c lib/config/record_common_int.h \
	lib/config/record_refactor.c lib/config/record_refactor_int.h \
	lib/config/record_resource.c lib/config/record_resource_int.h \
	lib/config/record_value.c lib/config/record_value_int.h \
	lib/config/records.c lib/config/records_int.h lib/config/records.h \
	lib/config/refs.c lib/config/refs.h lib/config/refs_int.h \
	lib/config/refs_objects.c \
	lib/config/same.c lib/config/same_int.h \
	lib/config/source.c \
	lib/config/static.c lib/config/static_int.h lib/config/static.h \
	lib/config/static_names.c lib/config/static_names_int.h \
	lib/config/url.c lib/config/url.h lib/config/url_resolve.c \
	lib/config/version.c lib/config/version.h

unit_tests += tests/unit/source_test
tests_unit_source_test_SOURCES = tests/unit/source_test.c tests/unit/test.h
unit_tests += tests/unit/config_test
tests_unit_config_test_SOURCES = tests/unit/config_test.c tests/unit/test.h
EXTRA_DIST += tests/golden/config

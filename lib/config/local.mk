noinst_LIBRARIES += lib/libconfig.a
lib_libconfig_a_SOURCES =
# the configuration
lib_libconfig_a_SOURCES += \
	lib/config/config.h lib/config/module.c lib/config/module.h \
	lib/config/module_int.h lib/config/provider_for.c \
	lib/config/module_tree.c
# addresses of modules, versions, modules.json
lib_libconfig_a_SOURCES += \
	lib/config/source/manifest.c lib/config/source/manifest.h \
	lib/config/source/module_address.c lib/config/source/module_source.c \
	lib/config/source/source.h lib/config/source/url.c \
	lib/config/source/url.h lib/config/source/version.c \
	lib/config/source/version.h
# blocks to what config.h has
lib_libconfig_a_SOURCES += \
	lib/config/decode/decode_file.c lib/config/decode/decode.h \
	lib/config/decode/decode_call.c lib/config/decode/decode_check.c \
	lib/config/decode/decode_encryption.c lib/config/decode/decode_int.h \
	lib/config/decode/decode_lifecycle.c \
	lib/config/decode/decode_provider.c \
	lib/config/decode/decode_provisioner.c \
	lib/config/decode/decode_refactor.c \
	lib/config/decode/decode_required.c \
	lib/config/decode/decode_resource.c \
	lib/config/decode/decode_terraform.c lib/config/decode/decode_test.c \
	lib/config/decode/decode_value.c lib/config/decode/dropped.c
# its records
lib_libconfig_a_SOURCES += \
	lib/config/record/fields.c lib/config/record/fields_read.c \
	lib/config/record/fields_write.c lib/config/record/config_finish.c \
	lib/config/record/record_int.h lib/config/record/records.c \
	lib/config/record/records.h lib/config/record/records_read.c
# what is checked without values
lib_libconfig_a_SOURCES += \
	lib/config/check/import_target.c lib/config/check/check_providers.c \
	lib/config/check/refs.c lib/config/check/refs.h \
	lib/config/check/refs_objects.c lib/config/check/same_expression.c \
	lib/config/check/check_int.h
# from files
lib_libconfig_a_SOURCES += \
	lib/config/load/build_module.c lib/config/load/files.c \
	lib/config/load/load.c lib/config/load/load_int.h \
	lib/config/load/load.h lib/config/load/test.c lib/config/load/test.h \
	lib/config/test.h lib/config/load/override.c \
	lib/config/load/static.c lib/config/load/static_use.c

unit_tests += tests/unit/source_test
tests_unit_source_test_SOURCES = tests/unit/source_test.c tests/unit/test.h
unit_tests += tests/unit/config_test
tests_unit_config_test_SOURCES = tests/unit/config_test.c tests/unit/test.h
EXTRA_DIST += tests/golden/config

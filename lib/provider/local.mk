noinst_LIBRARIES += lib/libprovider.a
lib_libprovider_a_SOURCES = \
	lib/provider/builtin.c lib/provider/builtin_int.h \
	lib/provider/builtin_data.c \
	lib/provider/builtin_funcs.c \
	lib/provider/builtin_state.c \
	lib/provider/open.c \
	lib/provider/provider.h \
	lib/provider/request.c \
	lib/provider/schema_json.c

unit_tests += tests/unit/provider_test
tests_unit_provider_test_SOURCES = tests/unit/provider_test.c tests/unit/test.h

noinst_LIBRARIES += lib/libschema.a
lib_libschema_a_SOURCES = \
	lib/schema/objects.c lib/schema/objects.h lib/schema/schema.c \
	lib/schema/schema.h lib/schema/schema_walk.c

unit_tests += tests/unit/schema_test
tests_unit_schema_test_SOURCES = tests/unit/schema_test.c \
	tests/unit/show_value.h tests/unit/test.h

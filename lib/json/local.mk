noinst_LIBRARIES += lib/libjson.a
lib_libjson_a_SOURCES = \
	lib/json/build.c lib/json/forms.c lib/json/json.h lib/json/read.c \
	lib/json/read.h lib/json/same.c lib/json/scan.c lib/json/slice.c \
	lib/json/escapes.c lib/json/text.c lib/json/tree.c lib/json/tree.h \
	lib/json/write.c lib/json/write.h lib/json/json_int.h

unit_tests += tests/unit/json_test
tests_unit_json_test_SOURCES = tests/unit/json_test.c tests/unit/test.h

unit_tests += tests/unit/slice_test
tests_unit_slice_test_SOURCES = tests/unit/slice_test.c tests/unit/test.h

unit_tests += tests/unit/same_test
tests_unit_same_test_SOURCES = tests/unit/same_test.c tests/unit/test.h

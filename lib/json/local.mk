noinst_LIBRARIES += lib/libjson.a
lib_libjson_a_SOURCES = \
	lib/json/build.c lib/json/build_int.h \
	lib/json/forms.c lib/json/forms.h lib/json/json.h \
	lib/json/read.c lib/json/read.h \
	lib/json/same.c lib/json/same.h \
	lib/json/scan.c lib/json/scan.h lib/json/scan_int.h \
	lib/json/slice.c lib/json/slice.h \
	lib/json/string.c lib/json/string.h lib/json/string_int.h \
	lib/json/text.c lib/json/text.h \
	lib/json/tree.c lib/json/tree.h \
	lib/json/write.c lib/json/write.h lib/json/write_int.h

unit_tests += tests/unit/json_test
tests_unit_json_test_SOURCES = tests/unit/json_test.c tests/unit/test.h

unit_tests += tests/unit/slice_test
tests_unit_slice_test_SOURCES = tests/unit/slice_test.c tests/unit/test.h

unit_tests += tests/unit/same_test
tests_unit_same_test_SOURCES = tests/unit/same_test.c tests/unit/test.h

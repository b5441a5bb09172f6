noinst_LIBRARIES += lib/libvalue.a
lib_libvalue_a_SOURCES = \
	lib/value/codec_json.c lib/value/codec_json.h \
	lib/value/codec_json_read.c lib/value/codec_stream.c \
	lib/value/codec_stream_read.c lib/value/codec_msgpack.c \
	lib/value/codec_msgpack.h lib/value/codec_msgpack_read.c \
	lib/value/convert.c lib/value/convert.h lib/value/convert_coll.c \
	lib/value/defaults.c lib/value/equal.c lib/value/marks.c \
	lib/value/marks.h lib/value/number.c lib/value/number.h \
	lib/value/number_parse.c lib/value/number_text.c \
	lib/value/mismatch.c lib/value/msgpack_item.c \
	lib/value/msgpack_put.c lib/value/path.c lib/value/path.h \
	lib/value/path_json.c lib/value/rebuild.c lib/value/refine.c \
	lib/value/refine.h lib/value/render.c lib/value/set.c \
	lib/value/set.h lib/value/string.c lib/value/string.h \
	lib/value/type.c lib/value/type.h lib/value/type_text.c \
	lib/value/unify.c lib/value/value.c lib/value/value.h \
	lib/value/value_int.h

EXTRA_DIST += tests/golden/value
unit_tests += tests/unit/codec_test tests/unit/convert_test \
	tests/unit/number_test tests/unit/path_test tests/unit/render_test \
	tests/unit/type_test tests/unit/value_test
tests_unit_codec_test_SOURCES = tests/unit/codec_test.c \
	tests/unit/codec_rows.h tests/unit/value_text.h tests/unit/test.h
tests_unit_convert_test_SOURCES = tests/unit/convert_test.c \
	tests/unit/value_text.h tests/unit/test.h
tests_unit_number_test_SOURCES = tests/unit/number_test.c tests/unit/test.h
tests_unit_path_test_SOURCES = tests/unit/path_test.c \
	tests/unit/value_text.h tests/unit/test.h
tests_unit_render_test_SOURCES = tests/unit/render_test.c \
	tests/unit/value_text.h tests/unit/test.h
tests_unit_type_test_SOURCES = tests/unit/type_test.c tests/unit/test.h
tests_unit_value_test_SOURCES = tests/unit/value_test.c tests/unit/test.h

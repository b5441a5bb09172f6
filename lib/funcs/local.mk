noinst_LIBRARIES += lib/libfuncs.a
lib_libfuncs_a_SOURCES = \
	lib/funcs/common.c lib/funcs/funcs_int.h lib/funcs/convert_funcs.c \
	lib/funcs/crypto_funcs.c lib/funcs/csv_funcs.c \
	lib/funcs/datetime_funcs.c lib/funcs/encoding_funcs.c \
	lib/funcs/file_funcs.c lib/funcs/fileset_funcs.c \
	lib/funcs/format_funcs.c lib/funcs/format_number.c lib/funcs/glob.c \
	lib/funcs/gomath.c lib/funcs/gzip_funcs.c lib/funcs/hash_funcs.c \
	lib/funcs/ip_funcs.c lib/funcs/ip_addr.c lib/funcs/json_funcs.c \
	lib/funcs/list_funcs.c lib/funcs/map_funcs.c lib/funcs/numeric_funcs.c \
	lib/funcs/path_funcs.c lib/funcs/regex_funcs.c \
	lib/funcs/regex/regex_int.h lib/funcs/regex/regex.h \
	lib/funcs/regex/regex_bracket.c lib/funcs/regex/regex_class.c \
	lib/funcs/regex/regex_escape.c lib/funcs/regex/regex_match.c \
	lib/funcs/regex/regex_parse.c lib/funcs/regex/regex_repeat.c \
	lib/funcs/search_funcs.c lib/funcs/sensitive_funcs.c \
	lib/funcs/set_funcs.c lib/funcs/slice_funcs.c lib/funcs/string_funcs.c \
	lib/funcs/table.c lib/funcs/table.h lib/funcs/template_funcs.c \
	lib/funcs/text_funcs.c lib/funcs/text_codec.c lib/funcs/time.c \
	lib/funcs/trim_funcs.c lib/funcs/yaml_decode.c lib/funcs/yaml_encode.c \
	lib/funcs/yaml_repair.c lib/funcs/yaml_scalar.c

unit_tests += tests/unit/funcs_collection_test
tests_unit_funcs_collection_test_SOURCES = tests/unit/funcs_collection_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_convert_test
tests_unit_funcs_convert_test_SOURCES = tests/unit/funcs_convert_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_crypto_test
tests_unit_funcs_crypto_test_SOURCES = tests/unit/funcs_crypto_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_encoding_test
tests_unit_funcs_encoding_test_SOURCES = tests/unit/funcs_encoding_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_file_test
tests_unit_funcs_file_test_SOURCES = tests/unit/funcs_file_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_format_test
tests_unit_funcs_format_test_SOURCES = tests/unit/funcs_format_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_json_test
tests_unit_funcs_json_test_SOURCES = tests/unit/funcs_json_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_net_test
tests_unit_funcs_net_test_SOURCES = tests/unit/funcs_net_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_numeric_test
tests_unit_funcs_numeric_test_SOURCES = tests/unit/funcs_numeric_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_object_test
tests_unit_funcs_object_test_SOURCES = tests/unit/funcs_object_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_regex_test
tests_unit_funcs_regex_test_SOURCES = tests/unit/funcs_regex_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
# before the others: it takes long, and would be waited for alone
check_PROGRAMS += tests/unit/funcs_secret_test
TESTS += tests/unit/funcs_secret_test
tests_unit_funcs_secret_test_SOURCES = tests/unit/funcs_secret_test.c \
	tests/unit/test.h
unit_tests += tests/unit/funcs_string_test
tests_unit_funcs_string_test_SOURCES = tests/unit/funcs_string_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h
unit_tests += tests/unit/funcs_table_test
tests_unit_funcs_table_test_SOURCES = tests/unit/funcs_table_test.c \
	tests/unit/test.h
unit_tests += tests/unit/funcs_unknown_test
tests_unit_funcs_unknown_test_SOURCES = tests/unit/funcs_unknown_test.c \
	tests/unit/test.h
unit_tests += tests/unit/funcs_yaml_test
tests_unit_funcs_yaml_test_SOURCES = tests/unit/funcs_yaml_test.c \
	tests/unit/funcs_rows.h tests/unit/test.h

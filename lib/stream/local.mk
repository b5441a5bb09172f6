noinst_LIBRARIES += lib/libstream.a
lib_libstream_a_SOURCES = \
	lib/stream/record.h lib/stream/record_at.c lib/stream/record_body.c \
	lib/stream/record_diag.c lib/stream/record_expr.c \
	lib/stream/stream.h lib/stream/read.c lib/stream/redact.c \
	lib/stream/seal.c lib/stream/seal.h lib/stream/seal_edits.c \
	lib/stream/seal_record.c lib/stream/write.c lib/stream/stream_int.h

unit_tests += tests/unit/stream_test
tests_unit_stream_test_SOURCES = tests/unit/stream_test.c tests/unit/test.h

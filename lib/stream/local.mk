noinst_LIBRARIES += lib/libstream.a
lib_libstream_a_SOURCES = \
	lib/stream/record.h \
	lib/stream/record_at.c lib/stream/record_at.h \
	lib/stream/record_body.c lib/stream/record_body.h \
	lib/stream/record_diag.c lib/stream/record_diag.h \
	lib/stream/record_expr.c lib/stream/record_expr.h \
	lib/stream/stream.h \
	lib/stream/read.c lib/stream/read.h \
	lib/stream/redact.c lib/stream/redact.h \
	lib/stream/seal.c lib/stream/seal.h lib/stream/seal_edits.c \
	lib/stream/seal_edits.h \
	lib/stream/seal_hash.c lib/stream/seal_hash_int.h \
	lib/stream/seal_int.h \
	lib/stream/seal_members.c lib/stream/seal_members_int.h \
	lib/stream/seal_record.c lib/stream/seal_record.h \
	lib/stream/seal_record_int.h \
	lib/stream/write.c lib/stream/write.h

unit_tests += tests/unit/stream_test
tests_unit_stream_test_SOURCES = tests/unit/stream_test.c tests/unit/test.h

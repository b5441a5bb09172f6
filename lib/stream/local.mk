noinst_LIBRARIES += lib/libstream.a
lib_libstream_a_SOURCES = \
	lib/stream/record.h \
	lib/stream/record_at.c \
	lib/stream/record_body.c \
	lib/stream/record_diag.c \
	lib/stream/record_expr.c \
	lib/stream/stream.h \
	lib/stream/read.c \
	lib/stream/write.c

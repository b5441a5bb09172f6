noinst_LIBRARIES += lib/libstream.a
lib_libstream_a_SOURCES = \
	lib/stream/record.h \
	lib/stream/stream.h \
	lib/stream/read.c \
	lib/stream/write.c

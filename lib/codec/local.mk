noinst_LIBRARIES += lib/libcodec_front.a lib/libcodec_dso.a
lib_libcodec_front_a_SOURCES = \
	lib/codec/codec.c lib/codec/codec_dso_int.h lib/codec/gzip.h \
	lib/codec/yaml_text.h

codec_dso_files = \
	lib/codec/codec_dso.c \
	lib/codec/gzip.c \
	lib/codec/yaml.c
lib_libcodec_dso_a_SOURCES = $(codec_dso_files)

pkglibexec_PROGRAMS += codec.so
codec_so_SOURCES = $(codec_dso_files)
codec_so_CFLAGS = $(DSO_COMPILE)
codec_so_LDFLAGS = $(DSO_LINK)
codec_so_LDADD = $(YAML_LIBS) $(ZLIB_LIBS)

unit_tests += tests/unit/gzip_test
tests_unit_gzip_test_SOURCES = tests/unit/gzip_test.c tests/unit/test.h

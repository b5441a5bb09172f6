noinst_LIBRARIES += lib/libcompare.a
lib_libcompare_a_SOURCES = \
	lib/compare/compare.c lib/compare/compare.h lib/compare/read.c

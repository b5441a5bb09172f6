noinst_LIBRARIES += lib/libcompare.a
lib_libcompare_a_SOURCES = \
	lib/compare/canon.c lib/compare/canon.h lib/compare/canon_kinds.c \
	lib/compare/canon_put.c lib/compare/compare.c lib/compare/compare.h \
	lib/compare/compare_int.h lib/compare/leaf.c lib/compare/compared.c

noinst_LIBRARIES += lib/libpg_front.a lib/libpg_dso.a
lib_libpg_front_a_SOURCES = \
	lib/pg/pg_dso_int.h lib/pg/pg.c lib/pg/pg.h lib/pg/settings.c \
	lib/pg/settings.h
lib_libpg_dso_a_SOURCES = lib/pg/connection.c

pkglibexec_PROGRAMS += pg.so
pg_so_SOURCES = lib/pg/connection.c lib/base/arena.c lib/base/str.c \
	lib/base/vec.c
pg_so_CFLAGS = $(DSO_COMPILE)
pg_so_LDFLAGS = $(DSO_LINK)
pg_so_LDADD = $(PQ_LIBS)

unit_tests += tests/unit/pg_test
tests_unit_pg_test_SOURCES = tests/unit/pg_test.c tests/unit/test.h

noinst_LIBRARIES += lib/libaddr.a
lib_libaddr_a_SOURCES = \
	lib/addr/addr.c lib/addr/addr.h lib/addr/addr_int.h lib/addr/attr_path.c lib/addr/plain.c \
	lib/addr/provider.c lib/addr/provider.h lib/addr/reference.c \
	lib/addr/reference.h lib/addr/selector.c lib/addr/walk.c \
	lib/addr/walk.h lib/addr/target.c lib/addr/target.h \
	lib/addr/value_text.c

unit_tests += tests/unit/addr_test
tests_unit_addr_test_SOURCES = tests/unit/addr_test.c tests/unit/test.h

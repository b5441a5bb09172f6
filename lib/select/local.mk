noinst_LIBRARIES += lib/libselect.a
lib_libselect_a_SOURCES = \
	lib/select/filter.c lib/select/matches.c lib/select/selection.c \
	lib/select/print.c lib/select/select.c lib/select/select.h \
	lib/select/select_int.h lib/select/subject.c

unit_tests += tests/unit/select_test
tests_unit_select_test_SOURCES = tests/unit/select_test.c tests/unit/test.h

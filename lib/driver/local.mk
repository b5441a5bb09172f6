noinst_LIBRARIES += lib/libdriver.a
lib_libdriver_a_SOURCES = \
	lib/driver/attend.c lib/driver/complete.c lib/driver/commands.c \
	lib/driver/run_options.c lib/driver/runner.c lib/driver/runner.h \
	lib/driver/shell.c lib/driver/words.c lib/driver/words.h \
	lib/driver/words_check.c lib/driver/words_run.c \
	lib/driver/words_show.c lib/driver/driver_int.h

unit_tests += tests/unit/driver_test
tests_unit_driver_test_SOURCES = tests/unit/driver_test.c tests/unit/test.h

noinst_LIBRARIES += lib/libdriver.a
lib_libdriver_a_SOURCES = \
	lib/driver/attend.c lib/driver/attend.h \
	lib/driver/complete.c lib/driver/complete_int.h \
	lib/driver/commands.c lib/driver/commands.h lib/driver/driver.h \
	lib/driver/run_options.c lib/driver/run_options.h \
	lib/driver/runner.c lib/driver/runner.h \
	lib/driver/shell.c lib/driver/shell.h \
	lib/driver/words.c lib/driver/words.h lib/driver/words_int.h \
	lib/driver/words_check.c lib/driver/words_check_int.h \
	lib/driver/words_run.c \
	lib/driver/words_run_int.h \
	lib/driver/words_show.c lib/driver/words_show_int.h

unit_tests += tests/unit/driver_test
tests_unit_driver_test_SOURCES = tests/unit/driver_test.c tests/unit/test.h

noinst_LIBRARIES += lib/libsuite.a
lib_libsuite_a_SOURCES = \
	lib/suite/expect.c lib/suite/stages.c lib/suite/suite.c \
	lib/suite/suite.h lib/suite/suite_int.h lib/suite/run_values.c \
	lib/suite/suite_providers.c lib/suite/view.c

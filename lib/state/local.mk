noinst_LIBRARIES += lib/libstate.a
lib_libstate_a_SOURCES = \
	lib/state/backend.c lib/state/backend.h lib/state/backend_int.h \
	lib/state/backend_config.c lib/state/backend_config.h \
	lib/state/backends/local.c lib/state/backends/local_int.h \
	lib/state/backends/local_file.c \
	lib/state/backends/local_lock.c \
	lib/state/edit.c lib/state/edit.h \
	lib/state/emit.c \
	lib/state/encryption.c lib/state/encryption.h \
	lib/state/equal.c \
	lib/state/journal.c lib/state/journal_int.h \
	lib/state/journal_read.c \
	lib/state/lock.c \
	lib/state/move.c \
	lib/state/read.c lib/state/read_int.h \
	lib/state/read_addr.c \
	lib/state/read_fields.c \
	lib/state/read_resources.c \
	lib/state/read_root.c \
	lib/state/record.c lib/state/record_int.h \
	lib/state/saved.c \
	lib/state/scan.c lib/state/scan_int.h \
	lib/state/state.c lib/state/state.h \
	lib/state/state_value.c lib/state/state_value.h \
	lib/state/workspace.c \
	lib/state/write.c

unit_tests += tests/unit/state_file_test
tests_unit_state_file_test_SOURCES = tests/unit/state_file_test.c \
	tests/unit/test.h
unit_tests += tests/unit/state_backend_test
tests_unit_state_backend_test_SOURCES = tests/unit/state_backend_test.c \
	tests/unit/test.h
unit_tests += tests/unit/state_journal_test
tests_unit_state_journal_test_SOURCES = tests/unit/state_journal_test.c \
	tests/unit/test.h

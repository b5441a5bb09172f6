noinst_LIBRARIES += lib/libssh.a
lib_libssh_a_SOURCES = \
	lib/ssh/carry_out.c lib/ssh/config.c lib/ssh/connect.c lib/ssh/keys.c \
	lib/ssh/link.c lib/ssh/proxy.c lib/ssh/request.c lib/ssh/session.c \
	lib/ssh/ssh.h lib/ssh/ssh_int.h lib/ssh/upload.c

unit_tests += tests/unit/ssh_test
tests_unit_ssh_test_SOURCES = tests/unit/ssh_test.c tests/unit/test.h

noinst_LIBRARIES += lib/libencrypt.a
lib_libencrypt_a_SOURCES = \
	lib/encrypt/encrypt.c lib/encrypt/encrypt.h \
	lib/encrypt/encrypt_asked.c lib/encrypt/encrypt_int.h \
	lib/encrypt/encrypt_settings.c lib/encrypt/envelope.c \
	lib/encrypt/key.c lib/encrypt/key_arguments.c lib/encrypt/key_aws.c \
	lib/encrypt/key_azure.c lib/encrypt/key_google.c \
	lib/encrypt/key_openbao.c lib/encrypt/key_pbkdf2.c \
	lib/encrypt/key_programs.c lib/encrypt/key_ring.c \
	lib/encrypt/key_value.c \
	lib/encrypt/method.c lib/encrypt/program.c lib/encrypt/saved.c

unit_tests += tests/unit/encrypt_test
tests_unit_encrypt_test_SOURCES = tests/unit/encrypt_test.c tests/unit/test.h

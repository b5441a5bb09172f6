noinst_LIBRARIES += lib/libcrypto_front.a lib/libcrypto_module.a
lib_libcrypto_front_a_SOURCES = \
	lib/crypto/crypto.c lib/crypto/crypto.h lib/crypto/module_int.h

crypto_module_files = \
	lib/crypto/bcrypt.c \
	lib/crypto/digest.c \
	lib/crypto/module.c \
	lib/crypto/rsa.c \
	lib/crypto/tls.c
lib_libcrypto_module_a_SOURCES = $(crypto_module_files)

if MODULES
pkglibexec_PROGRAMS += crypto.so
crypto_so_SOURCES = $(crypto_module_files) lib/base/arena.c lib/base/str.c
crypto_so_CFLAGS = $(MODULE_COMPILE)
crypto_so_LDFLAGS = $(MODULE_LINK)
crypto_so_LDADD = $(SSL_LIBS) $(CRYPTO_LIBS) $(XCRYPT_LIBS) $(UNISTRING_LIBS)
endif

noinst_LIBRARIES += lib/libcrypto_front.a lib/libcrypto_dso.a
lib_libcrypto_front_a_SOURCES = \
	lib/crypto/crypto.c lib/crypto/crypto.h lib/crypto/crypto_dso_int.h

crypto_dso_files = \
	lib/crypto/bcrypt.c \
	lib/crypto/cipher.c \
	lib/crypto/digest.c \
	lib/crypto/crypto_dso.c \
	lib/crypto/rsa.c \
	lib/crypto/tls.c
lib_libcrypto_dso_a_SOURCES = $(crypto_dso_files)

pkglibexec_PROGRAMS += crypto.so
crypto_so_SOURCES = $(crypto_dso_files) lib/base/arena.c lib/base/str.c
crypto_so_CFLAGS = $(DSO_COMPILE)
crypto_so_LDFLAGS = $(DSO_LINK)
crypto_so_LDADD = $(SSL_LIBS) $(CRYPTO_LIBS) $(XCRYPT_LIBS)

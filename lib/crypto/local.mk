noinst_LIBRARIES += lib/libcrypto_front.a lib/libcrypto_parts.a
lib_libcrypto_front_a_SOURCES = \
	lib/crypto/crypto.c lib/crypto/crypto.h lib/crypto/module_int.h

crypto_parts = \
	lib/crypto/bcrypt.c \
	lib/crypto/digest.c \
	lib/crypto/module.c \
	lib/crypto/rsa.c \
	lib/crypto/tls.c
# For programs that load nothing: who names crypto_module gets it.
lib_libcrypto_parts_a_SOURCES = $(crypto_parts)

# A shared object that nothing but its table can be seen of.
if MODULES
pkglibexec_PROGRAMS += crypto.so
crypto_so_SOURCES = $(crypto_parts) lib/base/arena.c lib/base/str.c
crypto_so_CFLAGS = $(AM_CFLAGS) -fPIC -fvisibility=hidden
crypto_so_LDFLAGS = $(AM_LDFLAGS) -shared -Wl,-z,defs
crypto_so_LDADD = $(SSL_LIBS) $(CRYPTO_LIBS) $(XCRYPT_LIBS) $(UNISTRING_LIBS)
endif

noinst_LIBRARIES += lib/libaddr.a
lib_libaddr_a_SOURCES =

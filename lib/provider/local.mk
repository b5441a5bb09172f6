noinst_LIBRARIES += lib/libprovider.a
lib_libprovider_a_SOURCES =

noinst_LIBRARIES += lib/libinstall.a
lib_libinstall_a_SOURCES =

noinst_LIBRARIES += lib/libconfig.a
lib_libconfig_a_SOURCES =

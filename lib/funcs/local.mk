noinst_LIBRARIES += lib/libfuncs.a
lib_libfuncs_a_SOURCES =

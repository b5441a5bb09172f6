noinst_LIBRARIES += lib/libvalue.a
lib_libvalue_a_SOURCES =

noinst_LIBRARIES += lib/libjson.a
lib_libjson_a_SOURCES =

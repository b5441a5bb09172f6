noinst_LIBRARIES += lib/libstream.a
lib_libstream_a_SOURCES =

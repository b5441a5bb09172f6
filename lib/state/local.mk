noinst_LIBRARIES += lib/libstate.a
lib_libstate_a_SOURCES =

noinst_LIBRARIES += lib/libengine.a
lib_libengine_a_SOURCES =

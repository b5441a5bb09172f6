noinst_LIBRARIES += lib/liblang.a
lib_liblang_a_SOURCES =

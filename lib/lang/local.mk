noinst_LIBRARIES += lib/liblang.a
lib_liblang_a_SOURCES =
lib_liblang_a_SOURCES += lib/lang/snippet.c lib/lang/snippet.h

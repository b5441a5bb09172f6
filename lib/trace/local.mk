noinst_LIBRARIES += lib/libtrace.a
lib_libtrace_a_SOURCES = lib/trace/trace.c lib/trace/trace.h

noinst_LIBRARIES += lib/libstate.a
lib_libstate_a_SOURCES =
lib_libstate_a_SOURCES += lib/state/state_value.c lib/state/state_value.h

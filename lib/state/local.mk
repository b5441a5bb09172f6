noinst_LIBRARIES += lib/libstate.a
lib_libstate_a_SOURCES = \
	lib/state/backend.h \
	lib/state/emit.c \
	lib/state/read.c lib/state/read_int.h \
	lib/state/read_addr.c \
	lib/state/read_fields.c \
	lib/state/read_resources.c \
	lib/state/read_root.c \
	lib/state/record.c lib/state/record_int.h \
	lib/state/scan.c lib/state/scan_int.h \
	lib/state/state.c lib/state/state.h \
	lib/state/state_value.c lib/state/state_value.h \
	lib/state/write.c

noinst_LIBRARIES += lib/libengine.a
lib_libengine_a_SOURCES = \
	lib/engine/change.h lib/engine/change_int.h \
	lib/engine/change_read.c \
	lib/engine/change_record.c lib/engine/change_record.h \
	lib/engine/checks.h \
	lib/engine/compatible.c \
	lib/engine/inputs.h \
	lib/engine/normalize.c \
	lib/engine/objchange.c lib/engine/objchange.h \
	lib/engine/objchange_int.h \
	lib/engine/objchange_util.c \
	lib/engine/plan_valid.c \
	lib/engine/run.h

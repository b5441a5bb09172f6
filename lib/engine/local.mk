noinst_LIBRARIES += lib/libengine.a
lib_libengine_a_SOURCES = \
	lib/engine/change.h \
	lib/engine/checks.h \
	lib/engine/inputs.h \
	lib/engine/run.h

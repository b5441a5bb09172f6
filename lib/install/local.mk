noinst_LIBRARIES += lib/libinstall.a
lib_libinstall_a_SOURCES = \
	lib/install/backend_init.c lib/install/backend_init.h \
	lib/install/modules.c lib/install/modules.h

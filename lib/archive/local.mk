noinst_LIBRARIES += lib/libarchive_front.a lib/libarchive_module.a
lib_libarchive_front_a_SOURCES = \
	lib/archive/archive.c lib/archive/archive.h lib/archive/module_int.h
lib_libarchive_module_a_SOURCES = lib/archive/read.c

if MODULES
pkglibexec_PROGRAMS += archive.so
archive_so_SOURCES = lib/archive/read.c
archive_so_CFLAGS = $(MODULE_COMPILE)
archive_so_LDFLAGS = $(MODULE_LINK)
archive_so_LDADD = $(ARCHIVE_LIBS)
endif

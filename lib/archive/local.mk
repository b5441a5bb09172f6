noinst_LIBRARIES += lib/libarchive_front.a lib/libarchive_dso.a
lib_libarchive_front_a_SOURCES = \
	lib/archive/archive.c lib/archive/archive_int.h \
	lib/archive/archive.h
lib_libarchive_dso_a_SOURCES = \
	lib/archive/archive_read.c
if FAST_ZIP
lib_libarchive_dso_a_SOURCES += lib/archive/zip.c
else
lib_libarchive_dso_a_SOURCES += lib/archive/zip_none.c
endif

pkglibexec_PROGRAMS += archive.so
archive_so_SOURCES = $(lib_libarchive_dso_a_SOURCES)
archive_so_CFLAGS = $(DSO_COMPILE)
archive_so_LDFLAGS = $(DSO_LINK)
archive_so_LDADD = $(ARCHIVE_LIBS) $(ZIP_LIBS)

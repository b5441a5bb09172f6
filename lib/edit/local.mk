noinst_LIBRARIES += lib/libedit_front.a lib/libedit_dso.a
lib_libedit_front_a_SOURCES = \
	lib/edit/edit_dso_int.h lib/edit/edit.c lib/edit/edit.h
lib_libedit_dso_a_SOURCES = lib/edit/line.c

pkglibexec_PROGRAMS += edit.so
edit_so_SOURCES = lib/edit/line.c
edit_so_CFLAGS = $(DSO_COMPILE)
edit_so_LDFLAGS = $(DSO_LINK)
edit_so_LDADD = $(EDIT_LIBS)

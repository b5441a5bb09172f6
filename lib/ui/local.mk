noinst_LIBRARIES += lib/libui.a
lib_libui_a_SOURCES = \
	lib/ui/diag_text.c lib/ui/diag_text.h

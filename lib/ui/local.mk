noinst_LIBRARIES += lib/libui.a
lib_libui_a_SOURCES =

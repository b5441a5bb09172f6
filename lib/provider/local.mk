noinst_LIBRARIES += lib/libprovider.a
lib_libprovider_a_SOURCES = \
	lib/provider/builtin.c lib/provider/builtin_int.h \
	lib/provider/builtin_data.c \
	lib/provider/builtin_funcs.c \
	lib/provider/builtin_state.c \
	lib/provider/open.c \
	lib/provider/provider.h \
	lib/provider/request.c \
	lib/provider/schema_json.c

unit_tests += tests/unit/provider_test
tests_unit_provider_test_SOURCES = tests/unit/provider_test.c tests/unit/test.h

# The protocol's messages: generated into the build tree, never distributed.
proto_files = lib/provider/proto/tfplugin.proto
EXTRA_DIST += $(proto_files)
nodist_lib_libprovider_a_SOURCES = \
	lib/provider/proto/tfplugin.pb-c.c lib/provider/proto/tfplugin.pb-c.h
BUILT_SOURCES += lib/provider/proto/tfplugin.pb-c.h
CLEANFILES += $(nodist_lib_libprovider_a_SOURCES)

lib/provider/proto/tfplugin.pb-c.c: lib/provider/proto/tfplugin.proto
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(PROTOC_C) --c_out=$(@D) \
		--proto_path=$(srcdir)/lib/provider/proto tfplugin.proto
lib/provider/proto/tfplugin.pb-c.h: lib/provider/proto/tfplugin.pb-c.c
	@test -f $@ || { rm -f $<; $(MAKE) $(AM_MAKEFLAGS) $<; }

noinst_LIBRARIES += lib/libprovider.a
lib_libprovider_a_SOURCES = \
	lib/provider/builtin.c lib/provider/builtin_data.c \
	lib/provider/builtin_funcs.c lib/provider/builtin_state.c \
	lib/provider/cache.c lib/provider/plugin/grpc.c \
	lib/provider/plugin/handshake.c \
	lib/provider/limit.c lib/provider/open.c lib/provider/open.h \
	lib/provider/plugin/plugin.c lib/provider/plugin/plugin.h \
	lib/provider/plugin/plugin_int.h lib/provider/plugin/plugin_io.c \
	lib/provider/plugin/plugin_log.c lib/provider/plugin/plugin_log.h \
	lib/provider/proto.c lib/provider/provider.h lib/provider/remote.c \
	lib/provider/remote_calls.c lib/provider/remote_schema.c \
	lib/provider/remote_values.c lib/provider/request.c \
	lib/provider/request.h lib/provider/schema_answer.c \
	lib/provider/schema_cache.c lib/provider/schema_cache.h \
	lib/provider/schema_confirm.c lib/provider/schema_json.c \
	lib/provider/schema_proto.c lib/provider/share.c lib/provider/source.h \
	lib/provider/plugin/wire.c lib/provider/provider_int.h

unit_tests += tests/unit/provider_test
tests_unit_provider_test_SOURCES = tests/unit/provider_test.c tests/unit/test.h

unit_tests += tests/unit/grpc_test
tests_unit_grpc_test_SOURCES = tests/unit/grpc_test.c tests/unit/test.h

unit_tests += tests/unit/schema_proto_test
tests_unit_schema_proto_test_SOURCES = tests/unit/schema_proto_test.c \
	tests/unit/test.h

unit_tests += tests/unit/cache_test
tests_unit_cache_test_SOURCES = tests/unit/cache_test.c tests/unit/test.h

unit_tests += tests/unit/handshake_test
tests_unit_handshake_test_SOURCES = tests/unit/handshake_test.c \
	tests/unit/test.h

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

# The fuzz targets: built on demand by tests/fuzz/run, with clang, or with gcc and
# tests/fuzz/mutate.o for the engine.  Each is one file; its corpus is
# tests/fuzz/corpus/NAME.
FUZZ_TARGETS = tests/fuzz/addr tests/fuzz/archive tests/fuzz/config \
	tests/fuzz/eval \
	tests/fuzz/expression tests/fuzz/format tests/fuzz/grpc tests/fuzz/json \
	tests/fuzz/json_body tests/fuzz/lexer tests/fuzz/msgpack \
	tests/fuzz/native tests/fuzz/oci tests/fuzz/plan tests/fuzz/source \
	tests/fuzz/state tests/fuzz/stream \
	tests/fuzz/template tests/fuzz/typeexpr
EXTRA_PROGRAMS = $(FUZZ_TARGETS)
FUZZ_ENGINE = -fsanitize=fuzzer
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZ_ENGINE) -Wl,-u,crypto_dso \
	-Wl,-u,archive_dso -Wl,-u,codec_dso
EXTRA_DIST += tests/fuzz/mutate.c tests/fuzz/run tests/fuzz/streams tests/fuzz/commands tests/fuzz/answers tests/fuzz/fuzz.h tests/fuzz/fuzz_io.h \
	tests/fuzz/fuzz_scope.h \
	tests/fuzz/tf.dict tests/fuzz/corpus

fuzz-targets: $(FUZZ_TARGETS)
.PHONY: fuzz-targets

tests_fuzz_addr_SOURCES = tests/fuzz/addr.c
tests_fuzz_addr_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_archive_SOURCES = tests/fuzz/archive.c
tests_fuzz_archive_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_config_SOURCES = tests/fuzz/config.c
tests_fuzz_config_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_eval_SOURCES = tests/fuzz/eval.c
tests_fuzz_eval_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_expression_SOURCES = tests/fuzz/expression.c
tests_fuzz_expression_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_format_SOURCES = tests/fuzz/format.c
tests_fuzz_format_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_grpc_SOURCES = tests/fuzz/grpc.c
tests_fuzz_grpc_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_json_SOURCES = tests/fuzz/json.c
tests_fuzz_json_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_json_body_SOURCES = tests/fuzz/json_body.c
tests_fuzz_json_body_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_msgpack_SOURCES = tests/fuzz/msgpack.c
tests_fuzz_msgpack_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_native_SOURCES = tests/fuzz/native.c
tests_fuzz_native_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_oci_SOURCES = tests/fuzz/oci.c
tests_fuzz_oci_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_plan_SOURCES = tests/fuzz/plan.c
tests_fuzz_plan_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_source_SOURCES = tests/fuzz/source.c
tests_fuzz_source_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_state_SOURCES = tests/fuzz/state.c
tests_fuzz_state_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_stream_SOURCES = tests/fuzz/stream.c
tests_fuzz_stream_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_typeexpr_SOURCES = tests/fuzz/typeexpr.c
tests_fuzz_typeexpr_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_lexer_SOURCES = tests/fuzz/lexer.c
tests_fuzz_lexer_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_template_SOURCES = tests/fuzz/template.c
tests_fuzz_template_LDFLAGS = $(fuzz_ldflags)

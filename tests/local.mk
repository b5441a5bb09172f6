# Unit tests are listed beside their subjects (lib/*/local.mk); here are the
# tests of the tools, run with bats, and the checks of the source tree.
TEST_EXTENSIONS = .sh .bats
BATS_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run-bats
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = srcdir='$(srcdir)'; export srcdir;

TESTS += tests/layers.sh

EXTRA_DIST += tests/kills tests/run-bats tests/modules tests/summary tests/layers.sh \
	tests/conformance-floor scripts/lib.sh scripts/quickstart \
	scripts/quickstart.tf scripts/check scripts/providers
bats_tests = \
	tests/tools/fault.bats \
	tests/tools/hostile.bats \
	tests/tools/kill.bats \
	tests/tools/manuals.bats \
	tests/tools/provider.bats \
	tests/tools/provider-faults.bats \
	tests/tools/provider-functions.bats \
	tests/tools/provider-lifecycle.bats \
	tests/tools/real-providers.bats \
	tests/tools/recovery.bats \
	tests/tools/language.bats \
	tests/tools/stream.bats \
	tests/tools/tf-display.bats tests/tools/tf.bats \
	tests/tools/tf-apply.bats \
	tests/tools/tf-eval.bats \
	tests/tools/tf-fmt.bats \
	tests/tools/tf-graph.bats \
	tests/tools/tf-init.bats \
	tests/tools/tf-parse.bats \
	tests/tools/tf-plan.bats \
	tests/tools/tf-providers.bats \
	tests/tools/tf-state.bats
TESTS += $(bats_tests)
EXTRA_DIST += $(bats_tests) tests/tools/provider.bash tests/fault/inject.c schema/tf-stream.schema.json

include tests/fuzz/local.mk
include tests/provider/local.mk

# How fast can providers be called at all?  Built on demand; see tests/bench/run.
EXTRA_PROGRAMS += tests/bench/floor
tests_bench_floor_SOURCES = tests/bench/floor.c

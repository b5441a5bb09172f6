# Unit tests are listed beside their subjects (lib/*/local.mk); here are the
# tests of the tools, run with bats, and the checks of the source tree.
TEST_EXTENSIONS = .sh .bats
BATS_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run-bats
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = srcdir='$(srcdir)'; export srcdir;

TESTS += tests/layers.sh

EXTRA_DIST += tests/run-bats tests/summary tests/layers.sh \
	tests/conformance-floor scripts/lib.sh scripts/quickstart \
	scripts/quickstart.tf scripts/check
TESTS += tests/tools/tf.bats
EXTRA_DIST += tests/tools/tf.bats
TESTS += tests/tools/tf-fmt.bats
EXTRA_DIST += tests/tools/tf-fmt.bats
TESTS += tests/tools/fault.bats tests/tools/manuals.bats
EXTRA_DIST += tests/tools/fault.bats tests/tools/manuals.bats tests/fault/inject.c
TESTS += tests/tools/tf-apply.bats
EXTRA_DIST += tests/tools/tf-apply.bats
TESTS += tests/tools/tf-state.bats
EXTRA_DIST += tests/tools/tf-state.bats
TESTS += tests/tools/tf-eval.bats
EXTRA_DIST += tests/tools/tf-eval.bats
TESTS += tests/tools/stream.bats
EXTRA_DIST += tests/tools/stream.bats schema/tf-stream.schema.json
TESTS += tests/tools/tf-parse.bats
EXTRA_DIST += tests/tools/tf-parse.bats
TESTS += tests/tools/tf-graph.bats
EXTRA_DIST += tests/tools/tf-graph.bats
TESTS += tests/tools/tf-plan.bats
EXTRA_DIST += tests/tools/tf-plan.bats
include tests/fuzz/local.mk
TESTS += tests/tools/hostile.bats
EXTRA_DIST += tests/tools/hostile.bats

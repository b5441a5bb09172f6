# make would make the one of the other: it knows how to get a program from a NAME.sh.
tests/summary: ;

# Unit tests are listed beside their subjects (lib/*/local.mk); here are the
# tests of the tools, run with bats, and the checks of the source tree.
TEST_EXTENSIONS = .sh .bats
BATS_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run-bats
SH_LOG_COMPILER = bash
AM_TESTS_ENVIRONMENT = srcdir='$(srcdir)'; export srcdir;

# With what the tests run, so that all of it is built before and beside them.
all-tested: $(BUILT_SOURCES)
	@$(MAKE) $(AM_MAKEFLAGS) all-am $(check_PROGRAMS)
.PHONY: all-tested

TESTS += tests/linkage.sh
# What runs once, without sanitizers.  compare, compat, manuals, examples, readme,
# recipes, tutorial and real-providers run the tools as other tests do; completions runs
# shells, servers what tests talk to.  A process that is killed has nothing to report,
# and journal, recovery and fault test what goes on after it (kill).  The rest runs
# nothing that was built.
plain_tests = tests/tools/compare.bats tests/tools/kill.bats \
	tests/tools/compat.bats \
	tests/layers.sh tests/layout.sh tests/lint.sh tests/summary.sh \
	tests/counts.sh tests/sentences.sh tests/mutants/check.sh \
	tests/tools/completions.bats tests/tools/examples.bats \
	tests/tools/manuals.bats tests/tools/packages.bats tests/tools/readme.bats \
	tests/tools/recipes.bats tests/tools/tutorial.bats \
	tests/tools/neighbours.bats tests/tools/real-providers.bats tests/tools/servers.bats
if !SANITIZERS
TESTS += $(plain_tests)
endif

EXTRA_DIST += .clang-format tests/.clang-format .clang-tidy .editorconfig tests/analyze tests/kills tests/races tests/secrets tests/terminal tests/leaks tests/once tests/run-bats tests/modules tests/summary tests/layers.sh \
	tests/linkage.sh tests/layout.sh tests/rooms.sh \
	tests/summary.sh tests/counts.sh scripts/counts scripts/sanitizers \
	tests/sentences.sh tests/SENTENCES tests/tap.sh \
	tests/lint.sh tests/lint/run tests/circles tests/lint/circles tests/lint/names tests/lint/interface \
	tests/lint/headers tests/lint/mentions tests/lint/promises tests/lint/strings \
	tests/lint/rules.py tests/lint/shell.py \
	tests/lint/walk.py tests/lint/bad.bats tests/lint/good.bats \
	tests/conformance-floor tests/bench/run tests/bench/language tests/bench/modules \
	tests/bench/providers tests/bench/refresh tests/bench/s3 tests/bench/suite \
	tests/folds tests/page.py tests/picture.py tests/programs.py \
	scripts/lib.sh scripts/quickstart \
	scripts/check scripts/nightly scripts/torture scripts/providers scripts/servers
# Those that take longest begin first: nobody waits for the last of them alone.  They
# wait for time to pass themselves, so scripts/lib.sh runs more of them than there are
# processors.
bats_tests = \
	tests/tools/backend-azurerm.bats \
	tests/tools/fault.bats \
	tests/tools/backend-faults.bats \
	tests/tools/backend-s3.bats \
	tests/tools/backend-gcs.bats \
	tests/tools/hostile.bats \
	tests/tools/encryption.bats \
	tests/tools/backend-consul.bats \
	tests/tools/backend-http.bats \
	tests/tools/registry.bats \
	tests/tools/backend-cos.bats \
	tests/tools/provider-lifecycle.bats \
	tests/tools/destroying.bats \
	tests/tools/backend-kubernetes.bats \
	tests/tools/backend-oss.bats \
	tests/tools/backend-pg.bats tests/tools/backend-pg-rows.bats \
	tests/tools/backend-tfe.bats \
	tests/tools/driver.bats \
	tests/tools/early.bats \
	tests/tools/edit.bats \
	tests/tools/ephemeral.bats \
	tests/tools/excluding.bats \
	tests/tools/plan-edits.bats \
	tests/tools/planning.bats \
	tests/tools/journal.bats \
	tests/tools/links.bats \
	tests/tools/console.bats \
	tests/tools/confine.bats \
	tests/tools/diagnostics.bats \
	tests/tools/canon.bats \
	tests/tools/diff.bats \
	tests/tools/names.bats tests/tools/mirrors.bats \
	tests/tools/modules.bats tests/tools/modules-web.bats \
	tests/tools/from-module.bats \
	tests/tools/forms.bats \
	tests/tools/from-terraform.bats \
	tests/tools/modules-ahead.bats \
	tests/tools/moves.bats \
	tests/tools/modules-ssh.bats \
	tests/tools/ssh.bats \
	tests/tools/modules-git.bats tests/tools/modules-lock.bats \
	tests/tools/modules-kept.bats tests/tools/vendor.bats \
	tests/tools/modules-buckets.bats tests/tools/modules-gcs.bats \
	tests/tools/modules-hg.bats \
	tests/tools/modules-hostile.bats \
	tests/tools/release-age.bats \
	tests/tools/modules-oci.bats \
	tests/tools/modules-registry.bats \
	tests/tools/oci.bats \
	tests/tools/plan-json.bats \
	tests/tools/prompts.bats \
	tests/tools/provider.bats \
	tests/tools/provider-faults.bats \
	tests/tools/provider-functions.bats \
	tests/tools/provider-iteration.bats \
	tests/tools/provider-iteration-unaliased.bats \
	tests/tools/provider-order.bats \
	tests/tools/provider-limit.bats \
	tests/tools/refreshing.bats tests/tools/refusals.bats \
	tests/tools/registry-hostile.bats \
	tests/tools/registry-tools.bats \
	tests/tools/recovery.bats \
	tests/tools/importing.bats \
	tests/tools/json.bats \
	tests/tools/language.bats \
	tests/tools/secrets.bats \
	tests/tools/select.bats \
	tests/tools/explain.bats \
	tests/tools/sentences.bats \
	tests/tools/steps.bats \
	tests/tools/stream.bats \
	tests/tools/traces.bats \
	tests/tools/terminal.bats \
	tests/tools/tf-display.bats tests/tools/tf.bats \
	tests/tools/login.bats \
	tests/tools/tf-apply.bats \
	tests/tools/tf-eval.bats \
	tests/tools/tf-fetch.bats \
	tests/tools/tf-fmt.bats \
	tests/tools/graph-pictures.bats tests/tools/tf-graph.bats \
	tests/tools/test.bats \
	tests/tools/test-shared.bats \
	tests/tools/tf-init.bats \
	tests/tools/tf-parse.bats \
	tests/tools/tf-plan.bats \
	tests/tools/tf-providers.bats \
	tests/tools/tf-state.bats \
	tests/tools/validating.bats
TESTS += $(bats_tests)
EXTRA_DIST += tests/compat tests/golden/json
EXTRA_DIST += $(bats_tests) $(plain_tests) tests/tools/servers.bash \
	tests/servers/http_state.py \
	tests/servers/keys.py \
	tests/servers/proxy.py \
	tests/rows/run tests/servers/run.py \
	tests/servers/serving.py \
	tests/servers/ssh.py \
	tests/servers/tunnel.py \
	tests/tools/backend.bash \
	tests/servers/kubernetes.py \
	tests/servers/consul.py \
	tests/servers/aliyun.py \
	tests/servers/collector.py \
	tests/servers/tencent.py \
	tests/servers/tfe.py \
	tests/tools/common.bash tests/tools/recipes.bash tests/tools/provider.bash tests/tools/journal.bash \
	tests/tools/modules.bash tests/tools/net.bash tests/tools/registry.bash \
	tests/net/archive.py tests/net/buckets.py tests/net/registry.py tests/net/repositories.py \
	tests/net/server.py \
	tests/tools/modules.bash tests/tools/net.bash tests/tools/oci.bash \
	tests/tools/registry.bash \
	tests/net/archive.py tests/net/oci.py tests/net/registry.py tests/net/server.py \
	tests/fault/inject.c tests/fault/escape.c

# Cases taken through two programs, see tests/compare/run.
EXTRA_DIST += tests/compare/by-hand tests/compare/build.py \
	tests/compare/case.py tests/compare/differ.py \
	tests/compare/early tests/compare/execute.py tests/compare/expr.py \
	tests/compare/expr_daily.py tests/compare/expr_more.py \
	tests/compare/install tests/compare/install_cases.py \
	tests/compare/install_world.sh \
	tests/compare/judge.py tests/compare/known \
	tests/compare/plan_edits.py tests/compare/plan_judge.py \
	tests/compare/plan_worlds.py tests/compare/plans \
	tests/compare/lang_batch.py tests/compare/lang_bodies.py \
	tests/compare/lang_forms.py tests/compare/lang_inputs.py \
	tests/compare/lang_values.py tests/compare/language \
	tests/compare/mask.py \
	tests/compare/mistakes.py tests/compare/mistakes_bodies.py \
	tests/compare/mistakes_text.py \
	tests/compare/mutate.py tests/compare/observe.py \
	tests/compare/reduce.py tests/compare/resources.py \
	tests/compare/run tests/compare/schema.py \
	tests/compare/secret_places.py tests/compare/secret_run.py \
	tests/compare/secrets tests/compare/tree.py

# Faults of the network, of each backend.
EXTRA_DIST += tests/backends/kinds.py tests/backends/run

# The rules of destroying, held to random changes.
EXTRA_DIST += tests/order/change.py tests/order/check.py tests/order/chosen \
	tests/order/generate.py tests/order/history.py tests/order/model.py \
	tests/order/run tests/order/text.py

include tests/fuzz/local.mk
include tests/provider/local.mk

# How fast can providers be called at all?  Built on demand; see tests/bench/run.
EXTRA_PROGRAMS += tests/bench/floor
tests_bench_floor_SOURCES = tests/bench/floor.c

# The engine's rules broken one at a time.
EXTRA_DIST += tests/mutants

# Programs of others, with tf in the place of OpenTofu.
EXTRA_DIST += tests/neighbours

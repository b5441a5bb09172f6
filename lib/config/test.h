/*
 * test.h - files of tests: what they declare, and a configuration as one of
 * their runs has it
 *
 * What stages need to know of a run lies in config.test, and travels in the
 * records `test` and `test_value`.
 */
#ifndef TFPIPE_CONFIG_TEST_H
#define TFPIPE_CONFIG_TEST_H

#include "config/config.h"
#include "lang/syntax/body.h"

/* The run that a configuration is made for. */
struct cfg_test {
	struct str name; /* "run.NAME" is its address */
	bool plan;       /* command = plan: tf-plan evaluates the assertions */
	struct cfg_condition_vec asserts;
	struct cfg_override_vec overrides; /* those that count */
	struct map runs;      /* earlier runs by name -> struct value * */
	struct map variables; /* what assertions see besides those that the
				 module declares, in the same way */
	struct range at;
};

/* A run block. */
struct cfg_run {
	struct str name;
	bool plan, refresh_only, skip_refresh, parallel;
	bool alternate; /* it has a module block */
	struct attribute_vec variables;
	struct cfg_provider_pass_vec providers;
	struct cfg_condition_vec asserts;
	struct traversal_vec expect_failures, target, replace;
	struct cfg_override_vec overrides;
	struct str source, version; /* of the module; source is normal */
	struct expression source_expr, version_expr;
	struct range at, name_at, module_at, source_at;
	/* with config_options.tests: the other module, loaded, or NULL */
	const struct cfg_module *child;
};
struct cfg_run_vec VEC_OF(struct cfg_run);

struct cfg_test_file {
	struct str name; /* relative to the module */
	struct attribute_vec variables;
	VEC(struct cfg_provider *) providers; /* mocked ones, too */
	struct cfg_override_vec overrides;
	struct cfg_run_vec runs;
	/* with config_options.tests: what has its providers, or NULL */
	const struct cfg_module *own;
};
struct cfg_test_file_vec VEC_OF(struct cfg_test_file);

#endif

/*
 * test.h - files of tests: what they declare, and a configuration as one of
 * their runs has it
 *
 * test_files reads the files of the root module and of the directory of tests.
 * test_apply turns a configuration that was just loaded into the one that a run
 * is about: with the file's providers, mocks and overrides, and without a
 * backend.  What stages need to know of the run then lies in config.test, and
 * travels in the records `test` and `test_value`.
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
};
struct cfg_run_vec VEC_OF(struct cfg_run);

struct cfg_test_file {
	struct str name; /* relative to the module */
	struct attribute_vec variables;
	VEC(struct cfg_provider *) providers; /* mocked ones, too */
	struct cfg_override_vec overrides;
	struct cfg_run_vec runs;
};
struct cfg_test_file_vec VEC_OF(struct cfg_test_file);

/* Reads all files of tests of the module in `dir`, sorted by name; their
 * sources become c's.  -1 after errors. */
int test_files(struct config *c, struct str dir, struct str test_dir,
	       struct cfg_test_file_vec *out, struct diags *ds);
/* Is that the name of a file of tests? */
bool test_file_name(struct str name);

/* Two overrides of a file, or of a run, must not have the same target, and what
 * a run expects to fail must be able to. */
int test_check(struct arena *a, const struct cfg_test_file *f,
	       const struct cfg_run *r, struct diags *ds);
/* "var.x", "output.x", "check.x", "aws_x.y", "data.aws_x.y[0]"; STR_NONE: it is
 * none of these. */
struct str test_checkable(struct arena *a, const struct traversal_ref *t);
/* The key of run blocks' modules in modules.json: test.tests.main.setup. */
struct str test_module_key(struct arena *a, const struct cfg_test_file *f,
			   const struct cfg_run *r);

/* Makes c that of the run; -1 after errors. */
int test_apply(struct config *c, const struct cfg_test_file *f,
	       const struct cfg_run *r, struct diags *ds);
/* Records test_value: of an earlier run ("run.x"), or of a variable that only
 * the file of tests has ("var.x"). */
struct stream_out;
void config_write_test_value(struct stream_out *o, struct str address,
			     const struct value *v);

#endif

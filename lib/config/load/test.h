/*
 * test.h - files of tests: read, and turned into configurations
 *
 * test_files reads the files of the root module and of the directory of tests.
 * test_apply turns a configuration that was just loaded into the one that a run
 * is about: with the file's providers, mocks and overrides, and without a
 * backend.
 */
#ifndef TFPIPE_CONFIG_LOAD_TEST_H
#define TFPIPE_CONFIG_LOAD_TEST_H

#include "config/test.h"

/* Reads all files of tests of the module in `dir`, sorted by name; their
 * sources become c's.  -1 after errors. */
int test_files(struct config *c, struct str dir, struct str test_dir,
	       struct cfg_test_file_vec *out, struct diags *ds);

/* Two overrides of a file, or of a run, must not have the same target, and what
 * a run expects to fail must be able to. */
int test_check(struct arena *a, const struct cfg_test_file *f,
	       const struct cfg_run *r, struct diags *ds);
/* "var.x", "output.x", "check.x", "aws_x.y", "data.aws_x.y[0]"; STR_NONE: it is
 * none of these. */
struct str test_checkable(struct arena *a, const struct traversal_ref *t);
/* "tests.main" for tests/main.tftest.hcl. */
struct str test_name(struct arena *a, const struct cfg_test_file *f);
/* The key of run blocks' modules in modules.json: test.tests.main.setup. */
struct str test_module_key(struct arena *a, const struct cfg_test_file *f,
			   const struct cfg_run *r);

/* Makes c that of the run; -1 after errors. */
int test_apply(struct config *c, const struct cfg_test_file *f,
	       const struct cfg_run *r, struct diags *ds);

#endif

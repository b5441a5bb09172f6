/*
 * suite.h - the tests of a module: tf-test
 *
 * A run block is a pipeline.  The first stage is here: the configuration is
 * loaded, changed as the file of tests says (config/test.h), and written with
 * the values of its variables and its state; tf-plan and tf-apply do the rest.
 * What a run asserts travels in the stream, and is evaluated where the values
 * are; what a run expects to fail is sorted out here.
 *
 * The states lie in memory (files that only we and the stages have), one for
 * each module that the runs of a file are about.  Files, and runs that only
 * plan, go on beside one another; what is told comes in the order of the files.
 */
#ifndef TFPIPE_SUITE_SUITE_H
#define TFPIPE_SUITE_SUITE_H

#include "engine/run/inputs.h"
#include "ui/view.h"

struct suite_options {
	struct workdir *workdir;
	struct str test_dir;
	struct str_vec filter;
	bool verbose;
	struct str save;  /* a directory for the streams; or empty */
	struct str junit; /* a file; or empty */
	long parallelism; /* pipelines at a time; 0: as many as processors */
	const struct input_arg *args;
	size_t nargs;
};

/* Runs the tests of the module in the working directory.  Returns the exit
 * status. */
int suite_run(struct arena *a, const struct suite_options *o, struct view *v,
	      struct diags *ds);

#endif

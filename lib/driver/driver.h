/*
 * driver.h - the words of a tf command line
 *
 * `tf` is a shell script over the stages.  The work that shell must not do is
 * done here, once: find the command, put the words of TF_CLI_ARGS where they
 * belong, parse the options by one table, sort them by stage.  The result is
 * shell text, assignments of quoted words and nothing else, which the script
 * evaluates.  It sets one of
 *
 *	program     the command is a program: its words
 *	command     it combines stages: tools/tf.in says which, and in which
 *	            order; a list of words for each of them, and for the runner
 *	            (runner.h)
 *
 * Values of variables go to the stages through the environment (inputs.h),
 * which other users cannot see.
 */
#ifndef TFPIPE_DRIVER_DRIVER_H
#define TFPIPE_DRIVER_DRIVER_H

#include <stdio.h>

#include "base/diag.h"
#include "base/opts.h"

/* Commands whose options are in the table of run_options.h. */
enum {
	CMD_APPLY = 1,
	CMD_CONSOLE = 2,
	CMD_DESTROY = 4,
	CMD_FUNCTIONS = 8,
	CMD_GET = 16,
	CMD_GRAPH = 32,
	CMD_IMPORT = 64,
	CMD_OUTPUT = 128,
	CMD_PLAN = 256,
	CMD_REFRESH = 512,
	CMD_SHOW = 1024,
	CMD_VALIDATE = 2048,
	CMD_VERSION = 4096,
};

struct command {
	const char *name;    /* "plan", "state list"; a family: "state" */
	const char *about;   /* its line in a help; NULL: not there */
	const char *program; /* the words it stands for; NULL: a shell part,
				 or a family */
	unsigned bit; /* CMD_…; 0: the program has a table of its own */
	bool main;    /* one of the first that people need */
	const char *synopsis; /* operands */
	const char *text;     /* what it does, for its -help */
};

extern const struct command driver_commands[]; /* ends with a NULL name */

#endif

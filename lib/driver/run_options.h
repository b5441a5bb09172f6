/*
 * run_options.h - the options of the commands that tf itself parses
 *
 * One table for all of them: each row says which commands have the option and
 * which stage gets its word.
 */
#ifndef TFPIPE_DRIVER_RUN_OPTIONS_H
#define TFPIPE_DRIVER_RUN_OPTIONS_H

#include "driver/driver.h"

enum { /* struct opt.route */
       TO_GRAPH = 1,
       TO_PLAN = 2,
       TO_APPLY = 4,
       TO_UI = 8,
       TO_STATE = 16,
       TO_LOCK = 32,
       TO_INPUT = 64,    /* a variable: through the environment */
       TO_PROGRAM = 128, /* the one program that the command is */
};

struct word_options {
	bool auto_approve, destroy, detailed_exitcode, input, json, lock;
	bool ignore_remote;
	bool refresh, refresh_only, show_config, show_json, show_state;
	struct str color, config, deprecation, generate, graph_plan, graph_type;
	struct str json_into, module, out, plan_file, lock_timeout;
	struct str_vec exclude_files, target_files;
};

/* The rows of one command, a NULL name at the end; values go to o. */
struct opt *run_options_table(struct arena *a, unsigned command,
			      struct word_options *o);
/* Checks values and combinations that the table cannot. */
int run_options_check(unsigned command, const struct word_options *o,
		      struct diags *ds);

#endif

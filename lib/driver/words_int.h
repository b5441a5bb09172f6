/* words_int.h - what the files that make shell text share */
#ifndef TFPIPE_DRIVER_WORDS_INT_H
#define TFPIPE_DRIVER_WORDS_INT_H

#include "driver/run_options.h"

struct words {
	struct arena *a;
	struct buf *text; /* for the shell */
	FILE *out, *err;
	struct diags ds;
	struct str_vec given; /* from the command's name on */
	const struct command *command, *version;
	size_t nname;        /* how many of them are its name */
	struct str_vec args; /* words after it, TF_CLI_ARGS included */
	bool help;           /* before the command */
	bool usage;          /* the error is in the command line */
	bool no_color;
	struct word_options options;
	/* words by stage, each after a space, quoted */
	struct buf graph, plan, apply, ui, state, lock, program;
	struct str_vec planning; /* names of the options for tf-graph */
	size_t ninputs;          /* TFPIPE_INPUT_1 … */
	struct str dir;          /* where the script goes; or empty */
};

/* Changes the directory, here and in the script. */
int words_chdir(struct words *w, struct str dir);

#endif

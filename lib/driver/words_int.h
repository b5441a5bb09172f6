/* words_int.h - what the files that make shell text share */
#ifndef TFPIPE_DRIVER_WORDS_INT_H
#define TFPIPE_DRIVER_WORDS_INT_H

#include "driver/run_options.h"

struct words {
	struct arena *a;
	struct buf *text;     /* for the shell */
	FILE *out, *err;
	struct diags ds;
	struct str_vec given; /* from the command's name on */
	const struct command *command, *version;
	size_t nname;         /* so many of them are its name */
	struct str_vec args;  /* what follows it, TF_CLI_ARGS included */
	bool help;            /* before the command */
	bool usage;           /* the command line is what is wrong */
	bool no_color;
	struct word_options options;
	/* words by stage, each after a space, quoted */
	struct buf graph, plan, apply, ui, state, lock, program;
	struct str_vec planning; /* names of the options for tf-graph */
	size_t ninputs;       /* TFPIPE_INPUT_1 … */
};

/* Adds a space and the word, quoted. */
void shell_word(struct buf *out, struct str word);
/* name=value, in the script's environment. */
void words_export(struct words *w, const char *name, struct str value);
/* The script goes on as the program whose name follows, unless it was asked to
 * stop in the meantime (tools/tf.in). */
void words_exec(struct words *w);
/* Changes the directory, here and in the script. */
int words_chdir(struct words *w, struct str dir);

/* --- words_run.c --- */
/* A command of the table in run_options.h.  -1: go on with the text; 0: done;
 * 1: diagnostics say why not. */
int words_run(struct words *w);
/* Does the environment not forbid it (TF_INPUT)? */
bool words_may_ask(void);
/* A program that parses its words itself, and needs answers to begin with. */
int words_asking(struct words *w);
/* The words sorted by stage. */
void words_release(struct words *w);

/* --- words_check.c --- */
/* As many as the command takes, and what it takes. */
int words_check_operands(struct words *w, const struct str_vec *operands);
/* Can the file be a saved plan? */
int words_check_saved(struct words *w, struct str name);

/* --- words_show.c --- */
/* What `show` is to show: one thing, in a form that there is. */
int words_show_check(struct words *w, const struct str_vec *operands);
/* The option of tf-show for it. */
void words_show_target(struct words *w, const struct str_vec *operands);

/* --- complete.c --- */
/* Returns as driver_words does. */
int words_complete(struct words *w);

#endif

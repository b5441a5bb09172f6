/* driver_int.h - what the files of this room share */
#ifndef TFPIPE_DRIVER_DRIVER_INT_H
#define TFPIPE_DRIVER_DRIVER_INT_H

#include <stdio.h>

#include "base/diag.h"
#include "base/opts.h"

/*
 * The words of a tf command line
 *
 * `tf` is a shell script over the stages.  The work that shell must not do is
 * done here, once: find the command, put the words of TF_CLI_ARGS where they
 * belong, parse the options by one table, sort them by stage.  The result is
 * shell text, assignments of quoted words and nothing else, which the script
 * evaluates.  It sets one of
 *
 * 	program     the command is a program: its words
 * 	command     it combines stages: tools/tf.in says which, and in which
 * 	            order; a list of words for each of them, and for the runner
 * 	            (runner.h)
 *
 * Values of variables go to the stages through the environment (inputs.h),
 * which other users cannot see.
 */

/* Commands whose options are in the table of run_options.c. */
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
	CMD_EXPLAIN = 8192,
	CMD_WHY = 16384,
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

/* commands.c: what commands there are */

bool command_is_family(const struct command *c);
/* The command that the first words are, and how many of them; NULL: none. */
const struct command *command_find(const struct str_vec *words, size_t *n);
/* The nearest name that could have been meant, or STR_NONE.  family: empty, or
 * "state", to search its commands only. */
struct str command_suggest(struct arena *a, const char *family,
			   struct str given);
/* `tf -help`, `tf state -help`. */
void commands_help(FILE *out);
void family_help(FILE *out, const struct command *c);

/*
 * run_options.c: the options of the commands that tf itself parses
 *
 * One table for all of them: each row says which commands have the option and
 * which stage gets its word.
 */

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
	bool ask, auto_approve, destroy, detailed_exitcode, input, json, lock;
	bool ignore_remote;
	bool refresh_only, show_config, show_json, show_state;
	bool summary;
	struct str color, config, deprecation, generate;
	struct str graph_format, graph_plan, graph_type, plan_format;
	long max_size; /* of a form; 0: not given */
	struct str json_into, module, out, plan_file, lock_timeout, refresh;
	struct str_vec deny, exclude_files, replace_files, target_files;
};

/* The rows of one command, a NULL name at the end; values go to o. */
struct opt *run_options_table(struct arena *a, unsigned command,
			      struct word_options *o);
/* Checks values and combinations that the table cannot. */
int run_options_check(unsigned command, const struct word_options *o,
		      struct diags *ds);

/* words.c: what the files that make shell text share */

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

/*
 * complete.c: what could be typed next: tf -complete WORD…, the last of
 * which is begun and may be empty
 */

/* Returns as driver_words does. */
int words_complete(struct words *w);

/* shell.c: words as a shell reads and writes them */

/* Splits text into words as a shell does, with quotes and backslashes, but
 * nothing is expanded: $, ` and * are themselves.  Operators that would end a
 * command in a shell (; & | < > and parentheses) are refused where they are not
 * quoted.  Returns NULL, or what is wrong. */
const char *shell_split(struct arena *a, struct str text, struct str_vec *out);
/* Adds word as one word of a shell command. */
void shell_quote(struct buf *out, struct str word);

/* words_check.c: what follows the options of a command, see words.c */

/* Checks the number of operands, and which the command takes. */
int words_check_operands(struct words *w, const struct str_vec *operands);
/* Can the file be a saved plan? */
int words_check_saved(struct words *w, struct str name);

/* words_run.c: the commands whose options tf parses itself */

/* Adds a space and the word, quoted. */
void shell_word(struct buf *out, struct str word);
/* name=value, for the script alone. */
void words_assign(struct words *w, const char *name, struct str value);
/* name=value, in the script's environment. */
void words_export(struct words *w, const char *name, struct str value);
/* A command of the table in run_options.c.  -1: go on with the text; 0: done;
 * 1: failed, with diagnostics. */
int words_run(struct words *w);
/* Does the environment not forbid it (TF_INPUT)? */
bool words_may_ask(void);
/* A program that parses its words itself, and needs answers to begin with. */
void words_asking(struct words *w);
/* The words sorted by stage. */
void words_release(struct words *w);

/* words_show.c: what `tf show` is to show */

/* Checks that `show` is asked for one thing, in a form that exists. */
int words_show_check(struct words *w, const struct str_vec *operands);
/* Adds tf-show's option for it to the words. */
void words_show_target(struct words *w, const struct str_vec *operands,
		       struct buf *words);

#endif

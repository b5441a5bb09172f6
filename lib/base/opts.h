/*
 * opts.h - one declarative option table per tool
 *
 * From the table come parsing, --help, and the check that the manual's
 * SYNOPSIS agrees (tests/tools/manuals.bats).  Options read as in the
 * ecosystem: -target=a, --target=a, -target a and --target a are the same; a
 * flag may be given as -refresh=false.  "--" ends options; "-" is an operand.
 */
#ifndef TFPIPE_BASE_OPTS_H
#define TFPIPE_BASE_OPTS_H

#include "base/diag.h"

enum opt_kind {
	OPT_FLAG,   /* bool: present = true, or =true/=false */
	OPT_STRING, /* struct str, last one wins */
	OPT_LIST,   /* struct str_vec, in order given */
	OPT_INT,    /* long */
};

struct str_vec VEC_OF(struct str);

struct opt {
	const char *name;  /* without dashes; one letter is fine: "C" */
	enum opt_kind kind;
	void *value;       /* where the result goes, by kind */
	const char *arg;   /* name of the argument in --help, e.g. "ADDRESS" */
	const char *help;  /* one line */
};

struct opts {
	const char *tool;          /* "tf-plan" */
	const char *synopsis;      /* operands, e.g. "[FILE]" */
	const struct opt *options; /* sorted, ends with a NULL name */
	const struct opt *shared;  /* the same, of other tools too; or NULL */
};

enum opts_result {
	OPTS_RUN,     /* go on */
	OPTS_DONE,    /* --help or --version was printed: exit 0 */
	OPTS_BAD,     /* diagnostics say why: exit 1 */
};

/* Reads argv[1..); operands are left in *rest (borrowed from argv).
 * `given`, if not NULL, receives the names of the options used, in order (for
 * the stage record). */
enum opts_result opts_parse(struct arena *a, const struct opts *o, int argc,
			    char **argv, struct str_vec *rest,
			    struct str_vec *given, struct diags *ds);

#endif

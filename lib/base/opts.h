/*
 * opts.h - one declarative option table per tool
 *
 * From the table come parsing, -help, the completions of shells, and the check
 * that the manual has an entry for each option (tests/tools/manuals.bats).
 * Options read as in the ecosystem: -target=a, --target=a, -target a and
 * --target a are the same; a flag may be given as -refresh=false.  "--" ends
 * options; "-" is an operand.
 */
#ifndef TFPIPE_BASE_OPTS_H
#define TFPIPE_BASE_OPTS_H

#include <stdio.h>

#include "base/diag.h"

enum opt_kind {
	OPT_FLAG,    /* bool: present = true, or =true/=false */
	OPT_WORD,    /* struct str: what is behind =, "true" if nothing is */
	OPT_STRING,  /* struct str, last one wins */
	OPT_LIST,    /* struct str_vec, in order given */
	OPT_INT,     /* long */
	OPT_REFUSED, /* OpenTofu has it, this tool not: help says why; left
			out of -help */
};

/* Options that exclude one another: two of a group are an error. */
struct opt_group {
	const char *summary, *detail;
};

enum {
	OPT_HIDDEN = 1, /* not in -help: for programs of ours */
	OPT_OWN = 2,    /* of the program, not of the command of tf that runs
			   it: not in the -help of that */
};

struct opt {
	const char *name; /* without dashes; one letter is fine: "C" */
	enum opt_kind kind;
	void *value;      /* where the result goes, by kind; may be NULL */
	const char *arg;  /* name of the argument in -help, e.g. "ADDRESS" */
	const char *help; /* one line */
	unsigned flags;
	const struct opt_group *group; /* may be NULL */
	unsigned route;                /* the caller's own: see opts.seen */
	unsigned modes; /* the tool's modes, a bit each, with which it counts;
			   0: with all */
};

struct opts {
	const char *tool;          /* "tf-plan" */
	const char *synopsis;      /* operands, e.g. "[FILE]" */
	const struct opt *options; /* ends with a NULL name */
	const struct opt *shared;  /* the same, of other tools too; or NULL */
	const char *about;         /* a sentence for -help; may be NULL */
	/* May be NULL: all options count.  For the -help of a command of tf:
	 * sets the synopsis, and returns the mode that the options so far have
	 * chosen. */
	unsigned (*mode)(void *data, const char **synopsis);
	void *mode_data;
	/* May be NULL.  Called for each option, in order, as one word: -name,
	 * -name=value.  A flag that is switched off is -name=false. */
	void (*seen)(void *data, const struct opt *p, struct str word);
	void *seen_data;
};

enum opts_result {
	OPTS_RUN,  /* go on */
	OPTS_DONE, /* -help or -version was printed: exit 0 */
	OPTS_BAD,  /* diagnostics say why: exit 1 */
};

/* For completions, a line each: -name, with = where it takes an argument, a
 * tab, help.  `TOOL -help-options` prints them, too. */
void opts_print_rows(const struct opts *o, FILE *out);

/* Reads argv[1..); operands are left in *rest (borrowed from argv).
 * `given`, if not NULL, receives the names of the options used, in order (for
 * the stage record). */
enum opts_result opts_parse(struct arena *a, const struct opts *o, int argc,
			    char **argv, struct str_vec *rest,
			    struct str_vec *given, struct diags *ds);
/* What a flag says: true, false, or what else Go's strconv.ParseBool reads,
 * since command lines are written for that.  -1: none of it. */
int opts_bool(struct str text, bool *out);
/* After opts_parse: what the program was called as, "tf state mv" or
 * "tf-state mv". */
const char *opts_called(const struct opts *o);
/* Was the option of that name used? */
bool opts_given(const struct str_vec *given, const char *name);
/* The first option used that does not count with the mode, or NULL.  Call it
 * when all are read, since options decide the mode. */
const struct opt *opts_misplaced(const struct opts *o,
				 const struct str_vec *given, unsigned mode);
/* Changes into the directory of -C, unless that is empty; -1: diagnosed. */
int opts_enter(struct str dir, struct diags *ds);

#endif

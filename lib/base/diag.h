/*
 * diag.h - diagnostics, the only way library code reports a problem
 *
 * Library functions return 0 or -1 (or NULL) and add diagnostics to the
 * struct diags they are given; success leaves errors untouched (warnings may
 * be added), so that calls chain with ||.  Nothing here prints: ui/ renders
 * diagnostics for people, stream/ writes them as records.
 *
 * Summaries are interface (programs match them); details are our own words.
 * This program matches neither: what it must recognise has a code.
 */
#ifndef TFPIPE_BASE_DIAG_H
#define TFPIPE_BASE_DIAG_H

#include "base/source.h"
#include "base/vec.h"

enum severity { SEV_ERROR, SEV_WARNING };

enum diag_code {
	DIAG_PLAIN, /* of no interest to programs */
	DIAG_ASSERTION,
	DIAG_CHECK_DATA,
	DIAG_CHECK_FAILED,
	DIAG_CHECK_UNKNOWN,
	DIAG_CONFIG_GENERATED,
	DIAG_MODULE_INCOMPATIBLE,
	DIAG_OUTPUT_PRECONDITION,
	DIAG_POSTCONDITION,
	DIAG_PRECONDITION,
	DIAG_PROVIDERS_OVERRIDDEN,
	DIAG_VALUE_DEPRECATED,
	DIAG_VARIABLE_DEPRECATED,
	DIAG_VARIABLE_INVALID,
	DIAG_VARIABLE_MISSING,
	DIAG_CODES,
};

/* One line of "where expression values are": `var.x` "is a string". Values of
 * sensitive expressions are described, never shown. */
struct diag_value {
	struct str traversal; /* source text, e.g. local.a["b"] */
	struct str statement; /* e.g. is "abc" */
};

void diag_sort_values(struct diag_value *values, size_t n);

struct diag {
	enum severity severity;
	enum diag_code code;
	struct str cause; /* with the code: the same for all that one thing
				  causes; may be empty */
	bool again;       /* a repetition, as in OpenTofu: for programs,
				  not for people */
	bool remote;      /* a deprecation in a module from elsewhere */
	struct str summary;
	struct str detail;           /* may be empty */
	struct range subject;        /* what is wrong; may be absent */
	struct range context;        /* what to show around it; may be absent */
	const struct source *source; /* text of that file, where it is none of
				  the configuration (diags_give_source) */
	struct str address;          /* of the object concerned; may be empty */
	struct str check; /* address of the object whose conditions speak;
				 of assertions "run.x"; may be empty */
	struct diag_value *values;
	size_t nvalues;
	struct str call;       /* name of the function called; may be empty */
	struct str signature;  /* its signature, the published JSON; as call */
	struct str difference; /* of a failed ==: the sides as a change, the
	                          published JSON; may be empty */
};

struct diags {
	struct arena *arena; /* owns every text and item */
	struct diag *items;
	size_t len;
	size_t cap;
	size_t errors; /* how many items are errors */
};

#define DIAGS_INIT(arena_) \
	{ \
		(arena_), NULL, 0, 0, 0 \
	}

static inline bool diags_failed(const struct diags *ds)
{
	return ds->errors != 0;
}

/* Appends; texts of d must live as long as ds->arena (or be static).  Returns
 * the stored item, valid until the next addition. */
struct diag *diags_push(struct diags *ds, struct diag d);

/* The everyday form; subject and detail_fmt may be NULL.  Returns -1, so that
 * callers can write return diag_error(...). */
int diag_error(struct diags *ds, const struct range *subject,
	       const char *summary, const char *detail_fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* An error that is no more than its summary. */
int diag_error_line(struct diags *ds, const char *summary_fmt, ...)
	__attribute__((format(printf, 2, 3)));
void diag_warning(struct diags *ds, const struct range *subject,
		  const char *summary, const char *detail_fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Sets the address of the diagnostics from index `from` on that have none. */
void diags_address(struct diags *ds, size_t from, struct str address);

/* Gives those from index `from` on that are about this file its text, which
 * must live as long as ds->arena: for files that are no part of the
 * configuration. */
void diags_give_source(struct diags *ds, size_t from, const struct source *s);

/* Records an error that was reported elsewhere: diags_failed() becomes true, no
 * diagnostic is added. */
static inline void diags_fail_quietly(struct diags *ds)
{
	ds->errors++;
}

/* As if nothing had been added. */
static inline void diags_clear(struct diags *ds)
{
	ds->len = ds->errors = 0;
}

/* A place to go back to: what was added since is dropped. */
struct diags_mark {
	size_t len, errors;
};
static inline struct diags_mark diags_mark(const struct diags *ds)
{
	return (struct diags_mark){ ds->len, ds->errors };
}
static inline void diags_rollback(struct diags *ds, struct diags_mark m)
{
	ds->len = m.len;
	ds->errors = m.errors;
}

/* Errors since there were `from` diagnostics become warnings. */
void diags_soften(struct diags *ds, size_t from);

/* Deep-copies all of `from` into `to` (other arenas allowed). */
void diags_append(struct diags *to, const struct diags *from);

/*
 * diag.c: names of diagnostics that programs recognise
 *
 * The texts of diagnostics are for people.  Diagnostics that a program must
 * recognise have a code; one table holds all that programs need of them. The
 * names are in the stream (`code` of a diagnostic record) and never change.
 */

struct diag_kind {
	const char *name;    /* the member `code` */
	const char *summary; /* OpenTofu's; "": each has its own */
	bool check;          /* of a check block, which applying evaluates
				again; it says nothing about another one */
	bool deprecation;    /* its cause is what is deprecated */
	bool early;          /* shown before anything else */
};

const struct diag_kind *diag_kind(enum diag_code code);
/* DIAG_PLAIN: no code has that name. */
enum diag_code diag_code_find(struct str name);

/* As diag_error and diag_warning, with the summary of the code.  Returns the
 * stored item, valid until the next addition. */
struct diag *diag_coded(struct diags *ds, enum severity severity,
			enum diag_code code, const struct range *subject,
			const char *detail_fmt, ...)
	__attribute__((format(printf, 5, 6)));

#endif

/*
 * diag_code.h - names of diagnostics that programs recognise
 *
 * The texts of diagnostics are for people.  Diagnostics that a program must
 * recognise have a code; one table holds all that programs need of them. The
 * names are in the stream (`code` of a diagnostic record) and never change.
 */
#ifndef TFPIPE_BASE_DIAG_CODE_H
#define TFPIPE_BASE_DIAG_CODE_H

#include "base/diag.h"

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

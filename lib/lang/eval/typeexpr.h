/*
 * typeexpr.h - type constraint expressions: string, list(any),
 * object({ a = optional(string, "x") }), and the quoted legacy forms
 */
#ifndef TFPIPE_LANG_TYPEEXPR_H
#define TFPIPE_LANG_TYPEEXPR_H

#include "lang/syntax/ast.h"
#include "value/convert.h"

/* Reads e as a type constraint.  *defaults (may be NULL) gets the defaults of
 * optional attributes, or NULL if there are none; default expressions are
 * constants.  Returns NULL with diagnostics ("Invalid type specification") on
 * error. allow_optional: whether optional() may occur. */
const struct type *typeexpr_read(struct arena *a, struct expression e,
				 bool allow_optional,
				 const struct type_defaults **defaults,
				 struct diags *ds);

#endif

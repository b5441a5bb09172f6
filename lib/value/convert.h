/*
 * convert.h - conversion and unification
 *
 * Error texts are those of OpenTofu's type system ("a string is required",
 * "attribute \"a\" is required"), because people read them in diagnostics.
 */
#ifndef TFPIPE_VALUE_CONVERT_H
#define TFPIPE_VALUE_CONVERT_H

#include "value/path.h"

struct verror {
	struct path path;   /* where in the value */
	struct str message; /* lower case, no full stop */
};

/* v as type t (which may contain dynamic parts and optional attributes;
 * missing optional attributes become null: defaults are separate, below).
 * Unknown and null convert too, marks are kept.  NULL with *err filled when
 * it cannot be done; err->path and message are in a. */
const struct value *convert(struct arena *a, const struct value *v,
			    const struct type *t, struct verror *err);
bool type_convertible(const struct type *from, const struct type *to);

/* ".a[0]: a number is required" - path and message in one text. */
struct str verror_text(struct arena *a, const struct verror *e);

/* Defaults of optional() attributes: a tree parallel to the type. */
struct type_defaults {
	const struct type *type;
	struct map values;   /* attribute name -> const struct value * */
	struct map children; /* attribute name, or "" for elements,
				-> struct type_defaults *; tuples: "0","1" */
};

/* unify.c: finding one type that several convert to */

/* One type all can convert to; NULL if there is none (or n is 0).  Dynamic if
 * the types are not all known yet and may turn out to have one. */
const struct type *unify(struct arena *a, const struct type *const *types,
			 size_t n);
/* Converts the values to their unified type, in place; NULL with *err filled
 * when they have none or a value does not convert.  If values of one composite
 * kind and untyped ones meet, all become unknown: their type is not decided
 * yet. */
const struct type *unify_values(struct arena *a, const struct value **values,
				size_t n, struct verror *err);

/* defaults.c: defaults of optional attributes */

/* v with defaults in place of attributes that are missing or null, at every
 * level; its type may change, conversion to the declared type comes after. */
const struct value *type_defaults_apply(struct arena *a,
					const struct type_defaults *d,
					const struct value *v);

#endif

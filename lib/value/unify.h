/* unify.h - finding one type that several convert to; see convert.h */
#ifndef TFPIPE_VALUE_UNIFY_H
#define TFPIPE_VALUE_UNIFY_H

#include "value/convert.h"

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

#endif

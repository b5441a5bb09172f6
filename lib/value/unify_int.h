/* unify_int.h - finding one type that several convert to; see convert.h */
#ifndef TFPIPE_VALUE_UNIFY_INT_H
#define TFPIPE_VALUE_UNIFY_INT_H

#include "value/convert.h"
#include "value/value_int.h"

/* The unified type or NULL; safe as well as unsafe. */
const struct type *unify_types(const struct type *const *types, size_t n,
			       bool unsafe);
/* Types of the attributes of an object or the elements of a tuple. */
const struct type *unify_parts(const struct type *t, bool unsafe);

#endif

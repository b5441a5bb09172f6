/* equal.h - the three equalities */
#ifndef TFPIPE_VALUE_EQUAL_H
#define TFPIPE_VALUE_EQUAL_H

#include "value/value.h"

/* Same type, state, content, refinement and marks (what the "no change"
 * decisions use). */
bool value_identical(const struct value *a, const struct value *b);
/* As value_identical, marks ignored at every depth. */
bool value_equal_unmarked(const struct value *a, const struct value *b);
/* The language's ==: a bool, possibly unknown, with the marks of both. */
const struct value *value_equals(struct arena *a, const struct value *x,
				 const struct value *y);

#endif

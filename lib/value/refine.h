/* refine.h - refinements: what is known of unknown values */
#ifndef TFPIPE_VALUE_REFINE_H
#define TFPIPE_VALUE_REFINE_H

#include "value/value.h"

/* An unknown within the bounds r; if they leave one value only (an empty list,
 * a number whose bounds are equal), that value.  Untyped unknowns have no
 * refinements. */
const struct value *value_unknown_refined(struct arena *a, const struct type *t,
					  const struct refinement *r);
/* length(): number or refined unknown, with v's own marks. v is a collection,
 * tuple or object, and not null. */
const struct value *value_length(struct arena *a, const struct value *v);
/* The refinement of v, an unknown value; &refinement_none if it has none. */
const struct refinement *value_refinement(const struct value *v);
/* Bounds of the length of a collection, unknown or not; *hi is UINT64_MAX if
 * there is none. */
void value_length_bounds(const struct value *v, uint64_t *lo, uint64_t *hi);
const struct value *value_refine_not_null(struct arena *a,
					  const struct value *v);
bool value_definitely_not_null(const struct value *v);

#endif

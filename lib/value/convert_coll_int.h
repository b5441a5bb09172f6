/* convert_coll_int.h - conversions that make collections; see convert_int.h */
#ifndef TFPIPE_VALUE_CONVERT_COLL_INT_H
#define TFPIPE_VALUE_CONVERT_COLL_INT_H

#include "value/convert_int.h"

/* The kinds of convert_coll.c; v is known. */
const struct value *convert_collection(struct conversion *c,
				       const struct frame *at,
				       const struct value *v,
				       const struct type *out);
/* Collections of elements whose types may only differ in that some are not
 * known yet; these take the type of the others.  NULL when they differ. */
const struct value *value_make_list(struct arena *a,
				    const struct value *const *elems, size_t n);
const struct value *value_make_set(struct arena *a,
				   const struct value *const *elems, size_t n);
const struct value *value_make_map(struct arena *a, const struct str *keys,
				   const struct value *const *elems, size_t n);

#endif

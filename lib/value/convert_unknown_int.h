/* convert_unknown_int.h - null and unknown values; see convert_int.h */
#ifndef TFPIPE_VALUE_CONVERT_UNKNOWN_INT_H
#define TFPIPE_VALUE_CONVERT_UNKNOWN_INT_H

#include "value/convert.h"
#include "value/value_int.h"

/* out, which in converts to, with what is dynamic in it taken from in (NULL:
 * left dynamic). */
const struct type *convert_open_type(struct arena *a, const struct type *in,
				     const struct type *out);
/* The unknown v as an unknown of type out; keeps as much of its refinements as
 * the types allow. */
const struct value *convert_unknown(struct arena *a, const struct value *v,
				    const struct type *out);

#endif

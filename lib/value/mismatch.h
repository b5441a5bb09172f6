/* mismatch.h - why one type does not convert to another; see convert.h */
#ifndef TFPIPE_VALUE_MISMATCH_H
#define TFPIPE_VALUE_MISMATCH_H

#include "value/path.h"

/* Why a value of one type does not convert to another, by the types alone:
 * "attribute \"x\": number required". */
struct str type_mismatch(struct arena *a, const struct type *got,
			 const struct type *want);

/* Why v does not fit want; keys of confidential values are not named. */
struct str value_mismatch(struct arena *a, const struct value *v,
			  const struct type *want);

#endif

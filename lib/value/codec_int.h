/*
 * codec_int.h - what the plain and the stream encoding share
 */
#ifndef TFPIPE_VALUE_CODEC_INT_H
#define TFPIPE_VALUE_CODEC_INT_H

#include "value/codec.h"

/* Where, inside the value being read, something is unknown: entries of the
 * stream's "unknown" list that lie below the current place. */
struct overlay {
	const struct json *const *entries;
	size_t n;
	size_t depth; /* steps already taken */
};

/* o may be NULL. */
const struct value *codec_read(struct arena *a, const struct json *j,
			       const struct type *t, const struct overlay *o,
			       struct verror *err);

/* The unknown that an entry describes. */
const struct value *codec_read_unknown(struct arena *a,
				       const struct json *entry,
				       const struct type *t);

#endif

/*
 * codec_int.h - what the plain and the stream encoding share
 */
#ifndef TFPIPE_VALUE_CODEC_INT_H
#define TFPIPE_VALUE_CODEC_INT_H

#include "value/codec.h"

/* What a stream says of places in a value beside its JSON: a tree of steps. */
struct overlay {
	const struct json *unknown; /* entry of the list; NULL: it is known */
	bool sensitive;
	bool used;                  /* the place was reached */
	struct map below;           /* step as text -> struct overlay * */
};

/* The value of type t that j writes.  o may be NULL. */
const struct value *codec_read(struct arena *a, const struct json *j,
			       const struct type *t, struct overlay *o,
			       struct verror *err);

/* The unknown that an entry of a stream's list describes; NULL if it makes no
 * sense. */
const struct value *codec_read_unknown(struct arena *a,
				       const struct json *entry,
				       const struct type *t);

#endif

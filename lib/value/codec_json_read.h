/*
 * codec_json_read.h - values from JSON
 *
 * They borrow its strings: the tree must live as long.
 */
#ifndef TFPIPE_VALUE_CODEC_JSON_READ_H
#define TFPIPE_VALUE_CODEC_JSON_READ_H

#include "value/convert.h"

/* The inverse of value_to_json, guided by t. NULL with *err on mismatch. */
const struct value *value_from_json(struct arena *a, const struct json *j,
				    const struct type *t, struct verror *err);
/* Type implied by the JSON alone: objects and tuples (jsondecode).  NULL for
 * a number beyond all exponents and for members of one name that differ in
 * type. */
const struct value *value_from_json_implied(struct arena *a,
					    const struct json *j);
const struct type *type_of_json(struct arena *a, const struct json *j);

#endif

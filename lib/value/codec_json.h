/*
 * codec_json.h - values to plain JSON, and the published maps of what is
 * unknown and what is sensitive
 */
#ifndef TFPIPE_VALUE_CODEC_JSON_H
#define TFPIPE_VALUE_CODEC_JSON_H

#include "json/write.h"
#include "value/convert.h"

/* The JSON of jsonencode(), state `attributes` and plans: known values only (an
 * unknown writes null, as does an infinity; see value_to_stream for what
 * travels).  Marks are ignored.  If the type `t` (may be NULL = v's own type)
 * is dynamic, the value is wrapped {"value":…,"type":…} as in the state. */
void value_to_json(struct jw *w, const struct value *v, const struct type *t);
/* As value_to_json, unknown attributes and map elements left out and unknown
 * elements of sequences written as null, and zero without a sign: `before` and
 * `after` of a published change. */
void value_known_json(struct jw *w, const struct value *v);
/* --- plan JSON helpers (published shape of resource_change.change) --- */
/* after_unknown: true where unknown, collections only where something is. */
void value_unknown_json(struct jw *w, const struct value *v);
/* before_sensitive / after_sensitive, likewise. */
void value_sensitive_json(struct jw *w, const struct value *v);

/*
 * codec_json_read.c: values from JSON
 *
 * They borrow its strings: the tree must live as long.
 */

/* The inverse of value_to_json, guided by t. NULL with *err on mismatch. */
const struct value *value_from_json(struct arena *a, const struct json *j,
				    const struct type *t, struct verror *err);
/* Type implied by the JSON alone: objects and tuples (jsondecode).  NULL for
 * a number beyond all exponents and for members of one name that differ in
 * type. */
const struct value *value_from_json_implied(struct arena *a,
					    const struct json *j);
const struct type *type_of_json(struct arena *a, const struct json *j);

/* codec_stream.c: the stream's encoding of values */

/* --- the stream's encoding (tf-stream(5)) ---
 * An object {"value":…,"type":…,"unknown":[…],"sensitive":[…],"numbers":[…]};
 * members other than value are left out where plain JSON says it all.
 *
 *   unknown    [{"path":[…],"not_null":true,"prefix":…,"min":…,…}] with the
 *              refinements; in value they stand as null
 *   sensitive  paths, outermost only; a set is marked as a whole
 *   numbers    paths of numbers written as strings, because a double (and so
 *              many a JSON tool) would lose their digits
 *
 * Ephemeral values must not get here (asserted); other marks tell of the run
 * that made them and do not travel.  Numbers come back at 512 bits, and -0 as
 * 0, as from OpenTofu's plans. */
void value_to_stream(struct jw *w, const struct value *v);

/* codec_stream_read.c: values from the stream's encoding */

/* NULL with *err when it makes no sense, also when a path leads nowhere. */
const struct value *value_from_stream(struct arena *a, const struct json *j,
				      struct verror *err);

#endif

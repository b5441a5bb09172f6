/*
 * codec.h - values to and from JSON and msgpack
 */
#ifndef TFPIPE_VALUE_CODEC_H
#define TFPIPE_VALUE_CODEC_H

#include "value/convert.h"

/* --- plain JSON --- */

/* What jsonencode() writes, state `attributes` hold and plans show: known
 * values only (an unknown writes null; see value_to_stream for what travels).
 * Marks are ignored.  With a dynamic type position `t` (may be NULL = v's own
 * type) the value is wrapped {"value":…,"type":…} as the state has it. */
void value_to_json(struct jw *w, const struct value *v, const struct type *t);
/* As value_to_json, unknown attributes and map elements left out and unknown
 * elements of sequences written as null: `after` of a published change. */
void value_known_json(struct jw *w, const struct value *v);
/* The inverse of value_to_json, guided by t. NULL with *err on mismatch. */
const struct value *value_from_json(struct arena *a, const struct json *j,
				    const struct type *t, struct verror *err);
/* Type implied by the JSON alone: objects and tuples (jsondecode). */
const struct value *value_from_json_implied(struct arena *a,
					    const struct json *j);
const struct type *type_of_json(struct arena *a, const struct json *j);

/* --- the stream's encoding (design.md, contract 1.7; tf-stream(5)) ---
 * An object {"value":…,"type":…,"unknown":[…],"sensitive":[…],…}: members
 * other than value are left out where plain JSON says it all.  Ephemeral
 * values must not get here (asserted). */
void value_to_stream(struct jw *w, const struct value *v);
const struct value *value_from_stream(struct arena *a, const struct json *j,
				      struct verror *err);

/* --- msgpack, the provider protocol's DynamicValue
 * (provider-protocol.md, Messages) --- */
void value_to_msgpack(struct buf *out, const struct value *v,
		      const struct type *t);
const struct value *value_from_msgpack(struct arena *a, struct str bytes,
				       const struct type *t,
				       struct verror *err);

/* --- plan JSON helpers (published shape of resource_change.change) --- */
/* after_unknown: true where unknown, collections only where something is. */
void value_unknown_json(struct jw *w, const struct value *v);
/* before_sensitive / after_sensitive, likewise. */
void value_sensitive_json(struct jw *w, const struct value *v);

#endif

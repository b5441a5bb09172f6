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

#endif

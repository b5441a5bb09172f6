/*
 * convert_int.h - shared by the parts of conversion
 *
 * conversion_exists decides by types alone; convert_at then converts a value,
 * which can still fail where that depends on values.  Both recurse once a
 * level of the types.  "Unsafe" conversions are those that fail for some
 * values (string to number); the language allows them everywhere but inside
 * some unifications.
 */
#ifndef TFPIPE_VALUE_CONVERT_INT_H
#define TFPIPE_VALUE_CONVERT_INT_H

#include "value/convert.h"
#include "value/value_int.h"

/* The current place of a conversion or a reader: a step below the frame above
 * it.  Frames live on the stack; a path is made of them only when something
 * fails. */
struct frame {
	const struct frame *up;
	struct str attr;    /* of an object, if index.type is NULL */
	struct value index; /* of anything else */
};

static inline struct frame frame_attr(const struct frame *up, struct str name)
{
	return (struct frame){ .up = up, .attr = name };
}

static inline struct frame frame_index(const struct frame *up, uint32_t i)
{
	return (struct frame){
		.up = up,
		.index = { .type = &type_number, .len = 64, .integer = i }
	};
}

static inline struct frame frame_key(const struct frame *up, struct str key)
{
	return (struct frame){
		.up = up, .index = { .type = &type_string, .string = key }
	};
}

struct conversion {
	struct arena *arena;
	struct verror *err;
};

bool conversion_exists(const struct type *in, const struct type *out,
		       bool unsafe);

/* v, whose type converts to out, as out; NULL with c->err filled. */
const struct value *convert_at(struct conversion *c, const struct frame *at,
			       const struct value *v, const struct type *out);

/* Converts an attribute of an object, or an element of a set or list: there
 * OpenTofu's type system forgets the marks of a null (that it is null is no
 * secret), and so must we, or "no change" would differ. */
const struct value *convert_part(struct conversion *c, const struct frame *at,
				 const struct value *v, const struct type *out);

/* Fills c->err; always NULL. */
const struct value *convert_fail(struct conversion *c, const struct frame *at,
				 struct str message);

#endif

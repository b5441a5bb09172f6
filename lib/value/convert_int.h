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

/* Where a conversion or a reader is: a step below the frame above it.  Frames
 * live on the stack; a path is made of them only when something fails. */
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
	return (struct frame){ .up = up,
			       .index = { .type = &type_number,
					  .len = 64,
					  .integer = i } };
}

static inline struct frame frame_key(const struct frame *up, struct str key)
{
	return (struct frame){ .up = up,
			       .index = { .type = &type_string,
					  .string = key } };
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

/* The same for what becomes an attribute of an object or an element of a set
 * or list: there OpenTofu's type system forgets the marks of a null (that it
 * is null is no secret), and so must we, or "no change" would differ. */
const struct value *convert_part(struct conversion *c, const struct frame *at,
				 const struct value *v,
				 const struct type *out);

/* Fills c->err; always NULL. */
const struct value *convert_fail(struct conversion *c, const struct frame *at,
				 struct str message);

/* out, which in converts to, with what is dynamic in it taken from in (NULL:
 * left dynamic). */
const struct type *convert_open_type(struct arena *a, const struct type *in,
				     const struct type *out);

/* The unknown v as an unknown of type out; what was known of it survives as far
 * as the types tell. */
const struct value *convert_unknown(struct arena *a, const struct value *v,
				    const struct type *out);

/* The kinds of convert_coll.c; v is known. */
const struct value *convert_collection(struct conversion *c,
				       const struct frame *at,
				       const struct value *v,
				       const struct type *out);

/* The unified type or NULL; safe as well as unsafe. */
const struct type *unify_types(const struct type *const *types, size_t n,
			       bool unsafe);

/* Types of the attributes of an object or the elements of a tuple. */
const struct type *unify_parts(const struct type *t, bool unsafe);

/* Collections of elements whose types may only differ in that some are not
 * known yet; these take the type of the others.  NULL when they differ. */
const struct value *make_list(struct arena *a,
			      const struct value *const *elems, size_t n);
const struct value *make_set(struct arena *a, const struct value *const *elems,
			     size_t n);
const struct value *make_map(struct arena *a, const struct str *keys,
			     const struct value *const *elems, size_t n);

#endif

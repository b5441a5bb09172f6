/* objchange_int.h - what the files of objchange share */
#ifndef TFPIPE_ENGINE_OBJECT_OBJCHANGE_INT_H
#define TFPIPE_ENGINE_OBJECT_OBJCHANGE_INT_H

#include "engine/object/objchange.h"
#include "schema/walk.h"

void at_error(struct arena *a, struct verror_vec *out, const struct at *at,
	      const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Attribute `name` of an object, of type t where v does not say: null of a null
 * object, unknown of an unknown one.  i is where it stands in a value of the
 * schema's type. */
const struct value *object_member(struct arena *a, const struct value *v,
				  size_t i, struct str name,
				  const struct type *t);

/* The attribute or nested block behind the i-th attribute of the implied type;
 * walk with both cursors starting at 0. */
struct member_cursor {
	size_t attr, block;
};
void member_next(const struct schema_block *b, struct member_cursor *c,
		 size_t i, const struct schema_attr **attr,
		 const struct schema_nested **nested);

/* Same value, refinements of unknowns ignored. */
bool same_unrefined(const struct value *x, const struct value *y);

/* Is it possible that a value known to be like the unknown `placeholder` turned
 * out as v? */
bool includes(struct arena *a, const struct value *placeholder,
	      const struct value *v);

/* A short rendering for messages; nothing of what is marked sensitive. */
const char *brief(struct arena *a, const struct value *v);

/* The element of a list, tuple, map or object (as map) at position or key; NULL
 * if there is none, or v is null.  Unknown v: unknown of the element type. */
const struct value *element_at(struct arena *a, const struct value *v,
			       size_t i);
const struct value *element_of(struct arena *a, const struct value *v,
			       struct str key);
/* The i-th key of a map or object value. */
struct str element_key(const struct value *v, size_t i);

static inline bool is_keyed(const struct value *v)
{
	return v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;
}

#endif

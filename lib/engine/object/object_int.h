/* object_int.h - what the files of this room share */
#ifndef TFPIPE_ENGINE_OBJECT_OBJECT_INT_H
#define TFPIPE_ENGINE_OBJECT_OBJECT_INT_H

#include "engine/object/objchange.h"
#include "schema/objects.h"

/* objchange.c: what the files of objchange share */

static inline bool is_keyed(const struct value *v)
{
	return v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;
}

/* objchange.c: paths, members and comparisons for objchange */

void at_error(struct arena *a, struct verror_vec *out, const struct at *at,
	      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Same value, refinements of unknowns ignored. */
bool objchange_same(const struct value *x, const struct value *y);
/* Is it possible that a value known to be like the unknown `placeholder` turned
 * out as v? */
bool objchange_includes(struct arena *a, const struct value *placeholder,
			const struct value *v);
/* A short rendering for messages of what may be told; v has no marks. */
const char *objchange_brief(struct arena *a, const struct value *v);
/* The element of a list, tuple, map or object (as map) at position or key; NULL
 * if there is none, or v is null.  Unknown v: unknown of the element type. */
const struct value *objchange_element_at(struct arena *a, const struct value *v,
					 size_t i);
const struct value *objchange_element_of(struct arena *a, const struct value *v,
					 struct str key);
/* The i-th key of a map or object value. */
struct str objchange_element_key(const struct value *v, size_t i);

#endif

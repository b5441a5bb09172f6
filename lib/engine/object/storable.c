/* storable.c - what is unknown may not be stored: replaced by null */
#include "engine/object/resource_object.h"
#include "engine/object/object_int.h"
#include "value/marks.h"
#include "value/value.h"

static const struct value *known(struct arena *a, const struct value *v,
				 const struct at *at, struct path_vec *found)
{
	const struct value **elems, *null;

	if (v->state == VALUE_UNKNOWN) {
		vec_push(a, found, at_path(a, at));
		null = value_null(a, v->type);
		return v->marks ? value_with_marks(a, null, v->marks) : null;
	}
	if (v->state == VALUE_NULL || !v->inner_unknown)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		const struct at here = at_element(at, v, i);

		elems[i] = known(a, v->elems[i], &here, found);
	}
	return value_rebuild(a, v, elems);
}

const struct value *value_without_unknown(struct arena *a,
					  const struct value *v,
					  struct path_vec *found)
{
	return known(a, v, NULL, found);
}

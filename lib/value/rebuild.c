/* rebuild.c - composites with other elements; see value.h */
#include "value/value.h"
#include "value/marks.h"
#include "value/set.h"

const struct value *value_object_like(struct arena *a, const struct type *like,
				      const struct value *const *elems)
{
	bool same = true;
	struct str *names;

	for (size_t i = 0; i < like->len; i++)
		same &= like->attrs[i].type == elems[i]->type;
	if (same)
		return value_object_of(a, like, elems);
	names = ARENA_ARRAY(a, struct str, like->len);
	for (size_t i = 0; i < like->len; i++)
		names[i] = like->attrs[i].name;
	return value_object(a, names, elems, like->len);
}

const struct value *value_rebuild(struct arena *a, const struct value *v,
				  const struct value *const *elems)
{
	const struct value *r;

	switch (v->type->kind) {
	case TYPE_LIST:
		r = value_list(a, v->type->elem, elems, v->len);
		break;
	case TYPE_SET:
		r = value_set(a, v->type->elem, elems, v->len);
		break;
	case TYPE_MAP:
		r = value_map(a, v->type->elem, v->keys, elems, v->len);
		break;
	case TYPE_TUPLE:
		r = value_tuple(a, elems, v->len);
		break;
	default:
		r = value_object_like(a, v->type, elems);
	}
	return v->marks ? value_with_marks(a, r, v->marks) : r;
}

const struct value *value_rebuild_loose(struct arena *a, const struct value *v,
					const struct value *const *elems)
{
	const struct value *r;

	switch (v->type->kind) {
	case TYPE_LIST:
	case TYPE_SET:
		r = value_tuple(a, elems, v->len);
		break;
	case TYPE_MAP:
		r = value_object(a, v->keys, elems, v->len);
		break;
	default:
		return value_rebuild(a, v, elems);
	}
	return v->marks ? value_with_marks(a, r, v->marks) : r;
}

/* normalize.c - objects of legacy-SDK providers, made regular */
#include "engine/object/objchange_int.h"

static const struct value *normalize(struct arena *a,
				     const struct schema_block *b,
				     const struct value *v);

/* A block of unknown content: what the rest of the engine understands where
 * the legacy SDK said that the block itself is unknown. */
static const struct value *unknown_block(struct arena *a,
					 const struct schema_block *b)
{
	const struct type *t = b->implied;
	const struct value **elems = ARENA_ARRAY(a, const struct value *,
						 t->len);
	struct member_cursor c = { 0, 0 };

	for (size_t i = 0; i < t->len; i++) {
		const struct schema_attr *attr;
		const struct schema_nested *n;
		const struct value *inner;

		member_next(b, &c, i, &attr, &n);
		if (attr) {
			elems[i] = value_unknown(a, attr->type);
			continue;
		}
		inner = n->nesting == NESTING_MAP ? NULL
						  : unknown_block(a, n->block);
		switch (n->nesting) {
		case NESTING_SINGLE:
		case NESTING_GROUP:
			elems[i] = inner;
			break;
		case NESTING_LIST:
			elems[i] = value_list(a, inner->type, &inner, 1);
			break;
		case NESTING_SET:
			elems[i] = value_set(a, inner->type, &inner, 1);
			break;
		case NESTING_MAP: /* the legacy SDK has no such blocks */
			elems[i] = value_map(a, n->block->implied, NULL, NULL,
					     0);
			break;
		}
	}
	return value_object_like(a, t, elems);
}

static const struct value *normalize_many(struct arena *a,
					  const struct schema_nested *n,
					  const struct value *v)
{
	const struct type *t = n->block->implied;
	size_t len = v->state == VALUE_KNOWN ? v->len :
		     v->state == VALUE_UNKNOWN ? 1 : 0;
	const struct value **elems = ARENA_ARRAY(a, const struct value *, len);

	for (size_t i = 0; i < len; i++)
		elems[i] = v->state == VALUE_UNKNOWN
				   ? unknown_block(a, n->block)
				   : normalize(a, n->block, v->elems[i]);
	return n->nesting == NESTING_LIST ? value_list(a, t, elems, len)
					  : value_set(a, t, elems, len);
}

static const struct value *normalize_nested(struct arena *a,
					    const struct schema_nested *n,
					    const struct value *v)
{
	/* Other SDKs' objects pass through: the legacy one has neither
	 * dynamic types nor maps of blocks. */
	if (n->block->implied->has_dynamic || n->nesting == NESTING_MAP)
		return v;
	if (n->nesting == NESTING_LIST || n->nesting == NESTING_SET)
		return normalize_many(a, n, v);
	if (!value_is_known(v))
		return unknown_block(a, n->block);
	if (value_is_null(v) && n->nesting == NESTING_GROUP)
		return schema_empty_value(a, n->block);
	return normalize(a, n->block, v);
}

static const struct value *normalize(struct arena *a,
				     const struct schema_block *b,
				     const struct value *v)
{
	const struct type *t = b->implied;
	const struct value **elems;
	const struct marks *marks = v->marks;
	struct member_cursor c = { 0, 0 };

	if (value_is_null(v))
		return value_null(a, t);
	elems = ARENA_ARRAY(a, const struct value *, t->len);
	for (size_t i = 0; i < t->len; i++) {
		const struct schema_attr *attr;
		const struct schema_nested *n;

		member_next(b, &c, i, &attr, &n);
		elems[i] = object_member(a, v, i, t->attrs[i].name,
					 t->attrs[i].type);
		if (n) {
			const struct marks *m = elems[i]->marks;

			elems[i] = normalize_nested(a, n, elems[i]);
			if (m)
				elems[i] = value_with_marks(a, elems[i], m);
		}
	}
	v = value_object_like(a, t, elems);
	return marks ? value_with_marks(a, v, marks) : v;
}

const struct value *normalize_legacy_object(struct arena *a,
					    const struct schema_block *b,
					    const struct value *v)
{
	return normalize(a, b, v);
}

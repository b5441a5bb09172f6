/* normalize.c - objects of legacy-SDK providers, made regular */
#include "engine/object/objchange.h"
#include "engine/object/object_int.h"
#include "value/marks.h"
#include "value/value.h"

static const struct value *normalize(struct arena *a,
				     const struct schema_block *b,
				     const struct value *v);

/* A block of unknown content: what the rest of the engine understands where
 * the legacy SDK said that the block itself is unknown. */
static const struct value *unknown_block(struct arena *a,
					 const struct schema_block *b)
{
	const struct type *t = b->implied;
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, t->len);
	struct members m = { .a = a, .block = b };

	while (members_next(&m)) {
		/* the legacy SDK has no maps of blocks */
		const bool some = !m.attr && m.nested->nesting != NESTING_MAP;
		const struct value *inner =
			some ? unknown_block(a, m.nested->block) : NULL;

		elems[m.i] = m.attr ? value_unknown(a, m.attr->type)
				    : schema_nested_value(a, m.nested, NULL,
							  &inner, some);
	}
	return value_object_like(a, t, elems);
}

static const struct value *normalize_many(struct arena *a,
					  const struct schema_nested *n,
					  const struct value *v)
{
	size_t len = v->state == VALUE_KNOWN     ? v->len
		     : v->state == VALUE_UNKNOWN ? 1
						 : 0;
	const struct value **elems = ARENA_ARRAY(a, const struct value *, len);

	for (size_t i = 0; i < len; i++)
		elems[i] = v->state == VALUE_UNKNOWN
				   ? unknown_block(a, n->block)
				   : normalize(a, n->block, v->elems[i]);
	return schema_nested_value(a, n, NULL, elems, len);
}

static const struct value *normalize_nested(struct arena *a,
					    const struct schema_nested *n,
					    const struct value *v)
{
	/* Other SDKs' objects pass through: the legacy one has neither
	 * dynamic types nor maps of blocks. */
	if (n->block->implied->has_dynamic || n->nesting == NESTING_MAP)
		return v;
	if (!nesting_single(n->nesting))
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
	struct members m = { .a = a, .block = b, .of = { v } };

	if (value_is_null(v))
		return value_null(a, t);
	elems = ARENA_ARRAY(a, const struct value *, t->len);
	while (members_next(&m)) {
		const struct marks *own = m.v[0]->marks;

		elems[m.i] = m.v[0];
		if (m.attr)
			continue;
		elems[m.i] = normalize_nested(a, m.nested, m.v[0]);
		if (own)
			elems[m.i] = value_with_marks(a, elems[m.i], own);
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

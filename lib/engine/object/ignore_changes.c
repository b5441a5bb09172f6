/*
 * ignore_changes.c - lifecycle { ignore_changes }: the configuration with what
 * it must not change put back to the prior values
 *
 * A path that ends in a map key concerns that key alone, present or not; any
 * other path its whole value.  With `all`, everything the provider does not
 * compute by itself is as before.
 */
#include "engine/object/objchange.h"

struct ignored {
	struct path path;         /* without the trailing map key */
	const struct value *was;  /* the prior value there */
	struct str key;           /* of a map; absent: all of the value */
	bool has_key;
};

struct ignoring {
	struct arena *a;
	VEC(struct ignored) list;
};

static struct path path_of(struct arena *a, const struct traversal *t)
{
	struct path p = { NULL, 0 };

	if (t->root.n)
		p = path_attr(a, p, t->root);
	for (size_t i = 0; i < t->nsteps; i++) {
		const struct step *s = &t->steps[i];

		if (s->kind == STEP_ATTR)
			p = path_attr(a, p, s->name);
		else if (s->kind == STEP_INDEX)
			p = path_index(a, p, s->key);
	}
	return p;
}

static void add_ignored(struct ignoring *ig, const struct traversal_ref *t,
			const struct value *prior,
			const struct value *config)
{
	struct ignored i = { .path = path_of(ig->a, &t->traversal) };
	const struct value *now;

	if (!i.path.len)
		return;
	if (i.path.steps[i.path.len - 1].index &&
	    i.path.steps[i.path.len - 1].index->type == &type_string) {
		i.has_key = true;
		i.key = i.path.steps[i.path.len - 1].index->string;
		i.path.len--;
	}
	i.was = path_get(ig->a, prior, i.path);
	now = path_get(ig->a, config, i.path);
	if (i.was && now && !value_identical(i.was, now))
		vec_push(ig->a, &ig->list, i);
}

static ptrdiff_t map_at(const struct value *m, struct str key)
{
	for (uint32_t i = 0; m->state == VALUE_KNOWN && i < m->len; i++)
		if (str_eq(m->keys[i], key))
			return i;
	return -1;
}

/* The map v with one key as it was. */
static const struct value *restore_key(struct arena *a, const struct value *v,
				       const struct ignored *ig)
{
	const struct value *was = ig->was, *out;
	uint32_t len = v->state == VALUE_KNOWN ? v->len : 0;
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, len + 1);
	struct str *keys = ARENA_ARRAY(a, struct str, len + 1);
	ptrdiff_t before = map_at(was, ig->key);
	size_t n = 0;

	for (uint32_t i = 0; i < len; i++) {
		if (str_eq(v->keys[i], ig->key))
			continue;
		keys[n] = v->keys[i];
		elems[n++] = v->elems[i];
	}
	if (before >= 0) {
		keys[n] = ig->key;
		elems[n++] = was->elems[before];
	}
	if (!n && value_is_null(v))
		return v;
	out = value_map(a, v->type->elem, keys, elems, n);
	return v->marks ? value_with_marks(a, out, v->marks) : out;
}

static const struct value *transform(struct ignoring *ig,
				     const struct value *v, struct path at);

static const struct value *transform_elems(struct ignoring *ig,
					   const struct value *v,
					   struct path at)
{
	const struct value **elems, *out;
	enum type_kind k = v->type->kind;
	bool changed = false;

	elems = ARENA_ARRAY(ig->a, const struct value *, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		struct path p;

		if (k == TYPE_OBJECT)
			p = path_attr(ig->a, at, v->type->attrs[i].name);
		else if (k == TYPE_MAP)
			p = path_index(ig->a, at,
				       value_string(ig->a, v->keys[i]));
		else if (k == TYPE_SET)
			p = path_index(ig->a, at, v->elems[i]);
		else
			p = path_index(ig->a, at, value_int(ig->a, i));
		elems[i] = transform(ig, v->elems[i], p);
		changed |= elems[i] != v->elems[i];
	}
	if (!changed)
		return v;
	if (k == TYPE_OBJECT)
		out = value_object_of(ig->a, v->type, elems);
	else if (k == TYPE_MAP)
		out = value_map(ig->a, v->type->elem, v->keys, elems, v->len);
	else if (k == TYPE_SET)
		out = value_set(ig->a, v->type->elem, elems, v->len);
	else if (k == TYPE_LIST)
		out = value_list(ig->a, v->type->elem, elems, v->len);
	else
		out = value_tuple(ig->a, elems, v->len);
	return v->marks ? value_with_marks(ig->a, out, v->marks) : out;
}

static const struct value *transform(struct ignoring *ig,
				     const struct value *v, struct path at)
{
	bool map = v->type->kind == TYPE_MAP;

	for (size_t i = 0; i < ig->list.len; i++) {
		const struct ignored *g = &ig->list.items[i];

		if (!path_equal(g->path, at))
			continue;
		if (!g->has_key || !map)
			return g->was;
		if (v->state == VALUE_UNKNOWN)
			return v;
		v = restore_key(ig->a, v, g);
	}
	if (v->state != VALUE_KNOWN || type_is_primitive(v->type) || !v->len)
		return v;
	return transform_elems(ig, v, at);
}

/* What a provider alone decides cannot be configured, so it is left out. */
static const struct value *without_computed(struct arena *a,
					    const struct value *v,
					    const struct schema_block *b)
{
	const struct value **elems;

	if (v->state != VALUE_KNOWN || v->type->kind != TYPE_OBJECT)
		return v;
	elems = arena_dup(a, v->elems, v->len * sizeof(*elems));
	for (uint32_t i = 0; i < v->len; i++) {
		const struct str name = v->type->attrs[i].name;
		const struct schema_attr *at = schema_attr_find(b, name);
		const struct schema_nested *n = schema_nested_find(b, name);

		if (at && at->computed && !at->optional)
			elems[i] = value_null(a, elems[i]->type);
		if (n && (n->nesting == NESTING_SINGLE ||
			  n->nesting == NESTING_GROUP))
			elems[i] = without_computed(a, elems[i], n->block);
		else if (n && elems[i]->state == VALUE_KNOWN) {
			const struct value *c = elems[i], **inner;

			inner = arena_dup(a, c->elems,
					  c->len * sizeof(*inner));
			for (uint32_t k = 0; k < c->len; k++)
				inner[k] = without_computed(a, inner[k],
							    n->block);
			if (c->type->kind == TYPE_MAP)
				elems[i] = value_map(a, c->type->elem, c->keys,
						     inner, c->len);
			else if (c->type->kind == TYPE_SET)
				elems[i] = value_set(a, c->type->elem, inner,
						     c->len);
			else if (c->type->kind == TYPE_LIST)
				elems[i] = value_list(a, c->type->elem, inner,
						      c->len);
			else if (c->type->kind == TYPE_TUPLE)
				elems[i] = value_tuple(a, inner, c->len);
		}
	}
	return value_object_of(a, v->type, elems);
}

const struct value *ignore_changes(struct arena *a,
				   const struct cfg_lifecycle *l,
				   const struct value *prior,
				   const struct value *config,
				   const struct schema_block *b)
{
	struct ignoring ig = { .a = a };

	if (value_is_null(prior) || (!l->ignore_all && !l->ignore_changes.len))
		return config;
	if (l->ignore_all)
		return b ? without_computed(a, prior, b) : prior;
	if (value_is_null(config))
		return config;
	for (size_t i = 0; i < l->ignore_changes.len; i++)
		add_ignored(&ig, &l->ignore_changes.items[i], prior, config);
	return ig.list.len ? transform(&ig, config, (struct path){ NULL, 0 })
			   : config;
}

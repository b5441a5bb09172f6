/*
 * ignore_changes.c - lifecycle { ignore_changes }: the configuration with what
 * it must not change put back to the prior values
 *
 * A path that ends in a map key concerns that key alone, present or not; any
 * other path its whole value.  With `all`, everything the provider does not
 * compute by itself is as before.
 */
#include "engine/object/objchange.h"
#include "schema/objects.h"
#include "value/value.h"
#include "value/marks.h"

struct ignored {
	struct path path;        /* without the trailing map key */
	const struct value *was; /* the prior value there */
	struct str key;          /* of a map; absent: all of the value */
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
			const struct value *prior, const struct value *config)
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

static const struct value *transform(struct ignoring *ig, const struct value *v,
				     struct path at);

static const struct value *transform_elems(struct ignoring *ig,
					   const struct value *v,
					   struct path at)
{
	const struct value **elems =
		ARENA_ARRAY(ig->a, const struct value *, v->len);
	bool changed = false;

	for (uint32_t i = 0; i < v->len; i++) {
		const struct path_step s = value_step(ig->a, v, i);
		const struct path p = s.index ? path_index(ig->a, at, s.index)
					      : path_attr(ig->a, at, s.attr);

		elems[i] = transform(ig, v->elems[i], p);
		changed |= elems[i] != v->elems[i];
	}
	return changed ? value_rebuild(ig->a, v, elems) : v;
}

static const struct value *transform(struct ignoring *ig, const struct value *v,
				     struct path at)
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

static bool is_computed_alone(const struct schema_attr *attr)
{
	return attr->computed && !attr->optional;
}

/* Makes null the attributes that only a provider sets: a configuration cannot
 * have them. */
static const struct value *leave_out(struct schema_walk *w,
				     const struct schema_attr *attr,
				     const struct value *v, const struct at *at)
{
	(void)attr;
	(void)at;
	return value_null(w->a, v->type);
}

const struct value *ignore_changes(struct arena *a,
				   const struct cfg_lifecycle *l,
				   const struct value *prior,
				   const struct value *config,
				   const struct schema_block *b)
{
	struct schema_walk w = { a, is_computed_alone, leave_out, NULL };
	struct ignoring ig = { .a = a };

	if (value_is_null(prior) || (!l->ignore_all && !l->ignore_changes.len))
		return config;
	if (l->ignore_all)
		return b ? schema_walk(&w, b, prior) : prior;
	if (value_is_null(config))
		return config;
	for (size_t i = 0; i < l->ignore_changes.len; i++)
		add_ignored(&ig, &l->ignore_changes.items[i], prior, config);
	return ig.list.len ? transform(&ig, config, (struct path){ NULL, 0 })
			   : config;
}

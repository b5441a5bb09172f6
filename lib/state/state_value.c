/* state_value.c - see state_value.h */
#include "state/state_value.h"

#include "json/slice.h"

static const struct value *mark_attr(struct arena *a, const struct value *v,
				     const struct schema_attr *at);

/* f applied to every element of a known collection, tuple or object. */
static const struct value *map_elems(struct arena *a, const struct value *v,
				     const struct value *(*f)(
					     struct arena *,
					     const struct value *,
					     const void *),
				     const void *data)
{
	const struct value **elems;
	const struct value *out;
	bool changed = false;

	if (!value_usable(v) || v->type->kind < TYPE_LIST)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		elems[i] = f(a, v->elems[i], data);
		changed |= elems[i] != v->elems[i];
	}
	if (!changed)
		return v;
	switch (v->type->kind) {
	case TYPE_LIST:
		out = value_list(a, v->type->elem, elems, v->len);
		break;
	case TYPE_SET:
		out = value_set(a, v->type->elem, elems, v->len);
		break;
	case TYPE_MAP:
		out = value_map(a, v->type->elem, v->keys, elems, v->len);
		break;
	case TYPE_TUPLE:
		out = value_tuple(a, elems, v->len);
		break;
	default:
		out = value_object_of(a, v->type, elems);
	}
	return v->marks ? value_with_marks(a, out, v->marks) : out;
}

static const struct value *mark_attrs_of(struct arena *a,
					 const struct value *v,
					 const struct schema_attr *attrs,
					 size_t nattrs,
					 const struct schema_nested *blocks,
					 size_t nblocks);

static const struct value *mark_object(struct arena *a, const struct value *v,
				       const void *data)
{
	const struct schema_object *o = data;

	return mark_attrs_of(a, v, o->attrs, o->nattrs, NULL, 0);
}

static const struct value *mark_attr(struct arena *a, const struct value *v,
				     const struct schema_attr *at)
{
	if (at->sensitive)
		return value_with_marks(a, v, &marks_sensitive);
	if (!at->nested)
		return v;
	return at->nested->nesting == NESTING_SINGLE
		       ? mark_object(a, v, at->nested)
		       : map_elems(a, v, mark_object, at->nested);
}

static const struct value *mark_block(struct arena *a, const struct value *v,
				      const void *data)
{
	const struct schema_block *b = data;

	return mark_attrs_of(a, v, b->attrs, b->nattrs, b->blocks,
			     b->nblocks);
}

static const struct value *mark_attrs_of(struct arena *a,
					 const struct value *v,
					 const struct schema_attr *attrs,
					 size_t nattrs,
					 const struct schema_nested *blocks,
					 size_t nblocks)
{
	const struct value **elems, *out;
	bool changed = false;

	if (!value_usable(v) || v->type->kind != TYPE_OBJECT)
		return v;
	elems = arena_dup(a, v->elems, v->len * sizeof(*elems));
	for (size_t i = 0; i < nattrs; i++) {
		int at = type_attr_index(v->type, attrs[i].name);

		if (at >= 0)
			elems[at] = mark_attr(a, elems[at], &attrs[i]);
	}
	for (size_t i = 0; i < nblocks; i++) {
		int at = type_attr_index(v->type, blocks[i].type_name);
		bool single = blocks[i].nesting == NESTING_SINGLE ||
			      blocks[i].nesting == NESTING_GROUP;

		if (at >= 0)
			elems[at] = single ? mark_block(a, elems[at],
							blocks[i].block)
					   : map_elems(a, elems[at],
						       mark_block,
						       blocks[i].block);
	}
	for (uint32_t i = 0; i < v->len; i++)
		changed |= elems[i] != v->elems[i];
	if (!changed)
		return v;
	out = value_object_of(a, v->type, elems);
	return v->marks ? value_with_marks(a, out, v->marks) : out;
}

/* Schemas without a sensitive attribute are by far the most. */
static bool any_sensitive(const struct schema_attr *attrs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (attrs[i].sensitive ||
		    (attrs[i].nested &&
		     any_sensitive(attrs[i].nested->attrs,
				   attrs[i].nested->nattrs)))
			return true;
	return false;
}

static bool block_sensitive(const struct schema_block *b)
{
	if (any_sensitive(b->attrs, b->nattrs))
		return true;
	for (size_t i = 0; i < b->nblocks; i++)
		if (block_sensitive(b->blocks[i].block))
			return true;
	return false;
}

const struct value *schema_mark_sensitive(struct arena *a,
					  const struct value *v,
					  const struct schema_block *schema)
{
	return block_sensitive(schema) ? mark_block(a, v, schema) : v;
}

static const struct value *mark_recorded(struct arena *a,
					 const struct value *v,
					 struct str paths_json)
{
	struct path_vec paths = { 0 };
	struct json_error err;
	const struct json *j = json_parse(a, paths_json, &err);

	for (uint32_t i = 0; j && j->kind == JSON_ARRAY && i < j->len; i++) {
		struct path p;

		if (path_from_state_json(a, &j->items[i], &p) == 0)
			vec_push(a, &paths, p);
	}
	return paths.len ? value_mark_paths(a, v, &paths, &marks_sensitive)
			 : v;
}

const struct value *state_instance_value(struct arena *a,
					 const struct state_instance *i,
					 const struct schema_block *schema)
{
	struct json_error jerr;
	struct verror err;
	const struct json *j = json_slice_tree(a, i->attributes, NULL);
	const struct value *v;

	if (!j)
		j = json_parse(a, i->attributes, &jerr);
	v = j ? value_from_json(a, j, schema->implied, &err) : NULL;
	if (!v)
		return NULL;
	if (i->sensitive.n && !str_is(i->sensitive, "[]"))
		v = mark_recorded(a, v, i->sensitive);
	return schema_mark_sensitive(a, v, schema);
}

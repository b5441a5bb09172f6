/* walk.c - see walk.h */
#include "schema/walk.h"

struct path at_path(struct arena *a, const struct at *at)
{
	struct path_step *steps;
	size_t n = 0;

	for (const struct at *p = at; p; p = p->up)
		n++;
	steps = ARENA_ARRAY(a, struct path_step, n);
	for (size_t i = n; at; at = at->up)
		steps[--i] = (struct path_step){ at->attr, at->index };
	return (struct path){ steps, n };
}

struct at at_element(struct arena *a, const struct at *up,
		     const struct value *v, uint32_t i)
{
	struct path_step step = value_step(a, v, i);

	return (struct at){ up, step.attr, step.index };
}

/* --- is there anything to do? --- */

static bool attrs_wanted(const struct schema_walk *w,
			 const struct schema_attr *attrs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (w->wanted(&attrs[i]) ||
		    (attrs[i].nested &&
		     attrs_wanted(w, attrs[i].nested->attrs,
				  attrs[i].nested->nattrs)))
			return true;
	return false;
}

bool schema_walk_wanted(const struct schema_walk *w, const struct schema_block *b)
{
	if (attrs_wanted(w, b->attrs, b->nattrs))
		return true;
	for (size_t i = 0; i < b->nblocks; i++)
		if (schema_walk_wanted(w, b->blocks[i].block))
			return true;
	return false;
}

/* --- doing it --- */

static const struct value *walk_object(struct schema_walk *w,
				       const struct schema_object *o,
				       const struct schema_block *b,
				       const struct value *v,
				       const struct at *at);

/* All objects of a nested attribute (o) or of blocks of one kind (b). */
static const struct value *walk_all(struct schema_walk *w, enum nesting nesting,
				    const struct schema_object *o,
				    const struct schema_block *b,
				    const struct value *v, const struct at *at)
{
	const struct value **elems;

	if (!value_usable(v) || v->type->kind < TYPE_LIST)
		return v;
	if (nesting == NESTING_SINGLE || nesting == NESTING_GROUP)
		return walk_object(w, o, b, v, at);
	elems = ARENA_ARRAY(w->a, const struct value *, v->len);
	for (uint32_t i = 0; i < v->len; i++) {
		struct at here = at_element(w->a, at, v, i);

		elems[i] = walk_object(w, o, b, v->elems[i], &here);
	}
	return value_rebuild(w->a, v, elems);
}

static const struct value *walk_attr(struct schema_walk *w,
				     const struct schema_attr *attr,
				     const struct value *v,
				     const struct at *at)
{
	const struct schema_object *o = attr->nested;

	if (w->wanted(attr))
		return w->change(w, attr, v, at);
	if (!o || !attrs_wanted(w, o->attrs, o->nattrs))
		return v;
	return walk_all(w, o->nesting, o, NULL, v, at);
}

const struct schema_attr *object_attr(const struct schema_object *o,
				      struct str name)
{
	for (size_t i = 0; i < o->nattrs; i++)
		if (str_eq(o->attrs[i].name, name))
			return &o->attrs[i];
	return NULL;
}

/* An object of a nested attribute (o) or of a block (b). */
static const struct value *walk_object(struct schema_walk *w,
				       const struct schema_object *o,
				       const struct schema_block *b,
				       const struct value *v,
				       const struct at *at)
{
	const struct value **elems;

	if (!value_usable(v) || v->type->kind != TYPE_OBJECT)
		return v;
	elems = ARENA_ARRAY(w->a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++) {
		struct at here = { at, v->type->attrs[i].name, NULL };
		const struct schema_attr *attr =
			o ? object_attr(o, here.attr)
			  : schema_attr_find(b, here.attr);
		const struct schema_nested *n =
			attr || o ? NULL : schema_nested_find(b, here.attr);

		elems[i] = v->elems[i];
		if (attr)
			elems[i] = walk_attr(w, attr, elems[i], &here);
		else if (n && schema_walk_wanted(w, n->block))
			elems[i] = walk_all(w, n->nesting, NULL, n->block,
					    elems[i], &here);
	}
	return value_rebuild(w->a, v, elems);
}

const struct value *schema_walk(struct schema_walk *w,
			      const struct schema_block *b,
			      const struct value *v)
{
	return schema_walk_wanted(w, b) ? walk_object(w, NULL, b, v, NULL) : v;
}

/* schema_walk.c - see objects.h */
#include "schema/objects.h"
#include "value/value.h"

struct path at_path(struct arena *a, const struct at *at)
{
	struct path_step *steps;
	size_t n = 0;

	for (const struct at *p = at; p; p = p->up)
		n++;
	steps = ARENA_ARRAY(a, struct path_step, n);
	for (size_t i = n; at; at = at->up)
		steps[--i] = at->in ? value_step(a, at->in, at->i)
				    : (struct path_step){ at->attr, NULL };
	return (struct path){ steps, n };
}

const struct schema_attr *schema_attr_on_path(const struct schema_block *b,
					      struct path p, size_t *len)
{
	const struct schema_attr *found = NULL;

	*len = 0;
	for (size_t i = 0; i < p.len; i++) {
		const struct schema_nested *n;

		if (p.steps[i].index)
			continue;
		found = schema_attr_find(b, p.steps[i].attr);
		n = found ? found->nested
			  : schema_nested_find(b, p.steps[i].attr);
		if (found || !n)
			*len = i + 1;
		if (!n || (found && found->write_only))
			return found;
		b = n->block;
	}
	return found;
}

/* --- one value --- */

/* The schema of the i-th attribute of v, whose type may differ from the
 * schema's if that is dynamic. */
static struct schema_member member_of(const struct schema_block *b,
				      const struct value *v, uint32_t i)
{
	const struct schema_member none = { 0 };
	int at = v->type == b->implied
			 ? (int)i
			 : type_attr_index(b->implied, v->type->attrs[i].name);

	return at < 0 ? none : b->members[at];
}

/* Sets the i-th of *elems, NULL until one differs from v's, then a copy of
 * those. */
static void put_element(struct arena *a, const struct value *v, uint32_t i,
			const struct value *now, const struct value ***elems)
{
	if (now == v->elems[i])
		return;
	if (!*elems)
		*elems = arena_dup(a, v->elems, v->len * sizeof(**elems));
	(*elems)[i] = now;
}

static const struct value *rebuilt(const struct schema_walk *w,
				   const struct value *v,
				   const struct value *const *elems)
{
	if (!elems)
		return v;
	return w->loose ? value_rebuild_loose(w->a, v, elems)
			: value_rebuild(w->a, v, elems);
}

static const struct value *walk_object(struct schema_walk *w,
				       const struct schema_block *b,
				       const struct value *v,
				       const struct at *at)
{
	const struct value **elems = NULL;

	if (!value_usable(v) || v->type->kind != TYPE_OBJECT)
		return v;
	for (uint32_t i = 0; i < v->len; i++) {
		const struct at here = { at, v->type->attrs[i].name, NULL, 0 };
		const struct schema_member m = member_of(b, v, i);
		const struct value *now = v->elems[i];

		if (m.attr && w->wanted(m.attr))
			now = w->change(w, m.attr, now, &here);
		else if (m.nested && schema_any(m.nested->block, w->wanted))
			now = schema_walk_nested(w, m.nested, now, &here);
		put_element(w->a, v, i, now, &elems);
	}
	return rebuilt(w, v, elems);
}

const struct value *schema_walk_nested(struct schema_walk *w,
				       const struct schema_nested *n,
				       const struct value *v,
				       const struct at *at)
{
	const struct value **elems = NULL;

	if (nesting_single(n->nesting))
		return walk_object(w, n->block, v, at);
	if (!value_usable(v) || v->type->kind < TYPE_LIST)
		return v;
	for (uint32_t i = 0; i < v->len; i++) {
		const struct at here = at_element(at, v, i);

		put_element(w->a, v, i,
			    walk_object(w, n->block, v->elems[i], &here),
			    &elems);
	}
	return rebuilt(w, v, elems);
}

const struct value *schema_walk(struct schema_walk *w,
				const struct schema_block *b,
				const struct value *v)
{
	return schema_any(b, w->wanted) ? walk_object(w, b, v, NULL) : v;
}

/* --- objects side by side --- */

/* Attribute `name` of an object, of type t unless v has a type for it.  i is
 * its index in a value of the schema's type. */
static const struct value *member(struct arena *a, const struct value *v,
				  uint32_t i, struct str name,
				  const struct type *t)
{
	const struct type *own = v->type;
	int at = (int)i;

	if (own->kind == TYPE_OBJECT) {
		if (i >= own->len || !str_eq(own->attrs[i].name, name))
			at = type_attr_index(own, name);
		if (at >= 0 && v->state == VALUE_KNOWN)
			return v->elems[at];
		if (at >= 0)
			t = own->attrs[at].type;
	}
	return v->state == VALUE_UNKNOWN ? value_unknown(a, t)
					 : value_null(a, t);
}

bool members_next(struct members *m)
{
	const struct type *t = m->block->implied;
	const uint32_t i = m->next;

	if (i == t->len)
		return false;
	m->next = i + 1;
	m->i = i;
	m->attr = m->block->members[i].attr;
	m->nested = m->block->members[i].nested;
	m->at.attr = t->attrs[i].name;
	for (int k = 0; k < MEMBERS_MOST && m->of[k]; k++)
		m->v[k] = member(m->a, m->of[k], i, t->attrs[i].name,
				 t->attrs[i].type);
	return true;
}

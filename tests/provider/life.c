/* life.c - what an honest provider plans and makes of an object */
#include <strings.h>

#include "provider.h"
#include "value/value.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"

static bool nothing(const struct value *v)
{
	return !v || value_is_null(v);
}

static bool same_text(const struct value *x, const struct value *y)
{
	return !nothing(x) && !nothing(y) && x->state == VALUE_KNOWN &&
	       y->state == VALUE_KNOWN && x->type == &type_string &&
	       y->type == &type_string && x->string.n == y->string.n &&
	       !strncasecmp(x->string.p, y->string.p, x->string.n);
}

struct str text_at(const struct value *object, const char *name)
{
	const struct value *v = object ? value_get(object, str_c(name)) : NULL;

	if (!v || v->state != VALUE_KNOWN || v->type != &type_string)
		return STR_NONE;
	return v->string;
}

/* A member or element that corresponds to the i-th of v. */
static const struct value *partner(const struct value *v, size_t i,
				   const struct value *other)
{
	if (!other || other->state != VALUE_KNOWN)
		return NULL;
	switch (v->type->kind) {
	case TYPE_OBJECT:
		return value_get(other, v->type->attrs[i].name);
	case TYPE_MAP:
		return value_get(other, v->keys[i]);
	case TYPE_LIST:
	case TYPE_TUPLE:
		return i < other->len ? other->elems[i] : NULL;
	default:
		return NULL; /* sets: the proposed value has correlated them */
	}
}

/* --- planning --- */

static const struct value *plan_object(struct arena *a, const struct schema_block *s,
				       const struct value *prior,
				       const struct value *config,
				       const struct value *v);

static const struct value *plan_many(struct arena *a, const struct schema_block *s,
				     const struct value *prior,
				     const struct value *config,
				     const struct value *v)
{
	const struct value **elems;

	if (nothing(v) || v->state != VALUE_KNOWN)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++)
		elems[i] = plan_object(a, s, partner(v, i, prior),
				       partner(v, i, config), v->elems[i]);
	return value_rebuild(a, v, elems);
}

static const struct value *plan_nested(struct arena *a,
				       const struct schema_nested *n,
				       const struct value *prior,
				       const struct value *config,
				       const struct value *v)
{
	return nesting_single(n->nesting)
		       ? plan_object(a, n->block, prior, config, v)
		       : plan_many(a, n->block, prior, config, v);
}

/* Does attr depend on the name, and does the name change? */
static bool follows_name(const struct schema_attr *attr,
			 const struct value *prior,
			 const struct value *object)
{
	const struct value *was, *is;

	if (!str_is(attr->name, "comp") || nothing(prior))
		return false;
	was = value_get(prior, STR("name"));
	is = value_get(object, STR("name"));
	return was && is && !value_equal_unmarked(was, is);
}

static const struct value *plan_attr(struct arena *a,
				     const struct schema_attr *attr,
				     const struct value *prior,
				     const struct value *config,
				     const struct value *v, bool renew)
{
	if (attr->write_only)
		return value_null(a, v->type);
	if (attr->computed && nothing(config)) {
		if (renew || value_is_null(v))
			return value_unknown(a, attr->type);
		return v;
	}
	if (str_is(attr->name, "ci") && same_text(prior, v))
		return prior;
	if (attr->nested)
		return plan_nested(a, attr->nested, prior, config, v);
	return v;
}

static const struct value *plan_object(struct arena *a, const struct schema_block *s,
				       const struct value *prior,
				       const struct value *config,
				       const struct value *v)
{
	const struct value **elems;

	if (nothing(v) || v->state != VALUE_KNOWN)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++) {
		struct str name = v->type->attrs[i].name;
		const struct value *p = partner(v, i, prior);
		const struct value *c = partner(v, i, config);
		const struct schema_attr *attr = schema_attr_find(s, name);
		const struct schema_nested *n =
			attr ? NULL : schema_nested_find(s, name);

		elems[i] = v->elems[i];
		if (attr)
			elems[i] = plan_attr(a, attr, p, c, elems[i],
					     follows_name(attr, prior, v));
		else if (n)
			elems[i] = plan_nested(a, n, p, c, elems[i]);
	}
	return value_rebuild(a, v, elems);
}

const struct value *life_plan(struct arena *a, const struct schema_block *b,
			      const struct value *prior,
			      const struct value *config,
			      const struct value *proposed)
{
	return plan_object(a, b, prior, config, proposed);
}

/* --- applying --- */

/* In objects that the provider makes, what only a configuration can say is
 * null; else they would seem to have been configured once. */
static bool configured_only(struct str name)
{
	return str_is(name, "name") || str_is(name, "num");
}

/* Something of the type, within what the plan has promised. */
static const struct value *made_up(struct request *r, const struct value *v,
				   const struct type *t, struct str text)
{
	const struct refinement *f = value_refinement(v);
	const struct value *e;
	const struct value **elems;
	struct str key = STR("k");

	switch (t->kind) {
	case TYPE_NUMBER:
		return f->min ? f->min : value_int(r->a, 7);
	case TYPE_BOOL:
		return value_bool(true);
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		e = made_up(r, value_unknown(r->a, t->elem), t->elem, text);
		if (t->kind == TYPE_MAP)
			return value_map(r->a, t->elem, &key, &e, 1);
		return t->kind == TYPE_SET ? value_set(r->a, t->elem, &e, 1)
					   : value_list(r->a, t->elem, &e, 1);
	case TYPE_OBJECT:
		elems = ARENA_ARRAY(r->a, const struct value *, t->len);
		for (size_t i = 0; i < t->len; i++) {
			const struct type *et = t->attrs[i].type;

			elems[i] = configured_only(t->attrs[i].name)
					   ? value_null(r->a, et)
					   : made_up(r,
						     value_unknown(r->a, et),
						     et, text);
		}
		return value_object_of(r->a, t, elems);
	default:
		return value_string(r->a,
				    str_printf(r->a, "%.*s%.*s",
					       STR_ARG(f->prefix),
					       STR_ARG(text)));
	}
}

/* The blocks that were asked for, and one that comes of itself. */
static const struct value *implicit(struct request *r,
				    const struct value *object,
				    const struct type *t)
{
	const struct value *blocks = value_get(object, STR("block"));
	size_t n = blocks && blocks->state == VALUE_KNOWN ? blocks->len : 0;
	const struct value **elems =
		ARENA_ARRAY(r->a, const struct value *, n + 1);

	for (size_t i = 0; i <= n; i++) {
		const struct value *name =
			i < n ? value_get(blocks->elems[i], STR("name"))
			      : value_string(r->a, STR("implicit"));

		elems[i] = value_object_of(r->a, t->elem, &name);
	}
	return value_list(r->a, t->elem, elems, n + 1);
}

static const struct value *make(struct request *r, const struct value *v,
				const struct value *object, struct str name)
{
	struct str text = STR("made");
	const struct value **elems;

	if (v->state == VALUE_UNKNOWN) {
		if (str_is(name, "implicit"))
			return implicit(r, object, v->type);
		if (str_is(name, "comp"))
			text = str_printf(r->a, "%.*scomp of %.*s",
					  STR_ARG(r->p->prefix),
					  STR_ARG(text_at(object, "name")));
		return made_up(r, v, v->type, text);
	}
	if (v->state != VALUE_KNOWN || !v->inner_unknown)
		return v;
	elems = ARENA_ARRAY(r->a, const struct value *, v->len);
	for (size_t i = 0; i < v->len; i++)
		elems[i] = v->type->kind == TYPE_OBJECT
				   ? make(r, v->elems[i], v,
					  v->type->attrs[i].name)
				   : make(r, v->elems[i], object, name);
	return value_rebuild(r->a, v, elems);
}

const struct value *life_apply(struct request *r, const struct value *planned,
			       struct str id)
{
	const struct value *v = planned;
	const struct value **elems;
	int i = type_attr_index(v->type, STR("id"));

	if (i >= 0 && v->state == VALUE_KNOWN &&
	    v->elems[i]->state == VALUE_UNKNOWN) {
		elems = ARENA_ARRAY(r->a, const struct value *, v->len);
		memcpy(elems, v->elems, v->len * sizeof(*elems));
		elems[i] = value_string(r->a, id);
		v = value_rebuild(r->a, v, elems);
	}
	return make(r, v, v, STR_NONE);
}

/* --- reading --- */

const struct value *life_normalize(struct arena *a, const struct value *was,
				   const struct value *is)
{
	const struct value **elems;

	if (nothing(is) || is->state != VALUE_KNOWN ||
	    is->type->kind != TYPE_OBJECT)
		return is;
	elems = ARENA_ARRAY(a, const struct value *, is->len);
	for (size_t i = 0; i < is->len; i++) {
		const struct value *before = partner(is, i, was);

		elems[i] = is->elems[i];
		if (str_is(is->type->attrs[i].name, "ci") &&
		    same_text(before, is->elems[i]))
			elems[i] = before;
	}
	return value_rebuild(a, is, elems);
}

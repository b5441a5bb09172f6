/*
 * compatible.c - is what a provider returned what was planned?
 *
 * Values that the plan knew must be the same; unknown ones may have become
 * anything that fits their type and refinements.
 */
#include "engine/object/objchange.h"
#include "engine/object/object_int.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/set.h"
#include "value/type.h"

struct cmp {
	struct arena *a;
	struct verror_vec *out;
	bool secret; /* values are not shown */
	bool again;  /* both are plans */
};

#define FAIL(at, ...) at_error(c->a, c->out, at, __VA_ARGS__)

static void cmp_block(struct cmp *c, const struct schema_block *b,
		      const struct value *planned, const struct value *actual,
		      const struct at *at);
static void cmp_value(struct cmp *c, const struct value *planned,
		      const struct value *actual, const struct at *at);

/* Does type t fit where `want` was planned (dynamic parts take anything)? */
static bool conforms(const struct type *t, const struct type *want)
{
	if (t == want || want->kind == TYPE_DYNAMIC)
		return true;
	if (t->kind != want->kind || !want->has_dynamic)
		return false;
	if (type_is_collection(t))
		return conforms(t->elem, want->elem);
	if (t->len != want->len)
		return false;
	for (size_t i = 0; i < t->len; i++) {
		if (t->kind == TYPE_TUPLE) {
			if (!conforms(t->elems[i], want->elems[i]))
				return false;
		} else if (!str_eq(t->attrs[i].name, want->attrs[i].name) ||
			   !conforms(t->attrs[i].type, want->attrs[i].type)) {
			return false;
		}
	}
	return true;
}

static const char *shown(const struct cmp *c, const struct value *v)
{
	return c->secret ? "(sensitive)" : objchange_brief(c->a, v);
}

/* --- sets --- */

typedef bool match_fn(struct cmp *c, const void *how,
		      const struct value *planned, const struct value *actual);

/* Elements that are known and in both match; they are found in one pass, both
 * sets being in set order. */
static void match_equal(const struct value *planned, const struct value *actual,
			bool *in_planned, bool *in_actual)
{
	size_t i = 0, k = 0;

	while (i < planned->len && k < actual->len) {
		int order = value_set_cmp(planned->elems[i], actual->elems[k]);

		if (order == 0 && value_wholly_known(planned->elems[i]) &&
		    value_equal_unmarked(planned->elems[i], actual->elems[k]))
			in_planned[i] = in_actual[k] = true;
		i += order <= 0;
		k += order >= 0;
	}
}

/* Each element of either set must match some element of the other: a planned
 * element with unknown parts may match several. */
static void cmp_set(struct cmp *c, const struct value *planned,
		    const struct value *actual, match_fn *match,
		    const void *how, const struct at *at)
{
	bool *p = ARENA_ARRAY(c->a, bool, planned->len);
	bool *q = ARENA_ARRAY(c->a, bool, actual->len);
	size_t before = c->out->len;

	match_equal(planned, actual, p, q);
	for (size_t i = 0; i < planned->len; i++) {
		if (p[i])
			continue;
		for (size_t k = 0; k < actual->len; k++)
			if (match(c, how, planned->elems[i], actual->elems[k]))
				p[i] = q[k] = true;
	}
	for (size_t i = 0; i < planned->len; i++)
		if (!p[i])
			FAIL(at, "planned set element %s is not in the result",
			     shown(c, planned->elems[i]));
	if (c->out->len > before)
		return; /* the other side would say the same again */
	for (size_t k = 0; k < actual->len; k++) {
		for (size_t i = 0; !q[k] && i < planned->len; i++)
			q[k] = match(c, how, planned->elems[i],
				     actual->elems[k]);
		if (!q[k])
			FAIL(at, "set element %s was not planned",
			     shown(c, actual->elems[k]));
	}
	/* Elements may fall together when they become known, not split. */
	if (planned->len < actual->len)
		FAIL(at, "length changed from %u to %u", planned->len,
		     actual->len);
}

static bool match_value(struct cmp *c, const void *how,
			const struct value *planned, const struct value *actual)
{
	struct verror_vec errors = { NULL, 0, 0 };
	struct cmp inner = { .a = c->a, .out = &errors, .again = c->again };

	(void)how;
	cmp_value(&inner, planned, actual, NULL);
	return errors.len == 0;
}

static bool match_block(struct cmp *c, const void *how,
			const struct value *planned, const struct value *actual)
{
	struct verror_vec errors = { NULL, 0, 0 };
	struct cmp inner = { .a = c->a, .out = &errors, .again = c->again };

	cmp_block(&inner, how, planned, actual, NULL);
	return errors.len == 0;
}

/* --- values --- */

static void cmp_element(struct cmp *c, const struct value *planned, uint32_t i,
			const struct value *actual, const struct at *at)
{
	const struct at here = at_element(at, planned, i);

	cmp_value(c, planned->elems[i], actual, &here);
}

static void cmp_indexed(struct cmp *c, const struct value *planned,
			const struct value *actual, const struct at *at)
{
	uint32_t longer =
		planned->len > actual->len ? planned->len : actual->len;

	for (uint32_t i = 0; i < longer; i++) {
		if (i >= actual->len)
			FAIL(at, "element %u has vanished", i);
		else if (i >= planned->len)
			FAIL(at, "new element %u has appeared", i);
		else
			cmp_element(c, planned, i, actual->elems[i], at);
	}
}

static void cmp_map(struct cmp *c, const struct value *planned,
		    const struct value *actual, const struct at *at)
{
	for (uint32_t i = 0; i < planned->len; i++) {
		const struct value *v = value_get(actual, planned->keys[i]);

		if (!v)
			FAIL(at, "element \"%.*s\" has vanished",
			     STR_ARG(planned->keys[i]));
		else
			cmp_element(c, planned, i, v, at);
	}
	for (size_t i = 0; i < actual->len; i++)
		if (!value_get(planned, actual->keys[i]))
			FAIL(at, "new element \"%.*s\" has appeared",
			     STR_ARG(actual->keys[i]));
}

static void cmp_object(struct cmp *c, const struct value *planned,
		       const struct value *actual, const struct at *at)
{
	for (uint32_t i = 0; i < planned->len; i++)
		cmp_element(c, planned, i, actual->elems[i], at);
}

static void cmp_known(struct cmp *c, const struct value *planned,
		      const struct value *actual, const struct at *at)
{
	switch (planned->type->kind) {
	case TYPE_LIST:
	case TYPE_TUPLE:
		cmp_indexed(c, planned, actual, at);
		break;
	case TYPE_MAP:
		cmp_map(c, planned, actual, at);
		break;
	case TYPE_OBJECT:
		cmp_object(c, planned, actual, at);
		break;
	case TYPE_SET:
		cmp_set(c, planned, actual, match_value, NULL, at);
		break;
	default:
		if (!value_equal_unmarked(planned, actual))
			FAIL(at, "was %s, but now %s",
			     objchange_brief(c->a, planned),
			     objchange_brief(c->a, actual));
	}
}

static void cmp_value(struct cmp *c, const struct value *planned,
		      const struct value *actual, const struct at *at)
{
	if (planned == actual)
		return;
	if (planned->type->kind == TYPE_DYNAMIC) {
		/* It was shown as null, whatever its type could be. */
		if (c->again && value_is_null(planned) &&
		    !value_is_null(actual))
			FAIL(at, "was null, but now %s",
			     objchange_brief(c->a, actual));
		return;
	}
	if (!conforms(actual->type, planned->type))
		FAIL(at, "wrong type: %.*s was planned, now %.*s",
		     STR_ARG(type_friendly(c->a, planned->type)),
		     STR_ARG(type_friendly(c->a, actual->type)));
	else if (!value_is_known(planned)) {
		if (!objchange_includes(c->a, planned, actual))
			FAIL(at,
			     "%s is not what the plan said of this unknown value",
			     objchange_brief(c->a, actual));
	} else if (value_is_null(actual)) {
		if (!value_is_null(planned))
			FAIL(at, "was %s, but now null",
			     objchange_brief(c->a, planned));
	} else if (value_is_null(planned)) {
		FAIL(at, "was null, but now %s", objchange_brief(c->a, actual));
	} else if (!value_is_known(actual)) {
		FAIL(at, "was known, but now unknown");
	} else {
		cmp_known(c, planned, actual, at);
	}
}

/* --- by schema --- */

static bool is_sensitive(const struct marks *m)
{
	return m && (m->bits & MARK_SENSITIVE);
}

static void cmp_attr(struct cmp *c, const struct schema_attr *attr,
		     const struct value *planned, const struct value *actual,
		     const struct at *at)
{
	const struct marks *p = NULL, *q = NULL;
	struct verror_vec errors = { NULL, 0, 0 };
	struct cmp inner = { .a = c->a, .out = &errors, .again = c->again };

	if (planned == actual)
		return;
	planned = value_unmark_deep(c->a, planned, &p);
	actual = value_unmark_deep(c->a, actual, &q);
	if (planned->type == actual->type && value_wholly_known(planned) &&
	    value_equal_unmarked(planned, actual))
		return;
	cmp_value(&inner, planned, actual, at);
	if (errors.len == 0)
		return;
	if (c->secret || is_sensitive(p) || is_sensitive(q) ||
	    schema_attr_any(attr, schema_attr_is_sensitive)) {
		FAIL(at,
		     "the value of a sensitive attribute is not as planned");
		return;
	}
	for (size_t i = 0; i < errors.len; i++)
		vec_push(c->a, c->out, errors.items[i]);
}

static void cmp_block_list(struct cmp *c, const struct schema_block *b,
			   const struct value *planned,
			   const struct value *actual, const struct at *at)
{
	if (planned->len != actual->len) {
		FAIL(at, "block count changed from %u to %u", planned->len,
		     actual->len);
		return;
	}
	for (uint32_t i = 0; i < planned->len; i++) {
		const struct at here = at_element(at, planned, i);

		cmp_block(c, b, planned->elems[i], actual->elems[i], &here);
	}
}

/* A map of blocks, or an object where the blocks have dynamic parts. */
static void cmp_block_map(struct cmp *c, const struct schema_block *b,
			  const struct value *planned,
			  const struct value *actual, const struct at *at)
{
	bool object = planned->type->kind == TYPE_OBJECT;

	if (!object && planned->len != actual->len) {
		FAIL(at, "block count changed from %u to %u", planned->len,
		     actual->len);
		return;
	}
	for (uint32_t i = 0; i < planned->len; i++) {
		struct str key = objchange_element_key(planned, i);
		const struct at here = at_element(at, planned, i);
		const struct value *v = value_get(actual, key);

		if (v)
			cmp_block(c, b, planned->elems[i], v, &here);
		else
			FAIL(at, "block key \"%.*s\" has vanished",
			     STR_ARG(key));
	}
	for (size_t i = 0; i < actual->len; i++)
		if (!value_get(planned, objchange_element_key(actual, i)))
			FAIL(at, "new block key \"%.*s\" has appeared",
			     STR_ARG(objchange_element_key(actual, i)));
}

/* Elements are told of whole. */
static void cmp_block_set(struct cmp *c, const struct schema_block *b,
			  const struct value *planned,
			  const struct value *actual, const struct at *at)
{
	c->secret |= schema_any(b, schema_attr_is_sensitive);
	cmp_set(c, planned, actual, match_block, b, at);
}

static void cmp_nested(struct cmp *c, const struct schema_nested *n,
		       const struct value *planned, const struct value *actual,
		       const struct at *at)
{
	const struct marks *p, *q;
	struct cmp inner = *c;

	planned = value_unmark(c->a, planned, &p);
	actual = value_unmark(c->a, actual, &q);
	inner.secret |= is_sensitive(p) || is_sensitive(q);
	if (nesting_single(n->nesting)) {
		/* a dynamic block of unknown number may give none */
		if (value_is_known(planned) || !value_is_null(actual))
			cmp_block(&inner, n->block, planned, actual, at);
		return;
	}
	if (!value_usable(planned) || !value_usable(actual))
		return;
	if (n->nesting == NESTING_LIST)
		cmp_block_list(&inner, n->block, planned, actual, at);
	else if (n->nesting == NESTING_MAP)
		cmp_block_map(&inner, n->block, planned, actual, at);
	else
		cmp_block_set(&inner, n->block, planned, actual, at);
}

static void cmp_block(struct cmp *c, const struct schema_block *b,
		      const struct value *planned, const struct value *actual,
		      const struct at *at)
{
	struct members m = {
		.a = c->a, .block = b, .of = { planned, actual }, .at.up = at
	};

	if (value_is_null(planned) != value_is_null(actual)) {
		FAIL(at,
		     value_is_null(planned) ? "%swas absent, but now present"
					    : "%swas present, but now absent",
		     at ? "" : "the object ");
		return;
	}
	if (value_is_null(planned) || planned == actual)
		return;
	while (members_next(&m)) {
		if (m.attr)
			cmp_attr(c, m.attr, m.v[0], m.v[1], &m.at);
		else
			cmp_nested(c, m.nested, m.v[0], m.v[1], &m.at);
	}
}

void object_compatible(struct arena *a, const struct schema_block *b,
		       const struct value *planned, const struct value *actual,
		       struct verror_vec *out)
{
	struct cmp c = { .a = a, .out = out };

	cmp_block(&c, b, planned, actual, NULL);
}

void object_plans_compatible(struct arena *a, const struct schema_block *b,
			     const struct value *planned,
			     const struct value *again, struct verror_vec *out)
{
	struct cmp c = { .a = a, .out = out, .again = true };

	cmp_block(&c, b, planned, again, NULL);
}

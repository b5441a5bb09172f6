/*
 * sensitive_funcs.c - ephemeralasnull, issensitive, nonsensitive, sensitive
 */
#include "funcs/funcs_int.h"
#include "value/marks.h"
#include "value/value.h"

#define MARK_PARAMS \
	PARAMS({ "value", &type_dynamic, PARAM_ANY | PARAM_MARKED, NULL })

static const struct type *type_of_value(struct func_call *c)
{
	return c->args[0]->type;
}

static const struct value *do_sensitive(struct func_call *c)
{
	return value_with_marks(c->arena, c->args[0], &marks_sensitive);
}

const struct func func_sensitive = {
	.name = "sensitive",
	.description = "The value, marked as sensitive.",
	.params = MARK_PARAMS,
	.result_type = type_of_value,
	.impl = do_sensitive,
	.flags = FUNC_NULLABLE,
};

/* v without the given marks of its own; those inside stay. */
static const struct value *drop_marks(struct arena *a, const struct value *v,
				      unsigned bits)
{
	const struct marks *own;
	struct marks *left;

	v = value_unmark(a, v, &own);
	if (!own || !(own->bits & ~bits))
		return v;
	left = arena_dup(a, own, sizeof(*own));
	left->bits &= ~bits;
	return value_with_marks(a, v, left);
}

static const struct value *do_nonsensitive(struct func_call *c)
{
	return drop_marks(c->arena, c->args[0], MARK_SENSITIVE);
}

const struct func func_nonsensitive = {
	.name = "nonsensitive",
	.description =
		"The value, no longer marked as sensitive: it will be shown.",
	.params = MARK_PARAMS,
	.result_type = type_of_value,
	.impl = do_nonsensitive,
	.flags = FUNC_NULLABLE,
};

/* Unknown for an unknown value: its mark may still go away. */
static const struct value *do_issensitive(struct func_call *c)
{
	if (!value_is_known(c->args[0]))
		return func_unknown(c, &type_bool);
	return value_bool(value_has_mark(c->args[0], MARK_SENSITIVE));
}

const struct func func_issensitive = {
	.name = "issensitive",
	.description = "Is the value marked as sensitive?",
	.params = MARK_PARAMS,
	.result = &type_bool,
	.impl = do_issensitive,
};

/* The type of a null in place of v: without the names of attributes, which may
 * be ephemeral, too, as in { (ephemeral.x.y) = 1 }, and would be kept with the
 * null.  OpenTofu keeps them. */
static const struct type *null_type(const struct value *v, bool element)
{
	const struct type *t = v->type;

	while (type_is_collection(t))
		t = t->elem;
	return element || (t->kind != TYPE_OBJECT && t->kind != TYPE_TUPLE)
		       ? v->type
		       : &type_dynamic;
}

/* element: of a collection, whose elements have its type. */
static const struct value *ephemeral_as_null(struct arena *a,
					     const struct value *v,
					     bool element);

/* v, a known container, rebuilt of its elements without ephemeral ones. */
static const struct value *elements_as_null(struct arena *a,
					    const struct value *v)
{
	const struct value **items = arena_alloc(a, v->len * sizeof(*items));

	for (uint32_t i = 0; i < v->len; i++)
		items[i] = ephemeral_as_null(a, v->elems[i],
					     type_is_collection(v->type));
	return value_rebuild(a, v, items);
}

/* Values nest no deeper than the parsers that made them allow. */
static const struct value *ephemeral_as_null(struct arena *a,
					     const struct value *v,
					     bool element)
{
	const struct value *bare = drop_marks(a, v, MARK_EPHEMERAL);
	const struct type *t = v->type;

	if (value_has_mark(v, MARK_EPHEMERAL))
		t = null_type(v, element);
	if (!value_is_known(v))
		return value_with_marks(a, value_unknown(a, t), bare->marks);
	if (value_has_mark(v, MARK_EPHEMERAL))
		return value_with_marks(a, value_null(a, t), bare->marks);
	if (value_is_null(v))
		return bare;
	if (type_is_primitive(v->type) ||
	    (!v->inner_marks && !v->inner_unknown))
		return v;
	return elements_as_null(a, v);
}

static const struct value *do_ephemeralasnull(struct func_call *c)
{
	return ephemeral_as_null(c->arena, c->args[0], false);
}

const struct func func_ephemeralasnull = {
	.name = "ephemeralasnull",
	.description = "The value with null in place of everything ephemeral.",
	.params = MARK_PARAMS,
	.result_type = type_of_value,
	.impl = do_ephemeralasnull,
	.flags = FUNC_NULLABLE,
};

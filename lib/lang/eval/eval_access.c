/*
 * eval_access.c - attribute and index access on values, on every type, with
 * the language's rules for null, unknown and marked ones
 */
#include "lang/eval/eval.h"
#include "lang/eval/eval_int.h"
#include "value/convert.h"
#include "value/number.h"
#include "value/type.h"

static const char unsupported[] = "Unsupported attribute";
static const char invalid_index[] = "Invalid index";

static const struct value *miss(struct access_error *err, const char *summary,
				struct str detail)
{
	err->summary = summary;
	err->detail = detail;
	return NULL;
}

/* An unknown of type t, marked as v is. */
static const struct value *unknown_like(struct arena *a, const struct type *t,
					const struct value *v)
{
	const struct value *u = t == &type_dynamic ? &value_unknown_dynamic
						   : value_unknown(a, t);

	return marked(a, u, v->marks);
}

static const struct value *no_attrs(struct arena *a, const struct type *t,
				    struct str name, struct access_error *err)
{
	if (t->kind == TYPE_LIST && t->elem->kind == TYPE_OBJECT) {
		if (type_attr_index(t->elem, name) >= 0)
			return miss(
				err, unsupported,
				str_printf(
					a,
					"This is a list of objects: select one element"
					" to get its attribute \"%.*s\", or use a splat"
					" to get that of all elements.",
					STR_ARG(name)));
		return miss(
			err, unsupported,
			STR("This is a list of objects: select one element to get"
			    " its attributes, or use a splat to get those of all"
			    " elements."));
	}
	if (t->kind == TYPE_SET && t->elem->kind == TYPE_OBJECT)
		return miss(
			err, unsupported,
			STR("This is a set of objects: only all of its elements"
			    " together have attributes to access."));
	if (type_is_primitive(t))
		return miss(err, unsupported,
			    str_printf(a, "A %.*s has no attributes.",
				       STR_ARG(type_friendly(a, t))));
	return miss(err, unsupported, STR("This value has no attributes."));
}

const struct value *access_attr(struct arena *a, const struct value *v,
				struct str name, struct access_error *err)
{
	const struct type *t = v->type;
	const struct value *got;
	int i;

	if (value_is_null(v))
		return miss(err, "Attempt to get attribute from null value",
			    STR("A null value has no attributes."));
	switch (t->kind) {
	case TYPE_OBJECT:
		i = type_attr_index(t, name);
		if (i < 0)
			return miss(
				err, unsupported,
				str_printf(
					a,
					"This object has no attribute \"%.*s\".",
					STR_ARG(name)));
		if (!value_is_known(v))
			return unknown_like(a, t->attrs[i].type, v);
		return marked(a, v->elems[i], v->marks);
	case TYPE_MAP:
		if (!value_is_known(v))
			return unknown_like(a, t->elem, v);
		got = value_get(v, name);
		if (!got)
			return miss(
				err, "Missing map element",
				str_printf(
					a,
					"This map has no element with the key \"%.*s\".",
					STR_ARG(name)));
		return marked(a, got, v->marks);
	case TYPE_DYNAMIC:
		return marked(a, &value_unknown_dynamic, v->marks);
	default:
		return no_attrs(a, t, name, err);
	}
}

/* A known key that no element of the sequence v has: why? */
static const struct value *bad_position(const struct value *v,
					const struct value *key, size_t len,
					struct access_error *err)
{
	int64_t i;

	if (!number_is_integer(key))
		return miss(
			err, invalid_index,
			STR("An index must be a whole number, and this one has a fractional part."));
	if (number_sign(key) < 0)
		return miss(err, invalid_index,
			    STR("An index must not be negative."));
	/* Does not show the length of a marked sequence. */
	if (v->marks || !value_get_int(key, &i))
		return miss(
			err, invalid_index,
			STR("The given key is not that of an element of this collection."));
	if (len == 0)
		return miss(err, invalid_index,
			    STR("The collection has no elements."));
	return miss(
		err, invalid_index,
		STR("The given index is not less than the length of the collection."));
}

static const struct value *index_sequence(struct arena *a,
					  const struct value *v,
					  const struct value *key,
					  struct access_error *err)
{
	const struct type *t = v->type;
	bool known = value_is_known(v), tuple = t->kind == TYPE_TUPLE;
	const struct marks *km;
	const struct value *got;
	size_t len;
	int64_t i;

	key = unmarked(a, key, &km);
	if (!value_is_known(key) || (!tuple && !known))
		return unknown_like(a, tuple ? &type_dynamic : t->elem, v);
	len = tuple ? t->len : v->len;
	if (!value_get_int(key, &i) || i < 0 || (uint64_t)i >= len)
		return bad_position(v, key, len, err);
	got = known ? v->elems[i] : value_unknown(a, t->elems[i]);
	return marked(a, got, marks_join(a, v->marks, km));
}

static const struct value *index_map(struct arena *a, const struct value *v,
				     const struct value *key,
				     struct access_error *err)
{
	const struct marks *km;
	const struct value *got;

	key = unmarked(a, key, &km);
	if (!value_is_known(key) || !value_is_known(v))
		return unknown_like(a, v->type->elem, v);
	got = value_get(v, key->string);
	if (!got)
		return miss(
			err, invalid_index,
			STR("The given key is not that of an element of this collection."));
	return marked(a, got, marks_join(a, v->marks, km));
}

static const struct value *index_object(struct arena *a, const struct value *v,
					const struct value *key,
					bool was_number,
					struct access_error *err)
{
	const struct marks *km;
	int i;

	key = unmarked(a, key, &km);
	if (!value_is_known(key) || !value_is_known(v))
		return unknown_like(a, &type_dynamic, v);
	i = type_attr_index(v->type, key->string);
	if (i >= 0)
		return marked(a, v->elems[i], v->marks);
	if (was_number)
		return miss(
			err, invalid_index,
			STR("The attributes of an object are found by name, not by number."));
	return miss(
		err, invalid_index,
		STR("The given key is not that of an attribute of this object."));
}

const struct value *access_index(struct arena *a, const struct value *v,
				 const struct value *key,
				 struct access_error *err)
{
	const struct type *t = v->type, *want;
	struct verror why = { 0 };
	bool was_number = key->type == &type_number;

	if (value_is_null(v))
		return miss(err, "Attempt to index null value",
			    STR("A null value has no elements."));
	if (value_is_null(key))
		return miss(err, invalid_index, STR("A key must not be null."));
	if (t == &type_dynamic || key->type == &type_dynamic)
		return marked(a, &value_unknown_dynamic, v->marks);
	if (t->kind == TYPE_SET)
		return miss(
			err, invalid_index,
			STR("The elements of a set have no index or key: only all"
			    " of them can be used together."));
	if (type_is_primitive(t))
		return miss(err, invalid_index,
			    STR("This value has no elements."));
	want = t->kind == TYPE_LIST || t->kind == TYPE_TUPLE ? &type_number
							     : &type_string;
	if (key->type != want)
		key = convert(a, key, want, &why);
	if (!key)
		return miss(
			err, invalid_index,
			str_printf(
				a,
				"The given key does not fit this collection: %.*s.",
				STR_ARG(verror_text(a, &why))));
	if (want == &type_number)
		return index_sequence(a, v, key, err);
	if (t->kind == TYPE_MAP)
		return index_map(a, v, key, err);
	return index_object(a, v, key, was_number, err);
}

const struct value *eval_get_attr(struct arena *a, const struct value *v,
				  struct str name, const struct range *at,
				  struct diags *ds)
{
	struct access_error err;
	const struct value *got = access_attr(a, v, name, &err);

	if (got)
		return got;
	diag_error(ds, at, err.summary, "%.*s", STR_ARG(err.detail));
	return &value_unknown_dynamic;
}

const struct value *eval_get_index(struct arena *a, const struct value *v,
				   const struct value *key,
				   const struct range *at, struct diags *ds)
{
	struct access_error err;
	const struct value *got = access_index(a, v, key, &err);

	if (got)
		return got;
	diag_error(ds, at, err.summary, "%.*s", STR_ARG(err.detail));
	return &value_unknown_dynamic;
}

/*
 * codec_json_read.c - values from JSON
 *
 * One reader serves plain JSON and the stream's encoding, which says beside
 * the JSON what is unknown or sensitive (struct overlay).  Recursion is
 * bounded by the depth of the JSON.
 */
#include <stdio.h>

#include "value/codec_json.h"
#include "json/tree.h"
#include "value/value_int.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/set.h"
#include "value/string.h"
#include "value/type.h"

static const struct value *read_value(struct conversion *c,
				      const struct frame *at,
				      const struct json *j,
				      const struct type *t, struct overlay *o);

static const struct value *fail(struct conversion *c, const struct frame *at,
				const char *message)
{
	return convert_fail(c, at, str_c(message));
}

/* --- primitive values --- */

static const struct value *read_bool(struct conversion *c,
				     const struct frame *at,
				     const struct json *j)
{
	if (j->kind == JSON_BOOL)
		return value_bool(j->boolean);
	if (j->kind == JSON_STRING &&
	    (str_is(j->text, "true") || str_is(j->text, "1")))
		return &value_true;
	if (j->kind == JSON_STRING &&
	    (str_is(j->text, "false") || str_is(j->text, "0")))
		return &value_false;
	return fail(c, at,
		    j->kind == JSON_STRING ? "a bool is required"
					   : "bool is required");
}

static const struct value *read_number(struct conversion *c,
				       const struct frame *at,
				       const struct json *j)
{
	const struct value *v;

	if (j->kind != JSON_NUMBER && j->kind != JSON_STRING)
		return fail(c, at, "number is required");
	v = value_number_parse(c->arena, j->text);
	return v ? v : fail(c, at, "a number is required");
}

static const struct value *read_string(struct conversion *c,
				       const struct frame *at,
				       const struct json *j)
{
	if (j->kind == JSON_STRING || j->kind == JSON_NUMBER)
		return value_string(c->arena, j->text);
	if (j->kind == JSON_BOOL)
		return value_string(c->arena,
				    j->boolean ? STR("true") : STR("false"));
	return fail(c, at, "string is required");
}

/* --- composite values --- */

static struct overlay *below_index(struct overlay *o, uint32_t i)
{
	char text[16];
	int n;

	if (!o || !o->below.len)
		return NULL;
	n = snprintf(text, sizeof(text), "%u", (unsigned)i);
	return map_get(&o->below, (struct str){ text, (size_t)n });
}

static struct overlay *below_name(struct overlay *o, struct str name)
{
	return o ? map_get(&o->below, name) : NULL;
}

static const struct value *made(struct conversion *c, const struct frame *at,
				const struct value *v)
{
	return v ? v : fail(c, at, "all elements must have the same type");
}

static const struct value *read_sequence(struct conversion *c,
					 const struct frame *at,
					 const struct json *j,
					 const struct type *t,
					 struct overlay *o)
{
	const struct value **elems;
	bool tuple = t->kind == TYPE_TUPLE;

	if (j->kind != JSON_ARRAY)
		return fail(c, at,
			    tuple                 ? "a tuple is required"
			    : t->kind == TYPE_SET ? "a set is required"
						  : "a list is required");
	if (tuple && j->len != t->len)
		return fail(c, at,
			    arena_printf(c->arena,
					 "a tuple of length %u is required",
					 (unsigned)t->len));
	elems = arena_alloc(c->arena, j->len * sizeof(*elems));
	for (uint32_t i = 0; i < j->len; i++) {
		struct frame here = frame_index(at, i);

		elems[i] = read_value(c, &here, &j->items[i],
				      tuple ? t->elems[i] : t->elem,
				      below_index(o, i));
		if (!elems[i])
			return NULL;
	}
	if (t->kind != TYPE_SET && (!t->has_dynamic || !j->len))
		return value_of_elems(c->arena, t, elems, j->len);
	if (tuple)
		return value_tuple(c->arena, elems, j->len);
	if (!t->has_dynamic || !j->len)
		return value_set(c->arena, t->elem, elems, j->len);
	return made(c, at,
		    t->kind == TYPE_SET
			    ? value_make_set(c->arena, elems, j->len)
			    : value_make_list(c->arena, elems, j->len));
}

static const struct value *read_map(struct conversion *c,
				    const struct frame *at,
				    const struct json *j, const struct type *t,
				    struct overlay *o)
{
	const struct value **elems;
	struct str *keys;

	if (j->kind != JSON_OBJECT)
		return fail(c, at, "a map is required");
	elems = arena_alloc(c->arena, j->len * sizeof(*elems));
	keys = arena_alloc(c->arena, j->len * sizeof(*keys));
	for (uint32_t i = 0; i < j->len; i++) {
		struct frame here = frame_key(at, j->members[i].name);

		keys[i] = j->members[i].name;
		elems[i] = read_value(c, &here, &j->members[i].value, t->elem,
				      below_name(o, keys[i]));
		if (!elems[i])
			return NULL;
	}
	if (!t->has_dynamic || !j->len)
		return value_map(c->arena, t->elem, keys, elems, j->len);
	return made(c, at, value_make_map(c->arena, keys, elems, j->len));
}

static const struct value *unsupported(struct conversion *c,
				       const struct frame *at, struct str name)
{
	struct buf b = BUF_INIT;
	struct str text;

	buf_puts(&b, "unsupported attribute ");
	str_quote(&b, name);
	text = buf_dup(c->arena, &b);
	buf_release(&b);
	return convert_fail(c, at, text);
}

static const struct value *object_from(struct arena *a, const struct type *t,
				       const struct value **elems)
{
	struct str *names;

	for (uint32_t i = 0; i < t->len; i++) {
		if (!elems[i])
			elems[i] = value_null(a, t->attrs[i].type);
	}
	if (!t->has_dynamic)
		return value_of_elems(a, t, elems, t->len);
	names = arena_alloc(a, t->len * sizeof(*names));
	for (uint32_t i = 0; i < t->len; i++)
		names[i] = t->attrs[i].name;
	return value_object(a, names, elems, t->len);
}

static const struct value *read_object(struct conversion *c,
				       const struct frame *at,
				       const struct json *j,
				       const struct type *t, struct overlay *o)
{
	const struct value **elems;

	if (j->kind != JSON_OBJECT)
		return fail(c, at, "an object is required");
	elems = arena_alloc0(c->arena, t->len * sizeof(*elems));
	for (uint32_t i = 0; i < j->len; i++) {
		struct str name = str_nfc(c->arena, j->members[i].name);
		struct frame here = frame_attr(at, name);
		int to = type_attr_index(t, name);

		if (to < 0)
			return unsupported(c, at, name);
		elems[to] = read_value(c, &here, &j->members[i].value,
				       t->attrs[to].type, below_name(o, name));
		if (!elems[to])
			return NULL;
	}
	return object_from(c->arena, t, elems);
}

static const struct value *read_dynamic(struct conversion *c,
					const struct frame *at,
					const struct json *j, struct overlay *o)
{
	const struct json *value = json_get(j, "value");
	const struct json *type = json_get(j, "type");
	const struct type *t = NULL;

	if (type)
		t = type_from_json(c->arena, type);
	if (!value || !t)
		return fail(c, at, "a value with its type is required");
	return read_value(c, at, value, type_without_optional(t), o);
}

static const struct value *read_known(struct conversion *c,
				      const struct frame *at,
				      const struct json *j,
				      const struct type *t, struct overlay *o)
{
	if (j->kind == JSON_NULL)
		return value_null(c->arena, t);
	switch (t->kind) {
	case TYPE_DYNAMIC:
		return read_dynamic(c, at, j, o);
	case TYPE_BOOL:
		return read_bool(c, at, j);
	case TYPE_NUMBER:
		return read_number(c, at, j);
	case TYPE_STRING:
		return read_string(c, at, j);
	case TYPE_MAP:
		return read_map(c, at, j, t, o);
	case TYPE_OBJECT:
		return read_object(c, at, j, t, o);
	default:
		return read_sequence(c, at, j, t, o);
	}
}

static const struct value *read_value(struct conversion *c,
				      const struct frame *at,
				      const struct json *j,
				      const struct type *t, struct overlay *o)
{
	const struct value *v;

	if (!o)
		return read_known(c, at, j, t, NULL);
	o->used = true;
	if (o->unknown) {
		v = codec_read_unknown(c->arena, o->unknown, t);
		if (!v)
			return fail(
				c, at,
				"an invalid description of what is unknown");
	} else {
		v = read_known(c, at, j, t, o);
	}
	return v && o->sensitive
		       ? value_with_marks(c->arena, v, &marks_sensitive)
		       : v;
}

const struct value *codec_read(struct arena *a, const struct json *j,
			       const struct type *t, struct overlay *o,
			       struct verror *err)
{
	struct conversion c = { a, err };

	return read_value(&c, NULL, j, t, o);
}

const struct value *value_from_json(struct arena *a, const struct json *j,
				    const struct type *t, struct verror *err)
{
	return codec_read(a, j, type_without_optional(t), NULL, err);
}

/* --- types and values implied by the JSON --- */

static const struct value *implied_tuple(struct arena *a, const struct json *j)
{
	const struct value **elems = arena_alloc(a, j->len * sizeof(*elems));

	for (uint32_t i = 0; i < j->len; i++) {
		elems[i] = value_from_json_implied(a, &j->items[i]);
		if (!elems[i])
			return NULL;
	}
	return value_tuple(a, elems, j->len);
}

/* Of members with one name the last counts, but they must agree in type. */
static bool types_agree(struct arena *a, const struct value *object,
			const struct str *names,
			const struct value *const *elems, uint32_t n)
{
	if (object->len == n)
		return true;
	for (uint32_t i = 0; i < n; i++) {
		const struct value *v = value_get(object, str_nfc(a, names[i]));

		if (v->type != elems[i]->type)
			return false;
	}
	return true;
}

static const struct value *implied_object(struct arena *a, const struct json *j)
{
	const struct value **elems = arena_alloc(a, j->len * sizeof(*elems));
	struct str *names = arena_alloc(a, j->len * sizeof(*names));
	const struct value *v;

	for (uint32_t i = 0; i < j->len; i++) {
		names[i] = j->members[i].name;
		elems[i] = value_from_json_implied(a, &j->members[i].value);
		if (!elems[i])
			return NULL;
	}
	v = value_object(a, names, elems, j->len);
	return types_agree(a, v, names, elems, j->len) ? v : NULL;
}

const struct value *value_from_json_implied(struct arena *a,
					    const struct json *j)
{
	switch (j->kind) {
	case JSON_NULL:
		return &value_null_dynamic;
	case JSON_BOOL:
		return value_bool(j->boolean);
	case JSON_NUMBER:
		return value_number_parse(a, j->text);
	case JSON_STRING:
		return value_string(a, j->text);
	case JSON_ARRAY:
		return implied_tuple(a, j);
	default:
		return implied_object(a, j);
	}
}

const struct type *type_of_json(struct arena *a, const struct json *j)
{
	const struct value *v = value_from_json_implied(a, j);

	return v ? v->type : NULL;
}

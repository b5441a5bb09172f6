/* codec_json.c - values as plain JSON; see codec.h */
#include "value/codec_int.h"
#include "value/value_int.h"

/* --- writing --- */

static void write_value(struct jw *w, const struct value *v,
			const struct type *t, bool omit);

static void write_dynamic(struct jw *w, const struct value *v)
{
	jw_object(w);
	jw_key(w, "value");
	write_value(w, v, v->type, false);
	jw_key(w, "type");
	type_to_json(w, v->type);
	jw_object_end(w);
}

static void write_number(struct jw *w, const struct value *v)
{
	struct arena a = ARENA_INIT;

	if (!v->big)
		jw_int(w, v->integer);
	else
		jw_raw(w, value_number_text(&a, v));
	arena_release(&a);
}

/* The type constraint at an element: t's where t is of v's kind. */
static const struct type *elem_type(const struct value *v,
				    const struct type *t, uint32_t i)
{
	const struct type *own = v->type;

	if (t->kind != own->kind)
		t = own;
	switch (t->kind) {
	case TYPE_TUPLE:
		return i < t->len ? t->elems[i] : v->elems[i]->type;
	case TYPE_OBJECT:
		if (t != own) {
			int at = type_attr_index(t, own->attrs[i].name);

			return at < 0 ? v->elems[i]->type
				      : t->attrs[at].type;
		}
		return t->attrs[i].type;
	default:
		return t->elem;
	}
}

static bool is_unknown(const struct value *v)
{
	return v->state == VALUE_UNKNOWN;
}

static void write_members(struct jw *w, const struct value *v,
			  const struct type *t, bool omit)
{
	bool map = v->type->kind == TYPE_MAP;

	jw_object(w);
	for (uint32_t i = 0; i < v->len; i++) {
		if (omit && is_unknown(v->elems[i]))
			continue;
		jw_key_str(w, map ? v->keys[i] : v->type->attrs[i].name);
		write_value(w, v->elems[i], elem_type(v, t, i), omit);
	}
	jw_object_end(w);
}

static void write_value(struct jw *w, const struct value *v,
			const struct type *t, bool omit)
{
	if (t->kind == TYPE_DYNAMIC && v->type->kind != TYPE_DYNAMIC &&
	    !omit) {
		write_dynamic(w, v);
		return;
	}
	if (!value_usable(v)) {
		jw_null(w);
		return;
	}
	switch (v->type->kind) {
	case TYPE_BOOL:
		jw_bool(w, v->boolean);
		break;
	case TYPE_NUMBER:
		write_number(w, v);
		break;
	case TYPE_STRING:
		jw_str(w, v->string);
		break;
	case TYPE_MAP:
	case TYPE_OBJECT:
		write_members(w, v, t, omit);
		break;
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_TUPLE:
		jw_array(w);
		for (uint32_t i = 0; i < v->len; i++)
			write_value(w, v->elems[i], elem_type(v, t, i), omit);
		jw_array_end(w);
		break;
	case TYPE_DYNAMIC:
		jw_null(w);
	}
}

void value_to_json(struct jw *w, const struct value *v, const struct type *t)
{
	write_value(w, v, t ? t : v->type, false);
}

void value_known_json(struct jw *w, const struct value *v)
{
	write_value(w, v, v->type, true);
}

/* --- reading --- */

static const struct value *fail(struct arena *a, struct verror *err,
				const char *message)
{
	*err = (struct verror){ { NULL, 0 }, str_c(arena_strdup(a, message)) };
	return NULL;
}

/* On the way out of a failure: the path grows at its front. */
static const struct value *failed_at(struct arena *a, struct verror *err,
				     struct path_step step)
{
	size_t n = err->path.len;
	struct path_step *steps = ARENA_ARRAY(a, struct path_step, n + 1);

	steps[0] = step;
	if (n)
		memcpy(steps + 1, err->path.steps, n * sizeof(*steps));
	err->path = (struct path){ steps, n + 1 };
	return NULL;
}

static struct overlay below(struct arena *a, const struct overlay *o,
			    struct str key, uint32_t index, bool by_key)
{
	struct overlay out = { NULL, 0, 0 };
	const struct json **kept;

	if (!o || !o->n)
		return out;
	kept = ARENA_ARRAY(a, const struct json *, o->n);
	out.depth = o->depth + 1;
	for (size_t i = 0; i < o->n; i++) {
		const struct json *path = json_get(o->entries[i], "path");
		const struct json *s;

		if (!path || path->kind != JSON_ARRAY ||
		    path->len <= o->depth)
			continue;
		s = &path->items[o->depth];
		if (by_key ? s->kind == JSON_STRING && str_eq(s->text, key)
			   : s->kind == JSON_NUMBER &&
				     str_is(s->text,
					    arena_printf(a, "%u", index)))
			kept[out.n++] = o->entries[i];
	}
	out.entries = kept;
	return out;
}

static const struct value *read_bool(struct arena *a, const struct json *j,
				     struct verror *err)
{
	if (j->kind == JSON_BOOL)
		return value_bool(j->boolean);
	if (j->kind == JSON_STRING && str_is(j->text, "true"))
		return &value_true;
	if (j->kind == JSON_STRING && str_is(j->text, "false"))
		return &value_false;
	return fail(a, err, "a bool is required");
}

static const struct value *read_primitive(struct arena *a,
					  const struct json *j,
					  const struct type *t,
					  struct verror *err)
{
	const struct value *v = NULL;

	if (t->kind == TYPE_BOOL)
		return read_bool(a, j, err);
	if (t->kind == TYPE_NUMBER) {
		if (j->kind == JSON_NUMBER || j->kind == JSON_STRING)
			v = value_number_parse(a, j->text);
		return v ? v : fail(a, err, "a number is required");
	}
	if (j->kind == JSON_STRING)
		return value_string(a, j->text);
	if (j->kind == JSON_NUMBER) {
		v = value_number_parse(a, j->text);
		return value_string(a, v ? value_number_text(a, v) : j->text);
	}
	if (j->kind == JSON_BOOL)
		return value_string(a, j->boolean ? STR("true")
						  : STR("false"));
	return fail(a, err, "a string is required");
}

static const struct value *read_sequence(struct arena *a,
					 const struct json *j,
					 const struct type *t,
					 const struct overlay *o,
					 struct verror *err)
{
	const struct value **elems;

	if (j->kind != JSON_ARRAY)
		return fail(a, err, t->kind == TYPE_TUPLE ? "a tuple is required"
				    : t->kind == TYPE_SET ? "a set is required"
							  : "a list is required");
	if (t->kind == TYPE_TUPLE && j->len != t->len)
		return fail(a, err,
			    arena_printf(a, "tuple of length %u is required",
					 t->len));
	elems = ARENA_ARRAY(a, const struct value *, j->len);
	for (uint32_t i = 0; i < j->len; i++) {
		struct overlay sub = below(a, o, STR_NONE, i, false);

		elems[i] = codec_read(a, &j->items[i],
				      t->kind == TYPE_TUPLE ? t->elems[i]
							    : t->elem,
				      &sub, err);
		if (!elems[i])
			return failed_at(a, err,
					 (struct path_step){
						 STR_NONE, value_int(a, i) });
	}
	if (t->kind == TYPE_TUPLE)
		return value_tuple(a, elems, j->len);
	if (t->kind == TYPE_SET)
		return value_set(a, t->elem, elems, j->len);
	return value_list(a, t->elem, elems, j->len);
}

static const struct value *read_map(struct arena *a, const struct json *j,
				    const struct type *t,
				    const struct overlay *o,
				    struct verror *err)
{
	const struct value **elems;
	struct str *keys;

	if (j->kind != JSON_OBJECT)
		return fail(a, err, "a map is required");
	elems = ARENA_ARRAY(a, const struct value *, j->len);
	keys = ARENA_ARRAY(a, struct str, j->len);
	for (uint32_t i = 0; i < j->len; i++) {
		struct overlay sub =
			below(a, o, j->members[i].name, 0, true);

		keys[i] = value_string(a, j->members[i].name)->string;
		elems[i] = codec_read(a, &j->members[i].value, t->elem, &sub,
				      err);
		if (!elems[i])
			return failed_at(a, err,
					 (struct path_step){
						 STR_NONE,
						 value_string(a, keys[i]) });
	}
	return value_map(a, t->elem, keys, elems, j->len);
}

static const struct value *read_object(struct arena *a, const struct json *j,
				       const struct type *t,
				       const struct overlay *o,
				       struct verror *err)
{
	const struct value **elems;
	struct str *names;

	if (j->kind != JSON_OBJECT)
		return fail(a, err, "an object is required");
	elems = ARENA_ARRAY(a, const struct value *, t->len);
	for (uint32_t i = 0; i < j->len; i++) {
		struct str name = j->members[i].name;
		struct overlay sub = below(a, o, name, 0, true);
		int at = type_attr_index(t, name);

		if (at < 0)
			return fail(a, err,
				    arena_printf(a, "unsupported attribute "
						 "\"%.*s\"", STR_ARG(name)));
		elems[at] = codec_read(a, &j->members[i].value,
				       t->attrs[at].type, &sub, err);
		if (!elems[at])
			return failed_at(a, err,
					 (struct path_step){ name, NULL });
	}
	for (uint32_t i = 0; i < t->len; i++)
		if (!elems[i])
			elems[i] = value_null(a, t->attrs[i].type);
	if (!t->has_dynamic)
		return value_object_of(a, t, elems);
	names = ARENA_ARRAY(a, struct str, t->len);
	for (uint32_t i = 0; i < t->len; i++)
		names[i] = t->attrs[i].name;
	return value_object(a, names, elems, t->len);
}

static const struct value *read_dynamic(struct arena *a, const struct json *j,
					const struct overlay *o,
					struct verror *err)
{
	const struct json *inner = json_get(j, "value");
	const struct type *t = type_from_json(a, json_get(j, "type"));

	if (j->kind != JSON_OBJECT || !inner || !t)
		return fail(a, err, "a value with its type is required");
	return codec_read(a, inner, t, o, err);
}

const struct value *codec_read(struct arena *a, const struct json *j,
			       const struct type *t, const struct overlay *o,
			       struct verror *err)
{
	for (size_t i = 0; o && i < o->n; i++) {
		const struct json *path = json_get(o->entries[i], "path");

		if (path && path->len == o->depth)
			return codec_read_unknown(a, o->entries[i], t);
	}
	if (j->kind == JSON_NULL)
		return value_null(a, t);
	switch (t->kind) {
	case TYPE_DYNAMIC:
		return read_dynamic(a, j, o, err);
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_TUPLE:
		return read_sequence(a, j, t, o, err);
	case TYPE_MAP:
		return read_map(a, j, t, o, err);
	case TYPE_OBJECT:
		return read_object(a, j, t, o, err);
	default:
		return read_primitive(a, j, t, err);
	}
}

const struct value *value_from_json(struct arena *a, const struct json *j,
				    const struct type *t, struct verror *err)
{
	return codec_read(a, j, type_without_optional(t), NULL, err);
}

/* --- types and values implied by the JSON --- */

const struct value *value_from_json_implied(struct arena *a,
					    const struct json *j)
{
	const struct value **elems, *v;
	struct str *names;

	switch (j->kind) {
	case JSON_NULL:
		return &value_null_dynamic;
	case JSON_BOOL:
		return value_bool(j->boolean);
	case JSON_NUMBER:
		v = value_number_parse(a, j->text);
		return v ? v : &value_zero;
	case JSON_STRING:
		return value_string(a, j->text);
	case JSON_ARRAY:
		elems = ARENA_ARRAY(a, const struct value *, j->len);
		for (uint32_t i = 0; i < j->len; i++)
			elems[i] = value_from_json_implied(a, &j->items[i]);
		return value_tuple(a, elems, j->len);
	default:
		elems = ARENA_ARRAY(a, const struct value *, j->len);
		names = ARENA_ARRAY(a, struct str, j->len);
		for (uint32_t i = 0; i < j->len; i++) {
			names[i] = value_string(a, j->members[i].name)->string;
			elems[i] = value_from_json_implied(
				a, &j->members[i].value);
		}
		return value_object(a, names, elems, j->len);
	}
}

const struct type *type_of_json(struct arena *a, const struct json *j)
{
	return value_from_json_implied(a, j)->type;
}

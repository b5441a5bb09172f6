/*
 * codec_json.c - values to plain JSON, and the published maps of what is
 * unknown and what is sensitive
 *
 * Recursion is bounded by the depth of types.
 */
#include "value/codec_json.h"
#include "json/write.h"
#include "value/number.h"
#include "value/type.h"

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

/* JSON has no infinity. */
static void write_number(struct jw *w, const struct value *v,
			 bool unsigned_zero)
{
	struct arena a = ARENA_INIT;

	if (!v->big && v->integer <= INT32_MAX && v->integer >= INT32_MIN)
		jw_int(w, v->integer);
	else if (unsigned_zero && !number_sign(v))
		jw_int(w, 0);
	else if (number_is_infinite(v))
		jw_null(w);
	else
		jw_raw(w, value_number_text(&a, v));
	arena_release(&a);
}

static struct str name_at(const struct value *v, uint32_t i)
{
	return v->type->kind == TYPE_MAP ? v->keys[i] : v->type->attrs[i].name;
}

/* The constraint at an element: t's where t is of v's kind. */
static const struct type *elem_type(const struct value *v, const struct type *t,
				    uint32_t i)
{
	int at;

	if (t->kind != v->type->kind)
		return v->elems[i]->type;
	switch (t->kind) {
	case TYPE_TUPLE:
		return i < t->len ? t->elems[i] : v->elems[i]->type;
	case TYPE_OBJECT:
		at = t->len == v->len
			     ? (int)i
			     : type_attr_index(t, v->type->attrs[i].name);
		return at < 0 ? v->elems[i]->type : t->attrs[at].type;
	default:
		return t->elem;
	}
}

static void write_composite(struct jw *w, const struct value *v,
			    const struct type *t, bool omit)
{
	bool named = v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;

	named ? jw_object(w) : jw_array(w);
	for (uint32_t i = 0; i < v->len; i++) {
		if (named && omit && v->elems[i]->state == VALUE_UNKNOWN)
			continue;
		if (named)
			jw_key_str(w, name_at(v, i));
		write_value(w, v->elems[i], elem_type(v, t, i), omit);
	}
	named ? jw_object_end(w) : jw_array_end(w);
}

static void write_value(struct jw *w, const struct value *v,
			const struct type *t, bool omit)
{
	if (t == &type_dynamic && v->type != &type_dynamic && !omit) {
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
		write_number(w, v, omit);
		break;
	case TYPE_STRING:
		jw_str(w, v->string);
		break;
	default:
		write_composite(w, v, t, omit);
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

/* --- the published maps --- */

typedef bool flag_fn(const struct value *v);

static bool is_sensitive(const struct value *v)
{
	return value_has_mark(v, MARK_SENSITIVE);
}

static bool is_unknown(const struct value *v)
{
	return v->state == VALUE_UNKNOWN;
}

/* Members of objects and maps that would be false are left out. */
static bool writes_false(const struct value *v, flag_fn *flag)
{
	if (flag(v))
		return false;
	return v->state == VALUE_NULL || v->type->kind < TYPE_LIST;
}

static void write_flags(struct jw *w, const struct value *v, flag_fn *flag)
{
	bool named = v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;

	if (flag(v) || writes_false(v, flag)) {
		jw_bool(w, flag(v));
		return;
	}
	named ? jw_object(w) : jw_array(w);
	for (uint32_t i = 0; v->state == VALUE_KNOWN && i < v->len; i++) {
		if (named && writes_false(v->elems[i], flag))
			continue;
		if (named)
			jw_key_str(w, name_at(v, i));
		write_flags(w, v->elems[i], flag);
	}
	named ? jw_object_end(w) : jw_array_end(w);
}

void value_unknown_json(struct jw *w, const struct value *v)
{
	write_flags(w, v, is_unknown);
}

void value_sensitive_json(struct jw *w, const struct value *v)
{
	write_flags(w, v, is_sensitive);
}

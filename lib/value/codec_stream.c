/*
 * codec_stream.c - the stream's encoding of values (tf-stream(5), VALUES)
 *
 * {"value":…,"type":…,"unknown":[…],"sensitive":[…],"numbers":[…]}.  `type` is
 * left out where the JSON implies it.  Paths are lists of names and indexes.
 * Sensitive and ephemeral are marks; other marks say something about the run
 * that made the value and do not travel.
 */
#include <assert.h>
#include <stdlib.h>

#include "value/codec_int.h"
#include "value/number.h"
#include "value/value_int.h"

/* 15 significant decimal digits survive a double; more are written as text. */
enum { DOUBLE_DIGITS = 15 };

struct found { /* what the walk over a value found */
	struct arena *a;
	struct path_vec unknown, numbers;
	VEC(const struct value *) unknowns; /* parallel to unknown */
};

static bool exact_in_double(struct arena *a, const struct value *v)
{
	struct str s = value_number_text(a, v);
	size_t digits = 0, trailing = 0;
	bool leading = true, dot = false;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.')
			dot = true;
		if (s.p[i] < '0' || s.p[i] > '9')
			continue;
		if (leading && s.p[i] == '0')
			continue;
		leading = false;
		digits++;
		trailing = s.p[i] == '0' ? trailing + 1 : 0;
	}
	return (dot ? digits : digits - trailing) <= DOUBLE_DIGITS &&
	       digits < 300;
}

static struct path grow(struct arena *a, struct path at, struct path_step s)
{
	struct path_step *steps = ARENA_ARRAY(a, struct path_step, at.len + 1);

	if (at.len)
		memcpy(steps, at.steps, at.len * sizeof(*steps));
	steps[at.len] = s;
	return (struct path){ steps, at.len + 1 };
}

static void find(struct found *f, const struct value *v, struct path at)
{
	if (v->state == VALUE_UNKNOWN) {
		vec_push(f->a, &f->unknown, at);
		vec_push(f->a, &f->unknowns, v);
		return;
	}
	if (v->state == VALUE_NULL)
		return;
	if (v->type->kind == TYPE_NUMBER) {
		if (v->big || v->integer > 999999999999999 ||
		    v->integer < -999999999999999)
			if (!exact_in_double(f->a, v))
				vec_push(f->a, &f->numbers, at);
		return;
	}
	if (v->type->kind < TYPE_LIST)
		return;
	for (uint32_t i = 0; i < v->len; i++) {
		const struct value *e = v->elems[i];
		struct path_step s;

		/* most elements are plain: no path is made for them */
		if (e->state == VALUE_KNOWN && e->type->kind != TYPE_NUMBER &&
		    e->type->kind < TYPE_LIST)
			continue;
		if (e->type->kind == TYPE_NUMBER &&
		    e->state == VALUE_KNOWN && !e->big &&
		    e->integer <= 999999999999999 &&
		    e->integer >= -999999999999999)
			continue;
		/* by position even in sets: they are written in order */
		if (v->type->kind == TYPE_SET)
			s = (struct path_step){ STR_NONE, value_int(f->a, i) };
		else
			s = value_step(f->a, v, i);
		find(f, e, grow(f->a, at, s));
	}
}

/* Does reading the JSON without a type give v's type? */
static bool implied(const struct value *v)
{
	if (v->state != VALUE_KNOWN)
		return v->state == VALUE_NULL &&
		       v->type->kind == TYPE_DYNAMIC;
	if (type_is_primitive(v->type))
		return true;
	if (v->type->kind != TYPE_TUPLE && v->type->kind != TYPE_OBJECT)
		return false;
	for (uint32_t i = 0; i < v->len; i++)
		if (!implied(v->elems[i]))
			return false;
	return true;
}

static void write_path(struct jw *w, struct path p)
{
	path_to_plan_json(w, p);
}

static void write_paths(struct jw *w, const char *name,
			const struct path_vec *paths)
{
	if (!paths->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < paths->len; i++)
		write_path(w, paths->items[i]);
	jw_array_end(w);
}

static void write_bound(struct jw *w, const char *name, const char *incl,
			const struct value *v, bool inclusive)
{
	struct arena a = ARENA_INIT;

	if (!v)
		return;
	jw_member_str(w, name, value_number_text(&a, v));
	jw_member_bool(w, incl, inclusive);
	arena_release(&a);
}

static void write_unknowns(struct jw *w, const struct found *f)
{
	if (!f->unknown.len)
		return;
	jw_key(w, "unknown");
	jw_array(w);
	for (size_t i = 0; i < f->unknown.len; i++) {
		const struct refinement *r = f->unknowns.items[i]->refined;

		jw_object(w);
		jw_key(w, "path");
		write_path(w, f->unknown.items[i]);
		if (r) {
			if (r->not_null)
				jw_member_bool(w, "not_null", true);
			if (r->prefix.n)
				jw_member_str(w, "prefix", r->prefix);
			write_bound(w, "min", "min_inclusive", r->min,
				    r->min_inclusive);
			write_bound(w, "max", "max_inclusive", r->max,
				    r->max_inclusive);
			if (r->len_min)
				jw_member_int(w, "len_min",
					      (int64_t)r->len_min);
			if (r->len_max < INT64_MAX)
				jw_member_int(w, "len_max",
					      (int64_t)r->len_max);
		}
		jw_object_end(w);
	}
	jw_array_end(w);
}

/* The value itself; numbers that need it as text. */
static void write_plain(struct jw *w, const struct value *v)
{
	struct arena a = ARENA_INIT;

	if (v->state != VALUE_KNOWN) {
		jw_null(w);
		return;
	}
	switch (v->type->kind) {
	case TYPE_NUMBER:
		if (!v->big && v->integer <= 999999999999999 &&
		    v->integer >= -999999999999999)
			jw_int(w, v->integer);
		else if (exact_in_double(&a, v))
			jw_raw(w, value_number_text(&a, v));
		else
			jw_str(w, value_number_text(&a, v));
		break;
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_TUPLE:
		jw_array(w);
		for (uint32_t i = 0; i < v->len; i++)
			write_plain(w, v->elems[i]);
		jw_array_end(w);
		break;
	case TYPE_MAP:
	case TYPE_OBJECT:
		jw_object(w);
		for (uint32_t i = 0; i < v->len; i++) {
			jw_key_str(w, v->type->kind == TYPE_MAP
					      ? v->keys[i]
					      : v->type->attrs[i].name);
			write_plain(w, v->elems[i]);
		}
		jw_object_end(w);
		break;
	default:
		value_to_json(w, v, NULL);
	}
	arena_release(&a);
}

void value_to_stream(struct jw *w, const struct value *v)
{
	struct arena a = ARENA_INIT;
	struct found f = { .a = &a };
	struct path_vec sensitive = { 0 };
	struct path root = { NULL, 0 };

	assert(!value_has_mark_deep(v, MARK_EPHEMERAL));
	find(&f, v, root);
	if (v->marks || v->inner_marks)
		value_marked_paths(&a, v, MARK_SENSITIVE, &sensitive);
	jw_object(w);
	jw_key(w, "value");
	write_plain(w, v);
	if (f.unknown.len || f.numbers.len || !implied(v)) {
		jw_key(w, "type");
		type_to_json(w, v->type);
	}
	write_unknowns(w, &f);
	write_paths(w, "sensitive", &sensitive);
	write_paths(w, "numbers", &f.numbers);
	jw_object_end(w);
	arena_release(&a);
}

/* --- reading --- */

static const struct value *read_number(struct arena *a, const struct json *j,
				       const char *name)
{
	struct str s = json_get_str(j, name);

	return s.p ? value_number_parse(a, s) : NULL;
}

const struct value *codec_read_unknown(struct arena *a, const struct json *e,
				       const struct type *t)
{
	struct refinement r = { 0 };
	int64_t n;

	r.not_null = json_get_bool(e, "not_null", false);
	r.prefix = json_get_str(e, "prefix");
	r.min = read_number(a, e, "min");
	r.min_inclusive = json_get_bool(e, "min_inclusive", false);
	r.max = read_number(a, e, "max");
	r.max_inclusive = json_get_bool(e, "max_inclusive", false);
	n = json_get_int(e, "len_min", 0);
	r.len_min = n > 0 ? (uint64_t)n : 0;
	n = json_get_int(e, "len_max", -1);
	r.len_max = n >= 0 ? (uint64_t)n : UINT64_MAX;
	if (!r.not_null && !r.prefix.n && !r.min && !r.max && !r.len_min &&
	    r.len_max == UINT64_MAX)
		return value_unknown(a, t);
	return value_unknown_refined(a, t, &r);
}

/* A path as written by write_path; v tells attributes from indexes. */
static struct path read_path(struct arena *a, const struct json *j,
			     const struct value *v)
{
	struct path_step *steps;
	struct path p = { NULL, 0 };
	const struct type *t = v->type;

	if (!j || j->kind != JSON_ARRAY)
		return p;
	steps = ARENA_ARRAY(a, struct path_step, j->len);
	p.steps = steps;
	for (uint32_t i = 0; i < j->len; i++, p.len++) {
		const struct json *s = &j->items[i];

		if (s->kind == JSON_STRING && t->kind == TYPE_OBJECT) {
			int at = type_attr_index(t, s->text);

			steps[i].attr = s->text;
			t = at < 0 ? &type_dynamic : t->attrs[at].type;
		} else if (s->kind == JSON_STRING) {
			steps[i].index = value_string(a, s->text);
			t = t->kind == TYPE_MAP ? t->elem : &type_dynamic;
		} else if (s->kind == JSON_NUMBER) {
			int64_t n = 0;

			steps[i].index = value_number_parse(a, s->text);
			if (steps[i].index)
				value_get_int(steps[i].index, &n);
			if (t->kind == TYPE_TUPLE)
				t = n >= 0 && n < t->len ? t->elems[n]
							 : &type_dynamic;
			else
				t = type_is_collection(t) ? t->elem
							  : &type_dynamic;
		} else {
			return p;
		}
	}
	return p;
}

static const struct value *add_sensitive(struct arena *a,
					 const struct value *v,
					 const struct json *list)
{
	struct path_vec paths = { 0 };

	if (!list || list->kind != JSON_ARRAY)
		return v;
	for (uint32_t i = 0; i < list->len; i++)
		vec_push(a, &paths, read_path(a, &list->items[i], v));
	return value_mark_paths(a, v, &paths, &marks_sensitive);
}

const struct value *value_from_stream(struct arena *a, const struct json *j,
				      struct verror *err)
{
	const struct json *value = json_get(j, "value");
	const struct json *type = json_get(j, "type");
	const struct json *unknown = json_get(j, "unknown");
	struct overlay o = { NULL, 0, 0 };
	const struct type *t;
	const struct value *v;

	*err = (struct verror){ { NULL, 0 },
				STR("an encoded value is required") };
	if (!value)
		return NULL;
	if (!type) {
		v = value_from_json_implied(a, value);
	} else {
		t = type_from_json(a, type);
		if (!t)
			return NULL;
		if (unknown && unknown->kind == JSON_ARRAY) {
			const struct json **list = ARENA_ARRAY(
				a, const struct json *, unknown->len);

			for (uint32_t i = 0; i < unknown->len; i++)
				list[i] = &unknown->items[i];
			o.entries = list;
			o.n = unknown->len;
		}
		v = codec_read(a, value, t, &o, err);
	}
	return v ? add_sensitive(a, v, json_get(j, "sensitive")) : NULL;
}

/* --- the published maps of what is unknown and what is sensitive --- */

typedef bool shown_fn(const struct value *v);

static bool is_sensitive(const struct value *v)
{
	return value_has_mark(v, MARK_SENSITIVE);
}

static bool is_unknown(const struct value *v)
{
	return v->state == VALUE_UNKNOWN;
}

/* Would v be written as false? Such members of objects and maps are left out. */
static bool writes_false(const struct value *v, shown_fn *f)
{
	if (f(v))
		return false;
	if (v->state == VALUE_NULL)
		return true;
	return v->type->kind < TYPE_LIST;
}

static void write_flags(struct jw *w, const struct value *v, shown_fn *f)
{
	bool map = v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;

	if (f(v)) {
		jw_bool(w, true);
		return;
	}
	if (v->state == VALUE_NULL || v->type->kind < TYPE_LIST) {
		jw_bool(w, false);
		return;
	}
	map ? jw_object(w) : jw_array(w);
	for (uint32_t i = 0; v->state == VALUE_KNOWN && i < v->len; i++) {
		if (map && writes_false(v->elems[i], f))
			continue;
		if (map)
			jw_key_str(w, v->type->kind == TYPE_MAP
					      ? v->keys[i]
					      : v->type->attrs[i].name);
		write_flags(w, v->elems[i], f);
	}
	map ? jw_object_end(w) : jw_array_end(w);
}

void value_unknown_json(struct jw *w, const struct value *v)
{
	write_flags(w, v, is_unknown);
}

void value_sensitive_json(struct jw *w, const struct value *v)
{
	write_flags(w, v, is_sensitive);
}

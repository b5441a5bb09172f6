/*
 * value_text.c - values in test tables: JSON text guided by a type
 *
 * "?" is an unknown of that type, {"!":x} is x marked sensitive; what dump
 * writes also shows refinements: "?!" is not null, "?[1,2]" bounds of the
 * length, "?^p" a prefix, "?(1,2]" bounds of a number.
 */
#ifndef TFPIPE_TESTS_UNIT_VALUE_TEXT_H
#define TFPIPE_TESTS_UNIT_VALUE_TEXT_H

#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "test.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/set.h"
#include "value/type.h"

static inline const struct type *type_of(struct arena *a, const char *text)
{
	struct json_error err;
	const struct json *j = json_parse(a, str_c(text), &err);
	const struct type *t = j ? type_from_json(a, j) : NULL;

	if (!t)
		test_note("no type: %s", text);
	return t;
}

static inline const struct value *build(struct arena *a, const struct type *t,
					const struct json *j)
{
	const struct value **elems;
	struct str *names;

	if (j->kind == JSON_NULL)
		return value_null(a, t);
	if (j->kind == JSON_STRING && str_is(j->text, "?"))
		return value_unknown(a, t);
	if (j->kind == JSON_OBJECT && json_get(j, "!"))
		return value_with_marks(a, build(a, t, json_get(j, "!")),
					&marks_sensitive);
	if (t->kind == TYPE_BOOL)
		return value_bool(j->boolean);
	if (t->kind == TYPE_NUMBER)
		return value_number_parse(a, j->text);
	if (t->kind == TYPE_STRING)
		return value_string(a, j->text);
	elems = arena_alloc(a, (j->len + 1) * sizeof(*elems));
	names = arena_alloc(a, (j->len + 1) * sizeof(*names));
	for (uint32_t i = 0; i < j->len; i++) {
		bool named = j->kind == JSON_OBJECT;
		const struct type *et = t->kind == TYPE_TUPLE ? t->elems[i] :
					t->kind != TYPE_OBJECT ? t->elem : NULL;

		if (named)
			names[i] = j->members[i].name;
		if (t->kind == TYPE_OBJECT)
			et = t->attrs[type_attr_index(t, names[i])].type;
		elems[i] = build(a, et, named ? &j->members[i].value :
						&j->items[i]);
	}
	switch (t->kind) {
	case TYPE_LIST:
		return value_list(a, t->elem, elems, j->len);
	case TYPE_SET:
		return value_set(a, t->elem, elems, j->len);
	case TYPE_MAP:
		return value_map(a, t->elem, names, elems, j->len);
	case TYPE_TUPLE:
		return value_tuple(a, elems, j->len);
	default:
		return value_object(a, names, elems, j->len);
	}
}

static inline const struct value *value_of(struct arena *a, const char *type,
					   const char *text)
{
	struct json_error err;
	const struct json *j = json_parse(a, str_c(text), &err);

	if (!j)
		test_note("no JSON: %s", text);
	return build(a, type_of(a, type), j);
}

static inline void dump_unknown(struct arena *a, struct buf *b,
				const struct value *v)
{
	const struct refinement *r = value_refinement(v);

	buf_puts(b, "\"?");
	if (r->not_null)
		buf_putc(b, '!');
	if (r->prefix.n)
		buf_addf(b, "^%.*s", STR_ARG(r->prefix));
	if (r->min || r->max)
		buf_addf(b, "%c%s,%s%c", r->min_inclusive ? '[' : '(',
			 r->min ? value_number_text(a, r->min).p : "",
			 r->max ? value_number_text(a, r->max).p : "",
			 r->max_inclusive ? ']' : ')');
	if (r->len_min || r->len_max != UINT64_MAX)
		buf_addf(b, "[%llu,%lld]", (unsigned long long)r->len_min,
			 (long long)r->len_max);
	buf_putc(b, '"');
}

static inline void dump_to(struct arena *a, struct buf *b,
			   const struct value *v)
{
	struct jw w = JW_INIT(b);
	bool named = v->type->kind == TYPE_MAP || v->type->kind == TYPE_OBJECT;

	if (v->marks) {
		buf_puts(b, "{\"!\":");
		dump_to(a, b, value_unmark(a, v, &(const struct marks *){ 0 }));
		buf_putc(b, '}');
	} else if (v->state == VALUE_NULL) {
		buf_puts(b, "null");
	} else if (v->state == VALUE_UNKNOWN) {
		dump_unknown(a, b, v);
	} else if (v->type->kind == TYPE_BOOL) {
		jw_bool(&w, v->boolean);
	} else if (v->type->kind == TYPE_NUMBER) {
		buf_str(b, value_number_text(a, v));
	} else if (v->type->kind == TYPE_STRING) {
		jw_str(&w, v->string);
	} else {
		buf_putc(b, named ? '{' : '[');
		for (uint32_t i = 0; i < v->len; i++) {
			if (i)
				buf_putc(b, ',');
			w = (struct jw)JW_INIT(b);
			if (named)
				jw_key_str(&w, v->type->kind == TYPE_MAP ?
						       v->keys[i] :
						       v->type->attrs[i].name);
			dump_to(a, b, v->elems[i]);
		}
		buf_putc(b, named ? '}' : ']');
	}
}

static inline struct str dump(struct arena *a, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct str s;

	dump_to(a, &b, v);
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

static inline struct str type_text(struct arena *a, const struct type *t)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct str s;

	type_to_json(&w, t);
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

#endif

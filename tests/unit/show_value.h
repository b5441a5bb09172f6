/*
 * show_value.h - values as text, for tests of the language
 *
 * The value's JSON, with what JSON cannot say around it: unknown(TYPE …),
 * sensitive(…), TYPE:null, set[…].
 */
#ifndef TFPIPE_TESTS_UNIT_SHOW_VALUE_H
#define TFPIPE_TESTS_UNIT_SHOW_VALUE_H

#include "base/diag.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/number.h"
#include "value/type.h"

static inline void show(struct arena *a, struct buf *b, const struct value *v);

static inline void show_inside(struct arena *a, struct buf *b,
			       const struct value *v)
{
	bool named = v->type->kind == TYPE_OBJECT || v->type->kind == TYPE_MAP;

	buf_putc(b, named ? '{' : '[');
	for (uint32_t i = 0; i < v->len; i++) {
		if (i)
			buf_putc(b, ',');
		if (v->type->kind == TYPE_OBJECT)
			buf_addf(b, "%.*s:", STR_ARG(v->type->attrs[i].name));
		else if (named)
			buf_addf(b, "%.*s:", STR_ARG(v->keys[i]));
		show(a, b, v->elems[i]);
	}
	buf_putc(b, named ? '}' : ']');
}

static inline void show_unknown(struct arena *a, struct buf *b,
				const struct value *v)
{
	const struct refinement *r = v->refined;

	buf_addf(b, "unknown(%.*s", STR_ARG(type_friendly(a, v->type)));
	if (r && r->not_null)
		buf_puts(b, " not null");
	if (r && r->prefix.n)
		buf_addf(b, " \"%.*s\"", STR_ARG(r->prefix));
	if (r && r->min)
		buf_addf(b, " %s%g", r->min_inclusive ? ">=" : ">",
			 value_get_double(r->min));
	if (r && r->max)
		buf_addf(b, " %s%g", r->max_inclusive ? "<=" : "<",
			 value_get_double(r->max));
	if (r && type_is_collection(v->type) &&
	    (r->len_min || r->len_max != UINT64_MAX))
		buf_addf(b, " len %d-%d", (int)r->len_min,
			 r->len_max > 99 ? 99 : (int)r->len_max);
	buf_putc(b, ')');
}

static inline void show(struct arena *a, struct buf *b, const struct value *v)
{
	struct jw w = JW_INIT(b);

	if (v->marks)
		buf_puts(b, "sensitive(");
	if (v->state == VALUE_UNKNOWN)
		show_unknown(a, b, v);
	else if (v->state == VALUE_NULL)
		buf_addf(b, "%.*s:null",
			 STR_ARG(type_friendly(a, v->type)));
	else if (type_is_primitive(v->type))
		value_to_json(&w, v, NULL);
	else {
		if (v->type->kind == TYPE_SET)
			buf_puts(b, "set");
		show_inside(a, b, v);
	}
	if (v->marks)
		buf_putc(b, ')');
}

/* The value, or "error: " and the summaries of all diagnostics. */
static inline struct str show_result(struct arena *a, const struct value *v,
				     const struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct str s;

	if (!ds->errors)
		show(a, &b, v);
	for (size_t i = 0; i < ds->len; i++)
		buf_addf(&b, "%s%.*s", i ? "; " : "error: ",
			 STR_ARG(ds->items[i].summary));
	s = buf_dup(a, &b);
	buf_release(&b);
	return s;
}

#endif

/* objchange_util.c - paths, members and comparisons for objchange */
#include <stdarg.h>

#include "engine/object/object_int.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/number.h"
#include "value/refine.h"
#include "value/type.h"

void at_error(struct arena *a, struct verror_vec *out, const struct at *at,
	      const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(a, fmt, ap);
	va_end(ap);
	vec_push(a, out, (struct verror){ at_path(a, at), str_c(text) });
}

bool objchange_same(const struct value *x, const struct value *y)
{
	if (x == y)
		return true;
	if (x->type != y->type || x->state != y->state)
		return false;
	if (x->state == VALUE_UNKNOWN || x->state == VALUE_NULL)
		return true;
	if (!x->inner_unknown && !y->inner_unknown)
		return value_equal_unmarked(x, y);
	if (x->len != y->len)
		return false;
	for (size_t i = 0; i < x->len; i++) {
		if (x->type->kind == TYPE_MAP &&
		    !str_eq(x->keys[i], y->keys[i]))
			return false;
		if (!objchange_same(x->elems[i], y->elems[i]))
			return false;
	}
	return true;
}

static bool within_bounds(const struct refinement *r, const struct value *v)
{
	int c;

	if (r->min) {
		c = number_cmp(v, r->min);
		if (c < 0 || (c == 0 && !r->min_inclusive))
			return false;
	}
	if (r->max) {
		c = number_cmp(v, r->max);
		if (c > 0 || (c == 0 && !r->max_inclusive))
			return false;
	}
	return true;
}

bool objchange_includes(struct arena *a, const struct value *placeholder,
			const struct value *v)
{
	const struct refinement *r = placeholder->refined;
	const struct value *length;
	int64_t n;

	if (!r || v->state == VALUE_UNKNOWN)
		return true;
	if (v->state == VALUE_NULL)
		return !r->not_null;
	if (v->type->kind == TYPE_STRING)
		return v->string.n >= r->prefix.n &&
		       str_eq(str_sub(v->string, 0, r->prefix.n), r->prefix);
	if (v->type->kind == TYPE_NUMBER)
		return within_bounds(r, v);
	if (!type_is_collection(v->type))
		return true;
	length = value_length(a, v);
	if (!value_usable(length) || !value_get_int(length, &n))
		return true;
	return (uint64_t)n >= r->len_min && (uint64_t)n <= r->len_max;
}

enum { BRIEF_MAX = 200 };

const char *objchange_brief(struct arena *a, const struct value *v)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	const char *text;
	size_t n = 0;

	if (value_has_mark_deep(v, MARK_SENSITIVE))
		return "(sensitive)";
	if (v->state == VALUE_NULL)
		return "null";
	if (v->state == VALUE_UNKNOWN)
		return arena_printf(a, "an unknown %.*s",
				    STR_ARG(type_friendly(a, v->type)));
	value_to_json(&w, value_unmark_deep(a, v, NULL), NULL);
	if (b.len > BRIEF_MAX) {
		while (n < BRIEF_MAX) {
			size_t c = utf8_len(b.p + n, b.len - n);

			n += c ? c : 1;
		}
		buf_set_len(&b, n);
		buf_puts(&b, "...");
	}
	text = arena_strndup(a, b.p, b.len);
	buf_release(&b);
	return text;
}

static const struct type *element_type(const struct value *v, size_t i)
{
	switch (v->type->kind) {
	case TYPE_LIST:
	case TYPE_SET:
	case TYPE_MAP:
		return v->type->elem;
	case TYPE_TUPLE:
		return i < v->type->len ? v->type->elems[i] : NULL;
	default:
		return &type_dynamic;
	}
}

const struct value *objchange_element_at(struct arena *a, const struct value *v,
					 size_t i)
{
	const struct type *t;

	if (v->state == VALUE_NULL)
		return NULL;
	if (v->state == VALUE_UNKNOWN) {
		t = element_type(v, i);
		return t ? value_unknown(a, t) : NULL;
	}
	if (v->type->kind != TYPE_LIST && v->type->kind != TYPE_TUPLE)
		return NULL;
	return i < v->len ? v->elems[i] : NULL;
}

const struct value *objchange_element_of(struct arena *a, const struct value *v,
					 struct str key)
{
	int i;

	if (v->state == VALUE_KNOWN)
		return is_keyed(v) ? value_get(v, key) : NULL;
	if (v->state == VALUE_NULL)
		return NULL;
	if (v->type->kind != TYPE_OBJECT)
		return value_unknown(a, element_type(v, 0));
	i = type_attr_index(v->type, key);
	return i < 0 ? NULL : value_unknown(a, v->type->attrs[i].type);
}

const struct value *objchange_element_like(struct arena *a,
					   const struct value *other,
					   const struct value *v, size_t i)
{
	return is_keyed(v) ? objchange_element_of(a, other,
						  objchange_element_key(v, i))
			   : objchange_element_at(a, other, i);
}

struct str objchange_element_key(const struct value *v, size_t i)
{
	return v->type->kind == TYPE_MAP ? v->keys[i] : v->type->attrs[i].name;
}

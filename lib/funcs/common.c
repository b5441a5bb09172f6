/*
 * common.c - what the families of functions share
 */
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/refine.h"
#include "value/string.h"

const struct type *func_fail_type(struct func_call *c, int arg, const char *fmt,
				  ...)
{
	va_list ap;

	va_start(ap, fmt);
	func_failv(c, arg, fmt, ap);
	va_end(ap);
	return NULL;
}

const struct value *func_unknown(struct func_call *c, const struct type *t)
{
	if (t == &type_dynamic)
		return &value_unknown_dynamic;
	return value_refine_not_null(c->arena, value_unknown(c->arena, t));
}

const struct value *func_unmark(struct func_call *c, size_t i,
				const struct marks **m)
{
	const struct marks *own;
	const struct value *v = value_unmark(c->arena, c->args[i], &own);

	*m = marks_union(c->arena, *m, own);
	return v;
}

const struct value *func_try_convert(struct func_call *c, const struct value *v,
				     const struct type *t)
{
	struct verror err;

	return v->type == t ? v : convert(c->arena, v, t, &err);
}

const struct value *func_convert(struct func_call *c, int i,
				 const struct value *v, const struct type *t)
{
	struct verror err;
	const struct value *r;

	if (v->type == t)
		return v;
	r = convert(c->arena, v, t, &err);
	if (!r)
		func_fail(c, i, "%.*s", STR_ARG(verror_text(c->arena, &err)));
	return r;
}

bool func_length_known(const struct value *v)
{
	if (v->type->kind == TYPE_TUPLE)
		return true;
	if (v->state != VALUE_KNOWN)
		return false;
	/* Unknown elements of a set may turn out equal to others. */
	return v->type->kind != TYPE_SET || v->len == 1 || !v->inner_unknown;
}

struct str func_quote(struct arena *a, struct str text)
{
	struct buf b = BUF_INIT;

	str_quote(&b, text);
	return buf_take(a, &b);
}

struct str func_quote_unless_secret(struct arena *a, struct str text,
				    const struct marks *m)
{
	const char *hidden = func_hidden(m);

	return hidden ? str_c(hidden) : func_quote(a, text);
}

const struct value *buf_value(struct arena *a, struct buf *b)
{
	const struct value *v = value_string(a, buf_dup(a, b));

	buf_release(b);
	return v;
}

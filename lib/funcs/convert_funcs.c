/*
 * convert_funcs.c - tobool, tolist, tomap, tonumber, toset, tostring, type
 */
#include "funcs/funcs_int.h"
#include "lang/eval/func.h"
#include "value/marks.h"
#include "value/type.h"

/* The type that the function converts to: its data. (It is not the static
 * result, because not everything unknown converts either.) */
static const struct type *wanted(const struct func_call *c)
{
	return c->func->data;
}

/* How messages name it. */
static const char *wanted_name(const struct func_call *c)
{
	switch (wanted(c)->kind) {
	case TYPE_LIST:
		return "list of any single type";
	case TYPE_SET:
		return "set of any single type";
	case TYPE_MAP:
		return "map of any single type";
	case TYPE_BOOL:
		return "bool";
	case TYPE_NUMBER:
		return "number";
	default:
		return "string";
	}
}

/* Fails with the reason why v does not convert; never shows a secret value. */
static const struct value *cannot_convert(struct func_call *c)
{
	const struct value *v = c->args[0];
	const struct type *t = wanted(c), *got;
	struct str name, text = STR("string");
	const char *secret = "";

	if (value_has_mark_deep(v, MARK_EPHEMERAL))
		secret = "this ephemeral ";
	else if (value_has_mark_deep(v, MARK_SENSITIVE | MARK_WITHIN))
		secret = "this sensitive ";
	got = v->type;
	name = type_friendly(c->arena, got);
	if (*secret || got != &type_string || !type_is_primitive(t))
		return func_fail(c, 0, "cannot convert %s%.*s to %s", secret,
				 STR_ARG(name), wanted_name(c));
	if (value_usable(v))
		text = func_quote(c->arena, v->string);
	if (t == &type_bool)
		return func_fail(c, 0,
				 "cannot convert %.*s to bool; only the "
				 "strings \"true\" or \"false\" are allowed",
				 STR_ARG(text));
	return func_fail(c, 0,
			 "cannot convert %.*s to number; given string "
			 "must be a decimal representation of a number",
			 STR_ARG(text));
}

static const struct type *convert_type(struct func_call *c)
{
	const struct type *got = c->args[0]->type, *t = wanted(c);

	if (got == t || type_convertible(got, t))
		return t;
	return func_fail_type(c, 0, "cannot convert %.*s to %s",
			      STR_ARG(type_friendly(c->arena, got)),
			      wanted_name(c));
}

static const struct value *do_convert(struct func_call *c)
{
	const struct value *v;

	if (!convert_type(c))
		return NULL;
	v = func_try_convert(c, c->args[0], wanted(c));
	return v ? v : cannot_convert(c);
}

#define TO_PARAMS \
	PARAMS({ "v", &type_dynamic, \
		 PARAM_NULL | PARAM_DYNAMIC | PARAM_MARKED, NULL })

const struct func func_tobool = {
	.name = "tobool",
	.description = "The value as a bool.",
	.params = TO_PARAMS,
	.result_type = convert_type,
	.data = (void *)&type_bool,
	.impl = do_convert,
	.flags = FUNC_NULLABLE,
};

const struct func func_tolist = {
	.name = "tolist",
	.description = "The value as a list.",
	.params = TO_PARAMS,
	.result_type = convert_type,
	.data = (void *)&type_list_dynamic,
	.impl = do_convert,
	.flags = FUNC_NULLABLE,
};

const struct func func_tomap = {
	.name = "tomap",
	.description = "The value as a map.",
	.params = TO_PARAMS,
	.result_type = convert_type,
	.data = (void *)&type_map_dynamic,
	.impl = do_convert,
	.flags = FUNC_NULLABLE,
};

const struct func func_tonumber = {
	.name = "tonumber",
	.description = "The value as a number.",
	.params = TO_PARAMS,
	.result_type = convert_type,
	.data = (void *)&type_number,
	.impl = do_convert,
	.flags = FUNC_NULLABLE,
};

const struct func func_toset = {
	.name = "toset",
	.description = "The value as a set.",
	.params = TO_PARAMS,
	.result_type = convert_type,
	.data = (void *)&type_set_dynamic,
	.impl = do_convert,
	.flags = FUNC_NULLABLE,
};

const struct func func_tostring = {
	.name = "tostring",
	.description = "The value as a string.",
	.params = TO_PARAMS,
	.result_type = convert_type,
	.data = (void *)&type_string,
	.impl = do_convert,
	.flags = FUNC_NULLABLE,
};

/* A type is no string: wrapped and marked, so that it can only be printed. */
static const struct value *do_type(struct func_call *c)
{
	static const struct marks is_type = { .bits = MARK_TYPE };
	const struct value *text;
	struct buf b = BUF_INIT;

	if (value_has_mark(c->args[0], MARK_TYPE))
		buf_puts(&b, "type");
	else
		type_render(&b, c->args[0]->type);
	text = buf_value(c->arena, &b);
	return value_with_marks(c->arena, value_tuple(c->arena, &text, 1),
				&is_type);
}

const struct func func_type = {
	.name = "type",
	.description = "The type of a value, in the console only.",
	.params = PARAMS(
		{ "value", &type_dynamic, PARAM_ANY | PARAM_MARKED, NULL }),
	.impl = do_type,
	.flags = FUNC_NULLABLE,
};

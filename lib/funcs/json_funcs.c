/*
 * json_funcs.c - jsondecode, jsonencode
 */
#include "funcs/funcs_int.h"
#include "json/read.h"
#include "json/write.h"
#include "lang/eval/func.h"
#include "value/codec_json.h"
#include "value/refine.h"

/* JSON has no way to write it; OpenTofu refuses. */
bool json_has_infinity(const struct value *v)
{
	if (v->state != VALUE_KNOWN)
		return false;
	if (v->type == &type_number)
		return number_is_infinite(v);
	for (uint32_t i = 0; !type_is_primitive(v->type) && i < v->len; i++) {
		if (json_has_infinity(v->elems[i]))
			return true;
	}
	return false;
}

/* How the text will begin is known with the type. */
static const struct value *unknown_json(struct func_call *c)
{
	const struct value *v = c->args[0];
	struct refinement r = { .not_null = true, .len_max = UINT64_MAX };

	if (!value_definitely_not_null(v))
		return func_unknown(c, &type_string);
	switch (v->type->kind) {
	case TYPE_STRING:
		r.prefix = STR("\"");
		break;
	case TYPE_OBJECT:
	case TYPE_MAP:
		r.prefix = STR("{");
		break;
	case TYPE_TUPLE:
	case TYPE_LIST:
	case TYPE_SET:
		r.prefix = STR("[");
		break;
	default:
		break;
	}
	return value_unknown_refined(c->arena, &type_string, &r);
}

static const struct value *do_jsonencode(struct func_call *c)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (!value_wholly_known(c->args[0]))
		return unknown_json(c);
	if (json_has_infinity(c->args[0]))
		return func_fail(c, -1, "cannot serialize infinity as JSON");
	w.html = true;
	value_to_json(&w, c->args[0], NULL);
	return buf_value(c->arena, &b);
}

const struct func func_jsonencode = {
	.name = "jsonencode",
	.description = "The value in JSON syntax.",
	.params = PARAMS({ "val", &type_dynamic, PARAM_ANY, NULL }),
	.result = &type_string,
	.impl = do_jsonencode,
};

static struct str skip_space(struct str s)
{
	while (s.n && strchr(" \t\n\v\f\r", s.p[0]) && s.p[0])
		s = str_sub(s, 1, s.n);
	return s;
}

/* A known prefix determines the type of the value it begins. */
static const struct type *jsondecode_type(struct func_call *c)
{
	const struct value *v = c->args[0];
	struct str s = STR_NONE;

	if (!value_is_known(v) && v->refined)
		s = skip_space(v->refined->prefix);
	if (s.n == 0)
		return &type_dynamic;
	switch (s.p[0]) {
	case '{':
	case '[':
	case 'n':
		return &type_dynamic;
	case '"':
		return &type_string;
	case 't':
	case 'f':
		return &type_bool;
	case '-':
	case '.':
		return &type_number;
	default:
		if (s.p[0] >= '0' && s.p[0] <= '9')
			return &type_number;
		return func_fail_type(
			c, 0,
			"a JSON document cannot begin with the character '%.*s'",
			(int)utf8_len(s.p, s.n), s.p);
	}
}

/* A name that an object has twice must have the same type of value; the name
 * or NULL. */
static const struct str *duplicate_name(struct arena *a, const struct json *j)
{
	struct map seen = { 0 };
	const struct str *dup = NULL;

	for (uint32_t i = 0; j->kind == JSON_ARRAY && !dup && i < j->len; i++)
		dup = duplicate_name(a, &j->items[i]);
	for (uint32_t i = 0; j->kind == JSON_OBJECT && !dup && i < j->len;
	     i++) {
		const struct json_member *m = &j->members[i], *before;

		before = map_put(a, &seen, m->name, (void *)m);
		if (before && type_of_json(a, &before->value) !=
				      type_of_json(a, &m->value))
			return &m->name;
		dup = duplicate_name(a, &m->value);
	}
	return dup;
}

/* The document, or NULL.  Like OpenTofu, refuses another value or a comma
 * behind it, but ignores everything from a stray closing bracket on. */
static const struct json *read_document(struct arena *a, struct str text,
					struct json_error *err)
{
	const struct json *j = json_parse(a, text, err);
	struct json_scan s = json_scan_start(a, text);
	struct json_error first_alone;
	struct str first;
	char next;

	if (j || json_scan_value(&s, &first) < 0)
		return j;
	next = json_scan_peek(&s);
	if (next != ']' && next != '}')
		return NULL;
	return json_parse(a, first, &first_alone);
}

static const struct value *do_jsondecode(struct func_call *c)
{
	struct json_error err;
	const struct json *j = read_document(c->arena, arg_str(c, 0), &err);
	const struct str *dup;

	if (!j)
		return func_fail(c, -1, "%s at offset %zu", err.message,
				 err.offset);
	dup = duplicate_name(c->arena, j);
	if (dup)
		return func_fail(c, -1,
				 "duplicate %.*s property in JSON object",
				 STR_ARG(func_quote(c->arena, *dup)));
	return value_from_json_implied(c->arena, j);
}

const struct func func_jsondecode = {
	.name = "jsondecode",
	.description = "The value that is written in JSON syntax.",
	.params = PARAMS({ "str", &type_string, 0, NULL }),
	.result_type = jsondecode_type,
	.impl = do_jsondecode,
	.flags = FUNC_NULLABLE,
};

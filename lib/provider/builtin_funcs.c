/*
 * builtin_funcs.c - provider::terraform::…: decode_tfvars, encode_tfvars,
 * encode_expr
 */
#include "addr/addr.h"
#include "lang/eval/func.h"
#include "lang/format/format.h"
#include "lang/syntax/ident.h"
#include "provider/provider_int.h"

static const struct value *fail_decode(struct func_call *c,
				       const struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct str text;

	for (size_t i = 0; i < ds->len; i++) {
		const struct diag *d = &ds->items[i];

		if (d->severity == SEV_ERROR)
			buf_addf(&b, "\n:%u,%u: %.*s; %.*s",
				 d->subject.start.line, d->subject.start.column,
				 STR_ARG(d->summary), STR_ARG(d->detail));
	}
	text = buf_dup(c->arena, &b);
	buf_release(&b);
	return func_fail(c, -1, "failed to decode tfvars content%.*s",
			 STR_ARG(text));
}

static const struct value *no_names(void *data, struct eval *ev,
				    const struct ref *r, size_t *used,
				    struct diags *ds)
{
	struct range at = source_range(r->src, r->span);

	(void)data;
	(void)ev;
	*used = r->nsteps;
	diag_error(ds, &at, "Variables not allowed",
		   "Only constants can be given here.");
	return &value_unknown_dynamic;
}

static const struct func *no_functions(void *data, struct str name)
{
	(void)data;
	(void)name;
	return NULL;
}

static const struct value *decode_tfvars(struct func_call *c)
{
	static const struct scope constants = { .resolve = no_names,
						.function = no_functions };
	struct diags ds = DIAGS_INIT(c->arena);
	struct source *src = source_new(c->arena, STR(""), c->args[0]->string);
	struct body *body = parse_native(c->arena, src, &ds);
	struct attribute_vec attrs = { NULL, 0, 0 };
	const struct value **elems;
	struct str *names;

	if (!diags_failed(&ds))
		body_attributes(c->arena, body, &attrs, &ds);
	names = ARENA_ARRAY(c->arena, struct str, attrs.len);
	elems = ARENA_ARRAY(c->arena, const struct value *, attrs.len);
	for (size_t i = 0; i < attrs.len && !diags_failed(&ds); i++) {
		names[i] = attrs.items[i].name;
		elems[i] = eval_expression(c->arena, &constants,
					   attrs.items[i].expr, &ds);
	}
	if (diags_failed(&ds))
		return fail_decode(c, &ds);
	return value_object(c->arena, names, elems, attrs.len);
}

/* Lays text out as `fmt` does. */
static struct str format(struct arena *a, struct buf *text)
{
	struct diags ds = DIAGS_INIT(a);
	struct buf out = BUF_INIT;
	struct str s;

	if (format_source(source_new(a, STR(""), buf_view(text)), &out, &ds) <
	    0)
		s = buf_dup(a, text); /* cannot be: we wrote it */
	else
		s = buf_dup(a, &out);
	buf_release(&out);
	buf_release(text);
	return s;
}

static const struct value *encode_tfvars(struct func_call *c)
{
	const struct value *v = c->args[0];
	struct buf b = BUF_INIT;

	if (value_is_null(v))
		return func_fail(c, -1, "invalid input: must not be null");
	if (v->type->kind != TYPE_OBJECT)
		return func_fail(c, -1, "invalid input: must be an object");
	if (!value_wholly_known(v)) /* where OpenTofu ends in a panic */
		return value_unknown(c->arena, &type_string);
	for (size_t i = 0; i < v->len; i++) {
		struct str name = v->type->attrs[i].name;

		if (!ident_valid(name)) {
			buf_release(&b);
			return func_fail(
				c, -1,
				"invalid input: object key: %.*s - must be a valid identifier",
				STR_ARG(name));
		}
		buf_str(&b, name);
		buf_puts(&b, " = ");
		value_print_source(&b, v->elems[i]);
		buf_putc(&b, '\n');
	}
	return value_string(c->arena, format(c->arena, &b));
}

/* An expression is laid out as if it were an argument's. */
static const struct value *encode_expr(struct func_call *c)
{
	static const char prefix[] = "x = ";
	struct buf b = BUF_INIT;
	struct str s;

	if (!value_wholly_known(c->args[0]))
		return func_fail(c, -1, "input is not wholly known");
	buf_puts(&b, prefix);
	value_print_source(&b, c->args[0]);
	buf_putc(&b, '\n');
	s = format(c->arena, &b);
	return value_string(c->arena, str_sub(s, sizeof(prefix) - 1, s.n - 1));
}

static const struct func_param decode_params[] = {
	{ "content", &type_string, 0, "TFVars file content to decode" },
	{ 0 },
};
static const struct func_param tfvars_params[] = {
	{ "input", &type_dynamic, 0,
	  "Input to encode: an object whose keys are valid identifiers" },
	{ 0 },
};
static const struct func_param expr_params[] = {
	{ "expr", &type_dynamic, 0, "Expression to encode" },
	{ 0 },
};

static const struct func functions[] = {
	{ .name = "decode_tfvars",
	  .summary = "Decode a TFVars file content into an object",
	  .description = "Decode a TFVars file content into an object",
	  .params = decode_params,
	  .result = &type_dynamic,
	  .impl = decode_tfvars,
	  .flags = FUNC_NULLABLE },
	{ .name = "encode_tfvars",
	  .summary =
		  "Encode an object into a string with the same format as a TFVars file",
	  .description =
		  "Encode an object into a string with the same format as a TFVars file",
	  .params = tfvars_params,
	  .result = &type_string,
	  .impl = encode_tfvars,
	  .flags = FUNC_NULLABLE },
	{ .name = "encode_expr",
	  .summary = "Takes an arbitrary expression and converts it into a "
		     "string with valid OpenTofu syntax",
	  .description = "Takes an arbitrary expression and converts it into a "
			 "string with valid OpenTofu syntax",
	  .params = expr_params,
	  .result = &type_string,
	  .impl = encode_expr,
	  .flags = FUNC_NULLABLE },
};

void builtin_functions(struct arena *a, struct map *out)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		map_put(a, out, str_c(functions[i].name),
			(void *)&functions[i]);
}

/* decode_value.c - variable, locals and output blocks */

#include "addr/reference.h"
#include "config/decode/decode_int.h"
#include "config/decode/decode.h"
#include "lang/eval/eval.h"
#include "lang/syntax/ident.h"
#include "lang/syntax/walk.h"
#include "value/convert.h"

static const struct block_schema validation_blocks[] = {
	{ "validation", { NULL } }, { NULL, { NULL } }
};

static const struct attr_schema variable_attrs[] = {
	{ "description", false }, { "default", false },   { "type", false },
	{ "sensitive", false },   { "ephemeral", false }, { "const", false },
	{ "deprecated", false },  { "nullable", false },  { NULL, false },
};

static const struct body_schema variable_schema = { variable_attrs,
						    validation_blocks };

/* Names that a module block could not pass. */
static const char *const reserved_variables[] = {
	"source",    "version", "count",     "for_each", "depends_on",
	"providers", "_",       "lifecycle", "locals",   "provider",
};

static void check_variable_name(struct decoder *d, const struct block *b)
{
	size_t n = sizeof(reserved_variables) / sizeof(*reserved_variables);
	struct range at = label_range(b, 0);

	check_name(d, b, 0, "Invalid variable name");
	for (size_t i = 0; i < n; i++)
		if (str_is(b->labels[0].text, reserved_variables[i]))
			diag_error(d->ds, &at, "Invalid variable name",
				   "\"%s\" has a meaning of its own inside "
				   "module blocks and cannot be the name of "
				   "a variable.",
				   reserved_variables[i]);
}

void decode_variable_type(struct arena *a, struct cfg_variable *v,
			  struct diags *ds)
{
	v->type = typeexpr_read(a, v->type_expr, true, &v->defaults, ds);
	if (!v->type)
		v->type = &type_dynamic;
	v->parse_literal = type_is_primitive(v->type);
}

static void decode_type(struct decoder *d, const struct attribute *at,
			struct cfg_variable *v)
{
	v->set |= SET_TYPE;
	v->type_expr = at->expr;
	decode_variable_type(d->a, v, d->ds);
}

static void decode_default(struct decoder *d, const struct attribute *at,
			   struct cfg_variable *v)
{
	static const char *const summary = "Invalid default value for variable";
	struct range where = expression_range(at->expr);
	const struct value *value, *converted;
	struct verror err = { 0 };

	v->default_value = at->expr;
	value = eval_expression(d->a, NULL, at->expr, d->ds);
	if (v->type) { /* unknown in an override file without a type */
		if (v->defaults && !value_is_null(value))
			value = type_defaults_apply(d->a, v->defaults, value);
		converted = convert(d->a, value, v->type, &err);
		if (converted) {
			value = converted;
		} else {
			v->set |= SET_BAD_DEFAULT;
			diag_error(
				d->ds, &where, summary,
				"The default value does not fit the type constraint: %.*s.",
				STR_ARG(verror_text(d->a, &err)));
		}
		config_warn_dropped(at->expr, v->type, "this variable", d->ds);
	}
	if (!v->nullable && value_is_null(value))
		diag_error(
			d->ds, &where, summary,
			"A variable with nullable = false cannot have a null default.");
}

static bool is_blank(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr(" \t\r\n\f\v", s.p[i]))
			return false;
	return true;
}

static void decode_variable_flags(struct decoder *d, const struct block *b,
				  const struct body_content *c,
				  struct cfg_variable *v)
{
	const struct attribute *at;

	if ((at = content_attr(c, "sensitive"))) {
		decode_static_bool(d, at, &v->sensitive);
		v->set |= SET_SENSITIVE;
	}
	if ((at = content_attr(c, "deprecated")) &&
	    !decode_static_string(d, at, &v->deprecated) &&
	    is_blank(v->deprecated)) {
		struct range label = label_range(b, 0);

		diag_error(d->ds, &label, "Invalid `deprecated` value",
			   "\"deprecated\" must say what to use instead.");
	}
	if ((at = content_attr(c, "ephemeral"))) {
		decode_static_bool(d, at, &v->ephemeral);
		v->set |= SET_EPHEMERAL;
	}
	if ((at = content_attr(c, "nullable"))) {
		v->nullable = false;
		decode_static_bool(d, at, &v->nullable);
		v->set |= SET_NULLABLE;
	}
	if ((at = content_attr(c, "const"))) {
		decode_static_bool(d, at, &v->constant);
		v->constant_given = true;
	}
}

/* A validation's condition must look at the variable that it belongs to. */
static void decode_validation(struct decoder *d, const struct block *b,
			      struct cfg_variable *v)
{
	struct diags ignored = DIAGS_INIT(d->a);
	struct traversal_vec vars = { 0 };
	struct cfg_condition c = { 0 };
	struct range at;

	decode_condition(d, b, &c);
	vec_push(d->a, &v->validations, c);
	if (!c.condition.root)
		return;
	expression_variables(d->a, c.condition, &vars);
	for (size_t i = 0; i < vars.len; i++) {
		struct reference ref;

		if (!reference_parse(d->a, &vars.items[i], &ref, &ignored) &&
		    ref.kind == REF_VARIABLE && str_eq(ref.name, v->name))
			return;
	}
	at = expression_range(c.condition);
	diag_error(
		d->ds, &at, "Invalid variable validation condition",
		"The condition must refer to var.%.*s, or it checks nothing of it.",
		STR_ARG(v->name));
}

void decode_variable(struct decoder *d, const struct block *b)
{
	struct cfg_variable *v = ARENA_NEW(d->a, struct cfg_variable);
	const struct attribute *at;
	struct body_content c;

	v->name = b->labels[0].text;
	v->at = block_range(b);
	v->nullable = true;
	if (!d->override) {
		v->type = &type_dynamic;
		v->parse_literal = true;
	}
	body_content(d->a, b->body, &variable_schema, &c, d->ds);
	check_variable_name(d, b);
	if ((at = content_attr(&c, "description"))) {
		decode_static_string(d, at, &v->description);
		v->set |= SET_DESCRIPTION;
	}
	if ((at = content_attr(&c, "type")))
		decode_type(d, at, v);
	decode_variable_flags(d, b, &c, v);
	if ((at = content_attr(&c, "default")))
		decode_default(d, at, v);
	for (size_t i = 0; i < c.blocks.len; i++)
		decode_validation(d, &c.blocks.items[i], v);
	vec_push(d->a, &d->out->variables, v);
}

void decode_locals(struct decoder *d, const struct block *b)
{
	struct attribute_vec attrs = { 0 };

	body_attributes(d->a, b->body, &attrs, d->ds);
	for (size_t i = 0; i < attrs.len; i++) {
		struct attribute *at = &attrs.items[i];
		struct cfg_local *l = ARENA_NEW(d->a, struct cfg_local);

		if (!ident_valid(at->name)) {
			struct range r = attribute_name_range(at);

			diag_error(d->ds, &r, "Invalid local value name", "%s",
				   decode_bad_name);
		}
		l->name = at->name;
		l->value = at->expr;
		l->at = attribute_range(at);
		vec_push(d->a, &d->out->locals, l);
	}
}

static const struct attr_schema output_attrs[] = {
	{ "description", false }, { "value", true },
	{ "depends_on", false },  { "sensitive", false },
	{ "ephemeral", false },   { "deprecated", false },
	{ NULL, false },
};
/* In an override file nothing is required. */
static const struct attr_schema output_override_attrs[] = {
	{ "description", false }, { "value", false },
	{ "depends_on", false },  { "sensitive", false },
	{ "ephemeral", false },   { "deprecated", false },
	{ NULL, false },
};
static const struct block_schema output_blocks[] = {
	{ "precondition", { NULL } },
	{ "postcondition", { NULL } },
	{ NULL, { NULL } },
};

/* errors: how many there were before this block */
static void decode_output_attrs(struct decoder *d, const struct body_content *c,
				struct cfg_output *o, size_t errors)
{
	const struct attribute *at;

	if ((at = content_attr(c, "description"))) {
		decode_static_string(d, at, &o->description);
		o->set |= SET_DESCRIPTION;
	}
	if ((at = content_attr(c, "value")))
		o->value = at->expr;
	if ((at = content_attr(c, "sensitive"))) {
		decode_static_bool(d, at, &o->sensitive);
		o->set |= SET_SENSITIVE;
	}
	if ((at = content_attr(c, "deprecated")) &&
	    !decode_static_string(d, at, &o->deprecated) &&
	    d->ds->errors == errors && is_blank(o->deprecated)) {
		struct range r = expression_range(at->expr);

		diag_error(d->ds, &r, "Invalid `deprecated` attribute",
			   "\"deprecated\" must say what to use instead.");
	}
	if ((at = content_attr(c, "ephemeral"))) {
		decode_static_bool(d, at, &o->ephemeral);
		o->set |= SET_EPHEMERAL;
	}
	decode_depends_on(d, content_attr(c, "depends_on"), &o->depends_on);
}

void decode_output(struct decoder *d, const struct block *b)
{
	static const char *const terraforms[] = { "type", NULL };
	const struct body_schema schema = { d->override ? output_override_attrs
							: output_attrs,
					    output_blocks, terraforms };
	struct cfg_output *o = ARENA_NEW(d->a, struct cfg_output);
	size_t errors = d->ds->errors;
	struct body_content c;

	o->name = b->labels[0].text;
	o->at = block_range(b);
	body_content(d->a, b->body, &schema, &c, d->ds);
	check_name(d, b, 0, "Invalid output name");
	decode_output_attrs(d, &c, o, errors);
	for (size_t i = 0; i < c.blocks.len; i++) {
		const struct block *inner = &c.blocks.items[i];
		struct cfg_condition cond = { 0 };

		if (str_is(inner->type, "precondition")) {
			decode_condition(d, inner, &cond);
			vec_push(d->a, &o->preconditions, cond);
		} else {
			struct range r =
				source_range(inner->src, inner->type_span);

			diag_error(
				d->ds, &r, "Postconditions are not allowed",
				"An output value can have preconditions only.");
		}
	}
	vec_push(d->a, &d->out->outputs, o);
}

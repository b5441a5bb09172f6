/*
 * typeexpr.c - type constraint expressions; see eval.h
 *
 * A type expression is read, not evaluated: keywords and calls are names of
 * types here.
 */
#include "lang/eval/eval_int.h"
#include "lang/eval/eval.h"
#include "lang/syntax/json_syntax.h"
#include "value/convert.h"

static const char invalid[] = "Invalid type specification";

struct type_reader {
	struct arena *a;
	bool allow_optional;
	struct diags *ds;
};

static const struct type *read_type(struct type_reader *r, struct expression e,
				    struct type_defaults **defaults);

/* Reports an invalid type and returns `any` for it, so that the types around it
 * are still checked. */
static const struct type *refuse(struct type_reader *r, struct expression e,
				 struct span at, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static const struct type *refuse(struct type_reader *r, struct expression e,
				 struct span at, const char *fmt, ...)
{
	struct range range = source_range(e.src, at);
	va_list ap;

	va_start(ap, fmt);
	diag_error(r->ds, &range, invalid, "%s",
		   arena_vprintf(r->ds->arena, fmt, ap));
	va_end(ap);
	return &type_dynamic;
}

static struct expression nth(struct expression call, size_t i)
{
	return (struct expression){ call.src, call.root->call.args[i] };
}

static struct span parens(struct expression call)
{
	return (struct span){ call.root->call.open.start,
			      call.root->call.close.end };
}

/* Describes the one argument of a type constructor. */
static const char *constructor_needs(struct str name)
{
	if (str_is(name, "list") || str_is(name, "set") || str_is(name, "map"))
		return "the type of the elements";
	if (str_is(name, "object"))
		return "a map from attribute names to types";
	if (str_is(name, "tuple"))
		return "a list of types";
	return NULL;
}

static const struct type *primitive(struct str name)
{
	if (str_is(name, "string"))
		return &type_string;
	if (str_is(name, "number"))
		return &type_number;
	if (str_is(name, "bool"))
		return &type_bool;
	return NULL;
}

static const struct type *read_keyword(struct type_reader *r,
				       struct expression e, struct str kw)
{
	const struct type *t = primitive(kw);
	const char *needs = constructor_needs(kw);

	if (t)
		return t;
	if (str_is(kw, "any"))
		return &type_dynamic;
	if (needs)
		return refuse(r, e, e.root->span, "%.*s needs an argument: %s.",
			      STR_ARG(kw), needs);
	return refuse(r, e, e.root->span, "\"%.*s\" is not a type.",
		      STR_ARG(kw));
}

/* --- collections --- */

static struct type_defaults *new_defaults(struct type_reader *r)
{
	return ARENA_NEW(r->a, struct type_defaults);
}

static const struct type *read_collection(struct type_reader *r,
					  struct expression call,
					  struct type_defaults **defaults)
{
	struct str name = call.root->call.name;
	struct type_defaults *d = NULL;
	const struct type *t = read_type(r, nth(call, 0), &d);

	if (str_is(name, "list"))
		t = type_list(t);
	else if (str_is(name, "set"))
		t = type_set(t);
	else
		t = type_map(t);
	if (d) {
		*defaults = new_defaults(r);
		(*defaults)->type = t;
		map_put(r->a, &(*defaults)->children, STR(""), d);
	}
	return t;
}

static const struct type *read_tuple(struct type_reader *r,
				     struct expression call,
				     struct type_defaults **defaults)
{
	struct expression arg = nth(call, 0), *items;
	struct diags quiet = DIAGS_INIT(r->a);
	struct type_defaults *all = new_defaults(r);
	const struct type **types, *t;
	size_t n;

	if (expression_list(r->a, arg, &items, &n, &quiet))
		return refuse(r, arg, arg.root->span,
			      "tuple needs an argument: a list of types.");
	types = ARENA_ARRAY(r->a, const struct type *, n);
	for (size_t i = 0; i < n; i++) {
		struct type_defaults *d = NULL;

		types[i] = read_type(r, items[i], &d);
		if (d)
			map_put(r->a, &all->children,
				str_printf(r->a, "%zu", i), d);
	}
	t = type_tuple(types, n);
	all->type = t;
	if (all->children.len)
		*defaults = all;
	return t;
}

/* --- objects --- */

/* A parsed optional(...); type_expr is the type inside. */
struct optional {
	bool given, has_default;
	struct expression default_expr;
	const struct value *default_value;
};

/* Unwraps optional(T) and optional(T, default). Returns false if there is no
 * type to go on with. */
static bool read_optional(struct type_reader *r, struct expression *e,
			  struct optional *o)
{
	struct expression call = *e;
	size_t n, errors = r->ds->errors;

	if (call.root->kind != EXPR_CALL ||
	    !str_is(call.root->call.name, "optional"))
		return true;
	n = call.root->call.nargs;
	if (n < 1) {
		refuse(r, call, parens(call),
		       "optional needs an argument: the attribute's type.");
		return false;
	}
	*e = nth(call, 0);
	if (!r->allow_optional) {
		refuse(r, call, call.root->call.name_span,
		       "optional has no place in an exact type.");
		return true;
	}
	if (n > 2) {
		refuse(r, call, parens(call),
		       "optional takes two arguments at most: the attribute's"
		       " type and a default.");
		return true;
	}
	o->given = true;
	if (n == 1)
		return true;
	o->default_expr = nth(call, 1);
	o->default_value =
		eval_with_locals(r->a, NULL, NULL, o->default_expr, r->ds);
	o->has_default = o->given = r->ds->errors == errors;
	return true;
}

static void check_default(struct type_reader *r, struct optional *o,
			  const struct type *t)
{
	struct verror err = { 0 };
	struct range at;

	if (!o->has_default)
		return;
	o->default_value = convert(r->a, o->default_value, t, &err);
	if (o->default_value)
		return;
	o->has_default = false;
	at = expression_range(o->default_expr);
	diag_error(r->ds, &at, "Invalid default value for optional attribute",
		   "This default is not of the attribute's type: %.*s.",
		   STR_ARG(verror_text(r->ds->arena, &err)));
}

/* One attribute; false when it is not to be counted. */
static bool read_attr(struct type_reader *r, struct expression key,
		      struct expression value, struct map *seen,
		      struct type_attr *out, struct type_defaults *all)
{
	struct str name = expression_keyword(key);
	struct type_defaults *d = NULL;
	struct optional o = { 0 };

	if (!name.p) {
		refuse(r, key, key.root->span,
		       "The keys of an object type must be attribute names.");
		return false;
	}
	name = value_string(r->a, name)->string;
	if (map_has(seen, name)) {
		refuse(r, key, key.root->span,
		       "There is an attribute \"%.*s\" already.",
		       STR_ARG(name));
		return false;
	}
	if (!read_optional(r, &value, &o))
		return false;
	out->type = read_type(r, value, &d);
	check_default(r, &o, out->type);
	map_put(r->a, seen, name, r);
	out->name = name;
	out->optional = o.given;
	if (o.has_default)
		map_put(r->a, &all->values, name, (void *)o.default_value);
	if (d)
		map_put(r->a, &all->children, name, d);
	return true;
}

static const struct type *read_object(struct type_reader *r,
				      struct expression call,
				      struct type_defaults **defaults)
{
	struct expression arg = nth(call, 0), *keys, *values;
	struct diags quiet = DIAGS_INIT(r->a);
	struct type_defaults *all = new_defaults(r);
	size_t n, have = 0;
	struct type_attr *attrs;
	struct map seen = { 0 };
	const struct type *t;

	if (expression_map(r->a, arg, &keys, &values, &n, &quiet))
		return refuse(
			r, arg, arg.root->span,
			"object needs an argument: a map from attribute names to types.");
	attrs = ARENA_ARRAY(r->a, struct type_attr, n);
	for (size_t i = 0; i < n; i++)
		have += read_attr(r, keys[i], values[i], &seen, &attrs[have],
				  all);
	t = type_object(attrs, have);
	all->type = t;
	if (all->values.len || all->children.len)
		*defaults = all;
	return t;
}

/* --- calls --- */

static const struct type *read_call(struct type_reader *r,
				    struct expression call,
				    struct type_defaults **defaults)
{
	struct str name = call.root->call.name;
	const char *needs = constructor_needs(name);
	size_t n = call.root->call.nargs;
	struct span at = parens(call);

	if (primitive(name) || str_is(name, "any"))
		return refuse(r, call, at, "%.*s takes no arguments.",
			      STR_ARG(name));
	if (!needs && n == 1 && str_is(name, "optional"))
		return refuse(
			r, call, call.root->call.name_span,
			"optional is for attributes of object types only.");
	if (!needs)
		return refuse(r, call, call.root->span,
			      "\"%.*s\" is not a type constructor.",
			      STR_ARG(name));
	if (n != 1) {
		if (n > 1)
			at = (struct span){
				call.root->call.args[1]->span.start,
				call.root->call.args[n - 1]->span.end
			};
		return refuse(r, call, at, "%.*s needs one argument: %s.",
			      STR_ARG(name), needs);
	}
	if (str_is(name, "object"))
		return read_object(r, call, defaults);
	if (str_is(name, "tuple"))
		return read_tuple(r, call, defaults);
	return read_collection(r, call, defaults);
}

/* In JSON syntax a type is a string that holds the expression. */
static struct expression from_json(struct type_reader *r, struct expression e)
{
	struct diags quiet = DIAGS_INIT(r->a);
	struct expression in;

	if (e.root->kind != EXPR_JSON)
		return e;
	in = json_string_expression(r->a, e, &quiet);
	return in.root ? in : e;
}

static const struct type *read_type(struct type_reader *r, struct expression e,
				    struct type_defaults **defaults)
{
	struct expression given = e; /* what errors point at */
	struct str kw;

	e = from_json(r, e);
	kw = expression_keyword(e);
	if (kw.p)
		return read_keyword(r, given, kw);
	if (e.root->kind == EXPR_CALL)
		return read_call(r, e, defaults);
	return refuse(r, given, given.root->span,
		      "A type is bool, number, string, any, or made with a"
		      " constructor as in list(string).");
}

/* Types in quotes were the only ones in versions before 0.12. */
static const struct type *read_quoted(struct type_reader *r,
				      struct expression e,
				      const struct value *v)
{
	struct range at = expression_range(e);
	struct str s = v->string;
	const char *write = NULL;

	if (str_is(s, "string"))
		write = "string";
	else if (str_is(s, "list"))
		write = "list(string)";
	else if (str_is(s, "map"))
		write = "map(string)";
	if (write)
		diag_error(r->ds, &at, "Invalid quoted type constraints",
			   "Types are no longer written in quotes: write %s.",
			   write);
	else
		diag_error(r->ds, &at, "Invalid legacy variable type hint",
			   "Types are no longer written in quotes.");
	return NULL;
}

const struct type *typeexpr_read(struct arena *a, struct expression e,
				 bool allow_optional,
				 const struct type_defaults **defaults,
				 struct diags *ds)
{
	struct type_reader r = { a, allow_optional, ds };
	struct type_defaults *d = NULL;
	const struct type *t = NULL;
	size_t errors = ds->errors;
	struct str kw;

	if (defaults)
		*defaults = NULL;
	if (e.root->kind == EXPR_LITERAL && expression_is_quoted(e))
		return read_quoted(&r, e, e.root->literal);
	kw = expression_keyword(from_json(&r, e));
	/* Short for list(any) and map(any), on the outside only. */
	if (str_is(kw, "list"))
		t = type_list(&type_dynamic);
	else if (str_is(kw, "map"))
		t = type_map(&type_dynamic);
	else
		t = read_type(&r, e, &d);
	if (ds->errors != errors)
		return NULL;
	if (defaults)
		*defaults = d;
	return t;
}

/*
 * variable_value.c - a variable's value from what was given and what it is
 * declared as, which takes no run (see variables.c)
 */
#include "engine/run/values.h"
#include "value/convert.h"
#include "value/marks.h"

static struct str place(struct arena *a, const struct range *r)
{
	return str_printf(a, "%.*s:%u,%u", STR_ARG(r->file), r->start.line,
			  r->start.column);
}

static const struct value *no_value(struct arena *a,
				    const struct cfg_variable *v)
{
	return value_unknown(a, type_without_optional(v->type));
}

const struct value *variable_default(struct arena *a,
				     const struct cfg_variable *v,
				     struct diags *ds)
{
	const struct value *d, *c;
	struct verror err;

	if (!v->default_value.root)
		return NULL;
	d = eval_expression(a, NULL, v->default_value, ds);
	if (v->defaults && !value_is_null(d))
		d = type_defaults_apply(a, v->defaults, d);
	c = convert(a, d, v->type, &err);
	if (!c)
		diag_error(
			ds, &v->at, "Invalid default value for module argument",
			"The default of variable \"%.*s\" does not fit its type: %.*s.",
			STR_ARG(v->name), STR_ARG(verror_text(a, &err)));
	return c;
}

static void does_not_fit(struct arena *a, const struct cfg_variable *v,
			 const struct range *at, const char *how,
			 const struct verror *err, struct diags *ds)
{
	const bool secret = v->sensitive || v->ephemeral;
	/* A path has keys, which are part of the value. */
	struct str why = secret ? err->message : verror_text(a, err);
	struct str where = place(a, at);

	if (how)
		diag_error(ds, &v->at, "Invalid value for input variable",
			   "The value of var.%.*s, %s, is not suitable: %.*s.",
			   STR_ARG(v->name), how, STR_ARG(why));
	else if (secret)
		diag_error(ds, &v->at, "Invalid value for input variable",
			   "The value of var.%.*s, which is %s, is not "
			   "suitable: %.*s. It is given at %.*s.",
			   STR_ARG(v->name),
			   v->ephemeral ? "ephemeral" : "sensitive",
			   STR_ARG(why), STR_ARG(where));
	else
		diag_error(
			ds, &v->at, "Invalid value for input variable",
			"The given value is not suitable for var.%.*s, declared here: %.*s.",
			STR_ARG(v->name), STR_ARG(why));
}

static const struct value *must_not_be_null(struct arena *a,
					    const struct cfg_variable *v,
					    const struct range *at,
					    const char *how, struct diags *ds)
{
	diag_error(ds, at, "Required variable not set",
		   "var.%.*s%s%s%s must not be null.", STR_ARG(v->name),
		   how ? ", " : "", how ? how : "", how ? "," : "");
	return no_value(a, v);
}

static const struct value *settle(struct arena *a, const struct cfg_variable *v,
				  const struct value *otherwise,
				  const struct value *given,
				  const struct range *at, const char *how,
				  struct diags *ds)
{
	const struct value *val;
	struct verror err;

	if (given && value_has_mark_deep(given, MARK_EPHEMERAL) &&
	    !v->ephemeral) {
		diag_error(ds, at, "Variable does not allow ephemeral value",
			   "The value given to variable \"%.*s\" is "
			   "ephemeral, but the variable is not declared so.",
			   STR_ARG(v->name));
		return no_value(a, v);
	}
	if (!given && !otherwise) {
		diag_error(
			ds, &v->at, "Required variable not set",
			"The variable \"%.*s\" has no default and is not set.",
			STR_ARG(v->name));
		return no_value(a, v);
	}
	if (!given)
		return value_is_null(otherwise) && !v->nullable
			       ? must_not_be_null(a, v, at, how, ds)
			       : otherwise;
	if (v->defaults && !value_is_null(given))
		given = type_defaults_apply(a, v->defaults, given);
	val = convert(a, given, v->type, &err);
	if (!val) {
		does_not_fit(a, v, at, how, &err, ds);
		return no_value(a, v);
	}
	if (!value_is_null(val) || v->nullable)
		return val;
	return otherwise ? otherwise : must_not_be_null(a, v, at, how, ds);
}

const struct value *variable_settle(struct arena *a,
				    const struct cfg_variable *v,
				    const struct value *given,
				    const struct range *at, const char *how,
				    struct diags *ds)
{
	const struct value *otherwise = variable_default(a, v, ds);

	if (v->default_value.root && !otherwise)
		return no_value(a, v);
	return settle(a, v, otherwise, given, at, how, ds);
}

const struct value *variable_settle_argument(struct arena *a,
					     const struct cfg_variable *v,
					     const struct value *otherwise,
					     const struct value *given,
					     const struct range *at,
					     struct diags *ds)
{
	if (v->default_value.root && !otherwise)
		return no_value(a, v);
	return settle(a, v, otherwise, given, at, NULL, ds);
}

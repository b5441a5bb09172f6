/* variables.c - see variables.h */
#include "engine/run/variables.h"

#include "engine/run/run_int.h"

#include "base/diag_code.h"

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
		diag_error(ds, &v->at,
			   "Invalid default value for module argument",
			   "The default of variable \"%.*s\" does not fit its "
			   "type: %.*s.", STR_ARG(v->name),
			   STR_ARG(verror_text(a, &err)));
	return c;
}

static void does_not_fit(struct arena *a, const struct cfg_variable *v,
			 const struct range *at, const char *how,
			 const struct verror *err, struct diags *ds)
{
	struct str why = verror_text(a, err), where = place(a, at);

	if (how)
		diag_error(ds, &v->at, "Invalid value for input variable",
			   "The value of var.%.*s, %s, is not suitable: "
			   "%.*s.", STR_ARG(v->name), how, STR_ARG(why));
	else if (v->sensitive || v->ephemeral)
		diag_error(ds, &v->at, "Invalid value for input variable",
			   "The value of var.%.*s, which is %s, is not "
			   "suitable: %.*s. It is given at %.*s.",
			   STR_ARG(v->name),
			   v->ephemeral ? "ephemeral" : "sensitive",
			   STR_ARG(why), STR_ARG(where));
	else
		diag_error(ds, &v->at, "Invalid value for input variable",
			   "The given value is not suitable for var.%.*s, "
			   "declared here: %.*s.", STR_ARG(v->name),
			   STR_ARG(why));
}

static const struct value *must_not_be_null(struct arena *a,
					    const struct cfg_variable *v,
					    const struct range *at,
					    const char *how,
					    struct diags *ds)
{
	diag_error(ds, how ? &v->at : at, "Required variable not set",
		   "var.%.*s%s%s must not be null.", STR_ARG(v->name),
		   how ? ", " : "", how ? how : "");
	return no_value(a, v);
}

const struct value *variable_settle(struct arena *a,
				    const struct cfg_variable *v,
				    const struct value *given,
				    const struct range *at, const char *how,
				    struct diags *ds)
{
	const size_t errors = ds->errors;
	const struct value *otherwise = variable_default(a, v, ds), *val;
	struct verror err;

	if (ds->errors != errors)
		return no_value(a, v);
	if (given && value_has_mark_deep(given, MARK_EPHEMERAL) &&
	    !v->ephemeral) {
		diag_error(ds, at, "Variable does not allow ephemeral value",
			   "The value given to variable \"%.*s\" is "
			   "ephemeral, but the variable is not declared so.",
			   STR_ARG(v->name));
		return no_value(a, v);
	}
	if (!given && !otherwise) {
		diag_error(ds, &v->at, "Required variable not set",
			   "The variable \"%.*s\" has no default and is not "
			   "set.", STR_ARG(v->name));
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

/* A module call's use of a deprecated variable. */
static void warn_deprecated(const struct cfg_variable *v,
			    const struct attribute *arg, struct diags *ds)
{
	struct range at = expression_range(arg->expr);

	diag_coded(ds, SEV_WARNING, DIAG_VARIABLE_DEPRECATED, &at,
		   "The variable \"%.*s\" is deprecated: %.*s",
		   STR_ARG(v->name), STR_ARG(v->deprecated))->cause =
		str_printf(ds->arena, "var.%.*s: %.*s", STR_ARG(v->name),
			   STR_ARG(v->deprecated));
}

static struct str variable_address(struct arena *a, struct run_module *m,
				   const struct cfg_variable *v)
{
	return str_printf(a, "%.*s%svar.%.*s", STR_ARG(m->path),
			  m->path.n ? "." : "", STR_ARG(v->name));
}

int variable_validate(struct run_module *m, const struct cfg_variable *v,
		      const struct condition_use *u, struct diags *ds)
{
	struct run *r = m->run;
	const struct attribute *arg =
		m->parent ? module_argument(m, v->name) : NULL;
	struct condition_use use = { 0 };
	const size_t errors = ds->errors;
	struct run_scope s;
	bool failed = false;

	if (u)
		use = *u;
	use.kind = COND_VALIDATION;
	use.variable = v;
	if (v->validations.len) {
		run_scope_init(&s, m, NULL);
		s.own_variable = v;
		s.own_value = run_variable(m, v, &failed, ds);
		if (failed)
			return -1;
		/* The rules look at what is given even then. */
		if (r->opts.phase == RUN_VALIDATE)
			s.own_value = run_variable_given(m, v);
		use.address = variable_address(r->arena, m, v);
		use.object = checks_object(
			&r->checks,
			checks_group(&r->checks, m->config, CHECK_VARIABLE,
				     v->name, NULL),
			m->addr, KEY_ABSENT, use.address);
		use.subject = arg ? expression_range(arg->expr) : v->at;
		run_conditions(r, &s, &use, &v->validations, ds);
	}
	if (v->deprecated.n && arg && r->opts.phase != RUN_EVAL)
		warn_deprecated(v, arg, ds);
	return ds->errors == errors ? 0 : -1;
}

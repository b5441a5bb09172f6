/* variables.c - what must hold of the variables of a run (see values.h) */
#include "engine/run/values.h"
#include "config/module.h"
#include "base/diag.h"
#include "engine/run/conditions.h"
#include "engine/run/expand.h"
#include "engine/run/run_int.h"

/* A module call's use of a deprecated variable. */
static void warn_deprecated(const struct run_module *m,
			    const struct cfg_variable *v,
			    const struct attribute *arg, struct diags *ds)
{
	struct range at = expression_range(arg->expr);
	struct diag *d =
		diag_coded(ds, SEV_WARNING, DIAG_VARIABLE_DEPRECATED, &at,
			   "The variable \"%.*s\" is deprecated: %.*s",
			   STR_ARG(v->name), STR_ARG(v->deprecated));

	d->cause = str_printf(ds->arena, "var.%.*s: %.*s", STR_ARG(v->name),
			      STR_ARG(v->deprecated));
	d->remote = config_is_remote(m->config);
}

int variable_validate(struct run_module *m, const struct cfg_variable *v,
		      const struct condition_use *u, struct diags *ds)
{
	struct run *r = m->run;
	const struct attribute *arg =
		m->parent ? run_module_argument(m, v->name) : NULL;
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
		use.address = run_address(r->arena, m, "var.", v->name);
		use.object = checks_object(&r->checks,
					   checks_group(&r->checks, m->config,
							CHECK_VARIABLE, v->name,
							NULL),
					   m->addr, KEY_ABSENT, use.address);
		use.subject = arg ? expression_range(arg->expr) : v->at;
		run_conditions(r, &s, &use, &v->validations, ds);
	}
	if (v->deprecated.n && arg &&
	    (r->opts.phase != RUN_EVAL || r->opts.console))
		warn_deprecated(m, v, arg, ds);
	return ds->errors == errors ? 0 : -1;
}

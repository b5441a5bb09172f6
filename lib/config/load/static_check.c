/*
 * static_check.c - what early evaluation may not use
 */
#include "config/load/load_int.h"
#include "addr/reference.h"
#include "lang/eval/eval.h"

void static_uses(struct arena *a, struct expression e, struct static_uses *out)
{
	*out = (struct static_uses){ 0 };
	expression_uses(a, e, &out->vars, &out->calls);
}

void static_explain(const struct static_frame *f, const char *subject,
		    struct diags *ds)
{
	diag_error(ds, &f->at, "Unable to compute static value",
		   "%s depends on %s, which is not available.", f->subject,
		   subject);
}

const struct attribute *static_argument(const struct static_frame *f,
					struct str name)
{
	struct diags ignored = DIAGS_INIT(f->loader->config->arena);
	struct attribute_vec attrs = { 0 };
	const struct attribute *found;

	if (!f->module->call)
		return NULL;
	body_attributes(f->loader->config->arena, f->module->call->body, &attrs,
			&ignored);
	found = attrs.items;
	for (size_t i = 0; i < attrs.len; i++, found++)
		if (str_eq(found->name, name))
			return found;
	return NULL;
}

static void check_variable(const struct cfg_module *m, struct str name,
			   const struct range *at, struct diags *ds)
{
	const struct cfg_variable *v = map_get(&m->variables, name);

	if (v && v->constant_given && !v->constant)
		diag_error(
			ds, at, "Unable to use variable in static context",
			"\"%.*s\" is declared with const = false, so it is not available here.",
			STR_ARG(name));
}

static void check_reference(const struct static_frame *f,
			    const struct traversal_ref *t, struct diags *ds)
{
	struct reference ref;
	struct range at;

	if (reference_parse(f->loader->config->arena, t, &ref, ds))
		return;
	at = source_range(ref.src, ref.span);
	switch (ref.kind) {
	case REF_VARIABLE:
		check_variable(f->module, ref.name, &at, ds);
		return;
	case REF_LOCAL:
	case REF_PATH:
	case REF_TERRAFORM:
		return;
	case REF_MODULE:
		if (ref.output.n) {
			diag_error(
				ds, &at,
				"Module output not supported in static context",
				"An output of a module is not known yet, but %s needs it.",
				f->subject);
			return;
		}
		break;
	default:
		break;
	}
	diag_error(ds, &at, "Dynamic value in static context",
		   "This is known only later, but %s needs it.", f->subject);
}

int static_check(const struct static_frame *f, const struct static_uses *uses,
		 struct diags *ds)
{
	const size_t errors = ds->errors;
	struct func_of_provider of;

	for (size_t i = 0; i < uses->vars.len; i++)
		check_reference(f, &uses->vars.items[i], ds);
	for (size_t i = 0; i < uses->calls.len; i++) {
		const struct call_ref *c = &uses->calls.items[i];
		struct range at = source_range(c->src, c->span);

		if (func_of_provider(c->name, &of))
			diag_error(
				ds, &at, "Provider function in static context",
				"Functions of providers are known only later, but %s needs %.*s.",
				f->subject, STR_ARG(c->name));
	}
	return ds->errors == errors ? 0 : -1;
}

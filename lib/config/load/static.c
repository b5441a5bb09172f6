/*
 * static.c - early evaluation of an expression
 *
 * It may use variables and local values, path and terraform,
 * but nothing that is known only later.  A child module's variables are the
 * arguments of its call, evaluated early as well.
 */
#include <stdlib.h>
#include <unistd.h>

#include "config/load/load.h"
#include "base/workdir.h"
#include "config/load/load_int.h"
#include "config/decode/decode_int.h"
#include "config/module.h"
#include "lang/eval/eval.h"
#include "lang/spec/decode.h"
#include "value/convert.h"
#include "addr/reference.h"

/* --- what early evaluation may not use --- */

void static_uses(struct arena *a, struct expression e, struct static_uses *out)
{
	*out = (struct static_uses){ 0 };
	expression_uses(a, e, &out->vars, &out->calls);
}

/* After an error in a dependency of f: reports that f depends on it. */
static void static_explain(const struct static_frame *f, const char *subject,
			   struct diags *ds)
{
	diag_error(ds, &f->at, "Unable to compute static value",
		   "%s depends on %s, which is not available.", f->subject,
		   subject);
}

/* The argument that the call of f's module gives to the variable; may be
 * NULL. */
static const struct attribute *static_argument(const struct static_frame *f,
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

/* Nothing that is known only later, no function of a provider. */
static int static_check(const struct static_frame *f,
			const struct static_uses *uses, struct diags *ds)
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

/* --- evaluation --- */

static const struct value *eval_frame(struct eval *ev,
				      const struct static_frame *f,
				      struct expression e, struct diags *ds);

static const struct value *unknown(const struct static_frame *f)
{
	*f->unknown = true;
	return &value_unknown_dynamic;
}

/* Modules of one directory share their expressions. */
static int check_circle(const struct static_frame *f,
			const struct cfg_module *m, const void *object,
			const char *subject, const struct range *at,
			struct diags *ds)
{
	for (const struct static_frame *o = f; o; o = o->outer)
		if (o->object == object && o->module == m)
			return diag_error(ds, at, "Circular reference",
					  "%s depends on itself.", subject);
	return 0;
}

static const struct value *nested(struct eval *ev, const struct static_frame *f,
				  struct cfg_module *m, const void *object,
				  const char *subject, const struct range *at,
				  struct expression e, struct diags *ds)
{
	struct map *memo = &f->loader->memo;
	struct arena *a = f->loader->config->arena;
	struct static_frame inner = { .outer = f,
				      .loader = f->loader,
				      .module = m,
				      .subject = subject,
				      .at = *at,
				      .object = object,
				      .unknown = f->unknown };
	struct str key = str_printf(a, "%p %p", (void *)m, object);
	const struct value *v = map_get(memo, key);
	const bool before = *f->unknown;
	size_t errors = ds->errors;

	if (v == &value_unknown_dynamic)
		return unknown(f);
	if (v)
		return v;
	if (check_circle(f, m, object, subject, at, ds))
		return &value_unknown_dynamic;
	*f->unknown = false;
	v = eval_frame(ev, &inner, e, ds);
	if (ds->errors > errors)
		static_explain(f, subject, ds);
	else
		map_put(a, memo, key,
			*f->unknown ? (void *)&value_unknown_dynamic
				    : (void *)v);
	*f->unknown |= before;
	return v;
}

static const struct value *resolve_local(struct eval *ev,
					 const struct static_frame *f,
					 struct str name,
					 const struct range *at,
					 struct diags *ds)
{
	struct cfg_local *l = map_get(&f->module->locals, name);
	struct arena *a = f->loader->config->arena;

	if (!l) {
		diag_error(ds, at, "Undefined local",
			   "There is no local value \"%.*s\".", STR_ARG(name));
		return &value_unknown_dynamic;
	}
	return nested(ev, f, f->module, l,
		      arena_printf(a, "local.%.*s", STR_ARG(name)), &l->at,
		      l->value, ds);
}

static void missing_variable(const struct static_frame *f,
			     const struct cfg_variable *v, struct diags *ds)
{
	const struct body *b = f->module->call->body;
	struct range at = source_range(b->src, b->end);

	diag_error(ds, &at, "Missing required variable in module call",
		   "\"%.*s\" must be set here.", STR_ARG(v->name));
}

static void note_missing(struct config *c, struct str name)
{
	for (size_t i = 0; i < c->early_missing.len; i++)
		if (str_eq(c->early_missing.items[i], name))
			return;
	vec_push(c->arena, &c->early_missing, name);
}

/* The value as given, before conversion; NULL: not known. */
static const struct value *given_value(struct eval *ev,
				       const struct static_frame *f,
				       struct cfg_variable *v,
				       const char *subject, struct diags *ds)
{
	const struct map *given = f->loader->opts->variables;
	const struct attribute *arg = static_argument(f, v->name);
	const struct value *value;
	struct range at = v->at;

	if (arg) {
		at = attribute_range(arg);
		return nested(ev, f, f->module->parent, arg->expr.root, subject,
			      &at, arg->expr, ds);
	}
	if (!f->module->call) {
		value = given ? map_get(given, v->name) : NULL;
		if (value)
			return value;
		/* A default might not count: values come later. */
		if (!given) {
			f->loader->config->early_values = true;
			return NULL;
		}
	}
	if (v->default_value.root)
		return eval_expression(f->loader->config->arena, NULL,
				       v->default_value, ds);
	if (f->module->call) {
		missing_variable(f, v, ds);
		return &value_unknown_dynamic;
	}
	if (!given)
		return NULL;
	note_missing(f->loader->config, v->name);
	diag_error(
		ds, &v->at,
		arena_printf(
			f->loader->config->arena,
			"Failed to request input from user for variable var.%.*s",
			STR_ARG(v->name)),
		"var.%.*s has no default and was not given.", STR_ARG(v->name));
	return &value_unknown_dynamic;
}

static const struct value *convert_given(const struct static_frame *f,
					 struct cfg_variable *v,
					 const struct value *value,
					 struct diags *ds)
{
	struct arena *a = f->loader->config->arena;
	struct verror err = { 0 };
	const struct value *c;

	if (v->defaults && value_usable(value))
		value = type_defaults_apply(a, v->defaults, value);
	c = convert(a, value, v->type, &err);
	if (!c) {
		diag_error(
			ds, NULL, "Invalid value for input variable",
			"The value given for var.%.*s, declared at %s, does not fit: %.*s.",
			STR_ARG(v->name), range_text(a, &v->at),
			STR_ARG(verror_text(a, &err)));
		return &value_unknown_dynamic;
	}
	if (value_is_null(c) && !v->nullable && v->default_value.root)
		c = eval_expression(a, NULL, v->default_value, ds);
	else if (value_is_null(c) && !v->nullable)
		diag_error(ds, &v->at, "Required variable not set",
			   "var.%.*s must not be null.", STR_ARG(v->name));
	return cfg_variable_marked(a, v, c);
}

static const struct value *resolve_variable(struct eval *ev,
					    const struct static_frame *f,
					    struct str name,
					    const struct range *at,
					    struct diags *ds)
{
	struct cfg_variable *v = map_get(&f->module->variables, name);
	struct arena *a = f->loader->config->arena;
	const char *subject = arena_printf(a, "var.%.*s", STR_ARG(name));
	size_t errors = ds->errors;
	const struct value *value, *given = NULL;
	bool usable;

	if (!v) {
		diag_error(ds, at, "Undefined variable",
			   "There is no variable \"%.*s\".", STR_ARG(name));
		return &value_unknown_dynamic;
	}
	value = given_value(ev, f, v, subject, ds);
	if (!value)
		return cfg_variable_marked(a, v, unknown(f));
	usable = ds->errors == errors;
	if (usable)
		value = convert_given(f, v, given = value, ds);
	/* That a value does not fit says enough. */
	if (ds->errors > errors && (!usable || value_is_null(given)))
		static_explain(f, subject, ds);
	return value;
}

static const struct value *path_value(struct loader *l,
				      const struct cfg_module *m,
				      struct str name, const struct range *at,
				      struct diags *ds)
{
	struct arena *a = l->config->arena;
	const struct value *v;
	char *cwd;

	if (str_is(name, "module"))
		return value_string(a, m->dir.n ? m->dir : STR("."));
	if (str_is(name, "root"))
		return value_string(a, STR("."));
	if (str_is(name, "cwd")) {
		cwd = getcwd(NULL, 0);
		v = value_string(a, str_dup(a, str_c(cwd)));
		free(cwd);
		return v;
	}
	diag_error(ds, at, "Invalid \"path\" attribute",
		   "\"path\" has the attributes cwd, module and root only.");
	return &value_unknown_dynamic;
}

static const struct value *terraform_value(struct loader *l, struct str name,
					   const struct range *at,
					   struct diags *ds)
{
	struct str workspace = l->opts->workdir->workspace;

	if (str_is(name, "workspace"))
		return value_string(l->config->arena,
				    workspace.n ? workspace : STR("default"));
	if (str_is(name, "applying"))
		diag_error(
			ds, at, "Invalid attribute in static context",
			"\"applying\" is known only while planning and applying.");
	else
		diag_error(ds, at, "Invalid \"terraform\" attribute",
			   "\"terraform\" has the attribute workspace only.");
	return &value_unknown_dynamic;
}

static const struct value *resolve_named(const struct static_frame *f,
					 struct eval *ev, const struct ref *r,
					 struct diags *ds)
{
	struct range at = source_range(r->src, r->span);
	struct str name = r->steps[0].name;

	if (str_is(r->root, "local"))
		return resolve_local(ev, f, name, &at, ds);
	if (str_is(r->root, "var"))
		return resolve_variable(ev, f, name, &at, ds);
	if (str_is(r->root, "path"))
		return path_value(f->loader, f->module, name, &at, ds);
	if (str_is(r->root, "terraform") || str_is(r->root, "tofu"))
		return terraform_value(f->loader, name, &at, ds);
	return NULL;
}

/* References have been checked: each is of a kind that can be known. */
static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct static_frame *f = data;
	const size_t errors = ds->errors;
	const struct value *v;

	if (!r->nsteps || !r->steps[0].is_attr)
		return NULL;
	*used = 1;
	v = resolve_named(f, ev, r, ds);
	if (f->failed && ds->errors > errors)
		*f->failed = true;
	return v;
}

struct scope static_scope(const struct static_frame *f)
{
	return (struct scope){ .resolve = resolve,
			       .function = f->loader->opts->function,
			       .data = (void *)f,
			       .base_dir = "." };
}

/* What is given besides need not be checked. */
static void leave_out(const struct eval_local *among,
		      struct traversal_vec *vars)
{
	for (; among; among = among->outer) {
		size_t kept = 0;

		for (size_t i = 0; i < vars->len; i++)
			if (!str_eq(vars->items[i].traversal.root, among->name))
				vars->items[kept++] = vars->items[i];
		vars->len = kept;
	}
}

static const struct value *eval_frame(struct eval *ev,
				      const struct static_frame *f,
				      struct expression e, struct diags *ds)
{
	struct arena *a = f->loader->config->arena;
	struct scope scope = static_scope(f);
	struct static_uses uses;

	static_uses(a, e, &uses);
	leave_out(f->among, &uses.vars);
	if (static_check(f, &uses, ds)) {
		if (f->failed)
			*f->failed = true;
		return &value_unknown_dynamic;
	}
	if (!scope.function && uses.calls.len)
		return unknown(f);
	if (ev) {
		struct eval kept = *ev;

		kept.arena = a; /* the value is, longer than a loop may run */
		return eval_sub(&kept, &scope, e, ds);
	}
	return eval_with_locals(a, &scope, f->among, e, ds);
}

const struct value *static_evaluate(const struct static_frame *f,
				    struct expression e, struct diags *ds)
{
	return eval_frame(NULL, f, e, ds);
}

const struct value *config_static_value(
	struct config *c, const struct config_options *o, struct expression e,
	const struct eval_local *among, const char *subject,
	const struct range *at, struct diags *ds)
{
	struct loader l = { .config = c, .opts = o, .ds = ds };
	bool is_unknown = false;
	struct static_frame f = { .loader = &l,
				  .module = c->root,
				  .subject = subject,
				  .at = *at,
				  .object = e.root,
				  .unknown = &is_unknown,
				  .among = among };
	size_t errors = ds->errors;
	const struct value *v = eval_frame(NULL, &f, e, ds);

	return ds->errors > errors || is_unknown ? NULL : v;
}

const struct value *config_static_body(struct config *c,
				       const struct config_options *o,
				       const struct body *b,
				       const struct schema_block *schema,
				       const struct static_body *what,
				       struct diags *ds)
{
	struct loader l = { .config = c, .opts = o, .ds = ds };
	bool is_unknown = false, failed = false;
	struct static_frame f = { .loader = &l,
				  .module = c->root,
				  .subject = what->subject,
				  .at = *what->at,
				  .object = b,
				  .unknown = &is_unknown,
				  .failed = &failed };
	const struct scope scope = static_scope(&f);
	struct static_uses uses = { 0 };
	struct diags own = DIAGS_INIT(c->arena);
	const struct value *v;

	body_uses(c->arena, b, schema, &uses.vars, &uses.calls);
	if (static_check(&f, &uses, ds))
		return NULL;
	v = body_decode(c->arena, b, schema, &scope, &own);
	if (!what->lenient || failed)
		diags_append(ds, &own);
	if (is_unknown || failed || (diags_failed(&own) && !what->lenient))
		return NULL;
	return v;
}

static void static_constant(const struct static_frame *f,
			    struct cfg_variable *v, struct diags *ds)
{
	const char *subject = arena_printf(f->loader->config->arena, "var.%.*s",
					   STR_ARG(v->name));
	size_t errors = ds->errors;
	const struct value *value = given_value(NULL, f, v, subject, ds);

	if (ds->errors > errors && !static_argument(f, v->name))
		static_explain(f, subject, ds);
	if (ds->errors > errors || !value || *f->unknown)
		return;
	convert_given(f, v, value, ds);
	if (ds->errors > errors && value_is_null(value))
		static_explain(f, subject, ds);
}

void static_constants(struct loader *l, struct cfg_module *m)
{
	const char *subject;

	if (!m->call)
		return;
	subject = arena_printf(l->config->arena, "module.%.*s",
			       STR_ARG(m->call->name));
	for (size_t i = 0; i < m->variables.len; i++) {
		struct cfg_variable *v = m->variables.entries[i].value;
		bool is_unknown = false;
		struct static_frame f = { .loader = l,
					  .module = m,
					  .subject = subject,
					  .at = m->call->at,
					  .object = m,
					  .unknown = &is_unknown };

		if (v->constant)
			static_constant(&f, v, l->ds);
	}
}

/*
 * static.c - early evaluation of module sources and versions
 *
 * Such an expression may use variables and local values, path and terraform,
 * but nothing that is known only later.  A child module's variables are the
 * arguments of its call, evaluated early as well.
 */
#include "config/load/static.h"

#include "config/load/loader_int.h"

#include "config/decode/decode_int.h"
#include "config/module.h"
#include "config/load/static_check_int.h"
#include "config/load/static_int.h"
#include "config/source/source.h"
#include "config/source/version.h"
#include "lang/eval/eval.h"
#include "lang/eval/static.h"
#include "value/convert.h"
#include "value/defaults.h"
#include "value/marks.h"

#include <stdlib.h>
#include <unistd.h>

static const struct value *eval_frame(struct eval *ev,
				      const struct static_frame *f,
				      struct expression e, struct diags *ds);

static const struct value *unknown(const struct static_frame *f)
{
	*f->unknown = true;
	return &value_unknown_dynamic;
}

static int check_circle(const struct static_frame *f, const void *object,
			const char *subject, const struct range *at,
			struct diags *ds)
{
	for (const struct static_frame *o = f; o; o = o->outer)
		if (o->object == object)
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
	struct static_frame inner = { f,   f->loader, m,         subject,
				      *at, object,    f->unknown };
	struct str key = str_printf(a, "%p", object);
	const struct value *v = map_get(memo, key);
	const bool before = *f->unknown;
	size_t errors = ds->errors;

	if (v == &value_unknown_dynamic)
		return unknown(f);
	if (v)
		return v;
	if (check_circle(f, object, subject, at, ds))
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
	diag_error(ds, &v->at,
		   arena_printf(f->loader->config->arena,
				"Failed to request input from user for "
				"variable var.%.*s",
				STR_ARG(v->name)),
		   "var.%.*s has no default and was not given.",
		   STR_ARG(v->name));
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
		diag_error(ds, NULL, "Invalid value for input variable",
			   "The value given for var.%.*s, declared at %s, does "
			   "not fit: %.*s.",
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
	const struct value *value;

	if (!v) {
		diag_error(ds, at, "Undefined variable",
			   "There is no variable \"%.*s\".", STR_ARG(name));
		return &value_unknown_dynamic;
	}
	value = given_value(ev, f, v, subject, ds);
	if (!value)
		return cfg_variable_marked(a, v, unknown(f));
	if (ds->errors == errors)
		value = convert_given(f, v, value, ds);
	if (ds->errors > errors)
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
	struct str workspace = l->opts->workspace;

	if (str_is(name, "workspace"))
		return value_string(l->config->arena,
				    workspace.n ? workspace : STR("default"));
	if (str_is(name, "applying"))
		diag_error(ds, at, "Invalid attribute in static context",
			   "\"applying\" is known only while planning and "
			   "applying.");
	else
		diag_error(ds, at, "Invalid \"terraform\" attribute",
			   "\"terraform\" has the attribute workspace only.");
	return &value_unknown_dynamic;
}

/* References have been checked: each is of a kind that can be known. */
static const struct value *resolve(void *data, struct eval *ev,
				   const struct ref *r, size_t *used,
				   struct diags *ds)
{
	const struct static_frame *f = data;
	struct range at;
	struct str name;

	if (!r->nsteps || !r->steps[0].is_attr)
		return NULL;
	*used = 1;
	name = r->steps[0].name;
	at = source_range(r->src, r->span);
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

static const struct value *eval_frame(struct eval *ev,
				      const struct static_frame *f,
				      struct expression e, struct diags *ds)
{
	struct arena *a = f->loader->config->arena;
	struct scope scope = { .resolve = resolve,
			       .data = (void *)f,
			       .base_dir = "." };
	struct static_uses uses;

	static_uses(a, e, &uses);
	if (static_check(f, &uses, ds))
		return &value_unknown_dynamic;
	scope.function = f->loader->opts->function;
	if (!scope.function && uses.calls.len) {
		static_look_behind(f, &uses, ds);
		return unknown(f);
	}
	if (ev)
		return eval_sub(ev, &scope, NULL, e, ds);
	return eval_expression(a, &scope, e, ds);
}

const struct value *config_static_value(struct config *c,
					const struct config_options *o,
					struct expression e,
					const char *subject, struct diags *ds)
{
	struct loader l = { .config = c, .opts = o, .ds = ds };
	bool is_unknown = false;
	struct static_frame f = {
		NULL,   &l,         c->root, subject, expression_range(e),
		e.root, &is_unknown
	};
	size_t errors = ds->errors;
	const struct value *v = eval_frame(NULL, &f, e, ds);

	return ds->errors > errors || is_unknown ? NULL : v;
}

/* A string; STR_NONE when it is not known, or after a diagnostic (then
 * *failed). */
static struct str static_text(struct loader *l, struct cfg_module *m,
			      struct expression e, const char *subject,
			      const struct range *at, bool *failed,
			      struct diags *ds)
{
	struct arena *a = l->config->arena;
	bool is_unknown = false;
	struct static_frame f = {
		NULL, l, m, subject, *at, e.root, &is_unknown
	};
	size_t errors = ds->errors;
	const struct value *v = eval_frame(NULL, &f, e, ds);
	struct range r = expression_range(e);
	struct verror err = { 0 };

	*failed = true;
	if (ds->errors > errors)
		return STR_NONE;
	if (value_has_mark_deep(v, MARK_SENSITIVE)) {
		diag_error(ds, &r, "Sensitive value not allowed",
			   "%s cannot depend on a sensitive value.", subject);
		return STR_NONE;
	}
	if (value_has_mark_deep(v, MARK_EPHEMERAL)) {
		diag_error(ds, &r, "Ephemeral value not allowed",
			   "%s cannot depend on an ephemeral value.", subject);
		return STR_NONE;
	}
	if (is_unknown) {
		*failed = false;
		return STR_NONE;
	}
	v = convert(a, v, &type_string, &err);
	if (v && value_usable(v)) {
		*failed = false;
		return v->string;
	}
	r = source_range(e.src, expression_start(e));
	diag_error(ds, &r, "Unsuitable value type",
		   "This value cannot be used: %s.",
		   v ? "it must be known and not null"
		     : verror_text(a, &err).p);
	return STR_NONE;
}

static void read_version(struct loader *l, struct cfg_call *call)
{
	static const char *const summary = "Invalid version constraint";
	struct arena *a = l->config->arena;
	struct range at = expression_range(call->version_expr);
	const char *subject =
		arena_printf(a, "module.%.*s.version", STR_ARG(call->name));
	struct version_constraints c;
	bool failed;

	if (call->version_expr.root->kind == EXPR_LITERAL &&
	    value_is_null(call->version_expr.root->literal)) {
		call->version_expr = EXPRESSION_NONE;
		return;
	}
	call->version = static_text(l, call->module, call->version_expr,
				    subject, &call->version_at, &failed, l->ds);
	if (call->version.p && !version_constraints_parse(a, call->version, &c))
		diag_error(l->ds, &at, summary,
			   "This is not a version constraint such as "
			   "\"~> 1.2\".");
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
		struct static_frame f = { NULL,        l, m,          subject,
					  m->call->at, m, &is_unknown };

		if (v->constant)
			static_constant(&f, v, l->ds);
	}
}

void static_call(struct loader *l, struct cfg_call *call)
{
	struct arena *a = l->config->arena;
	const char *summary = NULL, *subject;
	struct str text, why = STR_NONE;
	bool failed;

	if (call->version_expr.root)
		read_version(l, call);
	if (!call->source_expr.root)
		return;
	subject = arena_printf(a, "module.%.*s.source", STR_ARG(call->name));
	text = static_text(l, call->module, call->source_expr, subject,
			   &call->source_at, &failed, l->ds);
	if (!text.p)
		return;
	call->source_written = text;
	call->source = source_read(a, text, call->version_expr.root != NULL,
				   &call->source_kind, &summary, &why);
	if (!call->source.p)
		diag_error(l->ds, &call->source_at, summary, "%.*s",
			   STR_ARG(why));
}

void static_provider(struct loader *l, const struct cfg_provider *p)
{
	struct arena *a = l->config->arena;
	struct expression e = p->for_each.root ? p->for_each : p->count;
	bool is_unknown = false;
	struct static_frame f = { .loader = l,
				  .module = p->module,
				  .object = e.root,
				  .unknown = &is_unknown };

	if (!e.root)
		return;
	f.subject = arena_printf(a, "provider.%.*s%s%.*s.%s", STR_ARG(p->name),
				 p->alias.n ? "." : "", STR_ARG(p->alias),
				 p->for_each.root ? "for_each" : "count");
	f.at = expression_range(e);
	eval_frame(NULL, &f, e, l->ds);
}

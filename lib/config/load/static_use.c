/*
 * static_use.c - what is evaluated early: sources and versions of modules,
 * instances of provider configurations
 */
#include "config/load/load.h"
#include "config/load/load_int.h"
#include "config/source/source.h"
#include "config/source/version.h"
#include "lang/eval/eval.h"
#include "value/convert.h"
#include "value/marks.h"

/* NULL after a diagnostic.  *later: it depends on variables whose values are
 * not given yet. */
static const struct value *value_of(struct loader *l, struct cfg_module *m,
				    struct expression e, const char *subject,
				    const struct range *at, bool *later)
{
	struct static_frame f = { .loader = l,
				  .module = m,
				  .subject = subject,
				  .at = *at,
				  .object = e.root,
				  .unknown = later };
	size_t errors = l->ds->errors;
	const struct value *v;

	*later = false;
	v = static_evaluate(&f, e, l->ds);
	return l->ds->errors > errors ? NULL : v;
}

static int refuse_marks(struct loader *l, const char *subject,
			const struct value *v, const struct range *at)
{
	if (value_has_mark_deep(v, MARK_SENSITIVE))
		return diag_error(l->ds, at, "Sensitive value not allowed",
				  "%s cannot depend on a sensitive value.",
				  subject);
	if (value_has_mark_deep(v, MARK_EPHEMERAL))
		return diag_error(l->ds, at, "Ephemeral value not allowed",
				  "%s cannot depend on an ephemeral value.",
				  subject);
	return 0;
}

/* STR_NONE when it is not known, or after a diagnostic. */
static struct str source_text(struct loader *l, const struct cfg_call *call)
{
	struct arena *a = l->config->arena;
	struct expression e = call->source_expr;
	const char *subject =
		arena_printf(a, "module.%.*s.source", STR_ARG(call->name));
	bool later;
	const struct value *v =
		value_of(l, call->module, e, subject, &call->source_at, &later);
	struct range at = expression_range(e);
	struct verror err = { 0 };

	if (!v || refuse_marks(l, subject, v, &at) || later)
		return STR_NONE;
	v = convert(a, v, &type_string, &err);
	if (v && value_usable(v))
		return v->string;
	at = source_range(e.src, expression_start(e));
	diag_error(l->ds, &at, "Unsuitable value type",
		   "This value cannot be used: %s.",
		   v ? "it must be known and not null"
		     : verror_text(a, &err).p);
	return STR_NONE;
}

static int bad_version(struct loader *l, const struct cfg_call *call,
		       const char *why)
{
	struct range at = expression_range(call->version_expr);

	return diag_error(l->ds, &at, "Invalid version constraint", "%s", why);
}

/* A version that is null is as good as none; one that is not known allows
 * all. */
static int read_version(struct loader *l, struct cfg_call *call)
{
	struct arena *a = l->config->arena;
	const char *subject =
		arena_printf(a, "module.%.*s.version", STR_ARG(call->name));
	struct version_constraints c;
	struct verror err = { 0 };
	const struct value *v;
	bool later;

	v = value_of(l, call->module, call->version_expr, subject,
		     &call->version_at, &later);
	if (!v)
		return -1;
	if (!later && value_is_null(v)) {
		call->version_expr = EXPRESSION_NONE;
		return 0;
	}
	if (value_has_mark(v, MARK_SENSITIVE | MARK_EPHEMERAL))
		return bad_version(
			l, call,
			"It cannot depend on a sensitive or an ephemeral value.");
	if (later)
		return 0;
	v = convert(a, v, &type_string, &err);
	if (!v)
		return bad_version(l, call, "It must be a string.");
	if (!value_usable(v))
		return 0;
	call->version = v->string;
	return version_constraints_parse(a, call->version, &c)
		       ? 0
		       : bad_version(
				 l, call,
				 "This is not a version constraint such as \"~> 1.2\".");
}

void static_call(struct loader *l, struct cfg_call *call)
{
	struct arena *a = l->config->arena;
	const char *summary = NULL;
	struct str text, why = STR_NONE;

	if (call->version_expr.root)
		read_version(l, call);
	if (!call->source_expr.root)
		return;
	text = source_text(l, call);
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
	bool is_unknown = false, failed = false;
	struct static_frame f = { .loader = l,
				  .module = p->module,
				  .object = e.root,
				  .unknown = &is_unknown,
				  .failed = &failed };
	struct scope scope = static_scope(&f);
	struct for_each_use use = {
		.scratch = a, .scope = &scope, .e = e, .ds = l->ds
	};
	const struct value *v;

	if (!e.root)
		return;
	f.subject = arena_printf(a, "provider.%.*s%s%.*s.%s", STR_ARG(p->name),
				 p->alias.n ? "." : "", STR_ARG(p->alias),
				 p->for_each.root ? "for_each" : "count");
	f.at = expression_range(e);
	v = static_evaluate(&f, e, l->ds);
	if (p->for_each.root && !is_unknown && !failed)
		for_each_check(&use, v);
}

static bool is_constant(struct arena *a, struct expression e)
{
	struct static_uses uses;

	if (!e.root)
		return true;
	static_uses(a, e, &uses);
	return !uses.vars.len && !uses.calls.len;
}

static void check_call(struct loader *l, const struct cfg_call *call,
		       struct diags *ds)
{
	struct cfg_call now = *call;

	if (is_constant(l->config->arena, call->source_expr) &&
	    is_constant(l->config->arena, call->version_expr))
		return;
	diags_clear(l->ds);
	static_call(l, &now);
	if (l->ds->errors)
		return;
	if (!str_eq(now.source, call->source))
		diag_error(ds, &call->source_at, "Module source has changed",
			   "The configuration was read with the source "
			   "\"%.*s\"; with the values given here it is "
			   "\"%.*s\". Give tf-parse the same values.",
			   STR_ARG(call->source), STR_ARG(now.source));
	else if (!str_eq(now.version, call->version))
		diag_error(ds, &call->source_at,
			   "Module version requirements have changed",
			   "The configuration was read with the version "
			   "\"%.*s\"; with the values given here it is "
			   "\"%.*s\". Give tf-parse the same values.",
			   STR_ARG(call->version), STR_ARG(now.version));
}

int config_check_sources(struct config *c, const struct config_options *o,
			 struct diags *ds)
{
	struct diags unused = DIAGS_INIT(c->arena);
	struct loader l = { .config = c, .opts = o, .ds = &unused };
	const size_t errors = ds->errors;

	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		for (size_t k = 0; k < m->calls.len; k++)
			check_call(&l, m->calls.entries[k].value, ds);
	}
	return ds->errors > errors ? -1 : 0;
}

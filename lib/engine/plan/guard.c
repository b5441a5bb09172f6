/*
 * guard.c - what refuses a change that is planned: prevent_destroy,
 * provisioners that would have to run
 */
#include "engine/plan/plan_int.h"
#include "engine/run/expand.h"
#include "engine/run/run.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "lang/syntax/walk.h"
#include "value/convert.h"
#include "value/marks.h"
#include "value/value.h"

bool config_skips_destroy(const struct cfg_resource *c)
{
	return c && c->lifecycle->skip_destroy;
}

static int bad_prevent(struct job *j, unsigned explain, struct run_scope *s,
		       const char *what)
{
	struct expression e = j->work->config->lifecycle->prevent_destroy;
	struct diag d = {
		.severity = SEV_ERROR,
		.summary = STR("Invalid value for prevent_destroy"),
		.subject = expression_range(e),
	};

	d.detail = str_printf(j->w.ds.arena, "prevent_destroy of %.*s %s.",
			      STR_ARG(j->w.text), what);
	eval_explain(j->w.ds.arena, &s->scope, NULL, e, explain,
		     diags_push(&j->w.ds, d));
	return -1;
}

/* count.index and each.key are not known of instances that the configuration no
 * longer has. */
static int refuse_instance_data(struct job *j, struct expression e)
{
	struct traversal_vec v = { 0 };
	int rc = 0;

	expression_variables(j->w.a, e, &v);
	for (size_t i = 0; i < v.len; i++) {
		struct str root = v.items[i].traversal.root;
		struct range at = source_range(v.items[i].src, v.items[i].span);

		if (!str_is(root, "each") && !str_is(root, "count"))
			continue;
		rc = diag_error(&j->w.ds, &at,
				"Invalid reference in prevent_destroy",
				"\"%.*s\" cannot be used here: the argument "
				"also counts for instances that the "
				"configuration no longer asks for.",
				STR_ARG(root));
	}
	return rc;
}

int job_prevent_destroy(struct job *j, enum action action)
{
	const struct cfg_resource *c = j->work->config;
	const size_t errors = j->w.ds.errors;
	const struct value *v, *b;
	struct run_module *m = j->p->run->root;
	struct expression e;
	struct run_scope s;
	struct verror err;

	if (!c || !c->lifecycle->prevent_destroy.root)
		return 0;
	e = c->lifecycle->prevent_destroy;
	if (refuse_instance_data(j, e))
		return -1;
	if (j->it.rr)
		m = j->it.rr->module;
	else if (c->module->parent)
		m = run_module(j->p->run, j->w.addr.module, &j->w.ds);
	run_scope_init(&s, m ? m : j->p->run->root, NULL);
	v = eval_expression(j->w.a, &s.scope, e, &j->w.ds);
	if (j->w.ds.errors != errors || s.failed)
		return -1;
	b = convert(j->w.a, v, &type_bool, &err);
	if (!b)
		return bad_prevent(j, 0, &s, "must be true or false");
	if (value_has_mark(b, MARK_SENSITIVE))
		return bad_prevent(
			j, EXPLAIN_CONFIDENTIAL, &s,
			"is sensitive, and would show by what is destroyed");
	if (value_has_mark(b, MARK_EPHEMERAL))
		return bad_prevent(
			j, EXPLAIN_CONFIDENTIAL, &s,
			"is ephemeral; it must be the same when planning and applying");
	if (action != ACTION_DELETE && !action_replaces(action))
		return 0;
	if (!value_is_known(b))
		return bad_prevent(
			j, EXPLAIN_UNKNOWN, &s,
			"is known only after apply; use -exclude to leave the resource out");
	if (value_is_null(b))
		return bad_prevent(j, 0, &s, "is null; use false instead");
	if (!b->boolean)
		return 0;
	return diag_error(&j->w.ds, &c->at,
			  "Resource instance cannot be destroyed",
			  "%.*s has prevent_destroy set, and the plan calls "
			  "for destroying it. Change that setting, or leave "
			  "the resource out with -exclude.",
			  STR_ARG(j->w.text));
}

/* The provisioners of the resource, or of the removed block that takes it away.
 */
static const struct cfg_provisioner_vec *provisioners_of(const struct job *j)
{
	static const struct cfg_provisioner_vec none = { NULL, 0, 0 };
	const struct removal *r;

	if (j->work->config)
		return &j->work->config->provisioners;
	r = moves_removal(&j->p->moves, &j->w.addr);
	return r ? &r->config->provisioners : &none;
}

/* Is it known that the connection is one of WinRM? */
static bool is_winrm(struct job *j, const struct body *b, struct range *at)
{
	struct diags quiet = DIAGS_INIT(j->w.a);
	struct attribute_vec attrs = { 0 };
	const struct value *v = NULL;
	struct run_scope s;

	run_scope_init(&s, j->w.module ? j->w.module : j->p->run->root,
		       &j->w.rep);
	body_attributes(j->w.a, b, &attrs, &quiet);
	for (size_t i = 0; i < attrs.len; i++) {
		if (!str_is(attrs.items[i].name, "type"))
			continue;
		*at = expression_range(attrs.items[i].expr);
		v = eval_expression(j->w.a, &s.scope, attrs.items[i].expr,
				    &quiet);
	}
	if (!v || s.failed || diags_failed(&quiet))
		return false;
	v = value_unmark_deep(j->w.a, v, NULL);
	return value_usable(v) && v->type == &type_string &&
	       str_is(v->string, "winrm");
}

int job_provisioners(struct job *j, bool destroying)
{
	const struct cfg_resource *c = j->work->config;
	const struct cfg_provisioner_vec *all = provisioners_of(j);
	const size_t errors = j->w.ds.errors;

	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_provisioner *p = &all->items[i];
		const struct body *conn;
		struct range at;

		if (p->when_destroy != destroying ||
		    str_is(p->type, "local-exec"))
			continue;
		conn = provisioner_connection(j->w.a, c ? c->connection : NULL,
					      p->connection);
		if (conn && is_winrm(j, conn, &at))
			diag_error(&j->w.ds, &at, "Unsupported connection type",
				   "A %.*s provisioner of %.*s would have to "
				   "run over WinRM to carry out this plan. "
				   "Only connections of type ssh are "
				   "supported; Windows has a server of SSH.",
				   STR_ARG(p->type), STR_ARG(j->w.text));
	}
	return j->w.ds.errors > errors ? -1 : 0;
}

/* change.c - recording changes, and what is common to planning an
 * instance */
#include "engine/plan/plan_int.h"
#include "engine/run/run.h"
#include "engine/run/conditions.h"
#include "engine/run/expand.h"
#include "engine/run/values.h"
#include "engine/run/worker.h"
#include "lang/eval/eval.h"
#include "lang/spec/decode.h"
#include "lang/syntax/walk.h"
#include "value/convert.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/path.h"

static struct str *dup_list(struct arena *a, struct str *const x, size_t n)
{
	return n ? arena_dup(a, x, n * sizeof(*x)) : NULL;
}

/* A copy for the run. Write-only attributes are null by now; that they were
 * given ephemeral values must not show either. */
static const struct value *keep(struct job *j, const struct value *v)
{
	if (value_has_mark_deep(v, MARK_EPHEMERAL))
		v = value_without_marks(j->w.a, v, MARK_EPHEMERAL);
	return value_copy(j->p->arena, v);
}

/* Destroying has kept what is stored, and that is what most changes start
 * from. */
static const struct value *keep_before(struct job *j, const struct value *v)
{
	const struct value *stored = j->it.si ? j->it.si->decoded : NULL;

	return stored && value_identical(stored, v) ? stored : keep(j, v);
}

static void keep_paths(struct job *j, struct path_vec *out)
{
	struct arena *a = j->p->arena;

	for (size_t i = 0; i < j->w.plan.replace.len; i++) {
		struct path p = j->w.plan.replace.items[i];
		struct path_step *steps =
			arena_dup(a, p.steps, p.len * sizeof(*steps));

		for (size_t k = 0; k < p.len; k++) {
			steps[k].attr = str_dup(a, steps[k].attr);
			if (steps[k].index)
				steps[k].index = value_copy(a, steps[k].index);
		}
		vec_push(a, out, (struct path){ steps, p.len });
	}
	if (out->len > 1)
		paths_in_plan_order(out);
}

static void mark_pending(struct job *j, const struct change *c)
{
	if (c->action == ACTION_NOOP)
		return;
	j->work->pending_changes = true;
	if (j->it.rr)
		j->it.rr->pending_changes = true;
}

struct change *job_change(struct job *j, enum action action, enum reason reason,
			  const struct value *before, const struct value *after)
{
	struct plan *p = j->p;
	struct change *c = ARENA_NEW(p->arena, struct change);

	c->addr = j->w.addr;
	c->prev_addr = *moves_origin(&p->moves, &j->w.addr);
	if (j->it.si)
		c->deposed = j->it.si->deposed;
	c->provider = j->w.provider ? j->w.provider->addr : j->it.sr->provider;
	c->action = action;
	c->reason = reason;
	c->before = keep_before(j, before);
	c->after = after == before || value_identical(before, after)
			   ? c->before
			   : keep(j, after);
	c->create_before_destroy = j->cbd;
	keep_paths(j, &c->required_replace);
	c->planned_private = str_dup(p->arena, j->w.plan.planned_private);
	if (j->now.identity)
		c->before_identity = keep(j, j->now.identity);
	if (j->w.plan.planned_identity)
		c->planned_identity = keep(j, j->w.plan.planned_identity);
	c->dependencies.items =
		dup_list(p->arena, j->work->deps.items, j->work->deps.n);
	c->dependencies.len = j->work->deps.n;
	mark_pending(j, c);
	run_change_add(p->run, c);
	if (j->it.inst)
		j->it.inst->change = c;
	return c;
}

static const struct value *evaluated(struct worker *w)
{
	const struct value *v = worker_body(w);
	const struct body *body = w->block->body;
	const size_t said = w->ds.len;

	if (!v || run_refuse_infinity(v, &w->block->at, w->text, &w->ds))
		return NULL;
	v = body_report_deprecated(w->a, body, v, &w->ds);
	diags_address(&w->ds, said, w->text);
	return worker_refuse_ephemeral(w, v) ? NULL : v;
}

enum worked job_configure(struct worker *w)
{
	if (worker_conditions(w, COND_PRECONDITION, NULL, NULL))
		return WORK_FAIL;
	w->config = evaluated(w);
	return w->config ? WORK_NEXT : WORK_FAIL;
}

enum worked job_postconditions(struct worker *w)
{
	worker_conditions(w, COND_POSTCONDITION, job_of(w)->it.inst->value,
			  NULL);
	return WORK_END;
}

static void refers_to_itself(struct job *j, const struct reference *r,
			     struct str what)
{
	struct range at = source_range(r->src, r->span);

	diag_error(&j->w.ds, &at, "Self-referential block",
		   "The configuration of %.*s must not refer to itself.",
		   STR_ARG(what));
}

/* A body may name neither its own instance nor its whole resource; where the
 * two are the same address OpenTofu says so twice, and so does this. */
enum worked job_self_reference(struct worker *w)
{
	struct job *j = job_of(w);
	struct buf b = BUF_INIT;

	state_resource_text(&b, j->w.addr.module, &j->w.addr.resource);
	for (size_t i = 0; i < j->work->self_refs.len; i++) {
		const struct reference *r = &j->work->self_refs.items[i];

		if (inst_key_equal(r->key, j->w.addr.key))
			refers_to_itself(j, r, j->w.text);
		if (r->key.kind == KEY_NONE)
			refers_to_itself(j, r, buf_view(&b));
	}
	buf_release(&b);
	return worker_failed(w) ? WORK_FAIL : WORK_NEXT;
}

bool config_skips_destroy(const struct cfg_resource *c)
{
	return c && c->lifecycle->skip_destroy;
}

enum worked job_destroy_setting(struct worker *w)
{
	struct range at;

	if (!w->block || !w->block->lifecycle->destroy_invalid)
		return WORK_NEXT;
	at = expression_range(w->block->lifecycle->destroy);
	diag_error(&w->ds, &at, "Invalid lifecycle destroy expression",
		   "\"destroy\" of %.*s must be the constant true or false.",
		   STR_ARG(w->text));
	return WORK_FAIL;
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

int job_provisioners(struct job *j, bool destroying)
{
	const struct cfg_provisioner_vec *all = provisioners_of(j);
	const size_t errors = j->w.ds.errors;

	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_provisioner *p = &all->items[i];

		if (p->when_destroy != destroying ||
		    str_is(p->type, "local-exec"))
			continue;
		diag_error(&j->w.ds, &p->at, "Unsupported provisioner type",
			   "%.*s has a %.*s provisioner, which would have to "
			   "run to carry out this plan. Only local-exec is "
			   "supported.",
			   STR_ARG(j->w.text), STR_ARG(p->type));
	}
	return j->w.ds.errors > errors ? -1 : 0;
}

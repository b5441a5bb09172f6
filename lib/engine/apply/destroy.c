/*
 * destroy.c - destroying objects, current and deposed, and forgetting
 */
#include "engine/apply/apply_int.h"
#include "addr/walk.h"
#include "engine/run/expand.h"
#include "graph/graph.h"
#include "value/marks.h"
#include "value/number.h"

/* No event reports a deposed object that could not be destroyed: its address is
 * that of the current one. */
static void errored(struct op *o)
{
	if (o->an->deposed.n)
		event_abandon(o->w.flight);
	else
		event_errored(o->w.flight);
}

/* Does the removed block of module m mean this resource? */
static bool removes(struct arena *a, const struct cfg_module *m,
		    const struct cfg_removed *r,
		    const struct instance_addr *addr)
{
	struct diags ignored = DIAGS_INIT(a);
	struct buf full = BUF_INIT, path = BUF_INIT;
	struct target t;
	bool same;

	if (target_from_traversal(a, &r->from, &t, &ignored) ||
	    t.kind == TARGET_MODULE ||
	    !resource_addr_equal(t.addr.resource, addr->resource))
		return false;
	buf_str(&full, m->path);
	if (m->path.n && t.addr.module.len)
		buf_putc(&full, '.');
	module_addr_print_path(&full, t.addr.module);
	module_addr_print_path(&path, addr->module);
	same = str_eq(buf_view(&full), buf_view(&path));
	buf_release(&full);
	buf_release(&path);
	return same;
}

/* The provisioners of the resource, or of a removed block that takes it away.
 */
static const struct cfg_provisioner_vec *provisioners(struct op *o)
{
	const struct config *c = o->ap->run->config;

	if (o->an->config)
		return &o->an->config->provisioners;
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		for (size_t k = 0; k < m->removed.len; k++) {
			const struct cfg_removed *r = &m->removed.items[k];

			if (r->provisioners.len &&
			    removes(o->w.a, m, r, &o->w.addr))
				return &r->provisioners;
		}
	}
	return NULL;
}

static void run_over(void *data)
{
	struct op *o = data;

	o->provisioning = NULL;
	worker_resume(&o->w);
}

static void provision(struct op *o, const struct cfg_provisioner_vec *v)
{
	struct provision_request r = {
		.arena = o->w.a,
		.events = &o->ap->events,
		.addr = o->w.addr,
		.provisioners = v->items,
		.n = v->len,
		.connection = o->an->config ? o->an->config->connection : NULL,
		.destroy = true,
		.self = o->prior.value,
		.run = o->ap->run,
		.ds = &o->w.ds,
		.done = run_over,
		.data = o,
	};
	struct inst_key k = o->w.addr.key;

	/* The configuration may be gone: only the key is left of each. */
	if (k.kind == KEY_INT)
		r.rep.count_index = value_int(o->w.a, k.i);
	else if (k.kind == KEY_STRING)
		r.rep.each_key = value_string(o->w.a, k.s);
	if (o->an->config)
		r.module = run_module_aside(o->ap->run, o->an->config->module);
	o->provisioning = provision_start(&r);
}

static void start(struct op *o)
{
	o->action = ACTION_DELETE;
	o->before = o->prior.value;
	o->planned = value_null(o->w.a, o->w.schema->block->implied);
	o->w.flight = event_start(&o->ap->events, &o->w.addr,
				  o->an->kind == APPLY_DESTROY_DEPOSED
					  ? o->an->deposed
					  : STR_NONE,
				  ACTION_DELETE, o->before);
}

/* --- the steps --- */

static enum worked drop_data(struct worker *w)
{
	if (w->addr.resource.mode != MODE_DATA)
		return WORK_NEXT;
	apply_remove(op_of(w)->ap, &w->addr, STR_NONE, NULL);
	return WORK_END;
}

static enum worked read_current(struct worker *w)
{
	struct op *o = op_of(w);
	const struct cfg_provisioner_vec *v;

	if (op_read(o, STR_NONE) || !o->prior.value)
		return WORK_END;
	o->planned_private = o->change->planned_private;
	o->planned_identity = o->change->planned_identity;
	start(o);
	v = o->prior.tainted ? NULL : provisioners(o);
	if (!v || !provision_wanted(v, true))
		return WORK_NEXT;
	provision(o, v);
	return WORK_LATER;
}

static enum worked begin_destroying(struct worker *w)
{
	struct op *o = op_of(w);

	if (op_failed(o)) { /* it stays */
		errored(o);
		return WORK_FAIL;
	}
	o->now = o->prior;
	return WORK_NEXT;
}

static enum worked destroyed(struct worker *w)
{
	struct op *o = op_of(w);

	apply_put(o->ap, &w->addr, o->an->deposed, &o->now, w->schema,
		  w->provider);
	if (op_failed(o))
		errored(o);
	else
		event_complete(w->flight, o->now.value);
	return WORK_END;
}

worker_step *const apply_destroy[] = {
	drop_data,           op_recorded_provider,
	worker_get_provider, read_current,
	begin_destroying,    OBJECT_STEPS,
	destroyed,           NULL,
};

/* --- deposed objects: planned here, for they may be new --- */

static enum worked read_deposed(struct worker *w)
{
	struct op *o = op_of(w);

	if (op_read(o, o->an->deposed))
		return WORK_FAIL;
	if (o->prior.value)
		return WORK_NEXT;
	diag_error(&w->ds, NULL, "Missing deposed object",
		   "The state has no deposed object %.*s of %.*s.",
		   STR_ARG(o->an->deposed), STR_ARG(w->text));
	return WORK_FAIL;
}

static enum worked plan_deposed(struct worker *w)
{
	struct op *o = op_of(w);
	const struct value *null = value_null(w->a, w->schema->block->implied);

	w->q = (struct provider_request){
		.plan.in = { .config = null,
			     .proposed = null,
			     .prior = { value_unmark_deep(w->a, o->prior.value,
							  NULL),
					o->prior.private_data,
					o->prior.identity } },
	};
	if (w->provider->provider->schema->plan_destroy)
		return worker_call(w, CALL_PLAN);
	w->q.plan.out.planned.private_data = o->prior.private_data;
	return WORK_NEXT;
}

static enum worked deposed_planned(struct worker *w)
{
	struct op *o = op_of(w);
	const struct provider_object *planned = &w->q.plan.out.planned;

	if (planned->value && !value_is_null(planned->value)) {
		diag_error(&w->ds, NULL, "Provider produced invalid plan",
			   "The provider %s planned an object where %.*s is to "
			   "be destroyed. This is a bug in the provider.",
			   op_provider_text(o), STR_ARG(w->text));
		return WORK_FAIL;
	}
	o->planned_private = planned->private_data;
	o->planned_identity = planned->identity;
	start(o);
	o->now = o->prior;
	return WORK_NEXT;
}

worker_step *const apply_destroy_deposed[] = {
	op_recorded_provider, worker_get_provider, read_deposed, plan_deposed,
	deposed_planned,      OBJECT_STEPS,        destroyed,    NULL,
};

/* --- forgetting --- */

void apply_forget(struct apply *ap, uint32_t node)
{
	const struct apply_node *an = apply_node(ap->graph, node);
	const struct instance_addr *addr = &an->change->addr;

	if (an->deposed.n)
		apply_remove(ap, addr, an->deposed, NULL);
	else
		apply_remove_all(ap, addr);
	graph_walk_done(ap->walk, node, false);
}

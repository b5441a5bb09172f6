/*
 * destroy.c - destroying objects, current and deposed, and forgetting
 */
#include "engine/apply/apply_int.h"

/* No event tells of a deposed object that could not be destroyed: its address
 * is that of the current one. */
static void errored(struct op *o)
{
	if (o->an->deposed.n)
		event_abandon(o->flight);
	else
		event_errored(o->flight);
}

static void destroyed(struct op *o)
{
	apply_put(o->ap, &o->change->addr, o->an->deposed, &o->now, o->schema,
		  o->provider);
	if (op_failed(o))
		errored(o);
	else
		event_complete(o->flight, o->now.value);
	op_end(o);
}

static const struct body *body_of(const struct op *o)
{
	return o->an->config ? o->an->config->body : NULL;
}

static void destroy_object(struct op *o)
{
	o->now = o->prior;
	apply_object(o, body_of(o), destroyed);
}

static void provisioned(void *data)
{
	struct op *o = data;

	o->provisioning = NULL;
	if (op_failed(o)) { /* it stays */
		errored(o);
		op_end(o);
		return;
	}
	destroy_object(o);
}

/* Those of the resource, or of a removed block that takes it away. */
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
			    removed_names(o->a, m, r, &o->change->addr))
				return &r->provisioners;
		}
	}
	return NULL;
}

static void provision(struct op *o, const struct cfg_provisioner_vec *v)
{
	struct provision_request r = {
		.arena = o->a,
		.events = &o->ap->events,
		.addr = o->change->addr,
		.provisioners = v->items,
		.n = v->len,
		.destroy = true,
		.self = o->prior.value,
		.run = o->ap->run,
		.ds = &o->ds,
		.done = provisioned,
		.data = o,
	};
	struct inst_key k = o->change->addr.key;

	/* The configuration may be gone: only the key is left of each. */
	if (k.kind == KEY_INT)
		r.rep.count_index = value_int(o->a, k.i);
	else if (k.kind == KEY_STRING)
		r.rep.each_key = value_string(o->a, k.s);
	if (o->an->config)
		r.module = run_module(o->ap->run, o->change->addr.module,
				      &o->ds);
	o->provisioning = provision_start(&r);
}

static void start(struct op *o)
{
	o->action = ACTION_DELETE;
	o->before = o->prior.value;
	o->planned = value_null(o->a, o->schema->block->implied);
	o->flight = event_start(&o->ap->events, &o->change->addr,
				o->an->kind == APPLY_DESTROY_DEPOSED
					? o->an->deposed : STR_NONE,
				ACTION_DELETE, o->before);
}

static void ready(struct op *o)
{
	const struct cfg_provisioner_vec *v;

	if (op_read(o, STR_NONE) || !o->prior.value) {
		op_end(o);
		return;
	}
	o->planned_private = o->change->planned_private;
	o->planned_identity = o->change->planned_identity;
	start(o);
	v = o->prior.tainted ? NULL : provisioners(o);
	if (v && provision_wanted(v, true))
		provision(o, v);
	else
		destroy_object(o);
}

void apply_destroy(struct op *o)
{
	if (o->change->addr.resource.mode == MODE_DATA) {
		apply_remove(o->ap, &o->change->addr, STR_NONE, NULL);
		op_end(o);
		return;
	}
	op_recorded_provider(o, ready);
}

/* --- deposed objects: planned here, they may have come to be just now --- */

static void planned(struct op *o)
{
	if (!op_failed(o) && o->q.state && !value_is_null(o->q.state))
		diag_error(&o->ds, NULL, "Provider produced invalid plan",
			   "The provider %s planned an object where %.*s is to "
			   "be destroyed. This is a bug in the provider.",
			   op_provider_text(o), STR_ARG(o->text));
	if (op_failed(o)) {
		op_end(o);
		return;
	}
	o->planned_private = o->q.private_out;
	o->planned_identity = o->q.identity_out;
	start(o);
	destroy_object(o);
}

static void deposed_ready(struct op *o)
{
	const struct type *t = o->schema->block->implied;

	if (op_read(o, o->an->deposed) == 0 && !o->prior.value)
		diag_error(&o->ds, NULL, "Missing deposed object",
			   "The state has no deposed object %.*s of %.*s.",
			   STR_ARG(o->an->deposed), STR_ARG(o->text));
	if (op_failed(o)) {
		op_end(o);
		return;
	}
	o->q = (struct provider_request){ .config = value_null(o->a, t) };
	o->q.prior = value_unmark_deep(o->a, o->prior.value, NULL);
	o->q.proposed = o->q.config;
	o->q.private_in = o->prior.private_data;
	o->q.identity_in = o->prior.identity;
	if (o->provider->provider->schema->plan_destroy) {
		op_call(o, CALL_PLAN, body_of(o), planned);
		return;
	}
	o->q.state = o->q.proposed;
	o->q.private_out = o->q.private_in;
	planned(o);
}

void apply_destroy_deposed(struct op *o)
{
	op_recorded_provider(o, deposed_ready);
}

/* --- forgetting --- */

void apply_forget(struct apply *ap, uint32_t node)
{
	const struct apply_node *an = apply_node(ap->graph, node);
	const struct instance_addr *addr = &an->change->addr;
	struct state_resource *r = state_resource(ap->state, addr->module,
						  &addr->resource);

	apply_remove(ap, addr, an->deposed, NULL);
	/* Forgetting an instance forgets what is deposed of it as well. */
	for (size_t i = 0; r && !an->deposed.n && i < r->instances.len;) {
		struct state_instance *si = r->instances.items[i];

		if (si->deposed.n && key_equal(si->key, addr->key))
			apply_remove(ap, addr, si->deposed, NULL);
		else
			i++;
	}
	graph_walk_done(ap->walk, node, false);
}

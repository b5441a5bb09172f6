/* op.c - what all operations on instances have in common */
#include "engine/apply/apply_int.h"
#include "engine/run/conditions.h"
#include "engine/run/expand.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "engine/run/run.h"
#include "addr/provider.h"
#include "engine/run/worker.h"
#include "graph/graph.h"

struct op_starter { /* waits for a slot */
	struct apply *ap;
	uint32_t node;
	worker_step *const *table;
};

static void link_op(struct op *o)
{
	o->link = &o->ap->running;
	o->next = o->ap->running;
	if (o->next)
		o->next->link = &o->next;
	o->ap->running = o;
}

static void unlink_op(struct op *o)
{
	*o->link = o->next;
	if (o->next)
		o->next->link = o->link;
}

static void end(struct worker *w, bool failed)
{
	struct op *o = op_of(w);
	struct apply *ap = o->ap;
	uint32_t node = o->node;

	failed |= worker_failed(w);
	diags_append(ap->ds, &w->ds);
	unlink_op(o);
	run_slot_put(w->slot); /* o is gone */
	graph_walk_done(ap->walk, node, failed);
}

static void *parked(struct worker *w)
{
	struct op *o = op_of(w);

	unlink_op(o);
	return o->starter;
}

static void begin(void *data, struct run_slot *slot);

static void start(struct op_starter *st, struct run_slot *slot)
{
	static const struct worker_ops ops = { .end = end,
					       .parked = parked,
					       .begin = begin };
	struct op *o = ARENA_NEW(&slot->arena, struct op);
	struct apply *ap = st->ap;

	o->ap = ap;
	o->starter = st;
	o->node = st->node;
	o->an = apply_node(ap->graph, st->node);
	o->change = o->an->change;
	o->w.ops = &ops;
	o->w.run = ap->run;
	o->w.slot = slot;
	o->w.a = &slot->arena;
	o->w.ds = (struct diags)DIAGS_INIT(ap->arena);
	o->w.addr = o->change->addr;
	o->w.text = instance_addr_text(o->w.a, &o->w.addr);
	o->w.block = o->an->config;
	link_op(o);
	worker_begin(&o->w, st->table);
}

static void begin(void *data, struct run_slot *slot)
{
	struct op_starter *st = data;
	struct apply *ap = st->ap;

	if (ap->stopped) { /* was waiting when the run was stopped */
		run_slot_put(slot);
		graph_walk_done(ap->walk, st->node, true);
		return;
	}
	start(st, slot);
}

void op_begin(struct apply *ap, uint32_t node, worker_step *const *table)
{
	struct op_starter *st = ARENA_NEW(ap->arena, struct op_starter);

	*st = (struct op_starter){ ap, node, table };
	run_slot_get(ap->run, begin, st);
}

const char *op_provider_text(const struct op *o)
{
	struct str s = o->w.provider->text;

	return arena_strndup(o->w.a, s.p, s.n);
}

/* --- configuration and provider --- */

static int find_schema(struct op *o)
{
	o->w.schema =
		run_resource_schema(o->ap->run, o->change->provider.provider,
				    &o->w.addr.resource, &o->w.ds);
	return o->w.schema ? stored_check_schema(o) : -1;
}

static int find_instance(struct op *o)
{
	struct run_resource *rr = NULL;
	ptrdiff_t i;

	o->w.module = run_module(o->ap->run, o->w.addr.module, &o->w.ds);
	if (o->w.module)
		rr = run_resource(o->w.module, &o->w.addr.resource, &o->w.ds);
	if (op_failed(o))
		return -1;
	if (rr)
		o->inst = run_instance(rr, o->w.addr.key);
	if (!o->inst)
		return diag_error(&o->w.ds, NULL, "Inconsistent plan",
				  "The configuration has no instance %.*s any "
				  "more, now that more is known than when the "
				  "plan was made.",
				  STR_ARG(o->w.text));
	i = expansion_index(&rr->exp, o->w.addr.key);
	if (i >= 0)
		o->w.rep = expansion_repetition(o->w.a, &rr->exp, (size_t)i);
	return find_schema(o);
}

/* The provider must be the one that the change was shown with. */
static int check_provider(struct op *o)
{
	const struct provider_config_addr *is = &o->w.provider->addr;
	const struct provider_config_addr *was = &o->change->provider;

	if (provider_config_same(is, was) && inst_key_equal(is->key, was->key))
		return 0;
	return diag_error(&o->w.ds, NULL, "Inconsistent plan",
			  "By its configuration %.*s is an object of %.*s, by "
			  "the plan of another one.",
			  STR_ARG(o->w.text), STR_ARG(o->w.provider->text));
}

enum worked op_configured(struct worker *w)
{
	struct op *o = op_of(w);

	if (find_instance(o))
		return WORK_FAIL;
	w->block = o->inst->resource->config;
	w->provider = run_provider_for(w->module, w->block, &w->rep, &w->ds);
	return w->provider && !worker_failed(w) && !check_provider(o)
		       ? WORK_NEXT
		       : WORK_FAIL;
}

enum worked op_recorded_provider(struct worker *w)
{
	struct op *o = op_of(w);
	struct apply *ap = o->ap;
	const struct provider_config_addr *p = &o->change->provider;
	struct provider_config_addr addr = *p;
	const struct plan_provider *known = NULL;
	uint32_t node;

	if (find_schema(o))
		return WORK_FAIL;
	addr.key = KEY_ABSENT;
	node = graph_find(ap->graph->g, provider_config_text(w->a, &addr));
	if (node != GRAPH_NONE)
		known = apply_node(ap->graph, node)->provider;
	w->provider =
		run_provider_at(ap->run, &addr, known ? known->config : NULL,
				p->key, w->text, o->an->deposed, &w->ds);
	return w->provider ? WORK_NEXT : WORK_FAIL;
}

int op_conditions(struct op *o, enum condition_kind kind,
		  const struct value *self)
{
	bool failed = false; /* reported where it failed */

	return worker_conditions(&o->w, kind, self, &failed) || failed ? -1 : 0;
}

enum worked op_postconditions(struct worker *w)
{
	struct op *o = op_of(w);

	return o->now.value && op_conditions(o, COND_POSTCONDITION,
					     o->now.value)
		       ? WORK_FAIL
		       : WORK_END;
}

const struct value *op_config(struct op *o)
{
	const struct cfg_resource *c = o->w.block;
	const struct value *v = worker_body(&o->w);

	if (!v)
		return NULL;
	if (!value_wholly_known(v)) {
		diag_error(&o->w.ds, NULL,
			   "Configuration contains unknown value",
			   "The configuration of %.*s still holds values that "
			   "are not known, although everything it depends on "
			   "is done.",
			   STR_ARG(o->w.text));
		return NULL;
	}
	if (run_refuse_infinity(v, &c->at, o->w.text, &o->w.ds) ||
	    worker_refuse_ephemeral(&o->w, v))
		return NULL;
	return v;
}

/* --- the object in the state --- */

int op_read(struct op *o, struct str deposed)
{
	struct apply *ap = o->ap;
	struct state_resource *sr = state_resource(ap->state, o->w.addr.module,
						   &o->w.addr.resource);
	struct state_instance *si =
		sr ? state_deposed(sr, o->w.addr.key, deposed) : NULL;

	o->prior = (struct resource_object){ .value = NULL };
	if (!si)
		return 0;
	resource_object_read(o->w.a, o->w.schema, si, &o->prior);
	o->prior.value =
		run_decode_state(o->w.a, o->w.schema, si, &o->w.addr, &o->w.ds);
	return o->prior.value ? 0 : -1;
}

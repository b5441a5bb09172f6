/* op.c - what all operations on instances have in common */
#include "engine/apply/apply_int.h"

#include "state/state_value.h"

struct op_starter { /* waits for a slot */
	struct apply *ap;
	uint32_t node;
	void (*fn)(struct op *);
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

void op_step(struct op *o, void (*step)(struct op *))
{
	o->step = step;
	o->mark = run_mark(o->ap->run, &o->ds);
	step(o);
}

static void again(void *data)
{
	struct op *o = data;

	op_step(o, o->step);
}

bool op_must_wait(struct op *o)
{
	return run_must_wait(&o->mark, again, o);
}

static void begin(void *data, struct run_slot *slot)
{
	struct op_starter *st = data;
	struct apply *ap = st->ap;
	struct op *o;

	if (ap->stopped) { /* was waiting when the run was stopped */
		run_slot_put(slot);
		graph_walk_done(ap->walk, st->node, true);
		return;
	}
	o = ARENA_NEW(&slot->arena, struct op);
	o->ap = ap;
	o->starter = st;
	o->node = st->node;
	o->an = apply_node(ap->graph, st->node);
	o->change = o->an->change;
	o->slot = slot;
	o->a = &slot->arena;
	o->ds = (struct diags)DIAGS_INIT(ap->arena);
	o->text = instance_addr_text(o->a, &o->change->addr);
	link_op(o);
	op_step(o, st->fn);
}

void op_begin(struct apply *ap, uint32_t node, void (*fn)(struct op *))
{
	struct op_starter *st = ARENA_NEW(ap->arena, struct op_starter);

	*st = (struct op_starter){ ap, node, fn };
	run_slot_get(ap->run, begin, st);
}

void op_end(struct op *o)
{
	struct apply *ap = o->ap;
	struct run_slot *slot = o->slot;
	uint32_t node = o->node;
	bool failed = op_failed(o);

	diags_append(ap->ds, &o->ds);
	unlink_op(o);
	run_slot_put(slot); /* o is gone */
	graph_walk_done(ap->walk, node, failed);
}

/* --- provider calls --- */

struct sent { /* beside the request, which the caller fills in */
	struct op *o;
	const struct body *body;
};

static void answered(struct provider_request *q)
{
	struct sent *s = q->data;
	struct op *o = s->o;

	if (o->plan.quiet && !diags_failed(&q->diags))
		q->diags.len = 0;
	run_provider_diags(&o->ds, q, s->body, o->text);
	op_step(o, o->then);
}

void op_call(struct op *o, enum provider_call call, const struct body *body,
	     void (*then)(struct op *))
{
	struct sent *s = ARENA_NEW(o->a, struct sent);

	s->o = o;
	s->body = body;
	o->then = then;
	o->q.call = call;
	o->q.arena = o->a;
	o->q.mode = o->change->addr.resource.mode;
	o->q.type = o->change->addr.resource.type;
	o->q.address = o->text;
	o->q.meta = o->meta;
	o->q.done = answered;
	o->q.data = s;
	provider_start(o->provider->provider, &o->q);
}

const char *op_provider_text(const struct op *o)
{
	struct str s = o->provider->text;

	return arena_strndup(o->a, s.p, s.n);
}

/* --- configuration and provider --- */

static void provider_ready(void *data, struct run_provider *p)
{
	struct op *o = data;

	/* What went wrong was reported for the first who asked. */
	if (p->state != PROVIDER_READY) {
		if (!op_failed(o))
			o->ds.errors++;
		op_end(o);
		return;
	}
	op_step(o, o->then);
}

static void unpark(void *data)
{
	struct op_starter *st = data;

	run_slot_get(st->ap->run, begin, st);
}

/* Nothing was done yet: it begins again when the provider is awake. */
static void park(struct op *o)
{
	struct op_starter *st = o->starter;
	struct run_provider *p = o->provider;

	unlink_op(o);
	run_slot_put(o->slot); /* o is gone */
	run_provider_wake(st->ap->run, p, unpark, st);
}

static void get_provider(struct op *o, void (*then)(struct op *))
{
	if (run_provider_asleep(o->ap->run, o->provider)) {
		park(o);
		return;
	}
	o->then = then;
	run_provider_get(o->ap->run, o->provider, provider_ready, o);
}

static int find_schema(struct op *o)
{
	o->schema = run_resource_schema(o->ap->run,
					o->change->provider.provider,
					&o->change->addr.resource, &o->ds);
	/* Why was reported for the first who asked. */
	if (!o->schema && !op_failed(o))
		o->ds.errors++;
	return o->schema ? 0 : -1;
}

static int find_instance(struct op *o)
{
	struct run_resource *rr = NULL;
	ptrdiff_t i;

	o->module = run_module(o->ap->run, o->change->addr.module, &o->ds);
	if (o->module)
		rr = run_resource(o->module, &o->change->addr.resource,
				  &o->ds);
	if (op_failed(o))
		return -1;
	if (rr)
		o->inst = run_instance(rr, o->change->addr.key);
	if (!o->inst)
		return diag_error(&o->ds, NULL, "Inconsistent plan",
				  "The configuration has no instance %.*s any "
				  "more, now that more is known than when the "
				  "plan was made.", STR_ARG(o->text));
	i = expansion_index(&rr->exp, o->change->addr.key);
	if (i >= 0)
		o->rep = expansion_repetition(o->a, &rr->exp, (size_t)i);
	return find_schema(o);
}

/* The provider_meta block for this provider, if the module has one.  That it
 * may have one was found out when planning. */
static int find_meta(struct op *o)
{
	const struct schema_block *schema = o->provider->provider->schema->meta;
	const struct cfg_provider_meta *meta = map_get(
		&o->module->config->provider_meta,
		provider_addr_text(o->a, o->provider->addr.provider));
	struct run_scope s;

	if (!meta || !schema)
		return 0;
	run_scope_init(&s, o->module, NULL);
	o->meta = value_unmark_deep(o->a,
				    body_decode(o->a, meta->body, schema,
						&s.scope, NULL, &o->ds),
				    NULL);
	return op_failed(o) ? -1 : 0;
}

static void configured(struct op *o)
{
	int rc = find_meta(o);

	if (op_must_wait(o))
		return;
	if (rc)
		op_end(o);
	else
		o->ready(o);
}

void op_configured(struct op *o, void (*then)(struct op *))
{
	if (find_instance(o) == 0)
		o->provider = run_provider_for(o->module,
					       o->inst->resource->config,
					       &o->rep, &o->ds);
	if (op_must_wait(o))
		return;
	if (!o->provider || op_failed(o)) {
		op_end(o);
		return;
	}
	o->ready = then;
	get_provider(o, configured);
}

void op_recorded_provider(struct op *o, void (*then)(struct op *))
{
	struct apply *ap = o->ap;
	const struct provider_config_addr *p = &o->change->provider;
	struct provider_config_addr addr = *p;
	uint32_t node;
	const struct plan_provider *known = NULL;

	if (find_schema(o)) {
		op_end(o);
		return;
	}
	addr.key = KEY_ABSENT;
	node = graph_find(ap->graph->g, provider_config_text(o->a, &addr));
	if (node != GRAPH_NONE)
		known = apply_node(ap->graph, node)->provider;
	o->provider = run_provider_at(ap->run, &addr,
				      known ? known->config : NULL, p->key,
				      o->text, o->an->deposed, &o->ds);
	if (!o->provider) {
		op_end(o);
		return;
	}
	get_provider(o, then);
}

void op_scope(struct op *o, struct run_scope *s)
{
	run_scope_init(s, o->module, &o->rep);
}

int op_conditions(struct op *o, enum condition_kind kind,
		  const struct value *self)
{
	const struct cfg_resource *c = o->inst->resource->config;
	const struct cfg_condition_vec *conds =
		kind == COND_PRECONDITION ? &c->lifecycle->preconditions
					  : &c->lifecycle->postconditions;
	struct run *r = o->ap->run;
	struct condition_use u = { .kind = kind, .address = o->text };
	struct check_group *g;
	struct run_scope s;

	if (!conds->len)
		return 0;
	g = checks_group(&r->checks, c->module, CHECK_RESOURCE, STR_NONE,
			 &c->addr);
	if (g)
		u.object = checks_object(&r->checks, g, o->change->addr.module,
					 o->change->addr.key, o->text);
	op_scope(o, &s);
	s.self = self;
	if (run_conditions(r, &s, &u, conds, &o->ds))
		return -1;
	if (s.failed)
		o->ds.errors++; /* reported where it failed */
	return s.failed ? -1 : 0;
}

const struct value *op_config(struct op *o)
{
	const struct cfg_resource *c = o->inst->resource->config;
	const struct value *v;
	struct run_scope s;

	op_scope(o, &s);
	v = body_decode(o->a, c->body, o->schema->block, &s.scope, NULL,
			&o->ds);
	if (s.failed && !op_failed(o))
		o->ds.errors++;
	if (op_failed(o))
		return NULL;
	if (!value_wholly_known(v)) {
		diag_error(&o->ds, NULL, "Configuration contains unknown value",
			   "The configuration of %.*s still holds values that "
			   "are not known, although everything it depends on "
			   "is done.", STR_ARG(o->text));
		return NULL;
	}
	if (run_refuse_infinity(v, &c->at, o->text, &o->ds))
		return NULL;
	return v;
}

/* --- the object in the state --- */

int op_read(struct op *o, struct str deposed)
{
	struct apply *ap = o->ap;
	struct state_resource *sr = state_resource(
		ap->state, o->change->addr.module, &o->change->addr.resource);
	struct state_instance *si =
		sr ? state_deposed(sr, o->change->addr.key, deposed) : NULL;

	o->prior = (struct resource_object){ .value = NULL };
	if (!si)
		return 0;
	resource_object_read(o->a, o->schema, si, &o->prior);
	o->prior.value = run_decode_state(o->a, o->schema, si,
					  &o->change->addr, &o->ds);
	return o->prior.value ? 0 : -1;
}

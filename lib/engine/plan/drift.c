/* drift.c - see plan_int.h */
#include "engine/plan/plan_int.h"
#include "engine/run/providers.h"
#include "state/state.h"
#include "value/value.h"

static enum action drift_action(const struct resource_object *was,
				const struct resource_object *now)
{
	if (!now->value)
		return ACTION_DELETE;
	return value_equal_unmarked(was->value, now->value) ? ACTION_NOOP
							    : ACTION_UPDATE;
}

/* What became another type is a change, but no drift. */
void drift_note(struct plan *p, const struct instance_addr *addr,
		const struct provider_config_addr *provider,
		const struct resource_object *was,
		const struct resource_object *now)
{
	const struct instance_addr *from = moves_origin(&p->moves, addr);
	enum action action;
	struct change *c;

	if (addr->resource.mode != MODE_MANAGED ||
	    !str_eq(from->resource.type, addr->resource.type))
		return;
	action = drift_action(was, now);
	if (action == ACTION_NOOP && instance_addr_equal(from, addr))
		return;
	c = ARENA_NEW(p->arena, struct change);
	c->addr = *addr;
	c->prev_addr = *from;
	c->provider = *provider;
	c->action = action;
	c->before = value_copy(p->arena, was->value);
	c->after = now->value ? value_copy(p->arena, now->value)
			      : value_null(p->arena, was->value->type);
	if (was->identity)
		c->before_identity = value_copy(p->arena, was->identity);
	if (now->value && now->identity)
		c->planned_identity = value_copy(p->arena, now->identity);
	vec_push(p->arena, &p->drift, c);
}

static void note_moved(struct plan *p, const struct instance_addr *to)
{
	const struct state_resource *sr =
		state_resource(p->state, to->module, &to->resource);
	const struct state_instance *si =
		sr ? state_instance(sr, to->key) : NULL;
	struct diags quiet = DIAGS_INIT(p->arena);
	const struct resource_schema *schema;
	struct resource_object o;

	if (!si)
		return;
	schema = run_resource_schema(p->run, sr->provider.provider,
				     &to->resource, &quiet);
	if (!schema)
		return;
	resource_object_read(p->arena, schema, si, &o);
	o.value = state_instance_exact(p->arena, si, schema->block);
	if (o.value)
		drift_note(p, to, &sr->provider, &o, &o);
}

void drift_of_moves(struct plan *p)
{
	const struct map *moved = &p->moves.results;
	struct map noted = { 0 };

	if (!moved->len)
		return;
	for (size_t i = 0; i < p->drift.len; i++) {
		const struct change *c = p->drift.items[i];

		map_put(p->arena, &noted,
			instance_addr_text(p->arena, &c->addr), p);
	}
	for (size_t i = 0; i < moved->len; i++) {
		const struct map_entry *e = &moved->entries[i];
		const struct moved_instance *m = e->value;

		if (!m->superseded && !map_has(&noted, e->key))
			note_moved(p, &m->to);
	}
}

/* claims.c - see apply_int.h */
#include "engine/apply/apply_int.h"
#include "addr/addr.h"
#include "addr/walk.h"
#include "json/read.h"
#include "state/backend/rows.h"
#include "state/edit/edit.h"
#include "state/file/file.h"

/* --- the state that planning read --- */

static int take_objects(struct apply *ap, struct state *s)
{
	const struct map *all = &ap->in->said.changes.entries;

	for (size_t i = 0; i < all->len; i++) {
		const struct change_entry *e = all->entries[i].value;

		if (e->previous.said &&
		    state_read_record(s, NULL, STR("previous_run_state"),
				      e->previous.line, ap->ds))
			return -1;
	}
	return 0;
}

static int take_outputs(struct apply *ap, struct state *s)
{
	const struct map *all = &ap->in->said.outputs;

	for (size_t i = 0; i < all->len; i++) {
		const struct plan_output *o = all->entries[i].value;

		if (o->previous.p &&
		    state_read_record(s, NULL, STR("previous_output"),
				      o->previous, ap->ds))
			return -1;
	}
	return 0;
}

struct state *claims_planned_state(struct apply *ap)
{
	const struct state *header = ap->in->header;
	struct state *s = state_new(ap->arena);

	s->serial = header->serial;
	s->lineage = header->lineage;
	s->backend = header->backend;
	s->workspace = header->workspace;
	return take_objects(ap, s) || take_outputs(ap, s) ? NULL : s;
}

/* --- claims --- */

struct claiming {
	struct apply *ap;
	struct claim_vec claims;
	struct map seen; /* addresses that are changed, and resources read */
};

static void add(struct claiming *c, struct str address, struct str resource,
		bool writes)
{
	struct arena *a = c->ap->arena;
	struct str key = STR_CAT(a, writes ? STR("w ") : STR("r "), address);

	if (map_has(&c->seen, key))
		return;
	map_put(a, &c->seen, key, c);
	vec_push(a, &c->claims, (struct claim){ address, resource, writes });
}

static void changes_instance(struct claiming *c, const struct instance_addr *i)
{
	struct arena *a = c->ap->arena;

	add(c, instance_addr_text(a, i),
	    claim_resource(a, i->module, i->resource), true);
}

static bool does(const struct change *c)
{
	return c->action != ACTION_NOOP || c->import_id.n ||
	       c->import_identity ||
	       !instance_addr_equal(&c->addr, &c->prev_addr);
}

static void changed_objects(struct claiming *c)
{
	const struct change_vec *all = &c->ap->in->said.changes.changes;

	for (size_t i = 0; i < all->len; i++)
		if (does(all->items[i])) {
			changes_instance(c, &all->items[i]->addr);
			changes_instance(c, &all->items[i]->prev_addr);
		}
}

/* What planning found otherwise is stored, too. */
static int refreshed_objects(struct claiming *c)
{
	const struct str_vec *prior = &c->ap->in->prior;
	struct arena *a = c->ap->arena;

	for (size_t i = 0; i < prior->len; i++) {
		struct instance_addr addr;
		struct str text =
			json_slice_str(a, json_slice_get(prior->items[i],
							 "address"));

		if (instance_addr_parse(a, text, &addr, c->ap->ds))
			return -1;
		changes_instance(c, &addr);
	}
	return 0;
}

static bool output_changes(const struct apply *ap, struct str name)
{
	const struct plan_output *o = map_get(&ap->in->said.outputs, name);

	return !o || o->changes || o->prior.p || !o->previous.p;
}

static void changed_outputs(struct claiming *c)
{
	const struct map *all = &c->ap->in->said.outputs;
	struct arena *a = c->ap->arena;

	for (size_t i = 0; i < all->len; i++) {
		const struct plan_output *o = all->entries[i].value;

		if (output_changes(c->ap, o->name))
			add(c, STR_CAT(a, STR("output."), o->name), STR_NONE,
			    true);
	}
}

/* Does what the node stands for change something? */
static bool is_change(const struct apply *ap, const struct graph_node *n)
{
	const struct apply_node *an = n->data;
	const struct cfg_output *o = n->object;

	if (an->change)
		return does(an->change);
	return an->kind == APPLY_OUTPUT && output_changes(ap, o->name);
}

static void read_resources(struct claiming *c)
{
	static const struct str end = STR_INIT(" (done)");
	const struct graph *g = c->ap->graph->g;
	struct arena scratch = ARENA_INIT;
	unsigned char *set =
		ARENA_ARRAY(&scratch, unsigned char, g->nodes.len + 1);

	for (uint32_t i = 0; i < g->nodes.len; i++)
		set[i] = is_change(c->ap, &g->nodes.items[i]);
	graph_reach(g, set, false);
	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct apply_node *an = apply_node(c->ap->graph, i);
		struct str address = g->nodes.items[i].address;

		if (!set[i] || !an->gathers)
			continue;
		address = str_sub(address, 0, address.n - end.n);
		add(c, address, address, false);
	}
	arena_release(&scratch);
}

/* --- is it as the plan has it? --- */

static int is_stale(struct apply *ap, struct str address)
{
	return diag_error(ap->ds, NULL, "Saved plan is stale",
			  "%.*s was changed after the plan was made, and the "
			  "plan changes it or reads it. Make a new one.",
			  STR_ARG(address));
}

static struct str object_key(struct arena *a, struct str address,
			     struct str deposed)
{
	return STR_CAT(a, address, STR("\n"), deposed);
}

/* Is the object among what was claimed? */
static bool is_claimed(const struct claiming *c, struct arena *a,
		       struct str address)
{
	struct diags unused = DIAGS_INIT(a);
	struct instance_addr addr;

	if (map_has(&c->seen, STR_CAT(a, STR("w "), address)))
		return true;
	if (!instance_addr_plain(address, &addr) &&
	    instance_addr_parse(a, address, &addr, &unused))
		return false;
	return map_has(&c->seen,
		       STR_CAT(a, STR("r "),
			       claim_resource(a, addr.module, addr.resource)));
}

/* Puts what the plan tells of into `told`. */
static int compare_told(struct claiming *c, struct arena *a,
			const struct state *now, struct map *told)
{
	const struct map *all = &c->ap->in->said.changes.entries;
	struct arena scratch = ARENA_INIT;
	int rc = 0;

	for (size_t i = 0; !rc && i < all->len; i++) {
		struct change_entry *e = all->entries[i].value;

		if (e->previous.said && is_claimed(c, &scratch, e->address)) {
			map_put(a, told, object_key(a, e->address, e->deposed),
				e);
			if (!stored_same_object(c->ap, now, e))
				rc = is_stale(c->ap, e->address);
		}
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	return rc;
}

static int compare_stored(struct claiming *c, struct arena *a,
			  const struct state *now, const struct map *told)
{
	for (size_t n = 0; n < now->resources.len; n++) {
		const struct state_resource *r = now->resources.items[n];

		for (size_t k = 0; k < r->instances.len; k++) {
			const struct state_instance *i = r->instances.items[k];
			const struct instance_addr addr = { r->module, r->addr,
							    i->key };
			struct str text = instance_addr_text(a, &addr);

			if (is_claimed(c, a, text) &&
			    !map_has(told, object_key(a, text, i->deposed)))
				return is_stale(c->ap, text);
		}
	}
	return 0;
}

static int compare_outputs(struct claiming *c, struct arena *a,
			   const struct state *now)
{
	for (size_t i = 0; i < c->claims.len; i++) {
		struct str name = c->claims.items[i].address;
		const struct plan_output *o;

		if (c->claims.items[i].resource.n ||
		    !str_take(&name, STR("output.")))
			continue;
		o = map_get(&c->ap->in->said.outputs, name);
		if (!stored_same_output(c->ap, a, now, name,
					o ? o->previous : STR_NONE))
			return is_stale(c->ap, c->claims.items[i].address);
	}
	return 0;
}

static int compare(struct claiming *c, const struct state *now)
{
	struct arena scratch = ARENA_INIT;
	struct map told = { 0 };
	int rc;

	rc = compare_told(c, &scratch, now, &told) ||
			     compare_stored(c, &scratch, now, &told) ||
			     compare_outputs(c, &scratch, now)
		     ? -1
		     : 0;
	arena_release(&scratch);
	return rc;
}

int claims_take(struct apply *ap)
{
	struct claiming c = { .ap = ap };
	const struct state *planned = ap->in->header;
	struct state *now;

	if (ap->graph)
		changed_objects(&c);
	if (refreshed_objects(&c))
		return -1;
	changed_outputs(&c);
	if (ap->graph)
		read_resources(&c);
	if (backend_claim(ap->backend, &c.claims, ap->opts->lock,
			  ap->opts->lock_timeout_ms, &now, ap->ds))
		return -1;
	if (planned->lineage.n && !str_eq(planned->lineage, now->lineage))
		return diag_error(ap->ds, NULL,
				  "Saved plan does not match the given state",
				  "The plan was made from the state of another "
				  "lineage, so it cannot be applied to this "
				  "one.");
	if (planned->translated)
		state_translate(now, ap->in->config);
	ap->state->lineage = now->lineage;
	ap->state->serial = ap->written = now->serial;
	return compare(&c, now);
}

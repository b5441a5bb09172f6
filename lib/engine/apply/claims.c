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

static const struct module_addr ROOT = { NULL, 0 };

/* What is read by what changes in a module instance.  Of a resource in there,
 * or in a module around it, nothing but what its keys say; an expression that
 * is evaluated elsewhere may mean any instance from there on. */
struct reader {
	struct module_addr in;
	uint32_t number;    /* from 1 on */
	VEC(uint32_t) from; /* nodes */
};

struct claiming {
	struct apply *ap;
	struct claim_vec claims;
	struct map seen;    /* by who changes it, or reads it from where */
	struct map readers; /* struct reader, by module instance */
};

static struct str seen_key(struct arena *a, bool writes, struct str address,
			   struct str within)
{
	return STR_CAT(a, writes ? STR("w ") : STR("r "), address, STR(" "),
		       within);
}

static void add(struct claiming *c, struct claim claim)
{
	struct arena *a = c->ap->arena;
	struct str key = seen_key(a, claim.writes,
				  claim.writes ? claim.address : claim.resource,
				  claim.within);

	if (map_has(&c->seen, key))
		return;
	map_put(a, &c->seen, key, c);
	vec_push(a, &c->claims, claim);
}

static void changes_instance(struct claiming *c, const struct instance_addr *i)
{
	struct arena *a = c->ap->arena;

	add(c, (struct claim){
		       .address = instance_addr_text(a, i),
		       .resource = claim_resource(a, i->module, i->resource),
		       .writes = true });
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
			add(c, (struct claim){
				       .address = STR_CAT(a, STR("output."),
							  o->name),
				       .writes = true });
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

static struct reader *reader_in(struct claiming *c, struct module_addr in)
{
	struct arena *a = c->ap->arena;
	const struct str key = module_addr_text(a, in);
	struct reader *r = map_get(&c->readers, key);

	if (r)
		return r;
	r = ARENA_NEW(a, struct reader);
	r->in = in;
	map_put(a, &c->readers, key, r);
	r->number = (uint32_t)c->readers.len;
	return r;
}

/* r: the reader that comes to the node; NULL: none */
static void read_from(struct claiming *c, struct module_addr in,
		      struct reader *r, uint32_t node)
{
	if (!r || in.len < r->in.len)
		r = reader_in(c, in);
	vec_push(c->ap->arena, &r->from, node);
}

static struct str in_module(struct arena *a, struct str module,
			    struct str resource)
{
	return module.n ? STR_CAT(a, module, STR("."), resource) : resource;
}

static void read_resource(struct claiming *c, struct module_addr in,
			  const struct cfg_resource *r)
{
	struct arena *a = c->ap->arena;
	const struct str text = module_addr_text(a, in), path = r->module->path;
	const struct str resource = claim_resource(a, ROOT, r->addr);
	struct buf known = BUF_INIT;
	struct str at;

	module_addr_print_path(&known, in);
	at = STR_CAT(a, text, str_sub(path, known.len, path.n));
	buf_release(&known);
	add(c, (struct claim){ .address = in_module(a, at, resource),
			       .resource = in_module(a, path, resource),
			       .within = in_module(a, text, STR_NONE) });
}

/* The part of a module instance that instances of m are in, too; all of it if m
 * is NULL. */
static struct module_addr shared_part(struct module_addr in,
				      const struct cfg_module *m)
{
	size_t depth = 0;

	if (!m)
		return in;
	for (const struct cfg_module *p = m; p->parent; p = p->parent)
		depth++;
	if (in.len > depth)
		in.len = depth;
	for (; m->parent; m = m->parent, depth--)
		if (depth <= in.len &&
		    !str_eq(in.steps[depth - 1].name, m->call->name))
			in.len = depth - 1;
	return in;
}

static const struct cfg_module *module_of(const struct graph_node *n)
{
	const struct apply_node *an = n->data;

	return an->gathers ? an->gathers->module : n->module;
}

/* Where its expressions are evaluated; NULL: it has none. */
static const struct cfg_module *evaluated_in(const struct graph_node *n)
{
	bool given = n->kind == NODE_VARIABLE || n->kind == NODE_MODULE;

	return given && n->module->parent ? n->module->parent : module_of(n);
}

static void read_of_node(struct claiming *c, struct module_addr in,
			 const struct apply_node *an)
{
	if (an->gathers)
		read_resource(c, in, an->gathers);
	else if (an->change && an->config && !does(an->change))
		read_resource(c, in, an->config);
}

/* What r reads; what is read beyond goes to another reader. */
static void read_within(struct claiming *c, struct reader *r, uint32_t *seen)
{
	const struct graph *g = c->ap->graph->g;

	while (r->from.len) {
		uint32_t v = r->from.items[--r->from.len];
		const struct graph_node *n = &g->nodes.items[v];
		struct module_addr here = shared_part(r->in, evaluated_in(n));

		if (seen[v] == r->number)
			continue;
		seen[v] = r->number;
		read_of_node(c, r->in, n->data);
		for (uint32_t e = n->first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			read_from(c,
				  shared_part(here,
					      module_of(&g->nodes.items[to])),
				  r, to);
		}
	}
}

/* A reader hands on to such as are less deep alone. */
static void read_resources(struct claiming *c)
{
	const struct graph *g = c->ap->graph->g;
	struct arena scratch = ARENA_INIT;
	uint32_t *seen = ARENA_ARRAY(&scratch, uint32_t, g->nodes.len + 1);
	size_t depth = 0;

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct apply_node *an = apply_node(c->ap->graph, i);
		struct module_addr in =
			an->change ? an->change->addr.module : ROOT;

		if (!is_change(c->ap, &g->nodes.items[i]))
			continue;
		read_from(c, in, NULL, i);
		if (in.len > depth)
			depth = in.len;
	}
	for (depth++; depth-- > 0;)
		for (size_t i = 0; i < c->readers.len; i++) {
			struct reader *r = c->readers.entries[i].value;

			if (r->in.len == depth)
				read_within(c, r, seen);
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
	struct module_addr in;
	struct str resource;
	bool found;

	if (map_has(&c->seen, seen_key(a, true, address, STR_NONE)))
		return true;
	if (!instance_addr_plain(address, &addr) &&
	    instance_addr_parse(a, address, &addr, &unused))
		return false;
	resource = claim_resource(a, addr.module, addr.resource);
	in = addr.module;
	do
		found = map_has(&c->seen,
				seen_key(a, false, resource,
					 in_module(a, module_addr_text(a, in),
						   STR_NONE)));
	while (!found && in.len-- > 0);
	return found;
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

/*
 * moves_apply.c - the order of move statements, and moving in the state
 *
 * A statement comes after those whose destination it continues from, and after
 * those of a module around it.
 */
#include "engine/plan/moves_apply.h"

#include "engine/plan/moves_apply_int.h"
#include "engine/plan/moves_int.h"
#include "graph/graph.h"

/* --- order --- */

static bool any(const struct move_endpoint *e, size_t i)
{
	return i < e->base ||
	       (e->whole && e->kind == MOVE_MODULE && i == e->nsteps - 1);
}

/* Can the first n steps of both name the same modules? */
static bool can_match(const struct move_endpoint *x,
		      const struct move_endpoint *y, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!str_eq(x->steps[i].name, y->steps[i].name))
			return false;
		if (!any(x, i) && !any(y, i) &&
		    !key_equal(x->steps[i].key, y->steps[i].key))
			return false;
	}
	return true;
}

static bool can_chain(const struct move_endpoint *e,
		      const struct move_endpoint *from)
{
	if (e->nsteps != from->nsteps || e->kind != from->kind ||
	    !can_match(from, e, e->nsteps))
		return false;
	if (e->kind == MOVE_MODULE)
		return true;
	return e->whole == from->whole &&
	       resource_addr_equal(e->resource, from->resource) &&
	       (e->whole || key_equal(e->key, from->key));
}

static bool nested_within(const struct move_endpoint *e,
			  const struct move_endpoint *o)
{
	if (o->nsteps > e->nsteps || !can_match(o, e, o->nsteps))
		return false;
	if (o->kind == MOVE_MODULE) {
		/* A module in a module; or a call where an instance is. */
		if (e->kind == MOVE_MODULE && (!o->whole || e->whole))
			return e->nsteps > o->nsteps;
		return true;
	}
	return o->whole && e->kind == MOVE_RESOURCE && !e->whole &&
	       e->nsteps == o->nsteps &&
	       resource_addr_equal(e->resource, o->resource);
}

/* Only the keys of a module change, not its names. */
static bool is_reindex(const struct move *m)
{
	if (m->from.kind != MOVE_MODULE || m->from.nsteps != m->to.nsteps ||
	    (m->from.whole && m->to.whole))
		return false;
	for (size_t i = 0; i < m->from.nsteps; i++)
		if (!str_eq(m->from.steps[i].name, m->to.steps[i].name))
			return false;
	return true;
}

static bool depends_on(const struct move *x, const struct move *y)
{
	if (can_chain(&x->from, &y->to))
		return true;
	if (!nested_within(&x->from, &y->to) &&
	    !nested_within(&x->to, &y->to) &&
	    !nested_within(&y->from, &x->from) &&
	    !nested_within(&y->to, &x->from))
		return false;
	return x->to.base >= y->to.base || !is_reindex(x);
}

struct graph *moves_graph(struct arena *a, const struct moves *m)
{
	struct graph *g = graph_new(a);

	for (size_t i = 0; i < m->moves.len; i++)
		graph_add(g, NODE_JOIN, str_printf(a, "%zu", i), NULL, NULL);
	for (uint32_t x = 0; x < m->moves.len; x++)
		for (uint32_t y = 0; y < m->moves.len; y++)
			if (x != y &&
			    depends_on(&m->moves.items[x], &m->moves.items[y]))
				graph_edge(g, x, y, NULL, NULL);
	return g;
}

/* --- moving --- */

struct state *moves_copy_state(struct arena *a, const struct state *s)
{
	struct state *n = state_new(a);

	n->terraform_version = s->terraform_version;
	n->serial = s->serial;
	n->lineage = s->lineage;
	n->backend = s->backend;
	n->workspace = s->workspace;
	n->checks_known = s->checks_known;
	for (size_t i = 0; i < s->outputs.len; i++)
		vec_push(a, &n->outputs, s->outputs.items[i]);
	for (size_t i = 0; i < s->checks.len; i++)
		vec_push(a, &n->checks, s->checks.items[i]);
	for (size_t i = 0; i < s->resources.len; i++) {
		const struct state_resource *r = s->resources.items[i];
		struct state_resource *to =
			state_resource_make(n, r->module, &r->addr);

		to->provider = r->provider;
		for (size_t k = 0; k < r->instances.len; k++)
			state_put(n, to,
				  arena_dup(a, r->instances.items[k],
					    sizeof(struct state_instance)));
	}
	return n;
}

struct mover {
	struct arena *a;
	struct moves *m;
	const struct move *move;
	struct state *s;
};

static void record(struct mover *v, const struct instance_addr *from,
		   const struct instance_addr *to)
{
	struct moved_instance *r = ARENA_NEW(v->a, struct moved_instance);
	struct moved_instance *before =
		map_get(&v->m->results, instance_addr_text(v->a, from));

	r->from = *from;
	r->to = *to;
	r->implied = v->move->implied;
	if (before && !before->superseded) {
		r->from = before->from;
		before->superseded = true;
	}
	map_put(v->a, &v->m->results, instance_addr_text(v->a, to), r);
}

static void blocked(struct mover *v, struct str what, struct str to)
{
	struct str text = str_printf(v->a, "%.*s could not move to %.*s",
				     STR_ARG(what), STR_ARG(to));

	for (size_t i = 0; i < v->m->blocked.len; i++)
		if (str_eq(v->m->blocked.items[i], text))
			return;
	vec_push(v->a, &v->m->blocked, text);
}

static bool is_empty(const struct state_resource *r)
{
	return !r || !r->instances.len;
}

/* All instances of r, deposed ones too, to another resource address. */
static void move_all(struct mover *v, struct state_resource *r,
		     struct module_addr module,
		     const struct resource_addr *resource)
{
	struct state_resource *to = state_resource_make(v->s, module, resource);

	to->provider = r->provider;
	while (r->instances.len) {
		struct state_instance *i = r->instances.items[0];
		struct instance_addr was = { r->module, r->addr, i->key };
		struct instance_addr is = { module, *resource, i->key };

		if (!state_has_key(to, i->key)) /* once for all its objects */
			record(v, &was, &is);
		state_remove(v->s, r, i->key, i->deposed);
		state_put(v->s, to, i);
	}
}

/* Is anything in the module instance? Only what was there before the statement
 * counts, so this is asked of a snapshot. */
static void occupied_modules(struct mover *v, struct map *out)
{
	for (size_t i = 0; i < v->s->resources.len; i++) {
		const struct state_resource *r = v->s->resources.items[i];

		if (!is_empty(r))
			map_put(v->a, out, module_addr_text(v->a, r->module),
				out);
	}
}

static void apply_module(struct mover *v)
{
	size_t n = v->s->resources.len;
	struct map occupied = { 0 };

	occupied_modules(v, &occupied);
	for (size_t i = 0; i < n; i++) {
		struct state_resource *r = v->s->resources.items[i];
		struct module_addr to;
		struct str text;

		if (is_empty(r) || !move_module(v->a, v->move, r->module, &to))
			continue;
		text = module_addr_text(v->a, to);
		if (map_has(&occupied, text))
			blocked(v, module_addr_text(v->a, r->module), text);
		else
			move_all(v, r, to, &r->addr);
	}
}

static void apply_whole(struct mover *v, struct state_resource *r)
{
	struct instance_addr from = { r->module, r->addr, KEY_ABSENT }, to;

	if (!move_instance(v->a, v->move, &from, true, &to))
		return;
	if (!is_empty(state_resource(v->s, to.module, &to.resource)))
		blocked(v, instance_addr_text(v->a, &from),
			instance_addr_text(v->a, &to));
	else
		move_all(v, r, to.module, &to.resource);
}

/* Objects of one instance, the current one and deposed ones. */
static void move_one(struct mover *v, struct state_resource *r,
		     const struct instance_addr *from,
		     const struct instance_addr *to)
{
	struct state_resource *there =
		state_resource_make(v->s, to->module, &to->resource);

	if (is_empty(there))
		there->provider = r->provider;
	record(v, from, to);
	for (size_t k = 0; k < r->instances.len;) {
		struct state_instance *i = r->instances.items[k];

		if (!key_equal(i->key, from->key)) {
			k++;
			continue;
		}
		state_remove(v->s, r, i->key, i->deposed);
		i->key = to->key;
		state_put(v->s, there, i);
		if (there == r)
			k = 0;
	}
}

static void apply_instance(struct mover *v, struct state_resource *r)
{
	struct instance_addr from = { r->module, r->addr, v->move->from.key },
			     to;

	if (!state_has_key(r, from.key) ||
	    !move_instance(v->a, v->move, &from, false, &to))
		return;
	if (state_has_key(state_resource(v->s, to.module, &to.resource),
			  to.key))
		blocked(v, instance_addr_text(v->a, &from),
			instance_addr_text(v->a, &to));
	else
		move_one(v, r, &from, &to);
}

static void apply_resources(struct mover *v)
{
	size_t n = v->s->resources.len;

	for (size_t i = 0; i < n; i++) {
		struct state_resource *r = v->s->resources.items[i];

		if (is_empty(r))
			continue;
		if (v->move->from.whole)
			apply_whole(v, r);
		else
			apply_instance(v, r);
	}
}

struct state *moves_apply(struct arena *a, struct moves *m, struct state *s)
{
	struct mover v = { .a = a, .m = m };
	uint32_t *order;
	size_t done;

	if (!m->moves.len)
		return s;
	order = ARENA_ARRAY(a, uint32_t, m->moves.len);
	done = graph_order(moves_graph(a, m), order);
	if (done < m->moves.len) /* a cycle; moves_validate says so */
		return s;
	v.s = moves_copy_state(a, s);
	for (size_t i = 0; i < done; i++) {
		v.move = &m->moves.items[order[i]];
		if (v.move->from.kind == MOVE_MODULE)
			apply_module(&v);
		else
			apply_resources(&v);
	}
	return m->results.len ? v.s : s;
}

/* moves_apply.c - moving in the state */
#include "engine/plan/plan_int.h"
#include "graph/graph.h"

struct state *moves_copy_state(struct arena *a, const struct state *s)
{
	struct state *n = state_new(a);

	n->terraform_version = s->terraform_version;
	n->serial = s->serial;
	n->lineage = s->lineage;
	n->backend = s->backend;
	n->workspace = s->workspace;
	n->checks_known = s->checks_known;
	state_copy_outputs(n, s);
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

struct resources VEC_OF(struct state_resource *);

struct mover {
	struct arena *a;
	struct moves *m;
	const struct move *move;
	struct state *s;
	struct map told;  /* reported as unable to move */
	size_t known;     /* of the state's resources, in what follows */
	struct map named; /* by put_place -> struct resources * */
	/* If modules move: */
	bool modules;
	struct map inside;   /* likewise, in modules */
	struct map occupied; /* module instance -> size_t *, its resources that
				have instances */
};

/* --- what a statement is about --- */

/* Prints the names of modules, and the key of the last; with `any`, for ends
 * that may have any key, *. */
static void put_place(struct buf *b, struct module_addr m, bool any,
		      const struct resource_addr *r)
{
	module_addr_print_path(b, m);
	if (!any && m.len)
		inst_key_print(b, m.steps[m.len - 1].key);
	else
		buf_putc(b, '*');
	if (r) {
		buf_putc(b, ' ');
		resource_addr_print(b, *r);
	}
}

static const struct resources *named(struct mover *v,
				     const struct move_endpoint *e)
{
	static const struct resources none = { 0 };
	const bool module = e->kind == MOVE_MODULE;
	const struct resources *found;
	struct buf b = BUF_INIT;

	put_place(&b, (struct module_addr){ e->steps, e->nsteps },
		  e->nsteps == e->base || (module && e->whole),
		  module ? NULL : &e->resource);
	found = map_get(module ? &v->inside : &v->named, buf_view(&b));
	buf_release(&b);
	return found ? found : &none;
}

static void add_to(struct mover *v, struct map *to, struct module_addr m,
		   const struct resource_addr *of, struct state_resource *r)
{
	for (int any = 0; any < 2; any++) {
		struct buf b = BUF_INIT;
		struct resources *all;

		put_place(&b, m, any, of);
		all = map_get(to, buf_view(&b));
		if (!all) {
			all = ARENA_NEW(v->a, struct resources);
			map_put(v->a, to, buf_dup(v->a, &b), all);
		}
		if (!all->len || all->items[all->len - 1] != r)
			vec_push(v->a, all, r);
		buf_release(&b);
	}
}

static bool is_empty(const struct state_resource *r)
{
	return !r || !r->instances.len;
}

/* How many resources of the module instance have instances. */
static size_t *occupied(struct mover *v, struct module_addr m)
{
	struct map_entry *e =
		map_slot(v->a, &v->occupied, module_addr_text(v->a, m));

	if (!e->value)
		e->value = ARENA_NEW(v->a, size_t);
	return e->value;
}

/* Takes in the resources that are new in the state. */
static void know_resources(struct mover *v)
{
	for (; v->known < v->s->resources.len; v->known++) {
		struct state_resource *r = v->s->resources.items[v->known];

		add_to(v, &v->named, r->module, &r->addr, r);
		for (size_t n = 1; v->modules && n <= r->module.len; n++)
			add_to(v, &v->inside,
			       (struct module_addr){ r->module.steps, n }, NULL,
			       r);
		if (v->modules && !is_empty(r))
			++*occupied(v, r->module);
	}
}

/* --- moving --- */

/* The instances of r come from elsewhere, or have gone there. */
static void settle(struct mover *v, struct state_resource *r, bool was_empty)
{
	if (v->modules && was_empty != is_empty(r))
		*occupied(v, r->module) += was_empty ? 1 : (size_t)-1;
}

/* A resource of the state, made if need be. */
static struct state_resource *destination(struct mover *v, struct module_addr m,
					  const struct resource_addr *r)
{
	struct state_resource *to = state_resource_make(v->s, m, r);

	know_resources(v);
	return to;
}

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

	if (map_has(&v->told, text))
		return;
	map_put(v->a, &v->told, text, v);
	vec_push(v->a, &v->m->blocked, text);
}

/* All instances of r, deposed ones too, to another resource address. */
static void move_all(struct mover *v, struct state_resource *r,
		     struct module_addr module,
		     const struct resource_addr *resource)
{
	struct state_resource *to = destination(v, module, resource);
	bool was_empty = is_empty(to);

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
	settle(v, to, was_empty);
	settle(v, r, false);
}

/* Is anything in the module instance?  Only what was there before the statement
 * counts, so all are asked before any is moved. */
static void apply_module(struct mover *v)
{
	struct {
		struct state_resource *r;
		struct module_addr to;
		bool blocked;
	} x;
	VEC(typeof(x)) found = { 0 };
	const struct resources *all = named(v, &v->move->from);

	for (size_t i = 0; i < all->len; i++) {
		x.r = all->items[i];
		if (is_empty(x.r) ||
		    !move_module(v->a, v->move, x.r->module, &x.to))
			continue;
		x.blocked = *occupied(v, x.to) > 0;
		vec_push(v->a, &found, x);
	}
	for (size_t i = 0; i < found.len; i++) {
		x = found.items[i];
		if (x.blocked)
			blocked(v, module_addr_text(v->a, x.r->module),
				module_addr_text(v->a, x.to));
		else
			move_all(v, x.r, x.to, &x.r->addr);
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
		destination(v, to->module, &to->resource);
	bool was_empty = is_empty(there);
	struct state_instance *i;
	size_t at = 0;

	if (was_empty)
		there->provider = r->provider;
	record(v, from, to);
	while ((i = state_next_object(r, from->key, &at))) {
		state_remove(v->s, r, i->key, i->deposed);
		i->key = to->key;
		state_put(v->s, there, i);
	}
	settle(v, there, was_empty);
	settle(v, r, false);
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
	const struct resources *all = named(v, &v->move->from);
	size_t n = all->len;

	for (size_t i = 0; i < n; i++) {
		struct state_resource *r = all->items[i];

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
	for (size_t i = 0; i < m->moves.len; i++)
		v.modules |= m->moves.items[i].from.kind == MOVE_MODULE;
	know_resources(&v);
	for (size_t i = 0; i < done; i++) {
		v.move = &m->moves.items[order[i]];
		if (v.move->from.kind == MOVE_MODULE)
			apply_module(&v);
		else
			apply_resources(&v);
	}
	return m->results.len ? v.s : s;
}

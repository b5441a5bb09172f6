/* family.c - joins, and the instances of a resource that meet in them */
#include "engine/order/order_int.h"

uint32_t order_join(struct ordering *o, struct str name)
{
	uint32_t n = graph_add(o->g, NODE_JOIN, name, NULL, NULL);

	o->g->nodes.items[n].data = ARENA_NEW(o->a, struct apply_node);
	return n;
}

uint32_t order_node(struct ordering *o, enum node_kind kind,
		    enum apply_kind what, struct str address, struct change *c,
		    const struct cfg_resource *config)
{
	uint32_t n = graph_add(o->g, kind, address,
			       config ? config->module : NULL, c);
	struct apply_node *an = ARENA_NEW(o->a, struct apply_node);

	an->kind = what;
	an->change = c;
	an->config = config;
	o->g->nodes.items[n].data = an;
	return n;
}

uint32_t order_group(struct ordering *o, struct family *f, enum group_kind kind,
		     enum group_side side)
{
	static const char *const names[GROUP_KINDS] = {
		[GROUP_CREATORS] = "creating",
		[GROUP_KEPT] = "creating first",
		[GROUP_NEW] = "creating anew",
		[GROUP_REMADE] = "creating again",
		[GROUP_USERS] = "using",
		[GROUP_DESTROYERS] = "destroying all",
		[GROUP_EARLY_DESTROYERS] = "destroying",
		[GROUP_LATE_DESTROYERS] = "destroying after",
	};
	const struct node_group *g = &f->groups[kind];
	uint32_t *join = &f->joins[kind][side];

	if (*join != GRAPH_NONE)
		return *join;
	if (g->len == 1)
		return *join = g->items[0]->node;
	*join = order_join(
		o,
		STR_CAT(o->a, f->address,
			str_c(f->previous ? " (before moving): " : ": "),
			str_c(names[kind]),
			str_c(side == AFTER_ALL ? " (after)" : " (before)")));
	for (size_t i = 0; i < g->len; i++)
		if (side == AFTER_ALL)
			order_after(o, *join, g->items[i]->node, NULL);
		else
			order_after(o, g->items[i]->node, *join, NULL);
	return *join;
}

/* --- addresses --- */

/* The address of the resource of i with the keys of `in`, which is the module
 * instance that i is in or one around it.  "[]": without a key, though other
 * instances of the call may have one. */
static void print_family(struct buf *text, struct module_addr in,
			 const struct instance_addr *i)
{
	struct module_addr below = { i->module.steps + in.len,
				     i->module.len - in.len };

	for (size_t n = 0; n < in.len; n++) {
		module_addr_print(text,
				  (struct module_addr){ in.steps + n, 1 });
		if (in.steps[n].key.kind == KEY_NONE)
			buf_str(text, STR("[]"));
		buf_putc(text, '.');
	}
	module_addr_print_path(text, below);
	if (below.len)
		buf_putc(text, '.');
	resource_addr_print(text, i->resource);
}

static struct family *family_new(struct ordering *o,
				 const struct instance_addr *i,
				 struct str address, bool previous)
{
	struct family *f = ARENA_NEW(o->a, struct family);

	f->addr = i;
	f->address = str_dup(o->a, address);
	f->previous = previous;
	for (size_t k = 0; k < GROUP_KINDS; k++)
		f->joins[k][BEFORE_ALL] = f->joins[k][AFTER_ALL] = GRAPH_NONE;
	return f;
}

/* make: if there is none yet; otherwise NULL then. */
static struct family *family_of(struct ordering *o, struct module_addr in,
				const struct instance_addr *i, bool make)
{
	struct buf text = BUF_INIT;
	struct family *f;

	print_family(&text, in, i);
	f = map_get(&o->families, buf_view(&text));
	if (!f && make) {
		f = family_new(o, i, buf_view(&text), false);
		map_put(o->a, &o->families, f->address, f);
	}
	buf_release(&text);
	return f;
}

/* The family of i in the first n module instances around it. */
static struct family *family_in(struct ordering *o,
				const struct instance_addr *i, size_t n)
{
	return family_of(o, (struct module_addr){ i->module.steps, n }, i,
			 true);
}

struct family *order_config_family(struct ordering *o,
				   const struct instance_addr *i)
{
	return family_in(o, i, 0);
}

static const struct instance_addr *previous_addr(const struct change *c)
{
	return c->prev_addr.resource.type.n ? &c->prev_addr : &c->addr;
}

/* What has that address before the moves, if that is not what has it now. */
static struct family *before_moves(struct family *f)
{
	return f->before ? f->before : f;
}

static void note_move_at(struct ordering *o, const struct instance_addr *i)
{
	for (size_t n = 0; n <= i->module.len; n++) {
		struct family *f = family_in(o, i, n);

		if (!f->before)
			f->before = family_new(o, i, f->address, true);
	}
}

void order_note_move(struct ordering *o, const struct change *c)
{
	const struct instance_addr *from = previous_addr(c);

	if (resource_addr_equal(from->resource, c->addr.resource) &&
	    module_addr_equal(from->module, c->addr.module))
		return;
	o->moved = true;
	note_move_at(o, from);
	note_move_at(o, &c->addr);
}

void order_find_families(struct ordering *o, struct operation *op)
{
	const struct instance_addr *now = &op->change->addr;
	const struct instance_addr *from = previous_addr(op->change);

	for (size_t n = 0; n <= now->module.len; n++) {
		op->local = family_in(o, now, n);
		vec_push(o->a, &op->families, op->local);
	}
	op->before = op->local;
	for (size_t n = 0; o->moved && n <= from->module.len; n++) {
		op->before = before_moves(family_in(o, from, n));
		if (op->before->previous)
			vec_push(o->a, &op->families, op->before);
	}
}

/* --- as seen from an instance of a module --- */

/* How many calls of modules both are below. */
static size_t shared_calls(struct module_addr x, struct module_addr y)
{
	size_t n = 0;

	while (n < x.len && n < y.len &&
	       str_eq(x.steps[n].name, y.steps[n].name))
		n++;
	return n;
}

struct family *order_seen_from(struct ordering *o, struct module_addr in,
			       struct family *whole)
{
	in.len = shared_calls(in, whole->addr->module);
	return in.len ? family_of(o, in, whole->addr, false) : whole;
}

void order_each_dependency(struct ordering *o, struct operation *op,
			   struct dependencies on, enum dependency_kind whose,
			   order_dependency_fn *visit)
{
	struct dependency d = { .op = op, .whose = whose };
	struct module_addr now = op->change->addr.module;
	struct module_addr from = previous_addr(op->change)->module;

	for (size_t i = 0; i < on.len; i++) {
		struct family *whole = map_get(&o->families, on.items[i]);
		struct family *f;

		if (!whole)
			continue;
		d.on = f = order_seen_from(o, now, whole);
		d.moved = false;
		if (f)
			visit(o, &d);
		if (!o->moved || whose == DEPENDS_FROM_NOW)
			continue;
		d.on = order_seen_from(o, from, whole);
		d.on = d.on ? before_moves(d.on) : NULL;
		d.moved = true;
		if (d.on && d.on != f)
			visit(o, &d);
	}
}

/* family.c - nodes, joins, and the instances of a resource that meet in them */
#include "engine/order/order_int.h"

uint32_t order_node(struct ordering *o, enum node_kind kind, struct str address,
		    struct cfg_module *module, void *object)
{
	uint32_t n = graph_add(o->g, kind, address, module, object);

	o->g->nodes.items[n].data = ARENA_NEW(o->a, struct apply_node);
	return n;
}

uint32_t order_join(struct ordering *o, struct str name)
{
	return order_node(o, NODE_JOIN, name, NULL, NULL);
}

uint32_t order_group(struct ordering *o, struct family *f, enum group_kind kind,
		     enum group_side side)
{
	static const char *const names[GROUP_KINDS] = {
		[GROUP_CREATORS] = "creating",
		[GROUP_KEPT] = "creating first",
		[GROUP_NEW] = "creating anew",
		[GROUP_REMADE] = "creating again",
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
 * instance that i is in or one around it: "module.a[0]: module.b.t.n". */
static void print_family(struct buf *text, struct module_addr in,
			 const struct instance_addr *i)
{
	struct module_addr below = { i->module.steps + in.len,
				     i->module.len - in.len };

	module_addr_print(text, in);
	buf_puts(text, in.len ? ": " : "");
	module_addr_print_path(text, below);
	buf_puts(text, below.len ? "." : "");
	resource_addr_print(text, i->resource);
}

struct map_entry *order_entry(struct ordering *o, struct map *m,
			      struct buf *text)
{
	ptrdiff_t i = map_index(m, buf_view(text));
	struct map_entry *e =
		i < 0 ? map_slot(o->a, m, buf_dup(o->a, text)) : &m->entries[i];

	buf_release(text);
	return e;
}

static struct family *family_of(struct ordering *o, struct module_addr in,
				const struct instance_addr *i, bool previous)
{
	struct buf text = BUF_INIT;
	struct map_entry *e;
	struct family *f;

	print_family(&text, in, i);
	e = order_entry(o, &o->families[previous], &text);
	if (e->value)
		return e->value;
	e->value = f = ARENA_NEW(o->a, struct family);
	f->addr = i;
	f->address = e->key;
	f->previous = previous;
	memset(f->joins, 0xff, sizeof(f->joins)); /* GRAPH_NONE */
	return f;
}

/* Enters op into the families of that address; returns the local one. */
static struct family *join_families(struct ordering *o, struct operation *op,
				    const struct instance_addr *i,
				    bool previous)
{
	struct family *f = NULL;

	for (size_t n = 0; n <= i->module.len; n++) {
		f = family_of(o, (struct module_addr){ i->module.steps, n }, i,
			      previous);
		vec_push(o->a, &op->families, f);
	}
	return f;
}

static const struct instance_addr *previous_addr(const struct change *c)
{
	return c->prev_addr.resource.type.n ? &c->prev_addr : &c->addr;
}

bool order_moves(const struct change *c)
{
	const struct instance_addr *from = previous_addr(c);

	return !resource_addr_equal(from->resource, c->addr.resource) ||
	       !module_addr_equal(from->module, c->addr.module);
}

void order_enter(struct ordering *o, struct operation *op, unsigned groups)
{
	for (size_t i = 0; i < op->families.len; i++)
		for (unsigned k = 0; k < GROUP_KINDS; k++)
			if (groups & (1u << k))
				vec_push(o->a,
					 &op->families.items[i]->groups[k], op);
}

struct operation *order_operation(struct ordering *o, uint32_t node,
				  const struct change *c, unsigned groups,
				  bool late, const struct state_instance *prior)
{
	struct operation *op = ARENA_NEW(o->a, struct operation);

	op->node = node;
	op->change = c;
	op->destroys = groups & IN(DESTROYERS);
	o->destroys |= op->destroys;
	op->late = late;
	op->prior = prior;
	op->local = join_families(o, op, &c->addr, false);
	if (o->moved)
		op->before = join_families(o, op, previous_addr(c), true);
	order_enter(o, op, groups);
	vec_push(o->a, &o->operations, op);
	if (op->destroys && late)
		vec_push(o->a, &o->late, op);
	return op;
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

/* Visits the part of the family of that address in the module instances around
 * `in` and that itself; all of it if it is below none of their calls. */
static void visit_dependency(struct ordering *o, struct dependency *d,
			     struct str address, struct module_addr in,
			     order_dependency_fn *visit)
{
	struct family *whole = map_get(&o->families[d->moved], address);

	if (!whole)
		return;
	in.len = shared_calls(in, whole->addr->module);
	d->on = in.len ? family_of(o, in, whole->addr, d->moved) : whole;
	visit(o, d);
}

static struct dependencies dependencies(const struct operation *op,
					enum dependency_kind whose)
{
	const struct state_instance *si =
		whose == DEPENDED ? op->prior : op->current;

	if (whose == DEPENDS_FROM_NOW)
		return op->change->dependencies;
	return si ? (struct dependencies){ si->dependencies, si->ndependencies }
		  : (struct dependencies){ NULL, 0 };
}

void order_each_dependency(struct ordering *o, struct operation *op,
			   enum dependency_kind whose,
			   order_dependency_fn *visit)
{
	struct dependencies on = dependencies(op, whose);
	struct dependency d = { .op = op, .whose = whose };

	for (size_t i = 0; i < on.len; i++) {
		d.moved = false;
		visit_dependency(o, &d, on.items[i], op->change->addr.module,
				 visit);
		d.moved = true;
		if (o->moved && whose != DEPENDS_FROM_NOW)
			visit_dependency(o, &d, on.items[i],
					 previous_addr(op->change)->module,
					 visit);
	}
}

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

static uint32_t group_join(struct ordering *o, const struct family *f,
			   enum group_kind kind, const char *side)
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

	return order_join(o, STR_CAT(o->a, f->address,
				     str_c(f->previous ? " (before moving): "
						       : ": "),
				     str_c(names[kind]), str_c(side)));
}

uint32_t group_before(struct ordering *o, struct family *f,
		      enum group_kind kind)
{
	struct node_group *g = &f->groups[kind];

	if (g->before != GRAPH_NONE)
		return g->before;
	if (g->members.len == 1)
		return g->before = g->members.items[0];
	g->before = group_join(o, f, kind, " (before)");
	for (size_t i = 0; i < g->members.len; i++)
		graph_edge(o->g, g->members.items[i], g->before, NULL, NULL);
	return g->before;
}

uint32_t group_after(struct ordering *o, struct family *f, enum group_kind kind)
{
	struct node_group *g = &f->groups[kind];

	if (g->after != GRAPH_NONE)
		return g->after;
	if (g->members.len == 1)
		return g->after = g->members.items[0];
	g->after = group_join(o, f, kind, " (after)");
	for (size_t i = 0; i < g->members.len; i++)
		graph_edge(o->g, g->after, g->members.items[i], NULL, NULL);
	return g->after;
}

/* --- addresses --- */

enum { CALL_WITH_KEY = 1, CALL_WITHOUT_KEY = 2, CALL_MIXED = 3 };

static void note_calls(struct ordering *o, struct module_addr m)
{
	struct buf path = BUF_INIT;

	for (size_t n = 0; n < m.len; n++) {
		struct map_entry *e;
		unsigned *found;

		if (n)
			buf_putc(&path, '.');
		module_addr_print_path(&path,
				       (struct module_addr){ m.steps + n, 1 });
		e = map_slot(o->a, &o->calls, buf_view(&path));
		if (!e->value) {
			e->key = buf_dup(o->a, &path);
			e->value = ARENA_NEW(o->a, unsigned);
		}
		found = e->value;
		*found |= m.steps[n].key.kind == KEY_NONE ? CALL_WITHOUT_KEY
							  : CALL_WITH_KEY;
		o->any_mixed |= *found == CALL_MIXED;
	}
	buf_release(&path);
}

static const struct instance_addr *previous_addr(const struct change *c)
{
	return c->prev_addr.resource.type.n ? &c->prev_addr : &c->addr;
}

static void note_calls_once(struct ordering *o, struct module_addr m,
			    struct module_addr *last)
{
	if (!module_addr_equal(m, *last))
		note_calls(o, m);
	*last = m;
}

void order_note_calls(struct ordering *o, const struct change_vec *changes)
{
	struct module_addr last = { NULL, 0 }, last_previous = { NULL, 0 };

	for (size_t i = 0; i < changes->len; i++) {
		const struct change *c = changes->items[i];

		note_calls_once(o, c->addr.module, &last);
		note_calls_once(o, previous_addr(c)->module, &last_previous);
	}
}

/* Is step n of m one of several instances of its call, with a key or, beside
 * others that have one, without? */
static bool is_repeated(const struct ordering *o, struct module_addr m,
			size_t n)
{
	struct buf path = BUF_INIT;
	const unsigned *found;

	if (m.steps[n].key.kind != KEY_NONE || !o->any_mixed)
		return m.steps[n].key.kind != KEY_NONE;
	module_addr_print_path(&path, (struct module_addr){ m.steps, n + 1 });
	found = map_get(&o->calls, buf_view(&path));
	buf_release(&path);
	return found && *found == CALL_MIXED;
}

/* The address of the family of i with keys of the first `keyed` calls, those of
 * `keys`. */
static void print_family(struct buf *text, const struct ordering *o,
			 const struct instance_addr *i, struct module_addr keys,
			 size_t keyed)
{
	struct module_addr below = { i->module.steps + keyed,
				     i->module.len - keyed };

	for (size_t n = 0; n < keyed; n++) {
		module_addr_print(text,
				  (struct module_addr){ keys.steps + n, 1 });
		if (keys.steps[n].key.kind == KEY_NONE &&
		    is_repeated(o, keys, n))
			buf_str(text, STR("[]"));
		buf_putc(text, '.');
	}
	module_addr_print_path(text, below);
	if (below.len)
		buf_putc(text, '.');
	resource_addr_print(text, i->resource);
}

static struct family *family_new(struct ordering *o, struct map *in,
				 const struct instance_addr *i, size_t keyed,
				 struct str address)
{
	struct family *f = ARENA_NEW(o->a, struct family);

	f->addr = i;
	f->keyed = keyed;
	f->address = str_dup(o->a, address);
	f->previous = in == &o->previous;
	for (size_t k = 0; k < GROUP_KINDS; k++)
		f->groups[k].before = f->groups[k].after = GRAPH_NONE;
	map_put(o->a, in, f->address, f);
	return f;
}

/* make: if there is none yet; otherwise NULL then. */
static struct family *family_of(struct ordering *o, struct map *in,
				const struct instance_addr *i, size_t keyed,
				bool make)
{
	struct buf text = BUF_INIT;
	struct family *f;

	print_family(&text, o, i, i->module, keyed);
	f = map_get(in, buf_view(&text));
	if (!f && make)
		f = family_new(o, in, i, keyed, buf_view(&text));
	buf_release(&text);
	return f;
}

struct family *order_local_family(struct ordering *o,
				  const struct instance_addr *i)
{
	return family_of(o, &o->families, i, i->module.len, true);
}

struct family *order_config_family(struct ordering *o,
				   const struct instance_addr *i)
{
	return family_of(o, &o->families, i, 0, true);
}

static const struct family_vec *families_of(struct ordering *o, struct map *in,
					    const struct instance_addr *i,
					    bool make, struct family_vec *found)
{
	found->len = 0;
	for (size_t n = 0; n <= i->module.len; n++) {
		struct family *f;

		if (n && !is_repeated(o, i->module, n - 1))
			continue;
		f = family_of(o, in, i, n, make);
		if (!f)
			break;
		vec_push(o->a, found, f);
	}
	return found;
}

const struct family_vec *order_families(struct ordering *o,
					const struct instance_addr *i)
{
	return families_of(o, &o->families, i, true, &o->found);
}

/* --- before a move --- */

void order_note_move(struct ordering *o, const struct change *c)
{
	const struct instance_addr *from = previous_addr(c);
	struct family_vec *found = &o->found_previous;

	if (resource_addr_equal(from->resource, c->addr.resource) &&
	    module_addr_equal(from->module, c->addr.module))
		return;
	families_of(o, &o->previous, from, true, found);
	families_of(o, &o->previous, &c->addr, true, found);
}

const struct family_vec *order_previous_families(struct ordering *o,
						 const struct change *c)
{
	o->found_previous.len = 0;
	if (o->previous.len)
		families_of(o, &o->previous, previous_addr(c), false,
			    &o->found_previous);
	return &o->found_previous;
}

struct family *order_previous_family(struct ordering *o, const struct change *c,
				     struct family *local)
{
	const struct instance_addr *i = previous_addr(c);
	struct family *f = NULL;

	if (o->previous.len)
		f = family_of(o, &o->previous, i, i->module.len, false);
	return f ? f : local;
}

/* --- as seen from an instance of a module --- */

/* The family with that address now or, previous, before a move. */
static struct family *family_at(const struct ordering *o, struct str address,
				bool previous)
{
	struct family *f = previous ? map_get(&o->previous, address) : NULL;

	return f ? f : map_get(&o->families, address);
}

/* How many calls of modules both are below. */
static size_t shared_calls(struct module_addr x, struct module_addr y)
{
	size_t n = 0;

	while (n < x.len && n < y.len &&
	       str_eq(x.steps[n].name, y.steps[n].name))
		n++;
	return n;
}

static struct family *seen_from(struct ordering *o, const struct family *f,
				struct family *whole, bool previous)
{
	struct module_addr in = f->addr->module;
	size_t n = shared_calls(in, whole->addr->module);
	struct buf text = BUF_INIT;
	struct family *part;

	while (n && !is_repeated(o, in, n - 1))
		n--;
	if (!n)
		return whole;
	print_family(&text, o, whole->addr, in, n);
	part = family_at(o, buf_view(&text), previous);
	buf_release(&text);
	return part;
}

struct family *order_seen_from(struct ordering *o, const struct family *f,
			       struct family *whole)
{
	return seen_from(o, f, whole, false);
}

void order_each_dependency(struct ordering *o, const struct family *user,
			   const struct family *previous,
			   struct dependencies on, order_family_fn *visit,
			   void *data)
{
	for (size_t i = 0; i < on.len; i++) {
		struct family *f = family_at(o, on.items[i], false);
		struct family *before = NULL;

		if (f)
			f = seen_from(o, user, f, false);
		if (previous && o->previous.len)
			before = family_at(o, on.items[i], true);
		if (before)
			before = seen_from(o, previous, before, true);
		if (f)
			visit(data, f, false);
		if (before && before != f)
			visit(data, before, true);
	}
}

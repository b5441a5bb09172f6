/*
 * moves_graph.c - the order of move statements
 *
 * A statement comes after those whose destination it continues from, and after
 * those of a module around it.  Ends that can mean the same, or one of which
 * contains the other, share the names of modules and the resource: so only
 * statements that an index has together are compared.
 */
#include <stdlib.h>

#include "engine/plan/plan_int.h"
#include "graph/graph.h"

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
		    !inst_key_equal(x->steps[i].key, y->steps[i].key))
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
	       (e->whole || inst_key_equal(e->key, from->key));
}

static bool nested_within(const struct move_endpoint *e,
			  const struct move_endpoint *o)
{
	if (o->nsteps > e->nsteps || !can_match(o, e, o->nsteps))
		return false;
	if (o->kind == MOVE_MODULE) {
		/* e is below o; or an instance of the call that o is */
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

/* --- the index --- */

struct statements VEC_OF(uint32_t);

/* Statements by one of their ends: each under the text of put_end(), and once
 * more under that text with the key of the last module behind it, or *. */
struct ends {
	struct arena *a;
	struct map map; /* -> struct statements * */
};

/* Writes the part that ends share if only their keys differ: the names of n
 * modules, and the rest. */
static void put_end(struct buf *b, const struct move_endpoint *e, size_t n,
		    struct str rest)
{
	module_addr_print_path(b, (struct module_addr){ e->steps, n });
	buf_putc(b, '\n');
	buf_add(b, rest.p, rest.n);
}

static void put_key(struct buf *b, const struct move_endpoint *e, size_t n)
{
	buf_putc(b, '\n');
	if (n && any(e, n - 1))
		buf_putc(b, '*');
	else if (n)
		inst_key_print(b, e->steps[n - 1].key);
}

/* The resource of an end, or the instance; "" of a module. */
static struct str rest_of(struct arena *a, const struct move_endpoint *e,
			  bool whole)
{
	struct buf b = BUF_INIT;

	if (e->kind == MOVE_MODULE)
		return STR("");
	resource_addr_print(&b, e->resource);
	if (!whole) {
		buf_putc(&b, ' ');
		inst_key_print(&b, e->key);
	}
	return buf_take(a, &b);
}

static void add_under(struct ends *x, const struct buf *key, uint32_t i)
{
	struct statements *v = map_get(&x->map, buf_view(key));

	if (!v) {
		v = ARENA_NEW(x->a, struct statements);
		map_put(x->a, &x->map, buf_dup(x->a, key), v);
	}
	vec_push(x->a, v, i);
}

static void add_end(struct ends *x, const struct move_endpoint *e, uint32_t i)
{
	struct buf b = BUF_INIT;

	put_end(&b, e, e->nsteps, rest_of(x->a, e, e->whole));
	add_under(x, &b, i);
	put_key(&b, e, e->nsteps);
	add_under(x, &b, i);
	buf_release(&b);
}

static void take(const struct ends *x, const struct buf *key,
		 struct statements *out)
{
	const struct statements *v = map_get(&x->map, buf_view(key));

	for (size_t i = 0; v && i < v->len; i++)
		vec_push(x->a, out, v->items[i]);
}

/* Finds the statements with an end of n modules and this rest that e can mean.
 */
static void find(const struct ends *x, const struct move_endpoint *e, size_t n,
		 struct str rest, struct statements *out)
{
	struct buf b = BUF_INIT;
	size_t len;

	put_end(&b, e, n, rest);
	len = b.len;
	if (n && !any(e, n - 1)) {
		put_key(&b, e, n);
		take(x, &b, out);
		b.len = len;
		buf_puts(&b, "\n*");
	}
	take(x, &b, out);
	buf_release(&b);
}

/* The statements with an end that may contain e. */
static void find_around(const struct ends *x, const struct move_endpoint *e,
			struct statements *out)
{
	for (size_t n = 1; n <= e->nsteps; n++)
		find(x, e, n, STR(""), out);
	if (e->kind == MOVE_RESOURCE && !e->whole)
		find(x, e, e->nsteps, rest_of(x->a, e, true), out);
}

static int by_number(const void *x, const void *y)
{
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;

	return (i > k) - (i < k);
}

struct graph *moves_graph(struct arena *a, const struct moves *m)
{
	struct graph *g = graph_new(a);
	const struct move *all = m->moves.items;
	struct ends from = { .a = a }, to = { .a = a };
	struct statements *near =
		ARENA_ARRAY(a, struct statements, m->moves.len);
	struct statements found = { 0 };

	for (uint32_t i = 0; i < m->moves.len; i++) {
		graph_add(g, NODE_JOIN, str_printf(a, "%u", i), NULL, NULL);
		near[i] = (struct statements){ 0 };
		add_end(&from, &all[i].from, i);
		add_end(&to, &all[i].to, i);
	}
	for (uint32_t i = 0; i < m->moves.len; i++) {
		const struct move_endpoint *f = &all[i].from;

		find(&to, f, f->nsteps, rest_of(a, f, f->whole), &near[i]);
		find_around(&to, f, &near[i]);
		find_around(&to, &all[i].to, &near[i]);
		found.len = 0;
		find_around(&from, f, &found);
		find_around(&from, &all[i].to, &found);
		for (size_t k = 0; k < found.len; k++)
			vec_push(a, &near[found.items[k]], i);
	}
	for (uint32_t x = 0; x < m->moves.len; x++) {
		const struct statements *v = &near[x];

		if (v->len)
			qsort(v->items, v->len, sizeof(*v->items), by_number);
		for (size_t k = 0; k < v->len; k++)
			if (v->items[k] != x &&
			    (!k || v->items[k] != v->items[k - 1]) &&
			    depends_on(&all[x], &all[v->items[k]]))
				graph_edge(g, x, v->items[k], NULL, NULL);
	}
	return g;
}

/*
 * select_targets.c - what -target names, and what that depends on
 *
 * A reference that names an instance of a managed resource, e["a"], needs
 * changes of that one alone; any other way to a resource needs all of its
 * instances, if the targets name none of these.
 */
#include "graph/plan_select.h"
#include "addr/target.h"
#include "graph/plan_graph.h"
#include "graph/graph_int.h"

struct target_search {
	struct plan_graph *pg;
	struct arena scratch;
	const struct target *targets;
	size_t ntargets;
	unsigned char *set;
	struct node_vec stack;
	uint32_t from;                /* whose dependencies are looked at */
	VEC(struct plan_need) limits; /* what is needed of that, if not all */
	size_t *first;                /* by target: see find_firsts */
};

static void visit(struct target_search *s, uint32_t node)
{
	s->set[node] = 1;
	vec_push(&s->scratch, &s->stack, node);
}

static bool has_key(const struct plan_node *n, struct inst_key key,
		    bool (*same)(struct inst_key, struct inst_key))
{
	for (size_t i = 0; i < n->keys.len; i++)
		if (same(n->keys.items[i], key))
			return true;
	return false;
}

/* Does a reference name it? */
static bool named_by_reference(const struct plan_node *n,
			       const struct instance_addr *i)
{
	if (has_key(n, i->key, inst_key_means))
		return true;
	for (size_t k = 0; k < n->there.len; k++) {
		const struct plan_need *x = &n->there.items[k];

		if (x->key.kind != KEY_NONE && inst_key_means(x->key, i->key) &&
		    target_meets(x->in, i->module))
			return true;
	}
	return false;
}

static bool is_there(const struct plan_graph *pg, const struct instance_addr *i)
{
	const struct state_resource *sr =
		state_resource(pg->state, i->module, &i->resource);

	return sr && state_instance(sr, i->key);
}

void plan_graph_see(const struct plan_graph *pg, uint32_t node,
		    const struct instance_addr *i,
		    const struct target_set *only, struct plan_seen *s)
{
	bool named = false;

	if (!plan_node(pg, node)->there.len)
		return;
	for (size_t k = 0; k < only->targets.len && !named; k++)
		named = target_contains(&only->targets.items[k], i);
	s->chosen |= named;
	if (i->key.kind == KEY_INT && i->key.i >= s->numbers &&
	    (named || is_there(pg, i) ||
	     named_by_reference(plan_node(pg, node), i)))
		s->numbers = i->key.i + 1;
}

/* Is it absent, and is one with a higher number seen?  A reference to all
 * instances would have an unknown in its place, even in the end. */
static bool is_hole(const struct plan_graph *pg, const struct instance_addr *i,
		    const struct plan_seen *s)
{
	return i->key.kind == KEY_INT && i->key.i < s->numbers &&
	       !is_there(pg, i);
}

bool select_instance_needed(const struct plan_graph *pg, uint32_t node,
			    const struct instance_addr *i,
			    const struct plan_seen *s)
{
	const struct plan_node *n = plan_node(pg, node);
	bool there = false, picked = false;

	if (n->whole || named_by_reference(n, i))
		return true;
	for (size_t k = 0; k < n->there.len && !picked; k++) {
		const struct plan_need *x = &n->there.items[k];

		if (x->key.kind != KEY_NONE || !target_meets(x->in, i->module))
			continue;
		there = true;
		picked = x->picked;
	}
	return there &&
	       (!s->chosen || (picked ? !is_there(pg, i) : is_hole(pg, i, s)));
}

/* Nodes between resources have no instances of their own: if a part of a
 * resource needs them, they are needed for that part. */
static bool hands_on(const struct graph_node *n)
{
	return n->kind == NODE_LOCAL || n->kind == NODE_VARIABLE ||
	       n->kind == NODE_OUTPUT || n->kind == NODE_MODULE_CLOSE;
}

bool plan_graph_meets(const struct plan_graph *pg, uint32_t node,
		      struct module_addr m)
{
	const struct plan_node *n = plan_node(pg, node);

	if (n->whole || !n->there.len)
		return true;
	for (size_t i = 0; i < n->there.len; i++)
		if (target_meets(n->there.items[i].in, m))
			return true;
	return false;
}

static struct inst_key key_of(const struct target *t)
{
	return t->kind == TARGET_INSTANCE ? t->addr.key : KEY_ABSENT;
}

/* If only a part of s->from is needed, limits its dependencies to that part. */
static void find_limits(struct target_search *s)
{
	const struct graph_node *node = &s->pg->g->nodes.items[s->from];
	const struct plan_node *n = plan_node(s->pg, s->from);

	s->limits.len = 0;
	if (n->whole || n->keys.len || !(n->part || hands_on(node)))
		return;
	for (size_t i = 0; i < s->ntargets && n->part; i++)
		if (target_names_node(s->pg, node, &s->targets[i]))
			vec_push(&s->scratch, &s->limits,
				 ((struct plan_need){
					 .in = &s->targets[i],
					 .key = key_of(&s->targets[i]) }));
	for (size_t i = 0; i < n->there.len; i++)
		vec_push(&s->scratch, &s->limits, n->there.items[i]);
}

/* The key of an instance, in its own words.  The elements of a set are their
 * own keys. */
static bool is_own_key(const struct expr *all, const struct expr *e)
{
	const struct traversal *t = &e->scope;

	if (e->kind != EXPR_SCOPE || t->nsteps != 1 ||
	    t->steps[0].kind != STEP_ATTR)
		return false;
	if (str_is(t->root, "count"))
		return str_is(t->steps[0].name, "index");
	if (!str_is(t->root, "each"))
		return false;
	return str_is(t->steps[0].name, "key") ||
	       (str_is(t->steps[0].name, "value") && all &&
		all->kind == EXPR_CALL && str_is(all->call.name, "toset"));
}

/* A variable is given a value by the call of its module, once for each key of
 * that. */
static struct inst_key call_key(const struct cfg_module *m,
				const struct target *in)
{
	const struct module_addr *at = &in->addr.module;
	size_t depth = 0, i;

	for (const struct cfg_module *c = m; c->parent; c = c->parent)
		depth++;
	if (!depth || depth > at->len)
		return KEY_ABSENT;
	for (i = depth; m->parent; m = m->parent)
		if (!target_names(in, at->steps[--i].name, m->call->name))
			return KEY_ABSENT;
	return at->steps[depth - 1].key;
}

/* The key that the instances of s->from in x pick; KEY_ABSENT if unknown. */
static struct inst_key picked_key(const struct target_search *s,
				  const struct plan_need *x,
				  const struct expr *picks)
{
	const struct graph_node *from = &s->pg->g->nodes.items[s->from];
	const struct cfg_call *call = from->module->call;
	const struct cfg_resource *r = from->object;

	if (from->kind == NODE_VARIABLE)
		return call && is_own_key(call->for_each.root, picks)
			       ? call_key(from->module, x->in)
			       : KEY_ABSENT;
	return node_is_resource(from) && is_own_key(r->for_each.root, picks)
		       ? x->key
		       : KEY_ABSENT;
}

/* The need of the instances of s->from in x. */
static struct plan_need need_of(const struct target_search *s,
				const struct plan_need *x, struct inst_key key,
				const struct expr *picks)
{
	if (picks)
		key = picked_key(s, x, picks);
	return (struct plan_need){ x->in, key, picks && key.kind == KEY_NONE };
}

/* The first target that names what is in the same module. */
static void find_firsts(struct target_search *s)
{
	struct map seen = { 0 };
	struct buf b = BUF_INIT;

	s->first = ARENA_ARRAY(&s->scratch, size_t, s->ntargets);
	for (size_t i = 0; i < s->ntargets; i++) {
		const struct target *t = &s->targets[i];
		struct map_entry *e;

		buf_set_len(&b, 0);
		buf_putc(&b, t->glob.n                  ? '*'
			     : t->kind == TARGET_MODULE ? 'm'
							: 'r');
		module_addr_print(&b, t->addr.module);
		e = map_slot(&s->scratch, &seen, buf_view(&b));
		if (!e->value) {
			e->key = buf_dup(&s->scratch, &b);
			e->value = &s->first[i];
			s->first[i] = i;
		}
		s->first[i] = *(const size_t *)e->value;
	}
	buf_release(&b);
}

/* Is x, which has no key, among what is needed of n?  It is from now on. */
static bool is_met(struct target_search *s, struct plan_node *n,
		   const struct plan_need *x)
{
	size_t at = s->first[x->in - s->targets];
	unsigned char bit = x->picked ? 2 : 1;

	if (!n->met)
		n->met = ARENA_ARRAY(s->pg->g->arena, unsigned char,
				     s->ntargets);
	if (n->met[at] & bit)
		return true;
	n->met[at] |= bit;
	return false;
}

static bool need_there(struct target_search *s, struct plan_node *n,
		       struct plan_need x)
{
	if (x.key.kind == KEY_NONE && is_met(s, n, &x))
		return false;
	for (size_t i = 0; i < n->there.len && x.key.kind != KEY_NONE; i++)
		if (n->there.items[i].in == x.in &&
		    inst_key_equal(n->there.items[i].key, x.key))
			return false;
	vec_push(s->pg->g->arena, &n->there, x);
	return true;
}

/* Targets that name two resources in part, such as an instance of a module,
 * choose among the instances of both.  That does not cover other instances of
 * their module, instances that a reference names, and holes: which of those are
 * needed is known when the resources are expanded (select_instance_needed). */
static bool need_in_part(struct target_search *s, struct plan_node *n,
			 struct inst_key key, const struct expr *picks)
{
	bool more = false;

	for (size_t i = 0; i < s->limits.len; i++)
		more |= need_there(s, n,
				   need_of(s, &s->limits.items[i], key, picks));
	return more;
}

/* Visits a part again if more of it is needed than before. */
static void need(struct target_search *s, uint32_t to, struct inst_key key,
		 const struct expr *picks)
{
	struct plan_node *n = plan_node(s->pg, to);
	bool part = n->part || hands_on(&s->pg->g->nodes.items[to]);
	bool more = false;

	if (part && s->limits.len) {
		more = need_in_part(s, n, key, picks);
	} else if (key.kind == KEY_NONE) {
		more = !n->whole;
		n->whole = true;
	} else if (!has_key(n, key, inst_key_equal)) {
		more = true;
		vec_push(s->pg->g->arena, &n->keys, key);
	}
	if (!s->set[to] || (more && part))
		visit(s, to);
}

static void need_instance(void *data, uint32_t to, struct inst_key key,
			  const struct expr *picks,
			  const struct traversal_ref *why)
{
	const struct target_search *s = data;

	(void)why;
	if (s->pg->g->nodes.items[to].kind != NODE_RESOURCE)
		key = KEY_ABSENT;
	need(data, to, key, picks);
}

/* References are read again only where one may name an instance. */
static void need_dependencies(struct target_search *s, uint32_t node)
{
	const struct graph *g = s->pg->g;
	const struct graph_node *n = &g->nodes.items[node];
	bool by_key = false;

	s->from = node;
	find_limits(s);
	for (uint32_t e = n->first; e != GRAPH_NONE;
	     e = g->edges.items[e].next) {
		uint32_t to = g->edges.items[e].to;

		if (plan_node(s->pg, to)->by_key && !s->pg->only_reads &&
		    n->kind != NODE_MODULE_CLOSE)
			by_key = true;
		else
			need(s, to, KEY_ABSENT, NULL);
	}
	if (by_key)
		plan_graph_resource_refs(&s->scratch, s->pg, node,
					 need_instance, s);
}

static void name(struct target_search *s, uint32_t node)
{
	struct plan_node *n = plan_node(s->pg, node);

	n->part = true;
	for (size_t k = 0; k < s->ntargets && (!n->direct || n->part); k++) {
		if (!target_names_node(s->pg, &s->pg->g->nodes.items[node],
				       &s->targets[k]))
			continue;
		n->direct = true;
		n->part = target_has_keys(&s->targets[k]);
	}
	n->part &= n->direct;
	if (n->direct)
		visit(s, node);
}

void select_targets(struct plan_graph *pg, const struct target *ts, size_t nts,
		    const unsigned char *kept, unsigned char *set)
{
	struct target_search s = { .pg = pg,
				   .scratch = ARENA_INIT,
				   .targets = ts,
				   .ntargets = nts,
				   .set = set };

	find_firsts(&s);
	for (uint32_t i = 0; i < pg->g->nodes.len; i++)
		if (!kept || kept[i])
			name(&s, i);
	while (s.stack.len)
		need_dependencies(&s, s.stack.items[--s.stack.len]);
	arena_release(&s.scratch);
}

/* --- what outputs see of it --- */

struct left_out {
	const struct plan_graph *pg;
	uint32_t to;
	bool found;
};

static void look_at(void *data, uint32_t to, struct inst_key key,
		    const struct expr *picks, const struct traversal_ref *why)
{
	struct left_out *l = data;

	(void)picks;
	(void)why;
	if (to == l->to &&
	    (key.kind == KEY_NONE ||
	     !has_key(plan_node(l->pg, to), key, inst_key_means)))
		l->found = true;
}

bool select_depends_on_left_out(const struct plan_graph *pg, uint32_t node,
				uint32_t to)
{
	const struct plan_node *n = plan_node(pg, to);
	struct left_out l = { pg, to, false };
	struct arena scratch = ARENA_INIT;

	if (n->whole || n->direct || !n->keys.len)
		return false;
	if (pg->g->nodes.items[node].kind == NODE_MODULE_CLOSE)
		return true;
	plan_graph_resource_refs(&scratch, pg, node, look_at, &l);
	arena_release(&scratch);
	return l.found;
}

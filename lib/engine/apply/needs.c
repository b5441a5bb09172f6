/*
 * needs.c - changes that need an object whose creation was taken out of the
 * plan
 *
 * Follows the references of the configuration, down to the instance where a
 * reference names one.  Dependencies that show only when evaluating are found
 * by the planned values, below.
 */
#include <stdlib.h>

#include "engine/apply/apply_int.h"
#include "config/module.h"
#include "graph/plan_graph.h"
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "lang/spec/decode.h"
#include "schema/objects.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/path.h"

struct addr_list VEC_OF(const struct instance_addr *);

struct need_node {                /* a node of the plan graph */
	struct addr_list missing; /* its instances that will not be there */
	struct addr_list named;   /* what it names of those of others */
	bool read;                /* is `named` complete? */
	uint32_t stamp;
};

struct need_search {
	struct apply *ap;
	const struct plan_graph *pg;
	struct arena scratch;
	struct need_node *nodes;
	struct need_node *reading; /* its references are being read */
	bool any;                  /* is anything missing? */
	uint32_t *stack, stamp;
	/* The last search: for this node in this module instance. */
	uint32_t from;
	struct module_addr module;
	const struct instance_addr *needed; /* NULL: none */
};

/* The resource's node in the plan graph; GRAPH_NONE: not in the
 * configuration. */
static uint32_t resource_node(const struct need_search *s,
			      const struct instance_addr *i)
{
	const struct cfg_resource *r =
		config_resource_at(s->ap->in->config, i->module, &i->resource);

	return r ? plan_graph_resource(s->pg, r) : GRAPH_NONE;
}

static int find_missing(struct need_search *s)
{
	const struct taken_vec *taken = &s->ap->in->edits.taken;
	const struct instance_addr *addrs;

	if (taken_addresses(s->ap->arena, taken, &addrs, s->ap->ds))
		return -1;
	for (size_t i = 0; i < taken->len; i++) {
		uint32_t node = resource_node(s, &addrs[i]);

		if (!str_is(taken->items[i].action, "create") ||
		    node == GRAPH_NONE)
			continue;
		vec_push(s->ap->arena, &s->nodes[node].missing, &addrs[i]);
		s->any = true;
	}
	return 0;
}

/* Are both in the same instance of the modules that they share, and do the
 * further modules of `to` have no keys? */
static bool meets(struct module_addr from, struct module_addr to)
{
	size_t i = 0;

	for (; i < from.len && i < to.len &&
	       str_eq(from.steps[i].name, to.steps[i].name);
	     i++)
		if (!inst_key_equal(from.steps[i].key, to.steps[i].key))
			return false;
	for (; i < to.len; i++)
		if (to.steps[i].key.kind != KEY_NONE)
			return false;
	return true;
}

static void note_named(void *data, uint32_t to, struct inst_key key,
		       const struct expr *picks,
		       const struct traversal_ref *why)
{
	struct need_search *s = data;
	const struct addr_list *missing = &s->nodes[to].missing;

	(void)picks;
	(void)why;
	for (size_t i = 0; i < missing->len; i++)
		if (inst_key_means(key, missing->items[i]->key))
			vec_push(s->ap->arena, &s->reading->named,
				 missing->items[i]);
}

/* Reads the references of a node on the first visit only. */
static void look_at(struct need_search *s, uint32_t node)
{
	struct need_node *n = &s->nodes[node];

	if (!n->read) {
		n->read = true;
		s->reading = n;
		plan_graph_resource_refs(&s->scratch, s->pg, node, note_named,
					 s);
		arena_reset(&s->scratch);
	}
	for (size_t i = 0; i < n->named.len && !s->needed; i++)
		if (meets(s->module, n->named.items[i]->module))
			s->needed = n->named.items[i];
}

static void visit(struct need_search *s, uint32_t node, size_t *depth)
{
	if (s->nodes[node].stamp == s->stamp)
		return;
	s->nodes[node].stamp = s->stamp;
	s->stack[(*depth)++] = node;
}

/* Through locals, variables, outputs and providers; the needs of a resource in
 * between are its own. */
static void search(struct need_search *s)
{
	const struct graph *g = s->pg->g;
	size_t depth = 0;

	s->stamp++;
	s->needed = NULL;
	visit(s, s->from, &depth);
	while (depth && !s->needed) {
		uint32_t node = s->stack[--depth];

		look_at(s, node);
		for (uint32_t e = g->nodes.items[node].first; e != GRAPH_NONE;
		     e = g->edges.items[e].next) {
			uint32_t to = g->edges.items[e].to;

			if (!node_is_resource(&g->nodes.items[to]))
				visit(s, to, &depth);
		}
	}
}

static void check(struct need_search *s, const struct change *c)
{
	struct arena *a = s->ap->arena;
	uint32_t node;

	if (c->action == ACTION_DELETE || c->action == ACTION_FORGET ||
	    c->action == ACTION_NOOP)
		return;
	node = resource_node(s, &c->addr);
	if (node == GRAPH_NONE)
		return;
	/* Plans have such instances of a resource one after another. */
	if (node != s->from || !module_addr_equal(c->addr.module, s->module)) {
		s->from = node;
		s->module = c->addr.module;
		search(s);
	}
	if (s->needed)
		diag_error(s->ap->ds, NULL, "Edited plan does not fit",
			   "%.*s needs %.*s, the creation of which was taken "
			   "out of the plan. Take out the two records of "
			   "%.*s as well, or make a new plan, with -target or "
			   "-exclude if some changes are to wait.",
			   STR_ARG(instance_addr_text(a, &c->addr)),
			   STR_ARG(instance_addr_text(a, s->needed)),
			   STR_ARG(instance_addr_text(a, &c->addr)));
}

static int find_needs(struct need_search *s)
{
	const struct change_vec *all = &s->ap->in->said.changes.changes;
	size_t errors = s->ap->ds->errors, n = s->pg->g->nodes.len + 1;

	s->nodes = ARENA_ARRAY(s->ap->arena, struct need_node, n);
	if (find_missing(s))
		return -1;
	if (!s->any)
		return 0;
	s->stack = ARENA_ARRAY(s->ap->arena, uint32_t, n);
	for (size_t i = 0; i < all->len; i++)
		check(s, all->items[i]);
	return s->ap->ds->errors > errors ? -1 : 0;
}

int apply_check_needs(struct apply *ap)
{
	struct need_search s = { .ap = ap,
				 .pg = ap->graph->pg,
				 .scratch = ARENA_INIT,
				 .from = GRAPH_NONE };
	int rc = ap->in->edits.taken.len ? find_needs(&s) : 0;

	arena_release(&s.scratch);
	return rc;
}

/* --- changes that would not be what was planned --- */

/* Evaluates the planned configurations once before anything is done: each
 * object has its planned value, or its present value, marked as ephemeral, if
 * its change was taken out.  A configuration that gets the mark derives from
 * such an object; it may still be as planned. */

struct needs {
	struct apply *ap;
	struct arena scratch;
	uint32_t *rank; /* of the nodes of the plan graph */
	struct diags quiet;
};

static struct run_instance *find_instance(struct needs *s,
					  const struct instance_addr *i)
{
	struct run_module *m = run_module(s->ap->run, i->module, &s->quiet);
	struct run_resource *rr =
		m ? run_resource(m, &i->resource, &s->quiet) : NULL;

	return rr ? run_instance(rr, i->key) : NULL;
}

static bool makes_object(const struct change *c)
{
	return !c->deposed.n && c->action != ACTION_DELETE &&
	       c->action != ACTION_FORGET && c->action != ACTION_NOOP;
}

/* The value of an instance, by its change or because that was taken out. */
struct setting {
	uint32_t rank; /* of its resource */
	const struct instance_addr *addr;
	const struct change *change; /* NULL: taken out */
	bool made;                   /* the change taken out makes it */
};
struct setting_vec VEC_OF(struct setting);

static int by_rank(const void *x, const void *y)
{
	const struct setting *a = x, *b = y;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* After what it needs, for that may say which instances there are. */
static uint32_t rank_of(const struct needs *s, const struct instance_addr *i)
{
	const struct plan_graph *pg = s->ap->graph->pg;
	const struct cfg_resource *r =
		config_resource_at(s->ap->in->config, i->module, &i->resource);
	uint32_t node = r ? plan_graph_resource(pg, r) : GRAPH_NONE;

	return node == GRAPH_NONE ? 0 : s->rank[node];
}

static void rank_nodes(struct needs *s)
{
	const struct graph *g = s->ap->graph->pg->g;
	uint32_t *order = ARENA_ARRAY(s->ap->arena, uint32_t, g->nodes.len + 1);
	size_t n = graph_order(g, order);

	s->rank = ARENA_ARRAY(s->ap->arena, uint32_t, g->nodes.len + 1);
	for (uint32_t i = 0; i < n; i++)
		s->rank[order[i]] = i;
}

static int list_settings(struct needs *s, struct setting_vec *out)
{
	const struct change_vec *all = &s->ap->in->said.changes.changes;
	const struct taken_vec *taken = &s->ap->in->edits.taken;
	const struct instance_addr *addrs;
	struct arena *a = s->ap->arena;

	if (taken_addresses(a, taken, &addrs, s->ap->ds))
		return -1;
	rank_nodes(s);
	for (size_t i = 0; i < all->len; i++)
		if (makes_object(all->items[i]))
			vec_push(a, out,
				 ((struct setting){
					 rank_of(s, &all->items[i]->addr),
					 &all->items[i]->addr, all->items[i],
					 false }));
	for (size_t i = 0; i < taken->len; i++)
		if (str_find(taken->items[i].address, STR(" deposed ")) < 0)
			vec_push(a, out,
				 ((struct setting){
					 rank_of(s, &addrs[i]), &addrs[i], NULL,
					 str_is(taken->items[i].action,
						"create") }));
	qsort(out->items, out->len, sizeof(*out->items), by_rank);
	return 0;
}

/* The value of an instance whose change was taken out: the present one, or
 * unknown if the change would have made it. */
static const struct value *without_change(struct needs *s,
					  const struct setting *x,
					  struct run_instance *in)
{
	const struct value *v =
		x->made ? &value_unknown_dynamic : run_instance_value(in);

	return value_with_marks(s->ap->arena, v, &marks_ephemeral);
}

/* The value of an instance whose change was not applied, as references see it.
 */
static const struct value *with_change(struct needs *s, const struct change *c,
				       struct run_instance *in)
{
	const struct resource_schema *schema = in->resource->schema;

	return schema ? schema_mark_sensitive(s->ap->arena, c->after,
					      schema->block)
		      : c->after;
}

static void set_values(struct needs *s, const struct setting_vec *all)
{
	for (size_t i = 0; i < all->len; i++) {
		const struct setting *x = &all->items[i];
		struct run_instance *in = find_instance(s, x->addr);

		if (in)
			run_instance_set(in,
					 x->change
						 ? with_change(s, x->change, in)
						 : without_change(s, x, in));
	}
}

static void refuse(struct needs *s, const struct change *c, struct str why)
{
	struct str text = instance_addr_text(&s->scratch, &c->addr);

	diag_error(s->ap->ds, NULL, "Edited plan does not fit",
		   "%.*s. Take out the two records of %.*s as well, or make a "
		   "new plan, with -target or -exclude if some changes are to "
		   "wait.",
		   STR_ARG(why), STR_ARG(text));
}

static void is_gone(struct needs *s, const struct change *c)
{
	struct str text = instance_addr_text(&s->scratch, &c->addr);

	refuse(s, c,
	       str_printf(&s->scratch,
			  "Changes were taken out of the plan, and "
			  "without them the configuration has no "
			  "instance %.*s",
			  STR_ARG(text)));
}

static void needs_object(struct needs *s, const struct change *c, struct path p)
{
	struct str text = instance_addr_text(&s->scratch, &c->addr);

	refuse(s, c,
	       str_printf(&s->scratch,
			  "%.*s (%.*s) needs an object, the creation of "
			  "which was taken out of the plan",
			  STR_ARG(text), STR_ARG(path_text(&s->scratch, p))));
}

static void is_other(struct needs *s, const struct change *c, struct path p)
{
	struct str text = instance_addr_text(&s->scratch, &c->addr);

	refuse(s, c,
	       str_printf(&s->scratch,
			  "Changes were taken out of the plan, and "
			  "without them %.*s would not be what was "
			  "planned: %.*s",
			  STR_ARG(text), STR_ARG(path_text(&s->scratch, p))));
}

static bool same_at(struct needs *s, const struct value *v,
		    const struct value *now, struct path p)
{
	const struct value *then = v ? path_get(&s->scratch, v, p) : NULL;

	return then &&
	       (!value_wholly_known(then) || value_equal_unmarked(now, then));
}

/* A provider may plan the previous value in place of a configured one that
 * means the same: then nothing can be concluded. */
static bool check_path(struct needs *s, const struct change *c,
		       const struct value *config, struct path p)
{
	const struct value *now = path_get(&s->scratch, config, p);

	if (!now)
		return true;
	if (!value_wholly_known(now)) {
		needs_object(s, c, p);
		return false;
	}
	if (same_at(s, c->after, now, p) ||
	    (c->before && !value_is_null(c->before) &&
	     same_at(s, c->before, path_get(&s->scratch, c->after, p), p)))
		return true;
	is_other(s, c, p);
	return false;
}

static void check_values(struct needs *s, const struct change *c)
{
	struct run_instance *in = find_instance(s, &c->addr);
	const struct run_resource *rr = in ? in->resource : NULL;
	struct path_vec paths = { 0 };
	const struct value *config;
	struct repetition rep;
	struct run_scope scope;
	ptrdiff_t i;

	i = rr ? expansion_index(&rr->exp, in->key) : -1;
	if (i < 0)
		is_gone(s, c);
	if (i < 0 || !rr->schema)
		return;
	rep = expansion_repetition(&s->scratch, &rr->exp, (size_t)i);
	run_scope_init(&scope, rr->module, &rep);
	config = body_decode(&s->scratch, rr->config->body, rr->schema->block,
			     &scope.scope, &s->quiet);
	body_ephemeral_paths(&s->scratch, rr->schema->block, config, &paths);
	for (size_t k = 0; k < paths.len; k++)
		if (!check_path(s, c, config, paths.items[k]))
			break;
	arena_reset(&s->scratch);
}

int apply_check_values(struct apply *ap)
{
	const struct change_vec *all = &ap->in->said.changes.changes;
	struct needs s = { .ap = ap, .scratch = ARENA_INIT };
	size_t errors = ap->ds->errors;
	struct run_mark mark = run_mark(ap->run, ap->ds);
	struct setting_vec settings = { 0 };

	if (!ap->in->edits.taken.len)
		return 0;
	if (list_settings(&s, &settings))
		return -1;
	s.quiet = (struct diags)DIAGS_INIT(ap->arena);
	do { /* again when functions of providers have answered */
		set_values(&s, &settings);
		for (size_t i = 0; i < all->len; i++)
			if (makes_object(all->items[i]))
				check_values(&s, all->items[i]);
	} while (run_settle(&mark));
	run_forget_values(ap->run);
	arena_release(&s.scratch);
	return ap->ds->errors > errors ? -1 : 0;
}

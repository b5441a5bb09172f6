/*
 * needs_values.c - changes that would not be what was planned without those
 * that were taken out of the plan
 *
 * Evaluates the planned configurations once before anything is done: each
 * object has its planned value, or its present value, marked as ephemeral, if
 * its change was taken out.  A configuration that gets the mark derives from
 * such an object; it may still be as planned.
 */
#include <stdlib.h>

#include "engine/apply/apply_int.h"
#include "config/module.h"
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "lang/spec/decode.h"
#include "schema/objects.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/path.h"

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

static void check(struct needs *s, const struct change *c)
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
			     &scope.scope, NULL, &s->quiet);
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
				check(&s, all->items[i]);
	} while (run_settle(&mark));
	run_forget_values(ap->run);
	arena_release(&s.scratch);
	return ap->ds->errors > errors ? -1 : 0;
}

/*
 * pattern.c - may there be an instance with the keys that a pattern has?
 *
 * A pattern names resources that have nothing to do with each other: "*.*[2]"
 * means those that have a third instance, and takes along nothing for the sake
 * of the others.  The configuration answers what needs no references evaluated;
 * instances it no longer has may be in the state.
 */
#include "graph/graph_int.h"
#include "lang/eval/eval.h"
#include "value/number.h"

static bool may_count(struct inst_key key, const struct value *count)
{
	int64_t n;

	if (key.kind != KEY_INT)
		return false;
	return !count || !value_get_int(count, &n) || key.i < n;
}

static bool may_be_among(struct inst_key key, const struct value *all)
{
	if (key.kind != KEY_STRING)
		return false;
	if (!all || all->type->kind == TYPE_SET)
		return true;
	return value_get(all, key.s) != NULL;
}

/* Of what has these repetitions, may there be an instance with the key? */
static bool may_have(struct inst_key key, struct expression count,
		     struct expression for_each)
{
	struct arena scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&scratch);
	const struct expression e = count.root ? count : for_each;
	const struct value *v;
	bool may;

	if (key.kind == KEY_NONE)
		return true;
	if (!e.root)
		return false;
	v = eval_expression(&scratch, NULL, e, &quiet);
	if (diags_failed(&quiet) || !value_usable(v))
		v = NULL;
	may = count.root ? may_count(key, v) : may_be_among(key, v);
	arena_release(&scratch);
	return may;
}

static bool configured(const struct target *t, const struct cfg_module *m,
		       const struct cfg_resource *r)
{
	const struct module_addr *at = &t->addr.module;
	size_t depth = 0;

	for (const struct cfg_module *c = m; c->parent; c = c->parent)
		depth++;
	for (; m->parent; m = m->parent, depth--)
		if (depth <= at->len &&
		    !may_have(at->steps[depth - 1].key, m->call->count,
			      m->call->for_each))
			return false;
	return t->kind != TARGET_INSTANCE ||
	       may_have(t->addr.key, r->count, r->for_each);
}

static void record(const struct plan_graph *pg, struct state_resource *r)
{
	struct arena *a = pg->g->arena;
	struct str address = state_config_address(a, r);
	struct map_entry *e = map_slot(a, pg->recorded, address);

	if (!e->value) {
		e->key = address;
		e->value = ARENA_NEW(a, struct state_resource_vec);
	}
	vec_push(a, (struct state_resource_vec *)e->value, r);
}

static bool in_state(const struct plan_graph *pg, const struct target *t,
		     struct str address)
{
	const struct state_resource_vec *all;

	if (pg->state && !pg->recorded->len)
		for (size_t i = 0; i < pg->state->resources.len; i++)
			record(pg, pg->state->resources.items[i]);
	all = map_get(pg->recorded, address);
	for (size_t i = 0; all && i < all->len; i++)
		if (target_has_some(t, all->items[i]))
			return true;
	return false;
}

bool pattern_may_name(const struct plan_graph *pg, const struct graph_node *n,
		      const struct target *t)
{
	return configured(t, n->module, n->object) ||
	       in_state(pg, t, n->address);
}

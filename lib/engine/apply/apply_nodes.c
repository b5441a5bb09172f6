/* apply_nodes.c - what is done at each node of the apply graph */
#include "engine/apply/apply_int.h"
#include "engine/object/resource_object.h"
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "engine/run/conditions.h"
#include "engine/run/providers.h"
#include "graph/graph.h"
#include "value/marks.h"

/* --- providers --- */

struct configuring {
	struct apply *ap;
	uint32_t node;
	size_t left;
	bool failed;
};

static void configured(struct configuring *c, bool failed)
{
	c->failed |= failed;
	if (--c->left == 0)
		graph_walk_done(c->ap->walk, c->node, c->failed);
}

static void one_configured(void *data, struct run_provider *p)
{
	configured(data, p->state != PROVIDER_READY);
}

static void start_provider(struct apply *ap, uint32_t node)
{
	const struct apply_node *an = apply_node(ap->graph, node);
	struct configuring *c;
	struct run_provider_vec all = { NULL, 0, 0 };
	bool failed = false;

	if (!an->needed) {
		graph_walk_done(ap->walk, node, false);
		return;
	}
	c = ARENA_NEW(ap->arena, struct configuring);
	*c = (struct configuring){ .ap = ap, .node = node, .left = 1 };
	run_provider_instances(ap->run, &an->provider->addr,
			       an->provider->config, &all, &failed, ap->ds);
	if (cfg_provider_repeated(an->provider->config))
		all.len = 0; /* each starts when it is needed */
	for (size_t i = 0; i < all.len; i++) {
		c->left++;
		run_provider_get(ap->run, all.items[i], one_configured, c);
	}
	configured(c, failed);
}

/* --- outputs --- */

/* Keeps a value that was known when planning: it may come from a function that
 * gives another one each time. */
static const struct value *output_value(struct apply *ap,
					const struct cfg_output *o,
					bool *failed)
{
	const struct value *v = map_get(&ap->in->said.planned_outputs, o->name);
	size_t errors = ap->ds->errors;

	if (v && value_wholly_known(v))
		return v;
	v = run_output(ap->run->root, o, failed, ap->ds);
	if (ap->ds->errors > errors)
		*failed = true;
	if (!*failed && run_output_refused(ap->run->root, o, v, ap->ds))
		*failed = true;
	return v;
}

void apply_keep_output(struct apply *ap, const struct cfg_output *o,
		       const struct value *v)
{
	struct arena *a = ap->state->arena;
	struct path_vec unknown = { 0 };

	v = value_unmark_deep(a, v, NULL);
	if (value_is_null(v)) {
		apply_output(ap, o->name, NULL, STR_NONE);
		return;
	}
	/* Of what -target left out, or a run that only refreshes. */
	v = value_copy(a, value_without_unknown(a, v, &unknown));
	if (o->sensitive)
		v = value_with_marks(a, v, &marks_sensitive);
	apply_output(ap, o->name, v, o->deprecated);
}

static const struct value *evaluate_output(struct apply *ap,
					   const struct run_module_vec *in,
					   const struct cfg_output *o,
					   bool *failed)
{
	bool wrong = false;

	for (size_t i = 0; i < in->len; i++)
		if (module_output_conditions(in->items[i], o, false, &wrong,
					     ap->ds))
			wrong = true;
	*failed |= wrong;
	for (size_t i = 0; !*failed && i < in->len; i++)
		if (in->items[i]->parent)
			run_output(in->items[i], o, failed, ap->ds);
		else
			return output_value(ap, o, failed);
	return NULL;
}

/* --- what is only evaluated --- */

struct evaluated {
	struct apply *ap;
	uint32_t node;
};

/* Evaluates a node in each instance of its module.  Returns the value of a root
 * output, else NULL. */
static const struct value *evaluate_in(struct apply *ap,
				       const struct graph_node *n,
				       const struct run_module_vec *in,
				       bool *failed)
{
	const struct apply_node *an = n->data;

	if (an->kind == APPLY_OUTPUT)
		return evaluate_output(ap, in, n->object, failed);
	for (size_t i = 0; i < in->len; i++)
		if (an->kind == APPLY_CHECK)
			module_check_asserts(in->items[i], n->object, ap->ds);
		else if (an->kind == APPLY_VARIABLE) /* unknown to the plan */
			*failed |= variable_validate(in->items[i], n->object,
						     NULL, ap->ds) != 0;
		else if (n->kind == NODE_LOCAL)
			run_local(in->items[i], n->object, failed, ap->ds);
		else
			run_output(in->items[i], n->object, failed, ap->ds);
	return NULL;
}

static void evaluate(void *data)
{
	struct evaluated *x = data;
	struct apply *ap = x->ap;
	const struct graph_node *n = &ap->graph->g->nodes.items[x->node];
	const struct run_mark mark = run_mark(ap->run, ap->ds);
	struct run_module_vec modules = { NULL, 0, 0 };
	const struct value *v;
	bool failed = false;

	run_modules(ap->run, n->module, &modules, &failed, ap->ds);
	v = evaluate_in(ap, n, &modules, &failed);
	if (run_must_wait(&mark, evaluate, x))
		return;
	if (v && !failed)
		apply_keep_output(ap, n->object, v);
	graph_walk_done(ap->walk, x->node, failed);
}

static void start_evaluated(struct apply *ap, uint32_t node)
{
	struct evaluated *x = ARENA_NEW(ap->arena, struct evaluated);

	*x = (struct evaluated){ ap, node };
	evaluate(x);
}

static void start_output(struct apply *ap, uint32_t node)
{
	const struct cfg_output *o = ap->graph->g->nodes.items[node].object;

	if (ap->in->said.plan.what.mode != RUN_DESTROY) {
		start_evaluated(ap, node);
		return;
	}
	apply_output(ap, o->name, NULL, STR_NONE);
	graph_walk_done(ap->walk, node, false);
}

/* --- all --- */

void apply_start_node(void *data, struct graph_walk *w, uint32_t node)
{
	struct apply *ap = data;
	struct apply_node *an = apply_node(ap->graph, node);

	an->begun = true;
	switch (an->kind) {
	case APPLY_NOTHING:
		graph_walk_done(w, node, false);
		break;
	case APPLY_CHANGE:
		op_begin(ap, node,
			 an->change->addr.resource.mode == MODE_DATA
				 ? apply_data
				 : apply_managed);
		break;
	case APPLY_DESTROY:
		op_begin(ap, node, apply_destroy);
		break;
	case APPLY_DESTROY_DEPOSED:
		op_begin(ap, node, apply_destroy_deposed);
		break;
	case APPLY_FORGET:
		apply_forget(ap, node);
		break;
	case APPLY_PROVIDER:
		start_provider(ap, node);
		break;
	case APPLY_EPHEMERAL:
		apply_ephemerals(ap, node);
		break;
	case APPLY_OUTPUT:
		start_output(ap, node);
		break;
	case APPLY_CHECK:
	case APPLY_VARIABLE:
	case APPLY_VALUE:
		start_evaluated(ap, node);
		break;
	}
}

/* --- removed blocks --- */

/* nodes.c - what is done at each node of the apply graph */
#include "engine/apply/apply_int.h"
#include "engine/object/objchange.h"
#include "engine/run/variables.h"

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
		all.len = 0; /* each starts when somebody needs it */
	for (size_t i = 0; i < all.len; i++) {
		c->left++;
		run_provider_get(ap->run, all.items[i], one_configured, c);
	}
	configured(c, failed);
}

/* --- outputs --- */

static int output_conditions(struct apply *ap, struct run_module *m,
			     const struct cfg_output *o)
{
	struct condition_use u = { .kind = COND_OUTPUT };
	struct check_group *g;
	struct run_scope s;

	if (!o->preconditions.len)
		return 0;
	u.address = run_address(ap->arena, m, "output.", o->name);
	g = checks_group(&ap->run->checks, m->config, CHECK_OUTPUT, o->name,
			 NULL);
	if (g)
		u.object = checks_object(&ap->run->checks, g, m->addr,
					 KEY_ABSENT, u.address);
	run_scope_init(&s, m, NULL);
	if (run_conditions(ap->run, &s, &u, &o->preconditions, ap->ds))
		return -1;
	return s.failed ? -1 : 0;
}

/* A value that was known when planning stands: it may come from a function
 * that gives another one each time. */
static const struct value *output_value(struct apply *ap,
					const struct cfg_output *o,
					bool *failed)
{
	const struct value *v = map_get(&ap->in->outputs, o->name);
	size_t errors = ap->ds->errors;

	if (v && value_wholly_known(v))
		return v;
	v = run_output(ap->run->root, o, failed, ap->ds);
	if (ap->ds->errors > errors)
		*failed = true;
	if (!*failed && output_refused(ap->run->root, o, v, ap->ds))
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

struct evaluated { /* a node that is only evaluated */
	struct apply *ap;
	uint32_t node;
};

static void evaluate_output(void *data)
{
	struct evaluated *x = data;
	struct apply *ap = x->ap;
	const struct graph_node *n = &ap->graph->g->nodes.items[x->node];
	const struct cfg_output *o = apply_node(ap->graph, x->node)->output;
	const struct run_mark mark = run_mark(ap->run, ap->ds);
	struct run_module_vec modules = { NULL, 0, 0 };
	bool root = !n->module->parent, failed = false;
	const struct value *v = NULL;

	run_modules(ap->run, n->module, &modules, &failed, ap->ds);
	for (size_t i = 0; i < modules.len; i++)
		failed |= output_conditions(ap, modules.items[i], o) != 0;
	for (size_t i = 0; !failed && !root && i < modules.len; i++)
		run_output(modules.items[i], o, &failed, ap->ds);
	if (!failed && root)
		v = output_value(ap, o, &failed);
	if (run_must_wait(&mark, evaluate_output, x))
		return;
	if (!failed && root)
		apply_keep_output(ap, o, v);
	graph_walk_done(ap->walk, x->node, failed);
}

static void start_evaluated(struct apply *ap, uint32_t node, loop_fn *fn)
{
	struct evaluated *x = ARENA_NEW(ap->arena, struct evaluated);

	*x = (struct evaluated){ ap, node };
	fn(x);
}

static void start_output(struct apply *ap, uint32_t node)
{
	const struct cfg_output *o = apply_node(ap->graph, node)->output;

	if (ap->in->selectors.mode != RUN_DESTROY) {
		start_evaluated(ap, node, evaluate_output);
		return;
	}
	apply_output(ap, o->name, NULL, STR_NONE);
	graph_walk_done(ap->walk, node, false);
}

/* --- check blocks --- */

static void one_check(struct apply *ap, struct run_module *m,
		      const struct cfg_check *c)
{
	struct condition_use u = { .kind = COND_ASSERT, .warn = true };
	struct check_group *g;
	struct run_scope s;

	u.address = run_address(ap->arena, m, "check.", c->name);
	g = checks_group(&ap->run->checks, m->config, CHECK_BLOCK, c->name,
			 NULL);
	if (g)
		u.object = checks_object(&ap->run->checks, g, m->addr,
					 KEY_ABSENT, u.address);
	/* Its data source could not be read. */
	if (u.object && (u.object->failed || u.object->errors))
		return;
	run_scope_init(&s, m, NULL);
	run_conditions(ap->run, &s, &u, &c->asserts, ap->ds);
}

static void evaluate_check(void *data)
{
	struct evaluated *x = data;
	struct apply *ap = x->ap;
	const struct cfg_check *c = apply_node(ap->graph, x->node)->check;
	const struct run_mark mark = run_mark(ap->run, ap->ds);
	struct run_module_vec modules = { NULL, 0, 0 };
	bool failed = false;

	run_modules(ap->run, c->module, &modules, &failed, ap->ds);
	for (size_t i = 0; i < modules.len; i++)
		one_check(ap, modules.items[i], c);
	if (!run_must_wait(&mark, evaluate_check, x))
		graph_walk_done(ap->walk, x->node, failed);
}

/* --- variables: what was unknown when planning may be wrong --- */

static void evaluate_variable(void *data)
{
	struct evaluated *x = data;
	struct apply *ap = x->ap;
	const struct graph_node *n = &ap->graph->g->nodes.items[x->node];
	const struct cfg_variable *v = apply_node(ap->graph, x->node)->variable;
	const struct run_mark mark = run_mark(ap->run, ap->ds);
	struct run_module_vec modules = { NULL, 0, 0 };
	bool failed = false;

	run_modules(ap->run, n->module, &modules, &failed, ap->ds);
	for (size_t i = 0; i < modules.len; i++)
		failed |= variable_validate(modules.items[i], v, NULL,
					    ap->ds) != 0;
	if (!run_must_wait(&mark, evaluate_variable, x))
		graph_walk_done(ap->walk, x->node, failed);
}

/* --- values of which there may be something to say --- */

static void evaluate_value(void *data)
{
	struct evaluated *x = data;
	struct apply *ap = x->ap;
	const struct graph_node *n = &ap->graph->g->nodes.items[x->node];
	const struct run_mark mark = run_mark(ap->run, ap->ds);
	struct run_module_vec modules = { NULL, 0, 0 };
	bool failed = false;

	run_modules(ap->run, n->module, &modules, &failed, ap->ds);
	for (size_t i = 0; i < modules.len; i++)
		if (n->kind == NODE_LOCAL)
			run_local(modules.items[i], n->object, &failed,
				  ap->ds);
		else
			run_output(modules.items[i], n->object, &failed,
				   ap->ds);
	if (!run_must_wait(&mark, evaluate_value, x))
		graph_walk_done(ap->walk, x->node, failed);
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
		op_begin(ap, node, an->change->addr.resource.mode == MODE_DATA
					   ? apply_data : apply_managed);
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
		start_evaluated(ap, node, evaluate_check);
		break;
	case APPLY_VARIABLE:
		start_evaluated(ap, node, evaluate_variable);
		break;
	case APPLY_VALUE:
		start_evaluated(ap, node, evaluate_value);
		break;
	}
}

/* --- removed blocks --- */

bool removed_names(struct arena *a, const struct cfg_module *m,
		   const struct cfg_removed *r,
		   const struct instance_addr *addr)
{
	struct diags ignored = DIAGS_INIT(a);
	struct buf full = BUF_INIT, path = BUF_INIT;
	struct target t;
	bool same;

	if (target_from_traversal(a, &r->from, &t, &ignored) ||
	    t.kind == TARGET_MODULE ||
	    !resource_addr_equal(t.addr.resource, addr->resource))
		return false;
	buf_str(&full, m->path);
	if (m->path.n && t.addr.module.len)
		buf_putc(&full, '.');
	module_path_print(&full, t.addr.module);
	module_path_print(&path, addr->module);
	same = str_eq(buf_view(&full), buf_view(&path));
	buf_release(&full);
	buf_release(&path);
	return same;
}

/* plan_refs.c - which references, and calls of providers' functions, a node's
 * configuration holds, and what nodes they mean */
#include "config/module.h"
#include "graph/plan_graph.h"
#include "graph/graph_int.h"
#include "lang/eval/eval.h"
#include "lang/spec/decode.h"
#include "lang/syntax/walk.h"

struct collect {
	struct arena *a;
	const struct plan_graph_module *m;
	plan_ref_fn *fn;
	plan_call_fn *call; /* may be NULL */
	void *data;
};

static void give(struct collect *c, const struct traversal_vec *v)
{
	for (size_t i = 0; i < v->len; i++)
		c->fn(c->data, c->m, &v->items[i]);
}

static void give_calls(struct collect *c, const struct call_vec *v)
{
	struct func_of_provider f;

	for (size_t i = 0; c->call && i < v->len; i++)
		if (func_of_provider(v->items[i].name, &f))
			c->call(c->data, c->m, &f, &v->items[i]);
}

static void of_expression(struct collect *c, struct expression e)
{
	struct traversal_vec v = { 0 };
	struct call_vec calls = { 0 };

	if (!e.root)
		return;
	expression_uses(c->a, e, &v, &calls);
	give(c, &v);
	give_calls(c, &calls);
}

static void of_body(struct collect *c, const struct body *b)
{
	struct traversal_vec v = { 0 };
	struct call_vec calls = { 0 };

	if (!b)
		return;
	body_uses_unshaped(c->a, b, &v, &calls);
	give(c, &v);
	give_calls(c, &calls);
}

/* Of what the schema knows, where schemas are at hand. */
static void of_resource_body(struct collect *c, const struct plan_shapes *s,
			     const struct cfg_resource *r)
{
	const struct schema_block *schema;
	struct traversal_vec v = { 0 };
	struct call_vec calls = { 0 };

	if (!s) {
		of_body(c, r->body);
		return;
	}
	schema = s->schema(s->data, r);
	if (!schema || !r->body)
		return;
	body_uses(c->a, r->body, schema, &v, &calls);
	give(c, &v);
	give_calls(c, &calls);
}

static void of_conditions(struct collect *c, const struct cfg_condition_vec *v)
{
	for (size_t i = 0; i < v->len; i++) {
		of_expression(c, v->items[i].condition);
		of_expression(c, v->items[i].error_message);
	}
}

static void of_provisioners(struct collect *c, const struct cfg_resource *r)
{
	of_body(c, r->connection);
	for (size_t i = 0; i < r->provisioners.len; i++) {
		const struct cfg_provisioner *p = &r->provisioners.items[i];

		if (p->when_destroy)
			continue;
		of_body(c, p->connection);
		of_body(c, p->body);
	}
}

/* Import blocks are in the root module, whatever they import into. */
static void of_imports(struct collect *c, const struct plan_graph *pg,
		       const struct cfg_resource *r)
{
	const struct import_vec *all = imports_of(&pg->imports, r);

	for (size_t i = 0; all && i < all->len; i++) {
		const struct cfg_import *im = all->items[i];
		struct collect rc = *c;
		struct expr_vec keys = { 0 };
		struct instance_addr to;

		if (import_static_address(c->a, im, &to, &keys))
			continue;
		rc.m = &pg->modules[0];
		for (size_t k = 0; k < keys.len; k++)
			of_expression(&rc, (struct expression){
						   im->to.src, keys.items[k] });
		of_expression(&rc, im->for_each);
		of_expression(&rc, im->id);
		of_expression(&rc, im->identity);
	}
}

static void of_resource(struct collect *c, const struct plan_graph *pg,
			const struct cfg_resource *r)
{
	const struct cfg_lifecycle *l = r->lifecycle;

	give(c, &r->depends_on);
	of_expression(c, r->count);
	of_expression(c, r->for_each);
	of_expression(c, l->enabled);
	of_expression(c, r->provider_ref->key);
	for (size_t i = 0; i < l->replace_triggered_by.len; i++)
		of_expression(c, l->replace_triggered_by.items[i]);
	of_resource_body(c, pg->shapes, r);
	of_expression(c, l->prevent_destroy);
	of_provisioners(c, r);
	of_conditions(c, &l->preconditions);
	of_conditions(c, &l->postconditions);
	if (pg->imports.len)
		of_imports(c, pg, r);
}

static void of_module(struct collect *c, const struct cfg_call *call)
{
	give(c, &call->depends_on);
	of_expression(c, call->count);
	of_expression(c, call->for_each);
	of_expression(c, call->enabled);
	for (size_t i = 0; i < call->providers.len; i++)
		of_expression(c, call->providers.items[i].parent.key);
}

/* A module's variable: the argument in the call is the parent's. */
static void of_variable(struct collect *c, const struct cfg_variable *v)
{
	const struct attribute *arg = map_get(&c->m->args, v->name);
	struct collect parent = *c;

	of_conditions(c, &v->validations);
	if (!arg)
		return;
	parent.m = c->m->parent;
	of_expression(&parent, arg->expr);
}

static void of_check(struct collect *c, const struct cfg_check *k)
{
	of_conditions(c, &k->asserts);
	if (k->data) {
		struct traversal_vec v = { 0 };
		struct step *steps = ARENA_ARRAY(c->a, struct step, 2);
		struct traversal_ref t = { .src = NULL };

		steps[0] = (struct step){ .kind = STEP_ATTR,
					  .name = k->data->addr.type };
		steps[1] = (struct step){ .kind = STEP_ATTR,
					  .name = k->data->addr.name };
		t.traversal.root = STR("data");
		t.traversal.steps = steps;
		t.traversal.nsteps = 2;
		vec_push(c->a, &v, t);
		give(c, &v);
	}
}

/* Destroying uses the configuration only to see whether it may. */
static void of_destroy(struct collect *c, const struct state_resource *r)
{
	const struct cfg_resource *cfg =
		config_resource(c->m->config, &r->addr);

	if (cfg)
		of_expression(c, cfg->lifecycle->prevent_destroy);
}

static void of_provider(struct collect *c, const struct cfg_provider *p)
{
	of_expression(c, p->for_each);
	of_expression(c, p->count);
	of_body(c, p->body);
}

void plan_node_references(struct arena *a, const struct plan_graph *pg,
			  uint32_t node, plan_ref_fn *fn, plan_call_fn *call,
			  void *data)
{
	const struct graph_node *n = &pg->g->nodes.items[node];
	struct collect c = { a, NULL, fn, call, data };

	if (!n->module)
		return;
	c.m = plan_module(pg, n->module);
	switch (n->kind) {
	case NODE_RESOURCE:
	case NODE_DATA:
	case NODE_EPHEMERAL:
		of_resource(&c, pg, n->object);
		break;
	case NODE_LOCAL:
		of_expression(&c, ((struct cfg_local *)n->object)->value);
		break;
	case NODE_OUTPUT: {
		const struct cfg_output *o = n->object;

		if (pg->kind == PLAN_GRAPH_DESTROY && !n->module->parent)
			break;
		of_expression(&c, o->value);
		give(&c, &o->depends_on);
		of_conditions(&c, &o->preconditions);
		break;
	}
	case NODE_VARIABLE:
		of_variable(&c, n->object);
		break;
	case NODE_MODULE:
		c.m = c.m->parent;
		of_module(&c, n->object);
		break;
	case NODE_PROVIDER: {
		const struct plan_provider *p = n->object;

		if (p->config)
			of_provider(&c, p->config);
		break;
	}
	case NODE_CHECK:
		of_check(&c, n->object);
		break;
	case NODE_DESTROY:
		of_destroy(&c, n->object);
		break;
	default:
		break;
	}
}

static bool resolve_resource(const struct plan_graph_module *m,
			     const struct resource_addr *r,
			     struct plan_ref_target *out)
{
	const struct cfg_module *c = m->config;
	const struct map *maps[] = { &c->managed, &c->data, &c->ephemeral };
	const uint32_t bases[] = { m->managed, m->data, m->ephemeral };
	struct buf key = BUF_INIT;
	ptrdiff_t i;

	buf_addf(&key, "%.*s.%.*s", STR_ARG(r->type), STR_ARG(r->name));
	i = map_index(maps[r->mode], buf_view(&key));
	buf_release(&key);
	out->first = bases[r->mode] + (uint32_t)i;
	return i >= 0;
}

static bool resolve_module(const struct plan_graph_module *m,
			   const struct reference *r,
			   struct plan_ref_target *out)
{
	ptrdiff_t i = map_index(&m->config->calls, r->name), o;
	const struct plan_graph_module *child;
	const struct cfg_call *call;

	if (i < 0 || !m->children[i])
		return false;
	call = m->config->calls.entries[i].value;
	child = m->children[i];
	o = map_index(&child->config->outputs, r->output);
	if (o >= 0) {
		out->first = child->outputs + (uint32_t)o;
		return true;
	}
	/* A name that is not an output refers to nothing, but module.m.KEY may
	 * be one of the instances, unless that is named before it. */
	if (r->output.n && (!call->for_each.root || r->key.kind != KEY_NONE))
		return false;
	out->first = child->outputs;
	out->count = (uint32_t)child->config->outputs.len;
	out->close = child->close;
	return true;
}

bool plan_ref_resolve(const struct plan_graph *pg,
		      const struct plan_graph_module *m,
		      const struct reference *r, struct plan_ref_target *out)
{
	ptrdiff_t i;

	(void)pg;
	*out = (struct plan_ref_target){ .count = 1, .close = GRAPH_NONE };
	switch (r->kind) {
	case REF_VARIABLE:
		i = map_index(&m->config->variables, r->name);
		out->first = m->variables + (uint32_t)i;
		return i >= 0;
	case REF_LOCAL:
		i = map_index(&m->config->locals, r->name);
		out->first = m->locals + (uint32_t)i;
		return i >= 0;
	case REF_RESOURCE:
		return resolve_resource(m, &r->resource, out);
	case REF_MODULE:
		return resolve_module(m, r, out);
	case REF_OUTPUT:
		i = map_index(&m->config->outputs, r->name);
		out->first = m->outputs + (uint32_t)i;
		return i >= 0;
	default:
		return false;
	}
}

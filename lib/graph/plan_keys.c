/* plan_keys.c - which instances of resources a node's configuration names */
#include "graph/plan_graph.h"
#include "addr/reference.h"
#include "graph/graph_int.h"

struct resource_refs {
	struct arena *a;
	const struct plan_graph *pg;
	uint32_t node;
	bool own; /* those to the node itself, else the others */
	plan_resource_ref_fn *fn;
	void *data;
};

static void pass_on(void *data, const struct plan_graph_module *m,
		    const struct traversal_ref *t)
{
	struct resource_refs *c = data;
	struct diags ignored = DIAGS_INIT(c->a);
	struct plan_ref_target to;
	struct reference r;

	if (reference_parse(c->a, t, &r, &ignored) || r.kind != REF_RESOURCE ||
	    !plan_ref_resolve(c->pg, m, &r, &to) ||
	    (to.first == c->node) != c->own)
		return;
	c->fn(c->data, to.first, r.key, r.nrest ? NULL : t->picks,
	      t->src ? t : NULL);
}

void plan_graph_resource_refs(struct arena *a, const struct plan_graph *pg,
			      uint32_t node, plan_resource_ref_fn *fn,
			      void *data)
{
	struct resource_refs c = { a, pg, node, false, fn, data };

	plan_node_references(a, pg, node, pass_on, NULL, &c);
}

void plan_graph_own_refs(struct arena *a, const struct plan_graph *pg,
			 uint32_t node, plan_resource_ref_fn *fn, void *data)
{
	struct resource_refs c = { a, pg, node, true, fn, data };

	plan_node_references(a, pg, node, pass_on, NULL, &c);
}

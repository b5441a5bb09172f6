/* plan_graph_int.h - what the files of the plan graph share */
#ifndef TFPIPE_GRAPH_PLAN_GRAPH_INT_H
#define TFPIPE_GRAPH_PLAN_GRAPH_INT_H

#include "config/provider_for.h"
#include "graph/plan_graph.h"
#include "lang/eval/func.h"

/* The nodes of one module.  Those of one kind are numbered on from a base, in
 * the order of the module's map. */
struct plan_graph_module {
	struct cfg_module *config;
	struct plan_graph_module *parent;
	uint32_t expand, close; /* GRAPH_NONE: root */
	uint32_t variables, locals, outputs, checks;
	uint32_t managed, data, ephemeral;
	struct plan_graph_module **children; /* by index in config->calls */
	struct map args; /* of the call, see call_arguments */
};

/* Calls fn for each reference in the configuration of a node, with the module
 * it is to be read in, and call (may be NULL) with each function of a
 * provider. */
typedef void plan_ref_fn(void *data, const struct plan_graph_module *m,
			 const struct traversal_ref *t);
typedef void plan_call_fn(void *data, const struct plan_graph_module *m,
			  const struct func_of_provider *f,
			  const struct call_ref *at);

/* The nodes that a reference in m means, in out (room for nouts). A whole
 * module means its close node and all outputs. */
struct plan_ref_target {
	uint32_t first, count; /* consecutive nodes */
	uint32_t close;        /* GRAPH_NONE: not a whole module */
};

/* Adds a node, with its planning data. */
uint32_t plan_add(struct plan_graph *pg, enum node_kind kind,
		  struct str address, struct cfg_module *m, void *object);

struct plan_graph_module *plan_module(const struct plan_graph *pg,
				      const struct cfg_module *m);

/* Static module path and resource of a configuration resource or an orphan. */
struct resource_addr graph_node_resource(const struct graph_node *n);

#endif

/*
 * plan_deps.h - the resources behind a node: what the state records as
 * dependencies, and what delays reading a data source
 */
#ifndef TFPIPE_GRAPH_PLAN_DEPS_H
#define TFPIPE_GRAPH_PLAN_DEPS_H

#include "graph/plan_graph.h"

/* With targets: does a value depend on an instance that is left out, of a
 * resource other instances of which are not? complete says of a resource's node
 * whether none of its instances was. */
bool plan_graph_left_out(struct plan_graph *pg, uint32_t value,
			 bool (*complete)(void *data, uint32_t node),
			 void *data);
/* Addresses of resources without keys, sorted: what the state records. */
struct plan_deps {
	struct str *items; /* of the configuration */
	size_t n;
	struct str *now; /* with those that the state alone has, in modules it
	                    waits for: they count until the change is made */
	size_t nnow;
};

/* All resources that node depends on, directly or not. */
struct plan_deps plan_graph_dependencies(struct arena *a, struct plan_graph *pg,
					 uint32_t node);
/* The managed resources whose pending changes defer reading the data source:
 * those it names (depends_on, references), those behind what it names in
 * depends_on, and those behind depends_on of the modules around it: orphans,
 * too, but not what is deposed. */
void plan_graph_data_waits(struct arena *a, struct plan_graph *pg,
			   uint32_t node, struct node_vec *out);

#endif

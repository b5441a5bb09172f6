/*
 * plan_deps.h - the resources behind a node: what the state records as
 * dependencies, and what delays reading a data source
 */
#ifndef TFPIPE_GRAPH_PLAN_DEPS_H
#define TFPIPE_GRAPH_PLAN_DEPS_H

#include "graph/plan_graph.h"

/* With targets: does an output depend on an instance that is left out, of a
 * resource other instances of which are not? complete says of a resource's node
 * whether none of its instances was. */
bool plan_graph_left_out(struct plan_graph *pg, uint32_t output,
			 bool (*complete)(void *data, uint32_t node),
			 void *data);
/* The addresses of all resources that node depends on, directly or not,
 * sorted: what the state records. */
struct str *plan_graph_dependencies(struct arena *a, struct plan_graph *pg,
				    uint32_t node, size_t *n);
/* The managed resources whose pending changes defer reading the data source:
 * those it names (depends_on, references), those behind what it names in
 * depends_on, and those behind depends_on of the modules around it. */
void plan_graph_data_waits(struct arena *a, struct plan_graph *pg,
			   uint32_t node, struct node_vec *out);

#endif

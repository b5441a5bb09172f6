/*
 * plan_refs_int.h - which references, and calls of providers' functions, a
 * node's configuration holds, and what nodes they mean
 */
#ifndef TFPIPE_GRAPH_PLAN_REFS_INT_H
#define TFPIPE_GRAPH_PLAN_REFS_INT_H

#include "graph/plan_graph_int.h"

void plan_node_references(struct arena *a, const struct plan_graph *pg,
			  uint32_t node, plan_ref_fn *fn, plan_call_fn *call,
			  void *data);
bool plan_ref_resolve(const struct plan_graph *pg,
		      const struct plan_graph_module *m,
		      const struct reference *r, struct plan_ref_target *out);

#endif

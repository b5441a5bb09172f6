/* plan_keys.h - which instances of resources a node's configuration names */
#ifndef TFPIPE_GRAPH_PLAN_KEYS_H
#define TFPIPE_GRAPH_PLAN_KEYS_H

#include "graph/plan_graph.h"

/* Calls fn for each resource that the node's own configuration names, with the
 * literal instance key that follows (KEY_NONE: none, so all instances) or with
 * what picks one of them (NULL: nothing).  A resource may come several times; a
 * reference to the node itself is left out. */
typedef void plan_resource_ref_fn(void *data, uint32_t to, struct inst_key key,
				  const struct expr *picks,
				  const struct traversal_ref *why);
void plan_graph_resource_refs(struct arena *a, const struct plan_graph *pg,
			      uint32_t node, plan_resource_ref_fn *fn,
			      void *data);
/* Calls fn for each reference of a resource to itself. */
void plan_graph_own_refs(struct arena *a, const struct plan_graph *pg,
			 uint32_t node, plan_resource_ref_fn *fn, void *data);

#endif

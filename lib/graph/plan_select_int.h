/*
 * plan_select_int.h - which nodes -target and -exclude leave, and which
 * resources are created before they are destroyed
 */
#ifndef TFPIPE_GRAPH_PLAN_SELECT_INT_H
#define TFPIPE_GRAPH_PLAN_SELECT_INT_H

#include "graph/plan_graph.h"

/* Has the resource an instance that the target names? */
bool target_has_some(const struct target *t, const struct state_resource *r);
/* Does it name instances, of a resource or of a module? */
bool target_has_keys(const struct target *t);
/* Does the target name the resource of the node, or an instance of it? */
bool target_names_node(const struct plan_graph *pg, const struct graph_node *n,
		       const struct target *t);

#endif

/* select_targets.h - what -target names, and what that depends on */
#ifndef TFPIPE_GRAPH_SELECT_TARGETS_H
#define TFPIPE_GRAPH_SELECT_TARGETS_H

#include "graph/plan_graph.h"

/* Adds to *s what the targets say of this instance. */
void plan_graph_see(const struct plan_graph *pg, uint32_t node,
		    const struct instance_addr *i,
		    const struct target_set *only, struct plan_seen *s);
/* Is a value (a local, variable, output) needed in this instance of its module?
 */
bool plan_graph_meets(const struct plan_graph *pg, uint32_t node,
		      struct module_addr m);

#endif

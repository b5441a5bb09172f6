/* plan_link.h - dependencies added to a graph by an edit */
#ifndef TFPIPE_GRAPH_PLAN_LINK_H
#define TFPIPE_GRAPH_PLAN_LINK_H

#include "graph/plan_graph.h"

/* Adds edges; those of absent nodes, such as variables that a plan with targets
 * does not need, are left out.  -1: they make a cycle. */
int plan_graph_link(struct plan_graph *pg, const struct graph_link_vec *links,
		    struct diags *ds);

#endif

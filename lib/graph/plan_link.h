/* plan_link.h - dependencies that somebody added to a graph */
#ifndef TFPIPE_GRAPH_PLAN_LINK_H
#define TFPIPE_GRAPH_PLAN_LINK_H

#include "graph/plan_graph.h"

/* Adds edges; those of nodes that are not there, as of variables that a plan
 * with targets has no use for, are left out.  -1: that makes a circle. */
int plan_graph_link(struct plan_graph *pg, const struct graph_link_vec *links,
		    struct diags *ds);

#endif

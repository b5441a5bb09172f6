/* pattern_int.h - may there be an instance with the keys that a pattern has? */
#ifndef TFPIPE_GRAPH_PATTERN_INT_H
#define TFPIPE_GRAPH_PATTERN_INT_H

#include "graph/plan_graph.h"

/* The node being a resource whose names a pattern fits: may there be an
 * instance with the keys that it has? */
bool pattern_may_name(const struct plan_graph *pg, const struct graph_node *n,
		      const struct target *t);

#endif

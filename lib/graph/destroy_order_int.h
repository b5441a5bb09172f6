/* destroy_order_int.h - the order in which a destroy plan looks at what goes */
#ifndef TFPIPE_GRAPH_DESTROY_ORDER_INT_H
#define TFPIPE_GRAPH_DESTROY_ORDER_INT_H

#include "graph/plan_graph.h"

/* Edges between NODE_DESTROY nodes, in destroy_order.c. */
void plan_graph_order_destroy(struct plan_graph *pg);

#endif

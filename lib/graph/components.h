/*
 * components.h - the strongly connected components of a graph (Tarjan): which
 * nodes depend on each other; without recursion, for graphs are deep
 */
#ifndef TFPIPE_GRAPH_COMPONENTS_H
#define TFPIPE_GRAPH_COMPONENTS_H

#include "graph/graph.h"

/* Which nodes depend on each other: the number of each node's component, from 0
 * on, in a. */
uint32_t *graph_components(struct arena *a, const struct graph *g);

#endif

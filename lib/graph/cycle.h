/*
 * cycle.h - shortest paths in a graph: why one node depends on another, and the
 * shortest cycles
 */
#ifndef TFPIPE_GRAPH_CYCLE_H
#define TFPIPE_GRAPH_CYCLE_H

#include "graph/graph.h"

/* Adds an error "Cycle: a, b, c" whose detail names each reference's place, for
 * each set of nodes that depend on each other; returns -1 if there is one. */
int graph_check_cycles(struct arena *a, const struct graph *g,
		       struct diags *ds);
/* The shortest path by which from depends on to; -1 if there is none. */
int graph_why(struct arena *a, const struct graph *g, uint32_t from,
	      uint32_t to, struct graph_path *out);

#endif

/* draw.h - graphs as records, as dot and as Mermaid text; paths as text */
#ifndef TFPIPE_GRAPH_DRAW_H
#define TFPIPE_GRAPH_DRAW_H

#include "graph/graph.h"

/* The path for people, a line a node with the place of its reference to the
 * next; pair: "FROM,TO".  Returns 1 when from does not depend on to, and writes
 * that; -1 after a diagnostic. */
int graph_why_text(struct arena *a, const struct graph *g, struct str pair,
		   struct buf *b, struct diags *ds);
/* `node` and `edge` records. */
void graph_records(struct stream_out *o, const struct graph *g,
		   const char *phase);
void graph_dot(struct buf *b, const struct graph *g);
void graph_mermaid(struct buf *b, const struct graph *g);

/*
 * cycle.c: shortest paths in a graph: why one node depends on another, and the
 * shortest cycles
 */

/* Adds an error "Cycle: a, b, c" whose detail names each reference's place, for
 * each set of nodes that depend on each other; returns -1 if there is one. */
int graph_check_cycles(struct arena *a, const struct graph *g,
		       struct diags *ds);
/* The shortest path by which from depends on to; -1 if there is none. */
int graph_why(struct arena *a, const struct graph *g, uint32_t from,
	      uint32_t to, struct graph_path *out);

#endif

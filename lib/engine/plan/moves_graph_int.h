/* moves_graph_int.h - the order of move statements */
#ifndef TFPIPE_ENGINE_MOVES_GRAPH_INT_H
#define TFPIPE_ENGINE_MOVES_GRAPH_INT_H

#include "engine/plan/moves.h"
#include "graph/graph.h"

/* A node a statement, by their numbers; edges lead to those that are carried
 * out before. */
struct graph *moves_graph(struct arena *a, const struct moves *m);

#endif

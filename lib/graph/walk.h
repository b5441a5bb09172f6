/* walk.h - see graph.h: visiting nodes as their dependencies get done */
#ifndef TFPIPE_GRAPH_WALK_H
#define TFPIPE_GRAPH_WALK_H

#include "graph/graph.h"

struct graph_walk *graph_walk_new(struct arena *a, const struct graph *g,
				  const struct graph_walk_ops *ops, void *data);
/* Starts whatever is ready; not recursive: graph_walk_done from inside start is
 * fine. */
void graph_walk_begin(struct graph_walk *w);
void graph_walk_done(struct graph_walk *w, uint32_t node, bool failed);
/* Nothing more is started; finished is called when what runs is done. */
void graph_walk_stop(struct graph_walk *w);
bool graph_walk_failed(const struct graph_walk *w, uint32_t node);

#endif

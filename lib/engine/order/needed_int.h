/* needed_int.h - which nodes of the apply graph are there for something */
#ifndef TFPIPE_ENGINE_NEEDED_INT_H
#define TFPIPE_ENGINE_NEEDED_INT_H

#include "engine/order/apply_graph_int.h"

/* Marks what nodes that do something need; the rest does nothing, and nobody
 * waits for what is behind it. */
void agb_mark_needed(struct agb *b);

#endif

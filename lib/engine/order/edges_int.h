/* edges_int.h - the edges of destroying */
#ifndef TFPIPE_ENGINE_EDGES_INT_H
#define TFPIPE_ENGINE_EDGES_INT_H

#include "engine/order/apply_graph_int.h"

/* Enters a node into the families of the resource, where it is and was. */
void agb_enter(struct agb *b, uint32_t node, const struct change *c,
	       bool destroys, bool cbd);
/* Enters a node that creates or destroys, and what it depends on: what the
 * object in the state does, and the current one where that is another.  d says
 * what the node does. */
void agb_depends(struct agb *b, struct dependent d, const struct change *c,
		 const struct state_instance *si,
		 const struct state_instance *current);
void agb_destroy_edges(struct agb *b);
/* Nodes that evaluate a resource wait until its destroyed objects are gone. */
void agb_reference_destroyers(struct agb *b, struct str from, struct str to);

#endif

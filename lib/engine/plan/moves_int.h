/* moves_int.h - what the files of moves share */
#ifndef TFPIPE_ENGINE_PLAN_MOVES_INT_H
#define TFPIPE_ENGINE_PLAN_MOVES_INT_H

#include "engine/plan/moves.h"
#include "graph/graph.h"

/* Gives the new address of a module instance; false if the move does not
 * concern it. */
bool move_module(struct arena *a, const struct move *m, struct module_addr at,
		 struct module_addr *out);
/* Moves a resource instance (the key counts), or, with `whole`, a whole
 * resource. */
bool move_instance(struct arena *a, const struct move *m,
		   const struct instance_addr *at, bool whole,
		   struct instance_addr *out);
/* Does the endpoint name a module (with any keys where it has any)? */
bool move_endpoint_selects(const struct move_endpoint *e, struct module_addr m);
void move_endpoint_print(struct buf *b, const struct move_endpoint *e);

#endif

/* moves_int.h - what the files of moves share */
#ifndef TFPIPE_ENGINE_PLAN_MOVES_INT_H
#define TFPIPE_ENGINE_PLAN_MOVES_INT_H

#include "engine/plan/plan_int.h"
#include "graph/graph.h"

/* moves_apply.c: moving in the state */

/* A state with the moves made: s itself if there are none. */
struct state *moves_apply(struct arena *a, struct moves *m, struct state *s);
/* Resources and lists of instances are new, the instances themselves shared. */
struct state *moves_copy_state(struct arena *a, const struct state *s);

/* moves_check.c: are the move statements, and the removed blocks, valid? */

/* "Removed resource block still exists" */
int moves_check_removals(const struct moves *m, const struct config *c,
			 struct diags *ds);
/* "Moved resource instances excluded by targeting" */
int moves_check_targets(const struct moves *m, const struct target_set *only,
			struct diags *ds);

/* moves_graph.c: the order of move statements */

/* A node a statement, by their numbers; edges lead to those that are carried
 * out before. */
struct graph *moves_graph(struct arena *a, const struct moves *m);

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
void move_endpoint_print(struct buf *b, const struct move_endpoint *e);

/* moves_check.c: move statements, checked against what the walk met */

/* 0, or -1.  Errors of the move statements take the place of all that the walk
 * found, the diagnostics from before on: they are likely its cause. */
int moves_check(struct plan *p, struct diags_mark before);

#endif

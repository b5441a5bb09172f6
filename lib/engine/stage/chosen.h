/*
 * chosen.h - which instances of a provider the edges of a graph mean
 *
 * A node of the graph stands for all instances of a resource, in all instances
 * of its module.  Each of them chooses an instance of the provider by a key;
 * where all keys are known without states and providers, the edge to the
 * provider's configuration gets what they choose.
 */
#ifndef TFPIPE_ENGINE_STAGE_CHOSEN_H
#define TFPIPE_ENGINE_STAGE_CHOSEN_H

#include "engine/run/inputs.h"
#include "graph/plan_graph.h"

/* Has any provider configuration instances? */
bool chosen_any(const struct config *c);

/* in: the values of the root module's variables, as far as they are given. */
void chosen_note(struct arena *a, struct plan_graph *pg,
		 const struct inputs *in, struct str workspace);

#endif

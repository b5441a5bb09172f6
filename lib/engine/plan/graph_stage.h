/*
 * graph_stage.h - the graph of tf-graph, and the user's edits of it
 */
#ifndef TFPIPE_ENGINE_PLAN_GRAPH_STAGE_H
#define TFPIPE_ENGINE_PLAN_GRAPH_STAGE_H

#include "engine/stage/stage.h"
#include "graph/plan_graph.h"

/* Of what the selectors say, by which it is annotated.  NULL: a diagnostic. */
struct plan_graph *graph_stage_build(struct stage *s, struct diags *ds);

/* What of the state is needed for what the selectors say; NULL: all.  By the
 * configuration alone, before the state is read. */
struct state_part *graph_stage_part(struct stage *s);

/* tf-plan: applies the edits of the nodes and edges that were read.  A node
 * that was taken out is excluded, with all that needs it; an added edge is a
 * dependency.  All other edits are refused. */
int graph_stage_edits(struct stage *s, const struct stream_out *o,
		      struct diags *ds);

#endif

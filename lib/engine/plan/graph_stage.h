/*
 * graph_stage.h - the graph of tf-graph, and what somebody edited in it
 */
#ifndef TFPIPE_ENGINE_PLAN_GRAPH_STAGE_H
#define TFPIPE_ENGINE_PLAN_GRAPH_STAGE_H

#include "engine/stage/stage.h"
#include "graph/plan_graph.h"

/* Of what the selectors say, by which it is annotated.  NULL: a diagnostic. */
struct plan_graph *graph_stage_build(struct stage *s, struct diags *ds);

/* tf-plan: goes by the nodes and edges that were read where they were edited.
 * A node that is not there is as good as excluded, with all that needs it; an
 * edge more is a dependency more.  All else is refused. */
int graph_stage_edits(struct stage *s, const struct stream_out *o,
		      struct diags *ds);

#endif

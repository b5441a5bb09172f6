/*
 * graph_steps.h - the steps of tf-graph: the input, the selectors, the state,
 * the graph
 *
 * Each is written as soon as it is known, so that the next stage can begin.
 */
#ifndef TFPIPE_ENGINE_PLAN_GRAPH_STEPS_H
#define TFPIPE_ENGINE_PLAN_GRAPH_STEPS_H

#include "engine/stage/stage.h"
#include "graph/graph.h"

struct graph_steps {
	struct arena *arena;
	struct diags *ds;
	struct stream_out *out;
	const struct str_vec *given; /* names of options */
	struct selector_options so;
	struct str state_path; /* that of -state; or empty */
	bool asks_hosts;       /* reading the state may: confined accordingly */
	bool encrypts;         /* files here speak of encryption */
	bool stays;            /* confined for good: the state was read */
	bool leave_errors;     /* errors of the graph are left to
					tf-plan */

	struct stage in;
	const struct graph *graph; /* NULL: there is none */
};

/* The graph of the plan phase, of a stream or of the directory.  1: the stages
 * before have failed; -1: diagnosed. */
int graph_steps_plan(struct graph_steps *g, bool from_dir);

#endif

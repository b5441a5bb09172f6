/*
 * graph_apply.h - tf-graph -apply: the order in which tf-apply would carry out
 * a plan
 */
#ifndef TFPIPE_ENGINE_APPLY_GRAPH_APPLY_H
#define TFPIPE_ENGINE_APPLY_GRAPH_APPLY_H

#include "engine/apply/apply.h"
#include "engine/plan/graph_steps.h"

/* Reads a plan into *planned, which the caller releases, and writes the graph
 * of the apply phase behind it.  1: an earlier stage has failed; -1:
 * diagnosed. */
int graph_steps_apply(struct graph_steps *g, struct apply_input *planned);

#endif

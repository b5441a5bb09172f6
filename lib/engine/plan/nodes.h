/*
 * nodes.h - what the walk does at each kind of node
 */
#ifndef TFPIPE_ENGINE_PLAN_NODES_H
#define TFPIPE_ENGINE_PLAN_NODES_H

#include "engine/plan/plan_int.h"

void plan_node_start(void *data, struct graph_walk *w, uint32_t node);
/* Records the instances of check blocks that the walk did not reach. */
void plan_name_checks(struct plan *p);
void plan_node_done(struct plan_work *w);
/* The instances of its module in which the node of w, which is n, is needed. */
void plan_modules(struct plan_work *w, const struct graph_node *n,
		  struct run_module_vec *out);

#endif

/*
 * plan_instance_int.h - which instance of a provider an edge means, where that
 * is known without evaluating anything: the key is written down, or recorded
 */
#ifndef TFPIPE_GRAPH_PLAN_INSTANCE_INT_H
#define TFPIPE_GRAPH_PLAN_INSTANCE_INT_H

#include "config/provider_for.h"
#include "graph/plan_graph_int.h"

/* The address of the very instance of the provider that is chosen, or that all
 * objects of the state resource were made with; empty: it is not known here. */
struct str plan_chosen_instance(struct arena *a,
				const struct cfg_provider_choice *c);
struct str plan_recorded_instance(struct arena *a,
				  const struct state_resource *r,
				  enum node_kind kind);

#endif

/*
 * plan_select.h - which nodes -target and -exclude leave, and which resources
 * are created before they are destroyed
 */
#ifndef TFPIPE_GRAPH_PLAN_SELECT_H
#define TFPIPE_GRAPH_PLAN_SELECT_H

#include "graph/plan_graph.h"

/* A root output, or a variable of a module with validations: with -target and
 * -exclude it stays, though nothing needs it, when all resources behind it, at
 * least one, do. */
bool graph_node_is_result(const struct graph_node *n);
/* Is the module part of this plan?  Not if it was not selected. */
bool plan_graph_has_module(const struct plan_graph *pg,
			   const struct cfg_module *m);
/* The node that expands the module; GRAPH_NONE: it is the root. */
uint32_t plan_graph_expansion(const struct plan_graph *pg,
			      const struct cfg_module *m);
/* Is there anything that the target names? */
bool plan_graph_names(const struct plan_graph *pg, const struct target *t);
/* Is the node worked on for its own sake, if it is? */
bool plan_graph_aims_at(const struct plan_graph *pg, uint32_t node,
			const struct target_set *only);
/* Annotates the nodes by -target and -exclude. */
void plan_graph_select(struct plan_graph *pg, const struct target_set *only);
/* May this instance be worked on? node is its resource's.  gone: the
 * configuration does not ask for it any more, so nothing needs a change of it;
 * a data source is only forgotten. */
bool plan_graph_wanted(const struct plan_graph *pg, uint32_t node,
		       const struct instance_addr *i, bool gone,
		       const struct plan_seen *s,
		       const struct target_set *only);
/* create_before_destroy spreads to what a resource depends on. Call it after
 * selection. */
void plan_graph_force_cbd(struct plan_graph *pg);

/* select_targets.c: what -target names, and what that depends on */

/* Adds to *s what the targets say of this instance. */
void plan_graph_see(const struct plan_graph *pg, uint32_t node,
		    const struct instance_addr *i,
		    const struct target_set *only, struct plan_seen *s);
/* Is a value (a local, variable, output) needed in this instance of its module?
 */
bool plan_graph_meets(const struct plan_graph *pg, uint32_t node,
		      struct module_addr m);

/* destroy_select.c: -target and -exclude of a destroy plan */

/* Which instances of the state are destroyed. */
void destroy_select(struct arena *a, const struct state *s,
		    const struct target_set *only,
		    struct destroy_selection *out);
/* Selects the NODE_DESTROY nodes that have a wanted instance, and what they
 * need. */
void plan_graph_select_destroy(struct plan_graph *pg,
			       const struct destroy_selection *d);

#endif

/* destroy_select.h - -target and -exclude of a destroy plan */
#ifndef TFPIPE_GRAPH_DESTROY_SELECT_H
#define TFPIPE_GRAPH_DESTROY_SELECT_H

#include "graph/plan_graph.h"

/* Which instances of the state are destroyed. */
void destroy_select(struct arena *a, const struct state *s,
		    const struct target_set *only,
		    struct destroy_selection *out);
/* Selects the NODE_DESTROY nodes that have a wanted instance, and what they
 * need. */
void plan_graph_select_destroy(struct plan_graph *pg,
			       const struct destroy_selection *d);

#endif

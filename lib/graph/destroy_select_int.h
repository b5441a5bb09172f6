/* destroy_select_int.h - -target and -exclude of a destroy plan */
#ifndef TFPIPE_GRAPH_DESTROY_SELECT_INT_H
#define TFPIPE_GRAPH_DESTROY_SELECT_INT_H

#include "graph/plan_graph_int.h"

/* The address of a resource of the state, without keys. */
struct str state_config_address(struct arena *a,
				const struct state_resource *r);

#endif

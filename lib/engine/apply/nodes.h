/*
 * nodes.h - what is done at each node of the apply graph
 */
#ifndef TFPIPE_ENGINE_APPLY_NODES_H
#define TFPIPE_ENGINE_APPLY_NODES_H

#include "engine/apply/apply_int.h"

/* Makes v the output's value in the state. */
void apply_keep_output(struct apply *ap, const struct cfg_output *o,
		       const struct value *v);
void apply_start_node(void *data, struct graph_walk *w, uint32_t node);
/* Does the removed block of module m mean this resource? */
bool nodes_removed_name(struct arena *a, const struct cfg_module *m,
			const struct cfg_removed *r,
			const struct instance_addr *addr);

#endif

/* select_targets_int.h - what -target names, and what that depends on */
#ifndef TFPIPE_GRAPH_SELECT_TARGETS_INT_H
#define TFPIPE_GRAPH_SELECT_TARGETS_INT_H

#include "graph/plan_graph.h"

/* Selects, in set, what the targets name (see plan_graph_select: direct) and
 * what that needs, down to the instances that references name.  kept: what the
 * excludes leave, or NULL. */
void select_targets(struct plan_graph *pg, const struct target *ts, size_t nts,
		    const unsigned char *kept, unsigned char *set);
/* Does the configuration of node depend on an instance of `to` that is not
 * selected, though others of it are? */
bool select_depends_on_left_out(const struct plan_graph *pg, uint32_t node,
				uint32_t to);
/* Does anything that the targets select depend on this instance?  A dependency
 * on all of a resource does not count if the targets name other instances of it
 * in this module instance. */
bool select_instance_needed(const struct plan_graph *pg, uint32_t node,
			    const struct instance_addr *i,
			    const struct plan_seen *s);

#endif

/*
 * taken.h - changes that the user took out of the plan
 */
#ifndef TFPIPE_ENGINE_APPLY_TAKEN_H
#define TFPIPE_ENGINE_APPLY_TAKEN_H

#include "engine/apply/apply_int.h"

int taken_addresses(struct arena *a, const struct taken_vec *taken,
		    const struct instance_addr **out, struct diags *ds);
/* Does the root output derive from one? */
bool apply_output_stays(const struct apply *ap, struct str name);
void apply_warn_taken(struct apply *ap);
/* Are nodes of tf-graph -apply gone that the plan needs? */
int taken_nodes_check(const struct apply_edits *edits, const struct graph *g,
		      struct diags *ds);

#endif

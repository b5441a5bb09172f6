/*
 * edits.h - edits of a stream, obeyed or refused
 *
 * By the table in tf-stream(5), EDITING.  A stage obeys edits of records that
 * it uses; it refuses, by name and before anything is done, edits that it would
 * not use or that must be made in another way.
 */
#ifndef TFPIPE_ENGINE_STAGE_EDITS_H
#define TFPIPE_ENGINE_STAGE_EDITS_H

#include "graph/graph.h"
#include "stream/seal.h"
#include "stream/stream.h"

/* The stage that has read the stream into o.  ds: errors where it cannot go on.
 */
int edits_check_eval(struct arena *a, struct stream_out *o,
		     const struct stream_info *i, struct diags *ds);
int edits_check_graph(struct arena *a, struct stream_out *o,
		      const struct stream_info *i, struct diags *ds);

/* The edits of results of tf-eval and tf-graph, which tf-plan uses instead. */
struct plan_edits {
	bool unsealed;         /* what was edited is not known: all counts */
	struct map worked_out; /* local_value, expansion: their addresses */
	struct seal_edit_vec graph; /* node, edge: changed or added */
	bool graph_edited;
};
int edits_check_plan(struct arena *a, struct stream_out *o,
		     const struct stream_info *i, struct plan_edits *edits,
		     struct diags *ds);

/* Changes that were taken out of a plan. */
struct taken_change {
	struct str address; /* with "deposed KEY", if it is of such an object */
	struct str action;
};

struct taken_vec VEC_OF(struct taken_change);

/* The edits that a plan may have, except of changes that would have done
 * nothing. */
struct apply_edits {
	struct taken_vec taken;
	struct graph_link_vec links; /* edges that were added, */
	struct map nodes; /* the nodes of tf-graph -apply that are left, */
	bool nodes_taken; /* because some were taken out */
};

/* Warns where a plan has lost its seal. */
void edits_tell_unsealed(const struct stream_info *i, struct diags *ds);
/* For stages that read a plan. */
int edits_check_apply(struct arena *a, struct stream_out *o,
		      const struct stream_info *i, struct apply_edits *edits,
		      struct diags *ds);

#endif

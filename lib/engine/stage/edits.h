/*
 * edits.h - what somebody edited in a stream, and what comes of it
 *
 * The table in tf-stream(5), EDITING.  What a stage goes by, it obeys; what it
 * would not use, or what can be had in another way only, is refused before
 * anything is done, and named.
 */
#ifndef TFPIPE_ENGINE_STAGE_EDITS_H
#define TFPIPE_ENGINE_STAGE_EDITS_H

#include "stream/stream.h"

/* The stage that has read the stream into o.  ds: errors where it cannot go on.
 */
int edits_check_eval(struct arena *a, struct stream_out *o,
		     const struct stream_info *i, struct diags *ds);
int edits_check_graph(struct arena *a, struct stream_out *o,
		      const struct stream_info *i, struct diags *ds);
int edits_check_plan(struct arena *a, struct stream_out *o,
		     const struct stream_info *i, struct diags *ds);

/* Changes that were taken out of a plan. */
struct taken_change {
	struct str address; /* with "deposed KEY", if it is of such an object */
	struct str action;
};

struct taken_vec VEC_OF(struct taken_change);

/* Who reads a plan.  What was taken out, but for what would have changed
 * nothing, goes to taken. */
int edits_check_apply(struct arena *a, struct stream_out *o,
		      const struct stream_info *i, struct taken_vec *taken,
		      struct diags *ds);

#endif

/*
 * live_int.h - what the parts of tf-ui share while they read a stream
 */
#ifndef TFPIPE_UI_LIVE_INT_H
#define TFPIPE_UI_LIVE_INT_H

#include "ui/live/live.h"
#include "ui/show/shown.h"
#include "ui/live/status.h"

struct live {
	const struct live_options *o;
	const struct live_op *op;
	struct view v;    /* what is asked for */
	struct view into; /* -json-into: messages go there as well */
	struct shown s;
	struct status status; /* of running operations, on a terminal */
	int fd;               /* where the stream comes from */
	struct out out, err, into_out;
	struct diags diags;          /* our own: the stream itself is broken */
	struct line_vec last_events; /* the summary and the outputs */
	bool applying;               /* tf-apply's part has begun */
	bool plan_shown;
	bool partial; /* not every object of the state is read */
};

/* Both views, the one asked for and that of -json-into; NULL ends. */
struct view *live_next_view(struct live *l, const struct view *v);

#endif

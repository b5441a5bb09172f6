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
	struct view v;          /* what is asked for */
	struct view into;       /* -json-into: messages go there as well */
	struct shown s;
	struct status status;   /* of what is at work, on a terminal */
	int fd;                 /* where the stream comes from */
	struct out out, err, into_out;
	struct diags diags;     /* our own: the stream itself is broken */
	struct line_vec last_events; /* the summary and the outputs */
	bool applying;          /* tf-apply's part has begun */
	bool planned;           /* programs know what a saved plan is */
	bool plan_shown;
	bool partial;           /* not every object of the state is read */
};

/* Both views, the one asked for and that of -json-into; NULL ends. */
struct view *live_next_view(struct live *l, const struct view *v);

/* --- live_event.c --- */

/* An event record, shown as it arrives. */
int live_event(struct live *l, struct str line, struct diags *ds);
/* What an apply came to is said last, below what it warns of. */
void live_last_events(struct live *l);
/* The plan, in the -json UI stream. */
void live_plan_messages(struct live *l, struct view *v);

/* --- live_diag.c --- */

/* Shows the diagnostics kept, and forgets them. */
void live_diags(struct live *l);
/* Tells the one that was kept last, now. */
void live_early(struct live *l);
/* tf-apply's part begins: it evaluates the check blocks again, and says itself
 * what came of them. */
void live_forget_checks(struct live *l);
/* validate: one JSON object, or a line when all is well.  Returns the exit
 * status. */
int live_validate(struct live *l);

#endif

/* live_int.h - what the parts of tf-ui share while they read a stream */
#ifndef TFPIPE_UI_LIVE_LIVE_INT_H
#define TFPIPE_UI_LIVE_LIVE_INT_H

#include "install/init/init.h"
#include "ui/view.h"
#include "ui/live/live.h"
#include "ui/show/show.h"

/*
 * init_text.c: the messages of `init`, as in OpenTofu
 *
 * Each is shown at once, as text or as a message, by the view.
 */

void init_say_news(struct view *v, const struct init_news *n);
/* Of the outcomes: there is no configuration; it cannot be read; all is well
 * (and what to do next, unless in automation). */
void init_say_empty(struct view *v);
void init_say_config_failed(struct view *v);
/* cloud: the configuration has a block of that name. */
void init_say_done(struct view *v, bool cloud);

struct live {
	const struct live_options *o;
	const struct live_op *op;
	struct view v;    /* what is asked for */
	struct view into; /* -json-into: messages go there as well */
	struct shown s;
	struct status status; /* of running operations, on a terminal */
	int fd;               /* where the stream comes from */
	struct out out, err, into_out;
	struct out form_out;         /* of a form that stands alone */
	struct diags diags;          /* our own: the stream itself is broken */
	struct line_vec last_events; /* the summary and the outputs */
	struct str slowest;          /* the last record of this kind */
	bool applying;               /* tf-apply's part has begun */
	bool plan_shown;
	bool partial; /* not every object of the state is read */
};

/* Both views, the one asked for and that of -json-into; NULL ends. */
struct view *live_next_view(struct live *l, const struct view *v);

/*
 * live_diag.c: diagnostics of a stream that is shown as it arrives
 * (live.h)
 */

/* Shows the diagnostics kept, and drops them. */
void live_diags(struct live *l);
/* Shows the last diagnostic kept, at once, and drops it. */
void live_early(struct live *l);
/* Drops the results of check blocks when tf-apply's part begins: it evaluates
 * them again, and reports the new results. */
void live_forget_checks(struct live *l);
/* validate: one JSON object, or a line when all is well.  Returns the exit
 * status. */
int live_validate(struct live *l);

/* live_event.c: events as they come, and a plan as messages (live.h) */

/* When a saved plan is applied: sends the planned changes to programs. */
void live_planned(struct live *l);
/* An event record, shown as it arrives. */
int live_event(struct live *l, struct str line, struct diags *ds);
/* Shows the results of an apply, last, below its warnings. */
void live_last_events(struct live *l);
/* The plan, in the -json UI stream. */
void live_plan_messages(struct live *l, struct view *v);

#endif

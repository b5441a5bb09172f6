/*
 * show_int.h - what the parts of tf-show share while they read a stream
 */
#ifndef TFPIPE_UI_SHOW_INT_H
#define TFPIPE_UI_SHOW_INT_H

#include "ui/show.h"

struct show {
	const struct show_options *o;
	struct view v;          /* what is asked for */
	struct view into;       /* -json-into: messages go there as well */
	struct shown s;
	struct out out, err, into_out;
	struct diags diags;     /* our own: the stream itself is broken */
	struct opened_providers opened; /* for their schemas */
	struct line_vec last_events;    /* the summary and the outputs */
	struct line_vec applied;        /* rendering: what tf-apply told */
	bool planned;           /* programs know what a saved plan is */
};

/* The driver's display of what an apply does, not of what was planned. */
static inline bool shows_apply(const struct show *sh)
{
	return str_is(sh->o->op, "apply") || str_is(sh->o->op, "refreshed");
}

/* A plan, if there is one. */
static inline bool shows_plan(const struct show *sh)
{
	return !shows_apply(sh) && !str_is(sh->o->op, "import") &&
	       !str_is(sh->o->op, "refresh");
}

/* --- live.c --- */

/* An event record, shown as it arrives. */
int live_event(struct show *sh, struct str line, struct diags *ds);
/* The end of the stream. Returns the exit status. */
int live_finish(struct show *sh);
/* Rendering: what was applied, below the plan. */
void live_applied(struct show *sh);

/* --- live_diag.c --- */

/* A diagnostic record: kept until the end. */
void live_diag_keep(struct show *sh, struct str line, const struct json *rec);
/* Shows those kept, and forgets them. */
void live_diags(struct show *sh);
/* validate: one JSON object, or a line when all is well. */
int live_validate(struct show *sh);

#endif

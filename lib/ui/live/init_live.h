/*
 * init_live.h - what is told while `init` works (install/init/init.h)
 *
 * Lines and messages are what people and programs know from OpenTofu.  At a
 * terminal a line below them says how much has come of what is fetched
 * (status.h); with messages that is one of them, once a second.
 */
#ifndef TFPIPE_UI_INIT_LIVE_H
#define TFPIPE_UI_INIT_LIVE_H

#include "install/init/init.h"
#include "ui/live/status.h"
#include "ui/view.h"

struct init_live {
	struct view v;    /* v.display is the caller's, before the start */
	struct view into; /* of -json-into */
	struct out out, err, into_out;
	struct status status;
	uint64_t progress_ms; /* the last message of it, or the first news */
};

/* Views of standard output and error, which speak from now on. */
void init_live_start(struct init_live *l, struct arena *a, bool json,
		     bool no_color);
/* Has t tell l its news, and how much has come of what is fetched where that
 * is shown. */
void init_live_follow(struct init_live *l, struct init *t);
/* Says what was found.  c: for snippets; may be NULL. */
void init_live_diags(struct init_live *l, struct diags *ds,
		     const struct config *c);
/* Says what came of it, diagnostics included.  Returns the exit status. */
int init_live_outcome(struct init_live *l, enum init_outcome o,
		      struct diags *ds, const struct config *c);
/* Flushes and releases.  -1: not all could be written. */
int init_live_end(struct init_live *l);

#endif

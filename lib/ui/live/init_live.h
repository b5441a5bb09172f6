/*
 * init_live.h - the progress and results of `init` (install/init/init.h)
 *
 * Lines and messages are those of OpenTofu.  At a terminal a line below them
 * shows how much has been downloaded (status.c); with messages, one of them
 * does, once a second.
 */
#ifndef TFPIPE_UI_LIVE_INIT_LIVE_H
#define TFPIPE_UI_LIVE_INIT_LIVE_H

#include "install/init/init.h"
#include "ui/live/live.h"
#include "ui/view.h"
#include "install/hosts/login.h"

struct init_live {
	struct view v;    /* v.display is the caller's, before the start */
	struct view into; /* of -json-into */
	struct out out, err, into_out;
	struct status status;
	uint64_t progress_ms; /* of the last message, or of the first news */
};

/* Views of standard output and error, which speak from now on. */
void init_live_start(struct init_live *l, struct arena *a, bool json,
		     bool no_color);
/* With messages: what a signal leaves time to say is one of them, too. */
void init_live_last_words(struct init_live *l);
/* Has t report its news to l, and the progress of downloads where that is
 * shown. */
void init_live_follow(struct init_live *l, struct init *t);
/* Shows the outcome, diagnostics included.  Returns the exit status. */
int init_live_outcome(struct init_live *l, enum init_outcome o,
		      struct diags *ds, const struct config *c);
/* Flushes and releases.  -1: not all could be written. */
int init_live_end(struct init_live *l);

/*
 * login_live.c: the messages and questions of login and logout
 * (install/hosts/login.h), as in OpenTofu
 */

/* Has l write and ask through this view. */
void login_live_follow(struct view *v, struct login *l);
/* Report success: the host's token was saved; it was removed. */
void login_live_done(struct view *v, const struct login *l);
void login_live_forgotten(struct view *v, const struct login *l);

#endif

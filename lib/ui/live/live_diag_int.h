/*
 * live_diag_int.h - diagnostics of a stream that is shown while it comes
 * (live.h)
 */
#ifndef TFPIPE_UI_LIVE_DIAG_INT_H
#define TFPIPE_UI_LIVE_DIAG_INT_H

#include "ui/live/live_int.h"

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

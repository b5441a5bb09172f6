/*
 * live_diag_int.h - diagnostics of a stream that is shown as it arrives
 * (live.h)
 */
#ifndef TFPIPE_UI_LIVE_DIAG_INT_H
#define TFPIPE_UI_LIVE_DIAG_INT_H

#include "ui/live/live_int.h"

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

#endif

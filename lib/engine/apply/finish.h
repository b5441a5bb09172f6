/*
 * finish.h - the end of a run
 */
#ifndef TFPIPE_ENGINE_APPLY_FINISH_H
#define TFPIPE_ENGINE_APPLY_FINISH_H

#include "engine/apply/apply_int.h"

/* Registers the objects with conditions that the plan knew. */
int apply_expect_checks(struct apply *ap);
/* Ends the event loop. */
void apply_finish(struct apply *ap);
/* Called after the loop: writes the state and, unless it failed, the
 * summary. */
void apply_end(struct apply *ap, bool failed);
/* Instead of all that: the refresh command. */
void apply_refreshed(struct apply *ap);

#endif

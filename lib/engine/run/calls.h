/*
 * calls.h - evaluations that meet functions of providers
 */
#ifndef TFPIPE_ENGINE_RUN_CALLS_H
#define TFPIPE_ENGINE_RUN_CALLS_H

#include "engine/run/run.h"

/* An evaluation that meets a call whose outcome is not known yet goes on with
 * an unknown value.  The caller takes a mark before it evaluates; if
 * run_must_wait says so, the diagnostics since are dropped, and `again` is
 * called to repeat it all when the outcome is known.  So nothing with effects
 * may be done before that is asked. */
struct run_mark run_mark(struct run *r, struct diags *ds);
bool run_must_wait(const struct run_mark *m, void (*again)(void *data),
		   void *data);
/* The question alone. */
bool run_waits(const struct run_mark *m);
/* For callers with nothing else to do: waits, running the loop.  true: evaluate
 * again. */
bool run_settle(struct run_mark *m);

#endif

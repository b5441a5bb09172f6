/*
 * calls.h - evaluations that meet functions of providers
 */
#ifndef TFPIPE_ENGINE_RUN_CALLS_H
#define TFPIPE_ENGINE_RUN_CALLS_H

#include "engine/run/run.h"

/* An evaluation that meets a call whose outcome is not known yet goes on with
 * an unknown value.  Who begins evaluating takes a mark; if it has to wait, the
 * diagnostics since are dropped, and again is called to do it all once more
 * when the outcome is there.  So nothing that counts may be done before it is
 * asked. */
struct run_mark run_mark(struct run *r, struct diags *ds);
bool run_must_wait(const struct run_mark *m, void (*again)(void *data),
		   void *data);
/* The question alone. */
bool run_waits(const struct run_mark *m);
/* For who has nothing else to do: waits, running the loop.  true: evaluate
 * again. */
bool run_settle(struct run_mark *m);

#endif

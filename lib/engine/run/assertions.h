/* assertions.h - what a test asserts of a run */
#ifndef TFPIPE_ENGINE_RUN_ASSERTIONS_H
#define TFPIPE_ENGINE_RUN_ASSERTIONS_H

#include "engine/run/run.h"

/* Evaluates the assertions of r's test, when all that they refer to is there:
 * one that does not hold, is unknown or cannot be evaluated is an error.  All
 * that is said has the run's address as its check (struct diag). */
void assertions_check(struct run *r, struct diags *ds);

#endif

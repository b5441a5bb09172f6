/*
 * environment.h - variables of the environment that change how a run goes, and
 * belong to no option
 */
#ifndef TFPIPE_ENGINE_STAGE_ENVIRONMENT_H
#define TFPIPE_ENGINE_STAGE_ENVIRONMENT_H

#include "base/diag.h"

/* -1: one is set that cannot be obeyed. */
int environment_refuse(struct diags *ds);
/* TF_STATE_PERSIST_INTERVAL: milliseconds between whole states that an apply
 * writes, 20 seconds at least. */
int environment_persist(uint64_t *ms, struct diags *ds);

#endif

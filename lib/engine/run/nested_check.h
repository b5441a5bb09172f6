/*
 * nested_check.h - data sources in check blocks
 *
 * What goes wrong when one is read is a failed check: a warning, and no reason
 * to stop (OpenTofu, "checks with data sources").
 */
#ifndef TFPIPE_ENGINE_RUN_NESTED_CHECK_H
#define TFPIPE_ENGINE_RUN_NESTED_CHECK_H

#include "engine/run/worker.h"

/* The check of the worker's data source passes, for it is not read yet. 
 * Nothing where there is none. */
void nested_check_pass(struct worker *w);
/* It was read: errors since there were `from` diagnostics become warnings.
 * true: there were some, and the check has failed. */
bool nested_check_settle(struct worker *w, size_t from);

#endif

/*
 * nested_check.h - data sources in check blocks
 *
 * An error while one is read fails the check: a warning that does not stop the
 * run (OpenTofu, "checks with data sources").
 */
#ifndef TFPIPE_ENGINE_RUN_NESTED_CHECK_H
#define TFPIPE_ENGINE_RUN_NESTED_CHECK_H

#include "engine/run/worker.h"

/* Passes the check of the worker's data source, which is not read yet; does
 * nothing if it has none. */
void nested_check_pass(struct worker *w);
/* The data source was read: errors since there were `from` diagnostics become
 * warnings. true: there were some, and the check has failed. */
bool nested_check_settle(struct worker *w, size_t from);

#endif

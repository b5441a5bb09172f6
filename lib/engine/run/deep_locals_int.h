/*
 * deep_locals_int.h - long chains of local values, evaluated without recursion
 */
#ifndef TFPIPE_ENGINE_DEEP_LOCALS_INT_H
#define TFPIPE_ENGINE_DEEP_LOCALS_INT_H

#include "engine/run/run.h"

/* The locals that l needs, and those that they need, however long the chain. */
void eval_needed_locals(struct run_module *m, const struct cfg_local *l,
			struct eval *ev, struct diags *ds);

#endif

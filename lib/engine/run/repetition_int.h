/*
 * repetition_int.h - count, for_each and enabled: their values, and those that
 * instances see
 */
#ifndef TFPIPE_ENGINE_REPETITION_INT_H
#define TFPIPE_ENGINE_REPETITION_INT_H

#include "engine/run/run.h"

/* count.index, each.key and each.value where they are not known. */
struct repetition repetition_unknown(struct run *r, bool count, bool each);
/* expansion_evaluate for the validate walk too: what is unknown there is
 * EXPAND_UNKNOWN. */
void expansion_compute(struct run_module *m, struct expression count,
		       struct expression for_each, struct expression enabled,
		       struct expansion *e, struct diags *ds);

#endif

/*
 * repetition.h - count, for_each and enabled: their values, and those that
 * instances see
 */
#ifndef TFPIPE_ENGINE_REPETITION_H
#define TFPIPE_ENGINE_REPETITION_H

#include "engine/run/run.h"

/* Evaluates the three meta-arguments ("Invalid count argument", …).  e->kind is
 * EXPAND_FAILED afterwards when it could not be done. */
void expansion_evaluate(struct run_module *m, struct expression count,
			struct expression for_each, struct expression enabled,
			struct expansion *e, struct diags *ds);
/* The i-th key; the position of a key, or -1. */
struct inst_key expansion_key(const struct expansion *e, size_t i);
ptrdiff_t expansion_index(const struct expansion *e, struct inst_key k);
struct repetition expansion_repetition(struct arena *a,
				       const struct expansion *e, size_t i);

#endif

/*
 * validate.h - the validate walk (tofu validate): every object once, with
 * unknown values in place of variables and instances; no state
 */
#ifndef TFPIPE_ENGINE_VALIDATE_VALIDATE_H
#define TFPIPE_ENGINE_VALIDATE_VALIDATE_H

#include "engine/run/run.h"

/* Returns -1 after errors. */
int validate_run(struct loop *l, struct config *c, const struct run_options *o,
		 struct diags *ds);

#endif

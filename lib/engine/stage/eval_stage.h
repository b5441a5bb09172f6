/*
 * eval_stage.h - the records that tf-eval adds (tf-stream(5))
 *
 * variable_value, local_value and expansion: what is known of a configuration
 * without state and providers.  Values that are not wholly known are left out;
 * of an ephemeral value only its existence is written.
 */
#ifndef TFPIPE_ENGINE_STAGE_EVAL_STAGE_H
#define TFPIPE_ENGINE_STAGE_EVAL_STAGE_H

#include "engine/run/run.h"

/* Evaluates all variables (with their validations), local values and
 * expansions of all module instances that are known, and writes their
 * records.  r is of the phase RUN_EVAL.  lean: the values of root variables
 * alone, which are what tf-plan takes. */
void eval_stage_write(struct run *r, struct stream_out *o, bool lean,
		      struct diags *ds);

/* Evaluates variables (with their validations), local values and outputs for
 * their diagnostics alone, as the console does when it starts.  Returns -1
 * when errors were added. */
int eval_stage_check(struct run *r, struct diags *ds);

#endif

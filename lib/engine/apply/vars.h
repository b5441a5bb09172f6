/*
 * vars.h - the variables of an apply
 */
#ifndef TFPIPE_ENGINE_APPLY_VARS_H
#define TFPIPE_ENGINE_APPLY_VARS_H

#include "engine/apply/apply_int.h"

int apply_variables(struct apply_input *in, struct inputs *given,
		    struct inputs *out, struct diags *ds);

#endif

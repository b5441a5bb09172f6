/*
 * vars.h - the variables of an apply
 */
#ifndef TFPIPE_ENGINE_APPLY_VARS_H
#define TFPIPE_ENGINE_APPLY_VARS_H

#include "engine/apply/apply_int.h"

/* Parses given and merges it with the plan's variables into out.  saved: as in
 * struct apply_options.  -1: diagnosed. */
int apply_variables(struct apply_input *in, struct inputs *given,
		    struct inputs *out, bool saved, struct diags *ds);

#endif

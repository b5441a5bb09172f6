/* refine_int.h - refinements: what is known of unknown values; see value.h */
#ifndef TFPIPE_VALUE_REFINE_INT_H
#define TFPIPE_VALUE_REFINE_INT_H

#include "value/value.h"

/* Is it certain that the unknown u (unmarked) will not be the known v? */
bool value_range_excludes(const struct value *u, const struct value *v);

#endif

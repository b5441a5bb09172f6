/* json_int.h - jsondecode, jsonencode */
#ifndef TFPIPE_FUNCS_JSON_INT_H
#define TFPIPE_FUNCS_JSON_INT_H

#include "funcs/funcs_int.h"

/* Is there an infinity in a wholly known value? JSON cannot hold it. */
bool json_has_infinity(const struct value *v);

#endif

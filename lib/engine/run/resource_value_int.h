/* resource_value_int.h - what references to resources see */
#ifndef TFPIPE_ENGINE_RESOURCE_VALUE_INT_H
#define TFPIPE_ENGINE_RESOURCE_VALUE_INT_H

#include "engine/run/run.h"

/* An unknown value of the type that references to a resource have before
 * anything is known of it. */
const struct value *resource_unknown(struct run_resource *r);

#endif

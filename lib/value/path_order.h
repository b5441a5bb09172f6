/* path_order.h - see path.h: paths_in_plan_order */
#ifndef TFPIPE_VALUE_PATH_ORDER_H
#define TFPIPE_VALUE_PATH_ORDER_H

#include "value/path.h"

/* Each once, in the order in which published plans list paths: that of cty's
 * sets, by the CRC-64 (ISO) of the attributes' names, "##" for an index, as a
 * signed number.  Those that differ in an index only stay as they come. */
void paths_in_plan_order(struct path_vec *v);

#endif

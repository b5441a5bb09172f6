/*
 * outputs_int.h - which outputs are updated, and which variables checked, under
 * -target and -exclude, and where changes were taken out of the plan
 */
#ifndef TFPIPE_ENGINE_OUTPUTS_INT_H
#define TFPIPE_ENGINE_OUTPUTS_INT_H

#include "engine/order/apply_graph_int.h"

/* Updates the root outputs that derive only from nodes that are worked on, and
 * from none whose change was taken out. */
void agb_select_outputs(struct agb *b);

#endif

/* live_op.h - the operations and what is shown of each (live.h) */
#ifndef TFPIPE_UI_LIVE_OP_H
#define TFPIPE_UI_LIVE_OP_H

#include "ui/live/live.h"

/* -1: there is no operation of that name. */
int live_op_find(struct str name, enum live_op_id *op);

#endif

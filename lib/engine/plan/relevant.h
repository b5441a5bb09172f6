/*
 * relevant.h - the member relevant_attributes of a plan's record
 */
#ifndef TFPIPE_ENGINE_PLAN_RELEVANT_H
#define TFPIPE_ENGINE_PLAN_RELEVANT_H

#include "engine/plan/plan_int.h"

/* Appends its value, JSON. */
void relevant_attributes(struct plan *p, struct buf *out);

#endif

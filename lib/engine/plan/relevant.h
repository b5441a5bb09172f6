/*
 * relevant.h - the member relevant_attributes of a plan's record
 */
#ifndef TFPIPE_ENGINE_PLAN_RELEVANT_H
#define TFPIPE_ENGINE_PLAN_RELEVANT_H

#include "engine/plan/plan_int.h"

void relevant_records(struct jw *w, struct plan *p);

#endif

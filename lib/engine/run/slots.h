/*
 * slots.h - at most -parallelism instances are worked on at a time
 */
#ifndef TFPIPE_ENGINE_RUN_SLOTS_H
#define TFPIPE_ENGINE_RUN_SLOTS_H

#include "engine/run/run.h"

/* Calls fn with a slot, never from inside this call. */
typedef void run_slot_fn(void *data, struct run_slot *s);
void run_slot_get(struct run *r, run_slot_fn *fn, void *data);
void run_slot_put(struct run_slot *s);

#endif

/*
 * changes.h - the changes of a run, by address
 */
#ifndef TFPIPE_ENGINE_RUN_CHANGES_H
#define TFPIPE_ENGINE_RUN_CHANGES_H

#include "engine/run/run.h"

void run_change_add(struct run *r, struct change *c);
struct change *run_change(const struct run *r, const struct instance_addr *i,
			  struct str deposed);

#endif

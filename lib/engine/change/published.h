/*
 * published.h - `resource_change` and `resource_drift`, written; what the plan
 * has to keep of a resource_change, read
 */
#ifndef TFPIPE_ENGINE_PUBLISHED_H
#define TFPIPE_ENGINE_PUBLISHED_H

#include "engine/change/change.h"

/* "delete-then-create" as a published plan has it: two words. */
void change_actions_json(struct jw *w, enum action a);

#endif

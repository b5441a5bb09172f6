/*
 * published.h - `resource_change` and `resource_drift`, written; the members of
 * a resource_change that the plan keeps, read
 */
#ifndef TFPIPE_ENGINE_PUBLISHED_H
#define TFPIPE_ENGINE_PUBLISHED_H

#include "engine/change/change.h"

/* "delete-then-create" as a published plan has it: two words. */
void change_actions_json(struct jw *w, enum action a);

#endif

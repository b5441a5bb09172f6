/* names.h - of actions and reasons, as records have them */
#ifndef TFPIPE_ENGINE_NAMES_H
#define TFPIPE_ENGINE_NAMES_H

#include "engine/change/change.h"

const char *action_name(enum action a); /* "delete-then-create", … */
const char *reason_name(enum reason r); /* "" for none */
int action_from_name(struct str s);     /* -1: there is none */
int reason_from_name(struct str s);

#endif

/* change_int.h - what the writer and the reader of changes share */
#ifndef TFPIPE_ENGINE_CHANGE_CHANGE_INT_H
#define TFPIPE_ENGINE_CHANGE_CHANGE_INT_H

#include "engine/change/change.h"
#include "json/json.h"

void change_actions_json(struct jw *w, enum action a);
bool change_is_published(const struct change *c);

#endif

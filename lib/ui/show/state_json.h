/* state_json.h - the published representation of a state */
#ifndef TFPIPE_UI_SHOW_STATE_JSON_H
#define TFPIPE_UI_SHOW_STATE_JSON_H

#include "json/write.h"
#include "ui/show/state_object.h"

/* The published state representation.  -1: an object cannot be shown, as
 * objects->why says, and what was written is of no use. */
int state_json(struct jw *w, const struct state *st,
	       struct state_objects *objects);

#endif

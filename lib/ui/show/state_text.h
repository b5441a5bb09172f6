/* state_text.h - a state as people read it: tofu show, tofu state show */
#ifndef TFPIPE_UI_SHOW_STATE_TEXT_H
#define TFPIPE_UI_SHOW_STATE_TEXT_H

#include "ui/show/show.h"
#include "ui/show/state_object.h"

/* A state as people read it.  -1: an object cannot be shown, as objects->why
 * says, and nothing is. */
int state_text(struct view *v, const struct state *st,
	       struct state_objects *objects);
/* One object of it (state show); -1 as above. */
int state_instance_text(struct buf *b, const struct state_resource *r,
			const struct state_instance *i,
			struct state_objects *objects, struct diff_style st);

#endif

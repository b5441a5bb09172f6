/* state_text.h - a state as people read it: tofu show, tofu state show */
#ifndef TFPIPE_UI_SHOW_STATE_TEXT_H
#define TFPIPE_UI_SHOW_STATE_TEXT_H

#include "ui/show/show.h"

/* A state as people read it. */
void state_text(struct view *v, const struct state *st,
		const struct map *schemas);
/* One object of it (state show). */
void state_instance_text(struct buf *b, const struct state_resource *r,
			 const struct state_instance *i,
			 const struct map *schemas, struct diff_style st);

#endif

/* plan_text.h - a plan as people read it */
#ifndef TFPIPE_UI_SHOW_PLAN_TEXT_H
#define TFPIPE_UI_SHOW_PLAN_TEXT_H

#include "engine/change/published.h"
#include "ui/show/show.h"

/* The plan as people read it: each change when its record comes, the whole at
 * the end. */
void plan_text_change(struct view *v, struct shown *s,
		      const struct published *p);
void plan_text(struct view *v, struct shown *s);

#endif

/* plan_text.h - a plan as people read it */
#ifndef TFPIPE_UI_SHOW_PLAN_TEXT_H
#define TFPIPE_UI_SHOW_PLAN_TEXT_H

#include "ui/show/show.h"

/* The plan as people read it: each change when its record comes (-1 after a
 * diagnostic), the whole at the end. */
int plan_text_change(struct view *v, struct shown *s, struct str line,
		     struct diags *ds);
void plan_text(struct view *v, const struct shown *s);

#endif

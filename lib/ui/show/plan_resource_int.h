/*
 * plan_resource_int.h - one resource of a plan as people read it: what happens
 * to it and why, and the difference
 */
#ifndef TFPIPE_UI_PLAN_RESOURCE_INT_H
#define TFPIPE_UI_PLAN_RESOURCE_INT_H

#include "ui/diff/diff.h"
#include "ui/show/show.h"
#include "ui/show/shown_change.h"

const struct diff *plan_resource_diff(struct arena *a, const struct shown *s,
				      const struct shown_change *c,
				      const struct diff_input *in);
/* One resource_change or resource_drift record: comment, header, difference. */
void plan_resource_text(struct buf *b, const struct view *v,
			const struct shown_change *c, struct arena *a,
			const struct diff *d, bool drift);

#endif

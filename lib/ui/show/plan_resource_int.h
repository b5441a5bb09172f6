/*
 * plan_resource_int.h - one resource of a plan as people read it: what happens
 * to it and why, and the difference
 */
#ifndef TFPIPE_UI_PLAN_RESOURCE_INT_H
#define TFPIPE_UI_PLAN_RESOURCE_INT_H

#include "ui/diff/diff.h"
#include "ui/show/show.h"

/* Returns the action of a `change`. */
enum diff_action plan_action(const struct json *change);
/* One resource_change or resource_drift record: comment, header, difference. */
void plan_resource_text(struct buf *b, const struct view *v,
			const struct shown *s, const struct json *rec,
			struct arena *a, struct diff_input in, bool drift);

#endif

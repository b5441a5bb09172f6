/* plan_text_int.h - what the files of a plan's text share */
#ifndef TFPIPE_UI_PLAN_TEXT_INT_H
#define TFPIPE_UI_PLAN_TEXT_INT_H

#include "ui/diff/diff.h"
#include "ui/show/show.h"

/* What a `change` does. */
enum diff_action plan_action(const struct json *change);
/* One resource_change or resource_drift record: comment, header, difference. */
void plan_resource_text(struct buf *b, const struct view *v,
			const struct shown *s, const struct json *rec,
			struct arena *a, struct diff_input in, bool drift);

#endif

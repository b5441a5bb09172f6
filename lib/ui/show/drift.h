/*
 * drift.h - changes made outside, as far as they matter to the plan
 */
#ifndef TFPIPE_UI_DRIFT_H
#define TFPIPE_UI_DRIFT_H

#include "ui/show/shown.h"
#include "ui/show/shown_change.h"

/* Narrows the difference of a resource_drift record to what was relevant to the
 * plan.  False: nothing was. */
bool drift_relevant(struct arena *a, const struct shown *s,
		    const struct shown_change *c, struct diff_input *in);

#endif

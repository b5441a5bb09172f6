/* live_event_int.h - events as they come, and a plan as messages (live.h) */
#ifndef TFPIPE_UI_LIVE_EVENT_INT_H
#define TFPIPE_UI_LIVE_EVENT_INT_H

#include "ui/live/live_int.h"

/* When a saved plan is applied: sends the planned changes to programs. */
void live_planned(struct live *l);
/* An event record, shown as it arrives. */
int live_event(struct live *l, struct str line, struct diags *ds);
/* Shows the results of an apply, last, below its warnings. */
void live_last_events(struct live *l);
/* The plan, in the -json UI stream. */
void live_plan_messages(struct live *l, struct view *v);

#endif

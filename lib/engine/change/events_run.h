/* events_run.h - the events about the run as a whole: summary, outputs */
#ifndef TFPIPE_ENGINE_EVENTS_RUN_H
#define TFPIPE_ENGINE_EVENTS_RUN_H

#include "engine/change/events.h"

/* operation: "apply", "destroy" or "plan". */
void event_summary(struct events *e, const struct event_counts *counts,
		   const char *operation);
/* The root outputs of s. */
void event_outputs(struct events *e, const struct state *s);
/* A plain message. */
void event_log(struct events *e, const char *message);
/* The whole state (JSON on one line), which no file could take. */
void event_state_dump(struct events *e, struct str state);
/* That the lock of the state is waited for, at once: the loop does not run. */
void event_lock_wait(struct events *e);
/* Something for people only. */
void event_note(struct events *e, struct str message);

#endif

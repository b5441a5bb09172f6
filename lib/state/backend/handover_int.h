/* handover_int.h - a state that was handed on; see handover.h */
#ifndef TFPIPE_STATE_HANDOVER_INT_H
#define TFPIPE_STATE_HANDOVER_INT_H

#include "state/backend/backend_int.h"

/* Takes what our parent hands on, if it is of the same state. */
void handover_take(struct backend *b);
void handover_release(struct backend *b);
/* The text that was handed on; false: there is none. */
bool handover_text(struct backend *b, struct str *text);
/* The lock under which it was handed on; NULL: none. */
const struct lock_info *handover_lock(const struct backend *b);
/* The text that has been stored, for those who read it later. */
int handover_update(struct backend *b, struct str text, struct diags *ds);

#endif

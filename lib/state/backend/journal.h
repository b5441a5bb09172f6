/* journal.h - what an interrupted run leaves behind for the next one */
#ifndef TFPIPE_STATE_JOURNAL_H
#define TFPIPE_STATE_JOURNAL_H

#include "state/backend/backend.h"
#include "state/state.h"

/* The journal: intent before an apply call goes out, outcome after.  Records
 * are appended at once and synced by journal_sync (once a loop turn).  Every
 * change of an instance in the state is an outcome, also one that no provider
 * made: an object that is deposed is the outcome of its deposed key first, then
 * the current one's (NULL) or its replacement's. These and journal_sync return
 * -1 with errno set.  backend_read (or a write) comes first.
 *
 * After journal_batch outcomes are kept back until journal_flush (or an intent,
 * or journal_sync) writes all of them: for callers that flush before they tell
 * anyone. */
void journal_batch(struct backend *b);
/* The next outcomes, so many lines, count together or, if the last of them did
 * not get into the file, not at all: an object that changes its place is never
 * in both, nor in none.  Of one line nothing is said. */
int journal_group(struct backend *b, size_t lines);
int journal_intent(struct backend *b, struct str address, struct str deposed,
		   const char *action);
int journal_outcome(struct backend *b, const struct state_resource *r,
		    const struct state_instance *i /* NULL: gone */,
		    struct str address, struct str deposed);
/* An outcome as a prior_state record has it: planning's refreshed, upgraded and
 * moved objects are journalled before the first operation, so that outcomes
 * after it are recovered onto the same state. */
int journal_record(struct backend *b, struct str line);
/* A root output has this value now; NULL: it is gone. */
int journal_output(struct backend *b, const struct state_output *out);
/* Operations of earlier runs of unknown outcome, of an object (NULL: all), with
 * creations or without, are known now, and told no more.  *n: how many. */
int journal_settle(struct backend *b, const struct str *address, bool creations,
		   size_t *n);
int journal_flush(struct backend *b);
/* The lines that a failing journal_flush has kept, each ended by a newline. */
struct str journal_unwritten(const struct backend *b);
int journal_sync(struct backend *b);
/* Why the last of these has failed. */
struct str journal_why(const struct backend *b);
/* Adds an outcome of b's journal as people read it, in a line of its own;
 * nothing for a line that is none. */
void journal_list_outcome(struct buf *out, const struct backend *b,
			  struct str line);

#endif

/* journal_read_int.h - recovering what an interrupted run had done */
#ifndef TFPIPE_STATE_JOURNAL_READ_INT_H
#define TFPIPE_STATE_JOURNAL_READ_INT_H

#include "state/backend/backend_int.h"
#include "state/backend/journal_int.h"

/* Reads the journal beside a state whose stored text is `text`.  Adds warnings
 * for operations of unknown outcome and for a journal of another state. */
int journal_recover(struct backend *b, struct str text, struct recovery *out,
		    struct diags *ds);
/* Was that text, as it is kept, to be stored when a run was interrupted? */
bool journal_stores(struct backend *b, struct str text);

#endif

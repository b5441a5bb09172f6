/* seal_edits.h - which records differ from the seals */
#ifndef TFPIPE_STREAM_SEAL_EDITS_H
#define TFPIPE_STREAM_SEAL_EDITS_H

#include "stream/seal.h"

/* Lists the differences from the seal of the stage that ran last.  false: there
 * is no such seal. */
bool seal_edits(struct arena *a, struct seal *s, struct str last_stage,
		struct seal_edit_vec *out);
/* The records of a kind that were read, edited or not; like a seal_edit without
 * anything edited. */
void seal_records_read(struct arena *a, const struct seal *s, struct str kind,
		       struct seal_edit_vec *out);
/* Accepts the records of this kind as they were read, edited or not: the seal
 * of this stage covers them.  The next stage will still see edits of other
 * kinds. */
void seal_accept(struct seal *s, struct str kind);

#endif

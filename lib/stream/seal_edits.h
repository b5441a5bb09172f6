/* seal_edits.h - which records differ from what the seals say */
#ifndef TFPIPE_STREAM_SEAL_EDITS_H
#define TFPIPE_STREAM_SEAL_EDITS_H

#include "stream/seal.h"

/* What differs from the seal of the stage that ran last.  false: there is no
 * such seal. */
bool seal_edits(struct arena *a, struct seal *s, struct str last_stage,
		struct seal_edit_vec *out);
/* The records of a kind that were read, edited or not; like a seal_edit without
 * anything edited. */
void seal_records_read(struct arena *a, const struct seal *s, struct str kind,
		       struct seal_edit_vec *out);
/* What was read of this kind counts from now on, edited or not: the seal
 * that this stage writes has it.  Edits of other kinds will be seen by the next
 * stage, too. */
void seal_accept(struct seal *s, struct str kind);

#endif

/* move.h - `state mv`: modules, resources and instances to other addresses */
#ifndef TFPIPE_STATE_MOVE_H
#define TFPIPE_STATE_MOVE_H

#include "state/edit/edit.h"

/* Moves what `source` names in `from` to `dest` in `to` (often the same state;
 * both in one arena). With dry_run it only reports what would be moved. */
int state_move(struct arena *a, struct state *from, struct state *to,
	       struct str source, struct str dest, bool dry_run,
	       struct state_moved_vec *out, struct diags *ds);

#endif

/* moves_check.h - are the move statements, and the removed blocks, valid? */
#ifndef TFPIPE_ENGINE_MOVES_CHECK_H
#define TFPIPE_ENGINE_MOVES_CHECK_H

#include "engine/plan/moves.h"

/* "Removed resource block still exists" */
int moves_check_removals(const struct moves *m, const struct config *c,
			 struct diags *ds);
int moves_validate(struct arena *a, const struct moves *m,
		   const struct config *c, const struct moves_world *w,
		   struct diags *ds);
/* "Moved resource instances excluded by targeting" */
int moves_check_targets(const struct moves *m, const struct target_set *only,
			struct diags *ds);
void moves_warn_blocked(const struct moves *m, struct diags *ds);

#endif

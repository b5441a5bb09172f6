/* moves_apply.h - moving in the state */
#ifndef TFPIPE_ENGINE_MOVES_APPLY_H
#define TFPIPE_ENGINE_MOVES_APPLY_H

#include "engine/plan/moves.h"

/* A state with the moves made: s itself if there are none. */
struct state *moves_apply(struct arena *a, struct moves *m, struct state *s);
/* Resources and lists of instances are new, the instances themselves shared. */
struct state *moves_copy_state(struct arena *a, const struct state *s);

#endif

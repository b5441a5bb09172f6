/* git_kept_int.h - clones for other directories; see git_int.h */
#ifndef TFPIPE_INSTALL_GIT_KEPT_INT_H
#define TFPIPE_INSTALL_GIT_KEPT_INT_H

#include "install/modules/git_int.h"

/* Makes w->c.dir a copy of a kept clone, with the repository's current refs; or
 * stale and without a request if it has the wanted commit.  false: no kept
 * clone can be used. */
bool git_kept_find(struct git *g, struct want *w);
/* Is the commit that is wanted in the clone, whatever its refs? */
bool git_kept_enough(struct git *g, const struct want *w);
/* Keeps a clone, before anything is checked out of it. */
void git_kept_put(struct git *g, const struct want *w);

#endif

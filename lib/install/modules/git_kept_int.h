/* git_kept_int.h - clones for other directories; see git_int.h */
#ifndef TFPIPE_INSTALL_GIT_KEPT_INT_H
#define TFPIPE_INSTALL_GIT_KEPT_INT_H

#include "install/modules/git_int.h"

/* Makes w->c.dir a clone out of what is kept, with the refs that the repository
 * has now; stale, and without asking, where the commit that is wanted is in it.
 * false: nothing is kept that can be used. */
bool git_kept_find(struct git *g, struct want *w);
/* Is the commit that is wanted in the clone, whatever its refs? */
bool git_kept_enough(struct git *g, const struct want *w);
/* Keeps a clone, before anything is checked out of it. */
void git_kept_put(struct git *g, const struct want *w);

#endif

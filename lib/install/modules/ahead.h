/*
 * ahead.h - repositories that are cloned before their turn
 *
 * Modules are installed one after another, in the order in which loading asks
 * for them.  All calls of a module are known before the first of them is
 * installed, so their repositories are cloned in parallel, by processes of
 * their own, each into a directory beside that of its module.  When a module's
 * turn comes, its clone is waited for and moved into place.
 *
 * Git never prompts ahead of a turn.  If it fails, for that reason or another,
 * the clone is made again in its turn, and only those errors count.
 */
#ifndef TFPIPE_INSTALL_AHEAD_H
#define TFPIPE_INSTALL_AHEAD_H

#include <stdbool.h>

#include "base/str.h"

struct ahead;
struct git;
struct hosts;

struct ahead *ahead_new(struct arena *a, struct git *git, struct hosts *hosts);
/* Wants a repository (git_fetch) for the module in dir; false: a clone of it
 * exists, or is wanted already. */
bool ahead_want(struct ahead *h, struct str url, struct str commit,
		struct str dir);
/* All calls of one module have been given: begins to clone, unless there is
 * only one repository, which is left for its turn. */
void ahead_begin(struct ahead *h);
/* Waits for a clone of the repository, which git (git.h) then knows, and moves
 * what was made for dir there.  true: all is done. */
bool ahead_take(struct ahead *h, struct str url, struct str dir);
/* Removes the clones that were not taken. */
void ahead_end(struct ahead *h);

#endif

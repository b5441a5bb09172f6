/*
 * ahead.h - repositories that are cloned before their turn
 *
 * Modules are installed one after another, in the order in which they are
 * told of.  What the calls of a module will need is known before the first of
 * them is installed, so their repositories are cloned beside one another, by
 * processes of their own, each into a directory beside that of its module.
 * When a module's turn comes, its clone is waited for and moved into place.
 *
 * Nobody is asked for anything ahead of a turn: where git fails, for that
 * reason or another, the clone is made again when it is its turn, and what is
 * said then is what counts.
 */
#ifndef TFPIPE_INSTALL_AHEAD_H
#define TFPIPE_INSTALL_AHEAD_H

#include <stdbool.h>

#include "base/str.h"

struct ahead;
struct git;
struct hosts;

struct ahead *ahead_new(struct arena *a, struct git *git, struct hosts *hosts);
/* A module that will be in dir wants this of a repository (git_fetch); false:
 * there is a clone of that, or will be. */
bool ahead_want(struct ahead *h, struct str url, struct str commit,
		struct str dir);
/* All has been said that one module calls.  One repository alone is left for
 * its turn. */
void ahead_begin(struct ahead *h);
/* Waits for a clone of the repository, which git (git.h) then knows, and moves
 * what was made for dir there.  true: all is done. */
bool ahead_take(struct ahead *h, struct str url, struct str dir);
/* Removes what nobody took. */
void ahead_end(struct ahead *h);

#endif

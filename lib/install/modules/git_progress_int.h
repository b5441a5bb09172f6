/* git_progress_int.h - the progress messages of git; see git_int.h */
#ifndef TFPIPE_INSTALL_GIT_PROGRESS_INT_H
#define TFPIPE_INSTALL_GIT_PROGRESS_INT_H

#include "install/modules/git_int.h"

/* Is progress wanted? */
bool git_tells(const struct git *g);
/* Reads to the end; reports progress lines and leaves them out of *said. */
int git_read(struct git *g, int fd, struct buf *said);

#endif

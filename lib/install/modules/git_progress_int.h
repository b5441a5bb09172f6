/* git_progress_int.h - what git says while it works; see git_int.h */
#ifndef TFPIPE_INSTALL_GIT_PROGRESS_INT_H
#define TFPIPE_INSTALL_GIT_PROGRESS_INT_H

#include "install/modules/git_int.h"

/* Is somebody interested in how much has come? */
bool git_tells(const struct git *g);
/* Reads to the end, without what is about that, which is told. */
int git_read(struct git *g, int fd, struct buf *said);

#endif

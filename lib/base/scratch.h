/*
 * scratch.h - a private directory for the time of a command, with FIFOs in it
 */
#ifndef TFPIPE_BASE_SCRATCH_H
#define TFPIPE_BASE_SCRATCH_H

#include "base/arena.h"

/* Makes a directory of a name that cannot be guessed, mode 0700, in TMPDIR or
 * /tmp.  names: of the FIFOs, ends with NULL.  *dir is what errors are about,
 * too. Returns 0, or -1 with errno. */
int scratch_make(struct arena *a, const char *const *names, const char **dir);
/* With all files in it. */
void scratch_remove(struct arena *a, const char *dir);

#endif

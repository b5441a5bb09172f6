/*
 * told.h - who was told a diagnostic already
 *
 * A stage writes its diagnostics into the stream, so that a saved run says why
 * it failed, and to standard error, unless it was given -json.  Whoever renders
 * the stream must not repeat them to the same person: `told` names the process
 * group, which is that of a pipe, and the file that standard error was.
 */
#ifndef TFPIPE_STREAM_TOLD_H
#define TFPIPE_STREAM_TOLD_H

#include "base/str.h"

/* Who reads our standard error; STR_NONE: nobody. */
struct str told_here(struct arena *a);

#endif

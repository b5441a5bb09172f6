/* redact.h - records that pass a stage whose output a person reads */
#ifndef TFPIPE_STREAM_REDACT_H
#define TFPIPE_STREAM_REDACT_H

#include "base/io.h"
#include "base/opts.h"

/* A record's line as a person may see it, added to out: unchanged unless it
 * has something to hide.  kind: of the record; a: scratch. */
void stream_redact(struct arena *a, struct str kind, struct str line,
		   struct buf *out);

#endif

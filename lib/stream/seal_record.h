/* seal_record.h - the record `seal`, written and read (see seal.h) */
#ifndef TFPIPE_STREAM_SEAL_RECORD_H
#define TFPIPE_STREAM_SEAL_RECORD_H

#include "base/diag.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/opts.h"
#include "json/json.h"
#include "json/write.h"
#include "stream/seal.h"

/* A `seal` record of the input. */
int seal_read(struct seal *s, struct str line, struct diags *ds);
/* The members of the seal record that the stage itself writes. */
void seal_write(struct seal *s, struct jw *w);

#endif

/* read.h - a plan stream taken in */
#ifndef TFPIPE_ENGINE_READ_H
#define TFPIPE_ENGINE_READ_H

#include "engine/apply/apply.h"

void apply_input_init(struct apply_input *in, struct arena *a);
/* Frees what is not in the arena. */
void apply_input_release(struct apply_input *in);
/* One record of the stream: a stream_record_fn with data = in. */
int apply_read(void *data, struct str kind, struct str line, struct diags *ds);
/* Called when all are read.  Refuses all but a whole plan without errors. */
int apply_read_finish(struct apply_input *in, struct diags *ds);

#endif

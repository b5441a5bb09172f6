/*
 * eval_batch.h - tf-eval -batch: expressions as JSON lines on the standard
 * input, {"id","expr"}, answers as JSON lines
 */
#ifndef TFPIPE_TOOLS_EVAL_BATCH_H
#define TFPIPE_TOOLS_EVAL_BATCH_H

#include "base/io.h"
#include "engine/run/run.h"

/* Answers every line; the last of the answers may still be in out.  -1 after a
 * diagnostic about a line that is none of these. */
int eval_batch(struct run *r, struct out *out, struct diags *ds);

#endif

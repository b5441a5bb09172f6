/*
 * batch.h - tf-eval -batch: expressions as JSON lines, {"id","expr"}, and
 * answers as JSON lines
 */
#ifndef TFPIPE_ENGINE_STAGE_BATCH_H
#define TFPIPE_ENGINE_STAGE_BATCH_H

#include <stdio.h>

#include "base/io.h"
#include "engine/run/run.h"

/* Answers every line of in; the last of the answers may still be in out.  -1
 * after a diagnostic about a line that is none of these. */
int batch_answer(struct run *r, FILE *in, struct out *out, struct diags *ds);

#endif

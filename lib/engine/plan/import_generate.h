/*
 * import_generate.h - import blocks without a resource block
 */
#ifndef TFPIPE_ENGINE_PLAN_IMPORT_GENERATE_H
#define TFPIPE_ENGINE_PLAN_IMPORT_GENERATE_H

#include "engine/plan/plan_int.h"
#include "engine/run/run.h"

/* Adds a resource without a body for each import block that has none. */
void imports_invent(struct arena *a, struct config *c, struct map *invented);
/* Once such an object is read: its body. */
int job_generate(struct job *j);
/* When planning it fails. */
void job_keep_generated(struct job *j);
/* Writes the file with generated configuration, if there is any; after
 * plan_write. */
int plan_write_generated(struct plan *p, struct diags *ds);

#endif

/*
 * import_generate.h - import blocks without a resource block
 */
#ifndef TFPIPE_ENGINE_PLAN_IMPORT_GENERATE_H
#define TFPIPE_ENGINE_PLAN_IMPORT_GENERATE_H

#include "engine/plan/plan_int.h"
#include "engine/run/run.h"

/* Adds a resource without a body for each import block that has none. */
void imports_invent(struct arena *a, struct config *c, struct map *invented);
bool import_is_invented(const struct plan *p, const struct cfg_resource *c);
/* Once the object of such a resource is known, imported or in the state: its
 * body. */
enum worked job_generate(struct worker *w);
/* When planning it fails. */
void job_keep_generated(struct job *j);
/* Writes the file with generated configuration, if there is any; after
 * plan_write. */
int plan_write_generated(struct plan *p, struct diags *ds);

#endif

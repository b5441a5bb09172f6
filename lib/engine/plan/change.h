/* change.h - recording changes, and what is common to planning an instance */
#ifndef TFPIPE_ENGINE_CHANGE_H
#define TFPIPE_ENGINE_CHANGE_H

#include "engine/plan/plan_int.h"

/* A change of the job's object, recorded. */
struct change *job_change(struct job *j, enum action action, enum reason reason,
			  const struct value *before,
			  const struct value *after);
/* Does lifecycle { destroy = false } hold back destroying? */
bool config_skips_destroy(const struct cfg_resource *c);
/* "Resource instance cannot be destroyed" */
int job_prevent_destroy(struct job *j, enum action action);
/* "Unsupported provisioner type": a provisioner that would be run is not
 * supported.  destroying: when the object goes, else when it is made. */
int job_provisioners(struct job *j, bool destroying);

#endif

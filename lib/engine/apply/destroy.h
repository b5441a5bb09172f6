/*
 * destroy.h - forgetting, and which removed block means a resource
 */
#ifndef TFPIPE_ENGINE_APPLY_DESTROY_H
#define TFPIPE_ENGINE_APPLY_DESTROY_H

#include "engine/apply/apply_int.h"

void apply_forget(struct apply *ap, uint32_t node);
/* Does the removed block of module m mean this resource? */
bool removed_names(struct arena *a, const struct cfg_module *m,
		   const struct cfg_removed *r,
		   const struct instance_addr *addr);

#endif

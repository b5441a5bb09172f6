/* plan_valid.h - may a provider plan this? */
#ifndef TFPIPE_ENGINE_OBJECT_PLAN_VALID_H
#define TFPIPE_ENGINE_OBJECT_PLAN_VALID_H

#include "engine/object/objchange.h"

/* May `planned` be the plan for going from prior to config?  All without marks;
 * `sensitive`: paths of values not to be shown, besides those that the schema
 * marks. */
void plan_valid(struct arena *a, const struct schema_block *b,
		const struct value *prior, const struct value *config,
		const struct value *planned, const struct path_vec *sensitive,
		struct verror_vec *out);

#endif

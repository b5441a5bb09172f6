/*
 * objchange.h - objects and their changes: what a plan may say and what an
 * apply may return
 *
 * The rules between configuration, prior state, planned state and new state of
 * one object (resource-instance-change-lifecycle.md), by schema.  Values given
 * here have the schema's implied type; where that is dynamic, any.
 *
 * Results and errors are made in `a`.  Functions that check add to `out` and
 * are silent when all is well; messages are for provider developers and never
 * contain sensitive values.
 */
#ifndef TFPIPE_ENGINE_OBJECT_OBJCHANGE_H
#define TFPIPE_ENGINE_OBJECT_OBJCHANGE_H

#include "config/config.h"
#include "schema/objects.h"
#include "value/path.h"
#include "value/convert.h"

struct verror_vec VEC_OF(struct verror);

/* Configuration where it says something, computed attributes as they were
 * before; nested blocks and attributes are correlated by index, key or (sets)
 * by what is not computed.  prior and config without marks; either may be
 * null. */
const struct value *objchange_proposed(struct arena *a,
				       const struct schema_block *b,
				       const struct value *prior,
				       const struct value *config);

/* The proposed value of something that has no plan of its own (a data source
 * read during apply, a deferred ephemeral resource): computed attributes that
 * the configuration leaves out are unknown. */
const struct value *objchange_proposed_unknown(struct arena *a,
					       const struct schema_block *b,
					       const struct value *config);

#endif

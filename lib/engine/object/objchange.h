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
const struct value *proposed_new(struct arena *a,
				 const struct schema_block *b,
				 const struct value *prior,
				 const struct value *config);

/* As proposed_new for something that has no plan of its own (a data source read
 * during apply, a deferred ephemeral resource): computed attributes that the
 * configuration leaves out are unknown. */
const struct value *proposed_unknown(struct arena *a,
				     const struct schema_block *b,
				     const struct value *config);

/* May `planned` be the plan for going from prior to config?  All without
 * marks; `sensitive` says what of them is not to be shown, beside what the
 * schema says. */
void plan_valid(struct arena *a, const struct schema_block *b,
		const struct value *prior, const struct value *config,
		const struct value *planned, const struct path_vec *sensitive,
		struct verror_vec *out);

/* Is `actual` a completion of `planned`?  Marks are allowed: what is marked
 * sensitive is not shown. */
void object_compatible(struct arena *a, const struct schema_block *b,
		       const struct value *planned, const struct value *actual,
		       struct verror_vec *out);

/* v with null for all that is unknown, whose paths are added to `found`. */
const struct value *value_without_unknown(struct arena *a,
					  const struct value *v,
					  struct path_vec *found);

/* Blocks that a provider of the legacy SDK left null or unknown become empty,
 * or one block of unknown content.  Marks stay. */
const struct value *normalize_legacy_object(struct arena *a,
					    const struct schema_block *b,
					    const struct value *v);

/* The configuration with what l's ignore_changes names put back to the prior
 * values; with b, `all` spares what the provider computes. */
const struct value *ignore_changes(struct arena *a,
				   const struct cfg_lifecycle *l,
				   const struct value *prior,
				   const struct value *config,
				   const struct schema_block *b);

/* What of `asked`, the paths by which a provider asks for a replacement,
 * counts: where the values differ, and write-only attributes always (then the
 * result is true); `absent` are those that name nothing.  Nothing counts when
 * prior is null.  Marks are ignored. */
bool replace_paths(struct arena *a, const struct schema_block *b,
		   const struct value *prior, const struct value *planned,
		   const struct path_vec *asked, struct path_vec *counts,
		   struct path_vec *absent);

#endif

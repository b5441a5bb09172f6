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

/* compatible.c: is what a provider returned what was planned? */

/* Is `actual` a completion of `planned`?  Marks are allowed: what is marked
 * sensitive is not shown. */
void object_compatible(struct arena *a, const struct schema_block *b,
		       const struct value *planned, const struct value *actual,
		       struct verror_vec *out);
/* Is `again`, a second plan, a completion of the first?  A null whose type was
 * open stays one: it is what was shown.  (OpenTofu takes anything instead.) */
void object_plans_compatible(struct arena *a, const struct schema_block *b,
			     const struct value *planned,
			     const struct value *again, struct verror_vec *out);

/*
 * ignore_changes.c: lifecycle { ignore_changes }: the configuration with what
 * it must not change put back to the prior values
 */

/* The configuration with what l's ignore_changes names put back to the prior
 * values; with b, `all` spares what the provider computes. */
const struct value *ignore_changes(struct arena *a,
				   const struct cfg_lifecycle *l,
				   const struct value *prior,
				   const struct value *config,
				   const struct schema_block *b);

/* normalize.c: objects of legacy-SDK providers, made regular */

/* Blocks that a provider of the legacy SDK left null or unknown become empty,
 * or one block of unknown content.  Marks stay. */
const struct value *normalize_legacy_object(struct arena *a,
					    const struct schema_block *b,
					    const struct value *v);

/* plan_valid.c: may a provider plan this? */

/* May `planned` be the plan for going from prior to config?  All without marks;
 * `sensitive`: paths of values not to be shown, besides those that the schema
 * marks. */
void plan_valid(struct arena *a, const struct schema_block *b,
		const struct value *prior, const struct value *config,
		const struct value *planned, const struct path_vec *sensitive,
		struct verror_vec *out);

/*
 * replace_paths.c: which "requires replace" paths of a provider count, for
 * the plan and for the one made again when applying
 */

/* Adds to `counts` the paths of `asked`, by which a provider asks for a
 * replacement, that count: where the values differ, and write-only attributes
 * always (then the result is true); to `absent` those that name nothing.
 * Nothing counts when prior is null.  Marks are ignored. */
bool replace_paths(struct arena *a, const struct schema_block *b,
		   const struct value *prior, const struct value *planned,
		   const struct path_vec *asked, struct path_vec *counts,
		   struct path_vec *absent);

#endif

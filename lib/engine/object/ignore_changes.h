/*
 * ignore_changes.h - lifecycle { ignore_changes }: the configuration with what
 * it must not change put back to the prior values
 */
#ifndef TFPIPE_ENGINE_OBJECT_IGNORE_CHANGES_H
#define TFPIPE_ENGINE_OBJECT_IGNORE_CHANGES_H

#include "engine/object/objchange.h"

/* The configuration with what l's ignore_changes names put back to the prior
 * values; with b, `all` spares what the provider computes. */
const struct value *ignore_changes(struct arena *a,
				   const struct cfg_lifecycle *l,
				   const struct value *prior,
				   const struct value *config,
				   const struct schema_block *b);

#endif

/*
 * replace_paths.h - which "requires replace" paths of a provider count, for
 * the plan and for the one made again when applying
 */
#ifndef TFPIPE_ENGINE_OBJECT_REPLACE_PATHS_H
#define TFPIPE_ENGINE_OBJECT_REPLACE_PATHS_H

#include "engine/object/objchange.h"

/* Adds to `counts` the paths of `asked`, by which a provider asks for a
 * replacement, that count: where the values differ, and write-only attributes
 * always (then the result is true); to `absent` those that name nothing.
 * Nothing counts when prior is null.  Marks are ignored. */
bool replace_paths(struct arena *a, const struct schema_block *b,
		   const struct value *prior, const struct value *planned,
		   const struct path_vec *asked, struct path_vec *counts,
		   struct path_vec *absent);

#endif

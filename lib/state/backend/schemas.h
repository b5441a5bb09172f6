/*
 * schemas.h - what may be written in the block of a backend
 *
 * `type` is the label of the block; "cloud" is the block of that name.
 */
#ifndef TFPIPE_STATE_BACKEND_SCHEMAS_H
#define TFPIPE_STATE_BACKEND_SCHEMAS_H

#include "schema/schema.h"

/* A finished schema; NULL: there is no such backend.  An argument that must be
 * given is optional where the environment or a default gives it. */
const struct schema_block *backend_schema(struct arena *a, struct str type);

/* The schema with nothing required: for what a block alone says, which
 * -backend-config completes. */
const struct schema_block *backend_schema_partial(struct arena *a,
						  struct str type);

/* A block's value without those arguments that OpenTofu does not have, where
 * they are not set: so that it reads what we remember, and sees no change. */
const struct value *backend_as_peer(struct arena *a, struct str type,
				    const struct value *v);

/* What an argument has when the block does not set it: the first of its
 * environment variables that is not empty, else its default; absent where there
 * is neither.  `path` is its name, or "endpoints.s3" for a member of an object.
 */
struct str backend_default(struct arena *a, struct str type, struct str path);

#endif

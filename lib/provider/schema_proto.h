/*
 * schema_proto.h - schemas as a plugin sends them
 *
 * The answers stay encoded; a type's schema is decoded on first use
 * (provider_resource_schema), for most are never used.
 */
#ifndef TFPIPE_PROVIDER_SCHEMA_PROTO_H
#define TFPIPE_PROVIDER_SCHEMA_PROTO_H

#include "provider/provider.h"

/* A type's schema, not decoded yet; see struct resource_schema. */
struct lazy_schema {
	struct arena *arena;
	int protocol;
	bool done;           /* decoded, or found to be invalid */
	struct str schema;   /* a Schema */
	struct str identity; /* an IdentitySchema; may be empty */
	struct str why;      /* invalid: why */
};

/* The answers to GetProviderSchema and GetResourceIdentitySchemas (empty: it
 * has none), as they came. */
struct schema_answers {
	int protocol;
	struct str schema, identities;
};

/* Decodes; s->block stays NULL when it is invalid. */
void schema_decode(struct resource_schema *s);
/* A function's signature, without what calls it.  NULL: it is invalid. */
struct func *schema_function(struct arena *a, struct str name,
			     struct str bytes);

#endif

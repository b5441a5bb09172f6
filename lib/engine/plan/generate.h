/*
 * generate.h - configuration for objects that exist already
 *
 * Writes resource blocks for which planning finds nothing to change: every
 * argument that can be set, as the object has it, in canonical format.
 */
#ifndef TFPIPE_ENGINE_PLAN_GENERATE_H
#define TFPIPE_ENGINE_PLAN_GENERATE_H

#include "addr/addr.h"
#include "schema/schema.h"

/* The contents of the block; provider: NULL if the resource's type implies
 * it. */
struct str generate_body(struct arena *a, const struct schema_block *schema,
			 const char *provider, const struct value *v,
			 struct diags *ds);
/* resource "TYPE" "NAME" { body } */
struct str generate_block(struct arena *a, const struct resource_addr *r,
			  struct str body, struct diags *ds);

#endif

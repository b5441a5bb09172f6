/*
 * schema.h - what the test provider offers
 *
 * Resource types (all with `id`, and `do`: see orders.h):
 *   test_thing       a few attributes: the everyday case
 *   test_all         every kind of attribute and block there is
 *   test_versioned   schema version 2; `title` of version 1 became `name`
 *   test_identified  with an identity
 *   test_renamed     takes over the state of test_thing (MoveResourceState)
 *   test_retired     test_thing, deprecated as a whole
 *   test_hidden      objects of every nesting with something sensitive
 * Data sources test_thing, test_all, test_hidden and test_retired (test_all,
 * deprecated), the ephemeral resource test_token, the functions echo, join, add
 * and fail, a provider configuration and provider_meta.
 *
 * Attributes of these names behave alike everywhere:
 *   comp      computed: text made by the provider
 *   oc        optional and computed
 *   ci        compared without regard to case
 *   force     a change needs a replacement
 *   wo        write-only
 *   implicit  computed: the names of the blocks, and one block more
 */
#ifndef TEST_PROVIDER_SCHEMA_H
#define TEST_PROVIDER_SCHEMA_H

#include "addr/addr.h"
#include "schema/schema.h"

struct resource_type {
	const char *name;
	enum resource_mode mode;
	uint64_t version;
	const struct schema_block *block;
	const struct schema_block *identity; /* may be NULL */
};

struct catalogue {
	struct resource_type *types;
	size_t ntypes;
	const struct schema_block *config, *meta;
};

/* protocol 5 has no nested attributes.  huge: so many resource types more of
 * 100 attributes each. */
void catalogue_make(struct arena *a, unsigned protocol, unsigned huge,
		    struct catalogue *out);
const struct resource_type *catalogue_find(const struct catalogue *c,
					   enum resource_mode mode,
					   struct str name);

#endif

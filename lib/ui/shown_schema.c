/* shown_schema.c - see outputs.h */
#include "ui/outputs.h"
#include "addr/provider.h"

static struct str schema_key(struct arena *a, struct str mode, struct str type,
			     struct str provider)
{
	return STR_CAT(a, mode, STR("."), type, STR("@"), provider);
}

void shown_schema_put(struct arena *a, struct map *schemas, struct str mode,
		      struct str type, struct str provider,
		      const struct resource_schema *rs)
{
	map_put(a, schemas, schema_key(a, mode, type, provider), (void *)rs);
}

const struct resource_schema *shown_schema(const struct map *schemas,
					   enum resource_mode mode,
					   struct str type,
					   struct provider_addr provider)
{
	struct arena scratch = ARENA_INIT;
	const struct resource_schema *found =
		map_get(schemas,
			schema_key(&scratch, str_c(resource_mode_name(mode)),
				   type,
				   provider_addr_text(&scratch, provider)));

	arena_release(&scratch);
	return found;
}

const struct schema_block *shown_provider_block(const struct map *schemas,
						struct str provider)
{
	struct arena scratch = ARENA_INIT;
	const struct resource_schema *found =
		map_get(schemas, schema_key(&scratch, STR("provider"), STR(""),
					    provider));

	arena_release(&scratch);
	return found ? found->block : NULL;
}

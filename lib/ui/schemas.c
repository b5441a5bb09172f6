/* schemas.c - see schemas.h */
#include "ui/schemas.h"

static struct str schema_key(struct arena *a, struct str mode,
			     struct str type, struct str provider)
{
	return str_printf(a, "%.*s.%.*s@%.*s", STR_ARG(mode), STR_ARG(type),
			  STR_ARG(provider));
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
	const struct resource_schema *found = map_get(
		schemas, schema_key(&scratch, str_c(resource_mode_name(mode)), type,
				    provider_addr_text(&scratch, provider)));

	arena_release(&scratch);
	return found;
}

const struct schema_block *
shown_provider_block(const struct map *schemas, struct str provider)
{
	struct arena scratch = ARENA_INIT;
	const struct resource_schema *found = map_get(
		schemas, schema_key(&scratch, STR("provider"), STR(""),
				    provider));

	arena_release(&scratch);
	return found ? found->block : NULL;
}

const struct provider_schema *opened_schema(struct opened_providers *o,
					    struct provider_addr p,
					    struct diags *ds)
{
	struct str name = provider_addr_text(o->arena, p);
	struct provider *opened = map_get(&o->by_name, name);

	if (opened)
		return opened->schema;
	if (!o->loop)
		o->loop = loop_new();
	opened = provider_open(o->arena, o->loop, o->source, p, ds);
	if (!opened)
		return NULL;
	map_put(o->arena, &o->by_name, name, opened);
	return opened->schema;
}

int opened_state_schemas(struct opened_providers *o, const struct state *st,
			 struct map *schemas, struct diags *ds)
{
	const size_t errors = ds->errors;
	struct map failed = { 0 };

	for (size_t i = 0; i < st->resources.len; i++) {
		const struct state_resource *r = st->resources.items[i];
		struct provider_addr p = r->provider.provider;
		struct str name = provider_addr_text(o->arena, p);
		const struct provider_schema *s;
		const struct resource_schema *rs;

		if (map_has(&failed, name) ||
		    shown_schema(schemas, r->addr.mode, r->addr.type, p))
			continue;
		s = opened_schema(o, p, ds);
		if (!s) {
			map_put(o->arena, &failed, name, o);
			continue;
		}
		rs = provider_resource_schema(s, r->addr.mode, r->addr.type,
					      ds);
		if (rs)
			shown_schema_put(o->arena, schemas,
					 str_c(resource_mode_name(r->addr.mode)),
					 r->addr.type, name, rs);
	}
	return ds->errors > errors ? -1 : 0;
}

void opened_close(struct opened_providers *o)
{
	for (size_t i = 0; i < o->by_name.len; i++) {
		struct provider *p = o->by_name.entries[i].value;

		p->ops->close(p);
	}
	if (o->loop)
		loop_free(o->loop);
	o->loop = NULL;
	o->by_name.len = 0;
}

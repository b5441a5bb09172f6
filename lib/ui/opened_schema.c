/* opened_schema.c - schemas that providers are asked for, see shown_schema.c */
#include "ui/outputs.h"
#include "addr/provider.h"
#include "provider/open.h"

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
					 str_c(resource_mode_name(
						 r->addr.mode)),
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

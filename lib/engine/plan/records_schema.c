/* records_schema.c - the schemas in use, as records */
#include <stdlib.h>

#include "engine/plan/plan_int.h"
#include "addr/provider.h"
#include "engine/run/providers.h"
#include "json/write.h"
#include "provider/schema_cache.h"
#include "provider/source.h"
#include "stream/stream.h"

struct schema_use {
	struct str key; /* for order and uniqueness */
	struct provider_addr provider;
	const char *mode;
	struct str type;
	const struct resource_schema *schema; /* NULL: the provider's own */
	const struct schema_block *block;
};

struct schema_uses {
	struct plan *p;
	struct map seen;
	const struct schema_block *last;
	VEC(struct schema_use) all;
};

static void use(struct schema_uses *u, struct provider_addr provider,
		const char *mode, struct str type,
		const struct resource_schema *schema,
		const struct schema_block *block)
{
	struct arena *a = u->p->arena;
	struct schema_use x = { .provider = provider,
				.mode = mode,
				.type = type,
				.schema = schema,
				.block = block };

	/* Most resources are like the one before. */
	if (!block || block == u->last)
		return;
	u->last = block;
	x.key = STR_CAT(a, provider_addr_text(a, provider), STR(" "),
			str_c(mode), STR(" "), type);
	if (map_has(&u->seen, x.key))
		return;
	map_put(a, &u->seen, x.key, u);
	vec_push(a, &u->all, x);
}

static void use_resource(struct schema_uses *u, struct provider_addr provider,
			 const struct resource_addr *r)
{
	struct diags quiet = DIAGS_INIT(u->p->arena);
	const struct resource_schema *s =
		run_resource_schema(u->p->run, provider, r, &quiet);

	if (s)
		use(u, provider, resource_mode_name(r->mode), r->type, s,
		    s->block);
}

static void use_module(struct schema_uses *u, const struct cfg_module *m)
{
	const struct map *maps[] = { &m->managed, &m->data, &m->ephemeral };
	struct diags quiet = DIAGS_INIT(u->p->arena);

	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < maps[k]->len; i++) {
			const struct cfg_resource *r =
				maps[k]->entries[i].value;

			use_resource(u, r->provider, &r->addr);
		}
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *c = m->providers.entries[i].value;
		const struct provider_schema *s =
			run_provider_schema(u->p->run, c->provider, &quiet);

		if (s)
			use(u, c->provider, "provider", STR(""), NULL,
			    s->config);
	}
}

static int by_key(const void *x, const void *y)
{
	const struct schema_use *a = x, *b = y;

	return str_cmp(a->key, b->key);
}

void plan_write_schemas(struct stream_out *o, struct plan *p)
{
	const struct config *c = p->run->config;
	struct schema_uses u = { .p = p };

	for (size_t i = 0; i < c->modules.len; i++)
		use_module(&u, c->modules.entries[i].value);
	for (size_t i = 0; i < p->state->resources.len; i++) {
		const struct state_resource *r = p->state->resources.items[i];

		if (r->instances.len)
			use_resource(&u, r->provider.provider, &r->addr);
	}
	if (u.all.len)
		qsort(u.all.items, u.all.len, sizeof(*u.all.items), by_key);
	for (size_t i = 0; i < u.all.len; i++) {
		const struct schema_use *x = &u.all.items[i];
		struct jw w = stream_record(o, "schema", STR_NONE);

		jw_member_str(&w, "provider",
			      provider_addr_text(p->arena, x->provider));
		jw_member_str(&w, "mode", str_c(x->mode));
		jw_member_str(&w, "type", x->type);
		jw_member_int(&w, "version",
			      x->schema ? (int64_t)x->schema->version : 0);
		jw_key(&w, "block");
		schema_block_json(&w, x->block);
		if (x->schema && x->schema->identity) {
			jw_key(&w, "identity");
			schema_block_json(&w, x->schema->identity);
		}
		stream_record_end(o, &w);
	}
}

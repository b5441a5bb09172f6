/*
 * show_config.c - the configuration of a directory in the published form: as
 * plans have it (show -config), or one module for itself (show -module)
 */
#include <unistd.h>

#include "ui/show/show.h"
#include "addr/provider.h"
#include "json/write.h"
#include "ui/outputs.h"
#include "install/providers/requirements.h"
#include "provider/open.h"
#include "ui/show/show_int.h"

static void need_resource(struct opened_providers *o,
			  const struct cfg_resource *r, struct map *schemas,
			  struct diags *ds)
{
	const char *mode = resource_mode_name(r->addr.mode);
	const struct provider_schema *s = opened_schema(o, r->provider, ds);
	const struct resource_schema *rs;
	size_t errors = ds->errors;

	if (!s)
		return;
	rs = provider_resource_schema(s, r->addr.mode, r->addr.type, ds);
	if (rs)
		shown_schema_put(o->arena, schemas, str_c(mode), r->addr.type,
				 provider_addr_text(o->arena, r->provider), rs);
	else if (ds->errors == errors)
		diag_error(ds, &r->type_at, "Invalid resource type",
			   "The provider has no %s resource type %.*s.", mode,
			   STR_ARG(r->addr.type));
}

static void need_module(struct opened_providers *o, const struct cfg_module *m,
			struct map *schemas, struct diags *ds)
{
	const struct map *kinds[] = { &m->managed, &m->data, &m->ephemeral };

	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < kinds[k]->len; i++)
			need_resource(o, kinds[k]->entries[i].value, schemas,
				      ds);
}

/* The schemas of all that is written, used or not. */
static int need_schemas(struct opened_providers *o, const struct config *c,
			struct map *schemas, struct diags *ds)
{
	struct requirement_vec reqs = { 0 };

	requirements_collect(o->arena, c, &reqs);
	for (size_t i = 0; i < reqs.len; i++) {
		struct provider_addr p = reqs.items[i]->provider;
		struct resource_schema *rs =
			ARENA_NEW(o->arena, struct resource_schema);
		const struct provider_schema *s = opened_schema(o, p, ds);

		if (!s)
			continue;
		rs->block = s->config;
		shown_schema_put(o->arena, schemas, STR("provider"), STR(""),
				 provider_addr_text(o->arena, p), rs);
	}
	for (size_t i = 0; i < c->modules.len && !diags_failed(ds); i++)
		need_module(o, c->modules.entries[i].value, schemas, ds);
	return diags_failed(ds) ? -1 : 0;
}

static int put(struct arena *a, const struct config *c,
	       const struct map *schemas)
{
	struct out out = OUT_INIT(STDOUT_FILENO);
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	int rc;

	w.html = true;
	config_json(&w, c, schemas);
	buf_putc(&b, '\n');
	out_str(&out, buf_view(&b));
	rc = diags_written(a, &out);
	out_release(&out);
	buf_release(&b);
	return rc;
}

int show_config(struct arena *a, const struct config *c,
		struct provider_source *providers, struct diags *ds)
{
	struct opened_providers opened = { .arena = a, .source = providers };
	struct map schemas = { 0 };
	int rc;

	if (!providers)
		return put(a, c, NULL);
	rc = need_schemas(&opened, c, &schemas, ds) || put(a, c, &schemas);
	opened_close(&opened);
	return rc ? -1 : 0;
}

/*
 * providers_json.c - what providers offer, in the published form of `providers
 * schema -json` (format version 1.0)
 */
#include "ui/show/providers.h"
#include "addr/provider.h"
#include "funcs/table.h"
#include "install/providers/installed.h"
#include "install/providers/requirements.h"
#include "json/write.h"
#include "provider/open.h"
#include "provider/schema_cache.h"
#include "ui/outputs.h"
#include "value/type.h"

static void versioned(struct jw *w, uint64_t version,
		      const struct schema_block *b)
{
	jw_object(w);
	jw_member_int(w, "version", (int64_t)version);
	if (b) {
		jw_key(w, "block");
		schema_block_json(w, b);
	}
	jw_object_end(w);
}

static void types_json(struct jw *w, const char *name,
		       const struct provider_schema *s, enum resource_mode mode,
		       const struct map *types, struct diags *ds)
{
	if (!types->len)
		return;
	jw_key(w, name);
	jw_object(w);
	for (size_t i = 0; i < types->len; i++) {
		struct str type = types->entries[i].key;
		const struct resource_schema *rs =
			provider_resource_schema(s, mode, type, ds);

		if (!rs)
			continue;
		jw_key_str(w, type);
		versioned(w, rs->published, rs->block);
	}
	jw_object_end(w);
}

static void functions_json(struct jw *w, const struct provider_schema *s)
{
	if (!s->functions.len)
		return;
	jw_key(w, "functions");
	jw_object(w);
	for (size_t i = 0; i < s->functions.len; i++) {
		jw_key_str(w, s->functions.entries[i].key);
		func_signature_json(w, s->functions.entries[i].value, true);
	}
	jw_object_end(w);
}

static void identity_json(struct jw *w, const struct resource_schema *rs)
{
	const struct schema_block *b = rs->identity;

	jw_object(w);
	jw_member_int(w, "version", rs->identity_version);
	jw_key(w, "attributes");
	jw_object(w);
	for (size_t i = 0; i < b->nattrs; i++) {
		const struct schema_attr *at = &b->attrs[i];

		jw_key_str(w, at->name);
		jw_object(w);
		jw_key(w, "type");
		type_to_json(w, at->type);
		if (at->description.n)
			jw_member_str(w, "description", at->description);
		if (at->required)
			jw_member_bool(w, "required_for_import", true);
		if (at->optional)
			jw_member_bool(w, "optional_for_import", true);
		jw_object_end(w);
	}
	jw_object_end(w);
	jw_object_end(w);
}

static void identities_json(struct jw *w, const struct provider_schema *s)
{
	bool any = false;

	for (size_t i = 0; i < s->managed.len; i++) {
		struct str type = s->managed.entries[i].key;
		const struct resource_schema *rs =
			provider_resource_schema(s, MODE_MANAGED, type, NULL);

		if (!rs || !rs->identity)
			continue;
		if (!any) {
			jw_key(w, "resource_identity_schemas");
			jw_object(w);
			any = true;
		}
		jw_key_str(w, type);
		identity_json(w, rs);
	}
	if (any)
		jw_object_end(w);
}

/* One member of "provider_schemas".  Types whose schema makes no sense are left
 * out, with a diagnostic. */
static void provider_schema_json(struct jw *w, const struct provider_schema *s,
				 struct diags *ds)
{
	jw_object(w);
	if (s->config) {
		jw_key(w, "provider");
		/* The built-in one has nothing to be configured with. */
		versioned(w, 0,
			  provider_addr_equal(s->addr, provider_builtin)
				  ? NULL
				  : s->config);
	}
	types_json(w, "resource_schemas", s, MODE_MANAGED, &s->managed, ds);
	types_json(w, "data_source_schemas", s, MODE_DATA, &s->data, ds);
	types_json(w, "ephemeral_resource_schemas", s, MODE_EPHEMERAL,
		   &s->ephemeral, ds);
	functions_json(w, s);
	identities_json(w, s);
	jw_object_end(w);
}

static int opened_json(struct jw *w, const struct requirement_vec *reqs,
		       struct opened_providers *opened, struct diags *ds)
{
	jw_object(w);
	jw_member_str(w, "format_version", STR("1.0"));
	if (reqs->len) {
		jw_key(w, "provider_schemas");
		jw_object(w);
	}
	for (size_t i = 0; i < reqs->len; i++) {
		struct provider_addr p = reqs->items[i]->provider;
		const struct provider_schema *s = opened_schema(opened, p, ds);

		if (!s)
			continue;
		jw_key_str(w, provider_addr_text(opened->arena, p));
		provider_schema_json(w, s, ds);
	}
	if (reqs->len)
		jw_object_end(w);
	jw_object_end(w);
	return diags_failed(ds) ? -1 : 0;
}

int providers_json(struct arena *a, const struct workdir *dir, struct buf *out,
		   const struct config *c, const struct state *st,
		   struct diags *ds)
{
	struct opened_providers opened = { .arena = a };
	struct requirement_vec reqs = { 0 };
	struct jw w = JW_INIT(out);
	const size_t before = out->len;
	int rc;

	requirements_collect(a, c, &reqs);
	requirements_of_state(a, st, &reqs);
	opened.source = installed_source(a, dir, c->default_host);
	opened.source->ask = true;
	w.html = true;
	rc = installed_check(opened.source, a, c, false, ds) ||
	     opened_json(&w, &reqs, &opened, ds);
	if (rc)
		buf_set_len(out, before);
	else
		buf_putc(out, '\n');
	opened_close(&opened);
	return rc ? -1 : 0;
}

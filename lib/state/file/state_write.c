/*
 * state_write.c - state files written as OpenTofu 1.12.6 writes them
 *
 * Members in a fixed order, two spaces a level, resources and instances sorted;
 * the file ends with an empty line, as the peer's does.  Attributes are
 * formatted again from their text, wherever it came from.
 */
#include <inttypes.h>
#include <stdio.h>

#include "state/file/file.h"
#include "json/write.h"
#include "lang/syntax/ident.h"
#include "base/product.h"
#include "state/state.h"
#include "addr/provider.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/type.h"

static void member_json(struct jw *w, const char *name, struct str json)
{
	jw_key(w, name);
	jw_text(w, json);
}

/* More than an int64_t may be read. */
static void member_uint(struct jw *w, const char *name, uint64_t n)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%" PRIu64, n);

	jw_key(w, name);
	jw_raw(w, (struct str){ text, (size_t)len });
}

static void member_true(struct jw *w, const char *name, bool b)
{
	if (b)
		jw_member_bool(w, name, true);
}

static void write_output(struct jw *w, const struct state_output *o)
{
	jw_key_str(w, o->name);
	jw_object(w);
	jw_key(w, "value");
	value_to_json(w, o->value, NULL);
	jw_key(w, "type");
	type_to_json(w, o->value->type);
	member_true(w, "sensitive",
		    value_has_mark_deep(o->value, MARK_SENSITIVE));
	if (o->deprecated.n)
		jw_member_str(w, "deprecated", o->deprecated);
	jw_object_end(w);
}

static void write_key(struct jw *w, struct inst_key k)
{
	if (k.kind == KEY_INT)
		jw_member_int(w, "index_key", k.i);
	else if (k.kind == KEY_STRING)
		jw_member_str(w, "index_key", k.s);
}

static void write_dependencies(struct jw *w, const struct state_instance *i)
{
	if (!i->ndependencies)
		return;
	jw_key(w, "dependencies");
	jw_array(w);
	for (size_t n = 0; n < i->ndependencies; n++)
		jw_str(w, i->dependencies[n]);
	jw_array_end(w);
}

static void write_instance(struct jw *w, const struct state_instance *i,
			   struct str provider)
{
	jw_object(w);
	write_key(w, i->key);
	if (i->tainted)
		jw_member_str(w, "status", STR("tainted"));
	if (i->deposed.n)
		jw_member_str(w, "deposed", i->deposed);
	if (provider.n)
		jw_member_str(w, "provider", provider);
	member_uint(w, "schema_version", i->schema_version);
	if (i->attributes.n)
		member_json(w, "attributes", i->attributes);
	if (i->attributes_flat.n)
		member_json(w, "attributes_flat", i->attributes_flat);
	member_json(w, "sensitive_attributes",
		    i->sensitive.n ? i->sensitive : STR("[]"));
	if (i->private_data.n)
		jw_member_str(w, "private", i->private_data);
	write_dependencies(w, i);
	member_true(w, "create_before_destroy", i->create_before_destroy);
	member_true(w, "skip_destroy", i->skip_destroy);
	if (i->identity.n) {
		member_json(w, "identity", i->identity);
		if (!i->identity_unversioned)
			member_uint(w, "identity_schema_version",
				    i->identity_schema_version);
	}
	jw_object_end(w);
}

/* aws["us"] is aws.us, and files have the latter
 * (rfc-static-evaluation-providers.md, Providers in the State). */
static struct str instance_provider(struct arena *scratch,
				    const struct state_resource *r,
				    const struct state_instance *i)
{
	struct str key = i->provider_key, name;

	name = key.n > 4 && key.p[1] == '"' ? str_sub(key, 2, key.n - 2)
					    : STR_NONE;
	if (r->provider.alias.n || !ident_valid(name))
		return state_provider_text(scratch, r, i);
	return STR_CAT(scratch, provider_config_text(scratch, &r->provider),
		       STR("."), name);
}

static bool any_provider_key(const struct state_resource *r)
{
	for (size_t n = 0; n < r->instances.len; n++)
		if (r->instances.items[n]->provider_key.n)
			return true;
	return false;
}

static void write_resource(struct jw *w, const struct state_resource *r,
			   struct arena *scratch)
{
	struct state_instance **sorted = state_instances_sorted(scratch, r);
	bool keyed = any_provider_key(r);
	struct buf module = BUF_INIT;

	jw_object(w);
	if (r->module.len) {
		module_addr_print(&module, r->module);
		jw_member_str(w, "module", buf_view(&module));
		buf_release(&module);
	}
	jw_member_str(w, "mode", str_c(resource_mode_name(r->addr.mode)));
	jw_member_str(w, "type", r->addr.type);
	jw_member_str(w, "name", r->addr.name);
	if (!keyed || !r->provider.alias.n)
		jw_member_str(w, "provider",
			      provider_config_text(scratch, &r->provider));
	jw_key(w, "instances");
	jw_array(w);
	for (size_t n = 0; n < r->instances.len; n++)
		write_instance(w, sorted[n],
			       keyed ? instance_provider(scratch, r, sorted[n])
				     : STR_NONE);
	jw_array_end(w);
	jw_object_end(w);
}

static void write_check(struct jw *w, const struct state_check *c)
{
	jw_object(w);
	jw_member_str(w, "object_kind", c->object_kind);
	jw_member_str(w, "config_addr", c->config_addr);
	jw_member_str(w, "status", c->status);
	member_json(w, "objects", c->objects.n ? c->objects : STR("null"));
	jw_object_end(w);
}

static void write_resources(struct jw *w, const struct state *s)
{
	struct arena scratch = ARENA_INIT;
	struct state_resource **rs = state_resources_sorted(&scratch, s);

	jw_key(w, "resources");
	jw_array(w);
	for (size_t n = 0; n < s->resources.len; n++)
		if ((rs[n]->instances.len || rs[n]->kept) &&
		    rs[n]->addr.mode != MODE_EPHEMERAL)
			write_resource(w, rs[n], &scratch);
	jw_array_end(w);
	arena_release(&scratch);
}

static void write_checks(struct jw *w, const struct state *s)
{
	jw_key(w, "check_results");
	if (!s->checks.len) {
		jw_null(w);
		return;
	}
	jw_array(w);
	for (size_t n = 0; n < s->checks.len; n++)
		write_check(w, &s->checks.items[n]);
	jw_array_end(w);
}

static void write_state(struct buf *out, const struct state *s, int indent)
{
	const struct state_output_list outs = state_outputs_sorted(s);
	struct jw w = { .out = out, .html = true, .indent = indent };

	jw_object(&w);
	jw_member_int(&w, "version", 4);
	jw_member_str(&w, "terraform_version", STR(COMPATIBLE_VERSION));
	member_uint(&w, "serial", s->serial);
	jw_member_str(&w, "lineage", s->lineage);
	jw_key(&w, "outputs");
	jw_object(&w);
	for (size_t n = 0; n < outs.len; n++)
		write_output(&w, &outs.items[n]);
	jw_object_end(&w);
	write_resources(&w, s);
	write_checks(&w, s);
	jw_object_end(&w);
	buf_puts(out, indent ? "\n\n" : "\n");
}

void state_write(struct buf *out, const struct state *s)
{
	write_state(out, s, 2);
}

void state_write_compact(struct buf *out, const struct state *s)
{
	write_state(out, s, 0);
}

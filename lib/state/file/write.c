/*
 * write.c - state files written as OpenTofu 1.12.6 writes them
 *
 * Members in a fixed order, two spaces a level, resources and instances sorted;
 * the file ends with an empty line, as the peer's does.  Attributes are
 * formatted again from their text, wherever it came from.
 */
#include "lang/syntax/ident.h"
#include "state/file/scan_int.h"
#include "base/product.h"
#include "state/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include "value/codec.h"

/* Where an object or list stands: depth and whether a member was written. */
struct level {
	struct buf *out;
	unsigned depth;
	bool some;
	bool compact;
};

static struct level level_open(struct buf *out, unsigned depth, bool compact)
{
	return (struct level){ out, depth, false, compact };
}

static void item(struct level *l)
{
	if (l->some)
		buf_putc(l->out, ',');
	l->some = true;
	if (!l->compact)
		emit_newline(l->out, l->depth);
}

static void level_close(struct level *l, char bracket)
{
	if (l->some && !l->compact)
		emit_newline(l->out, l->depth - 1);
	buf_putc(l->out, bracket);
}

static void member(struct level *l, const char *name)
{
	item(l);
	buf_putc(l->out, '"');
	buf_puts(l->out, name);
	buf_puts(l->out, l->compact ? "\":" : "\": ");
}

static void member_str(struct level *l, const char *name, struct str s)
{
	member(l, name);
	emit_string(l->out, s);
}

static void json_text(struct level *l, struct str json)
{
	if (l->compact)
		emit_compact(l->out, json);
	else
		emit_indented(l->out, json, l->depth);
}

static void member_json(struct level *l, const char *name, struct str json)
{
	member(l, name);
	json_text(l, json);
}

static void member_uint(struct level *l, const char *name, uint64_t n)
{
	member(l, name);
	buf_addf(l->out, "%" PRIu64, n);
}

static void member_true(struct level *l, const char *name, bool b)
{
	if (!b)
		return;
	member(l, name);
	buf_puts(l->out, "true");
}

static void write_output(struct level *in, const struct state_output *o)
{
	struct level l = level_open(in->out, in->depth + 1, in->compact);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	item(in);
	emit_string(in->out, o->name);
	buf_puts(in->out, in->compact ? ":{" : ": {");
	value_to_json(&w, o->value, NULL);
	member_json(&l, "value", buf_view(&text));
	buf_set_len(&text, 0);
	w = (struct jw)JW_INIT(&text);
	type_to_json(&w, o->value->type);
	member_json(&l, "type", buf_view(&text));
	member_true(&l, "sensitive",
		    value_has_mark_deep(o->value, MARK_SENSITIVE));
	if (o->deprecated.n)
		member_str(&l, "deprecated", o->deprecated);
	level_close(&l, '}');
	buf_release(&text);
}

static void write_key(struct level *l, struct inst_key k)
{
	if (k.kind == KEY_INT) {
		member(l, "index_key");
		buf_int(l->out, k.i);
	} else if (k.kind == KEY_STRING) {
		member_str(l, "index_key", k.s);
	}
}

static void write_dependencies(struct level *in, const struct state_instance *i)
{
	struct level l = level_open(in->out, in->depth + 1, in->compact);

	if (!i->ndependencies)
		return;
	member(in, "dependencies");
	buf_putc(l.out, '[');
	for (size_t n = 0; n < i->ndependencies; n++) {
		item(&l);
		emit_string(l.out, i->dependencies[n]);
	}
	level_close(&l, ']');
}

static void write_instance(struct level *in, const struct state_instance *i,
			   struct str provider)
{
	struct level l = level_open(in->out, in->depth + 1, in->compact);

	item(in);
	buf_putc(l.out, '{');
	write_key(&l, i->key);
	if (i->tainted)
		member_str(&l, "status", STR("tainted"));
	if (i->deposed.n)
		member_str(&l, "deposed", i->deposed);
	if (provider.n)
		member_str(&l, "provider", provider);
	member_uint(&l, "schema_version", i->schema_version);
	if (i->attributes.n)
		member_json(&l, "attributes", i->attributes);
	if (i->attributes_flat.n)
		member_json(&l, "attributes_flat", i->attributes_flat);
	member_json(&l, "sensitive_attributes",
		    i->sensitive.n ? i->sensitive : STR("[]"));
	if (i->private_data.n)
		member_str(&l, "private", i->private_data);
	write_dependencies(&l, i);
	member_true(&l, "create_before_destroy", i->create_before_destroy);
	member_true(&l, "skip_destroy", i->skip_destroy);
	if (i->identity.n) {
		member_json(&l, "identity", i->identity);
		if (!i->identity_unversioned)
			member_uint(&l, "identity_schema_version",
				    i->identity_schema_version);
	}
	level_close(&l, '}');
}

/* aws["us"] is aws.us, and the latter is what a file says
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

static void write_resource(struct level *in, const struct state_resource *r,
			   struct arena *scratch)
{
	struct level l = level_open(in->out, in->depth + 1, in->compact), list;
	struct state_instance **sorted = state_instances_sorted(scratch, r);
	bool keyed = any_provider_key(r);
	struct buf module = BUF_INIT;

	item(in);
	buf_putc(l.out, '{');
	if (r->module.len) {
		module_addr_print(&module, r->module);
		member_str(&l, "module", buf_view(&module));
		buf_release(&module);
	}
	member_str(&l, "mode", str_c(resource_mode_name(r->addr.mode)));
	member_str(&l, "type", r->addr.type);
	member_str(&l, "name", r->addr.name);
	if (!keyed || !r->provider.alias.n)
		member_str(&l, "provider",
			   provider_config_text(scratch, &r->provider));
	member(&l, "instances");
	buf_putc(l.out, '[');
	list = level_open(l.out, l.depth + 1, l.compact);
	for (size_t n = 0; n < r->instances.len; n++)
		write_instance(&list, sorted[n],
			       keyed ? instance_provider(scratch, r, sorted[n])
				     : STR_NONE);
	level_close(&list, ']');
	level_close(&l, '}');
}

static void write_check(struct level *in, const struct state_check *c)
{
	struct level l = level_open(in->out, in->depth + 1, in->compact);

	item(in);
	buf_putc(l.out, '{');
	member_str(&l, "object_kind", c->object_kind);
	member_str(&l, "config_addr", c->config_addr);
	member_str(&l, "status", c->status);
	member_json(&l, "objects", c->objects.n ? c->objects : STR("null"));
	level_close(&l, '}');
}

static void write_content(struct level *l, const struct state *s)
{
	struct level list = level_open(l->out, l->depth + 1, l->compact);
	struct arena scratch = ARENA_INIT;
	struct state_resource **rs = state_resources_sorted(&scratch, s);

	member(l, "outputs");
	buf_putc(l->out, '{');
	for (size_t n = 0; n < s->outputs.len; n++)
		write_output(&list, &s->outputs.items[n]);
	level_close(&list, '}');
	member(l, "resources");
	buf_putc(l->out, '[');
	list.some = false;
	for (size_t n = 0; n < s->resources.len; n++)
		if ((rs[n]->instances.len || rs[n]->kept) &&
		    rs[n]->addr.mode != MODE_EPHEMERAL)
			write_resource(&list, rs[n], &scratch);
	level_close(&list, ']');
	member(l, "check_results");
	if (s->checks.len) {
		buf_putc(l->out, '[');
		list.some = false;
		for (size_t n = 0; n < s->checks.len; n++)
			write_check(&list, &s->checks.items[n]);
		level_close(&list, ']');
	} else {
		buf_puts(l->out, "null");
	}
	arena_release(&scratch);
}

static void write_state(struct buf *out, const struct state *s, bool compact)
{
	struct level l = level_open(out, 1, compact);

	buf_putc(out, '{');
	member_uint(&l, "version", 4);
	member_str(&l, "terraform_version", STR(COMPATIBLE_VERSION));
	member_uint(&l, "serial", s->serial);
	member_str(&l, "lineage", s->lineage);
	write_content(&l, s);
	level_close(&l, '}');
	buf_puts(out, compact ? "\n" : "\n\n");
}

void state_write(struct buf *out, const struct state *s)
{
	write_state(out, s, false);
}

void state_write_compact(struct buf *out, const struct state *s)
{
	write_state(out, s, true);
}

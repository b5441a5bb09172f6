/* records.c - a configuration as records */
#include "config/record/records.h"
#include "addr/provider.h"
#include "config/record/record_int.h"
#include "config/test.h"
#include "stream/record.h"
#include "stream/stream.h"
#include "value/codec_json.h"

void config_write_test_value(struct stream_out *o, struct str address,
			     const struct value *v)
{
	struct jw w = stream_record(o, "test_value", address);

	jw_key(&w, "value");
	value_to_stream(&w, v);
	stream_record_end(o, &w);
}

/* A record of m, whose address may be empty. */
static void write_record(struct cfg_writer *wr, const struct cfg_module *m,
			 const char *kind, struct str address,
			 const struct fields *f, const void *from)
{
	struct jw w = stream_record(wr->o, kind, address);

	jw_member_str(&w, "module", m->path);
	fields_write(wr, &w, f, from);
	stream_record_end(wr->o, &w);
}

/* "MODULE." and two parts. */
static struct str address(struct cfg_writer *wr, const struct cfg_module *m,
			  const char *prefix, struct str name)
{
	buf_set_len(&wr->address, 0);
	buf_str(&wr->address, m->path);
	if (m->path.n)
		buf_putc(&wr->address, '.');
	buf_puts(&wr->address, prefix);
	buf_str(&wr->address, name);
	return buf_view(&wr->address);
}

/* A map whose keys are the objects' names. */
static void write_named(struct cfg_writer *wr, const struct cfg_module *m,
			const char *kind, const char *prefix,
			const struct map *of, const struct fields *f)
{
	for (size_t i = 0; i < of->len; i++)
		write_record(wr, m, kind,
			     address(wr, m, prefix, of->entries[i].key), f,
			     of->entries[i].value);
}

static void write_unnamed(struct cfg_writer *wr, const struct cfg_module *m,
			  const char *kind, const struct map *of,
			  const struct fields *f)
{
	for (size_t i = 0; i < of->len; i++)
		write_record(wr, m, kind, STR_NONE, f, of->entries[i].value);
}

static void write_provider(struct cfg_writer *wr, const struct cfg_module *m,
			   const struct cfg_provider *p)
{
	struct arena a = ARENA_INIT;
	struct provider_config_addr addr = { .provider = p->provider,
					     .alias = p->alias };

	write_record(wr, m, "provider_config",
		     address(wr, m, "", provider_config_text(&a, &addr)),
		     &fields_provider, p);
	arena_release(&a);
}

static void write_backend(struct cfg_writer *wr, const struct cfg_module *m,
			  const struct cfg_backend *b)
{
	if (b)
		write_record(wr, m, "backend", STR_NONE, &fields_backend, b);
}

static void write_settings(struct cfg_writer *wr, const struct cfg_module *m)
{
	for (size_t i = 0; i < m->required_versions.len; i++)
		write_record(wr, m, "terraform", STR_NONE, &fields_terraform,
			     &m->required_versions.items[i]);
	write_unnamed(wr, m, "required_provider", &m->required_providers,
		      &fields_required);
	for (size_t i = 0; i < m->providers.len; i++)
		write_provider(wr, m, m->providers.entries[i].value);
	write_unnamed(wr, m, "provider_meta", &m->provider_meta, &fields_meta);
	write_backend(wr, m, m->backend);
	write_backend(wr, m, m->cloud);
	if (m->encryption)
		write_record(wr, m, "encryption", STR_NONE, &fields_encryption,
			     m);
}

static void write_module(struct cfg_writer *wr, const struct cfg_module *m)
{
	struct jw w = stream_record(wr->o, "module", m->path);

	if (m->call)
		jw_member_str(&w, "source", m->call->source);
	if (m->version.n)
		jw_member_str(&w, "version", m->version);
	jw_member_str(&w, "dir", m->dir);
	stream_record_end(wr->o, &w);
	write_settings(wr, m);
	write_named(wr, m, "variable", "var.", &m->variables, &fields_variable);
	write_named(wr, m, "local", "local.", &m->locals, &fields_local);
	write_named(wr, m, "output", "output.", &m->outputs, &fields_output);
	write_named(wr, m, "module_call", "module.", &m->calls, &fields_call);
	write_named(wr, m, "resource", "", &m->managed, &fields_resource);
	write_named(wr, m, "resource", "data.", &m->data, &fields_resource);
	write_named(wr, m, "resource", "ephemeral.", &m->ephemeral,
		    &fields_resource);
	write_named(wr, m, "check", "check.", &m->checks, &fields_check);
	for (size_t i = 0; i < m->moved.len; i++)
		write_record(wr, m, "moved", STR_NONE, &fields_moved,
			     &m->moved.items[i]);
	for (size_t i = 0; i < m->removed.len; i++)
		write_record(wr, m, "removed", STR_NONE, &fields_removed,
			     &m->removed.items[i]);
	for (size_t i = 0; i < m->imports.len; i++)
		write_record(wr, m, "import", STR_NONE, &fields_import,
			     &m->imports.items[i]);
}

void config_write_sources(struct stream_out *o, const struct config *c)
{
	for (size_t i = 0; i < c->sources.by_name.len; i++)
		record_source(o, c->sources.by_name.entries[i].value);
}

/* First, so that whoever reads the rest knows that it is a test's. */
static void write_test(struct cfg_writer *wr, const struct cfg_test *t)
{
	struct jw w;

	buf_set_len(&wr->address, 0);
	buf_puts(&wr->address, "run.");
	buf_str(&wr->address, t->name);
	w = stream_record(wr->o, "test", buf_view(&wr->address));
	fields_write(wr, &w, &fields_test, t);
	stream_record_end(wr->o, &w);
}

void config_write(struct stream_out *o, const struct config *c)
{
	struct cfg_writer wr = { o, BUF_INIT, BUF_INIT };

	config_write_sources(o, c);
	if (c->test)
		write_test(&wr, c->test);
	for (size_t i = 0; i < c->modules.len; i++)
		write_module(&wr, c->modules.entries[i].value);
	buf_release(&wr.text);
	buf_release(&wr.address);
}

/*
 * records.c - a configuration as records, and from them
 *
 * Records may come in any order: what refers to what is settled in
 * config_finish.
 */
#include "config/records.h"

#include "config/record_int.h"

#include "config/record_call_int.h"
#include "config/record_common_int.h"
#include "config/record_refactor_int.h"
#include "config/record_resource_int.h"
#include "config/record_value_int.h"
#include "config/records_int.h"
#include "json/slice.h"

/* --- writing --- */

static void write_settings(struct writer *wr, const struct cfg_module *m)
{
	struct jw w;

	for (size_t i = 0; i < m->required_versions.len; i++) {
		w = write_begin_plain(wr, "terraform", m);
		record_expression_member(&w, "required_version",
					 m->required_versions.items[i]);
		stream_record_end(wr->o, &w);
	}
	for (size_t i = 0; i < m->required_providers.len; i++)
		config_write_required(wr, m,
				      m->required_providers.entries[i].value);
	for (size_t i = 0; i < m->providers.len; i++)
		config_write_provider(wr, m, m->providers.entries[i].value);
	for (size_t i = 0; i < m->provider_meta.len; i++)
		config_write_meta(wr, m, m->provider_meta.entries[i].value);
	config_write_backend(wr, m, m->backend);
	config_write_backend(wr, m, m->cloud);
	if (m->encryption) {
		w = write_begin_plain(wr, "encryption", m);
		write_body(&w, "body", m->encryption);
		write_end(wr, &w, &m->encryption_at);
	}
}

static void write_resources(struct writer *wr, const struct cfg_module *m,
			    const struct map *of)
{
	for (size_t i = 0; i < of->len; i++)
		config_write_resource(wr, m, of->entries[i].value);
}

static void write_module(struct writer *wr, const struct cfg_module *m)
{
	struct jw w = stream_record(wr->o, "module", m->path);

	if (m->call)
		jw_member_str(&w, "source", m->call->source);
	write_str(&w, "version", m->version);
	jw_member_str(&w, "dir", m->dir);
	stream_record_end(wr->o, &w);
	write_settings(wr, m);
	for (size_t i = 0; i < m->variables.len; i++)
		config_write_variable(wr, m, m->variables.entries[i].value);
	for (size_t i = 0; i < m->locals.len; i++)
		config_write_local(wr, m, m->locals.entries[i].value);
	for (size_t i = 0; i < m->outputs.len; i++)
		config_write_output(wr, m, m->outputs.entries[i].value);
	for (size_t i = 0; i < m->calls.len; i++)
		config_write_call(wr, m, m->calls.entries[i].value);
	write_resources(wr, m, &m->managed);
	write_resources(wr, m, &m->data);
	write_resources(wr, m, &m->ephemeral);
	for (size_t i = 0; i < m->checks.len; i++)
		config_write_check(wr, m, m->checks.entries[i].value);
	for (size_t i = 0; i < m->moved.len; i++)
		config_write_moved(wr, &m->moved.items[i]);
	for (size_t i = 0; i < m->removed.len; i++)
		config_write_removed(wr, &m->removed.items[i]);
	for (size_t i = 0; i < m->imports.len; i++)
		config_write_import(wr, &m->imports.items[i]);
}

void config_write_sources(struct stream_out *o, const struct config *c)
{
	for (size_t i = 0; i < c->sources.by_name.len; i++)
		record_source(o, c->sources.by_name.entries[i].value);
}

void config_write(struct stream_out *o, const struct config *c)
{
	struct writer wr = { o, BUF_INIT };

	config_write_sources(o, c);
	for (size_t i = 0; i < c->modules.len; i++)
		write_module(&wr, c->modules.entries[i].value);
	buf_release(&wr.text);
}

/* --- reading --- */

/* The module at the path, made if no record named it yet. */
struct cfg_module *config_module_at(struct config *c, struct str path)
{
	struct cfg_module *m = map_get(&c->modules, path);

	if (m)
		return m;
	m = ARENA_NEW(c->arena, struct cfg_module);
	m->config = c;
	m->path = str_dup(c->arena, path);
	m->dir = STR(".");
	map_put(c->arena, &c->modules, m->path, m);
	return m;
}

static int read_module(struct reader *r)
{
	struct cfg_module *m =
		config_module_at(r->c, json_get_str(r->j, "address"));

	m->declared = true;
	m->dir = read_str(r, r->j, "dir");
	m->version = read_str(r, r->j, "version");
	return 0;
}

static const struct kind {
	const char *name;
	int (*read)(struct reader *r);
	bool no_module;
} kinds[] = {
	{ "resource", config_read_resource, false },
	{ "variable", config_read_variable, false },
	{ "local", config_read_local, false },
	{ "output", config_read_output, false },
	{ "module", read_module, true },
	{ "module_call", config_read_call, false },
	{ "provider_config", config_read_provider, false },
	{ "required_provider", config_read_required, false },
	{ "provider_meta", config_read_meta, false },
	{ "check", config_read_check, false },
	{ "moved", config_read_moved, false },
	{ "removed", config_read_removed, false },
	{ "import", config_read_import, false },
	{ "backend", config_read_backend, false },
	{ "encryption", config_read_encryption, false },
	{ "terraform", config_read_terraform, false },
};

static int read_one(struct config *c, const struct kind *k, struct str line,
		    struct diags *ds)
{
	/* References are read from the expressions themselves. */
	static const char *const unused[] = {
		"references", NULL,
	}, *const inside[] = {
		"references", "body", "connection", "provisioners", NULL,
	};
	bool outline = c->outline && k->read == config_read_resource;
	struct reader r = {
		.c = c, .a = c->arena, .ds = ds,
		.in = { .arena = c->arena, .ds = ds, .sources = &c->sources },
	};

	arena_reset(&c->scratch);
	r.j = json_slice_tree(&c->scratch, line, outline ? inside : unused);
	if (!r.j)
		r.j = stream_parse(&c->scratch, line, ds);
	if (!r.j)
		return -1;
	if (!k->no_module)
		r.m = config_module_at(c, json_get_str(r.j, "module"));
	return k->read(&r);
}

int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_is(kind, kinds[i].name))
			return read_one(c, &kinds[i], line, ds);
	if (!str_is(kind, "source"))
		return 1;
	if (record_source_read(c->arena, line, &c->sources))
		return record_invalid(ds, "a source lacks \"filename\" or "
					  "\"text\"");
	return 0;
}

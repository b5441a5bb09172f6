/* records.c - a configuration as records */
#include "config/record/records.h"

#include "config/record/record_int.h"

#include "config/record/record_call_int.h"
#include "config/record/record_common_int.h"
#include "config/record/record_refactor_int.h"
#include "config/record/record_resource_int.h"
#include "config/record/record_value_int.h"
#include "json/write.h"
#include "stream/read.h"
#include "stream/record_diag.h"
#include "stream/record_expr.h"
#include "stream/write.h"

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

/*
 * records_read.c - a configuration from records
 *
 * They may come in any order: what refers to what is settled in config_finish.
 */
#include "config/record/records_read.h"

#include "config/record/record_int.h"
#include "config/record/record_call_int.h"
#include "config/record/record_common_int.h"
#include "config/record/record_refactor_int.h"
#include "config/record/record_resource_int.h"
#include "config/record/record_value_int.h"
#include "config/record/records_read_int.h"
#include "json/tree.h"
#include "stream/read.h"
#include "stream/record_at.h"
#include "stream/record_diag.h"

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
		.c = c,
		.a = c->arena,
		.ds = ds,
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

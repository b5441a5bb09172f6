/*
 * config_providers.c - `provider_config` of the published configuration
 *
 * A module has an entry for each provider configuration it writes, requires, is
 * passed or merely implies.  An entry that refers to one of the parent module
 * is left out, and resources name the parent's instead.
 */
#include "json/write.h"
#include "ui/show/show_int.h"
#include "addr/provider.h"
#include "config/module.h"
#include "install/providers/requirements.h"

struct provider_entry {
	struct str name, alias, full_name, version;
	const struct cfg_module *module;
	const struct cfg_provider *block; /* NULL: there is none */
	struct str parent; /* key of the entry it refers to; empty: none */
};

static struct str key_of(struct arena *a, const struct cfg_module *m,
			 struct str name, struct str alias)
{
	return str_printf(a, "%.*s%s%.*s%s%.*s", STR_ARG(m->path),
			  m->path.n ? ":" : "", STR_ARG(name),
			  alias.n ? "." : "", STR_ARG(alias));
}

/* Follows the entries that refer to others, as long as they are of the same
 * provider. */
static struct str source_key(const struct config_providers *ps, struct str key,
			     struct str full_name)
{
	struct str found = STR_NONE;

	while (key.n) {
		const struct provider_entry *e = map_get(&ps->entries, key);

		if (!e || !str_eq(e->full_name, full_name))
			break;
		found = key;
		key = e->parent;
	}
	return found;
}

struct collecting {
	struct config_providers *ps;
	struct arena *a;
	const struct cfg_module *m;
	struct requirement_vec required; /* by this module alone */
};

static struct str version_of(const struct collecting *c, struct provider_addr p)
{
	for (size_t i = 0; i < c->required.len; i++)
		if (provider_addr_equal(c->required.items[i]->provider, p))
			return requirement_text(c->a, c->required.items[i]);
	return STR_NONE;
}

/* The entry of that key, instead of one that was there. */
static struct provider_entry *put(struct collecting *c, struct str key,
				  struct str name, struct provider_addr p)
{
	struct provider_entry *e = ARENA_NEW(c->a, struct provider_entry);

	*e = (struct provider_entry){
		.name = name,
		.full_name = provider_addr_text(c->a, p),
		.version = version_of(c, p),
		.module = c->m,
	};
	map_put(c->a, &c->ps->entries, key, e);
	return e;
}

/* The entry of that key, if there was none. */
static struct provider_entry *add(struct collecting *c, struct str key,
				  struct str name, struct provider_addr p)
{
	return map_has(&c->ps->entries, key) ? NULL : put(c, key, name, p);
}

static void inherit(struct collecting *c, struct provider_entry *e)
{
	if (e && c->m->parent)
		e->parent = source_key(
			c->ps, key_of(c->a, c->m->parent, e->name, STR_NONE),
			e->full_name);
}

/* What the module writes counts, also the empty block of a configuration that
 * is passed to it. */
static void add_blocks(struct collecting *c)
{
	for (size_t i = 0; i < c->m->providers.len; i++) {
		const struct cfg_provider *p = c->m->providers.entries[i].value;
		struct provider_entry *e;

		if (p->implied)
			continue;
		e = put(c, key_of(c->a, c->m, p->name, p->alias), p->name,
			p->provider);
		e->alias = p->alias;
		e->block = p;
	}
}

static void add_required(struct collecting *c)
{
	for (size_t i = 0; i < c->m->required_providers.len; i++) {
		const struct cfg_required_provider *r =
			c->m->required_providers.entries[i].value;

		for (size_t k = 0; k < r->aliases.len; k++)
			add(c,
			    key_of(c->a, c->m, r->aliases.items[k], STR_NONE),
			    r->name, r->addr);
		inherit(c, add(c, key_of(c->a, c->m, r->name, STR_NONE),
			       r->name, r->addr));
	}
}

static void add_implied(struct collecting *c)
{
	for (size_t i = 0; i < c->required.len; i++) {
		struct provider_addr p = c->required.items[i]->provider;
		struct provider_entry *e =
			add(c, key_of(c->a, c->m, p.type, STR_NONE), p.type, p);

		if (e)
			e->version = STR_NONE;
		inherit(c, e);
	}
}

/* Adds the provider configurations that the call passes to this module. */
static void add_passed(struct collecting *c)
{
	const struct cfg_call *call = c->m->call;

	for (size_t i = 0; call && i < call->providers.len; i++) {
		const struct cfg_provider_pass *p = &call->providers.items[i];
		struct str child =
			key_of(c->a, c->m, p->child_name, p->child_alias);
		struct str parent = key_of(c->a, c->m->parent, p->parent.name,
					   p->parent.alias);
		struct provider_entry *e =
			add(c, child, str_sub(child, c->m->path.n + 1, child.n),
			    module_provider(c->m, p->child_name));

		if (!e)
			continue;
		e->version = STR_NONE;
		e->parent = source_key(c->ps, parent, e->full_name);
	}
}

void config_providers_collect(struct config_providers *ps, struct arena *a,
			      const struct config *cfg)
{
	for (size_t i = 0; i < cfg->modules.len; i++) {
		struct collecting c = { .ps = ps,
					.a = a,
					.m = cfg->modules.entries[i].value };

		requirements_of_module(a, c.m, &c.required);
		add_passed(&c);
		add_blocks(&c);
		add_required(&c);
		add_implied(&c);
	}
}

static void put_block(struct jw *w, const struct provider_entry *e,
		      const struct map *schemas)
{
	const struct schema_block *schema;

	if (!e->block || !schemas)
		return;
	schema = shown_provider_block(schemas, e->full_name);
	if (schema)
		config_expressions_json(w, e->block->body, schema);
	else
		config_attributes_json(w, e->block->body);
}

void config_providers_json(struct jw *w, struct arena *a,
			   const struct config_providers *ps,
			   const struct map *schemas)
{
	const struct map_entry *all = map_sorted(a, &ps->entries);

	jw_object(w);
	for (size_t i = 0; i < ps->entries.len; i++) {
		const struct provider_entry *e = all[i].value;

		if (e->parent.n)
			continue;
		jw_key_str(w, all[i].key);
		jw_object(w);
		jw_member_str(w, "name", e->name);
		jw_member_str(w, "full_name", e->full_name);
		if (e->alias.n)
			jw_member_str(w, "alias", e->alias);
		if (e->version.n)
			jw_member_str(w, "version_constraint", e->version);
		if (e->module->path.n)
			jw_member_str(w, "module_address", e->module->path);
		put_block(w, e, schemas);
		jw_object_end(w);
	}
	jw_object_end(w);
}

struct str config_provider_key(const struct config_providers *ps,
			       struct arena *a, const struct cfg_resource *r)
{
	struct str name = r->provider_ref->given ? r->provider_ref->name
						 : r->provider.type;
	struct str key = key_of(a, r->module, name, r->provider_ref->alias);
	const struct provider_entry *e = map_get(&ps->entries, key);

	return e && e->parent.n && map_has(&ps->entries, e->parent) ? e->parent
								    : key;
}

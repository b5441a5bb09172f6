/*
 * record_call.c - the records of module calls, of providers and of the settings
 * of a module, both ways
 */
#include "addr/provider.h"
#include "config/record/record_call_int.h"
#include "config/record/record_common_int.h"
#include "config/record/record_int.h"
#include "config/source/source.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/record_at.h"
#include "stream/record_expr.h"

/* --- writing --- */

static void write_passes(struct jw *w, const struct cfg_call *c)
{
	if (!c->providers_given)
		return;
	jw_key(w, "providers");
	jw_array(w);
	for (size_t i = 0; i < c->nproviders; i++) {
		const struct cfg_provider_pass *p = &c->providers[i];

		jw_object(w);
		jw_member_str(w, "child", p->child_name);
		write_str(w, "child_alias", p->child_alias);
		record_at(w, "child_at", &p->child_at);
		jw_key(w, "parent");
		jw_object(w);
		write_ref_members(w, &p->parent);
		jw_object_end(w);
		jw_object_end(w);
	}
	jw_array_end(w);
}

void config_write_call(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_call *c)
{
	struct jw w = write_begin(wr, "module_call", m, "module.", c->name);

	jw_member_str(&w, "name", c->name);
	record_expression_member(&w, "source", c->source_expr);
	write_str(&w, "source_address", c->source);
	if (!str_eq(c->source_written, c->source))
		write_str(&w, "source_written", c->source_written);
	record_expression_member(&w, "version", c->version_expr);
	write_str(&w, "version_constraint", c->version);
	record_expression_member(&w, "count", c->count);
	record_expression_member(&w, "for_each", c->for_each);
	record_expression_member(&w, "enabled", c->enabled);
	write_traversals(&w, "depends_on", &c->depends_on);
	write_passes(&w, c);
	write_body(&w, "body", c->body);
	write_end(wr, &w, &c->at);
}

void config_write_provider(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_provider *p)
{
	struct arena a = ARENA_INIT;
	struct provider_config_addr addr = { .provider = p->provider,
					     .alias = p->alias };
	struct jw w = write_begin(wr, "provider_config", m, "",
				  provider_config_text(&a, &addr));

	jw_member_str(&w, "name", p->name);
	write_str(&w, "alias", p->alias);
	write_provider_addr(wr, &w, "source", p->provider);
	write_str(&w, "version", p->version);
	record_expression_member(&w, "for_each", p->for_each);
	record_expression_member(&w, "count", p->count);
	write_body(&w, "body", p->body);
	write_end(wr, &w, &p->at);
	arena_release(&a);
}

void config_write_required(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_required_provider *rp)
{
	struct jw w = write_begin_plain(wr, "required_provider", m);

	jw_member_str(&w, "name", rp->name);
	write_str(&w, "source", rp->source);
	write_provider_addr(wr, &w, "provider", rp->addr);
	write_str(&w, "version", rp->version);
	if (rp->naliases) {
		jw_key(&w, "configuration_aliases");
		jw_array(&w);
		for (size_t i = 0; i < rp->naliases; i++)
			jw_str(&w, rp->aliases[i]);
		jw_array_end(&w);
	}
	write_end(wr, &w, &rp->at);
}

void config_write_meta(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_provider_meta *pm)
{
	struct jw w = write_begin_plain(wr, "provider_meta", m);

	jw_member_str(&w, "name", pm->name);
	write_provider_addr(wr, &w, "provider", pm->provider);
	write_body(&w, "body", pm->body);
	write_end(wr, &w, &pm->at);
}

void config_write_backend(struct writer *wr, const struct cfg_module *m,
			  const struct cfg_backend *b)
{
	struct jw w;

	if (!b)
		return;
	w = write_begin_plain(wr, "backend", m);
	jw_member_str(&w, "type", b->type);
	write_flag(&w, "cloud", b->cloud);
	write_body(&w, "body", b->body);
	write_end(wr, &w, &b->at);
}

/* --- reading --- */

static int read_passes(struct reader *r, struct cfg_call *c)
{
	size_t n;
	const struct json *l = read_list(r->j, "providers", &n);

	c->providers_given = json_get(r->j, "providers") != NULL;
	c->providers = ARENA_ARRAY(r->a, struct cfg_provider_pass, n);
	c->nproviders = n;
	for (size_t i = 0; i < n; i++) {
		struct cfg_provider_pass *p = &c->providers[i];

		p->child_name = read_str(r, &l[i], "child");
		p->child_alias = read_str(r, &l[i], "child_alias");
		p->child_at = read_at(r, &l[i], "child_at");
		if (read_provider_ref(r, json_get(&l[i], "parent"), &p->parent))
			return -1;
		if (!p->child_name.n || !p->parent.given)
			return record_invalid(r->ds, "a passed provider lacks "
						     "\"child\" or "
						     "\"parent\"");
	}
	return 0;
}

int config_read_call(struct reader *r)
{
	struct cfg_call *c = ARENA_NEW(r->a, struct cfg_call);
	const char *summary;
	struct str why;

	c->module = r->m;
	c->name = read_name(r);
	c->source = read_str(r, r->j, "source_address");
	c->source_written = read_str(r, r->j, "source_written");
	if (!c->source_written.n)
		c->source_written = c->source;
	c->version = read_str(r, r->j, "version_constraint");
	c->at = read_at(r, r->j, "at");
	c->depends_on_given = json_get(r->j, "depends_on") != NULL;
	if (!c->name.n || read_expr(r, r->j, "source", &c->source_expr) ||
	    read_expr(r, r->j, "version", &c->version_expr) ||
	    read_expr(r, r->j, "count", &c->count) ||
	    read_expr(r, r->j, "for_each", &c->for_each) ||
	    read_expr(r, r->j, "enabled", &c->enabled) ||
	    read_traversals(r, r->j, "depends_on", false, &c->depends_on) ||
	    read_passes(r, c) || read_body(r, r->j, "body", &c->body))
		return -1;
	if (!c->body)
		return record_invalid(r->ds, "a module call has no \"body\"");
	if (c->source_expr.root)
		c->source_at = expression_range(c->source_expr);
	if (c->source.n)
		source_read(r->a, c->source, c->version_expr.root != NULL,
			    &c->source_kind, &summary, &why);
	map_put(r->a, &r->m->calls, c->name, c);
	return 0;
}

int config_read_provider(struct reader *r)
{
	struct cfg_provider *p = ARENA_NEW(r->a, struct cfg_provider);
	struct str key;

	p->module = r->m;
	p->name = read_name(r);
	p->alias = read_str(r, r->j, "alias");
	p->version = read_str(r, r->j, "version");
	p->at = read_at(r, r->j, "at");
	if (!p->name.n || read_provider_addr(r, r->j, "source", &p->provider) ||
	    read_expr(r, r->j, "for_each", &p->for_each) ||
	    read_expr(r, r->j, "count", &p->count) ||
	    read_body(r, r->j, "body", &p->body))
		return -1;
	if (!p->body || !p->provider.type.n)
		return record_invalid(r->ds, "a provider configuration lacks "
					     "\"source\" or \"body\"");
	key = p->name;
	if (p->alias.n)
		key = str_printf(r->a, "%.*s.%.*s", STR_ARG(p->name),
				 STR_ARG(p->alias));
	map_put(r->a, &r->m->providers, key, p);
	return 0;
}

int config_read_required(struct reader *r)
{
	struct cfg_required_provider *rp =
		ARENA_NEW(r->a, struct cfg_required_provider);
	size_t n;
	const struct json *l = read_list(r->j, "configuration_aliases", &n);

	rp->name = read_name(r);
	rp->source = read_str(r, r->j, "source");
	rp->version = read_str(r, r->j, "version");
	rp->at = read_at(r, r->j, "at");
	rp->aliases = ARENA_ARRAY(r->a, struct str, n);
	for (size_t i = 0; i < n; i++)
		if (l[i].kind == JSON_STRING)
			rp->aliases[rp->naliases++] = str_dup(r->a, l[i].text);
	if (!rp->name.n || read_provider_addr(r, r->j, "provider", &rp->addr))
		return -1;
	if (!rp->addr.type.n)
		return record_invalid(r->ds, "a required provider lacks "
					     "\"provider\"");
	map_put(r->a, &r->m->required_providers, rp->name, rp);
	return 0;
}

int config_read_meta(struct reader *r)
{
	struct cfg_provider_meta *pm =
		ARENA_NEW(r->a, struct cfg_provider_meta);

	pm->name = read_name(r);
	pm->at = read_at(r, r->j, "at");
	if (!pm->name.n ||
	    read_provider_addr(r, r->j, "provider", &pm->provider) ||
	    read_body(r, r->j, "body", &pm->body))
		return -1;
	if (!pm->body || !pm->provider.type.n)
		return record_invalid(r->ds, "a provider_meta block lacks "
					     "\"provider\" or \"body\"");
	map_put(r->a, &r->m->provider_meta,
		provider_addr_text(r->a, pm->provider), pm);
	return 0;
}

int config_read_backend(struct reader *r)
{
	struct cfg_backend *b = ARENA_NEW(r->a, struct cfg_backend);

	b->type = read_str(r, r->j, "type");
	b->cloud = json_get_bool(r->j, "cloud", false);
	b->at = read_at(r, r->j, "at");
	if (read_body(r, r->j, "body", &b->body))
		return -1;
	if (!b->type.n || !b->body)
		return record_invalid(r->ds, "a backend lacks \"type\" or "
					     "\"body\"");
	*(b->cloud ? &r->m->cloud : &r->m->backend) = b;
	return 0;
}

int config_read_encryption(struct reader *r)
{
	r->m->encryption_at = read_at(r, r->j, "at");
	return read_body(r, r->j, "body", &r->m->encryption);
}

int config_read_terraform(struct reader *r)
{
	struct expression e;

	if (read_expr(r, r->j, "required_version", &e))
		return -1;
	if (e.root)
		vec_push(r->a, &r->m->required_versions, e);
	return 0;
}

/*
 * write.c - the records of a configuration; read.c reads them
 *
 * Members that say nothing are left out: a false flag, an empty list, an
 * absent expression.
 */
#include "config/config_int.h"

/* Addresses and other texts that are needed for one record. */
struct writer {
	struct stream_out *o;
	struct buf text;
};

static void member_str(struct jw *w, const char *name, struct str s)
{
	if (s.n)
		jw_member_str(w, name, s);
}

static void member_flag(struct jw *w, const char *name, bool flag)
{
	if (flag)
		jw_member_bool(w, name, true);
}

/* A record of m with the address "MODULE.prefix" + name. */
static struct jw begin(struct writer *wr, const char *kind,
		       const struct cfg_module *m, const char *prefix,
		       struct str name)
{
	struct jw w;

	buf_set_len(&wr->text, 0);
	buf_str(&wr->text, m->path);
	if (m->path.n)
		buf_putc(&wr->text, '.');
	buf_puts(&wr->text, prefix);
	buf_str(&wr->text, name);
	w = stream_record(wr->o, kind, buf_view(&wr->text));
	jw_member_str(&w, "module", m->path);
	return w;
}

/* A record of m that has no address. */
static struct jw begin_plain(struct writer *wr, const char *kind,
			     const struct cfg_module *m)
{
	struct jw w = stream_record(wr->o, kind, STR_NONE);

	jw_member_str(&w, "module", m->path);
	return w;
}

static void end(struct writer *wr, struct jw *w, const struct range *at)
{
	record_at(w, "at", at);
	stream_record_end(wr->o, w);
}

static void write_body(struct jw *w, const char *name, const struct body *b)
{
	if (!b)
		return;
	jw_key(w, name);
	record_body(w, b);
}

static void write_conditions(struct jw *w, const char *name,
			     const struct cfg_condition_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++) {
		const struct cfg_condition *c = &v->items[i];

		jw_object(w);
		record_expression_member(w, "condition", c->condition);
		record_expression_member(w, "error_message",
					 c->error_message);
		record_at(w, "at", &c->at);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void write_traversals(struct jw *w, const char *name,
			     const struct traversal_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < v->len; i++)
		record_traversal(w, &v->items[i]);
	jw_array_end(w);
}

static void write_provider_addr(struct writer *wr, struct jw *w,
				const char *name, struct provider_addr p)
{
	if (!p.type.n)
		return;
	buf_set_len(&wr->text, 0);
	buf_addf(&wr->text, "%.*s/%.*s/%.*s", STR_ARG(p.host),
		 STR_ARG(p.namespace), STR_ARG(p.type));
	jw_member_str(w, name, buf_view(&wr->text));
}

static void write_ref_members(struct jw *w, const struct cfg_provider_ref *r)
{
	if (!r->given)
		return;
	jw_member_str(w, "name", r->name);
	member_str(w, "alias", r->alias);
	record_expression_member(w, "key", r->key);
	record_at(w, "at", &r->at);
	record_at(w, "name_at", &r->name_at);
}

/* "provider": the resolved source, and the reference if one was given */
static void write_provider_use(struct writer *wr, struct jw *w,
			       const struct cfg_provider_ref *r,
			       struct provider_addr p)
{
	jw_key(w, "provider");
	jw_object(w);
	write_provider_addr(wr, w, "source", p);
	write_ref_members(w, r);
	jw_object_end(w);
}

/* --- values --- */

static void write_variable(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_variable *v)
{
	struct jw w = begin(wr, "variable", m, "var.", v->name);

	jw_member_str(&w, "name", v->name);
	record_expression_member(&w, "type", v->type_expr);
	record_expression_member(&w, "default", v->default_value);
	member_str(&w, "description", v->description);
	member_flag(&w, "sensitive", v->sensitive);
	member_flag(&w, "ephemeral", v->ephemeral);
	jw_member_bool(&w, "nullable", v->nullable);
	if (v->set & SET_CONST)
		jw_member_bool(&w, "const", v->constant);
	member_str(&w, "deprecated", v->deprecated);
	write_conditions(&w, "validations", &v->validations);
	end(wr, &w, &v->at);
}

static void write_local(struct writer *wr, const struct cfg_module *m,
			const struct cfg_local *l)
{
	struct jw w = begin(wr, "local", m, "local.", l->name);

	jw_member_str(&w, "name", l->name);
	record_expression_member(&w, "value", l->value);
	end(wr, &w, &l->at);
}

static void write_output(struct writer *wr, const struct cfg_module *m,
			 const struct cfg_output *o)
{
	struct jw w = begin(wr, "output", m, "output.", o->name);

	jw_member_str(&w, "name", o->name);
	record_expression_member(&w, "value", o->value);
	member_str(&w, "description", o->description);
	member_flag(&w, "sensitive", o->sensitive);
	member_flag(&w, "ephemeral", o->ephemeral);
	member_str(&w, "deprecated", o->deprecated);
	write_traversals(&w, "depends_on", &o->depends_on);
	write_conditions(&w, "preconditions", &o->preconditions);
	end(wr, &w, &o->at);
}

/* --- resources --- */

static void write_triggers(struct jw *w, const struct cfg_lifecycle *l)
{
	if (!l->nreplace_triggered_by)
		return;
	jw_key(w, "replace_triggered_by");
	jw_array(w);
	for (size_t i = 0; i < l->nreplace_triggered_by; i++)
		record_expression(w, l->replace_triggered_by[i]);
	jw_array_end(w);
}

static void write_lifecycle(struct jw *w, const struct cfg_lifecycle *l)
{
	if (!range_present(&l->at))
		return;
	jw_key(w, "lifecycle");
	jw_object(w);
	record_expression_member(w, "create_before_destroy",
				 l->create_before_destroy);
	record_expression_member(w, "prevent_destroy", l->prevent_destroy);
	record_expression_member(w, "destroy", l->destroy);
	record_expression_member(w, "enabled", l->enabled);
	if (l->ignore_all)
		jw_member_str(w, "ignore_changes", STR("all"));
	else
		write_traversals(w, "ignore_changes", &l->ignore_changes);
	write_triggers(w, l);
	write_conditions(w, "preconditions", &l->preconditions);
	write_conditions(w, "postconditions", &l->postconditions);
	record_at(w, "at", &l->at);
	jw_object_end(w);
}

static void write_provisioners(struct jw *w,
			       const struct cfg_provisioner_vec *v)
{
	if (!v->len)
		return;
	jw_key(w, "provisioners");
	jw_array(w);
	for (size_t i = 0; i < v->len; i++) {
		const struct cfg_provisioner *p = &v->items[i];

		jw_object(w);
		jw_member_str(w, "type", p->type);
		if (p->when_destroy)
			jw_member_str(w, "when", STR("destroy"));
		if (p->on_failure_continue)
			jw_member_str(w, "on_failure", STR("continue"));
		write_body(w, "connection", p->connection);
		write_body(w, "body", p->body);
		record_at(w, "at", &p->at);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void write_resource(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_resource *r)
{
	static const char *const mode[] = { [MODE_MANAGED] = "managed",
					    [MODE_DATA] = "data",
					    [MODE_EPHEMERAL] = "ephemeral" };
	static const char *const prefix[] = { [MODE_MANAGED] = "",
					      [MODE_DATA] = "data.",
					      [MODE_EPHEMERAL] =
						      "ephemeral." };
	struct buf name = BUF_INIT;
	struct jw w;

	buf_addf(&name, "%.*s.%.*s", STR_ARG(r->addr.type),
		 STR_ARG(r->addr.name));
	w = begin(wr, "resource", m, prefix[r->addr.mode], buf_view(&name));
	buf_release(&name);
	jw_member_str(&w, "mode", str_c(mode[r->addr.mode]));
	jw_member_str(&w, "type", r->addr.type);
	jw_member_str(&w, "name", r->addr.name);
	write_provider_use(wr, &w, &r->provider_ref, r->provider);
	record_expression_member(&w, "count", r->count);
	record_expression_member(&w, "for_each", r->for_each);
	write_traversals(&w, "depends_on", &r->depends_on);
	write_lifecycle(&w, &r->lifecycle);
	write_provisioners(&w, &r->provisioners);
	write_body(&w, "connection", r->connection);
	if (r->check)
		jw_member_str(&w, "check", r->check->name);
	write_body(&w, "body", r->body);
	record_at(&w, "type_at", &r->type_at);
	end(wr, &w, &r->at);
}

/* --- module calls, providers --- */

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
		member_str(w, "child_alias", p->child_alias);
		record_at(w, "child_at", &p->child_at);
		jw_key(w, "parent");
		jw_object(w);
		write_ref_members(w, &p->parent);
		jw_object_end(w);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void write_call(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_call *c)
{
	struct jw w = begin(wr, "module_call", m, "module.", c->name);

	jw_member_str(&w, "name", c->name);
	record_expression_member(&w, "source", c->source_expr);
	member_str(&w, "source_address", c->source);
	record_expression_member(&w, "version", c->version_expr);
	member_str(&w, "version_constraint", c->version);
	record_expression_member(&w, "count", c->count);
	record_expression_member(&w, "for_each", c->for_each);
	record_expression_member(&w, "enabled", c->enabled);
	write_traversals(&w, "depends_on", &c->depends_on);
	write_passes(&w, c);
	write_body(&w, "body", c->body);
	end(wr, &w, &c->at);
}

static void write_provider(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_provider *p)
{
	struct arena a = ARENA_INIT;
	struct provider_config_addr addr = { .provider = p->provider,
					     .alias = p->alias };
	struct jw w = begin(wr, "provider_config", m, "",
			    provider_config_text(&a, &addr));

	jw_member_str(&w, "name", p->name);
	member_str(&w, "alias", p->alias);
	write_provider_addr(wr, &w, "source", p->provider);
	member_str(&w, "version", p->version);
	record_expression_member(&w, "for_each", p->for_each);
	write_body(&w, "body", p->body);
	end(wr, &w, &p->at);
	arena_release(&a);
}

static void write_required(struct writer *wr, const struct cfg_module *m,
			   const struct cfg_required_provider *rp)
{
	struct jw w = begin_plain(wr, "required_provider", m);

	jw_member_str(&w, "name", rp->name);
	member_str(&w, "source", rp->source);
	write_provider_addr(wr, &w, "provider", rp->addr);
	member_str(&w, "version", rp->version);
	if (rp->naliases) {
		jw_key(&w, "configuration_aliases");
		jw_array(&w);
		for (size_t i = 0; i < rp->naliases; i++)
			jw_str(&w, rp->aliases[i]);
		jw_array_end(&w);
	}
	end(wr, &w, &rp->at);
}

static void write_meta(struct writer *wr, const struct cfg_module *m,
		       const struct cfg_provider_meta *pm)
{
	struct jw w = begin_plain(wr, "provider_meta", m);

	jw_member_str(&w, "name", pm->name);
	write_provider_addr(wr, &w, "provider", pm->provider);
	write_body(&w, "body", pm->body);
	end(wr, &w, &pm->at);
}

static void write_backend(struct writer *wr, const struct cfg_module *m,
			  const struct cfg_backend *b)
{
	struct jw w;

	if (!b)
		return;
	w = begin_plain(wr, "backend", m);
	jw_member_str(&w, "type", b->type);
	member_flag(&w, "cloud", b->cloud);
	write_body(&w, "body", b->body);
	end(wr, &w, &b->at);
}

/* --- checks, moves, imports --- */

static void write_check(struct writer *wr, const struct cfg_module *m,
			const struct cfg_check *c)
{
	struct jw w = begin(wr, "check", m, "check.", c->name);
	struct buf data = BUF_INIT;

	jw_member_str(&w, "name", c->name);
	if (c->data) {
		resource_addr_print(&data, c->data->addr);
		jw_member_str(&w, "data", buf_view(&data));
	}
	buf_release(&data);
	write_conditions(&w, "asserts", &c->asserts);
	end(wr, &w, &c->at);
}

static void write_moved(struct writer *wr, const struct cfg_moved *mv)
{
	struct jw w = begin_plain(wr, "moved", mv->module);

	jw_key(&w, "from");
	record_traversal(&w, &mv->from);
	jw_key(&w, "to");
	record_traversal(&w, &mv->to);
	end(wr, &w, &mv->at);
}

static void write_removed(struct writer *wr, const struct cfg_removed *rm)
{
	struct jw w = begin_plain(wr, "removed", rm->module);

	jw_key(&w, "from");
	record_traversal(&w, &rm->from);
	if (rm->destroy_given)
		jw_member_bool(&w, "destroy", rm->destroy);
	write_provisioners(&w, &rm->provisioners);
	end(wr, &w, &rm->at);
}

static void write_import(struct writer *wr, const struct cfg_import *im)
{
	struct jw w = begin_plain(wr, "import", im->module);

	record_expression_member(&w, "to", im->to);
	record_expression_member(&w, "id", im->id);
	record_expression_member(&w, "identity", im->identity);
	record_expression_member(&w, "for_each", im->for_each);
	write_provider_use(wr, &w, &im->provider_ref, im->provider);
	end(wr, &w, &im->at);
}

/* --- modules --- */

static void write_settings(struct writer *wr, const struct cfg_module *m)
{
	struct jw w;

	for (size_t i = 0; i < m->required_versions.len; i++) {
		w = begin_plain(wr, "terraform", m);
		record_expression_member(&w, "required_version",
					 m->required_versions.items[i]);
		stream_record_end(wr->o, &w);
	}
	for (size_t i = 0; i < m->required_providers.len; i++)
		write_required(wr, m, m->required_providers.entries[i].value);
	for (size_t i = 0; i < m->providers.len; i++)
		write_provider(wr, m, m->providers.entries[i].value);
	for (size_t i = 0; i < m->provider_meta.len; i++)
		write_meta(wr, m, m->provider_meta.entries[i].value);
	write_backend(wr, m, m->backend);
	write_backend(wr, m, m->cloud);
	if (m->encryption) {
		w = begin_plain(wr, "encryption", m);
		write_body(&w, "body", m->encryption);
		end(wr, &w, &m->encryption_at);
	}
}

static void write_resources(struct writer *wr, const struct cfg_module *m,
			    const struct map *of)
{
	for (size_t i = 0; i < of->len; i++)
		write_resource(wr, m, of->entries[i].value);
}

static void write_module(struct writer *wr, const struct cfg_module *m)
{
	struct jw w = stream_record(wr->o, "module", m->path);

	if (m->call)
		jw_member_str(&w, "source", m->call->source);
	member_str(&w, "version", m->version);
	jw_member_str(&w, "dir", m->dir);
	stream_record_end(wr->o, &w);
	write_settings(wr, m);
	for (size_t i = 0; i < m->variables.len; i++)
		write_variable(wr, m, m->variables.entries[i].value);
	for (size_t i = 0; i < m->locals.len; i++)
		write_local(wr, m, m->locals.entries[i].value);
	for (size_t i = 0; i < m->outputs.len; i++)
		write_output(wr, m, m->outputs.entries[i].value);
	for (size_t i = 0; i < m->calls.len; i++)
		write_call(wr, m, m->calls.entries[i].value);
	write_resources(wr, m, &m->managed);
	write_resources(wr, m, &m->data);
	write_resources(wr, m, &m->ephemeral);
	for (size_t i = 0; i < m->checks.len; i++)
		write_check(wr, m, m->checks.entries[i].value);
	for (size_t i = 0; i < m->moved.len; i++)
		write_moved(wr, &m->moved.items[i]);
	for (size_t i = 0; i < m->removed.len; i++)
		write_removed(wr, &m->removed.items[i]);
	for (size_t i = 0; i < m->imports.len; i++)
		write_import(wr, &m->imports.items[i]);
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

/*
 * read.c - a configuration from its records; write.c writes them
 *
 * Records may come in any order: what refers to what is settled in
 * config_finish.  A record's JSON lives in the scratch arena, so that every
 * text that is kept must be copied.
 */
#include "config/config_int.h"

#include "json/slice.h"
#include "lang/eval.h"

struct reader {
	struct config *c;
	struct arena *a;
	const struct json *j;
	struct cfg_module *m; /* of the "module" member */
	struct diags *ds;
};

static struct str text(struct reader *r, const struct json *j,
		       const char *name)
{
	struct str s = json_get_str(j, name);

	return s.n ? str_dup(r->a, s) : STR_NONE;
}

static struct str name_of(struct reader *r)
{
	struct str s = text(r, r->j, "name");

	if (!s.n)
		record_invalid(r->ds, "an object has no \"name\"");
	return s;
}

/* An absent position is no mistake: it is only missed in messages. */
static struct range at(struct reader *r, const struct json *j,
		       const char *name)
{
	struct range range;

	record_at_read(r->a, json_get(j, name), &range);
	return range;
}

static int expr(struct reader *r, const struct json *j, const char *name,
		struct expression *out)
{
	return record_expression_read(r->a, json_get(j, name), out, r->ds);
}

static int body(struct reader *r, const struct json *j, const char *name,
		struct body **out)
{
	return record_body_read(r->a, json_get(j, name), out, r->ds);
}

/* The elements of an array member; none when it is absent. */
static const struct json *list(const struct json *j, const char *name,
			       size_t *n)
{
	const struct json *l = json_get(j, name);

	*n = l && l->kind == JSON_ARRAY ? l->len : 0;
	return *n ? l->items : NULL;
}

static int traversals(struct reader *r, const struct json *j, const char *name,
		      bool relative, struct traversal_vec *out)
{
	size_t n;
	const struct json *l = list(j, name, &n);

	for (size_t i = 0; i < n; i++) {
		struct traversal_ref t;

		if (record_traversal_read(r->a, &l[i], relative, &t, r->ds))
			return -1;
		vec_push(r->a, out, t);
	}
	return 0;
}

static int conditions(struct reader *r, const struct json *j, const char *name,
		      struct cfg_condition_vec *out)
{
	size_t n;
	const struct json *l = list(j, name, &n);

	for (size_t i = 0; i < n; i++) {
		struct cfg_condition c = { .at = at(r, &l[i], "at") };

		if (expr(r, &l[i], "condition", &c.condition) ||
		    expr(r, &l[i], "error_message", &c.error_message))
			return -1;
		vec_push(r->a, out, c);
	}
	return 0;
}

static int provider_addr(struct reader *r, const struct json *j,
			 const char *name, struct provider_addr *out)
{
	struct str s = json_get_str(j, name), why;
	struct config *c = r->c;

	if (!s.n)
		return 0;
	if (!str_eq(s, c->source)) {
		c->source = STR_NONE;
		if (provider_addr_parse(r->a, s, c->default_host,
					&c->source_addr, &why))
			return record_invalid(r->ds,
					      "a provider's source is wrong");
		c->source = str_dup(r->a, s);
	}
	*out = c->source_addr;
	return 0;
}

static int provider_ref(struct reader *r, const struct json *j,
			struct cfg_provider_ref *out)
{
	*out = (struct cfg_provider_ref){ .given = false };
	out->name = text(r, j, "name");
	out->given = out->name.n != 0;
	out->alias = text(r, j, "alias");
	out->at = at(r, j, "at");
	out->name_at = at(r, j, "name_at");
	return expr(r, j, "key", &out->key);
}

static int provider_use(struct reader *r, struct cfg_provider_ref *ref,
			struct provider_addr *addr)
{
	const struct json *p = json_get(r->j, "provider");

	return provider_ref(r, p, ref) || provider_addr(r, p, "source", addr)
		       ? -1
		       : 0;
}

/* --- modules --- */

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
	m->dir = text(r, r->j, "dir");
	m->version = text(r, r->j, "version");
	return 0;
}

/* --- values --- */

static int read_variable(struct reader *r)
{
	struct cfg_variable *v = ARENA_NEW(r->a, struct cfg_variable);

	v->name = name_of(r);
	v->description = text(r, r->j, "description");
	v->deprecated = text(r, r->j, "deprecated");
	v->sensitive = json_get_bool(r->j, "sensitive", false);
	v->ephemeral = json_get_bool(r->j, "ephemeral", false);
	v->nullable = json_get_bool(r->j, "nullable", true);
	v->constant = json_get_bool(r->j, "const", false);
	if (json_get(r->j, "const"))
		v->set |= SET_CONST;
	v->at = at(r, r->j, "at");
	v->type = &type_dynamic;
	v->parse_literal = true;
	if (!v->name.n || expr(r, r->j, "type", &v->type_expr) ||
	    expr(r, r->j, "default", &v->default_value) ||
	    conditions(r, r->j, "validations", &v->validations))
		return -1;
	if (v->type_expr.root)
		read_variable_type(r->a, v, r->ds);
	map_put(r->a, &r->m->variables, v->name, v);
	return 0;
}

static int read_local(struct reader *r)
{
	struct cfg_local *l = ARENA_NEW(r->a, struct cfg_local);

	l->name = name_of(r);
	l->at = at(r, r->j, "at");
	if (!l->name.n || expr(r, r->j, "value", &l->value))
		return -1;
	if (!l->value.root)
		return record_invalid(r->ds, "a local value has no \"value\"");
	map_put(r->a, &r->m->locals, l->name, l);
	return 0;
}

static int read_output(struct reader *r)
{
	struct cfg_output *o = ARENA_NEW(r->a, struct cfg_output);

	o->name = name_of(r);
	o->description = text(r, r->j, "description");
	o->deprecated = text(r, r->j, "deprecated");
	o->sensitive = json_get_bool(r->j, "sensitive", false);
	o->ephemeral = json_get_bool(r->j, "ephemeral", false);
	o->at = at(r, r->j, "at");
	if (!o->name.n || expr(r, r->j, "value", &o->value) ||
	    traversals(r, r->j, "depends_on", false, &o->depends_on) ||
	    conditions(r, r->j, "preconditions", &o->preconditions))
		return -1;
	if (!o->value.root)
		return record_invalid(r->ds, "an output has no \"value\"");
	map_put(r->a, &r->m->outputs, o->name, o);
	return 0;
}

/* --- resources --- */

static int read_triggers(struct reader *r, const struct json *j,
			 struct cfg_lifecycle *l)
{
	size_t n;
	const struct json *items = list(j, "replace_triggered_by", &n);

	l->replace_triggered_by = ARENA_ARRAY(r->a, struct expression, n);
	l->nreplace_triggered_by = n;
	for (size_t i = 0; i < n; i++)
		if (record_expression_read(r->a, &items[i],
					   &l->replace_triggered_by[i], r->ds))
			return -1;
	return 0;
}

static void read_create_before_destroy(struct reader *r,
				       struct cfg_lifecycle *l)
{
	struct diags ignored = DIAGS_INIT(r->a);
	struct verror err = { 0 };
	const struct value *v;

	if (!l->create_before_destroy.root)
		return;
	v = eval_expression(r->a, NULL, l->create_before_destroy, &ignored);
	v = convert(r->a, v, &type_bool, &err);
	l->create_before_destroy_value = v && value_usable(v) && v->boolean;
}

static int read_lifecycle(struct reader *r, struct cfg_lifecycle *l)
{
	const struct json *j = json_get(r->j, "lifecycle");

	if (!j)
		return 0;
	l->at = at(r, j, "at");
	l->ignore_all = str_is(json_get_str(j, "ignore_changes"), "all");
	if (expr(r, j, "create_before_destroy", &l->create_before_destroy) ||
	    expr(r, j, "prevent_destroy", &l->prevent_destroy) ||
	    expr(r, j, "destroy", &l->destroy) ||
	    expr(r, j, "enabled", &l->enabled) ||
	    traversals(r, j, "ignore_changes", true, &l->ignore_changes) ||
	    read_triggers(r, j, l) ||
	    conditions(r, j, "preconditions", &l->preconditions) ||
	    conditions(r, j, "postconditions", &l->postconditions))
		return -1;
	read_create_before_destroy(r, l);
	return 0;
}

static int read_provisioners(struct reader *r, struct cfg_provisioner_vec *out)
{
	size_t n;
	const struct json *l = list(r->j, "provisioners", &n);

	for (size_t i = 0; i < n; i++) {
		struct cfg_provisioner p = { .at = at(r, &l[i], "at") };

		p.type = text(r, &l[i], "type");
		p.when_destroy =
			str_is(json_get_str(&l[i], "when"), "destroy");
		p.on_failure_continue =
			str_is(json_get_str(&l[i], "on_failure"), "continue");
		if (body(r, &l[i], "body", &p.body) ||
		    body(r, &l[i], "connection", &p.connection))
			return -1;
		if (!p.type.n || !p.body)
			return record_invalid(r->ds, "a provisioner lacks "
						     "\"type\" or \"body\"");
		vec_push(r->a, out, p);
	}
	return 0;
}

static int read_mode(struct reader *r, enum resource_mode *out)
{
	struct str mode = json_get_str(r->j, "mode");

	*out = MODE_MANAGED;
	if (str_is(mode, "data"))
		*out = MODE_DATA;
	else if (str_is(mode, "ephemeral"))
		*out = MODE_EPHEMERAL;
	else if (!str_is(mode, "managed"))
		return record_invalid(r->ds, "a resource's \"mode\" is "
					     "unknown");
	return 0;
}

static int read_resource(struct reader *r)
{
	struct cfg_resource *res = ARENA_NEW(r->a, struct cfg_resource);

	res->module = r->m;
	res->addr.type = text(r, r->j, "type");
	res->addr.name = name_of(r);
	res->check_name = text(r, r->j, "check");
	res->at = at(r, r->j, "at");
	res->type_at = at(r, r->j, "type_at");
	if (!res->addr.name.n || read_mode(r, &res->addr.mode) ||
	    provider_use(r, &res->provider_ref, &res->provider) ||
	    expr(r, r->j, "count", &res->count) ||
	    expr(r, r->j, "for_each", &res->for_each) ||
	    traversals(r, r->j, "depends_on", false, &res->depends_on) ||
	    read_lifecycle(r, &res->lifecycle) ||
	    read_provisioners(r, &res->provisioners) ||
	    body(r, r->j, "connection", &res->connection) ||
	    body(r, r->j, "body", &res->body))
		return -1;
	if (!res->addr.type.n || !res->provider.type.n ||
	    (!res->body && !r->c->outline))
		return record_invalid(r->ds, "a resource lacks \"type\", "
					     "\"provider\" or \"body\"");
	map_put(r->a, module_resources(r->m, res->addr.mode),
		str_printf(r->a, "%.*s.%.*s", STR_ARG(res->addr.type),
			   STR_ARG(res->addr.name)),
		res);
	return 0;
}

/* --- module calls, providers --- */

static int read_passes(struct reader *r, struct cfg_call *c)
{
	size_t n;
	const struct json *l = list(r->j, "providers", &n);

	c->providers_given = json_get(r->j, "providers") != NULL;
	c->providers = ARENA_ARRAY(r->a, struct cfg_provider_pass, n);
	c->nproviders = n;
	for (size_t i = 0; i < n; i++) {
		struct cfg_provider_pass *p = &c->providers[i];

		p->child_name = text(r, &l[i], "child");
		p->child_alias = text(r, &l[i], "child_alias");
		p->child_at = at(r, &l[i], "child_at");
		if (provider_ref(r, json_get(&l[i], "parent"), &p->parent))
			return -1;
		if (!p->child_name.n || !p->parent.given)
			return record_invalid(r->ds, "a passed provider lacks "
						     "\"child\" or "
						     "\"parent\"");
	}
	return 0;
}

static int read_call(struct reader *r)
{
	struct cfg_call *c = ARENA_NEW(r->a, struct cfg_call);
	const char *summary;
	struct str why;

	c->module = r->m;
	c->name = name_of(r);
	c->source = text(r, r->j, "source_address");
	c->version = text(r, r->j, "version_constraint");
	c->at = at(r, r->j, "at");
	c->depends_on_given = json_get(r->j, "depends_on") != NULL;
	if (!c->name.n || expr(r, r->j, "source", &c->source_expr) ||
	    expr(r, r->j, "version", &c->version_expr) ||
	    expr(r, r->j, "count", &c->count) ||
	    expr(r, r->j, "for_each", &c->for_each) ||
	    expr(r, r->j, "enabled", &c->enabled) ||
	    traversals(r, r->j, "depends_on", false, &c->depends_on) ||
	    read_passes(r, c) || body(r, r->j, "body", &c->body))
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

static int read_provider(struct reader *r)
{
	struct cfg_provider *p = ARENA_NEW(r->a, struct cfg_provider);
	struct str key;

	p->module = r->m;
	p->name = name_of(r);
	p->alias = text(r, r->j, "alias");
	p->version = text(r, r->j, "version");
	p->at = at(r, r->j, "at");
	if (!p->name.n || provider_addr(r, r->j, "source", &p->provider) ||
	    expr(r, r->j, "for_each", &p->for_each) ||
	    body(r, r->j, "body", &p->body))
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

static int read_required(struct reader *r)
{
	struct cfg_required_provider *rp =
		ARENA_NEW(r->a, struct cfg_required_provider);
	size_t n;
	const struct json *l = list(r->j, "configuration_aliases", &n);

	rp->name = name_of(r);
	rp->source = text(r, r->j, "source");
	rp->version = text(r, r->j, "version");
	rp->at = at(r, r->j, "at");
	rp->aliases = ARENA_ARRAY(r->a, struct str, n);
	for (size_t i = 0; i < n; i++)
		if (l[i].kind == JSON_STRING)
			rp->aliases[rp->naliases++] =
				str_dup(r->a, l[i].text);
	if (!rp->name.n || provider_addr(r, r->j, "provider", &rp->addr))
		return -1;
	if (!rp->addr.type.n)
		return record_invalid(r->ds, "a required provider lacks "
					     "\"provider\"");
	map_put(r->a, &r->m->required_providers, rp->name, rp);
	return 0;
}

static int read_meta(struct reader *r)
{
	struct cfg_provider_meta *pm =
		ARENA_NEW(r->a, struct cfg_provider_meta);

	pm->name = name_of(r);
	pm->at = at(r, r->j, "at");
	if (!pm->name.n || provider_addr(r, r->j, "provider", &pm->provider) ||
	    body(r, r->j, "body", &pm->body))
		return -1;
	if (!pm->body || !pm->provider.type.n)
		return record_invalid(r->ds, "a provider_meta block lacks "
					     "\"provider\" or \"body\"");
	map_put(r->a, &r->m->provider_meta,
		provider_addr_text(r->a, pm->provider), pm);
	return 0;
}

static int read_backend(struct reader *r)
{
	struct cfg_backend *b = ARENA_NEW(r->a, struct cfg_backend);

	b->type = text(r, r->j, "type");
	b->cloud = json_get_bool(r->j, "cloud", false);
	b->at = at(r, r->j, "at");
	if (body(r, r->j, "body", &b->body))
		return -1;
	if (!b->type.n || !b->body)
		return record_invalid(r->ds, "a backend lacks \"type\" or "
					     "\"body\"");
	*(b->cloud ? &r->m->cloud : &r->m->backend) = b;
	return 0;
}

static int read_encryption(struct reader *r)
{
	r->m->encryption_at = at(r, r->j, "at");
	return body(r, r->j, "body", &r->m->encryption);
}

static int read_terraform(struct reader *r)
{
	struct expression e;

	if (expr(r, r->j, "required_version", &e))
		return -1;
	if (e.root)
		vec_push(r->a, &r->m->required_versions, e);
	return 0;
}

/* --- checks, moves, imports --- */

static int read_check(struct reader *r)
{
	struct cfg_check *c = ARENA_NEW(r->a, struct cfg_check);

	c->module = r->m;
	c->name = name_of(r);
	c->at = at(r, r->j, "at");
	if (!c->name.n || conditions(r, r->j, "asserts", &c->asserts))
		return -1;
	map_put(r->a, &r->m->checks, c->name, c);
	return 0;
}

static int read_moved(struct reader *r)
{
	struct cfg_moved mv = { .module = r->m, .at = at(r, r->j, "at") };

	if (record_traversal_read(r->a, json_get(r->j, "from"), false,
				  &mv.from, r->ds) ||
	    record_traversal_read(r->a, json_get(r->j, "to"), false, &mv.to,
				  r->ds))
		return -1;
	vec_push(r->a, &r->m->moved, mv);
	return 0;
}

static int read_removed(struct reader *r)
{
	struct cfg_removed rm = { .module = r->m, .at = at(r, r->j, "at") };

	rm.destroy_given = json_get(r->j, "destroy") != NULL;
	rm.destroy = json_get_bool(r->j, "destroy", false);
	if (record_traversal_read(r->a, json_get(r->j, "from"), false,
				  &rm.from, r->ds) ||
	    read_provisioners(r, &rm.provisioners))
		return -1;
	vec_push(r->a, &r->m->removed, rm);
	return 0;
}

static int read_import(struct reader *r)
{
	struct cfg_import im = { .module = r->m, .at = at(r, r->j, "at") };

	if (expr(r, r->j, "to", &im.to) || expr(r, r->j, "id", &im.id) ||
	    expr(r, r->j, "identity", &im.identity) ||
	    expr(r, r->j, "for_each", &im.for_each) ||
	    provider_use(r, &im.provider_ref, &im.provider))
		return -1;
	if (!im.to.root)
		return record_invalid(r->ds, "an import has no \"to\"");
	if (import_address(r->a, &im, r->ds))
		return -1;
	vec_push(r->a, &r->m->imports, im);
	return 0;
}

/* --- dispatch --- */

static const struct kind {
	const char *name;
	int (*read)(struct reader *r);
	bool no_module;
} kinds[] = {
	{ "resource", read_resource, false },
	{ "variable", read_variable, false },
	{ "local", read_local, false },
	{ "output", read_output, false },
	{ "module", read_module, true },
	{ "module_call", read_call, false },
	{ "provider_config", read_provider, false },
	{ "required_provider", read_required, false },
	{ "provider_meta", read_meta, false },
	{ "check", read_check, false },
	{ "moved", read_moved, false },
	{ "removed", read_removed, false },
	{ "import", read_import, false },
	{ "backend", read_backend, false },
	{ "encryption", read_encryption, false },
	{ "terraform", read_terraform, false },
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
	bool outline = c->outline && k->read == read_resource;
	struct reader r = { .c = c, .a = c->arena, .ds = ds };

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

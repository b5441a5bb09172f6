/*
 * records_read.c - a configuration from records
 *
 * They may come in any order: what refers to what is settled in config_finish.
 */
#include "config/record/records.h"
#include "config/decode/decode_int.h"
#include "config/module.h"
#include "config/module_int.h"
#include "config/record/record_int.h"
#include "config/source/source.h"
#include "config/test.h"
#include "addr/provider.h"
#include "json/tree.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "value/codec_json.h"

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

static int read_module(struct cfg_reader *r)
{
	struct cfg_module *m =
		config_module_at(r->c, json_get_str(r->j, "address"));

	m->declared = true;
	m->dir = str_dup(r->a, json_get_str(r->j, "dir"));
	m->version = str_dup(r->a, json_get_str(r->j, "version"));
	m->again = map_put(r->a, &r->c->dirs, m->dir, m) != NULL;
	return 0;
}

/* Type and name are parts of the key that the resource is found by. */
static int read_key(struct cfg_reader *r, struct resource_addr *out,
		    struct str *key)
{
	struct str type = json_get_str(r->j, "type");
	struct str name = json_get_str(r->j, "name");

	if (!type.n || !name.n)
		return record_invalid(r->ds,
				      "a resource lacks \"type\" or \"name\"");
	*key = STR_CAT(r->a, type, STR("."), name);
	out->type = str_sub(*key, 0, type.n);
	out->name = str_sub(*key, type.n + 1, key->n);
	return 0;
}

static int read_resource(struct cfg_reader *r)
{
	struct cfg_resource *res = cfg_resource_new(r->a);
	struct str key;

	res->module = r->m;
	r->outline = r->c->outline;
	if (read_key(r, &res->addr, &key) ||
	    fields_read(r, &fields_resource, r->j, res))
		return -1;
	map_put(r->a, module_resources(r->m, res->addr.mode), key, res);
	return 0;
}

static int read_variable(struct cfg_reader *r)
{
	struct cfg_variable *v = ARENA_NEW(r->a, struct cfg_variable);

	v->type = &type_dynamic;
	v->parse_literal = true;
	if (fields_read(r, &fields_variable, r->j, v))
		return -1;
	if (v->type_expr.root)
		decode_variable_type(r->a, v, r->ds);
	map_put(r->a, &r->m->variables, v->name, v);
	return 0;
}

static int read_local(struct cfg_reader *r)
{
	struct cfg_local *l = ARENA_NEW(r->a, struct cfg_local);

	if (fields_read(r, &fields_local, r->j, l))
		return -1;
	map_put(r->a, &r->m->locals, l->name, l);
	return 0;
}

static int read_output(struct cfg_reader *r)
{
	struct cfg_output *o = ARENA_NEW(r->a, struct cfg_output);

	if (fields_read(r, &fields_output, r->j, o))
		return -1;
	map_put(r->a, &r->m->outputs, o->name, o);
	return 0;
}

static int read_call(struct cfg_reader *r)
{
	struct cfg_call *c = ARENA_NEW(r->a, struct cfg_call);
	const char *summary;
	struct str why;

	c->module = r->m;
	if (fields_read(r, &fields_call, r->j, c))
		return -1;
	if (c->source_expr.root)
		c->source_at = expression_range(c->source_expr);
	if (c->source.n)
		source_read(r->a, c->source, c->version_expr.root != NULL,
			    &c->source_kind, &summary, &why);
	map_put(r->a, &r->m->calls, c->name, c);
	return 0;
}

static int read_provider(struct cfg_reader *r)
{
	struct cfg_provider *p = ARENA_NEW(r->a, struct cfg_provider);
	struct str key;

	p->module = r->m;
	if (fields_read(r, &fields_provider, r->j, p))
		return -1;
	key = p->name;
	if (p->alias.n)
		key = STR_CAT(r->a, p->name, STR("."), p->alias);
	map_put(r->a, &r->m->providers, key, p);
	return 0;
}

static int read_required(struct cfg_reader *r)
{
	struct cfg_required_provider *rp =
		ARENA_NEW(r->a, struct cfg_required_provider);

	if (fields_read(r, &fields_required, r->j, rp))
		return -1;
	map_put(r->a, &r->m->required_providers, rp->name, rp);
	return 0;
}

static int read_meta(struct cfg_reader *r)
{
	struct cfg_provider_meta *pm =
		ARENA_NEW(r->a, struct cfg_provider_meta);

	if (fields_read(r, &fields_meta, r->j, pm))
		return -1;
	map_put(r->a, &r->m->provider_meta,
		provider_addr_text(r->a, pm->provider), pm);
	return 0;
}

static int read_check(struct cfg_reader *r)
{
	struct cfg_check *c = ARENA_NEW(r->a, struct cfg_check);

	c->module = r->m;
	if (fields_read(r, &fields_check, r->j, c))
		return -1;
	map_put(r->a, &r->m->checks, c->name, c);
	return 0;
}

static int read_moved(struct cfg_reader *r)
{
	struct cfg_moved mv = { .module = r->m };

	if (fields_read(r, &fields_moved, r->j, &mv))
		return -1;
	vec_push(r->a, &r->m->moved, mv);
	return 0;
}

static int read_removed(struct cfg_reader *r)
{
	struct cfg_removed rm = { .module = r->m };

	if (fields_read(r, &fields_removed, r->j, &rm))
		return -1;
	vec_push(r->a, &r->m->removed, rm);
	return 0;
}

static int read_import(struct cfg_reader *r)
{
	struct cfg_import im = { .module = r->m };

	if (fields_read(r, &fields_import, r->j, &im) ||
	    decode_import_address(r->a, &im, r->ds))
		return -1;
	vec_push(r->a, &r->m->imports, im);
	return 0;
}

static int read_backend(struct cfg_reader *r)
{
	struct cfg_backend *b = ARENA_NEW(r->a, struct cfg_backend);

	if (fields_read(r, &fields_backend, r->j, b))
		return -1;
	*(b->cloud ? &r->m->cloud : &r->m->backend) = b;
	return 0;
}

static int read_encryption(struct cfg_reader *r)
{
	return fields_read(r, &fields_encryption, r->j, r->m);
}

static int read_terraform(struct cfg_reader *r)
{
	struct expression e = EXPRESSION_NONE;

	if (fields_read(r, &fields_terraform, r->j, &e))
		return -1;
	if (e.root)
		vec_push(r->a, &r->m->required_versions, e);
	return 0;
}

static struct cfg_test *test_of(struct config *c)
{
	if (!c->test)
		c->test = ARENA_NEW(c->arena, struct cfg_test);
	return c->test;
}

static int read_test(struct cfg_reader *r)
{
	return fields_read(r, &fields_test, r->j, test_of(r->c));
}

static int read_test_value(struct cfg_reader *r)
{
	struct cfg_test *t = test_of(r->c);
	struct str name = json_get_str(r->j, "address");
	const struct json *given = json_get(r->j, "value");
	struct map *to = str_take(&name, STR("run."))   ? &t->runs
			 : str_take(&name, STR("var.")) ? &t->variables
							: NULL;
	struct verror err = { 0 };
	const struct value *v =
		given ? value_from_stream(r->a, given, &err) : NULL;

	if (!to || !v)
		return record_invalid(r->ds,
				      "the value of a test cannot be read");
	/* what was read lies in the record */
	map_put(r->a, to, str_dup(r->a, name), (void *)value_copy(r->a, v));
	return 0;
}

static const struct kind {
	const char *name;
	int (*read)(struct cfg_reader *r);
	const char *prefix; /* of its address: "" is by mode; NULL: none */
	bool no_module;
	enum {
		FRAME,
		EARLY,   /* of the frame if something is evaluated early */
		FILLING, /* not of the frame */
	} part;
} kinds[] = {
	{ "resource", read_resource, "", false, FILLING },
	{ "variable", read_variable, "var.", false, FRAME },
	{ "local", read_local, "local.", false, EARLY },
	{ "output", read_output, "output.", false, FILLING },
	{ "module", read_module, NULL, true, FRAME },
	{ "module_call", read_call, "module.", false, FRAME },
	{ "provider_config", read_provider, NULL, false, FILLING },
	{ "required_provider", read_required, NULL, false, FRAME },
	{ "provider_meta", read_meta, NULL, false, FILLING },
	{ "check", read_check, "check.", false, FILLING },
	{ "moved", read_moved, NULL, false, FILLING },
	{ "removed", read_removed, NULL, false, FILLING },
	{ "import", read_import, NULL, false, FILLING },
	{ "backend", read_backend, NULL, false, FRAME },
	{ "encryption", read_encryption, NULL, false, FRAME },
	{ "terraform", read_terraform, NULL, false, FRAME },
	{ "test", read_test, NULL, true, FRAME },
	{ "test_value", read_test_value, NULL, true, FRAME },
};

/* What the address says the other members say again: for those who look at the
 * one, and for those who go by the others. */
static bool address_agrees(const struct cfg_reader *r, const struct kind *k)
{
	struct str rest = json_get_str(r->j, "address");
	const struct str mode = json_get_str(r->j, "mode"), dot = STR(".");

	if (r->m && r->m->path.n &&
	    !(str_take(&rest, r->m->path) && str_take(&rest, dot)))
		return false;
	if (*k->prefix)
		return str_take(&rest, str_c(k->prefix)) &&
		       str_eq(rest, json_get_str(r->j, "name"));
	return (str_is(mode, "managed") ||
		(str_take(&rest, mode) && str_take(&rest, dot))) &&
	       str_take(&rest, json_get_str(r->j, "type")) &&
	       str_take(&rest, dot) && str_eq(rest, json_get_str(r->j, "name"));
}

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
	struct cfg_reader r = {
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
	r.in.share = r.m && r.m->again;
	if (k->prefix && !address_agrees(&r, k))
		return record_invalid(ds,
				      "its \"address\" is not what \"module\", "
				      "\"mode\", \"type\" and \"name\" say");
	return k->read(&r);
}

static const struct kind *kind_named(struct str kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_is(kind, kinds[i].name))
			return &kinds[i];
	return NULL;
}

int config_read_record(struct config *c, struct str kind, struct str line,
		       struct diags *ds)
{
	const struct kind *k = kind_named(kind);

	if (k && (!c->frame || k->part == FRAME))
		return read_one(c, k, line, ds);
	if (k && k->part == EARLY)
		vec_push(c->arena, &c->early, str_dup(c->arena, line));
	if (k)
		return 0;
	if (!str_is(kind, "source"))
		return 1;
	if (record_source_read(c->arena, line, &c->sources))
		return record_invalid(
			ds, "a source lacks \"filename\" or \"text\"");
	return 0;
}

/* Is a backend, encryption, or where a module comes from, evaluated early? */
static bool evaluates_early(const struct config *c)
{
	const struct cfg_module *root = map_get(&c->modules, STR(""));

	if (c->frame_early ||
	    (root && (root->backend || root->cloud || root->encryption)))
		return true;
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *m = c->modules.entries[i].value;

		for (size_t k = 0; k < m->calls.len; k++) {
			const struct cfg_call *call = m->calls.entries[k].value;
			const struct expr *source = call->source_expr.root;
			const struct expr *version = call->version_expr.root;

			if ((source && source->kind != EXPR_LITERAL) ||
			    (version && version->kind != EXPR_LITERAL))
				return true;
		}
	}
	return false;
}

int config_read_early(struct config *c, struct diags *ds)
{
	const struct kind *local = kind_named(STR("local"));
	int rc = 0;

	if (!c->early.len || !evaluates_early(c))
		return 0;
	for (size_t i = 0; !rc && i < c->early.len; i++)
		rc = read_one(c, local, c->early.items[i], ds);
	return rc;
}

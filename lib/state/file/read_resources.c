/*
 * read_resources.c - the "resources" of a state file
 *
 * The members of one resource object are collected first (their order is not
 * promised), then checked and put into the state.
 */
#include <stddef.h>

#include "addr/provider.h"
#include "state/file/file_int.h"

struct raw_instance {
	struct str index_key, dependencies; /* JSON texts */
	struct str identity_version;        /* JSON text */
	struct str status, provider, deposed;
	uint64_t schema_version;
	struct str attributes, attributes_flat, sensitive, identity;
	struct str private_data;
	bool create_before_destroy, skip_destroy;
};

struct raw_resource {
	struct str module, mode, type, name, provider;
	VEC(struct raw_instance) instances;
};

#define AT(member) offsetof(struct raw_instance, member)

static const struct state_field instance_fields[] = {
	{ "index_key", FIELD_TEXT, AT(index_key), NULL },
	{ "status", FIELD_STRING, AT(status), NULL },
	{ "deposed", FIELD_STRING, AT(deposed), NULL },
	{ "provider", FIELD_STRING, AT(provider), NULL },
	{ "schema_version", FIELD_UINT, AT(schema_version), NULL },
	{ "attributes", FIELD_TEXT, AT(attributes), NULL },
	{ "attributes_flat", FIELD_TEXT, AT(attributes_flat), NULL },
	{ "sensitive_attributes", FIELD_TEXT, AT(sensitive), NULL },
	{ "private", FIELD_STRING, AT(private_data), NULL },
	{ "dependencies", FIELD_TEXT, AT(dependencies), NULL },
	{ "create_before_destroy", FIELD_BOOL, AT(create_before_destroy),
	  NULL },
	{ "skip_destroy", FIELD_BOOL, AT(skip_destroy), NULL },
	{ "identity", FIELD_TEXT, AT(identity), NULL },
	{ "identity_schema_version", FIELD_TEXT, AT(identity_version), NULL },
	{ NULL, FIELD_FN, 0, NULL },
};

static int read_instances(struct state_reader *rd, void *into)
{
	struct raw_resource *res = into;
	bool first = true;
	int rc;

	if (json_scan_peek(&rd->scan) != '[')
		return read_wrong(rd, "instances", "a list");
	json_scan_open(&rd->scan, '[');
	res->instances.len = 0;
	while ((rc = json_scan_element(&rd->scan, &first)) == 1) {
		struct raw_instance raw = { .schema_version = 0 };

		if (read_fields(rd, instance_fields, &raw))
			return -1;
		vec_push(&rd->scratch, &res->instances, raw);
	}
	return rc;
}

#undef AT
#define AT(member) offsetof(struct raw_resource, member)

static const struct state_field resource_fields[] = {
	{ "module", FIELD_STRING, AT(module), NULL },
	{ "mode", FIELD_STRING, AT(mode), NULL },
	{ "type", FIELD_STRING, AT(type), NULL },
	{ "name", FIELD_STRING, AT(name), NULL },
	{ "provider", FIELD_STRING, AT(provider), NULL },
	{ "instances", FIELD_FN, 0, read_instances },
	{ NULL, FIELD_FN, 0, NULL },
};

#undef AT

/* Everything needed while one resource is put into the state. */
struct filling {
	struct state_reader *rd;
	struct state_resource *r;
	struct str text; /* its address */
	const struct raw_resource *raw;
	const struct provider_config_addr *seen; /* by an earlier instance */
	bool mixed; /* instances name other providers */
};

static int bad_instance(struct filling *f, struct inst_key key,
			const char *what, struct str value)
{
	struct diags *ds = f->rd->ds;

	return diag_error(
		ds, NULL, "Invalid resource instance metadata in state",
		"%s: %.*s%.*s has %s (%.*s).", f->rd->name, STR_ARG(f->text),
		STR_ARG(inst_key_text(ds->arena, key)), what,
		(int)(value.n > 100 ? 100 : value.n), value.p ? value.p : "");
}

static struct str text_or_none(struct str json)
{
	return str_is(json, "null") ? STR_NONE : json;
}

static int fill_dependencies(struct filling *f, const struct raw_instance *raw,
			     struct state_instance *i)
{
	size_t errors = f->rd->ds->errors;

	if (!read_dependencies(f->rd->state, text_or_none(raw->dependencies), i,
			       f->rd->ds))
		return 0;
	if (f->rd->ds->errors == errors)
		return bad_instance(f, i->key, "invalid dependencies",
				    raw->dependencies);
	return -1;
}

/* Does the instance's provider only add an alias or a key to that of its
 * resource, which has no alias?  *key: the key; an alias as a string. */
static bool adds_key(struct filling *f, const struct provider_config_addr *p,
		     struct inst_key *key)
{
	const struct provider_config_addr *r = &f->r->provider;

	if (!f->raw->provider.n || r->alias.n ||
	    !provider_addr_equal(p->provider, r->provider) ||
	    !module_addr_equal(p->module, r->module) ||
	    (p->alias.n && p->key.kind != KEY_NONE))
		return false;
	*key = p->key;
	if (p->alias.n)
		*key = (struct inst_key){ .kind = KEY_STRING, .s = p->alias };
	return true;
}

/* The provider named at the instance, which carries the provider's key. */
static int fill_provider(struct filling *f, const struct raw_instance *raw,
			 struct state_instance *i)
{
	struct state_reader *rd = f->rd;
	const struct provider_config_addr *p;
	struct inst_key key;

	if (!raw->provider.n && !f->raw->provider.n)
		return diag_error(
			rd->ds, NULL, "Provider field missing state",
			"%s: %.*s names no provider, neither for itself nor for each instance.",
			rd->name, STR_ARG(f->text));
	if (!raw->provider.n)
		return 0;
	p = read_provider(rd->state, raw->provider, rd->ds);
	if (!p)
		return -1;
	if (adds_key(f, p, &key)) {
		i->provider_key = inst_key_text(rd->state->arena, key);
		return 0;
	}
	if (f->raw->provider.n)
		diag_warning(rd->ds, NULL, "Provider field conflict in state",
			     "%s: %.*s names the provider %.*s, and one of its "
			     "instances %.*s; the latter is used.",
			     rd->name, STR_ARG(f->text),
			     STR_ARG(f->raw->provider), STR_ARG(raw->provider));
	if (f->seen && (!provider_addr_equal(p->provider, f->seen->provider) ||
			!str_eq(p->alias, f->seen->alias) ||
			!module_addr_equal(p->module, f->seen->module)))
		f->mixed = true;
	f->seen = p;
	f->r->provider = *p;
	f->r->provider.key = KEY_ABSENT;
	i->provider_key = inst_key_text(rd->state->arena, p->key);
	return 0;
}

static int fill_identity(struct filling *f, const struct raw_instance *raw,
			 struct state_instance *i)
{
	struct inst_key n;

	i->identity = text_or_none(raw->identity);
	i->identity_unversioned = true;
	if (!text_or_none(raw->identity_version).n)
		return 0;
	if (read_index_key(f->rd->state->arena, raw->identity_version, &n) ||
	    n.kind != KEY_INT || n.i < 0)
		return bad_instance(f, i->key, "an invalid identity version",
				    raw->identity_version);
	i->identity_schema_version = (uint64_t)n.i;
	i->identity_unversioned = false;
	return 0;
}

static int fill_instance(struct filling *f, const struct raw_instance *raw,
			 struct state_instance *i)
{
	struct arena *a = f->rd->state->arena;

	if (read_index_key(a, raw->index_key, &i->key))
		return bad_instance(f, KEY_ABSENT, "an invalid instance key",
				    raw->index_key);
	if (raw->status.n && !str_is(raw->status, "tainted"))
		return bad_instance(f, i->key, "an invalid status",
				    raw->status);
	if (raw->deposed.n && raw->deposed.n != 8)
		return bad_instance(f, i->key, "an invalid deposed key",
				    raw->deposed);
	if (!read_sensitive_ok(raw->sensitive))
		return bad_instance(f, i->key,
				    "invalid paths of sensitive attributes",
				    raw->sensitive);
	if (!read_base64_ok(raw->private_data))
		return bad_instance(f, i->key, "private data not in base64",
				    STR("…"));
	i->deposed = raw->deposed;
	i->tainted = raw->status.n != 0;
	i->schema_version = raw->schema_version;
	i->create_before_destroy = raw->create_before_destroy;
	i->skip_destroy = raw->skip_destroy;
	i->attributes = raw->attributes;
	i->attributes_flat = text_or_none(raw->attributes_flat);
	if (!i->attributes.n && !i->attributes_flat.n)
		i->attributes = STR("{}");
	i->sensitive = text_or_none(raw->sensitive);
	i->private_data = raw->private_data;
	return fill_identity(f, raw, i) || fill_dependencies(f, raw, i) ||
	       fill_provider(f, raw, i);
}

static void add_instance(struct filling *f, const struct raw_instance *raw)
{
	struct state *s = f->rd->state;
	struct state_instance *i = ARENA_NEW(s->arena, struct state_instance);
	struct diags *ds = f->rd->ds;

	if (fill_instance(f, raw, i))
		return;
	if (!state_deposed(f->r, i->key, i->deposed)) {
		state_put(s, f->r, i);
		return;
	}
	diag_error(ds, NULL, "Duplicate resource instance in state",
		   "%s: %.*s%.*s%s%.*s appears more than once.", f->rd->name,
		   STR_ARG(f->text), STR_ARG(inst_key_text(ds->arena, i->key)),
		   i->deposed.n ? " deposed object " : "", STR_ARG(i->deposed));
}

static void add_resource(struct state_reader *rd,
			 const struct raw_resource *raw)
{
	struct filling f = { .rd = rd, .raw = raw };
	struct resource_addr addr = { MODE_MANAGED, raw->type, raw->name };
	const struct module_addr root = { NULL, 0 }, *module = &root;
	const struct provider_config_addr *p = NULL;
	struct buf text = BUF_INIT;

	if (str_is(raw->mode, "data")) {
		addr.mode = MODE_DATA;
	} else if (!str_is(raw->mode, "managed")) {
		diag_error(rd->ds, NULL, "Invalid resource mode in state",
			   "%s: the resource %.*s.%.*s has the mode \"%.*s\", "
			   "which is not supported.",
			   rd->name, STR_ARG(raw->type), STR_ARG(raw->name),
			   STR_ARG(raw->mode));
		return;
	}
	/* A resource that holds nothing, and for which no provider could be
	 * written. */
	if (!raw->provider.n && !raw->instances.len)
		return;
	if (raw->module.n)
		module = read_module(rd->state, raw->module, rd->ds);
	if (raw->provider.n)
		p = read_provider(rd->state, raw->provider, rd->ds);
	if (!module || (raw->provider.n && !p))
		return;
	f.r = state_resource_make(rd->state, *module, &addr);
	if (p)
		f.r->provider = *p;
	f.r->kept = !raw->instances.len;
	state_resource_text(&text, *module, &addr);
	f.text = buf_view(&text);
	for (size_t n = 0; n < raw->instances.len; n++)
		add_instance(&f, &raw->instances.items[n]);
	if (f.mixed)
		diag_error(
			rd->ds, NULL,
			"Provider instance field conflict in state",
			"%s: the instances of %.*s name different providers.",
			rd->name, STR_ARG(f.text));
	buf_release(&text);
}

int read_resources(struct state_reader *rd, void *into)
{
	struct raw_resource raw = { .type = STR_NONE };
	bool first = true;
	int rc;

	(void)into;
	if (json_scan_peek(&rd->scan) != '[')
		return read_wrong(rd, "resources", "a list");
	json_scan_open(&rd->scan, '[');
	while ((rc = json_scan_element(&rd->scan, &first)) == 1) {
		raw.module = raw.mode = raw.type = STR_NONE;
		raw.name = raw.provider = STR_NONE;
		raw.instances.len = 0; /* the room is used again */
		if (read_fields(rd, resource_fields, &raw))
			return -1;
		add_resource(rd, &raw);
	}
	return rc;
}

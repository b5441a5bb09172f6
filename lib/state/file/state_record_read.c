/*
 * state_record_read.c - the records of a state, read; see state_record.c
 */
#include <stddef.h>

#include "state/file/file.h"
#include "addr/addr.h"
#include "addr/walk.h"
#include "json/read.h"
#include "json/tree.h"
#include "state/file/file_int.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/marks.h"

struct raw_record {
	struct str address, deposed, provider, status;
	uint64_t schema_version, serial;
	struct str attributes, attributes_flat, sensitive_paths, identity;
	struct str private_data, dependencies;
	uint64_t identity_version;
	bool create_before_destroy, skip_destroy, gone, sensitive, checks_known;
	bool translated;
	struct str lineage, terraform_version, backend, workspace;
	struct str value, deprecated, object_kind, objects, kept;
};

/* clang-format off */
#define ROW(name_, kind_, member_) \
	{ name_, kind_, offsetof(struct raw_record, member_), NULL }
/* clang-format on */

static const struct state_field record_fields[] = {
	ROW("address", FIELD_STRING, address),
	ROW("deposed", FIELD_STRING, deposed),
	ROW("provider", FIELD_STRING, provider),
	ROW("schema_version", FIELD_UINT, schema_version),
	ROW("attributes", FIELD_TEXT, attributes),
	ROW("attributes_flat", FIELD_TEXT, attributes_flat),
	ROW("sensitive_attributes", FIELD_TEXT, sensitive_paths),
	ROW("private", FIELD_STRING, private_data),
	ROW("identity", FIELD_TEXT, identity),
	ROW("identity_schema_version", FIELD_UINT, identity_version),
	ROW("dependencies", FIELD_TEXT, dependencies),
	ROW("create_before_destroy", FIELD_BOOL, create_before_destroy),
	ROW("skip_destroy", FIELD_BOOL, skip_destroy),
	ROW("status", FIELD_STRING, status),
	ROW("gone", FIELD_BOOL, gone),
	ROW("serial", FIELD_UINT, serial),
	ROW("lineage", FIELD_STRING, lineage),
	ROW("terraform_version", FIELD_STRING, terraform_version),
	ROW("backend", FIELD_STRING, backend),
	ROW("workspace", FIELD_STRING, workspace),
	ROW("checks_known", FIELD_BOOL, checks_known),
	ROW("value", FIELD_TEXT, value),
	ROW("sensitive", FIELD_BOOL, sensitive),
	ROW("deprecated", FIELD_STRING, deprecated),
	ROW("object_kind", FIELD_STRING, object_kind),
	ROW("objects", FIELD_TEXT, objects),
	ROW("kept", FIELD_TEXT, kept),
	ROW("translated", FIELD_BOOL, translated),
	{ NULL, FIELD_FN, 0, NULL },
};

static int invalid(struct diags *ds, struct str address, const char *what)
{
	return diag_error(ds, NULL, "Invalid stream", "The record of %.*s %s.",
			  STR_ARG(address), what);
}

/* The resource that an instance address belongs to, made when it is new; *key
 * gets the instance key. NULL after a diagnostic. */
static struct state_resource *state_find_or_make(struct state *s,
						 struct str address,
						 struct inst_key *key,
						 struct diags *ds)
{
	struct instance_addr addr;
	struct state_resource *r;
	struct str resource;

	if (addr_split_key(address, &resource, key)) {
		r = map_get(&s->by_addr, resource);
		if (r && key->kind == KEY_STRING)
			key->s = str_dup(s->arena, key->s);
		if (r)
			return r;
	}
	if (instance_addr_parse(s->arena, str_dup(s->arena, address), &addr,
				ds))
		return NULL;
	*key = addr.key;
	return state_resource_make(s, addr.module, &addr.resource);
}

static struct str keep(struct state *s, struct str text)
{
	return str_is(text, "null") ? STR_NONE : str_dup(s->arena, text);
}

static int record_provider(struct state *s, struct state_resource *r,
			   struct state_instance *i, struct str text,
			   struct diags *ds)
{
	const struct provider_config_addr *p = read_provider(s, text, ds);

	if (!p)
		return -1;
	r->provider = *p;
	r->provider.key = KEY_ABSENT;
	i->provider_key = inst_key_text(s->arena, p->key);
	return 0;
}

static int put_instance(struct state *s, const struct raw_record *raw,
			struct diags *ds)
{
	struct state_instance *i = ARENA_NEW(s->arena, struct state_instance);
	struct state_resource *r =
		state_find_or_make(s, raw->address, &i->key, ds);

	if (!r)
		return -1;
	if (raw->gone) {
		state_remove(s, r, i->key, raw->deposed);
		return 0;
	}
	if (!read_sensitive_ok(raw->sensitive_paths))
		return invalid(ds, raw->address, "has invalid sensitive paths");
	if (!read_base64_ok(raw->private_data))
		return invalid(ds, raw->address,
			       "has private data that is not base64");
	if (raw->provider.n && record_provider(s, r, i, raw->provider, ds))
		return -1;
	if (read_dependencies(s, raw->dependencies, i, ds))
		return invalid(ds, raw->address, "has invalid dependencies");
	i->deposed = keep(s, raw->deposed);
	i->tainted = str_is(raw->status, "tainted");
	i->create_before_destroy = raw->create_before_destroy;
	i->skip_destroy = raw->skip_destroy;
	i->schema_version = raw->schema_version;
	/* null is an object that is none, absent one without attributes */
	i->attributes = str_dup(s->arena, raw->attributes);
	i->attributes_flat = keep(s, raw->attributes_flat);
	if (!i->attributes.n && !i->attributes_flat.n)
		i->attributes = STR("{}");
	i->sensitive = keep(s, raw->sensitive_paths);
	i->private_data = str_dup(s->arena, raw->private_data);
	i->identity = keep(s, raw->identity);
	i->identity_schema_version = raw->identity_version;
	state_put(s, r, i);
	return 0;
}

/* The instance just read into previous, for prior too: the texts are shared. */
static int share_instance(struct state *prior, struct state *previous,
			  const struct raw_record *raw, struct diags *ds)
{
	struct inst_key key;
	struct state_resource *from, *to;
	struct state_instance *i;

	from = state_find_or_make(previous, raw->address, &key, ds);
	i = from ? state_deposed(from, key, raw->deposed) : NULL;
	if (!i)
		return from ? 0 : -1;
	to = state_resource_make(prior, from->module, &from->addr);
	to->provider = from->provider;
	state_put(prior, to, arena_dup(prior->arena, i, sizeof(*i)));
	return 0;
}

static int put_output(struct state *s, const struct raw_record *raw,
		      struct diags *ds)
{
	bool named = str_starts(raw->address, "output.");
	struct json_error jerr;
	struct verror verr;
	const struct json *j =
		raw->value.n ? json_parse(s->arena, raw->value, &jerr) : NULL;
	const struct value *v =
		j ? value_from_stream(s->arena, j, &verr) : NULL;
	struct str name = raw->address;

	if (raw->gone && named) {
		state_output_set(s, str_sub(name, 7, name.n), NULL);
		return 0;
	}
	if (!v || !named)
		return invalid(ds, raw->address, "holds no output value");
	name = str_dup(s->arena, str_sub(name, 7, name.n));
	if (raw->sensitive)
		v = value_with_marks(s->arena, v, &marks_sensitive);
	state_output_set(s, name, v);
	state_output_deprecate(s, name, str_dup(s->arena, raw->deprecated));
	return 0;
}

static void put_check(struct state *s, const struct raw_record *raw)
{
	struct state_check c = {
		.object_kind = str_dup(s->arena, raw->object_kind),
		.config_addr = str_dup(s->arena, raw->address),
		.status = str_dup(s->arena, raw->status),
		.objects = keep(s, raw->objects),
	};

	vec_push(s->arena, &s->checks, c);
}

static int put_kept(struct state *s, struct str list, struct diags *ds)
{
	struct json_error err;
	const struct json *j = json_parse(s->arena, list, &err);
	struct str_vec addresses = { 0 };
	struct inst_key key;

	if (!j || json_texts(s->arena, j, &addresses))
		return diag_error(
			ds, NULL, "Invalid stream",
			"In the record of the state \"kept\" is no list of addresses.");
	for (size_t i = 0; i < addresses.len; i++) {
		struct state_resource *r =
			state_find_or_make(s, addresses.items[i], &key, ds);

		if (!r)
			return -1;
		r->kept = true;
	}
	return 0;
}

static int put_header(struct state *s, const struct raw_record *raw,
		      struct diags *ds)
{
	s->serial = raw->serial;
	s->lineage = str_dup(s->arena, raw->lineage);
	s->terraform_version = str_dup(s->arena, raw->terraform_version);
	s->backend = str_dup(s->arena, raw->backend);
	s->workspace = str_dup(s->arena, raw->workspace);
	s->checks_known = raw->checks_known;
	s->translated = raw->translated;
	return raw->kept.n ? put_kept(s, raw->kept, ds) : 0;
}

enum record_kind {
	RECORD_STATE,
	RECORD_PREVIOUS,
	RECORD_PRIOR,
	RECORD_OUTPUT,
	RECORD_PRIOR_OUTPUT,
	RECORD_CHECK,
	RECORD_OTHER
};

static enum record_kind record_kind(struct str kind)
{
	static const char *const names[] = {
		"state",           "previous_run_state", "prior_state",
		"previous_output", "prior_output",       "previous_check",
	};
	int k = RECORD_STATE;

	while (k < RECORD_OTHER && !str_is(kind, names[k]))
		k++;
	return (enum record_kind)k;
}

static int put_record(struct state *s, enum record_kind kind,
		      const struct raw_record *raw, struct diags *ds)
{
	switch (kind) {
	case RECORD_STATE:
		return put_header(s, raw, ds);
	case RECORD_PREVIOUS:
	case RECORD_PRIOR:
		return put_instance(s, raw, ds);
	case RECORD_OUTPUT:
	case RECORD_PRIOR_OUTPUT:
		return put_output(s, raw, ds);
	default:
		put_check(s, raw);
		return 0;
	}
}

int state_read_record(struct state *previous, struct state *prior,
		      struct str kind, struct str line, struct diags *ds)
{
	enum record_kind k = record_kind(kind);
	struct raw_record raw = { .serial = 0 };
	struct arena scratch = ARENA_INIT; /* strings that hold escapes */
	struct state_reader rd = { .scan = json_scan_start(&scratch, line),
				   .ds = ds,
				   .name = "A record of the stream" };
	int rc = 0;

	if (k == RECORD_OTHER)
		return 1;
	if (read_fields(&rd, record_fields, &raw)) {
		if (rd.scan.error)
			diag_error(
				ds, NULL, "Invalid stream",
				"A record of the state is not valid JSON: %s.",
				rd.scan.error);
		rc = -1;
	}
	if (!rc && k != RECORD_PRIOR && k != RECORD_PRIOR_OUTPUT)
		rc = put_record(previous, k, &raw, ds);
	if (!rc && prior && k == RECORD_PREVIOUS)
		rc = share_instance(prior, previous, &raw, ds);
	else if (!rc && prior)
		rc = put_record(prior, k, &raw, ds);
	arena_release(&scratch);
	return rc;
}

/* remote_values.c - values, identities and the like in messages */
#include "json/read.h"
#include "provider/provider_int.h"
#include "provider/request.h"
#include "schema/objects.h"
#include "value/convert.h"

char *rpc_cstr(struct rpc *c, struct str s)
{
	return arena_strndup(c->r->arena, s.n ? s.p : "", s.n);
}

ProtobufCBinaryData rpc_bytes(struct str s)
{
	return (ProtobufCBinaryData){ s.n, (uint8_t *)s.p };
}

Tfplugin__DynamicValue *rpc_put_as(struct rpc *c, const struct value *v,
				   const struct type *t)
{
	struct arena *a = c->r->arena;
	Tfplugin__DynamicValue *out = ARENA_NEW(a, Tfplugin__DynamicValue);

	if (proto_put_value(a, out, v ? v : value_null(a, t), t) < 0) {
		request_error(
			c->r, (struct path){ NULL, 0 },
			"Invalid value for provider",
			"A value for the provider %.*s does not fit the schema of %.*s.",
			STR_ARG(c->p->known->name), STR_ARG(c->r->type));
		c->failed = true;
	}
	return out;
}

Tfplugin__DynamicValue *rpc_put(struct rpc *c, const struct value *v)
{
	return rpc_put_as(c, v, c->schema->block->implied);
}

Tfplugin__IdentityData *rpc_put_identity(struct rpc *c, const struct value *v)
{
	Tfplugin__IdentityData *out;

	if (!v || value_is_null(v) || !c->schema->identity)
		return NULL;
	out = ARENA_NEW(c->r->arena, Tfplugin__IdentityData);
	tfplugin__identity_data__init(out);
	out->identity_data = rpc_put_as(c, v, c->schema->identity->implied);
	return out;
}

Tfplugin__DynamicValue *rpc_put_meta(struct rpc *c)
{
	const struct schema_block *b = c->p->base.schema->meta;

	return b ? rpc_put_as(c, c->r->meta, b->implied) : NULL;
}

Tfplugin__RawState *rpc_put_raw(struct rpc *c, struct str json)
{
	Tfplugin__RawState *out = ARENA_NEW(c->r->arena, Tfplugin__RawState);

	tfplugin__raw_state__init(out);
	out->json = rpc_bytes(json);
	return out;
}

Tfplugin__RawState *rpc_put_flat(struct rpc *c, struct str json)
{
	struct arena *a = c->r->arena;
	Tfplugin__RawState *out = rpc_put_raw(c, STR_NONE);
	struct json_error err;
	const struct json *j = json_parse(a, json, &err);
	Tfplugin__RawState__FlatmapEntry *e;

	if (!j || j->kind != JSON_OBJECT)
		return out;
	out->flatmap =
		ARENA_ARRAY(a, Tfplugin__RawState__FlatmapEntry *, j->len);
	for (uint32_t i = 0; i < j->len; i++) {
		const struct json_member *m = &j->members[i];

		if (m->value.kind != JSON_STRING)
			continue;
		e = ARENA_NEW(a, Tfplugin__RawState__FlatmapEntry);
		tfplugin__raw_state__flatmap_entry__init(e);
		e->key = rpc_cstr(c, m->name);
		e->value = rpc_cstr(c, m->value.text);
		out->flatmap[out->n_flatmap++] = e;
	}
	return out;
}

Tfplugin__ClientCapabilities *rpc_capabilities(struct rpc *c)
{
	Tfplugin__ClientCapabilities *out =
		ARENA_NEW(c->r->arena, Tfplugin__ClientCapabilities);

	tfplugin__client_capabilities__init(out);
	out->write_only_attributes_allowed = 1;
	return out;
}

/* --- reading --- */

static void misfit(struct rpc *c, const struct verror *err)
{
	struct arena *a = c->r->arena;
	const char *method = strrchr(c->spec->method.v6, '/') + 1;

	request_error(c->r, err->path, "Invalid provider response",
		      "What the provider %.*s answers to %s for %.*s does not "
		      "fit the schema of %.*s: %.*s. This is a bug in the "
		      "provider.",
		      STR_ARG(c->p->known->name), method,
		      STR_ARG(c->r->address.n ? c->r->address : c->r->type),
		      STR_ARG(c->r->type), STR_ARG(verror_text(a, err)));
	c->failed = true;
}

const struct value *rpc_get_as(struct rpc *c, const Tfplugin__DynamicValue *v,
			       const struct type *t)
{
	struct verror err = { { NULL, 0 }, STR_NONE };
	const struct value *got = proto_value(c->r->arena, v, t, &err);

	if (!got)
		misfit(c, &err);
	return got;
}

const struct value *rpc_get(struct rpc *c, const Tfplugin__DynamicValue *v)
{
	return rpc_get_as(c, v, c->schema->block->implied);
}

const struct value *rpc_get_identity(struct rpc *c,
				     const Tfplugin__IdentityData *v)
{
	if (!v || !v->identity_data || !c->schema->identity)
		return NULL;
	return rpc_get_as(c, v->identity_data, c->schema->identity->implied);
}

/* --- write-only attributes --- */

static const struct value *must_be_null(struct schema_walk *w,
					const struct schema_attr *attr,
					const struct value *v,
					const struct at *at)
{
	struct rpc *c = w->data;
	const struct path p = at_path(w->a, at);

	(void)attr;
	if (!value_is_null(v))
		request_error(c->r, p, "Invalid provider response",
			      "The provider %.*s returned a value for the "
			      "write-only attribute \"%.*s\" of %.*s, which "
			      "must be null. This is a bug in the provider.",
			      STR_ARG(c->p->known->name),
			      STR_ARG(path_text(w->a, p)), STR_ARG(c->r->type));
	return v;
}

void rpc_check_write_only(struct rpc *c, const struct value *v)
{
	struct schema_walk w = { c->r->arena, schema_attr_is_write_only,
				 must_be_null, c };

	if (v)
		schema_walk(&w, c->schema->block, v);
}

void rpc_check_deferred(struct rpc *c, const Tfplugin__Deferred *d)
{
	if (!d)
		return;
	request_error(c->r, (struct path){ NULL, 0 },
		      "Provider deferred its answer",
		      "The provider %.*s put %.*s off until more is known, "
		      "though it was told that this is not supported. This is "
		      "a bug in the provider.",
		      STR_ARG(c->p->known->name),
		      STR_ARG(c->r->address.n ? c->r->address : c->r->type));
}

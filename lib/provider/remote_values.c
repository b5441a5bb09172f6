/* remote_values.c - values, identities and the like in messages */
#include "provider/remote_int.h"

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
		request_error(c->r, (struct path){ NULL, 0 },
			      "Invalid value for provider",
			      "A value for the provider %.*s does not fit the "
			      "schema of %.*s.", STR_ARG(c->p->known->name),
			      STR_ARG(c->r->type));
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
		      "provider.", STR_ARG(c->p->known->name), method,
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

static void check_block(struct rpc *c, const struct schema_block *b,
			const struct value *v, struct path at);

static void check_object(struct rpc *c, const struct schema_attr *attrs,
			 size_t n, const struct value *v, struct path at);

/* Each element of a nested attribute or of blocks, whatever the nesting. */
static void check_elements(struct rpc *c, enum nesting nesting,
			   const struct value *v, struct path at,
			   const struct schema_attr *attrs, size_t n,
			   const struct schema_block *b)
{
	struct arena *a = c->r->arena;

	if (!value_usable(v))
		return;
	if (nesting == NESTING_SINGLE || nesting == NESTING_GROUP) {
		if (b)
			check_block(c, b, v, at);
		else
			check_object(c, attrs, n, v, at);
		return;
	}
	for (uint32_t i = 0; i < v->len; i++) {
		struct path_step *steps =
			ARENA_ARRAY(a, struct path_step, at.len + 1);
		struct path in = { steps, at.len + 1 };

		if (at.len)
			memcpy(steps, at.steps, at.len * sizeof(*steps));
		steps[at.len] = value_step(a, v, i);
		if (b)
			check_block(c, b, v->elems[i], in);
		else
			check_object(c, attrs, n, v->elems[i], in);
	}
}

static void check_object(struct rpc *c, const struct schema_attr *attrs,
			 size_t n, const struct value *v, struct path at)
{
	struct arena *a = c->r->arena;

	for (size_t i = 0; i < n && value_usable(v); i++) {
		const struct schema_attr *s = &attrs[i];
		const struct value *got;
		struct path p;

		if (!s->write_only && !s->nested)
			continue;
		got = value_get(v, s->name);
		p = path_attr(a, at, s->name);
		if (!got)
			continue;
		if (s->write_only && !value_is_null(got))
			request_error(c->r, p, "Invalid provider response",
				      "The provider %.*s returned a value for "
				      "the write-only attribute \"%.*s\" of "
				      "%.*s, which must be null. This is a bug "
				      "in the provider.",
				      STR_ARG(c->p->known->name),
				      STR_ARG(path_text(a, p)),
				      STR_ARG(c->r->type));
		else if (s->nested)
			check_elements(c, s->nested->nesting, got, p,
				       s->nested->attrs, s->nested->nattrs,
				       NULL);
	}
}

static void check_block(struct rpc *c, const struct schema_block *b,
			const struct value *v, struct path at)
{
	check_object(c, b->attrs, b->nattrs, v, at);
	for (size_t i = 0; i < b->nblocks && value_usable(v); i++) {
		const struct schema_nested *n = &b->blocks[i];
		const struct value *got = value_get(v, n->type_name);

		if (got)
			check_elements(c, n->nesting, got,
				       path_attr(c->r->arena, at,
						 n->type_name),
				       NULL, 0, n->block);
	}
}

static bool any_write_only(const struct schema_block *b);

static bool object_write_only(const struct schema_attr *attrs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (attrs[i].write_only ||
		    (attrs[i].nested &&
		     object_write_only(attrs[i].nested->attrs,
				       attrs[i].nested->nattrs)))
			return true;
	return false;
}

static bool any_write_only(const struct schema_block *b)
{
	if (object_write_only(b->attrs, b->nattrs))
		return true;
	for (size_t i = 0; i < b->nblocks; i++)
		if (any_write_only(b->blocks[i].block))
			return true;
	return false;
}

void rpc_check_write_only(struct rpc *c, const struct value *v)
{
	if (v && any_write_only(c->schema->block))
		check_block(c, c->schema->block, v, (struct path){ NULL, 0 });
}

/* schema_proto.c - see provider_int.h */
#include "json/read.h"
#include "provider/provider_int.h"
#include "provider/plugin/plugin.h"
#include "value/type.h"

enum { DEPTH_MAX = 64 }; /* levels of nested blocks and attributes */

struct decoding {
	struct arena *arena;
	int protocol;
	struct str why; /* set: it is invalid */
};

static void invalid(struct decoding *d, const char *what, const char *name)
{
	if (!d->why.n)
		d->why = str_printf(d->arena, "%s \"%s\"", what, name);
}

/* --- depth: what follows recurses, and so does protobuf-c --- */

/* Attributes nest through 10 (nested_type) and 1, blocks through 3 and 2. */
static bool attr_shallow(struct str attr, unsigned depth)
{
	struct str object = wire_get(attr, 10);
	struct wire_field f;

	if (depth == 0)
		return false;
	while (wire_next(&object, &f) > 0)
		if (f.number == 1 && f.is_bytes &&
		    !attr_shallow(f.bytes, depth - 1))
			return false;
	return true;
}

static bool block_shallow(struct str block, int protocol, unsigned depth)
{
	struct wire_field f;

	if (depth == 0)
		return false;
	while (wire_next(&block, &f) > 0) {
		if (!f.is_bytes)
			continue;
		if (f.number == 2 && protocol == 6 &&
		    !attr_shallow(f.bytes, depth - 1))
			return false;
		if (f.number == 3 &&
		    !block_shallow(wire_get(f.bytes, 2), protocol, depth - 1))
			return false;
	}
	return true;
}

/* --- attributes --- */

static struct str text(struct decoding *d, const char *s)
{
	return proto_text(d->arena, s);
}

static const struct type *read_type(struct decoding *d, const char *name,
				    const ProtobufCBinaryData *json)
{
	struct json_error err;
	const struct json *j =
		json_parse(d->arena,
			   (struct str){ (char *)json->data, json->len }, &err);
	const struct type *t = j ? type_from_json(d->arena, j) : NULL;

	if (!t)
		invalid(d, "there is no type in the attribute", name);
	return t;
}

static bool read_nesting(Tfplugin__Nesting n, bool block, enum nesting *out)
{
	switch (n) {
	case TFPLUGIN__NESTING__SINGLE:
		*out = NESTING_SINGLE;
		return true;
	case TFPLUGIN__NESTING__LIST:
		*out = NESTING_LIST;
		return true;
	case TFPLUGIN__NESTING__SET:
		*out = NESTING_SET;
		return true;
	case TFPLUGIN__NESTING__MAP:
		*out = NESTING_MAP;
		return true;
	case TFPLUGIN__NESTING__GROUP:
		*out = NESTING_GROUP;
		return block;
	default:
		return false;
	}
}

static void decode_attr6(struct decoding *d, const Tfplugin__Attribute6 *in,
			 struct schema_attr *out);

static const struct schema_nested *decode_object(
	struct decoding *d, const char *name, const Tfplugin__NestedObject *in)
{
	struct schema_nested *n = ARENA_NEW(d->arena, struct schema_nested);
	struct schema_block *b = ARENA_NEW(d->arena, struct schema_block);
	struct schema_attr *attrs =
		ARENA_ARRAY(d->arena, struct schema_attr, in->n_attributes);

	if (!read_nesting(in->nesting, false, &n->nesting))
		invalid(d, "there is no nesting mode in the attribute", name);
	for (size_t i = 0; i < in->n_attributes; i++)
		decode_attr6(d, in->attributes[i], &attrs[i]);
	b->attrs = attrs;
	b->nattrs = in->n_attributes;
	n->block = b;
	return n;
}

static void decode_attr6(struct decoding *d, const Tfplugin__Attribute6 *in,
			 struct schema_attr *out)
{
	*out = (struct schema_attr){
		.name = text(d, in->name),
		.description = text(d, in->description),
		.description_markdown =
			in->description_kind == TFPLUGIN__STRING_KIND__MARKDOWN,
		.required = in->required,
		.optional = in->optional,
		.computed = in->computed,
		.sensitive = in->sensitive,
		.write_only = in->write_only,
		.deprecated = in->deprecated,
		.deprecation_message = text(d, in->deprecation_message),
	};
	if (in->nested_type)
		out->nested = decode_object(d, in->name, in->nested_type);
	else
		out->type = read_type(d, in->name, &in->type);
}

static void decode_attr5(struct decoding *d, const Tfplugin__Attribute5 *in,
			 struct schema_attr *out)
{
	*out = (struct schema_attr){
		.name = text(d, in->name),
		.type = read_type(d, in->name, &in->type),
		.description = text(d, in->description),
		.description_markdown =
			in->description_kind == TFPLUGIN__STRING_KIND__MARKDOWN,
		.required = in->required,
		.optional = in->optional,
		.computed = in->computed,
		.sensitive = in->sensitive,
		.write_only = in->write_only,
		.deprecated = in->deprecated,
		.deprecation_message = text(d, in->deprecation_message),
	};
}

static void decode_attr(struct decoding *d, const ProtobufCBinaryData *bytes,
			struct schema_attr *out)
{
	const struct str s = { (char *)bytes->data, bytes->len };
	const ProtobufCMessageDescriptor *type =
		d->protocol == 5 ? &tfplugin__attribute5__descriptor
				 : &tfplugin__attribute6__descriptor;
	const ProtobufCMessage *m = proto_unpack(d->arena, type, s);

	if (!m)
		invalid(d, "there is an attribute that makes no sense", "");
	else if (d->protocol == 5)
		decode_attr5(d, (const Tfplugin__Attribute5 *)m, out);
	else
		decode_attr6(d, (const Tfplugin__Attribute6 *)m, out);
}

/* --- blocks --- */

static struct schema_block *decode_block(struct decoding *d,
					 const Tfplugin__Block *in);

static void decode_nested(struct decoding *d, const Tfplugin__NestedBlock *in,
			  struct schema_nested *out)
{
	out->type_name = text(d, in->type_name);
	if (!read_nesting(in->nesting, true, &out->nesting))
		invalid(d, "there is no nesting mode in the block",
			in->type_name);
	if (in->min_items < 0 || in->max_items < 0)
		invalid(d, "there is a negative number of items in the block",
			in->type_name);
	out->min_items = in->min_items > 0 ? (uint64_t)in->min_items : 0;
	out->max_items = in->max_items > 0 ? (uint64_t)in->max_items : 0;
	out->block = decode_block(d, in->block);
}

static struct schema_block *decode_block(struct decoding *d,
					 const Tfplugin__Block *in)
{
	struct schema_block *b = ARENA_NEW(d->arena, struct schema_block);
	struct schema_nested *blocks;
	struct schema_attr *attrs;

	if (!in)
		return b;
	attrs = ARENA_ARRAY(d->arena, struct schema_attr, in->n_attributes);
	blocks = ARENA_ARRAY(d->arena, struct schema_nested, in->n_block_types);
	for (size_t i = 0; i < in->n_attributes; i++)
		decode_attr(d, &in->attributes[i], &attrs[i]);
	for (size_t i = 0; i < in->n_block_types; i++)
		decode_nested(d, in->block_types[i], &blocks[i]);
	b->attrs = attrs;
	b->nattrs = in->n_attributes;
	b->blocks = blocks;
	b->nblocks = in->n_block_types;
	b->description = text(d, in->description);
	b->description_markdown =
		in->description_kind == TFPLUGIN__STRING_KIND__MARKDOWN;
	b->deprecated = in->deprecated;
	b->deprecation_message = text(d, in->deprecation_message);
	return b;
}

/* A Schema; NULL with d->why. */
static const struct schema_block *decode_schema(struct decoding *d,
						struct str bytes,
						int64_t *version)
{
	const Tfplugin__Schema *s = NULL;
	struct schema_block *b;

	if (block_shallow(wire_get(bytes, 2), d->protocol, DEPTH_MAX))
		s = (const Tfplugin__Schema *)proto_unpack(
			d->arena, &tfplugin__schema__descriptor, bytes);
	if (!s) {
		invalid(d, "it is no schema, or nested too deeply", "");
		return NULL;
	}
	*version = s->version;
	b = decode_block(d, s->block);
	if (d->why.n)
		return NULL;
	schema_block_finish(d->arena, b);
	return b;
}

static const struct schema_block *decode_identity(struct decoding *d,
						  struct str bytes,
						  int64_t *version)
{
	const Tfplugin__IdentitySchema *in = (const Tfplugin__IdentitySchema *)
		proto_unpack(d->arena, &tfplugin__identity_schema__descriptor,
			     bytes);
	struct schema_block *b = ARENA_NEW(d->arena, struct schema_block);
	struct schema_attr *attrs;

	if (!in)
		return NULL;
	attrs = ARENA_ARRAY(d->arena, struct schema_attr,
			    in->n_identity_attributes);
	for (size_t i = 0; i < in->n_identity_attributes; i++) {
		const Tfplugin__IdentitySchema__Attribute *attr =
			in->identity_attributes[i];

		attrs[i].name = text(d, attr->name);
		attrs[i].type = read_type(d, attr->name, &attr->type);
		attrs[i].description = text(d, attr->description);
		attrs[i].required = attr->required_for_import;
		attrs[i].optional = attr->optional_for_import;
	}
	b->attrs = attrs;
	b->nattrs = in->n_identity_attributes;
	*version = in->version;
	if (d->why.n)
		return NULL;
	schema_block_finish(d->arena, b);
	return b;
}

void schema_decode(struct resource_schema *s)
{
	struct lazy_schema *l = s->lazy;
	struct decoding d = { l->arena, l->protocol, STR_NONE };
	int64_t version = 0;

	if (l->done)
		return;
	l->done = true;
	s->block = decode_schema(&d, l->schema, &version);
	if (version < 0)
		invalid(&d, "the version is negative", "");
	s->published = (uint64_t)version;
	l->why = d.why;
	if (d.why.n)
		s->block = NULL;
	if (!s->block || !l->identity.n)
		return;
	/* An invalid identity counts as none: it is optional. */
	d.why = STR_NONE;
	version = 0;
	s->identity = decode_identity(&d, l->identity, &version);
	s->identity_version = version;
}

/* --- functions --- */

static void read_param(struct decoding *d,
		       const Tfplugin__Function__Parameter *in,
		       struct func_param *out)
{
	out->name = arena_strdup(d->arena, in->name);
	out->type = read_type(d, in->name, &in->type);
	out->flags = (in->allow_null_value ? (unsigned)PARAM_NULL : 0) |
		     (in->allow_unknown_values ? (unsigned)PARAM_UNKNOWN : 0);
	out->description = arena_strdup(d->arena, in->description);
}

struct func *schema_function(struct arena *a, struct str name, struct str bytes)
{
	const Tfplugin__Function *in = (const Tfplugin__Function *)proto_unpack(
		a, &tfplugin__function__descriptor, bytes);
	struct decoding d = { a, 6, STR_NONE };
	struct func_param *params;
	struct func *f;

	if (!in || !in->return_)
		return NULL;
	f = ARENA_NEW(a, struct func);
	f->name = arena_strndup(a, name.p, name.n);
	f->description = arena_strdup(a, in->description);
	f->summary = arena_strdup(a, in->summary);
	params = ARENA_ARRAY(a, struct func_param, in->n_parameters + 3);
	for (size_t i = 0; i < in->n_parameters; i++)
		read_param(&d, in->parameters[i], &params[i]);
	f->params = params;
	if (in->variadic_parameter) {
		struct func_param *last = &params[in->n_parameters + 1];

		read_param(&d, in->variadic_parameter, last);
		f->variadic = last;
	}
	f->result = read_type(&d, "return", &in->return_->type);
	f->flags = FUNC_NULLABLE;
	return d.why.n ? NULL : f;
}

/* schema_wire.c - the answers that say what the provider offers */
#include "json/write.h"
#include "provider.h"
#include "value/type.h"

static Tfplugin__Nesting nesting(enum nesting n)
{
	static const Tfplugin__Nesting all[] = {
		[NESTING_SINGLE] = TFPLUGIN__NESTING__SINGLE,
		[NESTING_GROUP] = TFPLUGIN__NESTING__GROUP,
		[NESTING_LIST] = TFPLUGIN__NESTING__LIST,
		[NESTING_SET] = TFPLUGIN__NESTING__SET,
		[NESTING_MAP] = TFPLUGIN__NESTING__MAP,
	};

	return all[n];
}

static ProtobufCBinaryData type_bytes(struct arena *a, const struct type *t)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	struct str s;

	type_to_json(&w, t);
	s = buf_dup(a, &b);
	buf_release(&b);
	return give_bytes(s);
}

static ProtobufCBinaryData packed(struct arena *a, const ProtobufCMessage *m)
{
	struct buf b = BUF_INIT;
	struct str s;

	pack_message(&b, m);
	s = buf_dup(a, &b);
	buf_release(&b);
	return give_bytes(s);
}

/* The members that both versions of the message have. */
#define COMMON_MEMBERS(m, s)                                          \
	((m)->name = give_text(a, (s)->name),                         \
	 (m)->description = give_text(a, (s)->description),           \
	 (m)->required = (s)->required, (m)->optional = (s)->optional, \
	 (m)->computed = (s)->computed, (m)->sensitive = (s)->sensitive, \
	 (m)->deprecated = (s)->deprecated,                           \
	 (m)->deprecation_message =                                   \
		 give_text(a, (s)->deprecation_message),              \
	 (m)->write_only = (s)->write_only)

static Tfplugin__Attribute5 *attribute5(struct arena *a,
					const struct schema_attr *s)
{
	Tfplugin__Attribute5 *m = ARENA_NEW(a, Tfplugin__Attribute5);

	tfplugin__attribute5__init(m);
	COMMON_MEMBERS(m, s);
	m->type = type_bytes(a, s->type);
	return m;
}

static Tfplugin__Attribute6 *attribute6(struct arena *a,
					const struct schema_attr *s);

static Tfplugin__NestedObject *object(struct arena *a,
				      const struct schema_nested *n)
{
	const struct schema_block *o = n->block;
	Tfplugin__NestedObject *m = ARENA_NEW(a, Tfplugin__NestedObject);

	tfplugin__nested_object__init(m);
	m->nesting = nesting(n->nesting);
	m->n_attributes = o->nattrs;
	m->attributes = ARENA_ARRAY(a, Tfplugin__Attribute6 *, o->nattrs);
	for (size_t i = 0; i < o->nattrs; i++)
		m->attributes[i] = attribute6(a, &o->attrs[i]);
	return m;
}

static Tfplugin__Attribute6 *attribute6(struct arena *a,
					const struct schema_attr *s)
{
	Tfplugin__Attribute6 *m = ARENA_NEW(a, Tfplugin__Attribute6);

	tfplugin__attribute6__init(m);
	COMMON_MEMBERS(m, s);
	if (s->nested)
		m->nested_type = object(a, s->nested);
	else
		m->type = type_bytes(a, s->type);
	return m;
}

static Tfplugin__Block *block(struct request *r, const struct schema_block *b)
{
	Tfplugin__Block *m = ARENA_NEW(r->a, Tfplugin__Block);

	tfplugin__block__init(m);
	m->description = give_text(r->a, b->description);
	m->deprecated = b->deprecated;
	m->n_attributes = b->nattrs;
	m->attributes = ARENA_ARRAY(r->a, ProtobufCBinaryData, b->nattrs);
	for (size_t i = 0; i < b->nattrs; i++)
		m->attributes[i] =
			r->p->protocol == 5
				? packed(r->a,
					 &attribute5(r->a, &b->attrs[i])->base)
				: packed(r->a, &attribute6(r->a, &b->attrs[i])
							->base);
	m->n_block_types = b->nblocks;
	m->block_types =
		ARENA_ARRAY(r->a, Tfplugin__NestedBlock *, b->nblocks);
	for (size_t i = 0; i < b->nblocks; i++) {
		const struct schema_nested *from = &b->blocks[i];
		Tfplugin__NestedBlock *n =
			ARENA_NEW(r->a, Tfplugin__NestedBlock);

		tfplugin__nested_block__init(n);
		n->type_name = give_text(r->a, from->type_name);
		n->nesting = nesting(from->nesting);
		n->block = block(r, from->block);
		n->min_items = (int64_t)from->min_items;
		n->max_items = (int64_t)from->max_items;
		m->block_types[i] = n;
	}
	return m;
}

static Tfplugin__Schema *schema(struct request *r,
				const struct schema_block *b, uint64_t version)
{
	Tfplugin__Schema *m = ARENA_NEW(r->a, Tfplugin__Schema);

	tfplugin__schema__init(m);
	m->version = (int64_t)version;
	m->block = block(r, b);
	return m;
}

/* --- functions --- */

static const struct {
	const char *name;
	struct {
		const char *name;
		const struct type *type;
	} params[2], variadic;
	const struct type *result;
} functions[] = {
	{ "echo", { { "value", &type_dynamic } }, { NULL, NULL },
	  &type_dynamic },
	{ "join", { { "separator", &type_string } },
	  { "words", &type_string }, &type_string },
	{ "add", { { "x", &type_number }, { "y", &type_number } },
	  { NULL, NULL }, &type_number },
	{ "fail", { { "why", &type_string }, { "argument", &type_number } },
	  { NULL, NULL }, &type_string },
	/* with a prefix configured; not in the schema */
	{ "prefixed", { { "text", &type_string } }, { NULL, NULL },
	  &type_string },
};

enum {
	NFUNCTIONS = sizeof(functions) / sizeof(*functions),
	NALWAYS = NFUNCTIONS - 1, /* those in the schema */
};

static Tfplugin__Function__Parameter *parameter(struct arena *a,
						const char *name,
						const struct type *t)
{
	Tfplugin__Function__Parameter *m =
		ARENA_NEW(a, Tfplugin__Function__Parameter);

	tfplugin__function__parameter__init(m);
	m->name = (char *)name;
	m->type = type_bytes(a, t);
	m->allow_null_value = t == &type_dynamic;
	return m;
}

static ProtobufCBinaryData function(struct arena *a, size_t i)
{
	Tfplugin__Function m = TFPLUGIN__FUNCTION__INIT;
	Tfplugin__Function__Return result = TFPLUGIN__FUNCTION__RETURN__INIT;
	Tfplugin__Function__Parameter *params[2];

	for (size_t k = 0; k < 2 && functions[i].params[k].name; k++)
		params[m.n_parameters++] =
			parameter(a, functions[i].params[k].name,
				  functions[i].params[k].type);
	m.parameters = params;
	if (functions[i].variadic.name)
		m.variadic_parameter =
			parameter(a, functions[i].variadic.name,
				  functions[i].variadic.type);
	result.type = type_bytes(a, functions[i].result);
	m.return_ = &result;
	m.summary = (char *)"For tests";
	return packed(a, &m.base);
}

void pack_functions(struct request *r, struct buf *out)
{
	Tfplugin__GetFunctionsResponse m =
		TFPLUGIN__GET_FUNCTIONS_RESPONSE__INIT;
	Tfplugin__GetFunctionsResponse__FunctionsEntry e[NFUNCTIONS];
	Tfplugin__GetFunctionsResponse__FunctionsEntry *all[NFUNCTIONS];
	const size_t n = r->p->prefix.n ? NFUNCTIONS : NALWAYS;

	for (size_t i = 0; i < n; i++) {
		tfplugin__get_functions_response__functions_entry__init(&e[i]);
		e[i].key = (char *)functions[i].name;
		e[i].value = function(r->a, i);
		all[i] = &e[i];
	}
	m.functions = all;
	m.n_functions = n;
	pack_message(out, &m.base);
}

/* --- all schemas --- */

static Tfplugin__ServerCapabilities *capabilities(struct arena *a)
{
	Tfplugin__ServerCapabilities *c =
		ARENA_NEW(a, Tfplugin__ServerCapabilities);

	tfplugin__server_capabilities__init(c);
	c->plan_destroy = true;
	c->get_provider_schema_optional = true;
	c->move_resource_state = true;
	return c;
}

/* The entries of the four maps have one layout, but types of their own. */
#define ENTRY(Entry, init, list, count, k, v)                        \
	do {                                                         \
		Entry *e_ = ARENA_NEW(r->a, Entry);                  \
		init(e_);                                            \
		e_->key = (char *)(k);                               \
		e_->value = (v);                                     \
		(list)[(count)++] = e_;                              \
	} while (0)

static void add_type(struct request *r, Tfplugin__GetSchemaResponse *m,
		     const struct resource_type *t)
{
	ProtobufCBinaryData s =
		packed(r->a, &schema(r, t->block, t->version)->base);

	switch (t->mode) {
	case MODE_DATA:
		ENTRY(Tfplugin__GetSchemaResponse__DataSourceSchemasEntry,
		      tfplugin__get_schema_response__data_source_schemas_entry__init,
		      m->data_source_schemas, m->n_data_source_schemas,
		      t->name, s);
		break;
	case MODE_EPHEMERAL:
		ENTRY(Tfplugin__GetSchemaResponse__EphemeralResourceSchemasEntry,
		      tfplugin__get_schema_response__ephemeral_resource_schemas_entry__init,
		      m->ephemeral_resource_schemas,
		      m->n_ephemeral_resource_schemas, t->name, s);
		break;
	default:
		ENTRY(Tfplugin__GetSchemaResponse__ResourceSchemasEntry,
		      tfplugin__get_schema_response__resource_schemas_entry__init,
		      m->resource_schemas, m->n_resource_schemas, t->name, s);
	}
}

void pack_schema(struct request *r, struct buf *out)
{
	Tfplugin__GetSchemaResponse m = TFPLUGIN__GET_SCHEMA_RESPONSE__INIT;
	const struct catalogue *c = &r->p->catalogue;

	m.provider = schema(r, c->config, 0);
	m.provider_meta = schema(r, c->meta, 0);
	m.server_capabilities = capabilities(r->a);
	m.resource_schemas = ARENA_ARRAY(
		r->a, Tfplugin__GetSchemaResponse__ResourceSchemasEntry *,
		c->ntypes);
	m.data_source_schemas = ARENA_ARRAY(
		r->a, Tfplugin__GetSchemaResponse__DataSourceSchemasEntry *,
		c->ntypes);
	m.ephemeral_resource_schemas = ARENA_ARRAY(
		r->a,
		Tfplugin__GetSchemaResponse__EphemeralResourceSchemasEntry *,
		c->ntypes);
	m.functions = ARENA_ARRAY(
		r->a, Tfplugin__GetSchemaResponse__FunctionsEntry *,
		NALWAYS);
	for (size_t i = 0; i < c->ntypes; i++)
		add_type(r, &m, &c->types[i]);
	for (size_t i = 0; i < NALWAYS; i++)
		ENTRY(Tfplugin__GetSchemaResponse__FunctionsEntry,
		      tfplugin__get_schema_response__functions_entry__init,
		      m.functions, m.n_functions, functions[i].name,
		      function(r->a, i));
	pack_message(out, &m.base);
}

static Tfplugin__GetMetadataResponse__Name *named(struct arena *a,
						  const char *name)
{
	Tfplugin__GetMetadataResponse__Name *m =
		ARENA_NEW(a, Tfplugin__GetMetadataResponse__Name);

	tfplugin__get_metadata_response__name__init(m);
	m->name = (char *)name;
	return m;
}

void pack_metadata(struct request *r, struct buf *out)
{
	Tfplugin__GetMetadataResponse m =
		TFPLUGIN__GET_METADATA_RESPONSE__INIT;
	const struct catalogue *c = &r->p->catalogue;
	Tfplugin__GetMetadataResponse__Name **lists[4];

	for (size_t i = 0; i < 4; i++)
		lists[i] = ARENA_ARRAY(r->a,
				       Tfplugin__GetMetadataResponse__Name *,
				       c->ntypes + NALWAYS);
	m.server_capabilities = capabilities(r->a);
	m.resources = lists[0];
	m.data_sources = lists[1];
	m.ephemeral_resources = lists[2];
	m.functions = lists[3];
	for (size_t i = 0; i < c->ntypes; i++) {
		const struct resource_type *t = &c->types[i];

		if (t->mode == MODE_MANAGED)
			m.resources[m.n_resources++] = named(r->a, t->name);
		else if (t->mode == MODE_DATA)
			m.data_sources[m.n_data_sources++] =
				named(r->a, t->name);
		else
			m.ephemeral_resources[m.n_ephemeral_resources++] =
				named(r->a, t->name);
	}
	for (size_t i = 0; i < NALWAYS; i++)
		m.functions[m.n_functions++] =
			named(r->a, functions[i].name);
	pack_message(out, &m.base);
}

/* --- identities --- */

static ProtobufCBinaryData identity(struct arena *a,
				    const struct schema_block *b)
{
	Tfplugin__IdentitySchema m = TFPLUGIN__IDENTITY_SCHEMA__INIT;

	m.version = 1;
	m.n_identity_attributes = b->nattrs;
	m.identity_attributes = ARENA_ARRAY(
		a, Tfplugin__IdentitySchema__Attribute *, b->nattrs);
	for (size_t i = 0; i < b->nattrs; i++) {
		const struct schema_attr *s = &b->attrs[i];
		Tfplugin__IdentitySchema__Attribute *at =
			ARENA_NEW(a, Tfplugin__IdentitySchema__Attribute);

		tfplugin__identity_schema__attribute__init(at);
		at->name = give_text(a, s->name);
		at->type = type_bytes(a, s->type);
		at->required_for_import = s->required;
		at->optional_for_import = !s->required;
		m.identity_attributes[i] = at;
	}
	return packed(a, &m.base);
}

void pack_identity_schemas(struct request *r, struct buf *out)
{
	Tfplugin__GetIdentitySchemasResponse m =
		TFPLUGIN__GET_IDENTITY_SCHEMAS_RESPONSE__INIT;
	const struct catalogue *c = &r->p->catalogue;

	m.identity_schemas = ARENA_ARRAY(
		r->a,
		Tfplugin__GetIdentitySchemasResponse__IdentitySchemasEntry *,
		c->ntypes);
	for (size_t i = 0; i < c->ntypes; i++)
		if (c->types[i].identity)
			ENTRY(Tfplugin__GetIdentitySchemasResponse__IdentitySchemasEntry,
			      tfplugin__get_identity_schemas_response__identity_schemas_entry__init,
			      m.identity_schemas, m.n_identity_schemas,
			      c->types[i].name,
			      identity(r->a, c->types[i].identity));
	pack_message(out, &m.base);
}

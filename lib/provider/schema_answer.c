/*
 * schema_answer.c - the answer to the call for the schema, read field by field;
 * schemas of types are decoded later (schema_proto.c)
 */
#include "provider/provider_int.h"
#include "addr/provider.h"
#include "provider/plugin/plugin.h"

static struct lazy_schema *lazy_new(struct arena *a, int protocol,
				    struct str bytes)
{
	struct lazy_schema *l = ARENA_NEW(a, struct lazy_schema);

	l->arena = a;
	l->protocol = protocol;
	l->schema = bytes;
	return l;
}

static int add_type(struct arena *a, int protocol, struct map *m,
		    struct str entry)
{
	struct resource_schema *s = ARENA_NEW(a, struct resource_schema);
	struct str value;

	if (wire_entry(entry, &s->type, &value) < 0 || !str_utf8_valid(s->type))
		return -1;
	s->lazy = lazy_new(a, protocol, value);
	map_put(a, m, s->type, s);
	return 0;
}

static int add_function(struct arena *a, struct map *m, struct str entry)
{
	struct str name, value;
	struct func *f;

	if (wire_entry(entry, &name, &value) < 0 || !str_utf8_valid(name))
		return -1;
	f = schema_function(a, name, value);
	if (!f)
		return -1;
	map_put(a, m, name, f);
	return 0;
}

static void add_capabilities(struct provider_schema *s, struct str bytes)
{
	struct wire_field f;

	while (wire_next(&bytes, &f) > 0) {
		if (f.number == 1)
			s->plan_destroy = f.value != 0;
		else if (f.number == 2)
			s->schema_optional = f.value != 0;
		else if (f.number == 3)
			s->move_state = f.value != 0;
	}
}

static int add_diagnostic(struct arena *a, struct str bytes, struct diags *ds)
{
	const Tfplugin__Diagnostic *d = (const Tfplugin__Diagnostic *)
		proto_unpack(a, &tfplugin__diagnostic__descriptor, bytes);
	struct diag out = {
		.subject = RANGE_NONE,
		.context = RANGE_NONE,
	};

	if (!d)
		return -1;
	out.severity = d->severity == TFPLUGIN__DIAGNOSTIC__SEVERITY__WARNING
			       ? SEV_WARNING
			       : SEV_ERROR;
	out.summary = proto_text(ds->arena, d->summary);
	out.detail = proto_text(ds->arena, d->detail);
	diags_push(ds, out);
	return 0;
}

struct reading {
	struct arena *arena;
	int protocol;
	struct provider_schema *out;
	struct diags *ds;
	struct str provider, meta; /* Schemas */
};

static int read_field(struct reading *r, const struct wire_field *f)
{
	if (!f->is_bytes)
		return 0;
	switch (f->number) {
	case 1:
		r->provider = f->bytes;
		return 0;
	case 2:
		return add_type(r->arena, r->protocol, &r->out->managed,
				f->bytes);
	case 3:
		return add_type(r->arena, r->protocol, &r->out->data, f->bytes);
	case 4:
		return add_diagnostic(r->arena, f->bytes, r->ds);
	case 5:
		r->meta = f->bytes;
		return 0;
	case 6:
		add_capabilities(r->out, f->bytes);
		return 0;
	case 7:
		return add_function(r->arena, &r->out->functions, f->bytes);
	case 8:
		return add_type(r->arena, r->protocol, &r->out->ephemeral,
				f->bytes);
	default:
		return 0;
	}
}

static int invalid_schema(struct diags *ds, struct provider_addr addr,
			  struct str why)
{
	struct str name = provider_addr_text(ds->arena, addr);

	return diag_error(ds, NULL, "Failed to load plugin schemas",
			  "The schema that the provider %.*s gives makes no "
			  "sense: %.*s. This is a bug in the provider.",
			  STR_ARG(name), STR_ARG(why));
}

static const struct schema_block *read_block(struct reading *r,
					     struct str bytes)
{
	struct lazy_schema l = { .arena = r->arena,
				 .protocol = r->protocol,
				 .schema = bytes };
	struct resource_schema s = { .lazy = &l };

	schema_decode(&s);
	if (!s.block)
		invalid_schema(r->ds, r->out->addr, l.why);
	return s.block;
}

static void read_identities(struct reading *r, struct str identities)
{
	struct wire_field f;
	struct str type, value;

	while (wire_next(&identities, &f) > 0) {
		struct resource_schema *s;

		if (f.number != 1 || !f.is_bytes ||
		    wire_entry(f.bytes, &type, &value) < 0)
			continue;
		s = map_get(&r->out->managed, type);
		if (s)
			s->lazy->identity = value;
	}
}

int schema_read(struct arena *a, int protocol, struct str answer,
		struct str identities, struct provider_schema *out,
		struct diags *ds)
{
	struct reading r = {
		.arena = a, .protocol = protocol, .out = out, .ds = ds
	};
	const size_t errors = ds->errors;
	struct wire_field f;
	int rc;

	while ((rc = wire_next(&answer, &f)) > 0) {
		rc = read_field(&r, &f);
		if (rc < 0)
			break;
	}
	if (rc < 0)
		return invalid_schema(ds, out->addr,
				      STR("it cannot be decoded"));
	if (ds->errors != errors)
		return -1;
	out->config = read_block(&r, r.provider);
	if (r.meta.n)
		out->meta = read_block(&r, r.meta);
	read_identities(&r, identities);
	return ds->errors == errors ? 0 : -1;
}

/*
 * remote_schema.c - the schema of a provider process
 *
 * Two calls, both on their way at once: the schema, and the identities of
 * resources, which many providers do not have.  The answers are kept as they
 * came, for the life of the source; from them types are decoded when they are
 * asked for.
 */
#include "provider/remote_int.h"
#include "provider/schema_proto.h"

static const struct plugin_method get_schema = {
	"/tfplugin5.Provider/GetSchema",
	"/tfplugin6.Provider/GetProviderSchema",
};
static const struct plugin_method get_identities = {
	"/tfplugin5.Provider/GetResourceIdentitySchemas",
	"/tfplugin6.Provider/GetResourceIdentitySchemas",
};

struct answer {
	struct arena *arena;
	int status;
	struct str text, message;
	bool here;
	bool *all;
	const struct answer *other;
};

static void got(void *data, int status, struct str text, struct str message)
{
	struct answer *x = data;

	x->status = status;
	x->text = str_dup(x->arena, text);
	x->message = str_dup(x->arena, message);
	x->here = true;
	if (x->other->here)
		*x->all = true;
}

static int failed(struct remote *p, const struct answer *x, struct diags *ds)
{
	struct diag d;

	remote_failure(p, NULL, &get_schema, x->status, x->text, &d,
		       ds->arena);
	diags_push(ds, d);
	return -1;
}

static int interrupted(struct remote *p, struct diags *ds)
{
	return diag_error(ds, NULL, "Request cancelled",
			  "The provider %.*s was still being asked for its "
			  "schema.", STR_ARG(p->known->name));
}

int remote_schema(struct remote *p, struct diags *ds)
{
	struct arena *a = p->known->arena;
	struct provider_schema *s = ARENA_NEW(a, struct provider_schema);
	struct str none = { "", 0 };
	bool all = false;
	struct answer *x = ARENA_ARRAY(a, struct answer, 2);

	if (remote_start(p, ds) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		x[i].arena = a;
		x[i].all = &all;
		x[i].other = &x[1 - i];
	}
	plugin_call_now(p->plugin, &get_schema, none, got,
			&x[0]);
	plugin_call_now(p->plugin, &get_identities, none, got,
			&x[1]);
	if (plugin_wait(p->plugin, &all) < 0)
		return interrupted(p, ds);
	if (x[0].status != GRPC_OK)
		return failed(p, &x[0], ds);
	s->addr = p->known->addr;
	if (schema_read(a, plugin_protocol(p->plugin), x[0].message,
			x[1].status == GRPC_OK ? x[1].message : none, s,
			ds) < 0)
		return -1;
	p->known->schema = s;
	if (s->schema_optional)
		schema_cache_write(p->known, plugin_protocol(p->plugin),
				   x[0].message,
				   x[1].status == GRPC_OK ? x[1].message
							  : none);
	return 0;
}

static void ignore_answer(void *data, int status, struct str text,
			  struct str message)
{
	(void)data, (void)status, (void)text, (void)message;
}

void remote_ask_schema(struct remote *p)
{
	struct str none = { "", 0 };

	plugin_call(p->plugin, &get_schema, none, ignore_answer, NULL);
}

const struct resource_schema *
provider_resource_schema(const struct provider_schema *s,
			 enum resource_mode mode, struct str type,
			 struct diags *ds)
{
	const struct map *of = mode == MODE_MANAGED ? &s->managed
			       : mode == MODE_DATA  ? &s->data
						    : &s->ephemeral;
	struct resource_schema *found = map_get(of, type);
	struct str name;

	if (!found || !found->lazy)
		return found;
	schema_decode(found);
	if (found->block)
		return found;
	if (!ds)
		return NULL;
	name = provider_addr_text(ds->arena, s->addr);
	diag_error(ds, NULL, "Failed to load plugin schemas",
		   "The schema that the provider %.*s gives for \"%.*s\" makes "
		   "no sense: %.*s. This is a bug in the provider.",
		   STR_ARG(name), STR_ARG(type), STR_ARG(found->lazy->why));
	return NULL;
}

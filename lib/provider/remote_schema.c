/*
 * remote_schema.c - the schema of a provider process
 *
 * Two calls, both on their way at once: the schema, and the identities of
 * resources, which many providers do not have.  The answers are kept as they
 * came, for the life of the source; from them types are decoded when they are
 * asked for.
 */
#include "provider/open.h"
#include "addr/provider.h"
#include "provider/provider_int.h"
#include "provider/schema_cache.h"

static const struct plugin_method get_schema = {
	"/tfplugin5.Provider/GetSchema",
	"/tfplugin6.Provider/GetProviderSchema",
};
static const struct plugin_method get_identities = {
	"/tfplugin5.Provider/GetResourceIdentitySchemas",
	"/tfplugin6.Provider/GetResourceIdentitySchemas",
};

struct answer {
	int status;
	struct str text, message;
	bool here;
};

struct asking { /* both calls */
	struct known *known;
	const struct plugin *plugin;
	struct answer schema, identities;
	bool all;
	void (*got)(struct known *k, const struct schema_answers *x);
};

static struct schema_answers answers(const struct asking *q)
{
	return (struct schema_answers){
		plugin_protocol(q->plugin),
		q->schema.message,
		q->identities.status == GRPC_OK ? q->identities.message
						: STR(""),
	};
}

/* was: the answer that was kept; of large ones one is enough. */
static void got(struct asking *q, struct answer *x, struct str was, int status,
		struct str text, struct str message)
{
	struct arena *a = q->known->arena;
	struct schema_answers all;

	x->status = status;
	x->text = str_dup(a, text);
	x->message =
		schema_answer_same(was, message) ? was : str_dup(a, message);
	x->here = true;
	q->all = q->schema.here && q->identities.here;
	if (!q->all || !q->got)
		return;
	if (q->schema.status == GRPC_OK)
		all = answers(q);
	q->got(q->known, q->schema.status == GRPC_OK ? &all : NULL);
}

static void got_schema(void *data, int status, struct str text,
		       struct str message)
{
	struct asking *q = data;

	got(q, &q->schema, q->known->kept.schema, status, text, message);
}

static void got_identities(void *data, int status, struct str text,
			   struct str message)
{
	struct asking *q = data;

	got(q, &q->identities, q->known->kept.identities, status, text,
	    message);
}

static struct asking *asking_new(struct remote_provider *p)
{
	struct asking *q = ARENA_NEW(p->known->arena, struct asking);

	q->known = p->known;
	q->plugin = p->plugin;
	return q;
}

void remote_ask_answers(struct remote_provider *p,
			void (*fn)(struct known *k,
				   const struct schema_answers *x))
{
	struct asking *q = asking_new(p);

	q->got = fn;
	plugin_call(p->plugin, &get_schema, STR(""), got_schema, q);
	plugin_call(p->plugin, &get_identities, STR(""), got_identities, q);
}

static int failed(struct remote_provider *p, const struct answer *x,
		  struct diags *ds)
{
	struct diag d;

	remote_failure(p, NULL, &get_schema, x->status, x->text, &d, ds->arena);
	diags_push(ds, d);
	return -1;
}

static int interrupted(struct remote_provider *p, struct diags *ds)
{
	return diag_error(
		ds, NULL, "Request cancelled",
		"The provider %.*s was still being asked for its schema.",
		STR_ARG(p->known->name));
}

/* Is the answer the kept one?  An answer of equal content is replaced by it. */
static bool is_that(struct str kept, struct str x)
{
	return kept.n == x.n && (!x.n || kept.p == x.p);
}

int remote_take_schema(struct known *k, const struct schema_answers *x,
		       struct diags *ds)
{
	struct provider_schema *s;

	if (k->schema && k->kept.protocol == x->protocol &&
	    is_that(k->kept.schema, x->schema) &&
	    is_that(k->kept.identities, x->identities)) {
		k->from = SCHEMA_GIVEN;
		return 0;
	}
	s = ARENA_NEW(k->arena, struct provider_schema);
	s->addr = k->addr;
	if (schema_read(k->arena, x->protocol, x->schema, x->identities, s,
			ds) < 0)
		return -1;
	k->source->changed |= k->schema != NULL;
	if (s->schema_optional)
		schema_cache_write(k, x);
	k->schema = s;
	k->kept = *x;
	k->from = SCHEMA_GIVEN;
	return 0;
}

int remote_schema(struct remote_provider *p, struct diags *ds)
{
	struct schema_answers x;
	struct asking *q;

	if (remote_start(p, ds) < 0)
		return -1;
	q = asking_new(p);
	plugin_call_now(p->plugin, &get_schema, STR(""), got_schema, q);
	plugin_call_now(p->plugin, &get_identities, STR(""), got_identities, q);
	if (plugin_wait(p->plugin, &q->all) < 0)
		return interrupted(p, ds);
	if (q->schema.status != GRPC_OK)
		return failed(p, &q->schema, ds);
	x = answers(q);
	return remote_take_schema(p->known, &x, ds);
}

static void ignore_answer(void *data, int status, struct str text,
			  struct str message)
{
	(void)data, (void)status, (void)text, (void)message;
}

void remote_ask_schema(struct remote_provider *p)
{
	struct str none = { "", 0 };

	plugin_call(p->plugin, &get_schema, none, ignore_answer, NULL);
}

const struct resource_schema *provider_resource_schema(
	const struct provider_schema *s, enum resource_mode mode,
	struct str type, struct diags *ds)
{
	const struct map *of = mode == MODE_MANAGED ? &s->managed
			       : mode == MODE_DATA  ? &s->data
						    : &s->ephemeral;
	struct resource_schema *found = map_get(of, type);
	struct str name;

	if (!found || !found->lazy)
		return found;
	schema_decode(found);
	if (mode == MODE_MANAGED)
		found->version = found->published;
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

/*
 * provider_schemas.c - the schemas of providers, and the processes they are of
 *
 * Schemas come from a provider that is opened but not configured; the first
 * instance of the provider takes it over.
 */
#include "engine/run/providers.h"
#include "engine/run/run_int.h"
#include "addr/provider.h"
#include "provider/open.h"
#include "provider/source.h"

/* Passes the diagnostics of opening to the first caller that takes any. */
static void tell_opening(struct run *r, struct str name, struct diags *ds)
{
	struct diags *said = ds ? map_get(&r->provider_opening, name) : NULL;

	if (!said)
		return;
	diags_append(ds, said);
	map_put(r->arena, &r->provider_opening, name, NULL);
}

struct provider *run_take_process(struct run *r, struct provider_addr p,
				  struct diags *ds)
{
	struct str text = provider_addr_text(r->arena, p);
	struct provider *got = map_get(&r->provider_processes, text);

	if (got == &provider_failed) {
		tell_opening(r, text, ds);
		return NULL;
	}
	/* Validation never configures a provider: one serves all. */
	if (got && r->opts.phase == RUN_VALIDATE)
		return got;
	if (got && !map_has(&r->provider_taken, text)) {
		map_put(r->arena, &r->provider_taken, text, got);
		return got;
	}
	return provider_open(r->arena, r->loop, r->opts.providers, p, ds);
}

/* A plan is applied with the very providers it was made with. */
static int check_planned(const struct run *r, struct str name,
			 const struct provider *p, struct diags *ds)
{
	const struct provider_package *was, *is = provider_package(p);

	was = r->planned_providers ? map_get(r->planned_providers, name) : NULL;
	if (!was || !is ||
	    (str_eq(was->version, is->version) && str_eq(was->hash, is->hash)))
		return 0;
	return diag_error(ds, NULL, "Inconsistent dependency lock file",
			  "The plan was made with %.*s %.*s (%.*s), but %.*s "
			  "(%.*s) is selected now. Make a new plan.",
			  STR_ARG(name), STR_ARG(was->version),
			  STR_ARG(was->hash), STR_ARG(is->version),
			  STR_ARG(is->hash));
}

static struct provider *open_first(struct run *r, struct provider_addr p,
				   struct str name)
{
	struct diags *said = ARENA_NEW(r->arena, struct diags);
	struct provider *opened;

	*said = (struct diags)DIAGS_INIT(r->arena);
	opened = provider_open(r->arena, r->loop, r->opts.providers, p, said);
	if (opened && check_planned(r, name, opened, said))
		opened = NULL;
	if (said->len)
		map_put(r->arena, &r->provider_opening, name, said);
	return opened ? opened : &provider_failed;
}

const struct provider_schema *run_provider_schema(struct run *r,
						  struct provider_addr p,
						  struct diags *ds)
{
	struct map_entry *e;
	struct provider *opened;
	struct str text;

	if (r->schema_provider && provider_addr_equal(p, r->schema_addr))
		return r->schema_provider->schema;
	text = provider_addr_text(r->arena, p);
	opened = map_get(&r->provider_processes, text);
	if (!opened) {
		opened = open_first(r, p, text);
		e = map_slot(r->arena, &r->provider_processes, text);
		e->value = opened;
	}
	tell_opening(r, text, ds);
	if (opened == &provider_failed)
		return NULL;
	r->schema_addr.host = str_sub(text, 0, p.host.n);
	text = str_sub(text, p.host.n + 1, text.n);
	r->schema_addr.namespace = str_sub(text, 0, p.namespace.n);
	r->schema_addr.type = str_sub(text, p.namespace.n + 1, text.n);
	r->schema_provider = opened;
	return opened->schema;
}

const struct resource_schema *run_resource_schema(struct run *r,
						  struct provider_addr p,
						  const struct resource_addr *t,
						  struct diags *ds)
{
	static const char *const what[] = {
		[MODE_MANAGED] = "resource type",
		[MODE_DATA] = "data source",
		[MODE_EPHEMERAL] = "ephemeral resource",
	};
	const struct provider_schema *s = run_provider_schema(r, p, ds);
	struct diags quiet = DIAGS_INIT(r->arena);
	const struct resource_schema *found;
	size_t errors;

	if (!s)
		return NULL;
	if (s == r->schema_of && t->mode == r->schema_mode &&
	    str_eq(t->type, r->schema_found->type))
		return r->schema_found;
	ds = ds ? ds : &quiet;
	errors = ds->errors;
	found = provider_resource_schema(s, t->mode, t->type, ds);
	if (found) {
		r->schema_of = s;
		r->schema_found = found;
		r->schema_mode = t->mode;
	}
	if (!found && ds->errors == errors)
		diag_error(ds, NULL, "Invalid resource type",
			   "The provider %.*s has no %s \"%.*s\".",
			   STR_ARG(provider_addr_text(ds->arena, p)),
			   what[t->mode], STR_ARG(t->type));
	return found;
}

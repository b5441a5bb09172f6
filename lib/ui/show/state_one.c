/* state_one.c - see state_one.h */
#include "ui/show/state_one.h"

#include "addr/provider.h"
#include "json/write.h"
#include "ui/schemas.h"
#include "ui/schemas_opened.h"
#include "ui/show/state_json.h"
#include "ui/show/state_text.h"

/* The state as if it had nothing but this instance. */
static void put_json(struct buf *out, const struct state_one *o,
		     const struct map *schemas)
{
	struct state_instance *instances[] = { o->instance };
	struct state_resource res = *o->resource, *resources[] = { &res };
	struct state one = *o->state;
	struct jw w = JW_INIT(out);

	res.instances.items = instances;
	res.instances.len = 1;
	one.resources.items = resources;
	one.resources.len = 1;
	one.outputs.len = 0;
	w.html = true;
	state_json(&w, &one, schemas);
	buf_putc(out, '\n');
}

/* why: the diagnostics of loading the schemas. */
static int unknown_schema(struct arena *a, const struct state_resource *r,
			  struct diags *why, struct diags *ds)
{
	if (!why->len)
		diag_error(why, NULL, "Invalid resource type",
			   "The provider %.*s has no \"%.*s\".",
			   STR_ARG(provider_addr_text(a, r->provider.provider)),
			   STR_ARG(r->addr.type));
	return diag_error(ds, NULL, "Failed to load plugin schemas",
			  "It is not known which attributes are "
			  "sensitive; -show-sensitive shows all of them. "
			  "%.*s: %.*s",
			  STR_ARG(why->items[0].summary),
			  STR_ARG(why->items[0].detail));
}

int state_one_put(struct arena *a, struct buf *out, const struct state_one *o,
		  struct diags *ds)
{
	struct opened_providers opened = { .arena = a, .source = o->source };
	const struct diff_style style = {
		.color = o->color,
		.show_sensitive = o->show_sensitive,
	};
	struct state_resource *r = o->resource, *only[] = { r };
	struct state one = { .arena = a };
	struct diags why = DIAGS_INIT(a);
	struct map schemas = { 0 };
	int rc = 0;

	one.resources.items = only;
	one.resources.len = 1;
	opened_state_schemas(&opened, &one, &schemas, &why);
	if (!o->show_sensitive &&
	    !shown_schema(&schemas, r->addr.mode, r->addr.type,
			  r->provider.provider))
		rc = unknown_schema(a, r, &why, ds);
	else if (o->json)
		put_json(out, o, &schemas);
	else
		state_instance_text(out, r, o->instance, &schemas, style);
	opened_close(&opened);
	return rc;
}

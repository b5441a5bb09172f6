/* state_one.c - see show.h */
#include "ui/show/show.h"
#include "json/write.h"
#include "ui/outputs.h"
#include "ui/show/show_int.h"

/* The state as if it had nothing but this instance. */
static int put_json(struct buf *out, const struct state_one *o,
		    struct state_objects *objects)
{
	struct state_instance *instances[] = { o->instance };
	struct state_resource res = *o->resource, *resources[] = { &res };
	struct state one = *o->state;
	struct jw w = JW_INIT(out);

	res.instances.items = instances;
	res.instances.len = 1;
	one.resources.items = resources;
	one.resources.len = 1;
	one.outputs = NULL;
	w.html = true;
	if (state_json(&w, &one, objects))
		return -1;
	buf_putc(out, '\n');
	return 0;
}

static int put_text(struct buf *out, const struct state_one *o,
		    struct state_objects *objects)
{
	const struct diff_style style = {
		.color = o->color,
		.show_sensitive = o->show_sensitive,
	};

	return state_instance_text(out, o->resource, o->instance, objects,
				   style);
}

/* loading: the diagnostics of loading the schemas. */
static int cannot_show(const struct diags *loading, struct str why,
		       struct diags *ds)
{
	static const char hint[] = "It is not known which attributes are "
				   "sensitive; -show-sensitive shows all of "
				   "them.";

	if (loading->len)
		return diag_error(ds, NULL, "Failed to load plugin schemas",
				  "%s %.*s: %.*s", hint,
				  STR_ARG(loading->items[0].summary),
				  STR_ARG(loading->items[0].detail));
	return diag_error(
		ds, NULL, "Failed to marshal state to json",
		"%s The object does not fit the schema of its provider: %.*s.",
		hint, STR_ARG(why));
}

int state_one_put(struct arena *a, struct buf *out, const struct state_one *o,
		  struct diags *ds)
{
	struct opened_providers opened = { .arena = a, .source = o->source };
	struct state_resource *r = o->resource, *only[] = { r };
	struct state one = { .arena = a };
	struct diags loading = DIAGS_INIT(a);
	struct map schemas = { 0 };
	struct state_objects objects = {
		.arena = a,
		.schemas = &schemas,
		.any = o->show_sensitive,
	};
	int rc;

	one.resources.items = only;
	one.resources.len = 1;
	opened_state_schemas(&opened, &one, &schemas, &loading);
	rc = o->json ? put_json(out, o, &objects) : put_text(out, o, &objects);
	if (rc)
		cannot_show(&loading, objects.why, ds);
	opened_close(&opened);
	return rc;
}
